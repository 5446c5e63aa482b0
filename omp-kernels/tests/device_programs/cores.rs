//! Tiles of CPU cores: blocks of one thread, whose last tile ends with the loop.
use crate::case::{Case, device};
use kernel_samples::build::{Desc, F32, F64, U8};
use kernel_samples::nests::{Flip, Nest, Style, convolution_of, filter, flipped, integers, product};
use omp_kernels::program::recipe::Recipe;
use omp_kernels::schedule::recipes::Numbers;
use omp_kernels::schedule::{self, DeviceClass, DeviceKind, Pins, Request, Strategy};
use proptest::prelude::*;

fn core() -> DeviceClass {
    DeviceClass { kind: DeviceKind::OpenClCpu, units: 2, warp: 1, arch: 0, ..device() }
}

fn check(case: &Case, tiles: &[[u32; 3]], band: u32) -> usize {
    case.check_on(core(), &Numbers { band, ..Numbers::of(tiles.to_vec(), 1) })
}

/// The recipe that is chosen for a nest.
fn chosen(nest: Nest, overflow_checks: bool) -> Option<Box<Recipe>> {
    let case = Case::checked(nest, overflow_checks);
    let facts = case.facts();
    let request = Request {
        pins: Pins::default(),
        extents: &case.nest.lens,
        facts: &facts,
        device: &core(),
        num_teams: None,
        thread_limit: None,
        alignment: &vec![16; case.nest.lens.len()],
        specialised: false,
        parts: true,
        reasons: None,
    };
    match schedule::choose(&case.kernel, &case.info, &request).strategy {
        Strategy::Recipe(recipe) => Some(recipe),
        _ => None,
    }
}

#[test]
fn a_core_has_tiles_of_results() {
    let extents = |nest| chosen(nest, false).map(|recipe| recipe.extents());
    let product = |ty, sizes, transposed| extents(product(ty, sizes, transposed, Style::Local, false));
    assert_eq!(product(&F32, [64, 256, 64], [false; 2]), Some(vec![4, 64]));
    assert_eq!(product(&F64, [64, 256, 64], [false; 2]), Some(vec![4, 32]));
    // Rows that are no multiple of a tile have shorter tiles only if these leave less for the last one.
    assert_eq!(product(&F32, [64, 80, 64], [false; 2]), Some(vec![4, 32]));
    assert_eq!(product(&F32, [64, 300, 64], [false; 2]), Some(vec![4, 64]));
    // Elements of neighbouring results lie apart.
    assert_eq!(product(&F32, [64, 256, 64], [false, true]), Some(vec![4, 4]));
    assert_eq!(extents(filter(&F32, 1 << 14, 63)), Some(vec![128]));
    // Texts that count from the end have the trip count, which here is none of theirs.
    assert_eq!(extents(flipped(&F32, &F32, &[1 << 14], 63, (Flip::ALL[0], true))), None);
    // Few iterations don't pay for the text.
    assert_eq!(product(&F32, [8, 16, 8], [false; 2]), None);
}

#[test]
fn a_block_of_a_core_has_one_thread() {
    let recipe = chosen(product(&F32, [64, 250, 64], [false; 2], Style::Scaled, true), true).expect("a tile");
    assert_eq!((recipe.tiles.threads(), recipe.shared, recipe.store), (1, 0, 1));
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
        (two, bytes) in (any::<bool>(), any::<bool>()),
    ) {
        let of: Desc = if bytes { &U8 } else { &F32 };
        if two {
            let case = Case::new(convolution_of(of, &F32, [rows, columns], taps));
            check(&case, &[[1, down, 1], [1, across, across]], 2);
        } else {
            check(&Case::new(filter(&F32, rows * columns, 3 * taps)), &[[1, across, across]], 1);
        }
    }
}
