//! What reductions by the nine operators are checked with: values, and results that iterators compute.
use crate::table::Checks;

/// Values, of which sums, products and so on are exact in any order.
pub struct Values {
    pub int: Vec<i32>,
    pub factor: Vec<i64>,
    pub real: Vec<f64>,
    pub half: Vec<f32>,
    pub yes: Vec<bool>,
}

pub fn values(n: usize) -> Values {
    Values {
        int: (0..n).map(|i| (i * 37 % 101) as i32 - 40).collect(),
        factor: (0..n).map(|i| 1 + (i % 3 == 1) as i64).collect(),
        real: (0..n).map(|i| (i * 29 % 53) as f64 * 0.25 - 5.0).collect(),
        half: (0..n).map(|i| [2.0, 0.5, 1.0, 4.0, 0.25][i % 5]).collect(),
        yes: (0..n).map(|i| i != n / 2).collect(),
    }
}

/// The items of a region: of each operator one of integers, of the arithmetic ones one of floats as well.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nine {
    pub sum: (i32, f64),
    pub product: (i64, f32),
    pub max: (i32, f64),
    pub min: (i32, f32),
    pub and: i32,
    pub or: i32,
    pub xor: i32,
    pub all: bool,
    pub any: bool,
}

/// What the items are before the loop; it takes part.
pub const START: Nine = Nine {
    sum: (5, 0.5),
    product: (3, 2.0),
    max: (-7, -1.0),
    min: (7, 1.0),
    and: 0x7fff_ff7f,
    or: 0x100,
    xor: 0x55,
    all: true,
    any: false,
};

/// The nine operators over all values, by iterators.
pub fn folded(v: &Values) -> Nine {
    Nine {
        sum: (START.sum.0 + v.int.iter().sum::<i32>(), START.sum.1 + v.real.iter().sum::<f64>()),
        product: (
            START.product.0 * v.factor.iter().product::<i64>(),
            START.product.1 * v.half.iter().product::<f32>(),
        ),
        max: (
            v.int.iter().fold(START.max.0, |a, b| a.max(*b)),
            v.real.iter().fold(START.max.1, |a, b| a.max(*b)),
        ),
        min: (
            v.int.iter().fold(START.min.0, |a, b| a.min(*b)),
            v.half.iter().fold(START.min.1, |a, b| a.min(*b)),
        ),
        and: v.int.iter().fold(START.and, |a, b| a & (b | 0x70)),
        or: v.int.iter().fold(START.or, |a, b| a | (b & 0x3c)),
        xor: v.int.iter().fold(START.xor, |a, b| a ^ b),
        all: v.yes.iter().all(|y| *y),
        any: v.yes.iter().any(|y| !y),
    }
}

/// An entry for each operator.
#[track_caller]
pub fn check(t: &mut Checks, got: Nine, want: Nine) {
    t.eq("reduction(+)", got.sum, want.sum);
    t.eq("reduction(*)", got.product, want.product);
    t.eq("reduction(max)", got.max, want.max);
    t.eq("reduction(min)", got.min, want.min);
    t.eq("reduction(&)", got.and, want.and);
    t.eq("reduction(|)", got.or, want.or);
    t.eq("reduction(^)", got.xor, want.xor);
    t.eq("reduction(&&)", got.all, want.all);
    t.eq("reduction(||)", got.any, want.any);
}

/// A function that reduces by the nine operators in one loop under a directive.
macro_rules! in_one_loop {
    ($name:ident: [$($directive:tt)*] ($($clause:tt)*)) => {
        #[omp::offload]
        fn $name(t: &mut Checks) {
            let v = nine::values(170);
            let Nine { sum: (mut si, mut sf), product: (mut pi, mut pf), max: (mut ai, mut af), .. } = START;
            let Nine { min: (mut ii, mut ifl), mut and, mut or, mut xor, mut all, mut any, .. } = START;
            let (int, factor, real, half, yes) = (&v.int, &v.factor, &v.real, &v.half, &v.yes);
            #[$($directive)*($($clause)*
                reduction(+: si, sf), reduction(*: pi, pf), reduction(max: ai, af), reduction(min: ii, ifl),
                reduction(&: and), reduction(|: or), reduction(^: xor), reduction(&&: all), reduction(||: any)
            )]
            for i in 0..170 {
                si += int[i];
                sf += real[i];
                pi *= factor[i];
                pf *= half[i];
                ai = ai.max(int[i]);
                af = af.max(real[i]);
                ii = ii.min(int[i]);
                ifl = ifl.min(half[i]);
                and &= int[i] | 0x70;
                or |= int[i] & 0x3c;
                xor ^= int[i];
                all = all && yes[i];
                any = any || !yes[i];
            }
            let got = Nine {
                sum: (si, sf), product: (pi, pf), max: (ai, af), min: (ii, ifl), and, or, xor, all, any,
            };
            nine::check(t, got, nine::folded(&v));
        }
    };
}

