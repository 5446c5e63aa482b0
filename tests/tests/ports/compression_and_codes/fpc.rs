//! Frequent pattern compression of 32-bit words in cache lines.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Pattern {
        ZeroRun(u8),
        SignExtended4(i8),
        SignExtended8(i8),
        SignExtended16(i16),
        PaddedHalf(u16),
        TwoBytes { hi: i8, lo: i8 },
        Repeated(u8),
        Raw(u32),
    }

    #[omp::declare_target]
    impl Pattern {
        const fn bits(self) -> usize {
            3 + match self {
                Self::ZeroRun(_) => 3,
                Self::SignExtended4(_) => 4,
                Self::SignExtended8(_) | Self::Repeated(_) => 8,
                Self::SignExtended16(_) | Self::PaddedHalf(_) | Self::TwoBytes { .. } => 16,
                Self::Raw(_) => 32,
            }
        }

        fn of(word: u32) -> Self {
            let signed = word as i32;
            let [a, b, c, d] = word.to_le_bytes();
            let (lo, hi) = (word as u16 as i16, (word >> 16) as i16);
            match signed {
                0 => Self::ZeroRun(1),
                -8..=7 => Self::SignExtended4(signed as i8),
                -128..=127 => Self::SignExtended8(signed as i8),
                -32_768..=32_767 => Self::SignExtended16(signed as i16),
                _ if lo == 0 => Self::PaddedHalf((word >> 16) as u16),
                _ if i8::try_from(lo).is_ok() && i8::try_from(hi).is_ok() => Self::TwoBytes { hi: hi as i8, lo: lo as i8 },
                _ if a == b && b == c && c == d => Self::Repeated(a),
                _ => Self::Raw(word),
            }
        }
    }

    #[omp::offload]
    pub fn compressed_sizes(lines: &[u32], words_per_line: usize) -> (Vec<usize>, usize) {
        let mut sizes = vec![0; lines.len().div_ceil(words_per_line)];
        let mut total = 0;
        #[omp::target(reduction(+: total))]
        for (line, size) in lines.chunks(words_per_line).zip(&mut sizes) {
            let mut words = line.iter().copied().peekable();
            while let Some(word) = words.next() {
                let mut pattern = Pattern::of(word);
                if let Pattern::ZeroRun(run) = &mut pattern {
                    while *run < 8 && words.next_if_eq(&0).is_some() {
                        *run += 1;
                    }
                }
                *size += pattern.bits();
            }
            total += *size;
        }
        (sizes, total)
    }

    pub fn run() -> (Vec<usize>, usize) {
        let mut v = Values(3);
        let data: Vec<u32> = (0..500).map(|i| match v.bits() % 9 {
            0..=2 => 0,
            3 => v.bits() % 8,
            4 => (v.bits() % 200) as u8 as i8 as i32 as u32,
            5 => v.bits() << 16,
            6 => u32::from(v.bits() as u8) * 0x0101_0101,
            7 => v.bits() & 0x007f_007f,
            _ => v.bits() ^ i,
        }).collect();
        compressed_sizes(&data, 16)
    }
}
port!(fpc: run());
