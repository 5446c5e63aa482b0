//! Options of references: lifetimes, patterns, variables that shadow others.
#![allow(clippy::all, clippy::pedantic, missing_docs)]

mod lifetimes {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        pub struct S { pub c: f64, pub m: u32 }
        #[omp::declare_target]
        fn pick<'a>(s: &'a [S], x: f64) -> Option<&'a S> { s.iter().find(|p| p.c > x) }
        pub fn a(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                out[i] = pick(&s[1..], i as f64).map_or(-1.0, |p| p.c);
            }
        }
    }

    #[test]
    fn lifetimes() {
        compare!(m, d => {
            let s: Vec<_> = (0..5).map(|i| m::S { c: 3.0 * i as f64, m: i }).collect();
            let mut o = vec![0.0; 15];
            m::a(&s, &mut o);
            o
        });
    }
}

mod patterns {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        pub struct S { pub c: f64, pub m: u32, pub p: [f64; 2] }
        #[omp::declare_target]
        fn near(s: &[S], x: f64) -> Option<(f64, &S)> {
            let mut found = None;
            for p in s { let t = (p.c - x).abs(); if t < 2.0 { found = Some((t, p)); return found; } }
            found
        }
        #[omp::declare_target]
        fn pick<'a>(s: &'a [S], x: f64) -> Option<&'a S> { s.iter().find(|p| p.c > x) }
        pub fn a(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let mut v = None;
                for p in s { if p.c < i as f64 { v = Some(p); } }
                let Some(S { c, .. }) = v else { out[i] = -9.0; continue };
                out[i] = *c * 10.0;
                if let Some(S { c, m, p: [q, _] }) = v { out[i] += c + *m as f64 + q * 5.0; }
                out[i] += match pick(s, i as f64) { Some(S { c, m: 2, .. }) => *c, Some(S { m: k, .. }) if *k == 3 => 0.25, Some(&S { m, .. }) => m as f64, None => 1.0 };
            }
        }
        pub fn b(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                out[i] = match near(s, i as f64) { None => 1.0, Some((t, S { c, .. })) => *c + t };
                if let Some((t, S { c, m, .. })) = near(&s[1..], i as f64) { out[i] += t * c + f64::from(*m); }
                if let Some(S { c, .. }) = s.get(i) { out[i] += c * 100.0; }
                if let Some(S { c, .. }) = s.iter().find(|p| p.m > 2) { out[i] += c * 1000.0; }
            }
        }
    }

    #[test]
    fn patterns() {
        compare!(m, d => {
            let s: Vec<_> = (0..5).map(|i| m::S { c: 3.0 * i as f64, m: i, p: [i as f64, 2.0] }).collect();
            let mut o = vec![vec![0.0; 15]; 2];
            m::a(&s, &mut o[0]);
            m::b(&s, &mut o[1]);
            o
        });
    }
}

