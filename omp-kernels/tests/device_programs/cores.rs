//! Tiles of CPU cores: blocks of one thread, whose last tile ends with the loop.
use crate::case::{Case, Chosen, chosen_on, device};
use kernel_samples::build::{Desc, F32, F64, I32, U8};
use kernel_samples::nests::{
    Border, Flip, Nest, Part, Style, batch, bordered, channels, conditional, contraction, convolution_of,
    filter, flipped, integers, matrix_times_vector, nearest, product, spread_filter, transposition, triangle,
    two_sums_of_windows,
};
use omp_kernels::program::recipe::Recipe;
use omp_kernels::schedule::recipes::Numbers;
use omp_kernels::schedule::{DeviceClass, DeviceKind, Pins, Strategy};
use proptest::prelude::*;

const NONE: Pins =
    Pins { block: None, tile: None, unroll: None, vector: None, chunk: None, team_chunk: None };

fn cores(units: u32) -> DeviceClass {
    DeviceClass { kind: DeviceKind::OpenClCpu, units, warp: 1, arch: 0, ..device() }
}

fn check(case: &Case, tiles: &[[u32; 3]], band: u32) -> usize {
    case.check_on(cores(2), &Numbers { band, ..Numbers::of(tiles.to_vec(), 1) })
}

/// The recipe that is chosen for a nest, or why there is none.
fn recipe_of(case: &Case, units: u32, pins: Pins) -> Result<Box<Recipe>, String> {
    let Chosen { strategy, text, no_tiles } = chosen_on(&cores(units), case, pins);
    match strategy {
        Strategy::Recipe(recipe) => {
            assert_eq!((recipe.tiles.threads(), recipe.shared, recipe.store), (1, 0, 1));
            assert!(!text.contains("__local") && !text.contains("barrier"), "{text}");
            Ok(recipe)
        }
        _ => Err(no_tiles.expect("it has a reason")),
    }
}

fn extents(nest: Nest) -> Result<Vec<u32>, String> {
    recipe_of(&Case::new(nest), 2, NONE).map(|recipe| recipe.extents())
}

fn local(ty: Desc, sizes: [u64; 3]) -> Nest {
    product(ty, sizes, [false; 2], Style::Local, false)
}

#[test]
fn a_core_has_tiles_of_results() {
    assert_eq!(extents(local(&F32, [64, 256, 64])), Ok(vec![4, 64]));
    assert_eq!(extents(local(&F64, [64, 256, 64])), Ok(vec![4, 32]));
    // Rows that are no multiple of a tile have shorter tiles only if these leave less for the last one.
    assert_eq!(extents(local(&F32, [64, 80, 64])), Ok(vec![4, 32]));
    assert_eq!(extents(local(&F32, [64, 300, 64])), Ok(vec![4, 64]));
    // Elements of neighbouring results lie apart.
    assert_eq!(extents(product(&F32, [64, 256, 64], [false, true], Style::Local, false)), Ok(vec![4, 4]));
    assert_eq!(extents(batch(&F32, 4, 64)), Ok(vec![1, 4, 64]));
    assert_eq!(extents(matrix_times_vector(&F32, [1024, 512], false)), Ok(vec![8]));
    assert_eq!(extents(matrix_times_vector(&F32, [512, 1024], true)), Ok(vec![128]));
    assert_eq!(extents(filter(&F32, 1 << 14, 63)), Ok(vec![64]));
    assert_eq!(extents(convolution_of(&F32, &F32, [64, 256], 20)), Ok(vec![4, 32]));
    assert_eq!(extents(spread_filter(&F32, 1 << 14, [3, 21], [2, 40, 2], [5, 3])), Ok(vec![64]));
    // Checked sums have branches.
    let debug = Case::checked(integers([64, 256, 64], true), true);
    assert!(recipe_of(&debug, 2, NONE).is_err_and(|why| why.contains("checks")));
    let debug = Case::checked(product(&F32, [64, 250, 64], [false; 2], Style::Scaled, true), true);
    assert_eq!(recipe_of(&debug, 2, NONE).map(|recipe| recipe.extents()), Ok(vec![4, 64]));
}

#[test]
fn many_cores_have_smaller_tiles() {
    let case = Case::new(local(&F32, [64, 64, 128]));
    let of = |units| recipe_of(&case, units, NONE).map(|recipe| recipe.extents());
    assert_eq!([2, 64, 128].map(of), [Ok(vec![4, 64]), Ok(vec![2, 32]), Ok(vec![2, 16])]);
    assert_eq!(of(1 << 20), Ok(vec![1, 16]));
}

#[test]
fn clauses_set_the_tiles_of_a_core() {
    let case = Case::new(local(&F32, [64, 256, 64]));
    let of = |pins| recipe_of(&case, 2, pins).map(|recipe| recipe.extents());
    assert_eq!(of(Pins { tile: Some([2, 32]), ..NONE }), Ok(vec![2, 32]));
    assert_eq!(of(Pins { block: Some([1, 1, 1]), ..NONE }), Ok(vec![4, 64]));
    assert!(of(Pins { block: Some([32, 1, 1]), ..NONE }).is_err_and(|why| why.contains("`block`")));
    assert!(of(Pins { tile: Some([32, 64]), ..NONE }).is_err_and(|why| why.contains("`tile`")));
    assert!(of(Pins { unroll: Some(4), ..NONE }).is_err_and(|why| why.contains("`unroll`")));
}

