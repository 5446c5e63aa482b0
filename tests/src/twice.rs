//! Compares programs with their serial copies, which have no directives.

/// A program of [`twice!`](crate::twice!) gives the same results on every device as without directives. `$m` is the module in
/// the expression, and `$d` the device.
#[macro_export]
macro_rules! compare {
    ($m:ident, $d:ident => $e:expr) => {{
        let plain = {
            use plain as $m;
            let $d = 0;
            $e
        };
        $crate::on_every_device(|$d| {
            use device as $m;
            assert_eq!($e, plain, "device {}", $d);
        });
    }};
}

/// A test for each of these programs, which are functions of both modules; the expression calls one as `$call`.
#[macro_export]
macro_rules! compared {
    (|$d:ident, $call:ident| $e:expr; $($name:ident)*) => { $(
        #[test]
        fn $name() {
            $crate::compare!(m, $d => {
                use m::$name as $call;
                $e
            });
        }
    )* };
}
