//! Private fields that others may read: whose owner is no `Copy` value, and no reference that the function was handed.
use std::cell::RefCell;

/// A field of what a reference refers to, which has another name.
#[omp::offload]
fn behind_a_reference(y: &mut [i32], ps: &mut [(i32, i32)]) -> i32 {
    let (mut v, mut w) = ((3, 4), (5, 6));
    let mut own = (7, 8);
    let t = &mut v;
    #[omp::target(private(t.0, own.0))]
    for i in 0..y.len() {
        t.0 = i as i32;
        own.0 = t.0;
        y[i] = own.0;
    }
    for p in ps.iter_mut() {
        #[omp::target(private(p.0))]
        for i in 0..y.len() {
            p.0 = i as i32;
            y[i] += p.0;
        }
    }
    let u: &mut (i32, i32) = &mut w;
    #[omp::target(lastprivate(u.0))]
    for i in 0..y.len() {
        u.0 = i as i32;
        y[i] += u.0;
    }
    v.0 + w.0 + own.1
}

type Lent<'a> = &'a mut (i32, i32);

/// A reference by another name.
#[omp::offload]
fn of_an_alias(y: &mut [i32], mut t: Lent<'_>) -> i32 {
    let mut v = (3, 4);
    t.1 = 5;
    t = &mut v;
    #[omp::target(private(t.0))]
    for i in 0..y.len() {
        t.0 = i as i32;
        y[i] = t.0;
    }
    v.0
}

struct Holds<'a> {
    t: &'a mut (i32, i32),
}

/// A reference on the way to the field.
#[omp::offload]
fn in_the_middle(y: &mut [i32]) -> i32 {
    let mut v = (3, 4);
    let w = Holds { t: &mut v };
    #[omp::target(private(w.t.0))]
    for i in 0..y.len() {
        w.t.0 = i as i32;
        y[i] = w.t.0;
    }
    v.0
}

/// The caller has what was there before.
#[omp::offload]
fn in_the_callers<'a>(y: &mut [i32], w: &mut Holds<'a>, other: &'a mut (i32, i32)) {
    #[omp::target(private(w.t.0))]
    for i in 0..y.len() {
        w.t.0 = i as i32;
        y[i] = w.t.0;
    }
    w.t = other;
    w.t.0 = 3;
}

/// A guard.
#[omp::offload]
fn of_a_guard(y: &mut [i32], cell: &RefCell<(i32, i32)>) -> i32 {
    let mut t = cell.borrow_mut();
    #[omp::target(private(t.0))]
    for i in 0..y.len() {
        t.0 = i as i32;
        y[i] = t.0;
    }
    drop(t);
    cell.borrow().0
}

struct Dropped {
    last: i32,
}

impl Drop for Dropped {
    fn drop(&mut self) {
        println!("{}", self.last);
    }
}

/// Dropped at the end.
#[omp::offload]
fn dropped(y: &mut [i32]) {
    let mut d = Dropped { last: 0 };
    #[omp::target(private(d.last))]
    for i in 0..y.len() {
        d.last = i as i32;
        y[i] = d.last;
    }
}

macro_rules! other {
    ($name:ident, $of:expr) => {
        let $name = &mut $of;
    };
}

/// Another reference has the name.
#[omp::offload]
fn hidden_by_a_macro(y: &mut [i32], t: &mut (i32, i32)) -> i32 {
    let mut v = (3, 4);
    other!(t, v);
    #[omp::target(private(t.0))]
    for i in 0..y.len() {
        t.0 = i as i32;
        y[i] = t.0;
    }
    v.0
}

/// Nobody else reads these.
#[omp::offload]
fn own(y: &mut [i32], t: &mut (i32, i32)) -> i32 {
    let (mut v, mut w) = ((3, 4), ((5, 6), 7));
    #[omp::target(private(t.0, v.0, w.0.1))]
    for i in 0..y.len() {
        t.0 = i as i32;
        v.0 = t.0;
        w.0.1 = v.0;
        y[i] = w.0.1;
    }
    t.0 = 4;
    v.1 + w.1 + w.0.0
}

fn main() {}
