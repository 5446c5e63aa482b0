//! Loops over text, dates, money, codes and states as programs have them every day, and clauses of data sharing on every
//! kind of loop. Each program runs with its directives on every device, and without them.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{Values, compare, twice};
use std::cmp::Ordering;
use std::ops::{Add, AddAssign, BitXor, Mul, Sub};

#[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
#[repr(u8)]
pub enum State {
    Idle,
    Word,
    Number,
    Quote,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, omp::Device)]
pub enum Level {
    Low = 1,
    Mid = 5,
    High = 10,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
pub struct Date {
    year: i32,
    month: u8,
    day: u8,
}

#[omp::declare_target]
const DAYS: [u8; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

#[omp::declare_target]
impl Date {
    pub fn is_leap(year: i32) -> bool {
        (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    }
    pub fn days_in(year: i32, month: u8) -> u8 {
        if month == 2 && Self::is_leap(year) { 29 } else { DAYS[usize::from(month) - 1] }
    }
    pub fn from_days(mut n: i32) -> Date {
        let mut year = 1970;
        loop {
            let len = if Date::is_leap(year) { 366 } else { 365 };
            if n < len {
                break;
            }
            n -= len;
            year += 1;
        }
        let mut month = 1u8;
        while n >= i32::from(Self::days_in(year, month)) {
            n -= Self::days_in(year, month) as i32;
            month += 1;
        }
        Date { year, month, day: n as u8 + 1 }
    }
    pub fn weekday(&self) -> usize {
        const T: [i32; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
        let y = self.year - (self.month < 3) as i32;
        ((y + y / 4 - y / 100 + y / 400 + T[self.month as usize - 1] + self.day as i32) % 7) as usize
    }
}

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, omp::Device)]
pub struct Cents(i64);

#[omp::declare_target]
impl Cents {
    const HUNDRED: i64 = 100;
    pub fn with_interest(self, basis_points: u32) -> Cents {
        let raw = self.0 * i64::from(basis_points);
        let half = if raw < 0 { -5_000 } else { 5_000 };
        Cents(self.0 + (raw + half) / 10_000)
    }
}
#[omp::declare_target]
impl Add for Cents {
    type Output = Cents;
    fn add(self, rhs: Cents) -> Cents {
        Cents(self.0 + rhs.0)
    }
}
#[omp::declare_target]
impl Sub for Cents {
    type Output = Cents;
    fn sub(self, rhs: Cents) -> Cents {
        Cents(self.0 - rhs.0)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
pub struct Gf(u8);
#[omp::declare_target]
impl BitXor for Gf {
    type Output = Gf;
    fn bitxor(self, o: Gf) -> Gf {
        Gf(self.0 ^ o.0)
    }
}
#[omp::declare_target]
impl Mul for Gf {
    type Output = Gf;
    fn mul(self, o: Gf) -> Gf {
        let (mut a, mut b, mut p) = (self.0, o.0, 0u8);
        while b != 0 {
            if b & 1 == 1 {
                p ^= a;
            }
            let carry = a & 0x80 != 0;
            a <<= 1;
            if carry {
                a ^= 0x1b;
            }
            b >>= 1;
        }
        Gf(p)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
pub struct Stats {
    n: u32,
    sum: i64,
    min: i32,
    max: i32,
}
#[omp::declare_target]
impl AddAssign<i32> for Stats {
    fn add_assign(&mut self, v: i32) {
        if self.n == 0 || v < self.min {
            self.min = v;
        }
        if self.n == 0 || v > self.max {
            self.max = v;
        }
        self.n += 1;
        self.sum += i64::from(v);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
pub struct Particle {
    at: (i32, i32),
    alive: bool,
    kind: Level,
}

twice! {
    pub fn letters(d: usize, text: &[u8]) -> ([u32; 26], usize, usize) {
        let mut freq = [0u32; 26];
        let mut words = 0;
        let mut lines = 0;
        #[omp::target(device(d), reduction(+: freq, words, lines))]
        for (i, &c) in text.iter().enumerate() {
            match c {
                b'a'..=b'z' => freq[(c - b'a') as usize] += 1,
                b'A'..=b'Z' => freq[(c - b'A') as usize] += 1,
                b'\n' => lines += 1,
                _ => {}
            }
            let starts = c.is_ascii_alphabetic() && (i == 0 || !text[i - 1].is_ascii_alphabetic());
            words += usize::from(starts);
        }
        (freq, words, lines)
    }

    pub fn tokenise(d: usize, lines: &[[u8; 16]], tokens: &mut [u8], last: &mut [State]) {
        #[omp::target(device(d))]
        for (line, (t, l)) in lines.iter().zip(tokens.iter_mut().zip(last.iter_mut())) {
            let mut state = State::Idle;
            let mut n = 0;
            for &c in line {
                state = match (state, c) {
                    (State::Quote, b'"') => State::Idle,
                    (State::Quote, _) => State::Quote,
                    (_, b'"') => {
                        n += 1;
                        State::Quote
                    }
                    (State::Idle | State::Number, b'a'..=b'z') => {
                        n += 1;
                        State::Word
                    }
                    (State::Word, b'a'..=b'z' | b'0'..=b'9') => State::Word,
                    (State::Number, c) if c.is_ascii_digit() => State::Number,
                    (_, b'0'..=b'9') => {
                        n += 1;
                        State::Number
                    }
                    _ => State::Idle,
                };
            }
            *t = n;
            *l = state;
        }
    }

    pub fn parse(d: usize, fields: &[[u8; 8]], values: &mut [i64]) -> u32 {
        let mut bad = 0;
        #[omp::target(device(d), reduction(+: bad))]
        for i in 0..fields.len() {
            let (negative, digits) = match fields[i] {
                [b'-', rest @ ..] => (true, [rest[0], rest[1], rest[2], rest[3], rest[4], rest[5], rest[6], b' ']),
                all => (false, all),
            };
            let mut v: Option<i64> = None;
            for &c in digits.iter() {
                if c == b' ' {
                    break;
                }
                if !(b'0'..=b'9').contains(&c) {
                    v = None;
                    break;
                }
                v = Some(v.unwrap_or(0) * 10 + (c - b'0') as i64);
            }
            values[i] = if let Some(v) = v {
                if negative { -v } else { v }
            } else {
                bad += 1;
                i64::MIN
            };
        }
        bad
    }

    pub fn calendar(d: usize, days: &[i32], out: &mut [Date], weekend: &mut [bool]) {
        #[omp::target(device(d))]
        for (k, &n) in days.iter().enumerate() {
            let date = Date::from_days(n);
            out[k] = date;
            weekend[k] = matches!(date.weekday(), 0 | 6);
        }
    }

    pub fn interest(d: usize, accounts: &mut [Cents], rates: &[u32], fee: Cents) -> u32 {
        let mut poor = 0;
        #[omp::target(device(d), reduction(+: poor))]
        for (a, &r) in accounts.iter_mut().zip(rates) {
            let before = *a;
            *a = a.with_interest(r) - fee;
            if a.0 < before.0 || before.0 < Cents::HUNDRED {
                poor += 1;
            }
        }
        poor
    }

    pub fn mix_columns(d: usize, blocks: &mut [[[Gf; 4]; 4]]) {
        #[omp::target(device(d))]
        for block in blocks.iter_mut() {
            for col in block.iter_mut() {
                let [a, b, c, e] = *col;
                let (two, three) = (Gf(2), Gf(3));
                *col = [
                    two * a ^ three * b ^ c ^ e,
                    a ^ two * b ^ three * c ^ e,
                    a ^ b ^ two * c ^ three * e,
                    three * a ^ b ^ c ^ two * e,
                ];
            }
        }
    }

    pub fn crc(d: usize, packets: &[[u8; 12]], sums: &mut [u32]) {
        #[omp::target(device(d))]
        for (p, s) in packets.iter().zip(sums.iter_mut()) {
            let mut crc = !0u32;
            for b in p.iter() {
                crc ^= *b as u32;
                for _ in 0..8 {
                    crc = if crc & 1 != 0 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
                }
            }
            *s = !crc;
        }
    }

    pub fn search(d: usize, sorted: &[u32], wanted: &[u32], place: &mut [isize]) {
        #[omp::target(device(d))]
        for i in 0..wanted.len() {
            let (mut lo, mut hi) = (0, sorted.len());
            let found = loop {
                if lo >= hi {
                    break None;
                }
                let mid = lo + (hi - lo) / 2;
                match sorted[mid].cmp(&wanted[i]) {
                    Ordering::Equal => break Some(mid),
                    Ordering::Less => lo = mid + 1,
                    Ordering::Greater => hi = mid,
                }
            };
            place[i] = match found {
                Some(at) => at as isize,
                None => -(lo as isize) - 1,
            };
        }
    }

    pub fn levels(d: usize, x: &[i32], out: &mut [Level], counts: &mut [u32; 3]) {
        #[omp::target(device(d), reduction(+: counts))]
        for (x, o) in x.iter().zip(out.iter_mut()) {
            let level = if *x < 10 { Level::Low } else if *x < 50 { Level::Mid } else { Level::High };
            counts[level as usize / 4] += 1;
            *o = level;
        }
    }

    pub fn statistics(d: usize, series: &[[i32; 6]], out: &mut [Stats]) {
        #[omp::target(device(d))]
        for i in 0..series.len() {
            let mut s = Stats { n: 0, sum: 0, min: 0, max: 0 };
            for &v in &series[i] {
                s += v;
            }
            out[i] = s;
        }
    }

    pub fn step(d: usize, particles: &mut Vec<Particle>, w: i32) -> (u32, i32) {
        let mut alive = 0;
        let mut furthest = i32::MIN;
        #[omp::target(device(d), reduction(+: alive), reduction(max: furthest))]
        for p in particles.iter_mut() {
            let Particle { at: (x, y), alive: true, kind } = *p else { continue };
            let (dx, dy) = match kind {
                Level::Low => (1, 0),
                Level::Mid => (0, 1),
                Level::High => (-2, 3),
            };
            let next = (x + dx, y + dy);
            p.alive = (0..w).contains(&next.0) && (0..w).contains(&next.1);
            if p.alive {
                p.at = next;
                alive += 1;
                furthest = furthest.max(next.0 + next.1);
            }
        }
        (alive, furthest)
    }

    pub fn primes(d: usize, n: u32) -> (u32, u32) {
        let mut count = 0;
        let mut largest = 0;
        #[omp::parallel_for(reduction(+: count), reduction(max: largest), schedule(dynamic, 16))]
        for c in 2..n {
            let mut k = 2;
            let mut prime = true;
            'test: while k * k <= c {
                if c % k == 0 {
                    prime = false;
                    break 'test;
                }
                k += 1;
            }
            if prime {
                count += 1;
                largest = largest.max(c);
            }
        }
        (count, largest)
    }

    pub fn isqrt_table(d: usize, out: &mut [u16]) {
        #[omp::target(device(d))]
        for (v, o) in (0u32..).zip(out.iter_mut()) {
            let mut r = 0u32;
            let mut bit = 1 << 14;
            let mut v = v;
            while bit > v {
                bit >>= 2;
            }
            while bit != 0 {
                if v >= r + bit {
                    v -= r + bit;
                    r = (r >> 1) + bit;
                } else {
                    r >>= 1;
                }
                bit >>= 2;
            }
            *o = r as u16;
        }
    }
}

fn ints(n: usize, seed: u64) -> Vec<i32> {
    let mut v = Values(seed);
    (0..n).map(|_| (v.bits() >> 20) as i32 % 120 - 20).collect()
}

#[test]
fn texts() {
    let text = b"It was the best of times,\nit was the worst of times 42\n\"quoted\"";
    compare!(m, d => m::letters(d, text));
    let lines: Vec<[u8; 16]> = text.windows(16).map(|w| w.try_into().unwrap()).collect();
    compare!(m, d => { let (mut t, mut l) = (vec![0; lines.len()], vec![State::Idle; lines.len()]); m::tokenise(d, &lines, &mut t, &mut l); (t, l) });
    let fields = [*b"1234    ", *b"-987    ", *b"12x4    ", *b"00000012", *b"        "];
    compare!(m, d => { let mut v = vec![0; 5]; (m::parse(d, &fields, &mut v), v) });
    let packets: Vec<[u8; 12]> = text.windows(12).map(|w| w.try_into().unwrap()).collect();
    compare!(m, d => { let mut s = vec![0; packets.len()]; m::crc(d, &packets, &mut s); s });
}

#[test]
fn records() {
    let days: Vec<i32> = (0..400).map(|k| k * 53).collect();
    compare!(m, d => { let (mut o, mut w) = (vec![Date::default(); 400], vec![false; 400]); m::calendar(d, &days, &mut o, &mut w); (o, w) });
    let rates: Vec<u32> = (0..100).map(|k| k * 13 % 700).collect();
    compare!(m, d => { let mut a: Vec<Cents> = (0..100).map(|k| Cents(k * 997 - 20000)).collect(); (m::interest(d, &mut a, &rates, Cents(7)), a) });
    compare!(m, d => { let mut b: Vec<[[Gf; 4]; 4]> = (0..30u8).map(|k| std::array::from_fn(|i| std::array::from_fn(|j| Gf(k * 7 ^ i as u8 * 40 ^ j as u8)))).collect(); m::mix_columns(d, &mut b); b });
    let x = ints(300, 1);
    compare!(m, d => { let (mut o, mut c) = (vec![Level::Low; 300], [0; 3]); m::levels(d, &x, &mut o, &mut c); (o, c) });
    let series: Vec<[i32; 6]> = x.chunks(6).map(|c| c.try_into().unwrap()).collect();
    compare!(m, d => { let mut o = vec![Stats::default(); 50]; m::statistics(d, &series, &mut o); o });
    let kinds = [Level::Low, Level::Mid, Level::High];
    compare!(m, d => { let mut p: Vec<Particle> = (0..90).map(|k| Particle { at: (k % 10, k / 10), alive: k % 7 != 0, kind: kinds[k as usize % 3] }).collect(); (m::step(d, &mut p, 10), p) });
}

#[test]
fn searches_and_bits() {
    let sorted: Vec<u32> = (0..100).map(|k| k * k / 3).collect();
    let wanted: Vec<u32> = (0..500).map(|k| k * 7).collect();
    compare!(m, d => { let mut p = vec![0; 500]; m::search(d, &sorted, &wanted, &mut p); p });
    assert_eq!(device::primes(0, 1000), plain::primes(0, 1000));
    compare!(m, d => { let mut o = vec![0; 300]; m::isqrt_table(d, &mut o); o });
}
