//! UTF-8: validation by slice patterns, decoding of code points, and counts of the classes.
use omp_tests::twice;
twice! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Utf8Error { Truncated, Overlong, Surrogate, Invalid, TooLarge }

    /// Decodes the first scalar of `bytes`, which isn't empty.
    #[omp::declare_target]
    fn decode(bytes: &[u8]) -> Result<(u32, usize), Utf8Error> {
        const CONT: u8 = 0x3f;
        match *bytes {
            [b @ 0..=0x7f, ..] => Ok((u32::from(b), 1)),
            [0xc0 | 0xc1, ..] => Err(Utf8Error::Overlong),
            [a @ 0xc2..=0xdf, b @ 0x80..=0xbf, ..] => Ok((u32::from(a & 0x1f) << 6 | u32::from(b & CONT), 2)),
            [0xe0, 0x80..=0x9f, _, ..] => Err(Utf8Error::Overlong),
            [0xed, 0xa0..=0xbf, _, ..] => Err(Utf8Error::Surrogate),
            [a @ 0xe0..=0xef, b @ 0x80..=0xbf, c @ 0x80..=0xbf, ..] => {
                Ok((u32::from(a & 0x0f) << 12 | u32::from(b & CONT) << 6 | u32::from(c & CONT), 3))
            }
            [0xf0, 0x80..=0x8f, ..] => Err(Utf8Error::Overlong),
            [a @ 0xf0..=0xf4, b @ 0x80..=0xbf, c @ 0x80..=0xbf, d @ 0x80..=0xbf, ..] => {
                let cp = u32::from(a & 0x07) << 18 | u32::from(b & CONT) << 12 | u32::from(c & CONT) << 6 | u32::from(d & CONT);
                if cp > char::MAX as u32 { Err(Utf8Error::TooLarge) } else { Ok((cp, 4)) }
            }
            [lead, ..] if lead >= 0xc2 && lead < 0xf5 && (bytes.len() as u32) < (!lead).leading_zeros() => Err(Utf8Error::Truncated),
            _ => Err(Utf8Error::Invalid),
        }
    }

    #[omp::declare_target]
    fn validate(mut text: &[u8]) -> Result<usize, (usize, Utf8Error)> {
        let total = text.len();
        let mut chars = 0;
        while !text.is_empty() {
            let (_, n) = decode(text).map_err(|e| (total - text.len(), e))?;
            text = &text[n..];
            chars += 1;
        }
        Ok(chars)
    }

    pub fn validate_lines(text: &[u8], lines: &[(usize, usize)]) -> Vec<(i64, i32)> {
        let mut out = vec![(0, 0); lines.len()];
        #[omp::target]
        for (o, &(start, end)) in out.iter_mut().zip(lines) {
            *o = match validate(&text[start..end]) {
                Ok(n) => (n as i64, -1),
                Err((at, e)) => (at as i64, e as i32),
            };
        }
        out
    }

    pub fn widest(text: &[u8], lines: &[(usize, usize)]) -> u32 {
        let mut top = 0;
        #[omp::target(reduction(max: top))]
        for &(start, end) in lines {
            let mut rest = &text[start..end];
            while let [_, ..] = rest {
                let Ok((cp, n)) = decode(rest) else { break };
                top = top.max(cp);
                rest = &rest[n..];
            }
        }
        top
    }

    pub fn run() -> (Vec<(i64, i32)>, u32) {
        let mut text = "plain\nnaïve café\n日本語テキスト\n🦀 crab\n".as_bytes().to_vec();
        for bad in [&b"\xc0\x80"[..], b"ab\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe6\x97", b"x\xff", b"\xf0\x80\x80\x80", b"\xf1\x80"] {
            text.extend_from_slice(bad);
            text.push(b'\n');
        }
        let mut lines = vec![];
        let mut start = 0;
        for (i, &b) in text.iter().enumerate() {
            if b == b'\n' {
                lines.push((start, i));
                start = i + 1;
            }
        }
        (validate_lines(&text, &lines), widest(&text, &lines))
    }
}
port!(utf8: run());
