//! Sums along a sequential loop: rows of a matrix, limits that other loops give, and comparisons with many points.
use crate::case::{Case, PIPELINES, chosen, device, numbers, pipelines};
use kernel_samples::build::{F32, F64, I8};
use kernel_samples::nests::{
    Along, Part, Style, channels, matrix_times_vector, nearest, part_of_rows, search, triangular,
};
use omp_kernels::program::{Access, Keep};
use omp_kernels::schedule::recipes::Numbers;
use omp_kernels::schedule::{self, Pins};
use proptest::prelude::*;

/// The loop of the terms has limits, which other iterations of a block have otherwise.
#[test]
fn sums_with_limits_keep_their_bytes() {
    let mut n = 0;
    for part in Part::ALL {
        for style in [Style::Local, Style::Scaled] {
            for (side, columns) in [(33, 40), (45, 0)] {
                let case = Case::checked(triangular(&F32, [side, columns], part, style), side == 33);
                let tiles = numbers([[4, 4, 4], [8, 4, 4]], 4, PIPELINES[n % 3]);
                let rows = Numbers { tiles: vec![[32, 1, 1]], lanes: 32, stage_all: true, ..tiles.clone() };
                case.check(if columns > 0 { &tiles } else { &rows });
                n += 1;
            }
        }
    }
    let chosen = |columns: u64| {
        chosen(
            &Case::checked(triangular(&F32, [2048, columns], Part::Lower, Style::Local), true),
            Pins::default(),
        )
    };
    for columns in [2048, 0] {
        let (strategy, _) = chosen(columns);
        assert!(matches!(strategy, schedule::Strategy::Recipe(_)), "{}", strategy.summary());
    }
}

/// A sequential loop around a sum is unrolled and jammed, unless an iteration needs a value of another one.
#[test]
fn comparisons_keep_their_bytes() {
    let all = [([70, 8, 9], 2), ([64, 6, 16], 1), ([33, 7, 8], 2), ([40, 32, 11], 1)];
    for (n, (sizes, places)) in all.into_iter().enumerate() {
        let case = Case::checked(nearest(&F32, sizes, false), places == 2);
        let of = numbers([[1; 3]; 2], 4, PIPELINES[n % 3]);
        case.check(&Numbers { tiles: vec![[32, places, 1]], lanes: 32, band: 1, stage_all: true, ..of });
    }
    let none = Pins::default();
    let (strategy, _) = chosen(&Case::checked(nearest(&F32, [1 << 16, 64, 32], false), true), none);
    assert!(matches!(&strategy, schedule::Strategy::Recipe(recipe) if recipe.jammed == Some((1, 16))));
    let (strategy, _) = chosen(&Case::new(nearest(&F32, [1 << 16, 64, 32], true)), none);
    assert!(!matches!(&strategy, schedule::Strategy::Recipe(_)), "{}", strategy.summary());
}

/// A sum goes on across the iterations of a loop around it, whose chunks are staged one iteration after the other.
#[test]
fn sums_across_several_loops_keep_their_bytes() {
    let all = [
        ([33, 3, 19], false),
        ([32, 4, 16], false),
        ([7, 5, 8], true),
        ([40, 1, 37], true),
        ([64, 6, 12], true),
    ];
    for (n, (sizes, apart)) in all.into_iter().enumerate() {
        let case = Case::checked(channels(&F32, sizes, apart), n == 0);
        for pipeline in PIPELINES {
            let of = numbers([[1; 3]; 2], if n % 2 == 0 { 8 } else { 4 }, pipeline);
            case.check(&Numbers { tiles: vec![[32, 1, 1]], lanes: 32, band: 1, stage_all: true, ..of });
        }
    }
    let recipe = |ty, sizes, apart| match chosen(&Case::new(channels(ty, sizes, apart)), Pins::default()).0 {
        schedule::Strategy::Recipe(recipe) => Some(recipe),
        _ => None,
    };
    for (ty, apart) in [(&F32, false), (&F64, false), (&F32, true)] {
        for sizes in [[64, 64, 1024], [17, 3, 100]] {
            let recipe = recipe(ty, sizes, apart).expect("neighbouring threads copy neighbouring elements");
            assert_eq!(recipe.chunks.iter().map(|chunks| chunks.of).collect::<Vec<_>>(), [2]);
        }
    }
    assert!(recipe(&F32, [3, 64, 16384], false).is_none() && recipe(&F32, [64, 64, 16], false).is_none());
}

/// An element at a place that data decides goes on in a variable, so that rows of which a place is searched run in chunks.
#[test]
fn searches_keep_their_bytes() {
    let all = [([70, 9], false), ([32, 64], true), ([5, 2], false), ([33, 40], true)];
    for (n, (sizes, both)) in all.into_iter().enumerate() {
        for (transposed, ty) in [(false, &F32), (true, &F64), (n % 2 == 0, &I8)] {
            let case = Case::checked(search(ty, sizes, transposed, both), n % 2 == 1);
            let of = numbers([[1; 3]; 2], sizes[1].min(4) as u32 - 1, PIPELINES[n % 3]);
            case.check(&Numbers { tiles: vec![[32, 1, 1]], lanes: 32, band: 1, stage_all: true, ..of });
        }
    }
    for (sizes, both) in
        [([16384, 1024], false), ([16384, 1024], true), ([4096, 4096], false), ([1000, 5001], true)]
    {
        let (strategy, text) = chosen(&Case::new(search(&F32, sizes, false, both)), Pins::default());
        let schedule::Strategy::Recipe(recipe) = &strategy else { panic!("{}", strategy.summary()) };
        // Rows of a multiple of four elements are copied by accesses of 16 bytes, from the fourth iteration on.
        let wide = |access: &Access| matches!(access.keep, Keep::Shared { width: 4, .. });
        let (head, wide) = (recipe.chunks[0].head, recipe.accesses.iter().any(wide));
        assert_eq!((head, wide), if sizes[1] % 4 == 0 { (3, true) } else { (0, false) });
        let debug = chosen(&Case::checked(search(&F32, sizes, false, both), true), Pins::default());
        assert!(debug == (strategy, text), "{sizes:?}");
    }
}

