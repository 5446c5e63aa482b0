//! The nine operators on target loops, on loops inside, and on loops of the host's threads.
use crate::nine::{self, Nine, START};
use crate::table::Checks;

in_one_loop!(combined: [omp::target_teams_distribute_parallel_for] ());
in_one_loop!(simd: [omp::target_simd] ());
in_an_inner_loop!(inner: [omp::target_teams_distribute] [omp::parallel_for] ());
in_an_inner_loop!(lanes: [omp::target_teams_distribute] [omp::simd] ());

nine_programs! {
    combined: OpenMp "5.5.8" "target teams distribute parallel for";
    simd: OpenMp "5.5.8" "target simd";
    inner: OpenMp "5.5.8" "target teams distribute, parallel for";
    lanes: OpenMp "5.5.8" "target teams distribute, simd";
}
