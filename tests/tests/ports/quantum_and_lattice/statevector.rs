//! Quantum state vector: gates by bit tricks, in place, and measurement probabilities.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    struct Amp {
        re: f64,
        im: f64,
    }

    #[omp::declare_target]
    impl std::ops::Add for Amp {
        type Output = Amp;
        fn add(self, o: Amp) -> Amp { Amp { re: self.re + o.re, im: self.im + o.im } }
    }
    #[omp::declare_target]
    impl std::ops::Mul for Amp {
        type Output = Amp;
        fn mul(self, o: Amp) -> Amp { Amp { re: self.re * o.re - self.im * o.im, im: self.re * o.im + self.im * o.re } }
    }
    #[omp::declare_target]
    impl Amp {
        const I: Amp = Amp { re: 0.0, im: 1.0 };
        fn norm_sqr(&self) -> f64 { self.re * self.re + self.im * self.im }
        fn phase(t: f64) -> Amp { Amp { re: t.cos(), im: t.sin() } }
    }

    type Gate = [[Amp; 2]; 2];

    enum Op {
        Single { target: u32, gate: Gate },
        ControlledPhase { control: u32, target: u32, angle: f64 },
        Swap(u32, u32),
        Cnot { control: u32, target: u32 },
    }

    #[omp::declare_target]
    #[inline]
    const fn insert_zero(k: usize, bit: u32) -> usize {
        let mask = (1 << bit) - 1;
        ((k & !mask) << 1) | (k & mask)
    }

    #[omp::offload]
    fn apply(state: &mut [Amp], op: &Op) {
        let n = state.len();
        match *op {
            Op::Single { target, gate } => {
                #[omp::target]
                for k in 0..n / 2 {
                    let i = insert_zero(k, target);
                    let j = i | 1 << target;
                    let (a, b) = (state[i], state[j]);
                    state[i] = gate[0][0] * a + gate[0][1] * b;
                    state[j] = gate[1][0] * a + gate[1][1] * b;
                }
            }
            Op::ControlledPhase { control, target, angle } => {
                let mask = 1usize << control | 1 << target;
                let phase = Amp::phase(angle);
                #[omp::target]
                for (i, a) in state.iter_mut().enumerate() {
                    if i & mask == mask {
                        *a = *a * phase;
                    }
                }
            }
            Op::Swap(p, q) => {
                let (lo, hi) = (p.min(q), p.max(q));
                #[omp::target]
                for k in 0..n / 4 {
                    let base = insert_zero(insert_zero(k, lo), hi);
                    state.swap(base | 1 << lo, base | 1 << hi);
                }
            }
            Op::Cnot { control, target } => {
                #[omp::target]
                for i in 0..n {
                    if i >> control & 1 == 1 && i >> target & 1 == 0 {
                        state.swap(i, i ^ (1 << target));
                    }
                }
            }
        }
    }

    #[omp::offload]
    fn probabilities(state: &[Amp], qubits: u32) -> Vec<f64> {
        let mut p = vec![0.0; qubits as usize];
        #[omp::target]
        for (q, p) in p.iter_mut().enumerate() {
            *p = state.iter().enumerate().filter(|(i, _)| i >> q & 1 == 1).map(|(_, a)| a.norm_sqr()).sum();
        }
        p
    }

    pub fn run(n: usize) -> Vec<f64> {
        let qubits = 3 + (n % 7) as u32;
        let mut state = vec![Amp { re: 0.0, im: 0.0 }; 1 << qubits];
        state[1] = Amp { re: 1.0, im: 0.0 };
        let s = std::f64::consts::FRAC_1_SQRT_2;
        let r = |x: f64| Amp { re: x, im: 0.0 };
        let h = [[r(s), r(s)], [r(s), r(-s)]];
        for t in 0..qubits {
            apply(&mut state, &Op::Single { target: t, gate: h });
            if t > 0 {
                apply(&mut state, &Op::ControlledPhase { control: t - 1, target: t, angle: 0.7 });
                apply(&mut state, &Op::Cnot { control: t, target: t - 1 });
            }
        }
        apply(&mut state, &Op::Swap(0, qubits - 1));
        let _ = Amp::I;
        let p = probabilities(&state, qubits);
        state.iter().flat_map(|a| [a.re, a.im]).chain(p).collect()
    }
}
port!(statevector: (run(0), run(2), run(5)));