/// A function whose parallel loop has an inner loop that reduces by the nine operators, a row at a time.
macro_rules! in_an_inner_loop {
    ($name:ident: [$($outer:tt)*] [$($inner:tt)*] ($($clause:tt)*)) => {
        #[omp::offload]
        fn $name(t: &mut Checks) {
            const ROWS: usize = 3;
            const N: usize = 170;
            let v = nine::values(ROWS * N);
            let mut whole = vec![[0i64; 7]; ROWS];
            let mut parts = vec![[0.0f64; 4]; ROWS];
            let mut truth = vec![[false; 2]; ROWS];
            let (int, factor, real, half, yes) = (&v.int, &v.factor, &v.real, &v.half, &v.yes);
            #[$($outer)*]
            for r in 0..ROWS {
                let (mut si, mut sf, mut pi, mut pf, mut ai, mut af) = (5, 0.5, 3, 2.0, -7, -1.0f64);
                let (mut ii, mut ifl, mut and, mut or, mut xor) = (7, 1.0f32, 0x7fff_ff7f, 0x100, 0x55);
                let (mut all, mut any) = (true, false);
                #[$($inner)*($($clause)*
                    reduction(+: si, sf), reduction(*: pi, pf), reduction(max: ai, af), reduction(min: ii, ifl),
                    reduction(&: and), reduction(|: or), reduction(^: xor), reduction(&&: all), reduction(||: any)
                )]
                for j in 0..N {
                    let i = r * N + j;
                    si += int[i];
                    sf += real[i];
                    pi *= factor[i];
                    pf *= half[i];
                    ai = ai.max(int[i]);
                    af = af.max(real[i]);
                    ii = ii.min(int[i]);
                    ifl = ifl.min(half[i]);
                    and &= int[i] | 0x70;
                    or |= int[i] & 0x3c;
                    xor ^= int[i];
                    all = all && yes[i];
                    any = any || !yes[i];
                }
                whole[r] = [si as i64, pi, ai as i64, ii as i64, and as i64, or as i64, xor as i64];
                parts[r] = [sf, pf as f64, af, ifl as f64];
                truth[r] = [all, any];
            }
            let got: Vec<_> = (0..ROWS).map(|r| (whole[r], parts[r], truth[r])).collect();
            nine::check_rows(t, &got, &v, N);
        }
    };
}

/// The same for rows of `n` values each.
#[track_caller]
pub fn check_rows(t: &mut Checks, got: &[([i64; 7], [f64; 4], [bool; 2])], v: &Values, n: usize) {
    let row = |r: usize| Values {
        int: v.int[r * n..][..n].to_vec(),
        factor: v.factor[r * n..][..n].to_vec(),
        real: v.real[r * n..][..n].to_vec(),
        half: v.half[r * n..][..n].to_vec(),
        yes: v.yes[r * n..][..n].to_vec(),
    };
    let want: Vec<Nine> = (0..got.len()).map(|r| folded(&row(r))).collect();
    let whole = |k: usize| got.iter().map(|g| g.0[k]).collect::<Vec<_>>();
    let ints = |of: fn(&Nine) -> i64| want.iter().map(of).collect::<Vec<_>>();
    let parts = |k: usize| got.iter().map(|g| g.1[k]).collect::<Vec<_>>();
    let floats = |of: fn(&Nine) -> f64| want.iter().map(of).collect::<Vec<_>>();
    let truth = |k: usize| got.iter().map(|g| g.2[k]).collect::<Vec<_>>();
    let bools = |of: fn(&Nine) -> bool| want.iter().map(of).collect::<Vec<_>>();
    t.eq("reduction(+)", (whole(0), parts(0)), (ints(|w| w.sum.0 as i64), floats(|w| w.sum.1)));
    t.eq("reduction(*)", (whole(1), parts(1)), (ints(|w| w.product.0), floats(|w| w.product.1 as f64)));
    t.eq("reduction(max)", (whole(2), parts(2)), (ints(|w| w.max.0 as i64), floats(|w| w.max.1)));
    t.eq("reduction(min)", (whole(3), parts(3)), (ints(|w| w.min.0 as i64), floats(|w| w.min.1 as f64)));
    t.eq("reduction(&)", whole(4), ints(|w| w.and as i64));
    t.eq("reduction(|)", whole(5), ints(|w| w.or as i64));
    t.eq("reduction(^)", whole(6), ints(|w| w.xor as i64));
    t.eq("reduction(&&)", truth(0), bools(|w| w.all));
    t.eq("reduction(||)", truth(1), bools(|w| w.any));
}

/// Declares programs with an entry for each operator.
macro_rules! nine_programs {
    ($($run:ident: $spec:ident $section:literal $construct:literal;)+) => {
        programs! {
            $($run {
                $spec $section $construct: "reduction(+)", "reduction(*)", "reduction(max)", "reduction(min)",
                    "reduction(&)", "reduction(|)", "reduction(^)", "reduction(&&)", "reduction(||)";
            })+
        }
    };
}
