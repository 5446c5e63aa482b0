//! What a region takes may be behind a `Deref` of the user's that does not come to the same twice. What the launch decides by
//! is then what the loop sees: no index that was proved is out of bounds, and no race comes back.
#![allow(clippy::explicit_auto_deref, reason = "the form of the place is what is tested")]
#![allow(
    dangerous_implicit_autorefs,
    reason = "without the lint, too, no two iterations have one value's `&mut`"
)]
use omp_tests::on_every_device;
use std::ops::{Deref, Index, IndexMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[derive(Clone, Copy)]
struct Sizes {
    k: usize,
    m: usize,
}

/// Gives other sizes at each turn of so many.
struct Fickle {
    asked: AtomicUsize,
    turns: usize,
    often: Sizes,
    seldom: Sizes,
}

impl Fickle {
    fn new(asked: usize, turns: usize) -> Self {
        let [often, seldom] = [Sizes { k: 0, m: 2 }, Sizes { k: 900_000, m: 100_000 }];
        Self { asked: AtomicUsize::new(asked), turns, often, seldom }
    }
}

impl Deref for Fickle {
    type Target = Sizes;

    fn deref(&self) -> &Sizes {
        let turn = self.asked.fetch_add(1, Relaxed) % self.turns;
        if turn == self.turns - 1 { &self.seldom } else { &self.often }
    }
}

struct Shift(Fickle);

impl Deref for Shift {
    type Target = usize;

    fn deref(&self) -> &usize {
        &self.0.deref().k
    }
}

struct Around<'a> {
    g: &'a Fickle,
    s: Shift,
    y: Vec<u32>,
}

type Run = fn(usize, &Fickle, &Shift, &mut [u32], usize);

#[omp::offload]
fn field(d: usize, g: &Fickle, _: &Shift, y: &mut [u32], n: usize) {
    #[omp::target(device(d))]
    for i in 0..n {
        y[i + g.k] = 7;
    }
}

#[omp::offload]
fn dereferenced(d: usize, g: &Fickle, s: &Shift, y: &mut [u32], n: usize) {
    #[omp::target(device(d))]
    for i in 0..n {
        y[i + **s + (**g).k - (*g).k] = 7;
    }
}

#[omp::offload]
fn inner(d: usize, g: &Fickle, _: &Shift, y: &mut [u32], n: usize) {
    #[omp::target(device(d))]
    for i in 0..n {
        for j in 0..g.m {
            y[i * 2 + j] = 7;
        }
    }
}

#[omp::offload]
fn third(d: usize, g: &Fickle, _: &Shift, y: &mut [u32], n: usize) {
    #[omp::target(device(d), collapse(3))]
    for i in 0..n / 10 {
        for j in 0..10 {
            for l in 0..g.m {
                y[(i * 10 + j) * 2 + l] = 7;
            }
        }
    }
}

#[omp::offload]
fn hidden(d: usize, g: &Fickle, _: &Shift, y: &mut [u32], n: usize) {
    #[omp::target(device(d))]
    for i in 0..n {
        y[i + g.k] = 7;
        let g = y[i];
        y[i + n] = g;
    }
}

#[omp::offload]
fn tasks(d: usize, g: &Fickle, s: &Shift, y: &mut [u32], n: usize) {
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        y[i + g.k] = 7;
    }
    #[omp::target(nowait, device(d))]
    for i in 0..n {
        y[i + **s] = 7;
    }
    omp::taskwait!();
}

#[omp::offload]
impl Around<'_> {
    fn add(&mut self, d: usize, n: usize) {
        #[omp::target(device(d))]
        for i in 0..n {
            self.y[i + self.g.k + *self.s] = 7;
        }
        #[omp::parallel_for]
        for i in 0..n {
            self.y[i + (*self.g).k] = 7;
        }
    }
}

fn around(d: usize, g: &Fickle, s: &Shift, y: &mut [u32], n: usize) {
    let (asked, turns) = (s.0.asked.load(Relaxed), s.0.turns);
    Around { g, s: Shift(Fickle::new(asked, turns)), y: y.to_vec() }.add(d, n);
}

#[test]
fn what_is_proved_is_what_runs() {
    let all: [Run; 7] = [field, dereferenced, inner, third, hidden, tasks, around];
    on_every_device(|d| {
        for (turns, asked) in (2..6).flat_map(|turns| (0..turns).map(move |asked| (turns, asked))) {
            for (k, run) in all.iter().enumerate() {
                let (g, s) = (Fickle::new(asked, turns), Shift(Fickle::new(asked, turns)));
                let once = || run(d, &g, &s, &mut [0; 1000], 400);
                if let Err(e) = catch_unwind(AssertUnwindSafe(once)) {
                    let text = e.downcast_ref::<String>().cloned().unwrap_or_default();
                    assert!(!text.contains("was proved"), "form {k}, {asked} of {turns}, on {d}: {text}");
                }
            }
        }
        for run in all {
            let pure = usize::MAX;
            run(d, &Fickle::new(0, pure), &Shift(Fickle::new(0, pure)), &mut [0; 1000], 400);
        }
    });
}

/// Counts who has it.
#[derive(Clone, Copy, Default, Debug, PartialEq, omp::Device)]
struct Counted {
    parts: [u32; 4],
    times: u64,
}

static INSIDE: AtomicUsize = AtomicUsize::new(0);

impl Index<usize> for Counted {
    type Output = u32;

    fn index(&self, i: usize) -> &u32 {
        &self.parts[i % 4]
    }
}

impl IndexMut<usize> for Counted {
    fn index_mut(&mut self, i: usize) -> &mut u32 {
        assert_eq!(INSIDE.fetch_add(1, Relaxed), 0, "one thread at a time has a `&mut`");
        self.times += 1;
        INSIDE.fetch_sub(1, Relaxed);
        &mut self.parts[i % 4]
    }
}

#[omp::offload]
fn indexed(y: &mut [Counted], device: usize) {
    #[omp::target(device(device), collapse(2))]
    for i in 0..2 {
        for j in 0..20_000 {
            y[i][j] += 1;
        }
    }
    #[omp::parallel_for(num_threads(4))]
    for j in 0..20_000 {
        y[0][j] += 1;
    }
}

/// `y[i][j]` by an `IndexMut` of the user's, which has all of `y[i]`, is no element of an array: the host goes through the
/// loop alone.
#[test]
fn subscripts_of_a_type_of_the_users() {
    for device in 0..=omp::get_num_devices() {
        let mut y = [Counted::default(); 2];
        indexed(&mut y, device);
        assert_eq!(y.map(|y| (y.parts, y.times)), [([10_000; 4], 40_000), ([5000; 4], 20_000)]);
    }
}