#[test]
fn what_has_no_tiles_on_a_core_has_a_reason() {
    let why = |nest| extents(nest).expect_err("it has no tiles");
    for (nest, part) in [
        (local(&F32, [8, 16, 8]), "few iterations"),
        (product(&F32, [512, 512, 4], [false, true], Style::Local, false), "too few results, or terms"),
        (conditional(&F32, [64, 256, 64]), "conditions"),
        (triangle(&F32, [256; 2], Part::Lower, Style::Local, false), "bounds of a loop"),
        (transposition(&F32, [1024; 2]), "no sequential loop"),
        // The loop along a row is the innermost one already.
        (product(&F32, [64, 256, 64], [false; 2], Style::Outward, false), "store elements"),
        (matrix_times_vector(&I32, [1024, 512], false), "integers"),
        // Clamped subscripts are affine in the interior alone.
        (bordered(&F32, &F32, &[256; 2], 5, (Border::Clamped, false)), "known only in the kernel"),
        // Texts that count from the end have the trip count, which here is none of theirs.
        (flipped(&F32, &F32, &[1 << 14], 63, (Flip::ALL[0], true)), "subscript"),
    ] {
        let name = format!("{:?}", nest.dims);
        let why = why(nest);
        assert!(why.contains(part), "{name}: {why}");
        assert!(!why.contains("shared memory") && !why.contains("threads"), "{why}");
    }
}

#[test]
fn bands_of_narrow_tiles_have_blocks_that_32_bits_count() {
    let case = Case::new(product(&F32, [64, 1 << 23, 4], [false, true], Style::Local, false));
    let recipe = recipe_of(&case, 2, Pins { tile: Some([16, 1]), ..NONE }).expect("it has tiles");
    let across = (1u64 << 23) / u64::from(recipe.extents()[1]);
    assert!(across * u64::from(recipe.tiles.band) <= i32::MAX as u64);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn products_of_cores_keep_their_bytes(
        (rows, columns, depth) in (1u64..20, 1u64..30, 4u64..14),
        (ta, tb, double) in (any::<bool>(), any::<bool>(), any::<bool>()),
        style in 0usize..4,
        (difference, debug) in (any::<bool>(), any::<bool>()),
        (down, across) in (prop_oneof![Just(1u32), Just(3), Just(4)], prop_oneof![Just(1u32), Just(4), Just(8)]),
        band in prop_oneof![Just(1u32), Just(2), Just(64)],
    ) {
        let style = [Style::Local, Style::Inner, Style::Scaled, Style::Outward][style];
        let ty: Desc = if double { &F64 } else { &F32 };
        let case = Case::checked(product(ty, [rows, columns, depth], [ta, tb], style, difference), debug);
        check(&case, &[[1, down, 1], [1, across, across]], band);
    }

    #[test]
    fn integers_of_cores_keep_their_bytes_and_checks(
        (rows, columns, depth) in (1u64..20, 1u64..30, 4u64..14),
        (debug, overflows) in (any::<bool>(), any::<bool>()),
    ) {
        let case = Case::checked(integers([rows, columns, depth], overflows), debug);
        check(&case, &[[1, 4, 1], [1, 8, 8]], 2);
    }

    #[test]
    fn windows_of_cores_keep_their_bytes(
        (rows, columns, taps) in (1u64..20, 2u64..40, 1u64..7),
        (down, across) in (prop_oneof![Just(1u32), Just(4)], prop_oneof![Just(4u32), Just(8)]),
        (two, bytes, debug) in (any::<bool>(), any::<bool>(), any::<bool>()),
    ) {
        let of: Desc = if bytes { &U8 } else { &F32 };
        if two {
            let case = Case::checked(convolution_of(of, &F32, [rows, columns], taps), debug);
            check(&case, &[[1, down, 1], [1, across, across]], 2);
        } else {
            check(&Case::checked(filter(&F32, rows * columns, 3 * taps), debug), &[[1, across, across]], 1);
        }
    }

    #[test]
    fn other_nests_of_cores_keep_their_bytes(
        (rows, columns, depth) in (1u64..12, 1u64..20, 1u64..9),
        (down, across) in (prop_oneof![Just(1u32), Just(3)], prop_oneof![Just(4u32), Just(8)]),
        (debug, apart) in (any::<bool>(), any::<bool>()),
    ) {
        let (two, one) = ([[1, down, 1], [1, across, across]], [[1, across, across]]);
        let of = |nest| Case::checked(nest, debug);
        // Loads and stores under conditions, of elements that are read again.
        check(&of(conditional(&F32, [rows, columns, depth])), &two, 2);
        check(&of(batch(&F64, 3, rows)), &[[1, 1, 1], two[0], two[1]], 1);
        check(&of(contraction(&F32, [rows, columns, depth, 3], 1, true)), &two, 64);
        check(&of(two_sums_of_windows(&F32, [rows, columns])), &two, 2);
        check(&of(nearest(&F32, [columns, 6, depth], apart)), &one, 1);
        check(&of(channels(&F32, [columns, rows, depth], apart)), &one, 1);
        check(&of(matrix_times_vector(&F32, [rows, columns], apart)), &one, 1);
        check(&of(spread_filter(&I32, columns, [3, depth], [1, 2 * depth, 2], [3, 2])), &one, 1);
    }
}
