//! Structs without fields: policies by value and by reference, in other structs, in tuples and in options.
use omp_tests::{compare, twice};

twice! {
    #[omp::declare_target]
    pub trait Mask: Copy {
        fn allows(&self, i: usize, j: usize) -> bool;
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Causal;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Full {}

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Banded<M> {
        width: usize,
        of: M,
    }

    #[omp::declare_target]
    impl Mask for Causal {
        fn allows(&self, i: usize, j: usize) -> bool {
            j <= i
        }
    }

    #[omp::declare_target]
    impl Mask for Full {
        fn allows(&self, _: usize, _: usize) -> bool {
            true
        }
    }

    #[omp::declare_target]
    impl<M: Mask + omp::Device> Mask for Banded<M> {
        fn allows(&self, i: usize, j: usize) -> bool {
            i.abs_diff(j) <= self.width && self.of.allows(i, j)
        }
    }

    #[omp::declare_target]
    impl Causal {
        fn step(self) -> usize {
            2
        }
    }

    #[omp::declare_target]
    fn count<M: Mask + omp::Device>(mask: M, i: usize, n: usize) -> usize {
        (0..n).filter(|&j| mask.allows(i, j)).count()
    }

    pub fn allowed<M: Mask + omp::Device>(mask: M, counts: &mut [usize]) {
        let n = counts.len();
        #[omp::target]
        for i in 0..n {
            counts[i] = count(mask, i, n);
        }
    }

    pub fn all(n: usize) -> [Vec<usize>; 4] {
        let of = || vec![9; n];
        let mut found = [of(), of(), of(), of()];
        allowed(Causal, &mut found[0]);
        allowed(Full {}, &mut found[1]);
        allowed(Banded { width: 2, of: Causal }, &mut found[2]);
        allowed(Banded { width: 1, of: Full {} }, &mut found[3]);
        found
    }

    pub fn held(unit: Causal, out: &mut [usize]) {
        let n = out.len();
        #[omp::target]
        for i in 0..n {
            let pair = (unit, i);
            let flag = if i % 3 == 0 { None } else { Some(pair.0) };
            out[i] = count(Causal, i, n) + count(Full {}, i, n) + unit.step() * pair.1 + usize::from(flag.is_some());
        }
    }
}

#[test]
fn policies() {
    for n in [0, 1, 7, 300] {
        compare!(m, d => {
            omp::set_default_device(d);
            m::all(n)
        });
    }
}

#[test]
fn in_other_types() {
    for n in [0, 1, 100] {
        compare!(m, d => {
            omp::set_default_device(d);
            let mut out = vec![0; n];
            m::held(m::Causal, &mut out);
            out
        });
    }
}
