//! Arrays and structs of `Result`s in mapped memory, read and written, with values of several sizes and alignments. All devices, against
//! the functions on the host.
#![allow(clippy::all, clippy::pedantic, reason = "as programs have them")]
use omp_tests::on_every_device;

#[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
#[repr(u8)]
enum Bad {
    Short,
    Odd,
    Large,
}
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Fail {
    at: u16,
    code: u8,
}
/// A `Result` as a field.
#[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
struct Row {
    number: u8,
    found: Result<u32, u16>,
}

#[omp::declare_target]
fn wide(v: u32) -> Result<u64, Bad> {
    if v < 1000 {
        return Err(Bad::Short);
    }
    if v % 2 == 1 { Err(Bad::Odd) } else { Ok(v as u64 * 3) }
}
#[omp::declare_target]
fn parts(v: u32) -> Result<[f32; 3], Fail> {
    if v % 3 == 0 { Err(Fail { at: (v % 999) as u16, code: 7 }) } else { Ok([v as f32, 1.0, 2.0]) }
}
#[omp::declare_target]
fn bytes(v: u32) -> Result<u8, u8> {
    if v % 3 == 0 { Err((v % 200) as u8) } else { Ok((v % 251) as u8) }
}
#[omp::declare_target]
fn large_error(v: u32) -> Result<u8, f64> {
    if v % 3 == 0 { Err(v as f64 * 0.5) } else { Ok((v % 100) as u8) }
}
/// Without bytes on one side, it stays inside of kernels.
#[omp::declare_target]
fn unit(v: u32) -> Result<(), Bad> {
    if v % 3 == 0 { Err(Bad::Large) } else { Ok(()) }
}

#[omp::offload]
fn written(d: usize, x: &[u32], wides: &mut [Result<u64, Bad>], partss: &mut [Result<[f32; 3], Fail>]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        wides[i] = wide(x[i]);
        partss[i] = parts(x[i]);
    }
}

#[omp::offload]
fn small(d: usize, x: &[u32], b: &mut [Result<u8, u8>], e: &mut [Result<u8, f64>], rows: &mut [Row]) {
    #[omp::target(device(d))]
    for i in 0..x.len() {
        b[i] = bytes(x[i]);
        e[i] = large_error(x[i]);
        rows[i].number = i as u8;
        rows[i].found = match unit(x[i]) {
            Ok(()) => Ok(x[i]),
            Err(Bad::Large) => Err(i as u16),
            Err(_) => Err(9),
        };
    }
}

#[omp::offload]
fn read(
    d: usize,
    wides: &[Result<u64, Bad>],
    partss: &[Result<[f32; 3], Fail>],
    b: &[Result<u8, u8>],
) -> (u32, u64) {
    let (mut bad, mut sum) = (0u32, 0u64);
    #[omp::target(device(d), reduction(+: bad, sum))]
    for (i, v) in wides.iter().enumerate() {
        match v {
            Ok(v) => sum += v,
            Err(Bad::Short) => bad += 1,
            Err(_) => bad += 1000,
        }
        if let Err(f) = partss[i] {
            sum += f.at as u64 + f.code as u64;
        }
        sum += b[i].unwrap_or_else(|e| e) as u64 + wides[i].map_or(5, |v| v + 1) + partss[i].is_ok() as u64;
    }
    (bad, sum)
}

#[omp::offload]
fn changed(d: usize, x: &[u32], e: &mut [Result<u8, f64>]) {
    #[omp::target(device(d))]
    for (o, v) in e.iter_mut().zip(x) {
        if let Err(h) = o { *h += 1.0 } else { *o = Err(*v as f64) }
    }
}

#[test]
fn results_are_mapped() {
    let x: Vec<u32> = (0..67u32).map(|i| i * i * 7).collect();
    let n = x.len();
    on_every_device(|d| {
        let (mut wides, mut partss) = (vec![Ok(0); n], vec![Ok([0.0; 3]); n]);
        written(d, &x, &mut wides, &mut partss);
        assert_eq!(wides, x.iter().map(|v| wide(*v)).collect::<Vec<_>>());
        assert_eq!(partss, x.iter().map(|v| parts(*v)).collect::<Vec<_>>());
        let (mut b, mut e) = (vec![Err(0); n], vec![Ok(0); n]);
        let mut rows = vec![Row { number: 0, found: Err(0) }; n];
        small(d, &x, &mut b, &mut e, &mut rows);
        assert_eq!(b, x.iter().map(|v| bytes(*v)).collect::<Vec<_>>());
        assert_eq!(e, x.iter().map(|v| large_error(*v)).collect::<Vec<_>>());
        for (i, row) in rows.iter().enumerate() {
            let found = if x[i] % 3 == 0 { Err(i as u16) } else { Ok(x[i]) };
            assert_eq!(*row, Row { number: i as u8, found });
        }
        let mut expected = (0, 0);
        for i in 0..n {
            match wides[i] {
                Ok(v) => expected.1 += v,
                Err(Bad::Short) => expected.0 += 1,
                Err(_) => expected.0 += 1000,
            }
            if let Err(f) = partss[i] {
                expected.1 += f.at as u64 + f.code as u64;
            }
            expected.1 +=
                b[i].unwrap_or_else(|e| e) as u64 + wides[i].map_or(5, |v| v + 1) + partss[i].is_ok() as u64;
        }
        assert_eq!(read(d, &wides, &partss, &b), expected);
        changed(d, &x, &mut e);
        for (v, e) in x.iter().zip(&e) {
            assert_eq!(*e, Err(large_error(*v).err().map_or(*v as f64, |h| h + 1.0)));
        }
    });
}
