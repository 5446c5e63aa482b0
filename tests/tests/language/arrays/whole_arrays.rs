//! `&x` as the argument of a device function, where only the type of `x` tells whether it is a mapped array, which becomes
//! a slice, or a value, which goes along by copy. What a region computes is compared with what the same functions give.
#![allow(clippy::all, clippy::pedantic)]
use omp_tests::on_every_device;

#[omp::declare_target]
fn pick<T: omp::Device>(a: &[T], i: usize) -> T {
    a[i % a.len()]
}

#[omp::declare_target]
fn total(a: &[f32]) -> f32 {
    let mut sum = 0.0;
    for i in 0..a.len() {
        sum += a[i];
    }
    sum
}

#[omp::declare_target]
fn twice(a: &[f32]) -> f32 {
    total(a) + total(&a) + total(&a[..])
}

#[omp::declare_target]
fn four(a: &[f32; 4]) -> f32 {
    a[0] + a[3]
}

#[omp::declare_target]
fn same<T: omp::Device>(a: &T) -> T {
    *a
}

#[derive(Clone, Copy, omp::Device)]
struct Gain {
    by: f32,
    bias: f32,
}

#[omp::declare_target]
impl Gain {
    fn of(&self, a: &[f32], i: usize) -> f32 {
        self.by * a[i] + self.bias
    }
}

#[omp::declare_target]
fn gained(g: &Gain, x: f32) -> f32 {
    g.by * x + g.bias
}

struct Cells {
    x: Vec<f32>,
    boxed: Box<[f32]>,
    four: [f32; 4],
    bytes: Vec<u8>,
    gain: Gain,
    empty: Vec<f32>,
}

fn cells() -> Cells {
    let x: Vec<f32> = (0..40).map(|i| i as f32 * 0.5).collect();
    Cells {
        boxed: x.iter().map(|v| v + 1.0).collect(),
        x,
        four: [1.0, 2.0, 3.0, 4.0],
        bytes: (0..40).map(|i| i as u8 * 3).collect(),
        gain: Gain { by: 2.0, bias: 0.25 },
        empty: Vec::new(),
    }
}

#[omp::offload]
impl Cells {
    fn run(&self, d: usize, y: &mut [f32]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            y[i] = pick(&self.x, i)
                + twice(&self.x)
                + pick(&self.boxed, i)
                + total(&self.four)
                + four(&self.four)
                + pick(&self.bytes, i) as f32
                + gained(&self.gain, 3.0)
                + self.gain.of(&self.x, i)
                + same(&self.gain.by)
                + total(&self.empty);
        }
    }

    fn expected(&self, i: usize) -> f32 {
        pick(&self.x, i)
            + twice(&self.x)
            + pick(&self.boxed, i)
            + total(&self.four)
            + four(&self.four)
            + pick(&self.bytes, i) as f32
            + gained(&self.gain, 3.0)
            + self.gain.of(&self.x, i)
            + same(&self.gain.by)
            + total(&self.empty)
    }
}

#[test]
fn fields() {
    let cells = cells();
    on_every_device(|d| {
        let mut y = [0f32; 40];
        cells.run(d, &mut y);
        for (i, v) in y.iter().enumerate() {
            assert_eq!(*v, cells.expected(i), "{i}");
        }
    });
}

#[omp::offload]
fn variables(d: usize, cells: &Cells, y: &mut [f32]) {
    // None of these has its type written.
    let (owned, gain) = (cells.x.clone(), cells.gain);
    let (by_ref, slice, boxed) = (&owned, cells.x.as_slice(), cells.boxed.clone());
    let g = cells;
    #[omp::target(device(d))]
    for i in 0..y.len() {
        y[i] = pick(&owned, i)
            + total(&by_ref)
            + total(&slice)
            + pick(&boxed, i)
            + gained(&gain, 1.0)
            + pick(&g.bytes, i) as f32;
    }
}

#[test]
fn untyped_variables() {
    let cells = cells();
    on_every_device(|d| {
        let mut y = [0f32; 40];
        variables(d, &cells, &mut y);
        for (i, v) in y.iter().enumerate() {
            let x = &cells.x;
            let want = pick(x, i) + total(x) + total(x) + pick(&cells.boxed, i) + gained(&cells.gain, 1.0);
            assert_eq!(*v, want + pick(&cells.bytes, i) as f32, "{i}");
        }
    });
}

struct Store<T> {
    items: Vec<T>,
    one: T,
}

#[omp::offload]
impl<T: omp::Device> Store<T> {
    fn gather(&self, d: usize, y: &mut [T]) {
        #[omp::target(device(d))]
        for i in 0..y.len() {
            y[i] = if i % 2 == 0 { pick(&self.items, i + 1) } else { same(&self.one) };
        }
    }
}

#[test]
fn of_type_parameters() {
    on_every_device(|d| {
        let bytes = Store { items: vec![1u8, 2, 3], one: 9 };
        let mut y = [0u8; 6];
        bytes.gather(d, &mut y);
        assert_eq!(y, [2, 9, 1, 9, 3, 9]);
        let pairs = Store { items: vec![[1.0f64, 2.0], [3.0, 4.0]], one: [0.5; 2] };
        let mut y = [[0.0; 2]; 4];
        pairs.gather(d, &mut y);
        assert_eq!(y, [[3.0, 4.0], [0.5; 2], [3.0, 4.0], [0.5; 2]]);
    });
}

#[omp::offload]
fn summed(d: usize, cells: &Cells) -> f32 {
    let mut sum = 0.0;
    #[omp::target(device(d), reduction(+: sum))]
    for i in 0..16usize {
        sum += pick(&cells.boxed, i) * gained(&cells.gain, 1.0);
    }
    sum
}

#[test]
fn in_reductions() {
    let cells = cells();
    on_every_device(|d| {
        let want: f32 = (0..16).map(|i| pick(&cells.boxed, i) * gained(&cells.gain, 1.0)).sum();
        assert!((summed(d, &cells) - want).abs() < 1e-3);
    });
}

/// The state behind a lock: what goes along by copy is not borrowed while another field is written.
#[omp::offload]
fn behind_a_lock(d: usize, state: &std::sync::Mutex<(Gain, Vec<f32>)>) {
    let mut state = state.lock().unwrap();
    #[omp::target(device(d))]
    for i in 0..state.1.len() {
        state.1[i] = gained(&state.0, 2.0) + i as f32;
    }
}

#[test]
fn locks() {
    on_every_device(|d| {
        let state = std::sync::Mutex::new((Gain { by: 3.0, bias: 1.0 }, vec![0.0; 5]));
        behind_a_lock(d, &state);
        assert_eq!(state.into_inner().unwrap().1, [7.0, 8.0, 9.0, 10.0, 11.0]);
    });
}
