//! Names of the types of slices and `Vec`s in heads of device functions.
#![allow(clippy::ptr_arg, reason = "a `Vec` has a name, too")]
use omp_tests::on_every_device;

type Row = [u8];
type Field = Vec<f32>;
type Cells = [Option<u16>];

#[omp::declare_target]
fn first(row: &Row, k: usize) -> u8 {
    row.iter().skip(k).map(|&v| v >> 1).max().unwrap_or(9)
}

#[omp::declare_target]
fn empty(cells: &Cells, k: usize) -> bool {
    cells[k].is_none()
}

#[omp::declare_target]
fn mean(field: &Field) -> f32 {
    field.iter().sum::<f32>() / field.len() as f32
}

#[omp::offload]
fn run(rows: &Row, cells: &Cells, field: &Field, out: &mut [f32]) -> Field {
    // A type that the function alone has.
    type Pair = [f32; 2];
    let factor: Pair = [field[0], 0.0];
    let mut scaled: Field = vec![0.0; out.len()];
    #[omp::target]
    for i in 0..out.len() {
        out[i] = f32::from(first(rows, i)) + if empty(cells, i) { 0.5 } else { mean(field) };
        scaled[i] = out[i] * factor[0];
    }
    scaled
}

#[test]
fn types_have_names() {
    let rows: Vec<u8> = (0..20u32).map(|k| (k * 37 % 251) as u8).collect();
    let cells: Vec<Option<u16>> = (0..25).map(|k| (k % 3 == 0).then_some(k)).collect();
    let field = vec![1.5, 2.0, 4.5];
    let want: Vec<f32> = (0..25)
        .map(|k| {
            let most = rows[rows.len().min(k)..].iter().map(|v| v >> 1).max().unwrap_or(9);
            f32::from(most) + if k % 3 == 0 { 8.0 / 3.0 } else { 0.5 }
        })
        .collect();
    on_every_device(|d| {
        omp::set_default_device(d);
        let mut out = vec![0.0; 25];
        let scaled = run(&rows, &cells, &field, &mut out);
        assert_eq!(out, want, "device {d}");
        assert_eq!(scaled, want.iter().map(|v| v * 1.5).collect::<Vec<_>>(), "device {d}");
    });
}
