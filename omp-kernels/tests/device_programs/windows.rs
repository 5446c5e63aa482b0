//! Sums over windows: convolutions and filters.
use crate::case::{Case, chosen, device, numbers};
use kernel_samples::build::{Desc, F32, F64, I16, I32, U8};
use kernel_samples::nests::{Flip, convolution_of, filter, flipped, spread_filter, two_sums_of_windows};
use omp_kernels::program::steps::Pipeline;
use omp_kernels::schedule::recipes::Numbers;
use omp_kernels::schedule::{DeviceClass, DeviceKind, Pins, Strategy as Schedule};
use proptest::prelude::*;

#[test]
fn windows_over_bytes_keep_their_bytes() {
    let case = Case::new(convolution_of(&U8, &F32, [37, 45], 5));
    for direct in [false, true] {
        case.check(&Numbers {
            tiles: vec![[4, 4, 4], [8, 4, 4]],
            lanes: 8,
            band: 1,
            depth: None,
            matrix: 0,
            pipeline: Pipeline::Registers,
            stage_all: false,
            direct,
            rows: 0,
            replicas: 1,
            resident: 1,
        });
    }
}

/// Rows that begin at other multiples of elements than accesses do, in tiles that are whole and in some that are not.
#[test]
fn windows_load_rows_of_any_length() {
    for (tiles, rows) in
        [([[4, 4, 4], [8, 4, 4]], 16), ([[4, 2, 2], [8, 4, 4]], 8), ([[4, 1, 1], [8, 8, 8]], 4)]
    {
        for (columns, taps) in [(64, 1), (32, 2), (32, 3), (64, 4), (64, 5), (61, 3), (31, 2)] {
            let case = Case::new(convolution_of(&F32, &F32, [rows, columns], taps));
            let numbers = Numbers { direct: true, depth: None, band: 1, ..numbers(tiles, 1, Pipeline::None) };
            case.check(&numbers);
        }
    }
}

/// Windows that go through an array backward, through shared memory and straight from memory, in tiles that are whole and in some that
/// are not.
#[test]
fn flipped_windows_keep_their_bytes() {
    let of_box = Numbers { depth: None, band: 1, ..numbers([[4, 4, 4], [8, 4, 4]], 1, Pipeline::None) };
    for (flip, direct) in Flip::ALL.into_iter().zip([false, true, true]) {
        for (columns, taps) in [(64, 3), (61, 5), (32, 2)] {
            let case = Case::new(flipped(&F32, &F32, &[16, columns], taps, (flip, taps == 5)));
            case.check(&Numbers { direct, ..of_box.clone() });
        }
        let of_row = Numbers { tiles: vec![[32, 16, 16]], lanes: 32, ..of_box.clone() };
        for (ty, len, taps) in [(&F32, 1024, 21), (&F64, 777, 8), (&F32, 130, 1)] {
            Case::new(flipped(ty, ty, &[len], taps, (flip, taps == 8))).check(&of_row);
        }
    }
    let layers = Numbers { tiles: vec![[1, 4, 4], [4, 2, 2], [8, 4, 4]], ..of_box };
    Case::new(flipped(&F32, &F32, &[6, 10, 36], 3, (Flip::Shifted, true))).check(&layers);
}

