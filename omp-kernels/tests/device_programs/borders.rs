//! Windows at the borders of arrays: the program runs the interior.
use crate::case::{Case, numbers};
use kernel_samples::build::{Desc, F32, F64, U8};
use kernel_samples::nests::{Border, bordered};
use omp_kernels::program::steps::Pipeline;
use omp_kernels::schedule::recipes::Numbers;
use proptest::prelude::*;

#[test]
fn interiors_keep_their_bytes() {
    for border in Border::ALL.into_iter().flat_map(|border| [(border, false), (border, true)]) {
        let case = Case::new(bordered(&F32, &F32, &[20, 42], 3, border));
        let tiles = [[4, 2, 2], [8, 4, 4]];
        let numbers = Numbers { depth: None, band: 1, ..numbers(tiles, 1, Pipeline::None) };
        assert!(case.check_inside(&numbers), "{border:?} has an interior");
        // Tiles that are cut off, of rows that begin between multiples of an access.
        let case = Case::new(bordered(&F32, &F32, &[17, 56], 3, border));
        assert!(case.check_inside(&Numbers { direct: true, ..numbers }), "{border:?} has an interior");
    }
    for border in [(Border::LeftOut, false), (Border::Periodic, false), (Border::Clamped, true)] {
        let case = Case::new(bordered(&F32, &F32, &[12, 20, 40], 2, border));
        let tiles = vec![[1, 4, 4], [4, 2, 2], [8, 4, 4]];
        let of_box = Numbers { tiles, depth: None, band: 1, ..numbers([[1; 3]; 2], 1, Pipeline::None) };
        assert!(case.check_inside(&of_box), "{border:?} has an interior in three dimensions");
        let case = Case::new(bordered(&F64, &F64, &[150], 7, border));
        let numbers = Numbers {
            tiles: vec![[32, 4, 4]],
            lanes: 32,
            depth: None,
            band: 1,
            ..numbers([[1; 3]; 2], 1, Pipeline::None)
        };
        assert!(case.check_inside(&numbers), "{border:?} has an interior in one dimension");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn windows_with_borders_keep_their_bytes(
        (rows, columns) in (16u64..24, 40u64..60),
        taps in 1u64..5,
        border in 0..Border::ALL.len(),
        (bytes, direct, asynchronous) in (any::<bool>(), any::<bool>(), any::<bool>()),
        places in prop_oneof![Just([1u32, 1]), Just([2, 2]), Just([4, 4])],
        (lines, flipped) in (0usize..2, any::<bool>()),
    ) {
        let border = (Border::ALL[border], flipped);
        let of: Desc = if bytes { &U8 } else { &F32 };
        let case = match lines {
            0 => Case::new(bordered(of, &F32, &[rows, columns], taps, border)),
            _ => Case::new(bordered(of, &F32, &[columns * 3], taps, border)),
        };
        let [n, v] = places;
        let tiles = if lines == 0 { vec![[4, n, v], [8, 4, 4]] } else { vec![[32, 4, 4]] };
        let lanes = if lines == 0 { 8 } else { 32 };
        let pipeline = if asynchronous { Pipeline::Asynchronous(2) } else { Pipeline::None };
        let numbers =
            Numbers { tiles, lanes, band: 1, depth: None, matrix: 0, pipeline, stage_all: false, direct, rows: 0, replicas: 1, resident: 1 };
        // Windows of one element have no borders, and those of small arrays may have too large ones.
        let inside = case.check_inside(&numbers);
        prop_assert!(inside || taps == 1 || taps == 4);
    }
}
