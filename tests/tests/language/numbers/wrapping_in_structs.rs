//! Structs with `Wrapping` fields: derived comparisons; `Wrapping` numbers of 128 bits.
use omp_tests::on_every_device;
use std::num::Wrapping;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
struct State {
    of: Wrapping<u64>,
    step: u8,
}

#[omp::offload]
fn larger(x: &[State], out: &mut [State], sums: &mut [u128]) {
    #[omp::target]
    for i in 0..x.len() {
        out[i] = if x[i] > x[0] { x[i] } else { x[0].max(State { step: 3, ..x[i] }) };
        let wide = Wrapping(u128::MAX) + Wrapping(u128::from(x[i].of.0));
        sums[i] = (wide * wide - Wrapping(7)).0 ^ (wide << 3).0;
    }
}

#[test]
fn derived_comparisons() {
    let x: Vec<_> = (0..50u64).map(|k| State { of: Wrapping(k * 7919 % 13), step: k as u8 % 5 }).collect();
    on_every_device(|d| {
        omp::set_default_device(d);
        let (mut out, mut sums) = (x.clone(), vec![0; 50]);
        larger(&x, &mut out, &mut sums);
        for (k, v) in x.iter().enumerate() {
            assert_eq!(out[k], if *v > x[0] { *v } else { x[0].max(State { step: 3, ..*v }) });
            let wide = Wrapping(u128::MAX) + Wrapping(u128::from(v.of.0));
            assert_eq!(sums[k], (wide * wide - Wrapping(7)).0 ^ (wide << 3).0);
        }
    });
}
