//! What calls give or take by value: fixed arrays in loops and parts, structs that borrow, errors that `?` converts, and operators by name.
#![allow(clippy::all, clippy::pedantic, unused, reason = "as programs have them")]
use omp_tests::{compared, on_every_device, twice};

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Debug, omp::Device)]
pub struct Key {
    head: u32,
    tail: Option<u32>,
}

twice! {
    use super::Key;
    use std::ops::{Add, BitXor, Index, IndexMut, Mul, Sub};

    #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
    pub enum Parse { Odd, Third }
    #[derive(Clone, Copy, PartialEq, Debug, omp::Device)]
    pub enum Read { Short, Bad }
    #[omp::declare_target]
    impl From<Parse> for Read { fn from(e: Parse) -> Self { if e == Parse::Odd { Read::Short } else { Read::Bad } } }
    #[omp::declare_target]
    fn even(v: u32) -> Result<u32, Parse> { if v % 2 == 0 { Ok(v) } else if v % 3 == 0 { Err(Parse::Third) } else { Err(Parse::Odd) } }

    pub struct Reader<'a> { words: &'a [u32], pos: usize }
    #[omp::declare_target]
    impl<'a> Reader<'a> {
        fn new(words: &'a [u32], pos: usize) -> Self { Reader { words, pos } }
        fn next(&mut self) -> Option<u32> { let v = *self.words.get(self.pos)?; self.pos += 1; Some(v) }
        fn take(&mut self, n: usize) -> Result<&'a [u32], Read> {
            let v = even(self.words[self.pos])?;
            self.pos += n;
            let part = &self.words[self.pos - n..self.pos];
            if v > 1 << 20 { return Err(Read::Bad); }
            Ok(part)
        }
        fn both(&mut self) -> Result<u32, Read> { let part = self.take(2)?; Ok(part[0] ^ part[1]) }
        fn some(&mut self, n: usize) -> Option<&'a [u32]> {
            if self.pos + n > self.words.len() { return None; }
            let part = &self.words[self.pos..self.pos + n];
            self.pos += n;
            Some(part)
        }
        fn skip(mut self, n: usize) -> Self { self.pos += n; self }
    }
    #[omp::declare_target]
    fn fill(mut reader: Reader<'_>, out: &mut [u64]) -> Result<usize, u32> {
        for v in out.iter_mut() {
            let w = reader.next().ok_or(4u32)?;
            if w % 11 == 0 { return Err(w); }
            *v = w as u64;
        }
        Ok(reader.pos)
    }
    #[omp::declare_target]
    fn jumps(words: &[u32]) -> u32 {
        let mut reader = Reader { words, pos: 0 };
        let mut s = 0u32;
        loop {
            if let Some(part) = reader.some(2) {
                if part[0] % 7 == 0 { continue; }
                if part[1] % 5 == 0 { break; }
                s ^= part[0];
            } else { break; }
        }
        for k in 0..4 {
            match reader.some(1) {
                Some(part) => { if part[0] % 3 == 0 { continue; } s ^= part[0] << k; }
                None => { s += 1; break; }
            }
            s ^= 77;
        }
        s
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Quad { a: [u64; 4] }
    #[omp::declare_target]
    impl Quad {
        fn get(&self) -> [u64; 4] { self.a }
        fn turned(self, n: usize) -> Quad { let mut q = self; q.a.rotate_left(n); q }
    }
    #[omp::declare_target]
    fn turned(b: [u64; 8]) -> [u64; 8] { let mut c = b; c.reverse(); c }
    #[omp::declare_target]
    fn made(v: u32) -> ([u64; 3], usize) { ([v as u64 % 10, 2, 3], (v % 3) as usize) }

    #[derive(Clone, Debug, PartialEq, omp::Mapper)]
    pub struct Rows { rows: usize, stride: usize, words: Vec<u64> }
    #[omp::declare_target]
    fn parity(a: &[u64], b: &[u64]) -> bool { a.iter().zip(b).map(|(x, y)| (x & y).count_ones()).sum::<u32>() % 2 == 1 }
    #[omp::declare_target]
    impl Rows { fn row(&self, i: usize) -> &[u64] { &self.words[i * self.stride..][..self.stride] } }
    #[omp::offload]
    impl Mul for &Rows {
        type Output = Rows;
        fn mul(self, rhs: &Rows) -> Rows {
            let mut out = Rows { rows: self.rows, stride: 3, words: vec![0; 3 * self.rows] };
            #[omp::target]
            for (k, word) in out.words.iter_mut().enumerate() {
                let (i, first) = (k / out.stride, k % out.stride * 2);
                *word = (first..rhs.rows.min(first + 5)).map(|j| u64::from(parity(self.row(i), rhs.row(j))) << (j - first)).fold(0, u64::bitxor);
            }
            out
        }
    }

    #[omp::declare_target]
    fn place<const R: usize>(index: [usize; R], strides: [usize; R]) -> usize { index.iter().zip(strides.iter()).map(|(i, s)| i * s).sum() }
    #[derive(Clone, omp::Mapper)]
    pub struct Tensor<const R: usize> { strides: [usize; R], data: Vec<u64> }
    #[omp::declare_target]
    impl<const R: usize> Index<[usize; R]> for Tensor<R> { type Output = u64; fn index(&self, index: [usize; R]) -> &u64 { &self.data[place(index, self.strides)] } }

    #[omp::offload]
    pub fn errors_converted(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..60 {
            let mut reader = Reader { words: &x[i..i + 3], pos: 0 };
            out[i] = match reader.both() { Ok(v) => v as u64, Err(Read::Short) => 1 << 40, Err(Read::Bad) => 1 << 41 };
            let read: Result<u32, Read> = even(x[i]).map_err(Read::from);
            out[i] += if read.is_ok() { 7 } else { let e: Read = Parse::Odd.into(); (e == Read::Short) as u64 };
        }
    }

    #[omp::offload]
    pub fn jumps_out_of_branches(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..60 { out[i] = jumps(&x[i..i + 9]) as u64; }
    }

    #[omp::offload]
    pub fn readers_by_value(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for (i, o) in out[..60].chunks_mut(4).enumerate() {
            let reader = Reader::new(x, i);
            if let Err(e) = fill(reader.skip(i), o) { o[0] = e as u64; }
            if i % 2 == 0 { let n = fill(Reader::new(x, i * 3), o); o[1] += n.unwrap_or(5) as u64; }
            match fill(Reader { words: x, pos: 128 }, o) { Ok(n) => o[2] = n as u64, Err(e) => o[3] += e as u64 }
        }
    }

    #[omp::offload]
    pub fn arrays_in_loops(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..60 {
            let b = [x[i] as u64 % 9 + 1; 8];
            let quad = Quad { a: [x[i] as u64 % 50, 1, 2, 3] };
            let mut s = 0u64;
            for v in &turned(b)[2..] { s += v; }
            for (k, v) in turned(b)[..i % 8].iter().enumerate() { s += v * k as u64; }
            s += turned(b)[1..3].iter().sum::<u64>() + turned(b)[3..].len() as u64 + turned(b)[i % 8];
            for v in quad.turned(1).a { s += v * 3; }
            for v in quad.turned(2).a[1..].iter() { s = s * 3 + v; }
            for (p, q) in quad.get().iter().zip(quad.turned(3).get()) { s += p * q; }
            for v in made(x[i]).0 { s += v; }
            for v in made(x[i]).0[1..].iter() { s += v; }
            for (k, v) in x[i].to_be_bytes()[1..].iter().enumerate() { s += *v as u64 * k as u64; }
            let mut c = [x[i] as u64 % 9, 2, 4];
            for (p, q) in c.iter_mut().zip(std::array::from_fn::<u64, 3, _>(|k| k as u64 * 2)) { *p += q; }
            for v in c.map(|v| v + 1)[1..].iter() { s += v; }
            out[i] = s;
        }
    }

    #[omp::offload]
    pub fn operators_by_name(x: &[u32], out: &mut [u64]) {
        #[omp::target]
        for i in 0..60 {
            let items = || x[i..i + 3].iter().map(|v| *v as u64 % 1000 + (1 << 20) / (*v as u64 % 1000 + 1));
            out[i] = items().fold(0, u64::bitxor) + items().fold(0, u64::add) * 3 + items().fold(1 << 60, u64::sub) % 7;
        }
    }

    #[omp::offload]
    pub fn keys_with_options(x: &[u32], out: &mut [u64]) {
        let mut keys = vec![Key::default(); 60];
        #[omp::target]
        for (i, key) in keys.iter_mut().enumerate() {
            *key = Key { head: x[i] % 3, tail: if i % 4 > 0 { x.get(i + 100).map(|v| v % 2) } else { None } };
        }
        #[omp::target]
        for i in 1..60 {
            let (a, b) = (keys[i - 1], keys[i]);
            out[i] = (a != b) as u64 + 2 * (a < b) as u64 + 4 * (a.max(b) == a) as u64;
        }
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Layout<const R: usize> { strides: [usize; R], from: usize }
    #[omp::declare_target]
    impl<const R: usize> Layout<R> {
        fn at(&self, p: [usize; R]) -> usize { let mut s = self.from; for k in (0..R).rev() { s += p[k] * self.strides[k]; } s }
        fn sum(&self, p: [usize; R]) -> usize { p.iter().zip(&self.strides).map(|(a, b)| a * b).sum() }
    }
    #[omp::declare_target]
    fn linear(shape: [usize; 3], p: [usize; 3]) -> usize { p.iter().zip(&shape).fold(0, |s, (a, n)| s * n + a) }
    /// No clause says that the iterations write different elements.
    #[omp::offload]
    pub fn positions(x: &[u32], out: &mut [u64]) {
        let (two, three) = (Layout { strides: [5, 1], from: 0 }, Layout { strides: [20, 5, 1], from: 60 });
        #[omp::target(collapse(2))]
        for i in 0..4 { for j in 0..5 { out[two.at([i, j])] = x[i * 5 + j] as u64; out[two.sum([i, j]) + 30] = x[i + j] as u64; } }
        #[omp::target(collapse(3))]
        for h in 0..2 { for i in 0..4 { for j in 0..5 { out[three.at([h, i, j])] = x[i * 5 + j + h] as u64; } } }
        #[omp::target(collapse(3))]
        for h in 0..2 { for i in 0..2 { for j in 0..5 { out[linear([2, 2, 5], [h, i, j]) + 105] += x[i * 5 + j + h] as u64; } } }
    }

    #[omp::offload]
    fn summed(t: &Tensor<2>, out: &mut [u64]) {
        #[omp::target]
        for i in 0..4 { out[i] = (0..5).map(|k| t[[i, k]]).sum::<u64>(); }
    }
    pub fn structs_with_arrays(x: &[u32], out: &mut [u64]) {
        let a = Rows { rows: 4, stride: 3, words: (0..12).map(|k| x[k] as u64).collect() };
        out[..12].copy_from_slice(&(&a * &a).words);
        summed(&Tensor { strides: [5, 1], data: (0..20).map(|k| x[k] as u64).collect() }, &mut out[12..16]);
    }
}

compared! {
    |d, call| {
        omp::set_default_device(d);
        let x: Vec<u32> = (0..129u32).map(|i| i.wrapping_mul(2654435761) >> (i % 9)).collect();
        let mut out = vec![0; x.len()];
        call(&x, &mut out);
        out
    };
    errors_converted jumps_out_of_branches readers_by_value arrays_in_loops operators_by_name keys_with_options structs_with_arrays positions
}
