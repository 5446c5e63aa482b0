//! What iterators find: items that closures take out of options, parts of arrays one after the other, folds that end early, and names in loops'
//! patterns.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, on_every_device, twice};

twice! {
    #[omp::offload]
    fn only_a1(x: &[u32], out: &mut [u64]) {
        let c: Vec<usize> = (0..20).map(|k| k * 3).collect();
        #[omp::target]
        for i in 0..9 { out[i] = (i..i + 2).flat_map(|k| &x[c[k]..c[k + 1]]).map(|&j| j as u64 % 100).sum();
            }
    }
    #[omp::offload]
    fn only_a2(x: &[u32], out: &mut [u64]) {
        let c: Vec<usize> = (0..20).map(|k| k * 3).collect();
        #[omp::target]
        for i in 0..9 { out[i] = (i..i + 2).flat_map(|k| x[c[k]..c[k + 1]].iter()).map(|&j| j as u64 % 100).sum();
            }
    }
    #[omp::offload]
    fn only_a4(x: &[u32], out: &mut [u64]) {
        let c: Vec<usize> = (0..20).map(|k| k * 3).collect();
        #[omp::target]
        for i in 0..9 { out[i] = (i..i + 2).flat_map(|r| (r..r + 3).map(move |k| k + r % 2)).flat_map(|k| x[c[k]..c[k + 1]].iter()).map(|&j| j as u64 % 100).sum();
            }
    }
    #[omp::offload]
    fn only_a8(x: &[u32], out: &mut [u64]) {
        let c: Vec<usize> = (0..20).map(|k| k * 3).collect();
        #[omp::target]
        for i in 0..9 { let v: u64 = (i..i + 2).rev().flat_map(|r| (r..r + 3).rev().flat_map(move |k| (0..k % 3).map(move |q| q + r))).fold(0, |a, k| a * 5 + k as u64);
            let e = (i..i + 2).flat_map(|k| &x[c[k]..c[k]]).count() as u64;
            out[i] = v + e; out[i] += (i..i + 3).flat_map(|k| x[c[k]..c[k + 1]].iter().enumerate()).rev().map(|(n, &j)| n as u64 * (j as u64 % 10)).fold(0, |a, b| a * 7 + b);
            }
    }
    pub fn parts_of_arrays_one_after_the_other(x: &[u32], out: &mut [u64]) {
        only_a1(x, &mut out[0..64]);
        only_a2(x, &mut out[64..128]);
        only_a4(x, &mut out[128..192]);
        only_a8(x, &mut out[192..256]);
    }

    #[omp::offload]
    fn only_a5(x: &[u32], out: &mut [u64]) {
        let c: Vec<usize> = (0..20).map(|k| k * 3).collect();
        #[omp::target]
        for i in 0..9 { let mut s = 0u64; for (n, j) in (i..i + 2).flat_map(|k| &x[c[k]..c[k + 1]]).enumerate() { if *j % 3 == 0 { continue;
            } if *j % 17 == 5 { break; } s = s * 3 + n as u64 * *j as u64;
            } out[i] = s; }
    }
    #[omp::offload]
    fn only_a6(x: &[u32], out: &mut [u64]) {
        let c: Vec<Vec<u32>> = (0..20).map(|k| x[k..k + 3].to_vec()).collect();
            let c: Vec<[u32; 3]> = c.iter().map(|v| [v[0], v[1], v[2]]).collect();
        #[omp::target]
        for i in 0..9 { out[i] = (i..i + 2).flat_map(|k| &c[k]).map(|&j| j as u64 % 100).sum();
            for j in (i..i + 2).flat_map(|k| c[k]) { out[i] = out[i] * 3 + j as u64;
            } for j in (i..i + 2).filter(|k| k % 3 != 1).flat_map(|k| &c[k]) { out[i] = out[i] % 101010101 * 3 + *j as u64;
            } }
    }
    pub fn parts_in_loops(x: &[u32], out: &mut [u64]) {
        only_a5(x, &mut out[0..64]);
        only_a6(x, &mut out[64..128]);
    }

    #[omp::offload]
    fn only_a9(x: &[u32], out: &mut [u64]) {
        let c: Vec<usize> = (0..20).map(|k| k * 3).collect();
        #[omp::target]
        for i in 0..9 { let near = |k: usize| (c[k]..c[k + 1]).map(|j| x[j]);
            let s: u64 = (i..i + 3).flat_map(|k| { let n = k + 1; &x[n..n + 2] }).map(|&v| v as u64).sum();
            out[i] = s + x[i..i + 3].iter().flat_map(|&k| { let k = k as usize % 15; &x[c[k]..c[k + 1]] }).skip(2).step_by(2).map(|&v| v as u64).sum::<u64>();
            }
    }
    #[omp::offload]
    fn only_a10(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..9 { out[i] = x[i..i + 5].iter().filter(|v| **v % 2 == 0).flat_map(|v| 0..v % 5).map(|k| k as u64 * 3).sum::<u64>();
            out[i] += x[i..i + 5].iter().map_while(|v| (v % 7 != 0).then_some(v % 4)).flat_map(|v| (0..v).filter(move |k| k != &1)).take(7).fold(0, |a, k| a * 10 + k as u64);
            out[i] ^= (0..3).flat_map(|a| (0..a).flat_map(move |b| (0..b + 1).map(move |c| (a, b, c)))).map(|(a, b, c)| a * 9 + b * 3 + c).fold(0, |s, k| s * 31 + k);
            }
    }
    #[omp::offload]
    fn only_a12(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<u32>> = x.iter().map(|v| (v % 3 != 0).then_some(v / 7)).collect();
            let w: Vec<[u32; 3]> = (0..50).map(|k| [x[k], x[k + 1], x[k + 2]]).collect();
        #[omp::target]
        for i in 0..9 { out[i] = (i..i + 6).flat_map(|k| if k % 2 == 0 { &w[k][1..] } else { &w[k][..1] }).map(|v| *v as u64).sum();
            let mut c = 0u64; out[i] += (i..i + 3).flat_map(|k| { c += 1; &w[k] }).take_while(|v| **v % 5 != 1).map(|v| *v as u64).sum::<u64>() * 3 + c;
            }
    }
    pub fn parts_of_filtered_items(x: &[u32], out: &mut [u64]) {
        only_a9(x, &mut out[0..64]);
        only_a10(x, &mut out[64..128]);
        only_a12(x, &mut out[128..192]);
    }

    #[omp::offload]
    fn only_a11(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<u32>> = x.iter().map(|v| (v % 3 != 0).then_some(v / 7)).collect();
            let w: Vec<[u32; 3]> = (0..50).map(|k| [x[k], x[k + 1], x[k + 2]]).collect();
        #[omp::target]
        for i in 0..9 { out[i] = (i..i + 6).flat_map(|k| &o[k]).map(|v| *v as u64).sum();
            out[i] += (i..i + 6).flat_map(|k| o[k]).map(|v| v as u64 % 9).sum::<u64>();
            out[i] += w[i..i + 3].iter().flat_map(|v| v).map(|v| *v as u64 % 10).fold(0, |a, b| a * 10 + b);
            out[i] += w[i..i + 3].iter().filter(|v| v[0] % 2 == 0).flat_map(|v| &v[1..]).map(|v| *v as u64 % 10).fold(0, |a, b| a * 10 + b);
            out[i] += o[i..].iter().flat_map(|v| v).take(3).map(|v| *v as u64).sum::<u64>();
            }
    }
    #[derive(Clone, Copy, omp::Device)] struct N13 { nb: [u32; 3], n: u8 }
    #[omp::declare_target]
    impl N13 { fn all(&self) -> &[u32] { &self.nb[..self.n as usize] } }
    #[omp::declare_target]
    fn reach13(g: &[N13], at: usize) -> u32 { g[at].all().iter().flat_map(|&k| &g[k as usize].nb).copied().filter(|&k| k as usize != at).flat_map(|k| g[k as usize].all()).max().copied().unwrap_or(77) }
    #[omp::offload]
    fn only_a13(x: &[u32], out: &mut [u64]) {
        let g: Vec<N13> = (0..50).map(|k| N13 { nb: [x[k] % 50, x[k + 1] % 50, x[k + 2] % 50], n: (x[k + 3] % 4) as u8 }).collect();
        #[omp::target]
        for i in 0..50 { out[i] = reach13(&g, i) as u64; out[i] += g.iter().skip(i).filter(|v| v.n > 1).flat_map(|v| v.nb).map(|v| v as u64).sum::<u64>();
            out[i] += g.iter().take(i).flat_map(|v| &v.nb).enumerate().map(|(n, v)| n as u64 * *v as u64).sum::<u64>();
            for (a, b) in g[i..].iter().take(3).flat_map(|v| v.all().iter().map(move |w| (v.n, w))) { out[i] = out[i] % 1001001 * 3 + a as u64 * *b as u64;
            } }
    }
    struct M { x: Vec<u32>, s: Vec<usize> }
    #[omp::declare_target]
    impl M { fn row(&self, k: usize) -> &[u32] { &self.x[self.s[k]..self.s[k + 1]] } }
    #[omp::offload]
    fn only_a7(x: &[u32], out: &mut [u64]) {
        let c = M { x: x.to_vec(), s: (0..20).map(|k| k * 3).collect() };
        #[omp::target]
        for i in 0..9 { out[i] = (i..i + 2).flat_map(|k| c.row(k)).map(|&j| j as u64 % 100).sum();
            out[i] += (i..i + 2).flat_map(|k| c.row(k).iter().rev()).map(|&j| j as u64 % 100).fold(0, |a, b| a * 3 + b);
            out[i] ^= (i..i + 3).filter(|k| k % 2 == 1).flat_map(|k| c.row(k)).filter(|&&j| j % 2 == 0).count() as u64;
            }
    }
    pub fn options_and_rows_one_after_the_other(x: &[u32], out: &mut [u64]) {
        only_a11(x, &mut out[0..64]);
        only_a13(x, &mut out[64..128]);
        only_a7(x, &mut out[128..192]);
    }

    #[omp::declare_target]
    fn ne8(v: u32) -> Option<u32> { if v % 7 == 3 { None } else { Some(v / 2 + 1) } }
    #[omp::declare_target]
    fn add8(v: u32, n: u32) -> Result<u32, u32> { if v % 7 == 3 { Err(n) } else { Ok(v / 2 + n) } }
    type Step1 = Option<u32>;
    #[omp::declare_target]
    fn st8(v: u32, n: u32) -> Step1 { if v % 5 == 3 { None } else { Some((v / 2).wrapping_add(n)) } }
    #[omp::offload]
    fn only_b1(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..50 { let r = (0..8).try_fold(x[i], |v, _| ne8(v));
            out[i] = r.map_or(9, |v| v as u64);
        let q = x[i..i + 4].iter().copied().try_fold(3, add8); out[i] ^= match q { Ok(v) => v as u64, Err(e) => e as u64 * 3 };
        let q = x[i..i + 4].iter().filter(|v| **v % 2 == 0).try_fold(3, |a, &b| add8(a, b));
            out[i] ^= match q { Ok(v) => v as u64, Err(e) => e as u64 * 3 };
        let q = x[i..i + 4].iter().rev().enumerate().try_fold(3, |a, (k, &b)| st8(a, b + k as u32));
            if let Some(v) = q { out[i] += v as u64; } }
    }
    #[omp::declare_target]
    fn st10(v: u32, n: u32) -> Option<u32> { if v % 5 == 3 { None } else { Some((v / 2).wrapping_add(n)) } }
    #[omp::offload]
    fn only_b10(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..40 { let mut it = x[i..i + 6].iter(); let r = it.try_fold(0u32, |a, v| st10(a, *v));
            out[i] = (r.unwrap_or(1) as u64).wrapping_add(it.next().map_or(7, |v| *v as u64));
            let r = (0..3).flat_map(|a| 0..a).chain(4..6).try_fold(x[i], st10);
            out[i] += r.unwrap_or(4) as u64; let s: Option<u32> = (0..3).try_fold(0u32, |a, k| x.get(i + k * 100).map(|v| a ^ v));
            out[i] += s.unwrap_or(77) as u64; let p = (1..4).try_fold(i, |a, k| x[a % 100..].iter().position(|v| v % 9 == k));
            out[i] += p.unwrap_or(500) as u64; }
    }
    pub fn folds_that_functions_end(x: &[u32], out: &mut [u64]) {
        only_b1(x, &mut out[0..64]);
        only_b10(x, &mut out[64..128]);
    }

    #[omp::offload]
    fn only_b2(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..50 { let q = x[i..i + 4].iter().try_fold(0u32, |a, b| a.checked_add(*b));
            out[i] += q.unwrap_or(3) as u64; }
    }
    #[omp::offload]
    fn only_b3(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..50 { let t: Option<u32> = (0..4).try_fold(1u32, |a, k| if k == 3 && x[i] % 2 == 0 { None } else { Some(a * 2) });
            out[i] ^= t.is_none() as u64; }
    }
    #[omp::offload]
    fn only_b4(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..50 { let e: Result<u32, u8> = (0..3u32).try_fold(0, |a, k| if x[i] % 5 == k { Err(k as u8) } else { Ok(a + k) });
            out[i] += match e { Ok(v) => v as u64, Err(e) => e as u64 * 100 };
            }
    }
    #[omp::offload]
    fn only_b6(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..50 { let mut c = 0u64; let r = (0..9u32).filter(|k| k % 2 == 0).try_fold((0u32, 1u32), |(a, b), k| { c += 1; if (x[i] + k) % 7 == 1 { return None; } Some((b, a + b + k)) });
            out[i] = c * 1000 + r.map_or(0, |(a, b)| (a * b) as u64); match (0..5).rev().try_fold(0u32, |a, k| { c += 1; if x[i + k] % 3 == 1 { Err((a, k)) } else { Ok(a + x[i + k] % 9) } }) { Ok(v) => out[i] += v as u64, Err((a, k)) => out[i] += a as u64 * 100 + k as u64 } out[i] += c;
            }
    }
    #[omp::offload]
    fn only_b7(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..50 { let step = |a: u32, k: u32| -> Option<u32> { if (a + x[i]) % 5 == k { None } else { Some(a + k) } };
            let r = (0..4u32).try_fold(0, step); out[i] = r.is_some() as u64;
            let r = (0..4u32).try_fold(1, |a, k| step(a, k)); out[i] += r.unwrap_or(50) as u64 * 2;
            let z = (0..0u32).try_fold(x[i] % 50, |a, k| step(a, k)); out[i] += z.unwrap() as u64 * 9;
            let e = x[i..i].iter().try_fold(2u8, |a, b| a.checked_add(*b as u8));
            out[i] += e.unwrap_or(0) as u64; if (0..3u32).try_fold(0u32, |a, k| step(a, k)).is_none() { out[i] += 1000;
            } let Some(q) = (0..2u32).try_fold(0u32, |a, k| step(a, k)) else { out[i] += 5000;
            continue; }; out[i] += q as u64 * 7; }
    }
    pub fn folds_that_closures_end(x: &[u32], out: &mut [u64]) {
        only_b2(x, &mut out[0..64]);
        only_b3(x, &mut out[64..128]);
        only_b4(x, &mut out[128..192]);
        only_b6(x, &mut out[192..256]);
        only_b7(x, &mut out[256..320]);
    }

    #[omp::declare_target]
    fn walk5(x: &[u32], n: usize) -> Option<u32> { let v = x[n..n + 3].iter().try_fold(1u32, |a, b| a.checked_mul(*b % 5000))?;
        let w = (0..3).try_fold(v, |a, k| (a % 11 != k).then_some(a / 2))?;
        Some(v ^ w) }
    #[omp::declare_target]
    fn walk6(x: &[u32], n: usize) -> Result<u32, u8> { let v = x[n..n + 3].iter().try_fold(1u32, |a, b| a.checked_mul(*b % 5000).ok_or(3u8))?;
        let w = (0..3).try_fold(v, |a, k| if a % 11 == k { Err(k as u8) } else { Ok(a / 2) })?;
        Ok(v ^ w) }
    #[omp::declare_target]
    fn id5(q: Option<u32>) -> u32 { q.unwrap_or(5) }
    #[omp::offload]
    fn only_b5(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..50 { out[i] = walk5(x, i).map_or(1, |v| v as u64);
            out[i] ^= match walk6(x, i) { Ok(v) => v as u64, Err(e) => e as u64 + 7 };
            out[i] += id5((0..3).try_fold(x[i], |a, k| a.checked_sub(k + 10))) as u64;
            }
    }
    #[omp::declare_target]
    fn a11(v: u64, n: u32) -> Option<u64> { if n % 5 == 3 { None } else { Some(v / 2 + n as u64) } }
    #[omp::declare_target]
    fn s11(x: &[u32]) -> Option<u64> { x.iter().copied().try_fold(5, a11) }
    #[omp::declare_target]
    fn t11(x: &[u32]) -> Result<u64, u8> { x.iter().copied().try_fold(5u64, |a, v| a11(a, v).ok_or(v as u8)) }
    #[omp::declare_target]
    fn u11(x: &[u32]) -> Result<(), u8> { x.iter().try_for_each(|&v| t11(&[v]).map(|_| ())) }
    #[omp::declare_target]
    fn v11(x: &[u32]) -> Option<u64> { let mut s = 0u64; x.iter().try_for_each(|&v| { s += a11(s, v)?; Some(()) })?;
        Some(s) }
    #[omp::declare_target]
    fn w11(x: &[u32]) -> Result<u64, u8> { let q = x.iter().try_fold(0, |a, &v| { if v % 6 == 5 { return Err(v as u8); } let w = t11(x)?; Ok(a + w) })?;
        x.iter().try_for_each(|&v| if v % 8 == 3 { Err(8u8) } else { Ok(()) })?;
        Ok(q) }
    #[omp::offload]
    fn only_b11(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..50 { let y = &x[i..i + 4]; out[i] = s11(y).unwrap_or(1);
            out[i] += t11(y).unwrap_or_else(|e| e as u64 * 3); out[i] += u11(y).is_err() as u64;
            out[i] += v11(y).map_or(9, |v| v * 5); out[i] += match w11(y) { Ok(v) => v, Err(e) => e as u64 };
            }
    }
    pub fn folds_in_functions(x: &[u32], out: &mut [u64]) {
        only_b5(x, &mut out[0..64]);
        only_b11(x, &mut out[64..128]);
    }

    #[derive(Clone, Copy, omp::Device)] #[repr(u8)] enum Op8 { Add(u32), Div(u32), Nop }
    #[omp::declare_target]
    impl Op8 { fn run(self, v: u32) -> Option<u32> { match self { Op8::Add(n) => v.checked_add(n), Op8::Div(n) => v.checked_div(n), Op8::Nop => Some(v) } } fn go(&self, v: u32) -> Result<u32, u8> { match *self { Op8::Add(n) => v.checked_add(n).ok_or(1), Op8::Div(0) => Err(2), Op8::Div(n) => Ok(v / n), Op8::Nop => Ok(v) } } }
    #[omp::offload]
    fn only_b8(x: &[u32], out: &mut [u64]) {
        let ops: Vec<Op8> = x.iter().map(|v| match v % 3 { 0 => Op8::Add(*v), 1 => Op8::Div(v % 4), _ => Op8::Nop }).collect();
        #[omp::target]
        for i in 0..50 { let r = ops[i..i + 4].iter().try_fold(x[i], |v, op| op.run(v));
            out[i] = r.map_or(9, |v| v as u64); let r = ops[i..i + 4].iter().try_fold(x[i], |v, op| op.go(v));
            out[i] += match r { Ok(v) => v as u64, Err(e) => e as u64 * 1000000 };
            let s = ops[i..i + 4].iter().zip(&x[i..]).try_fold(0u32, |a, (op, v)| { let r = op.go(*v)?; a.checked_add(r).ok_or(9u8) });
            out[i] += s.unwrap_or_else(|e| e as u32) as u64; let s = ops[i..i + 4].iter().try_fold(0u32, |a, op| { let r = op.run(7)?; a.checked_add(r) });
            out[i] += s.unwrap_or(3) as u64; }
    }
    #[omp::declare_target]
    fn n12(v: u32) -> Option<u32> { if v % 7 == 3 { None } else { Some(v / 2 + 1) } }
    #[derive(Clone, Copy, omp::Device)] struct P12 { a: u32, b: f32 }
    #[omp::declare_target]
    impl P12 { fn step(self, v: u32) -> Option<P12> { let a = n12(self.a ^ v)?;
        Some(P12 { a, b: self.b + 0.5 }) } }
    #[omp::offload]
    fn only_b12(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..50 { let p = x[i..i + 5].iter().try_fold(P12 { a: 3, b: 0.0 }, |p, v| p.step(*v));
            out[i] = p.map_or(4, |p| p.a as u64 + p.b as u64); let q = x[i..i + 5].iter().try_fold((0usize, 9u32), |(n, v), w| Some((n + 1, n12(v)? ^ w)));
            out[i] += q.map_or(3, |(n, v)| n as u64 * v as u64); let arr = (0..4usize).try_fold([0u32; 4], |mut a, k| { a[k] = n12(x[i + k])?; Some(a) });
            if let Some(a) = arr { out[i] ^= a.iter().map(|v| *v as u64).sum::<u64>();
            } let z = (0..5).try_fold(0u64, |s, k| match (0..k).try_fold(1u64, |p, j| (j != x[i] % 4).then(|| p * 3)) { Some(v) => Ok(s + v), None => Err(s * 10) });
            out[i] += match z { Ok(v) | Err(v) => v }; out[i] += (0..3).map(|k| x[i + k..].iter().take(3).try_fold(1u32, |a, v| a.checked_mul(v % 1000)).is_some() as u64).sum::<u64>();
            }
    }
    #[omp::offload]
    fn only_b13(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..50 { let mut log = 0u64; let mut init = || { log = log * 10 + 1;
            5u32 }; let v = init(); let r: Option<u32> = x[i..i + 3].iter().inspect(|_| ()).try_fold(v, |a, v| { if *v % 2 == 0 { a.checked_add(1) } else { Some(a) } });
            let s: Result<u32, ()> = x[i..i + 3].iter().skip_while(|v| **v % 2 == 0).try_fold(0u32, |a, v| v.checked_sub(50).map(|w| a ^ w).ok_or(()));
            out[i] = log + r.unwrap() as u64 + s.unwrap_or(4) as u64; let all = x[i..i + 3].chunks(2).try_fold(0, |a, c| c.first().map(|v| a + *v as u64));
            out[i] += all.unwrap_or(0); let chosen: Option<Option<u32>> = (0..2u32).try_fold(None, |_, k| if x[i] % 2 == k { None } else { Some(Some(k)) });
            out[i] += match chosen { None => 1, Some(None) => 2, Some(Some(k)) => 3 + k as u64 };
            }
    }
    pub fn folds_of_structs_and_arrays(x: &[u32], out: &mut [u64]) {
        only_b8(x, &mut out[0..64]);
        only_b12(x, &mut out[64..128]);
        only_b13(x, &mut out[128..192]);
    }

    #[omp::offload]
    fn only_c1(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<(u32, u32)>> = (0..50).map(|k| (x[k] % 3 != 0).then_some((x[k] % 50, k as u32))).collect();
        #[omp::target]
        for i in 0..9 { let mut s = 0u64; for (id, q) in o.iter().enumerate().filter_map(|(id, q)| q.as_ref().map(|q| (id, q))) { if q.0 % 2 == 0 { continue;
            } s = s * 3 % 10007 + id as u64 * q.1 as u64; } out[i] = s; }
    }
    #[omp::offload]
    fn only_c2(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<(u32, u32)>> = (0..50).map(|k| (x[k] % 3 != 0).then_some((x[k] % 50, k as u32))).collect();
        #[omp::target]
        for i in 0..9 { let mut s = 0u64; for q in o[i..i + 5].iter().filter_map(|q| q.as_ref()) { s += q.0 as u64;
            } out[i] = s; }
    }
    #[omp::offload]
    fn only_c3(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<(u32, u32)>> = (0..50).map(|k| (x[k] % 3 != 0).then_some((x[k] % 50, k as u32))).collect();
        #[omp::target]
        for i in 0..9 { let mut s = 0u64; for (k, q) in o.iter().enumerate().filter_map(|(k, q)| Some((k, q.as_ref()?))) { s += (q.1 * k as u32) as u64;
            } out[i] = s; }
    }
    #[omp::offload]
    fn only_c4(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<(u32, u32)>> = (0..50).map(|k| (x[k] % 3 != 0).then_some((x[k] % 50, k as u32))).collect();
        #[omp::target]
        for i in 0..9 { let mut s = 0u64; for q in o.iter().filter_map(Option::as_ref) { s += q.1 as u64;
            } out[i] = s; }
    }
    #[omp::offload]
    fn only_c5(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<(u32, u32)>> = (0..50).map(|k| (x[k] % 3 != 0).then_some((x[k] % 50, k as u32))).collect();
        #[omp::target]
        for i in 0..9 { out[i] = o.iter().filter_map(|q| q.as_ref()).map(|q| q.0 as u64).sum();
            out[i] += o[i..].iter().rev().filter_map(|q| q.as_ref()).enumerate().map(|(k, q)| q.0 as u64 * k as u64).sum::<u64>();
            for q in o.iter().flatten() { out[i] += q.1 as u64; } let m = o.iter().enumerate().filter_map(|(k, q)| q.as_ref().map(|q| (k, q))).max_by_key(|(_, q)| q.0);
            if let Some((k, q)) = m { out[i] += k as u64 * q.1 as u64; } let m = o.iter().filter_map(|q| q.as_ref()).min_by_key(|q| q.0).map_or(3, |q| q.1);
            out[i] += m as u64; }
    }
    #[omp::offload]
    fn only_c6(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<u32>> = (0..50).map(|k| (x[k] % 3 != 0).then_some(x[k] % 50)).collect();
        #[omp::target]
        for i in 0..9 { let mut s = 0u64; for (k, q) in o.iter().enumerate().rev().filter_map(|(k, q)| q.as_ref().map(|v| (k, v))) { if *q % 5 == 4 { break;
            } s += *q as u64 * k as u64; } for &q in o[i..i + 5].iter().filter_map(|q| q.as_ref()) { s += q as u64;
            } for q in o[i..i].iter().filter_map(|q| q.as_ref()) { s += *q as u64;
            } for (k, &q) in o[i..].iter().filter_map(Option::as_ref).enumerate().take(3) { s += q as u64 * k as u64;
            } for (a, b) in o[i..].iter().zip(&o).filter_map(|(a, b)| Some((a.as_ref()?, b.as_ref()?))) { s += (a * b) as u64;
            } for (a, b) in o[i..].iter().zip(x).filter_map(|(a, b)| a.as_ref().map(|a| (a, b))) { s += (a ^ b) as u64;
            } out[i] = s; }
    }
    pub fn references_in_options(x: &[u32], out: &mut [u64]) {
        only_c1(x, &mut out[0..64]);
        only_c2(x, &mut out[64..128]);
        only_c3(x, &mut out[128..192]);
        only_c4(x, &mut out[192..256]);
        only_c5(x, &mut out[256..320]);
        only_c6(x, &mut out[320..384]);
    }

    #[derive(Clone, Copy, omp::Device)] struct Q7 { hit: Option<u32>, w: [u32; 2] }
    #[omp::offload]
    fn only_c7(x: &[u32], out: &mut [u64]) {
        let o: Vec<Q7> = (0..50).map(|k| Q7 { hit: (x[k] % 3 != 0).then_some(x[k] % 50), w: [x[k] % 7, 3] }).collect();
        #[omp::target]
        for i in 0..9 { let mut s = 0u64; for h in o.iter().filter_map(|q| q.hit.as_ref()) { s += *h as u64;
            } for (q, h) in o.iter().filter_map(|q| q.hit.as_ref().map(|h| (q, h))) { s += (q.w[0] * h) as u64;
            } for (q, h) in o.iter().filter_map(|q| Some((q, q.hit?))) { s += (q.w[1] * h) as u64;
            } for (k, w, h) in o.iter().enumerate().filter_map(|(k, q)| { let h = q.hit.as_ref()?; Some((k, &q.w, h)) }) { s += k as u64 * (w[0] + w[1]) as u64 * *h as u64;
            } for h in o.iter().filter_map(|q| if q.w[0] > 3 { q.hit.as_ref() } else { None }) { s ^= *h as u64;
            } out[i] = s; }
    }
    #[omp::offload]
    fn only_c8(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<(u32, u32)>> = (0..50).map(|k| (x[k] % 3 != 0).then_some((x[k] % 50, k as u32))).collect();
        #[omp::target]
        for i in 0..9 { let big = |lim: u32| o.iter().filter_map(|q| q.as_ref()).filter(|q| q.0 > lim).map(|q| q.1 as u64).sum::<u64>();
            out[i] = big(3) + big(i as u32); let sub = &o[i..i + 9]; for (a, &(b, c)) in sub.iter().enumerate().filter_map(|(a, q)| q.as_ref().map(|q| (a, q))) { 'q: for d in 0..b { if d > c { break 'q;
            } if d == 3 { continue; } out[i] += d as u64 * a as u64; } }
            for (b, c) in sub.iter().filter_map(|q| q.as_ref()) { out[i] += (b + c) as u64;
            } for q in sub.iter().rev().map(|q| q.as_ref()).flatten() { out[i] = out[i] * 3 % 100003 + q.0 as u64;
            } for q in sub.iter().map_while(|q| q.as_ref()) { out[i] += q.1 as u64;
            } for q in sub.iter().flat_map(|q| q.as_ref()) { out[i] += q.1 as u64;
            } for q in sub.iter().flat_map(|q| q) { out[i] += q.1 as u64;
            } }
    }
    pub fn references_in_fields(x: &[u32], out: &mut [u64]) {
        only_c7(x, &mut out[0..64]);
        only_c8(x, &mut out[64..128]);
    }

    #[omp::offload]
    fn only_e1(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<(u32, u32)>> = (0..50).map(|k| (x[k] % 3 != 0).then_some((x[k] % 50, k as u32))).collect();
        #[omp::target]
        for i in 0..9 { let m = o.iter().enumerate().filter_map(|(k, q)| q.as_ref().map(|q| (k, q))).max_by_key(|(_, q)| q.0);
            if let Some((k, q)) = m { out[i] += k as u64 * q.1 as u64; } }
    }
    #[omp::offload]
    fn only_e2(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<(u32, u32)>> = (0..50).map(|k| (x[k] % 3 != 0).then_some((x[k] % 50, k as u32))).collect();
        #[omp::target]
        for i in 0..9 { let m = o.iter().enumerate().filter_map(|(k, q)| q.as_ref().map(|q| (k, q))).max_by_key(|p| p.1.0);
            if let Some((k, q)) = m { out[i] += k as u64 * q.1 as u64; } }
    }
    #[omp::offload]
    fn only_e3(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<(u32, u32)>> = (0..50).map(|k| (x[k] % 3 != 0).then_some((x[k] % 50, k as u32))).collect();
        #[omp::target]
        for i in 0..9 { let m = o.iter().enumerate().filter_map(|(k, q)| q.as_ref().map(|q| (k, q))).next();
            if let Some((k, q)) = m { out[i] += k as u64 * q.1 as u64; } }
    }
    #[omp::offload]
    fn only_e5(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<(u32, u32)>> = (0..50).map(|k| (x[k] % 3 != 0).then_some((x[k] % 50, k as u32))).collect();
        #[omp::target]
        for i in 0..9 { let m = o.iter().enumerate().filter_map(|(k, q)| q.as_ref().map(|q| (k, q))).filter(|(k, q)| q.0 > 3 && *k > i).map(|(k, q)| (k, q.1)).max();
            if let Some((k, q)) = m { out[i] += k as u64 * q as u64; } }
    }
    pub fn searches_for_references(x: &[u32], out: &mut [u64]) {
        only_e1(x, &mut out[0..64]);
        only_e2(x, &mut out[64..128]);
        only_e3(x, &mut out[128..192]);
        only_e5(x, &mut out[192..256]);
    }

    #[omp::declare_target]
    fn f1(x: &[u32], o: &[Option<u32>]) -> Option<u64> { let s: u64 = (0..5usize).flat_map(|k| { let v = o[k]?; Some(v as u64 + 1) }).sum();
        Some(s + 1) }
    #[omp::declare_target]
    fn g1(x: &[u32], o: &[Option<u32>], p: &[Option<u32>]) -> Option<u64> { let s: u64 = (0..5usize).filter_map(|k| { let v = o[k]?; p[k].map(|w| w as u64 + v as u64) }).sum();
        Some(s + 1) }
    #[omp::declare_target]
    fn h1(x: &[u32], o: &[Option<u32>], p: &[Option<u32>]) -> Option<u64> { let s: u64 = (0..5usize).filter_map(|k| { if x[k] % 4 == 1 { return None; } p[k].map(|w| w as u64 + k as u64) }).sum();
        Some(s + 1) }
    #[omp::declare_target]
    fn k1(x: &[u32], o: &[Option<u32>], p: &[Option<u32>]) -> Option<u64> { let s: u64 = (0..5usize).filter_map(|k| { let v = x.get(k + o[k]? as usize % 100); v.copied() }).map(|v| v as u64).sum();
        let t = (0..5usize).map_while(|k| { let v = o[k]?; p[k].map(|w| w as u64 + v as u64) }).max()?;
        Some(s + t) }
    #[omp::offload]
    fn only_d1(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<u32>> = x.iter().map(|v| (v % 3 != 0).then_some(v / 7)).collect();
            let p: Vec<Option<u32>> = x.iter().map(|v| (v % 5 != 0).then_some(v / 9)).collect();
        #[omp::target]
        for i in 0..50 { out[i] = f1(&x[i..], &o[i..]).unwrap_or(77);
            out[i] += g1(&x[i..], &o[i..], &p[i..]).unwrap_or(770); out[i] += h1(&x[i..], &o[i..], &p[i..]).unwrap_or(7700);
            out[i] ^= k1(&x[i..], &o[i..], &p[i..]).unwrap_or(7700); }
    }
    #[omp::declare_target]
    fn pick7(a: &[Option<u32>], k: usize) -> Option<u64> { let mut s = 1u64;
        for (n, v) in a.iter().filter_map(|q| q.as_ref()).enumerate() { if n > 3 { return Some(s);
        } s = s * 3 + *v as u64; if s > 1 << 50 { return None; } } let q = a.iter().enumerate().filter_map(|(k, q)| { let v = q.as_ref()?; (v % 2 == 0).then_some((k, v)) }).map(|(k, v)| k as u64 + *v as u64).max()?;
        Some(s + q + a[k]? as u64) }
    #[omp::offload]
    fn only_g7(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<u32>> = x.iter().map(|v| (v % 3 != 0).then_some(v / 700)).collect();
        #[omp::target]
        for i in 0..40 { out[i] = pick7(&o[i..i + 6], 2).unwrap_or(99);
            out[i] += pick7(&o[i..i + 2], 1).unwrap_or(990); let mut c = 0u64;
            let n = o[i..i + 5].iter().filter_map(|q| { c += 1; let v = q.as_ref()?; c += 10; if v % 4 == 1 { None } else { c += 100; Some(v) } }).take(2).count();
            out[i] += c * 3 + n as u64; let mut d = 0u64; for v in o[i..].iter().map_while(|q| { d += 1; q.as_ref().filter(|v| **v % 5 != 0) }) { out[i] = out[i] % 1000003 * 3 + *v as u64;
            if out[i] > 1000000 { break; } } out[i] ^= d; }
    }
    pub fn question_marks_in_closures(x: &[u32], out: &mut [u64]) {
        only_d1(x, &mut out[0..64]);
        only_g7(x, &mut out[64..128]);
    }

    #[omp::offload]
    fn only_g6(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<u32>> = x.iter().map(|v| (v % 3 != 0).then_some(v / 7)).collect();
        #[omp::target]
        for i in 0..40 { let mut s = 0u64; for v in o[i..i + 4].iter().map(|q| q.map(|v| v / 2)).flatten() { s += v as u64;
            } s += (0..3).map(|k| (0..k).map(move |j| j * k)).flatten().sum::<u64>();
            s += (i..i + 3).map(|k| &x[k..k + 2]).flatten().map(|v| *v as u64).sum::<u64>();
            s += (0..3u64).map(|k| [k, k * 2]).flatten().filter(|k| k % 3 != 1).sum::<u64>();
            s += (0..3).map(|k| o[i + k]).flatten().map(|v| v as u64).sum::<u64>();
            s += x[i..i + 3].iter().map(|v| v.checked_sub(5000)).flatten().count() as u64;
            out[i] = s; }
    }
    #[omp::offload]
    fn only_g8(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<u32>> = x.iter().map(|v| (v % 3 != 0).then_some(v / 700)).collect();
        #[omp::target]
        for i in 0..40 { let mut s = 0u64; for (k, v) in x[i..i + 4].iter().enumerate().filter_map(|(k, v)| (v % 2 == 0).then_some((k, v))) { s += k as u64 * *v as u64;
            } for v in x[i..i + 4].iter().filter_map(|v| (*v % 3 == 0).then(|| { let w = v / 3; w + 1 })) { s += v as u64;
            } for v in x[i..i + 4].iter().map_while(|v| (*v % 7 != 0).then_some(v)) { s += *v as u64;
            } for v in x[i..i + 4].iter().filter_map(|v| if v % 2 == 0 { Some(v) } else { None }).rev() { s += *v as u64;
            } s += x[i..i + 4].iter().filter_map(|v| (*v > 0).then(|| 100 / v)).map(|v| v as u64).sum::<u64>();
            s += (0..4u32).filter_map(|k| { if x[i] % 4 == k { return None; } (k % 2 == 0).then_some(k) }).map(|v| v as u64).sum::<u64>();
            out[i] = s; }
    }
    pub fn closures_under_conditions(x: &[u32], out: &mut [u64]) {
        only_g6(x, &mut out[0..64]);
        only_g8(x, &mut out[64..128]);
    }

    static CA1: [[Option<(u8, u8)>; 2]; 4] = [[None, None], [Some((1, 2)), None], [Some((3, 4)), Some((5, 6))], [None, Some((7, 7))]];
    #[omp::offload]
    fn only_g1(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..50 { let edges = CA1[x[i] as usize % 4]; let mut s = CA1[x[i] as usize % 4].iter().flatten().count() as u64;
            for (k, (a, b)) in edges.iter().flatten().copied().enumerate() { s = s * 10 + (k as u64 + 1) * a as u64 * b as u64;
            } out[i] = s; }
    }
    static CA2: [[Option<(u8, u8)>; 2]; 4] = [[None, None], [Some((1, 2)), None], [Some((3, 4)), Some((5, 6))], [None, Some((7, 7))]];
    #[omp::offload]
    fn only_g2(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..50 { let edges = CA2[x[i] as usize % 4]; let mut s = 0u64;
            for (a, b) in edges.iter().flatten() { s += (*a ^ *b) as u64;
            } for e in edges.into_iter().flatten() { s += e.0 as u64; } for e in CA2[x[i] as usize % 4].into_iter().flatten() { s = s * 3 + e.1 as u64;
            } for e in CA2[i % 4].iter().rev().flatten().take(1) { s = s * 3 + e.1 as u64;
            } out[i] = s; }
    }
    const T3: [[Option<u32>; 3]; 3] = [[None, Some(3), None], [Some(1), None, Some(9)], [None; 3]];
    #[omp::offload]
    fn only_g3(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..50 { let row = &T3[i % 3]; let mut s = 0u64; for v in row.iter().flatten() { if *v == 9 { break;
            } s += *v as u64; } for &v in row.iter().flatten() { s = s * 5 + v as u64;
            } s += row.iter().flatten().sum::<u32>() as u64; for (k, v) in row.iter().enumerate() { if let Some(v) = v { s += *v as u64 * k as u64;
            } } for v in T3.iter().flatten().flatten() { s ^= *v as u64;
            } out[i] = s; }
    }
    pub fn options_in_tables(x: &[u32], out: &mut [u64]) {
        only_g1(x, &mut out[0..64]);
        only_g2(x, &mut out[64..128]);
        only_g3(x, &mut out[128..192]);
    }

    #[derive(Clone, Copy, omp::Device)] struct N4 { nb: [Option<u32>; 3], w: u32 }
    #[omp::declare_target] impl N4 { fn deg(&self) -> usize { self.nb.iter().flatten().count() } fn top(&self) -> u32 { self.nb.into_iter().flatten().max().unwrap_or(self.w) } fn nbs(&self) -> impl Iterator<Item = u32> + '_ { self.nb.iter().flatten().copied() } }
    #[omp::offload]
    fn only_g4(x: &[u32], out: &mut [u64]) {
        let g: Vec<N4> = (0..50).map(|k| N4 { nb: [(x[k] % 2 == 0).then_some(k as u32), None, Some(x[k] % 50)], w: x[k] % 9 }).collect();
        #[omp::target]
        for i in 0..50 { let v = &g[i]; let mut s = v.deg() as u64 * 100 + v.top() as u64;
            for &n in v.nb.iter().flatten() { s += g[n as usize].w as u64;
            } for n in v.nb.into_iter().flatten() { s = s * 3 + n as u64;
            } let nb = g[i].nb; for n in nb.into_iter().flatten().rev() { s = s * 3 + n as u64;
            } for n in nb.iter().flatten() { s += *n as u64; } for n in v.nbs() { if n % 5 == 0 { continue;
            } s += n as u64; } for N4 { nb, w } in &g[i..] { for n in nb.iter().flatten() { s += (*n * w) as u64;
            } } s += g[i..].iter().map(|v| v.nb.iter().flatten().map(|n| *n as u64).sum::<u64>()).sum::<u64>();
            s += g[i..].iter().flat_map(|v| v.nb.iter().flatten()).map(|n| *n as u64).max().unwrap_or(1);
            out[i] = s; }
    }
    #[omp::declare_target]
    fn deg5(nb: &[Option<u32>]) -> u64 { let mut s = 0; for v in nb.iter().flatten() { s += *v as u64;
        } s }
    #[omp::offload]
    fn only_g5(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<u32>> = x.iter().map(|v| (v % 3 != 0).then_some(v / 7)).collect();
            let rows: Vec<[Option<u32>; 4]> = (0..50).map(|k| [o[k], o[k + 1], o[k + 2], None]).collect();
        #[omp::target]
        for i in 0..40 { let sub = &o[i..i + 5]; let mut s = deg5(sub);
            for v in sub.iter().flatten() { s += *v as u64; } let row = rows[i];
            for v in row.iter().flatten() { s += *v as u64; } for v in row.into_iter().flatten() { s += v as u64;
            } let r = &rows[i]; s += r.iter().flatten().enumerate().map(|(k, v)| k as u64 * *v as u64).sum::<u64>() + deg5(r);
            for (k, v) in rows[i].into_iter().flatten().enumerate() { s += k as u64 ^ v as u64;
            } for row in rows[i..i + 2].iter() { for v in row.iter().flatten() { s += *v as u64;
            } s += row.iter().flatten().count() as u64; } for row in &rows[i..i] { for v in row.iter().flatten() { s += *v as u64;
            } } s += rows[i..i + 1].iter().map(|row| row.iter().flatten().map(|v| *v as u64).sum::<u64>()).sum::<u64>();
            s += rows[i..i + 1].iter().flatten().flatten().map(|v| *v as u64).sum::<u64>();
            s += sub.iter().flat_map(|q| q).map(|v| *v as u64).sum::<u64>();
            out[i] = s; }
    }
    pub fn options_in_rows(x: &[u32], out: &mut [u64]) {
        only_g4(x, &mut out[0..64]);
        only_g5(x, &mut out[64..128]);
    }

    #[derive(Clone, Copy, omp::Device)] struct Sg2 { a: f32, b: f32 }
    #[omp::declare_target] impl Sg2 { fn len(&self) -> f32 { (self.a - self.b).abs() } }
    #[omp::offload]
    fn only_f2(x: &[u32], out: &mut [u64]) {
        let segs: Vec<Sg2> = (0..50).map(|k| Sg2 { a: (x[k] % 9) as f32, b: k as f32 }).collect();
        let mut q = 0.0f32;
        #[omp::target(reduction(+: q))]
        for &(mut s @ Sg2 { a, b }) in &segs { s.a += 1.0; q += s.len() + a - b;
            }
        out[2] = q.abs() as u64;
    }
    #[derive(Clone, Copy, omp::Device)] struct Sg3 { a: f32, b: f32 }
    #[omp::declare_target] impl Sg3 { fn len(&self) -> f32 { (self.a - self.b).abs() } }
    #[omp::offload]
    fn only_f3(x: &[u32], out: &mut [u64]) {
        let segs: Vec<Sg3> = (0..50).map(|k| Sg3 { a: (x[k] % 9) as f32, b: k as f32 }).collect();
            let t: Vec<(u32, [u32; 2])> = (0..50).map(|k| (x[k] % 9, [k as u32, 3])).collect();
        #[omp::target]
        for (k, s @ Sg3 { a, b: c }) in segs.iter().enumerate() { out[k] += (s.len() * a + c) as u64;
            }
        #[omp::target]
        for (&(p @ (u, w @ [g, _])), o) in t.iter().zip(out.iter_mut()) { *o += (p.0 + u * w[0] + g) as u64;
            }
        #[omp::target]
        for i in 0..50 { let mut z = 0.0; for s @ Sg3 { a, .. } in &segs[i..] { if *a > 7.0 { continue;
            } z += s.len() + a; if z > 90.0 { break; } } for (n, s @ &Sg3 { a, b }) in segs[..i].iter().enumerate().rev() { z += s.len() * n as f32 - a + b;
            } for &(s @ Sg3 { a, b }) in segs[i..i].iter() { z += s.a + a * b;
            } for mut s @ Sg3 { a, b } in segs[i..].iter().copied().take(3) { s.b += a;
            z += s.len() - b; } let h: f32 = segs.iter().skip(i).map(|s @ Sg3 { a, b }| s.len() + a - b).sum();
            let g: f32 = segs.iter().skip(i).filter(|s @ Sg3 { a, .. }| s.b > *a).map(|&(mut s @ Sg3 { a, b })| { s.a += a; s.len() + b }).sum();
            for p @ (u, [v, _]) in t.iter() { z += (p.0 + u + v) as f32;
            } out[i] += (z + h + g).abs() as u64; }
    }
    #[derive(Clone, Copy, omp::Device)] struct Sg4 { a: f32, b: f32 }
    #[omp::offload]
    fn only_f4(x: &[u32], out: &mut [u64]) {
        let segs: Vec<Sg4> = (0..50).map(|k| Sg4 { a: (x[k] % 9) as f32, b: k as f32 }).collect();
        #[omp::target]
        for i in 0..50 { let s @ Sg4 { a, b } = segs[i]; let mut t @ Sg4 { a: c, .. } = segs[i];
            t.a += 1.0; let u @ &Sg4 { a: d, b: e } = &segs[i]; let v @ Sg4 { a: g, .. } = &segs[i];
            out[i] = (s.a + s.b * a - b + t.a * c + u.a * d * e + v.b * g).abs() as u64;
            let (p @ [q, ..], n) = ([x[i], 3], 1u32); out[i] += (p[1] + n) as u64 + q as u64;
            }
    }
    #[derive(Clone, Copy, omp::Device)] struct Sg1 { a: f32, b: f32 }
    #[omp::declare_target] impl Sg1 { fn len(&self) -> f32 { (self.a - self.b).abs() } }
    #[omp::offload]
    fn only_f1(x: &[u32], out: &mut [u64]) {
        let segs: Vec<Sg1> = (0..50).map(|k| Sg1 { a: (x[k] % 9) as f32, b: k as f32 }).collect();
            let (mut l, mut m) = (0.0f32, 0.0f32);
        #[omp::target(reduction(+: l), reduction(max: m))]
        for s @ Sg1 { a, b } in segs.iter() { l += s.len(); m = m.max(a * b);
            }
        out[0] = l as u64; out[1] = m as u64;
    }
    #[omp::offload]
    fn only_c9(x: &[u32], out: &mut [u64]) {
        let o: Vec<Option<(u32, u32)>> = (0..50).map(|k| (x[k] % 3 != 0).then_some((x[k] % 50, k as u32))).collect();
        let (mut a, mut b) = (0u64, 0u64);
        #[omp::target(reduction(+: a))]
        for q in o.iter().filter_map(|q| q.as_ref()) { a += q.0 as u64;
            }
        #[omp::target(reduction(+: b))]
        for (k, q) in o.iter().enumerate().filter_map(|(k, q)| q.as_ref().map(|q| (k, q))) { b += q.0 as u64 * k as u64;
            }
        out[0] = a; out[1] = b;
    }
    pub fn names_for_wholes_and_parts(x: &[u32], out: &mut [u64]) {
        only_f2(x, &mut out[0..64]);
        only_f3(x, &mut out[64..128]);
        only_f4(x, &mut out[128..192]);
        only_f1(x, &mut out[192..256]);
        only_c9(x, &mut out[256..320]);
    }
}

compared! {
    |d, call| {
        omp::set_default_device(d);
        let number = |i: u32| i.wrapping_mul(2654435761) >> (i % 9);
        let x: Vec<u32> = (1..258).map(|i| if i % 3 == 0 { number(i) % 100 } else { number(i) }).collect();
        let mut out = vec![0; 6 * 64];
        call(&x, &mut out);
        out
    };
    parts_of_arrays_one_after_the_other
    parts_in_loops
    parts_of_filtered_items
    options_and_rows_one_after_the_other
    folds_that_functions_end
    folds_that_closures_end
    folds_in_functions
    folds_of_structs_and_arrays
    references_in_options
    references_in_fields
    searches_for_references
    question_marks_in_closures
    closures_under_conditions
    options_in_tables
    options_in_rows
    names_for_wholes_and_parts
}
