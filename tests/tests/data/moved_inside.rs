//! Vectors that a data region maps and that are emptied, moved, exchanged, grown or forgotten in it: what was mapped belongs to other
//! memory then, and the exit says so. What is in its place again at the exit is brought back.
use omp_tests::{on_every_device, panic_of};
use std::mem;

macro_rules! inside {
    ($($name:ident($d:ident, $v:ident, $w:ident, $o:ident) { $($body:tt)* })*) => {$(
        #[omp::offload]
        #[allow(unused_assignments, reason = "some are never read")]
        #[allow(clippy::ptr_arg, reason = "some bodies change the length")]
        fn $name($d: usize, $v: &mut Vec<u64>, $w: &mut Vec<u64>) -> Vec<u64> {
            let mut $o = vec![];
            #[omp::target_data(map(tofrom: $v), device($d))]
            {
                #[omp::target(device($d))]
                for i in 0..$v.len() {
                    $v[i] += 1;
                }
                $($body)*
            }
            $w[0] += $o.len() as u64;
            $o.push(1);
            $o
        }
    )*};
}

inside! {
    taken(d, v, w, o) { o = mem::take(v); }
    taken_and_used(d, v, w, o) {
        o = mem::take(v);
        #[omp::target(device(d))]
        for i in 0..v.len() {
            v[i] += 10;
        }
    }
    exchanged(d, v, w, o) {
        mem::swap(v, w);
        #[omp::target(device(d))]
        for i in 0..v.len() {
            v[i] += 10;
        }
    }
    replaced(d, v, w, o) { o = mem::replace(v, vec![7; 3]); }
    forgotten(d, v, w, o) { mem::forget(mem::take(v)); }
    grown(d, v, w, o) { v.extend(0..1000); }
    truncated(d, v, w, o) { v.truncate(1); }
    cleared(d, v, w, o) { v.clear(); }
    assigned(d, v, w, o) {
        let other = mem::replace(v, vec![3; 8]);
        o = other;
    }
    updated_from(d, v, w, o) {
        o = mem::take(v);
        omp::target_update!(from(v), device(d));
    }
    updated_to(d, v, w, o) {
        o = mem::take(v);
        omp::target_update!(to(v), device(d));
    }
    updated_elsewhere(d, v, w, o) {
        o = mem::take(v);
        let moved = &mut o;
        omp::target_update!(from(moved), device(d));
    }
    left_early(d, v, w, o) {
        o = mem::take(v);
        if w.len() == 8 {
            return o;
        }
    }
    put_back(d, v, w, o) {
        let all = mem::take(v);
        *v = all;
    }
    exchanged_twice(d, v, w, o) {
        mem::swap(v, w);
        #[omp::target(device(d))]
        for i in 0..w.len() {
            w[i] += 10;
        }
        mem::swap(v, w);
    }
    used_elsewhere(d, v, w, o) {
        o = mem::take(v);
        let moved = &mut o;
        #[omp::target(device(d))]
        for i in 0..moved.len() {
            moved[i] += 10;
        }
        mem::swap(v, moved);
    }
    panics(d, v, w, o) {
        o = mem::take(v);
        if w.len() == 8 {
            panic!("the user's own");
        }
    }
}

type Inside = fn(usize, &mut Vec<u64>, &mut Vec<u64>) -> Vec<u64>;

#[test]
fn moved_memory_is_told() {
    let all: [(&str, Inside); 13] = [
        ("taken", taken),
        ("taken_and_used", taken_and_used),
        ("exchanged", exchanged),
        ("replaced", replaced),
        ("forgotten", forgotten),
        ("grown", grown),
        ("truncated", truncated),
        ("cleared", cleared),
        ("assigned", assigned),
        ("updated_from", updated_from),
        ("updated_to", updated_to),
        ("updated_elsewhere", updated_elsewhere),
        ("left_early", left_early),
    ];
    on_every_device(|d| {
        for (name, run) in all {
            let (mut v, mut w) = (vec![1; 8], vec![2; 8]);
            let text = panic_of(|| drop(run(d, &mut v, &mut w)));
            let text = text.unwrap_or_else(|| panic!("{name} on {d}: nothing was told"));
            assert!(
                text.contains("was moved, reallocated or resized inside region"),
                "{name} on {d}: {text}"
            );
            // Nothing of it is left on the device.
            let mut again = vec![1; 8];
            put_back(d, &mut again, &mut w);
            assert_eq!(again, [2; 8], "{name} on {d}");
        }
    });
}

#[test]
fn memory_in_its_place_is_brought_back() {
    on_every_device(|d| {
        let all: [(&str, Inside, u64); 3] = [
            ("put_back", put_back, 2),
            ("exchanged_twice", exchanged_twice, 12),
            ("used_elsewhere", used_elsewhere, 12),
        ];
        for (name, run, want) in all {
            let (mut v, mut w) = (vec![1; 8], vec![2; 8]);
            run(d, &mut v, &mut w);
            assert_eq!((v, w), (vec![want; 8], vec![2; 8]), "{name} on {d}");
        }
    });
}

#[test]
fn the_users_own_panic_goes_on() {
    on_every_device(|d| {
        let (mut v, mut w) = (vec![1; 8], vec![2; 8]);
        let text = panic_of(|| drop(panics(d, &mut v, &mut w)));
        assert_eq!(text.as_deref(), Some("the user's own"), "on {d}");
        put_back(d, &mut vec![1; 8], &mut w);
    });
}
