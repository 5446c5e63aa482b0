//! Records of varints and tags parsed with a cursor that shrinks a slice.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Trade { pub id: u64, pub price: i64, pub size: u32, pub flags: u8, pub ok: bool }

    #[omp::declare_target]
    fn varint(bytes: &[u8]) -> Option<(u64, usize)> {
        let mut value = 0u64;
        for (i, &b) in bytes.iter().enumerate().take(10) {
            value |= u64::from(b & 0x7f) << (7 * i);
            if b & 0x80 == 0 {
                return Some((value, i + 1));
            }
        }
        None
    }

    #[omp::declare_target]
    fn unzigzag(v: u64) -> i64 { (v >> 1) as i64 ^ -((v & 1) as i64) }

    #[omp::declare_target]
    fn parse(record: &[u8]) -> Option<Trade> {
        let mut trade = Trade::default();
        let mut rest = record;
        while !rest.is_empty() {
            let (tag, n) = varint(rest)?;
            rest = &rest[n..];
            let (value, n) = varint(rest)?;
            rest = &rest[n..];
            match tag >> 3 {
                1 => trade.id = value,
                2 => trade.price = unzigzag(value),
                3 => trade.size = u32::try_from(value).ok()?,
                4 => trade.flags = value as u8,
                _ => {}
            }
        }
        trade.ok = true;
        Some(trade)
    }

    pub fn parse_all(buffer: &[u8], offsets: &[u32]) -> (Vec<Trade>, usize) {
        let mut trades = vec![Trade::default(); offsets.len() - 1];
        let mut failed = 0usize;
        #[omp::target(reduction(+: failed))]
        for (trade, w) in trades.iter_mut().zip(offsets.windows(2)) {
            let record = &buffer[w[0] as usize..w[1] as usize];
            if let Some(t) = parse(record) {
                *trade = t;
            } else {
                failed += 1;
            }
        }
        (trades, failed)
    }

    fn put(out: &mut Vec<u8>, mut v: u64) {
        while v >= 0x80 {
            out.push(v as u8 | 0x80);
            v >>= 7;
        }
        out.push(v as u8);
    }

    pub fn run() -> (Vec<Vec<i64>>, usize) {
        let mut v = Values(2);
        let mut buffer = Vec::new();
        let mut offsets = vec![0];
        for i in 0..30u64 {
            for (tag, value) in [(1, i * 1000), (2, v.wide() >> 8), (3, u64::from(v.bits())), (4, i), (9, 5)] {
                put(&mut buffer, tag << 3);
                put(&mut buffer, value);
            }
            if i % 7 == 3 {
                buffer.push(0x80);
            }
            offsets.push(buffer.len() as u32);
        }
        let (t, failed) = parse_all(&buffer, &offsets);
        (t.iter().map(|t| vec![t.id as i64, t.price, t.size as i64, t.flags as i64, t.ok as i64]).collect(), failed)
    }
}
port!(protobuf: run());
