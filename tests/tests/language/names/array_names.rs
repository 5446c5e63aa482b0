//! Slices' methods of arrays whose types are named in another file, or not at all; and `map_or` of references to options.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{compare, twice};
mod names;
use names::{Box3, Name, Vec3};

twice! {
    #[derive(Clone, Copy, omp::Device)]
    pub struct Cell { pub v: Vec3, pub w: i32, pub name: Name }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Other { v: i32, k: i32 }
    #[derive(Clone, Copy, omp::Device)]
    struct Generic<T> { v: T }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Held { pub o: Option<i32> }
    #[omp::declare_target]
    impl Held {
        fn opt(&self) -> &Option<i32> { &self.o }
    }
    pub fn run(x: &[i32], cells: &[Cell], boxes: &[Box3], rows: &[Vec3], held: &[Held], y: &mut [i64]) {
        #[omp::target]
        for i in 0..y.len() {
            let o = Other { v: x[i], k: 2 };
            let g = Generic { v: [x[i], x[i] + 1, x[i] + 2] };
            let mut c = cells[i];
            y[i] = c.v.partition_point(|k| *k < 4) as i64 + c.name.trim_ascii().len() as i64;
            c.v.sort_unstable();
            y[i] += boxes[i].v.partition_point(|k| *k < 5) as i64 + rows[i].partition_point(|k| *k < 7) as i64;
            let r = &rows[i];
            y[i] += 10 * (r.partition_point(|k| *k < 3) + g.v.partition_point(|k| *k < 4)) as i64;
            y[i] += held[i].opt().map_or(4, |v| v + 1) as i64 + (c.v[0] + o.v * o.k) as i64;
        }
    }
}

#[test]
fn arrays_by_names_of_other_files() {
    for n in [0usize, 1, 9] {
        let x: Vec<i32> = (0..n as i32).map(|k| k * 3 % 8).collect();
        let rows: Vec<Vec3> = x.iter().map(|&k| [k, k + 2, k + 5]).collect();
        let boxes: Vec<Box3> = rows.iter().map(|&v| Box3 { v }).collect();
        compare!(m, d => {
            omp::set_default_device(d);
            let held: Vec<m::Held> = x.iter().map(|&k| m::Held { o: (k % 2 == 0).then_some(k) }).collect();
            let cells: Vec<m::Cell> = rows.iter().map(|&v| m::Cell { v, w: 1, name: *b" ab c " }).collect();
            let mut y = vec![0; n];
            m::run(&x, &cells, &boxes, &rows, &held, &mut y);
            y
        });
    }
}
