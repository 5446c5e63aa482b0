//! Places that may not be there, assigned in methods of structs that borrow, in arms and closures; slices that `split_off` and
//! `split_first` move on.
#![allow(clippy::all, clippy::pedantic, unused, unreachable_patterns, reason = "as programs have them")]
use omp_tests::{compare, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Fault { Full, Truncated, Overrun(u32) }
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
    pub struct Cell { pub hits: u32, pub last: [u32; 3] }

    struct Writer<'a> { bytes: &'a mut [u32], pos: usize }
    #[omp::declare_target]
    impl Writer<'_> {
        fn put(&mut self, v: u32) -> Result<(), Fault> {
            *self.bytes.get_mut(self.pos).ok_or(Fault::Full)? = v;
            self.pos += 1;
            Ok(())
        }
        fn add(&mut self, back: usize, v: u32) -> Option<u32> {
            *self.bytes.get_mut(self.pos.checked_sub(back)?)? += v;
            Some(self.bytes[self.pos - back])
        }
        fn split(&mut self, v: u32) -> Result<(), Fault> {
            match v {
                0..8 => self.put(v),
                8..28 => v.to_be_bytes()[2..].iter().try_for_each(|&b| self.put(b.into())),
                _ => Err(Fault::Overrun(v)),
            }
        }
    }
    struct Front<'a>(&'a mut [u32]);
    #[omp::declare_target]
    impl Front<'_> {
        fn put(&mut self, v: u32) -> Result<(), Fault> {
            *self.0.split_off_first_mut().ok_or(Fault::Full)? = v;
            Ok(())
        }
    }
    struct Cells<'a> { cells: &'a mut [Cell], n: u32 }
    #[omp::declare_target]
    impl Cells<'_> {
        fn hit(&mut self, k: usize, v: u32) -> Option<u32> {
            self.cells.get_mut(k)?.hits += v;
            self.n += 1;
            self.cells.get_mut(k + 1)?.last[k % 3] = v;
            Some(self.cells[k].hits)
        }
    }
    struct Reader<'a>(&'a [u32]);
    #[omp::declare_target]
    impl<'a> Reader<'a> {
        fn one(&mut self) -> Result<u32, Fault> {
            self.0.split_off_first().copied().ok_or(Fault::Truncated)
        }
        fn two(&mut self) -> Result<u32, Fault> {
            let h = self.0.split_off(..2).ok_or(Fault::Truncated)?;
            Ok(h[0] + 100 * h[1])
        }
        fn next(&mut self) -> Result<u32, Fault> {
            let (first, rest) = self.0.split_first().ok_or(Fault::Overrun(self.0.len() as u32))?;
            self.0 = rest;
            Ok(*first)
        }
        fn number(&mut self) -> Result<u32, Fault> {
            match self.one()? {
                byte @ ..9 => Ok(byte.into()),
                byte => Ok(u32::from_be_bytes([byte as u8 & 0x7f, self.one()? as u8, self.next()? as u8, self.one()? as u8]) >> 8),
            }
        }
    }

    #[omp::declare_target]
    fn writes(x: &mut [u32], n: usize) -> Result<u32, Fault> {
        let mut w = Writer { bytes: x, pos: n };
        w.split(3 + n as u32 * 3)?;
        let sum = w.add(2, 7).ok_or(Fault::Truncated)?;
        w.put(sum)?;
        Ok(w.pos as u32)
    }
    #[omp::declare_target]
    fn front(x: &mut [u32], n: usize) -> Result<u32, Fault> {
        let mut w = Front(x);
        for k in 0..n {
            w.put(k as u32)?;
        }
        Ok(w.0.len() as u32)
    }
    #[omp::declare_target]
    fn reads(x: &[u32], n: usize) -> Result<u32, Fault> {
        let mut r = Reader(&x[..8 - n / 4]);
        let mut sum = 0u32;
        for _ in 0..n / 3 {
            sum = sum.wrapping_add(r.number()?);
        }
        Ok(sum.wrapping_add(r.two()?).wrapping_add(r.0.len() as u32))
    }
    #[omp::declare_target]
    fn arms(x: &mut [u32], cells: &mut [Cell], n: usize) -> Result<u32, Fault> {
        match n {
            0..4 => *x.get_mut(n * 3).ok_or(Fault::Full)? = 7,
            4 => *x.last_mut().unwrap() += 4,
            _ => cells.first_mut().ok_or(Fault::Truncated)?.hits -= 0,
        }
        let mut k = 0;
        for v in 0..n {
            // (The index is evaluated before the error.)
            *x.get_mut({ k += 2; k }).ok_or(Fault::Overrun(k as u32))? += v as u32;
        }
        // The value comes before the index.
        *x.get_mut({ k /= 2; k }).unwrap() = { k += 2; k as u32 };
        let mut all = Cells { cells, n: 0 };
        for i in 0..n {
            all.hit(i, i as u32).ok_or(Fault::Overrun(all.n))?;
        }
        Ok(all.n)
    }
    #[omp::declare_target]
    fn both_ends(x: &[u32]) -> u32 {
        let (mut r, mut sum) = (0, 0);
        let mut rest = &x[..];
        while let Some(&v) = rest.split_off_first() {
            if v == 3 { continue; }
            if v > 28 { break; }
            sum = sum * 3 % 1000 + v;
            if let Some(z) = rest.split_off_last() {
                sum += z * 2;
            }
        }
        sum + rest.len() as u32
    }
    #[omp::declare_target]
    fn by_number(mut rest: &[u32], n: usize) -> Result<u32, Fault> {
        let Some(head) = rest.split_off(..=n) else { return Err(Fault::Overrun(rest.len() as u32)) };
        let sum: u32 = head.iter().sum();
        let tail = rest.split_off(2..).ok_or(Fault::Truncated)?;
        let t = (n, rest.split_off_last().copied().unwrap_or(7), rest.len());
        Ok(sum + 100 * tail.len() as u32 + t.1 + t.2 as u32)
    }
    /// Whether an option was there decides whether the slice moves on.
    #[omp::declare_target]
    fn until(x: &[u32]) -> u32 {
        let mut rest = &x[..];
        let mut k = 0;
        let v = (|| -> Option<u32> {
            let a = rest.split_off_first()?;
            let b = x.get(*a as usize)?;
            k += 1;
            Some(*b + *rest.split_off_first()?)
        })();
        v.unwrap_or(50) + rest.len() as u32 * 100 + k
    }

    #[omp::declare_target]
    fn code(result: Result<u32, Fault>) -> u64 {
        match result {
            Ok(v) => u64::from(v),
            Err(Fault::Full) => 1 << 40,
            Err(Fault::Truncated) => 2 << 40,
            Err(Fault::Overrun(v)) => (3 << 40) + u64::from(v),
        }
    }
    pub fn places(data: &mut [u32], cells: &mut [Cell], out: &mut [[u64; 3]]) {
        #[omp::target]
        for (((i, x), c), o) in data.chunks_exact_mut(8).enumerate().zip(cells.chunks_exact_mut(4)).zip(out.iter_mut()) {
            o[0] = code(writes(x, i));
            o[1] = code(arms(x, c, i % 6));
            o[2] = code(front(x, i));
        }
    }
    pub fn slices(data: &[u32], out: &mut [[u64; 4]]) {
        #[omp::target]
        for ((i, x), o) in data.chunks_exact(8).enumerate().zip(out.iter_mut()) {
            *o = [code(reads(x, i)), u64::from(both_ends(x)), code(by_number(x, i)), u64::from(until(x))];
        }
    }
    pub fn results(data: &[u32], sizes: &[Result<usize, Fault>], out: &mut [u64]) {
        #[omp::target]
        for ((size, x), o) in sizes.iter().zip(data.chunks_exact(8)).zip(out.iter_mut()) {
            *o = match size.and_then(|n| reads(x, n)) {
                Ok(v) => u64::from(v),
                Err(e) => code(Err(e)),
            };
        }
    }
}

#[test]
fn places() {
    compare!(m, d => {
        let mut data = Vec::from_iter((0..12 * 8u32).map(|i| i * 7 % 31));
        let (mut cells, mut out) = (vec![m::Cell::default(); 12 * 4], vec![[0; 3]; 12]);
        m::places(&mut data, &mut cells, &mut out);
        (data, cells.iter().map(|c| (c.hits, c.last)).collect::<Vec<_>>(), out)
    });
}

#[test]
fn slices() {
    compare!(m, d => {
        let data = Vec::from_iter((0..12 * 8u32).map(|i| i * 7 % 31));
        let (mut out, mut sums) = (vec![[0; 4]; 12], vec![0; 12]);
        m::slices(&data, &mut out);
        let sizes = Vec::from_iter((0..12).map(|i| if i % 4 == 1 { Err(m::Fault::Overrun(i)) } else { Ok(i as usize) }));
        m::results(&data, &sizes, &mut sums);
        (out, sums)
    });
}
