//! Transposed arrays.
use crate::case::Case;
use kernel_samples::build::{Desc, F32, F64};
use kernel_samples::nests::transposition;
use omp_kernels::program::steps::Pipeline;
use omp_kernels::schedule::recipes::Numbers;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn permutations_keep_their_bytes(
        (rows, columns) in (1u64..60, 1u64..60),
        whole in any::<bool>(),
        double in any::<bool>(),
        asynchronous in any::<bool>(),
    ) {
        let by = if whole { 4 } else { 1 };
        let ty: Desc = if double { &F64 } else { &F32 };
        let v = if double { 2 } else { 4 };
        let case = Case::new(transposition(ty, [rows, columns].map(|n: u64| n.next_multiple_of(by))));
        let pipeline = if asynchronous { Pipeline::Asynchronous(2) } else { Pipeline::None };
        let tiles = vec![[8, 4, v], [8, 4, v]];
        case.check(&Numbers { tiles, lanes: 8, band: 1, depth: None, matrix: 0, pipeline, stage_all: false, direct: false, rows: 0, replicas: 1, resident: 1 });
    }
}