/// Chunks begin where wide accesses do, and those that are stored where sectors do; threads access what is before the first chunk without
/// boxes.
#[test]
fn chunks_that_begin_after_the_first_iterations_keep_their_bytes() {
    let all = [
        ([33, 64], 1..64, [3, 7]),
        ([40, 48], 2..47, [2, 6]),
        ([32, 52], 7..52, [1, 1]),
        ([5, 40], 3..39, [1, 5]),
        // Rows of an odd length, and few iterations.
        ([34, 41], 1..40, [0, 0]),
        ([3, 16], 1..10, [1, 1]),
    ];
    for (n, (sizes, part, heads)) in all.into_iter().enumerate() {
        for (along, head) in [Along::Sum, Along::Means].into_iter().zip(heads) {
            for pipeline in PIPELINES {
                let case = Case::checked(part_of_rows(&F32, sizes, part.clone(), (along, false)), n == 0);
                let of = numbers([[1; 3]; 2], 8, pipeline);
                let numbers = Numbers { tiles: vec![[32, 1, 1]], lanes: 32, band: 1, stage_all: true, ..of };
                let recipe = case.recipe(&device(), &case.facts(), &numbers).expect("it has chunks");
                assert_eq!(recipe.chunks[0].head, head, "{sizes:?} {part:?}");
                case.check(&numbers);
            }
        }
    }
    let chosen = |part: std::ops::Range<u64>| {
        let case = Case::new(part_of_rows(&F32, [16384, 4096], part, (Along::Means, false)));
        match chosen(&case, Pins::default()) {
            (schedule::Strategy::Recipe(recipe), _) => (recipe.chunks[0], recipe.accesses),
            (other, _) => panic!("{}", other.summary()),
        }
    };
    for (part, head) in [(0..4096, 0), (1..4096, 7), (4..4092, 4), (5..4092, 3)] {
        let (chunks, accesses) = chosen(part);
        let wide = |access: &&Access| matches!(access.keep, Keep::Shared { width: 4, .. });
        assert_eq!((chunks.head, accesses.iter().filter(wide).count()), (head, 2));
    }
}

/// Chunks of short rows are no longer than these. Rows that are only read stay in the caches if few threads have one, or if neighbours
/// begin at different places of lines.
#[test]
fn short_rows_run_in_chunks() {
    let depth = |nest| match chosen(&Case::new(nest), Pins::default()).0 {
        schedule::Strategy::Recipe(recipe) => Some(recipe.chunks[0].depth),
        _ => None,
    };
    let product = |rows, columns| depth(matrix_times_vector(&F32, [rows, columns], false));
    let all = [(1 << 18, 32), (1 << 18, 48), (1 << 18, 16), (1 << 18, 20), (1 << 18, 31), (1 << 12, 32)];
    assert_eq!(
        all.map(|(rows, columns)| product(rows, columns).is_some()),
        [true, true, true, false, false, false]
    );
    // Caches don't keep rows of more bytes.
    let wide = |columns| depth(matrix_times_vector(&F64, [1 << 18, columns], false)).is_some();
    assert_eq!([12, 23, 25, 31, 63].map(wide), [false, false, true, true, true]);
    let means = |columns| {
        depth(part_of_rows(&F32, [1 << 18, columns], 0..columns, (Along::Means, false)))
            .expect("rows that are stored")
    };
    for columns in [8, 12, 16, 20, 31, 32, 48] {
        assert!(u64::from(means(columns)) <= columns, "{columns}");
    }
    for (n, columns) in [8, 13, 16, 31, 40].into_iter().enumerate() {
        let case =
            Case::checked(part_of_rows(&F32, [70, columns], 0..columns, (Along::Means, false)), n == 0);
        let of = numbers([[1; 3]; 2], 8, PIPELINES[n % 3]);
        case.check(&Numbers { tiles: vec![[64, 1, 1]], lanes: 32, band: 1, stage_all: true, ..of });
    }
}

/// A vector that all rows read takes no more shared memory than its chunk.
#[test]
fn sums_of_few_rows_have_a_block_for_each_multiprocessor() {
    for ty in [&F32, &F64] {
        let case = Case::new(matrix_times_vector(ty, [4096; 2], false));
        let (strategy, _) = chosen(&case, Pins::default());
        let schedule::Strategy::Recipe(recipe) = &strategy else { panic!("{}", strategy.summary()) };
        assert_eq!(recipe.tiles.tiles[0].extent(), 32, "{}", strategy.summary());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn sums_keep_their_bytes(
        (rows, columns) in (1u64..50, 8u64..40),
        (transposed, all) in (any::<bool>(), any::<bool>()),
        depth in prop_oneof![Just(4u32), Just(8), Just(3)],
        pipeline in pipelines(),
    ) {
        let case = Case::new(matrix_times_vector(&F32, [rows, columns.next_multiple_of(1 + 3 * (rows % 2))], transposed));
        let tiles = vec![[32, 1, 1]];
        case.check(&Numbers { tiles, lanes: 32, band: 1, depth: Some(depth), matrix: 0, pipeline, stage_all: all, direct: false, rows: 0, replicas: 1, resident: 1 });
    }
}