mod shadows {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        pub struct S { pub c: f64, pub m: u32 }
        #[omp::declare_target]
        fn last_before(s: &[S], x: f64) -> Option<&S> {
            let mut best = None;
            for p in s {
                if let Some(best) = best { let best: &S = best; if best.c > p.c { continue; } }
                if p.c < x { best = Some(p); }
            }
            best
        }
        #[omp::declare_target]
        fn nearest(s: &[S], x: f64) -> Option<(f64, &S)> {
            let mut best: Option<(f64, &S)> = None;
            for p in s {
                let d = (p.c - x).abs();
                if let Some((best, _)) = best { if best <= d { continue; } }
                best = Some((d, p));
            }
            best
        }
        pub fn a(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                out[i] = last_before(s, i as f64).map_or(-1.0, |p| p.c) + nearest(s, i as f64).map_or(-1.0, |(d, p)| d + p.m as f64 * 100.0);
            }
        }
        pub fn b(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                let mut best = None;
                for p in s {
                    if let Some(best) = best { let best: &S = best; if (best.c - x).abs() < (p.c - x).abs() { continue; } }
                    best = Some(p);
                }
                out[i] = best.map_or(-1.0, |p| p.c);
            }
        }
        pub fn c(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                let mut hit = None;
                for p in s { if p.c > x { hit = Some(p); break; } }
                let h = hit.map_or(0.0, |p| p.c);
                let mut hit = None;
                for p in s.iter() { if p.c < x { hit = Some((p.c, p)); } }
                let g = if let Some((c, p)) = hit { c * 100.0 + p.m as f64 } else { 0.5 };
                let mut hit = None;
                for p in s.iter() { if p.c < x { hit = Some(p.m); } }
                out[i] = h + g + hit.unwrap_or(7) as f64 * 1e6;
            }
        }
        pub fn e(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                let mut v = None;
                let mut w = None;
                for p in s {
                    let d = (p.c - x).abs();
                    v = match v { Some((t, q)) if t <= d => Some((t, q)), _ => Some((d, p)) };
                    w = if w.is_none() || d < 2.0 { Some((d, p)) } else { w };
                }
                let (d, p) = v.unwrap();
                out[i] = d + p.c * 10.0 + w.map_or(0.0, |(d, p)| d + p.m as f64) * 1000.0;
            }
        }
        pub fn f(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let mut t = 0.0;
                let mut cur = Some(&s[i % 5]);
                while let Some(n) = cur { t = t * 0.5 + n.c; cur = if n.m > 0 { Some(&s[n.m as usize - 1]) } else { None }; }
                out[i] = t;
            }
        }
        pub fn g(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                let (mut a, mut b): (Option<&S>, Option<&S>) = (None, None);
                for p in s { if p.c < x { a = Some(p); } else { b = b.or(Some(p)); } }
                out[i] = a.map_or(0.5, |p| p.c) + match b { Some(p) => p.c * 100.0, None => 7.0 };
            }
        }
        pub fn h(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                let mut prev = None;
                let mut best = None;
                for p in s { if p.c < x { prev = best; best = Some(p); } }
                out[i] = match (prev, best) { (Some(a), Some(b)) => a.c * 100.0 + b.c, (None, Some(b)) => b.c, _ => -1.0 };
                if i > 6 { let t = S { c: 5.0, m: 9 }; let mut best = None; if i > 7 { best = Some(&t); } out[i] += best.map_or(0.0, |b| b.c) * 1e6; }
            }
        }
        pub fn k(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                let mut v = None;
                for p in s { let p = p.c; if p > x { v = Some(p); break; } }
                let mut w = None;
                for p in s { if p.c > x { w = Some(p); let v = 3; let _ = v; break; } }
                out[i] = v.unwrap_or(-1.0) + w.map_or(-2.0, |p| p.m as f64);
            }
        }
    }

    #[test]
    fn shadows() {
        compare!(m, d => {
            let s: Vec<_> = (0..5).map(|i| m::S { c: 3.0 * i as f64, m: i }).collect();
            let mut o = vec![vec![0.0; 15]; 8];
            m::a(&s, &mut o[0]);
            m::b(&s, &mut o[1]);
            m::c(&s, &mut o[2]);
            m::e(&s, &mut o[3]);
            m::f(&s, &mut o[4]);
            m::g(&s, &mut o[5]);
            m::h(&s, &mut o[6]);
            m::k(&s, &mut o[7]);
            o
        });
    }
}

