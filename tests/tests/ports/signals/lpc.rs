//! Linear prediction of speech frames: autocorrelation and the recursion of Levinson and Durbin.
use omp_tests::{compare, twice};

twice! {
    const ORDER: usize = 6;
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Lpc { a: [f64; ORDER + 1], reflection: [f64; ORDER], error: f64 }
    #[omp::declare_target]
    fn autocorrelation(frame: &[f64]) -> [f64; ORDER + 1] {
        std::array::from_fn(|lag| frame.iter().zip(frame.iter().skip(lag)).map(|(x, y)| x * y).sum())
    }
    #[omp::declare_target]
    fn levinson(r: &[f64; ORDER + 1]) -> Option<Lpc> {
        let mut lpc = Lpc { error: r[0], ..Default::default() };
        if lpc.error <= f64::EPSILON { return None; }
        lpc.a[0] = 1.0;
        for i in 1..=ORDER {
            let acc: f64 = lpc.a[..i].iter().zip(r[1..=i].iter().rev()).map(|(a, r)| a * r).sum();
            let k = -acc / lpc.error;
            lpc.reflection[i - 1] = k;
            let previous = lpc.a;
            for j in 1..i { lpc.a[j] += k * previous[i - j]; }
            lpc.a[i] = k;
            lpc.error *= 1.0 - k * k;
        }
        Some(lpc)
    }
    pub fn analyse(d: usize, signal: &[f64], size: usize, hop: usize) -> (Vec<Option<Lpc>>, usize) {
        let frames = (signal.len() - size) / hop + 1;
        let mut out = vec![None; frames];
        let mut silent = 0;
        #[omp::target(device(d), reduction(+: silent))]
        for (frame, out) in signal.windows(size).step_by(hop).zip(out.iter_mut()) {
            *out = levinson(&autocorrelation(frame));
            silent += usize::from(out.is_none());
        }
        (out, silent)
    }
    impl Lpc { pub fn show(&self) -> String { format!("{:.6?} {:.6?} {:.6}", self.a, self.reflection, self.error) } }
}

#[test]
fn lpc() {
    let s: Vec<f64> = (0..400)
        .map(|i| if i > 300 { 0.0 } else { (i as f64 * 0.2).sin() + 0.3 * ((i * 37 % 11) as f64 - 5.0) })
        .collect();
    compare!(m, d => { let (o, n) = m::analyse(d, &s, 48, 16); (o.iter().map(|l| l.map(|l| l.show())).collect::<Vec<_>>(), n) });
}
