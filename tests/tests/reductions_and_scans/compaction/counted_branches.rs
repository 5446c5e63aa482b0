//! Counters without a clause, in loops whose iterations end early and whose conditions are loops of their own.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Default, omp::Device)]
    pub struct Hit { pub id: u32, pub energy: f32 }

    pub fn runs(x: &[u8], y: &mut [(u8, usize)]) -> usize {
        let mut n = 0;
        #[omp::target]
        for (i, &v) in x.iter().enumerate() {
            if i > 0 && x[i - 1] == v {
                continue;
            }
            let len = x[i..].iter().take_while(|&&w| w == v).count();
            y[n] = (v, len);
            n += 1;
        }
        n
    }

    pub fn matched(hits: &[Hit], out: &mut [Hit], dead: &mut [u32]) -> (usize, usize) {
        let (mut n, mut m) = (0, 0);
        #[omp::target]
        for h in hits {
            match h {
                Hit { energy, .. } if *energy > 2.5 => continue,
                h if h.energy >= 1.0 => {
                    out[n] = *h;
                    n += 1;
                }
                &Hit { id, energy } if energy < 0.0 => {
                    if id % 3 == 0 {
                        continue;
                    }
                    dead[m] = id;
                    m += 1;
                }
                _ => {}
            }
        }
        (n, m)
    }

    pub fn partitioned(hits: &[Hit], x: &[u8], out: &mut [Hit], dead: &mut [u32]) -> (usize, usize) {
        let (mut n, mut m) = (0, 0);
        #[omp::target]
        for h in hits {
            if h.id == 3 {
                continue;
            }
            let Some(less) = h.id.checked_sub(2) else { continue };
            if x.iter().all(|c| u32::from(*c) != less) {
                out[n] = *h;
                n += 1;
            } else {
                dead[m] = h.id;
                m += 1;
            }
        }
        (n, m)
    }

    pub fn only_arm(hits: &[Hit], x: &[u8], dead: &mut [u32]) -> usize {
        let mut n = 0;
        #[omp::target]
        for h in hits {
            let k = match h.id % 4 { 0 => continue, 2 if h.energy < 1.0 => continue, k => k };
            let found = x.iter().any(|c| u32::from(*c) == h.id);
            if found {
                dead[n] = k + h.id;
                n += 1;
            }
        }
        n
    }
}

#[test]
fn counters() {
    for len in [0u8, 1, 2, 37, 200] {
        compare!(m, d => {
            omp::set_default_device(d);
            let x: Vec<u8> = (0..len).map(|i| i.wrapping_mul(37).wrapping_add(1) / 19).collect();
            let hits: Vec<_> = (0..u32::from(len)).map(|id| m::Hit { id, energy: (id * 7 % 5) as f32 - 1.0 }).collect();
            let (mut y, mut out) = (vec![(0, 0); x.len()], vec![m::Hit::default(); x.len()]);
            let mut dead = vec![0; x.len()];
            let mut counts = vec![(m::runs(&x, &mut y), 0), m::matched(&hits, &mut out, &mut dead)];
            let first = (out.iter().map(|h| (h.id, h.energy.to_bits())).collect::<Vec<_>>(), dead.clone());
            counts.push(m::partitioned(&hits, &x, &mut out, &mut dead));
            let second = (out.iter().map(|h| (h.id, h.energy.to_bits())).collect::<Vec<_>>(), dead.clone());
            counts.push((m::only_arm(&hits, &x, &mut dead), 0));
            (counts, y, first, second, dead)
        });
    }
}
