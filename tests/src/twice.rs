//! Programs with their directives and without: the serial elision that the language promises, made by a macro.

/// Functions twice: in `mod device`, an `#[omp::offload]` module, as they stand, and in `mod plain` without any
/// `#[omp::…]`. What is compared is so the very text that is shown; needs a high `recursion_limit`.
#[macro_export]
macro_rules! twice {
    (@strip [$($out:tt)*] [] []) => {
        #[allow(dead_code, unused_imports, unused_variables)]
        mod plain { use super::*; $($out)* }
    };
    (@strip [$($out:tt)*] [] [[$($before:tt)*] [$($rest:tt)*] $stack:tt]) => {
        $crate::twice! { @strip [$($before)* { $($out)* }] [$($rest)*] $stack }
    };
    (@strip $out:tt [#[omp :: $($directive:tt)*] $($rest:tt)*] $stack:tt) => {
        $crate::twice! { @strip $out [$($rest)*] $stack }
    };
    (@strip $out:tt [{ $($inner:tt)* } $($rest:tt)*] $stack:tt) => {
        $crate::twice! { @strip [] [$($inner)*] [$out [$($rest)*] $stack] }
    };
    (@strip [$($out:tt)*] [$next:tt $($rest:tt)*] $stack:tt) => {
        $crate::twice! { @strip [$($out)* $next] [$($rest)*] $stack }
    };
    ($($text:tt)*) => {
        #[omp::offload]
        #[allow(dead_code, unused_imports, unused_variables)]
        mod device { use super::*; $($text)* }
        $crate::twice! { @strip [] [$($text)*] [] }
    };
}

/// What a program of [`twice!`] leaves is the same on every device as without directives. `$m` is the module in the expression, and
/// `$d` the device.
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
