//! More idioms of std as programs have them: iterators over parts under names, options that are changed, conversions, heads of loops. All
//! devices, against the same functions without directives.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, twice};

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct OmF { s: u32 }
    #[omp::declare_target]
    impl OmF { fn step(&mut self, v: u32) -> u32 { self.s = self.s.wrapping_add(v); self.s } }
    #[derive(Clone, Copy, omp::Device)]
    pub struct OmG { s: u32 }
    #[omp::declare_target]
    impl OmG { fn step(&mut self, v: u32) -> u32 { self.s = self.s.wrapping_add(v); self.s } }
    #[derive(Clone, Copy, omp::Device)]
    pub struct OmH { s: u32 }
    #[omp::declare_target]
    impl OmH { fn step(&mut self, v: u32) -> u32 { self.s = self.s.wrapping_add(v); self.s } }
    #[omp::declare_target]
    pub fn om_splitnext_parse(line: &[u32]) -> Option<u64> {
        let mut fields = line.split(|&c| c % 4 == 0);
        let first = fields.next()?;
        let second = fields.next()?;
        let mut n = first.len() as u64 * 100 + second.len() as u64;
        for f in fields { n = n * 3 + f.iter().map(|v| (*v % 5) as u64).sum::<u64>(); }
        Some(n)
    }
    #[omp::declare_target]
    pub fn sn_try_f(line: &[u32]) -> Option<u64> {
        let a = line.split(|&c| c % 4 == 0).nth(1)?;
        Some(a.len() as u64 * 7 + a.first().copied()? as u64 % 5)
    }
    #[omp::declare_target]
    pub fn sn_chunks_f(line: &[u32]) -> Option<u64> {
        let mut it = line.chunks(5);
        let a = it.next()?;
        let b = it.next()?;
        Some(a.len() as u64 * 7 + b.first().copied()? as u64 % 5 + it.map(|c| c.len() as u64).sum::<u64>())
    }
    #[omp::declare_target]
    pub fn sn_words_num(d: &[u32]) -> u64 { d.iter().fold(0, |n, v| n * 3 + *v as u64 % 3) }
    #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
    pub enum TfOp { Add, Sub, Halt }
    #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
    pub struct TfBad(u8);
    #[omp::declare_target]
    impl TryFrom<u8> for TfOp {
        type Error = TfBad;
        fn try_from(b: u8) -> Result<Self, Self::Error> {
            match b { 0 => Ok(TfOp::Add), 1 => Ok(TfOp::Sub), 7 => Ok(TfOp::Halt), other => Err(TfBad(other)) }
        }
    }
    #[omp::declare_target]
    impl TryFrom<u32> for TfOp {
        type Error = TfBad;
        fn try_from(b: u32) -> Result<Self, TfBad> { TfOp::try_from((b % 9) as u8) }
    }
    #[omp::declare_target]
    pub fn tf_enum_run(x: &[u32]) -> Result<u64, TfBad> {
        let mut acc = 0u64;
        for &v in x {
            match TfOp::try_from((v % 8) as u8)? {
                TfOp::Add => acc = acc.wrapping_add(v as u64),
                TfOp::Sub => acc = acc.wrapping_sub(3),
                TfOp::Halt => break,
            }
        }
        Ok(acc % 1000)
    }
    pub trait GeNum: Copy + Default + std::ops::Mul<Output = Self> + std::iter::Sum + std::iter::Product + std::ops::Add<Output = Self> + omp::Device + PartialOrd {}
    impl GeNum for u32 {}
    impl GeNum for f32 {}
    #[omp::offload]
    pub fn ge_sum_of<T: GeNum + for<'a> std::iter::Sum<&'a T>>(x: &[T], out: &mut [T]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let end = (i + 5).min(x.len());
            let s: T = x[i..end].iter().map(|&v| v * v).sum();
            *o = s + x[i..end].iter().sum::<T>() + x[i..end].iter().copied().filter(|v| *v > T::default()).take(2).product::<T>();
        }
    }
    pub type AlOut = Result<u32, u8>;
    pub type AlMaybe = Option<u32>;
    #[omp::declare_target]
    pub fn al_first(v: u32) -> AlOut { if v % 3 == 0 { Err(3) } else { Ok(v / 3) } }
    #[omp::declare_target]
    pub fn al_some(v: u32) -> AlMaybe { (v % 5 != 0).then_some(v) }
    #[omp::declare_target]
    pub fn al_both(v: u32) -> AlOut { let a = al_first(v)?; let b = al_first(a).map(|b| b + 1)?; Ok(a ^ b) }
    #[omp::declare_target]
    pub fn al_chain(v: u32) -> AlMaybe { let a = al_some(v)?; al_some(a / 5).map(|b| b ^ a) }
    #[omp::declare_target]
    pub fn al_wrapped(v: u32) -> Result<Option<u32>, u8> { al_first(v).map(Some) }
    #[omp::declare_target]
    pub fn sf_cursor_fold(mut rest: &[u32]) -> u64 {
        let mut acc = 0u64;
        while let [first, middle @ .., last] = rest {
            acc = acc.rotate_left(7) ^ u64::from(first.wrapping_add(*last));
            rest = middle;
        }
        if let Some((only, _)) = rest.split_first() { acc ^= u64::from(*only) << 20; }
        let Some((last, _)) = rest.split_last() else { return acc };
        acc + *last as u64
    }
    #[derive(Clone, Copy, omp::Device)]
    pub struct DrStack { s: [u32; 4], n: usize }
    #[omp::declare_target]
    impl DrStack {
        fn push(&mut self, v: u32) -> bool { if self.n < 4 { self.s[self.n] = v; self.n += 1; true } else { false } }
        fn pop(&mut self) -> Option<u32> { if self.n == 0 { return None; } self.n -= 1; Some(self.s[self.n]) }
    }

    #[omp::offload]
    pub fn binding_hides_option(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let mut f = if i % 3 == 0 { None } else { Some(OmF { s: i as u32 }) };
            for k in 0..4 {
                let v = x[i].rotate_left(k);
                *o += match &mut f { Some(f) => f.step(v), None => v } as u64;
            }
        }
    }

    #[omp::offload]
    pub fn option_changed(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let mut f = (i % 3 != 0).then(|| OmG { s: i as u32 });
            for k in 0..4 {
                let v = x[i].rotate_left(k);
                if let Some(g) = f.as_mut() { *o += g.step(v) as u64; }
                if let Some(g) = &mut f { g.s ^= 5; }
            }
            *o += f.map_or(0, |g| g.s) as u64;
        }
    }

    #[omp::offload]
    pub fn as_mut_mapped(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let mut f = (i % 3 != 0).then(|| OmH { s: i as u32 });
            for k in 0..4 {
                let v = x[i].rotate_left(k);
                *o += f.as_mut().map_or(v, |g| g.step(v)) as u64;
            }
        }
    }

    #[omp::offload]
    pub fn array_from_outside_mapped(x: &[u32], f: &[f32], out: &mut [u64]) {
        let table = [3u32, 5, 9, 11];
        #[omp::target]
        for (i, o) in out.iter_mut().enumerate() {
            let v = x[i];
            let scaled = table.map(|t| t.wrapping_mul(v));
            *o = scaled.iter().map(|&s| s as u64).sum::<u64>() + table.map(|t| t & v)[i % 4] as u64;
        }
    }

    #[omp::offload]
    pub fn fields_one_by_one(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let end = (i + 12).min(x.len());
            out[i] = om_splitnext_parse(&x[i..end]).unwrap_or(7);
        }
    }

    #[omp::offload]
    pub fn flattened(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let m = [[x[i] % 7, 2, 3], [4, x[i] % 5, 6]];
            out[i] = m.as_flattened().iter().map(|v| *v as u64).sum::<u64>();
        }
    }

    #[omp::offload]
    pub fn as_ref_mapped(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let a = (x[i] % 3 != 0).then_some([x[i], 3]);
            out[i] = a.as_ref().map_or(1, |v| v[0] as u64 + v[1] as u64) + a.as_ref().map(|v| v[1]).unwrap_or(0) as u64;
        }
    }

    #[omp::offload]
    pub fn first_part(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let end = (i + 12).min(x.len());
            let line = &x[i..end];
            let Some(a) = line.split(|&c| c % 4 == 0).next() else { continue };
            out[i] = a.len() as u64 * 7 + a.iter().map(|v| *v as u64 % 5).sum::<u64>();
        }
    }

    #[omp::offload]
    pub fn second_part_tried(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let end = (i + 12).min(x.len());
            out[i] = sn_try_f(&x[i..end]).unwrap_or(99);
        }
    }

    #[omp::offload]
    pub fn chunks_one_by_one(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let end = (i + 12).min(x.len());
            out[i] = sn_chunks_f(&x[i..end]).unwrap_or(99);
        }
    }

    #[omp::offload]
    pub fn chunks_after_the_first(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let end = (i + 12).min(x.len());
            let mut it = x[i..end].chunks(5);
            if let Some(head) = it.next() { out[i] = head[0] as u64 % 100; }
            for part in it { out[i] = out[i] * 3 + part.len() as u64; }
        }
    }

    #[omp::offload]
    pub fn lengths_of_parts(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let end = (i + 12).min(x.len());
            let mut it = x[i..end].split(|c| c % 3 == 0).map(|p| p.len() as u64);
            out[i] = it.next().unwrap_or(0) * 100 + it.next().unwrap_or(0) * 10 + it.sum::<u64>();
        }
    }

    #[omp::offload]
    pub fn filtered_parts(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let end = (i + 20).min(x.len());
            let mut words = x[i..end].split(|c| c % 3 == 0).filter(|w| !w.is_empty());
            let a = words.next().map_or(0, sn_words_num);
            let b = words.next().map(|w| sn_words_num(w)).unwrap_or(7);
            out[i] = a * 100 + b + words.count() as u64;
        }
    }

    #[omp::offload]
    pub fn parts_from_the_end(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let end = (i + 12).min(x.len());
            let mut it = x[i..end].rchunks(4);
            let last = it.next().unwrap();
            out[i] = last.len() as u64;
            while let Some(p) = it.next() { out[i] = out[i] * 7 + p[0] as u64 % 7; }
        }
    }

    #[omp::offload]
    pub fn windows_skipped(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let end = (i + 12).min(x.len());
            let mut it = x[i..end].windows(3);
            let mut n = 0u64;
            while let Some(w) = it.next() { if w[0] > w[1] { n += 1; it.next(); } else { n += (w[2] % 3) as u64; } }
            out[i] = n;
        }
    }

    #[omp::offload]
    pub fn transposed(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let a: Option<Result<u32, u32>> = match x[i] % 3 { 0 => None, 1 => Some(Ok(x[i])), _ => Some(Err(4)) };
            let b: Result<Option<u32>, u32> = a.transpose();
            let c: Option<Result<u32, u32>> = b.transpose();
            out[i] = match b { Ok(Some(v)) => v as u64, Ok(None) => 1, Err(e) => e as u64 } + c.is_some() as u64;
        }
    }

    #[omp::offload]
    pub fn own_try_from(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let end = (i + 3).min(x.len());
            out[i] = match tf_enum_run(&x[i..end]) { Ok(v) => v, Err(TfBad(b)) => 1000 + b as u64 };
            let op: Result<TfOp, _> = x[i].try_into();
            if let Ok(op) = op { out[i] += op as u64 * 10000; }
            let other: Option<TfOp> = ((x[i] % 11) as u8).try_into().ok();
            out[i] += other.is_some() as u64 * 100000;
        }
    }

    #[omp::offload]
    pub fn sums_of_parameters(x: &[u32], f: &[f32], out: &mut [u64]) {
        let y: Vec<u32> = x.iter().map(|v| v % 50).collect();
        let mut o = vec![0u32; y.len()];
        ge_sum_of(&y, &mut o);
        for i in 0..out.len() { out[i] = o[i] as u64; }
        let g: Vec<f32> = f.iter().map(|v| (v * 2.0).floor()).collect();
        let mut p = vec![0f32; g.len()];
        ge_sum_of(&g, &mut p);
        for i in 0..out.len() { out[i] = out[i] * 1000 + p[i].abs() as u64; }
    }

    #[omp::offload]
    pub fn aliases_of_results(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            out[i] = match al_both(x[i]) { Ok(v) => v as u64, Err(e) => e as u64 } * 3 + al_chain(x[i]).unwrap_or(1) as u64;
            if let Ok(Some(v)) = al_wrapped(x[i]) { out[i] += v as u64; }
        }
    }

    #[omp::offload]
    pub fn ranges_of_characters(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let mut n = 0;
            for c in 'a'..='f' { n = n * 3 + (c as u32 & x[i]) as u64 % 3; }
            n += ('0'..'9').filter(|c| c.is_ascii_digit() && (*c as u32) % 2 == x[i] % 2).count() as u64;
            n += ('A'..='Z').contains(&((x[i] % 128) as u8 as char)) as u64 * 1000;
            out[i] = n;
        }
    }

    #[omp::offload]
    pub fn starts_of_arrays(x: &[u32], f: &[f32], out: &mut [u64]) {
        const MAGIC: [u8; 2] = [0, 1];
        #[omp::target]
        for i in 0..out.len() {
            let bits: [u8; 12] = std::array::from_fn(|k| (x[i] >> k & 1) as u8);
            let tail = [1u8, 0];
            out[i] = bits.starts_with(&MAGIC) as u64 + 2 * bits.ends_with(&tail) as u64 + 4 * bits[2..].starts_with(&MAGIC) as u64 + 8 * bits.starts_with(&[]) as u64;
        }
    }

    #[omp::offload]
    pub fn rest_left_out(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let end = (i + 1 + i % 6).min(x.len());
            out[i] = sf_cursor_fold(&x[i..end]);
        }
    }

    #[omp::offload]
    pub fn dropped(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let mut st = DrStack { s: [0; 4], n: 0 };
            for k in 0..9 {
                match x[i].rotate_left(k) % 4 { 0 => drop(st.pop()), 1 => { st.push(k); } _ => { let _ = st.push(x[i] % 17); } }
            }
            let sum: u64 = std::iter::from_fn(|| st.pop()).map(u64::from).sum();
            out[i] = sum;
        }
    }

    #[omp::offload]
    pub fn const_blocks(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for (o, v) in out.iter_mut().zip(x) {
            const DAYS: [u16; 4] = [31, 28, 31, 30];
            let starts = const {
                let mut s = [0u16; 4];
                let mut m = 1;
                while m < 4 { s[m] = s[m - 1] + DAYS[m - 1]; m += 1; }
                s
            };
            *o = starts[*v as usize % 4] as u64 + const { 3 * 7 };
        }
    }

    #[omp::offload]
    pub fn filters_in_heads(x: &[u32], f: &[f32], out: &mut [u64]) {
        let hits: Vec<Option<u32>> = x.iter().map(|v| (v % 3 != 0).then_some(*v)).collect();
        let mut sums = [0u64; 5];
        let (mut a, mut b, mut c, mut e) = (0u64, 0u64, 0u64, 0u64);
        #[omp::target(reduction(+: a))]
        for hit in hits.iter().flatten() { a += *hit as u64; }
        #[omp::target(reduction(+: b))]
        for hit in hits.iter().copied().flatten() { b += hit as u64 % 3; }
        #[omp::target(reduction(+: c))]
        for (i, w) in x.iter().enumerate().filter_map(|(i, v)| Some((i, v.checked_sub(100)?))) {
            if w % 2 == 0 { continue; }
            c += (w % 9) as u64 * i as u64;
        }
        #[omp::target(reduction(+: e))]
        for v in x.iter().copied().filter(|v| v % 5 == 1).map(|v| v / 5).filter(|v| v % 2 == 0) { e += v as u64; }
        out[0] = a; out[1] = b; out[2] = c; out[3] = e;
    }

    const PAIRS: [Option<(u32, u32)>; 4] = [None, Some((1, 7)), Some((2, 2)), None];
    #[omp::offload]
    pub fn options_of_tables(x: &[u32], f: &[f32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..out.len() {
            let e = PAIRS[x[i] as usize % 4];
            let first = e.map(|(p, _)| p + 1);
            out[i] = first.map_or(9, |p| p as u64) + e.is_some_and(|(_, q)| q == 7) as u64 * 100;
        }
    }
}

compared! {
    |d, call| {
        omp::set_default_device(d);
        let x: Vec<u32> = (0..129u32).map(|i| i.wrapping_mul(2654435761) >> (i % 9)).collect();
        let f: Vec<f32> = (0..129).map(|i| ((i * 37 % 101) as f32 - 50.0) * 0.25).collect();
        let mut out = vec![0; x.len()];
        call(&x, &f, &mut out);
        out
    };
    options_of_tables binding_hides_option option_changed as_mut_mapped array_from_outside_mapped fields_one_by_one flattened as_ref_mapped first_part second_part_tried chunks_one_by_one chunks_after_the_first lengths_of_parts filtered_parts parts_from_the_end windows_skipped transposed own_try_from sums_of_parameters aliases_of_results ranges_of_characters starts_of_arrays rest_left_out dropped const_blocks filters_in_heads
}