/// Windows of three dimensions: a block has several layers, and as many rows of each as are worth it.
#[test]
fn windows_of_layers_keep_their_bytes() {
    let of_box = Numbers { depth: None, band: 1, ..numbers([[1; 3]; 2], 1, Pipeline::Asynchronous(2)) };
    for (ty, tiles, lanes) in [
        (&F32, vec![[1, 8, 8], [8, 1, 1], [16, 2, 2]], 16),
        (&F64, vec![[1, 4, 4], [16, 1, 1], [8, 4, 4]], 8),
    ] {
        for (sizes, taps) in [([9, 10, 35], 3), ([8, 8, 32], 2)] {
            let case = Case::new(flipped(ty, ty, &sizes, taps, (Flip::Shifted, true)));
            case.check(&Numbers { tiles: tiles.clone(), lanes, ..of_box.clone() });
        }
        let case = Case::new(flipped(ty, ty, &[130, 131, 133], 3, (Flip::Last, false)));
        let (strategy, _) = chosen(&case, Pins::default());
        let Schedule::Recipe(recipe) = &strategy else { panic!("{}", strategy.summary()) };
        let layers = [recipe.tiles.tiles[0].registers, recipe.tiles.threads()];
        assert_eq!(layers, [tiles[0][1], 128], "{}", strategy.summary());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn windows_keep_their_bytes(
        (rows, columns, taps) in (1u64..40, 1u64..50, 1u64..7),
        (down, across) in (prop_oneof![Just(4u32), Just(2)], prop_oneof![Just(4u32), Just(8)]),
        (asynchronous, direct) in (any::<bool>(), any::<bool>()),
        two in any::<bool>(),
        stage_all in any::<bool>(),
        // Elements beyond the last that a filter reads.
        more in 0u64..5,
    ) {
        let pipeline = if asynchronous { Pipeline::Asynchronous(2) } else { Pipeline::Registers };
        // Results of one column have no boxes: places of several threads would be the same element.
        let stage_all = stage_all && (!two || columns > 1);
        let (tiles, nest) = match two {
            true => {
                let of: Desc = if columns % 2 == 0 { &F32 } else { &U8 };
                (vec![[4, down, down], [8, across, across]], convolution_of(of, &F32, [rows, columns], taps))
            }
            false => {
                let mut nest = filter(&F32, rows * columns, 3 * taps);
                nest.lens[1] += more;
                (vec![[32, across, across]], nest)
            }
        };
        let lanes = if two { 8 } else { 32 };
        Case::new(nest).check(&Numbers { tiles, lanes, band: 1, depth: None, matrix: 0, pipeline, stage_all, direct, rows: 0, replicas: 1, resident: 1 });
    }

    #[test]
    fn results_that_are_computed_from_sums_keep_their_bytes(
        // (Coalesced loops have no tables.)
        (rows, columns) in (2u64..40, 2u64..70),
        (down, across) in (prop_oneof![Just(4u32), Just(1)], prop_oneof![Just(4u32), Just(8), Just(1)]),
        (asynchronous, bytes, stage_all) in (any::<bool>(), any::<bool>(), any::<bool>()),
    ) {
        let pipeline = if asynchronous { Pipeline::Asynchronous(2) } else { Pipeline::None };
        let case = Case::new(two_sums_of_windows(if bytes { &U8 } else { &F32 }, [rows, columns]));
        case.check(&Numbers { stage_all, depth: None, ..numbers([[4, down, down], [8, across, across]], 1, pipeline) });
    }

    #[test]
    fn any_flipped_windows_keep_their_bytes(
        (rows, columns, taps) in (2u64..30, 2u64..50, 1u64..7),
        (flip, backward, checked) in (0..Flip::ALL.len(), any::<bool>(), any::<bool>()),
        of in prop_oneof![Just(&F32 as Desc), Just(&I16), Just(&U8), Just(&F64)],
        (down, across) in (prop_oneof![Just(4u32), Just(2), Just(1)], prop_oneof![Just(4u32), Just(8)]),
        (asynchronous, direct, two) in (any::<bool>(), any::<bool>(), any::<bool>()),
        // Elements beyond the last that a filter reads.
        more in 0u64..5,
    ) {
        let pipeline = if asynchronous { Pipeline::Asynchronous(2) } else { Pipeline::Registers };
        let ty: Desc = match checked {
            true => &I32,
            false if std::ptr::eq(of, &F64) => of,
            false => &F32,
        };
        let of = if checked && [&F32 as Desc, &F64].iter().any(|float| std::ptr::eq(*float, of)) { ty } else { of };
        let flip = (Flip::ALL[flip], backward);
        let (tiles, lanes, mut nest) = match two {
            true => (vec![[4, down, down], [8, across, across]], 8, flipped(of, ty, &[rows, columns], taps, flip)),
            false => (vec![[32, across, across]], 32, flipped(of, ty, &[rows * columns], 3 * taps, flip)),
        };
        nest.lens[0] += more;
        let numbers =
            Numbers { tiles, lanes, band: 1, depth: None, matrix: 0, pipeline, stage_all: false, direct, rows: 0, replicas: 1, resident: 1 };
        Case::checked(nest, checked).check(&numbers);
    }

    #[test]
    fn windows_of_two_loops_keep_their_bytes(
        (len, rows, taps) in (1u64..200, 1u64..4, prop_oneof![1u64..9, 22u64..36]),
        weights in [0u64..5, 0u64..12, 1u64..4],
        reach in [1u64..8, 1u64..4],
        places in prop_oneof![Just(4u32), Just(8), Just(16), Just(2)],
        (asynchronous, double, cuda, checked) in (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
        direct in any::<bool>(),
    ) {
        let ty: Desc = match (checked, double) {
            (true, _) => &I32,
            (false, true) => &F64,
            (false, false) => &F32,
        };
        let case = Case::checked(spread_filter(ty, len, [rows, taps], weights, reach), checked);
        let pipeline = if asynchronous && cuda { Pipeline::Asynchronous(2) } else { Pipeline::None };
        let tiles = vec![[32, places, places]];
        let numbers =
            Numbers { tiles, lanes: 32, band: 1, depth: None, matrix: 0, pipeline, stage_all: false, direct, rows: 0, replicas: 1, resident: 1 };
        case.check_on(if cuda { device() } else { DeviceClass { kind: DeviceKind::OpenClGpu, ..device() } }, &numbers);
    }
}
