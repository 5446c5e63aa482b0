//! Rodinia's pathfinder: cheapest paths, row by row.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Move { Left, Straight, Right }

    pub struct Wall { width: usize, data: Vec<i32> }

    impl Wall {
        pub fn rows(&self) -> impl Iterator<Item = &[i32]> { self.data.chunks(self.width) }

        pub fn cheapest(&self) -> (Vec<i32>, Vec<Move>) {
            let mut rows = self.rows();
            let mut cost = rows.next().unwrap().to_vec();
            let mut next = vec![0; self.width];
            let mut moves = vec![Move::Straight; self.width];
            for row in rows {
                let last = self.width - 1;
                #[omp::target]
                for (j, ((out, m), &here)) in next.iter_mut().zip(moves.iter_mut()).zip(row).enumerate() {
                    let mut best = (cost[j], Move::Straight);
                    if j > 0 && cost[j - 1] < best.0 {
                        best = (cost[j - 1], Move::Left);
                    }
                    if j < last && cost[j + 1] < best.0 {
                        best = (cost[j + 1], Move::Right);
                    }
                    let (least, way) = best;
                    *out = here + least;
                    *m = way;
                }
                std::mem::swap(&mut cost, &mut next);
            }
            (cost, moves)
        }
    }

    pub fn run() -> (Vec<i32>, Vec<i32>) {
        let mut v = Values(3);
        let wall = Wall { width: 40, data: (0..400).map(|_| (v.bits() % 10) as i32).collect() };
        let (cost, moves) = wall.cheapest();
        (cost, moves.into_iter().map(|m| m as i32).collect())
    }
}
port!(pathfinder: run());