mod chosen {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        pub struct S { pub c: f64, pub m: u32 }
        #[omp::declare_target]
        fn best_of(s: &[S], x: f64) -> Option<&S> {
            let best = s.iter().find(|p| p.c > x)?;
            if best.m == 3 { return None; }
            Some(best)
        }
        #[omp::declare_target]
        fn nearest(s: &[S], x: f64) -> Option<(f64, &S)> {
            let p = s.iter().find(|p| p.c > x)?;
            Some((p.c - x, p))
        }
        #[omp::declare_target]
        fn pick<'a>(s: &'a [S], t: &'a [S], x: f64) -> Option<&'a S> {
            let a = s.iter().find(|p| p.c > x);
            let b = t.iter().find(|p| p.c > x + 1.0);
            match (a, b) { (Some(p), Some(q)) if p.c > q.c => Some(p), (Some(_), Some(q)) => Some(q), (Some(p), None) => Some(p), (None, q) => q }
        }
        #[omp::declare_target]
        fn pick2<'a>(s: &'a [S], t: &'a [S], x: f64) -> Option<(f64, &'a S)> {
            let a = nearest(s, x);
            let b = nearest(t, x + 1.0);
            match (a, b) { (Some((t, p)), Some((u, q))) => if t < u { Some((t, p)) } else { Some((u, q)) }, (Some(x), None) => Some(x), (None, y) => y }
        }
        pub fn a(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                let mut best = None;
                for p in s { if p.c < x { best = Some(p); } }
                let b = match best { Some(b) => b, None => continue };
                out[i] = b.c + b.m as f64;
                let c = if let Some(q) = s.iter().find(|p| p.c > x) { q } else { continue };
                out[i] += c.c * 100.0;
                let e = match s.iter().max_by(|p, q| p.c.total_cmp(&q.c)) { Some(b) => b, None => &s[0] };
                out[i] += e.c * 10000.0;
            }
        }
        pub fn b(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                let mut best: Option<&S> = None;
                for p in s { best = Some(match best { Some(q) if q.c > x => q, _ => p }); }
                let mut first: Option<(f64, &S)> = None;
                for p in s { first = Some(match first { Some((t, q)) if t > x => (t, q), _ => (p.c, p) }); }
                out[i] = best.map_or(0.0, |b| b.c) + first.map_or(0.0, |(t, b)| t + b.m as f64) * 100.0;
            }
        }
        pub fn c(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                out[i] = best_of(s, x).map_or(-1.0, |p| p.c) + match nearest(&s[1..], x) { Some((d, p)) => d * 100.0 + p.c * 1000.0, None => 0.25 };
                let Some(p) = pick(s, &s[1..], x) else { out[i] -= 5.0; continue };
                let r = pick(&s[..2], &s[2..], x).map(|q| q.m).unwrap_or(77);
                out[i] += p.c * 1e5 + r as f64 * 1e7;
                out[i] += pick2(&s[..2], &s[2..], x).map_or(0.5, |(t, q)| t + q.c) * 1e-3;
            }
        }
        pub fn e(s: &[S], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                let (k, b) = match s.iter().enumerate().find(|(_, p)| p.c > x) { Some(found) => found, None => { out[i] = -2.0; continue } };
                out[i] = k as f64 + b.c;
            }
        }
    }

    #[test]
    fn chosen() {
        compare!(m, d => {
            let s: Vec<_> = (0..5).map(|i| m::S { c: 3.0 * i as f64, m: i }).collect();
            let mut o = vec![vec![0.0; 15]; 4];
            m::a(&s, &mut o[0]);
            m::b(&s, &mut o[1]);
            m::c(&s, &mut o[2]);
            m::e(&s, &mut o[3]);
            o
        });
    }
}

mod results {
    use omp_tests::{compare, twice};

    twice! {
        #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
        pub struct S { pub c: f64, pub m: u32 }
        #[omp::declare_target]
        fn f1(s: &[S], x: f64) -> Option<&S> {
            let mut best: Option<&S> = None;
            if x > 5.0 { let best = x * 2.0; if best > 20.0 { return None; } }
            for p in s { if p.c < x { best = Some(p); if p.m == 3 { return best; } } }
            best
        }
        #[omp::declare_target]
        fn f2(s: &[S], x: f64) -> Option<(usize, &S)> {
            let mut found = None;
            for (k, p) in s.iter().enumerate() {
                if p.c < x { found = Some((k, p)); }
                if k == 3 { return found; }
            }
            if x > 3.0 { found } else { None }
        }
        #[omp::declare_target]
        fn f4(s: &[S], x: f64) -> Option<&S> {
            let mut found = None;
            for k in 0..s.len() { if s[k].c < x { found = s.get(k); } }
            return found;
        }
        #[omp::declare_target]
        fn f5(s: &[S], x: f64) -> Option<&S> {
            let found = f4(s, x);
            if found.is_none() { return f1(s, x + 1.0); }
            let q = found?;
            if q.m > 2 { Some(q) } else { found }
        }
        pub fn a(s: &[S], x: &[f64], out: &mut [f64]) {
            #[omp::target]
            for i in 0..out.len() {
                let x = i as f64;
                out[i] = f1(s, x).map_or(0.5, |p| p.c) + f2(s, x).map_or(0.5, |(k, p)| k as f64 + p.c) * 100.0 + f4(s, x).map_or(0.5, |p| p.c) * 1e4 + f5(s, x).map_or(0.5, |p| p.c) * 1e6;
            }
        }
    }

    #[test]
    fn results() {
        compare!(m, d => {
            let s: Vec<_> = (0..5).map(|i| m::S { c: 3.0 * i as f64, m: i }).collect();
            let x: Vec<_> = (0..15).map(|i| i as f64).collect();
            let mut o = vec![vec![0.0; 15]; 1];
            m::a(&s, &x, &mut o[0]);
            o
        });
    }
}
