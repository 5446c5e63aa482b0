//! Search in each iteration: N queens by bitmasks, sudoku grids checked, edit distances, UTF-8 counted, Roman numerals, substrings.
use omp_tests::twice;

twice! {
    pub fn queens(n: u32) -> u64 {
        let all = (1u32 << n) - 1;
        let mut solutions = 0u64;
        #[omp::target(reduction(+: solutions))]
        for first in 0..n {
            let mut stack = [(0u32, 0u32, 0u32, 0u32); 16];
            let bit = 1 << first;
            let mut depth = 0;
            stack[0] = (bit, bit << 1, bit >> 1, all & !(bit | bit << 1 | bit >> 1));
            loop {
                let (cols, left, right, free) = stack[depth];
                if cols == all {
                    solutions += 1;
                }
                if free == 0 || cols == all {
                    if depth == 0 {
                        break;
                    }
                    depth -= 1;
                    continue;
                }
                let bit = free & free.wrapping_neg();
                stack[depth].3 &= !bit;
                let (c, l, r) = (cols | bit, (left | bit) << 1, (right | bit) >> 1);
                depth += 1;
                stack[depth] = (c, l, r, all & !(c | l | r));
            }
        }
        solutions
    }

    #[omp::declare_target]
    fn is_complete(grid: &[u8; 81]) -> bool {
        let full = |cells: [usize; 9]| cells.iter().fold(0u16, |seen, &c| seen | 1 << grid[c]) == 0x3fe;
        (0..9).all(|k| {
            full(std::array::from_fn(|j| 9 * k + j))
                && full(std::array::from_fn(|j| 9 * j + k))
                && full(std::array::from_fn(|j| (k / 3 * 3 + j / 3) * 9 + k % 3 * 3 + j % 3))
        })
    }

    pub fn check(grids: &[[u8; 81]]) -> Vec<bool> {
        let mut ok = vec![false; grids.len()];
        #[omp::target]
        for (ok, grid) in ok.iter_mut().zip(grids) {
            *ok = is_complete(grid);
        }
        ok
    }

    pub fn distances(words: &[[u8; 12]], lens: &[u8], query: &[u8; 12], query_len: usize) -> Vec<u8> {
        let mut out = vec![0; words.len()];
        #[omp::target]
        for (i, word) in words.iter().enumerate() {
            let mut row: [u8; 13] = std::array::from_fn(|j| j as u8);
            for (r, &a) in word[..lens[i] as usize].iter().enumerate() {
                let mut diagonal = row[0];
                row[0] = r as u8 + 1;
                for (c, &b) in query[..query_len].iter().enumerate() {
                    let replaced = diagonal + u8::from(a != b);
                    diagonal = row[c + 1];
                    row[c + 1] = replaced.min(row[c] + 1).min(diagonal + 1);
                }
            }
            out[i] = row[query_len];
        }
        out
    }

    pub fn scan_text(text: &[u8], needle: &[u8]) -> (usize, usize, Option<usize>) {
        let (mut chars, mut upper) = (0, 0);
        #[omp::target(reduction(+: chars, upper))]
        for &b in text {
            if b & 0xc0 != 0x80 {
                chars += 1;
            }
            upper += b.is_ascii_uppercase() as usize;
        }
        let mut first = usize::MAX;
        #[omp::target(reduction(min: first))]
        for (i, window) in text.windows(needle.len()).enumerate() {
            if window == needle {
                first = first.min(i);
            }
        }
        (chars, upper, (first != usize::MAX).then_some(first))
    }

    #[omp::declare_target]
    fn digit(c: u8) -> Option<u32> {
        Some(match c {
            b'I' => 1, b'V' => 5, b'X' => 10, b'L' => 50, b'C' => 100, b'D' => 500, b'M' => 1000,
            _ => return None,
        })
    }

    #[omp::declare_target]
    fn roman(s: &[u8]) -> Option<u32> {
        let (mut total, mut last) = (0, 0);
        for &c in s.iter().rev() {
            if c == b' ' {
                continue;
            }
            let d = digit(c)?;
            if d < last { total -= d } else { total += d; last = d; }
        }
        Some(total)
    }

    pub fn romans(lines: &[u8]) -> Vec<i64> {
        let mut out = vec![0; lines.len() / 8];
        #[omp::target]
        for (o, line) in out.iter_mut().zip(lines.chunks(8)) {
            *o = roman(line).map_or(-1, i64::from);
        }
        out
    }

    pub fn run() -> (Vec<u64>, Vec<u8>, Vec<i64>) {
        let good: [u8; 81] = std::array::from_fn(|i| ((i / 9 * 3 + i / 27 + i % 9) % 9 + 1) as u8);
        let mut bad = good;
        bad.swap(0, 80);
        let mut counts = vec![queens(6), queens(8)];
        counts.extend(check(&[good, bad]).into_iter().map(u64::from));
        let (chars, upper, at) = scan_text("Grüße an Jürgen aus der Straße".as_bytes(), "aus".as_bytes());
        counts.extend([chars as u64, upper as u64, at.unwrap_or(0) as u64]);
        let words = [*b"kitten      ", *b"sitting     ", *b"            ", *b"mitten      "];
        let d = distances(&words, &[6, 7, 0, 6], b"sitting     ", 7);
        (counts, d, romans(b"MCMXCIV MMXXVI  IVX?    "))
    }
}
port!(queens: run());
