//! Arrays made by `from_fn`, updates that read the element that they change, rows cut into parts, methods by value of what is iterated.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Pair { x: f64, y: f64 }

    #[omp::declare_target]
    impl Pair {
        fn bumped(mut self, f: impl Fn(f64) -> f64) -> Pair {
            self.x = f(self.x);
            self
        }
    }

    #[omp::declare_target]
    impl std::ops::Add for Pair { type Output = Pair; fn add(self, o: Pair) -> Pair { Pair { x: self.x + o.x, y: self.y + o.y } } }
    #[omp::declare_target]
    impl std::ops::AddAssign for Pair { fn add_assign(&mut self, o: Pair) { *self = *self + o; } }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Particle { at: Pair, v: Pair, hits: u8 }

    #[omp::declare_target]
    fn square(k: usize) -> u32 { (k * k) as u32 }

    #[omp::declare_target]
    fn ramp<const N: usize>(from: u32) -> [u32; N] { std::array::from_fn(|k| from + k as u32) }

    pub fn arrays(out: &mut [[u32; 4]]) {
        #[omp::target]
        for (k, o) in out.iter_mut().enumerate() {
            let mut calls = 0;
            let counted: [u32; 4] = std::array::from_fn(|j| { calls += 1; calls * 10 + (j + k) as u32 });
            let one: [u32; 1] = core::array::from_fn(|_| calls);
            let squares: [u32; 4] = std::array::from_fn(square);
            let table: [[u32; 2]; 4] = std::array::from_fn(|k| std::array::from_fn(|j| (k * 2 + j) as u32));
            let rising: [u32; 4] = ramp(k as u32);
            *o = std::array::from_fn(|j| counted[j] + one[0] + squares[j] + table[j][1] + rising[j] * 1000);
        }
    }

    pub fn moves(particles: &mut [Particle], out: &mut [Pair]) {
        #[omp::target]
        for (p, o) in particles.iter_mut().zip(out.iter_mut()) {
            p.at += p.v + p.at;
            p.v.x -= { let p = 0.5; p } * p.v.y;
            p.hits += 1 + p.hits;
            *o = p.at.bumped(|x| x + 100.0);
            let again = o.bumped(|x| x * 2.0);
            *o += again;
        }
    }

    pub fn cut(rows: &mut [[u8; 8]], sums: &mut [[u32; 3]]) {
        #[omp::target]
        for (row, sum) in rows.iter_mut().zip(sums.iter_mut()) {
            for (k, part) in row.chunks(3).enumerate() {
                sum[k] = part.iter().map(|&v| v as u32).sum();
            }
            for part in row.chunks_mut(5) {
                part[0] = part.len() as u8;
            }
            sum[0] += row.windows(2).filter(|w| w[0] > w[1]).count() as u32;
        }
    }

    pub fn run() -> (Vec<[u32; 4]>, Vec<f64>, (Vec<[u8; 8]>, Vec<[u32; 3]>)) {
        let mut a = vec![[0; 4]; 5];
        arrays(&mut a);
        arrays(&mut a[..0]);
        let mut p: Vec<Particle> = (0..6).map(|i| Particle { at: Pair { x: i as f64, y: 1.0 }, v: Pair { x: 2.0, y: i as f64 }, hits: i }).collect();
        let mut o = vec![Pair::default(); 6];
        moves(&mut p, &mut o);
        moves(&mut p, &mut o);
        let mut all: Vec<f64> = p.iter().flat_map(|p| [p.at.x, p.at.y, p.v.x, f64::from(p.hits)]).collect();
        all.extend(o.iter().flat_map(|o| [o.x, o.y]));
        let mut rows: Vec<[u8; 8]> = (0..4).map(|i| std::array::from_fn(|j| (i * 7 + j * 5) as u8 % 11)).collect();
        let mut sums = vec![[0; 3]; 4];
        cut(&mut rows, &mut sums);
        (a, all, (rows, sums))
    }
}
port!(made_arrays: run());
