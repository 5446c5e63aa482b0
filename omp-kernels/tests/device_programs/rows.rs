//! Loops over a row, one after the other, with the row in shared memory.
use crate::case::{Case, PIPELINES, chosen, device, pipelines};
use kernel_samples::build::{F32, F64, U32};
use kernel_samples::nests::{
    Along, labelled, matrix_times_vector, normalised, part_of_rows, row_loops, rows_before, scanned_rows,
    unit_rows,
};
use omp_ir::analysis::plan::Iterations;
use omp_kernels::program::steps::Pipeline;
use omp_kernels::schedule::recipes::Numbers;
use omp_kernels::schedule::{self, Pins};
use proptest::prelude::*;

/// The loop of a choice of [`row_loops`] goes down.
const DOWN: u8 = 64;

/// Of random loops over rows, most are distributed.
#[test]
fn most_loops_over_rows_are_distributed() {
    let (mut legal, mut all, mut refused) = (0, 0, std::collections::BTreeMap::new());
    for first in 0..15 {
        for second in 0..15 {
            let case =
                Case::new(row_loops(&F32, [u64::from(first % 3), 20, 40, 41], &[first, second, 4, 2, 5]));
            let tiles = if first % 3 == 0 { vec![[64, 1, 1]] } else { vec![[1; 3], [64, 1, 1]] };
            let numbers = Numbers { rows: 8, ..Numbers::of(tiles, 32) };
            all += 1;
            match case
                .recipe(&device(), &case.facts(), &numbers)
                .map(|recipe| (recipe.rows.is_some(), recipe.build(&case.kernel)))
            {
                Some((true, Ok(_))) => legal += 1,
                other => {
                    let why = format!("{:?}", other.map(|(rows, made)| (rows, made.err())));
                    *refused.entry(why).or_insert(0) += 1;
                }
            }
        }
    }
    assert!(legal * 10 > all * 9, "{legal} of {all}: {refused:?}");
}

/// Elements whose subscripts data gives are loaded from memory, whatever is in shared memory.
#[test]
fn rows_and_gathers_keep_their_bytes() {
    for (n, (rows, columns, of)) in
        [(70, 67, 4), (64, 130, 16), (5, 64, 2), (33, 1, 8)].into_iter().enumerate()
    {
        let case = Case::checked(labelled(&F32, [rows, columns], n % 2 == 0), n > 1);
        case.check(&Numbers { rows: of, ..Numbers::of(vec![[64, 1, 1]], 32) });
        for pipeline in PIPELINES {
            let numbers =
                Numbers { depth: Some(1), pipeline, stage_all: true, ..Numbers::of(vec![[32, 1, 1]], 32) };
            case.check(&numbers);
        }
    }
    let (strategy, text) = chosen(&Case::new(labelled(&F32, [8192, 1000], true)), Pins::default());
    let is_tiled = matches!(&strategy, schedule::Strategy::Recipe(recipe) if recipe.gathers.len() == 2);
    assert!(is_tiled && text.contains("a_len ? a["), "{}: {text}", strategy.summary());
}

/// Rows that several loops go through stay in shared memory.
#[test]
fn rows_keep_their_bytes() {
    for (rows, columns, of) in [(70, 67, 4), (64, 300, 16), (5, 64, 2), (33, 1, 8), (32, 32, 32), (9, 515, 2)]
    {
        let case = Case::checked(normalised(&F32, [rows, columns], false), rows == 64);
        case.check(&Numbers { rows: of, ..Numbers::of(vec![[if of > 4 { 256 } else { 64 }, 1, 1]], 32) });
    }
    for (rows, columns) in [(64, 64), (64, 640), (97, 531), (1000, 4096), (1 << 14, 1024), (1 << 18, 64)] {
        let (strategy, text) = chosen(&Case::new(normalised(&F32, [rows, columns], false)), Pins::default());
        let schedule::Strategy::Recipe(recipe) = &strategy else { panic!("{}", strategy.summary()) };
        assert!(
            recipe.rows.is_some() && text.contains("__syncthreads"),
            "{rows} x {columns}: {}",
            strategy.summary()
        );
    }
    // A thread of its own would wait for each division, so that long rows pay, too, of which a multiprocessor has few.
    let (strategy, _) = chosen(&Case::new(normalised(&F64, [4096, 4096], false)), Pins::default());
    assert!(
        matches!(&strategy, schedule::Strategy::Recipe(recipe) if recipe.rows.is_some()),
        "{}",
        strategy.summary()
    );
}

/// Lanes share rows that fill their accesses, and none that have fewer elements than a warp has lanes.
#[test]
fn scans_of_rows_have_what_suits_their_length() {
    let of =
        |rows: u64, columns: u64| chosen(&Case::new(scanned_rows(&U32, [rows, columns])), Pins::default()).0;
    for (rows, columns) in [(1 << 14, 256), (8192, 8192), (1024, 65536), (64, 1 << 18)] {
        let strategy = of(rows, columns);
        assert!(matches!(strategy, schedule::Strategy::Rows { .. }), "{columns}: {}", strategy.summary());
    }
    for (rows, columns) in [(1 << 22, 2), (1 << 22, 4), (1 << 21, 8), (1 << 19, 32), (1 << 17, 128)] {
        let strategy = of(rows, columns);
        assert!(!matches!(strategy, schedule::Strategy::Rows { .. }), "{columns}: {}", strategy.summary());
    }
    let few = of(100, 40);
    assert!(matches!(few, schedule::Strategy::Rows { .. }), "{}", few.summary());
}

/// Threads that have the same row run its recurrences, and share its independent iterations.
#[test]
fn replicas_keep_their_bytes() {
    let all = [(32, 20, 2, 16), (40, 19, 4, 8), (5, 16, 8, 16), (33, 17, 2, 8), (7, 27, 8, 8)];
    for (n, (rows, columns, replicas, depth)) in all.into_iter().enumerate() {
        let numbers = Numbers {
            depth: Some(depth),
            pipeline: [PIPELINES[n % 3], Pipeline::Asynchronous(4)][usize::from(n == 4)],
            stage_all: true,
            replicas,
            ..Numbers::of(vec![[32, 1, 1]], 32)
        };
        let check = |case: &Case| case.check_replicas(&numbers);
        check(&Case::checked(normalised(&F32, [rows, columns], false), n == 0)).expect("rows are apart");
        check(&Case::checked(unit_rows(&F64, [rows, columns]), n == 1)).expect("rows are apart");
        for first in (n as u8 % 2..12).step_by(2) {
            let second = [2, 5, 10, 11][(n + usize::from(first)) % 4];
            let choices = [first, second, 4];
            let legal = check(&Case::new(row_loops(&F32, [0, rows, columns, columns + 1], &choices)));
            // The recurrence of one kind stores its values.
            assert_eq!(legal.is_ok(), first != 6, "{first}, {second}: {legal:?}");
        }
    }
}

/// The same of the interior of a nest.
#[test]
fn replicas_away_from_a_border_keep_their_bytes() {
    let case = Case::new(rows_before(&F32, [40, 19]));
    let numbers =
        Numbers { depth: Some(8), replicas: 4, stage_all: true, ..Numbers::of(vec![[32, 1, 1]], 32) };
    assert!(case.check_inside(&numbers));
    let (strategy, _) = chosen(&Case::new(rows_before(&F32, [8193, 8192])), Pins::default());
    let schedule::Strategy::Recipe(recipe) = &strategy else { panic!("{}", strategy.summary()) };
    let of = (recipe.tiles.replicas > 1, recipe.iterations);
    assert_eq!(of, (true, Iterations::Interior), "{}", strategy.summary());
}

/// An element is loaded by all replicas, and stored by one, between two barriers; or no iterations are independent.
#[test]
fn replicas_need_barriers_and_independent_iterations() {
    let numbers = Numbers {
        depth: Some(8),
        pipeline: Pipeline::Registers,
        stage_all: true,
        replicas: 2,
        ..Numbers::of(vec![[32, 1, 1]], 32)
    };
    let refused = |nest| Case::new(nest).check_replicas(&numbers).expect_err("it is refused");
    let sums = refused(matrix_times_vector(&F32, [40, 16], false));
    assert!(sums.contains("no iterations"), "{sums}");
    // Of rows whose first elements are stored next to the loops.
    let first = refused(row_loops(&F32, [0, 40, 16, 17], &[4, 13, 5]));
    assert!(first.contains("subscripts") || first.contains("replicas"), "{first}");
}

/// Of long rows, a multiprocessor has few, whose sums would be all of the time; the chunks of short ones would come from memory twice.
#[test]
fn long_rows_have_replicas() {
    let replicas = |nest, checked: bool| match chosen(&Case::checked(nest, checked), Pins::default()).0 {
        schedule::Strategy::Recipe(recipe) => (recipe.rows.is_some(), recipe.tiles.replicas > 1),
        other => panic!("{}", other.summary()),
    };
    let (rows, chunks) = ((true, false), (false, true));
    // A maximum, a sum of expensive values, and a loop of independent iterations; or two sums.
    let three = |ty, rows: u64, columns: u64| row_loops(ty, [0, rows, columns, columns], &[1, 3, 4]);
    let two = |ty, rows: u64, columns: u64| row_loops(ty, [0, rows, columns, columns], &[0, 0, 4]);
    for checked in [false, true] {
        assert_eq!(replicas(unit_rows(&F32, [8192, 8192]), checked), chunks);
        assert_eq!(replicas(unit_rows(&F64, [4096, 4096]), checked), chunks);
        assert_eq!(replicas(unit_rows(&F64, [16384, 1024]), checked), rows);
        assert_eq!(replicas(three(&F64, 4096, 4096), checked), chunks);
        assert_eq!(replicas(three(&F32, 16384, 1024), checked), rows);
        assert_eq!(replicas(two(&F32, 8192, 8192), checked), chunks);
        assert_eq!(replicas(two(&F32, 8192, 2048), checked), rows);
        assert_eq!(replicas(two(&F32, 16384, 1024), checked), rows);
    }
}

/// Of rows away from a border, blocks are those of the interior.
#[test]
fn rows_away_from_a_border_keep_their_bytes() {
    for (rows, columns, of) in [(70, 67, 4), (68, 33, 16), (41, 70, 8)] {
        let case = Case::new(rows_before(&F32, [rows, columns]));
        assert!(case.check_inside(&Numbers { rows: of, ..Numbers::of(vec![[64, 1, 1]], 32) }));
    }
    for (rows, columns) in [(16388, 1024), (16388, 531), (4100, 256), (1025, 64)] {
        let (strategy, _) = chosen(&Case::new(rows_before(&F32, [rows, columns])), Pins::default());
        let schedule::Strategy::Recipe(recipe) = &strategy else { panic!("{}", strategy.summary()) };
        assert!(recipe.rows.is_some() && recipe.iterations == Iterations::Interior, "{}", strategy.summary());
    }
}

/// Iterations that load or store elements that others store run in their order, on the chip: up and down, of arrays of which they access
/// several elements, or one that stays.
#[test]
fn loop_carried_elements_keep_their_bytes() {
    let check = |sizes: [u64; 4], choices: &[u8], checked: bool, of: u32| {
        let case = Case::checked(row_loops(&F32, sizes, choices), checked);
        let legal = case.check_rows(&Numbers { rows: of, ..Numbers::of(vec![[64, 1, 1]], 32) });
        assert!(legal, "{choices:?} of {sizes:?}");
    };
    for (rows, columns) in [(1, 2), (33, 3), (9, 37), (5, 128)] {
        for kind in 16..=24u8 {
            for first in [kind, kind + DOWN] {
                let sizes = [0, rows, columns, columns + u64::from(kind % 3)];
                check(sizes, &[first, 5], false, 8);
                check(sizes, &[22, first, 16 + DOWN, 13], kind == 17, 4);
            }
        }
    }
}

/// Elements that iterations take from those before stay in registers, so that long rows run in chunks.
#[test]
fn carried_elements_keep_their_bytes() {
    // Up and down, whole chunks and parts; iterations before the first chunk.
    let all = [
        ([33, 36], 4..36, false, 0),
        ([9, 48], 5..44, false, 3),
        ([32, 28], 4..27, false, 0),
        ([5, 41], 4..36, false, 0),
        ([33, 36], 0..32, true, 0),
        ([9, 48], 0..39, true, 3),
        ([32, 28], 4..24, true, 0),
        ([5, 41], 1..36, true, 0),
    ];
    for (n, (sizes, part, down, head)) in all.into_iter().enumerate() {
        let forms = [(Along::Filter(1), 1), (Along::Filter(4), 4), (Along::InPlace, 3), (Along::Two, 2)];
        for (k, (along, distances)) in forms.into_iter().enumerate() {
            let case = Case::checked(part_of_rows(&F32, sizes, part.clone(), (along, down)), n % 4 == 0);
            let numbers = in_chunks(n + k);
            let recipe = case.recipe(&device(), &case.facts(), &numbers).expect("it has chunks");
            let carried = recipe.carried.iter().map(|carried| carried.distance).sum::<u32>();
            assert_eq!((carried, recipe.chunks[0].head), (distances, head), "{along:?} {part:?} {down}");
            case.check(&numbers);
        }
    }
}

/// Elements of a row that are stored next to the loops come from a box in the next loop.
#[test]
fn several_loops_that_carry_elements_keep_their_bytes() {
    for (n, (rows, columns)) in [(33, 20), (5, 36), (40, 19)].into_iter().enumerate() {
        for choices in [
            &[22, 17, 16 + DOWN][..],
            &[13, 5, 16],
            &[13, 16, 5],
            &[18, 0, 16 + DOWN, 13],
            &[21, 14, 7],
            &[20, 16],
        ] {
            let sizes = [0, rows, columns, columns + n as u64 % 2];
            let case = Case::checked(row_loops(&F32, sizes, choices), n == 1);
            case.check(&in_chunks(n));
            // A thread has two rows, next to whose loops it stores.
            case.check(&Numbers { tiles: vec![[32, 2, 1]], ..in_chunks(n) });
        }
        // An iteration stores what another one loads later, or iterations store to the same element.
        for choices in [&[19][..], &[19 + DOWN], &[24, 16], &[16, 23]] {
            let case = Case::new(row_loops(&F32, [0, rows, columns, columns], choices));
            let recipe = case.recipe(&device(), &case.facts(), &in_chunks(n)).expect("it has chunks");
            assert!(recipe.carried.is_empty() && recipe.build(&case.kernel).is_err(), "{choices:?}");
        }
    }
}

/// Long rows are too many bytes for a block, and rows in chunks have as many threads as fit a multiprocessor.
#[test]
fn long_rows_with_carried_elements_run_in_chunks() {
    let chosen = |case: &Case| match chosen(case, Pins::default()).0 {
        schedule::Strategy::Recipe(recipe) => {
            (recipe.rows.is_some(), recipe.carried.len(), recipe.chunks.len())
        }
        other => panic!("{}", other.summary()),
    };
    for (along, carried) in [(Along::Filter(1), 1), (Along::InPlace, 2), (Along::Two, 2)] {
        for (part, down) in [(4..4096, false), (5..4095, false), (0..4092, true), (0..4091, true)] {
            let case = |rows| Case::new(part_of_rows(&F32, [rows, 4096], part.clone(), (along, down)));
            assert_eq!(chosen(&case(16384)), (false, carried, 1), "{along:?} {part:?}");
        }
        // Short rows are on the chip.
        assert_eq!(
            chosen(&Case::new(part_of_rows(&F32, [1 << 18, 64], 2..64, (along, false)))),
            (true, 0, 0)
        );
    }
    for (rows, columns) in [(1 << 16, 128), (16384, 500), (16384, 4096)] {
        let case = Case::new(row_loops(&F64, [0, rows, columns, columns], &[22, 17, 16 + DOWN]));
        assert_eq!(chosen(&case), (false, 3, 2), "{rows} {columns}");
    }
    // Threads load and store what is in boxes by accesses of 16 bytes, also down.
    for (part, down) in [(1..4096, false), (0..4095, true)] {
        let case = Case::new(part_of_rows(&F32, [16384, 4096], part, (Along::Filter(1), down)));
        let text = crate::case::chosen(&case, Pins::default()).1;
        assert!(text.contains("x_at_part[3]") && text.contains("y_out_box_part[3]"), "{text}");
    }
    // Of few rows, each thread has time enough to load its own elements; and threads access neighbours along columns.
    let few = Case::new(part_of_rows(&F32, [64, 4096], 4..4096, (Along::Filter(1), false)));
    let strategy = crate::case::chosen(&few, Pins::default()).0;
    assert!(!matches!(strategy, schedule::Strategy::Recipe(_)), "{}", strategy.summary());
}

/// Rows in chunks.
fn in_chunks(n: usize) -> Numbers {
    let pipeline = PIPELINES[n % 3];
    Numbers { depth: Some(8), pipeline, stage_all: true, ..Numbers::of(vec![[32, 1, 1]], 32) }
}

/// Tridiagonal systems, filters and polynomials: neighbouring threads would access elements a row apart, so rows are on the chip, or chunks
/// of them.
#[test]
fn rows_with_loop_carried_elements_are_on_the_chip() {
    let on_chip = |ty, sizes: [u64; 2], choices: &[u8], checked: bool| {
        let [rows, columns] = sizes;
        let case = Case::checked(row_loops(ty, [0, rows, columns, columns], choices), checked);
        let (strategy, text) = chosen(&case, Pins::default());
        let is = matches!(&strategy, schedule::Strategy::Recipe(of) if of.rows.is_some() || !of.carried.is_empty());
        (is, text)
    };
    for (ty, checked) in [(&F32, false), (&F64, true)] {
        for choices in [&[22, 17, 16 + DOWN][..], &[16], &[DOWN], &[18, 16 + DOWN]] {
            for sizes in [[1 << 16, 128], [1 << 16, 127], [1 << 18, 32], [1 << 18, 20], [1 << 19, 9]] {
                assert!(on_chip(ty, sizes, choices, checked).0, "{choices:?} of {sizes:?}");
            }
        }
        // The shortest rows stay in the caches; sums alone have chunks.
        assert!(!on_chip(ty, [1 << 18, 7], &[22, 17, 16 + DOWN], checked).0);
        assert!(!on_chip(ty, [1 << 16, 128], &[0], checked).0);
    }
    // Elements that are stored before they are loaded don't come from memory: all of a row's, or all but the first one.
    let loaded = |choices| on_chip(&F32, [1 << 18, 64], choices, false).1.contains("(z_rows_at");
    assert_eq!((loaded(&[22, 17]), loaded(&[17])), (false, true));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn rows_that_are_stored_keep_their_bytes(
        (rows, columns) in (1u64..50, 8u64..40),
        transposed in any::<bool>(),
        depth in prop_oneof![Just(4u32), Just(8), Just(3)],
        pipeline in pipelines(),
    ) {
        let case = Case::new(normalised(&F32, [rows, columns.next_multiple_of(1 + 3 * (rows % 2))], transposed));
        let tiles = vec![[32, 1, 1]];
        case.check(&Numbers { tiles, lanes: 32, band: 1, depth: Some(depth), matrix: 0, pipeline, stage_all: true, direct: false, rows: 0, replicas: 1, resident: 1 });
    }

    #[test]
    fn loops_that_carry_elements_keep_their_bytes(
        (rows, columns, more) in (1u64..40, 9u64..40, 0u64..3),
        depth in prop_oneof![Just(8u32), Just(4), Just(3)],
        pipeline in pipelines(),
        choices in prop::collection::vec(any::<u8>(), 1..4),
        of in prop_oneof![Just(16u8), Just(16 + DOWN), Just(17), Just(18), Just(18 + DOWN), Just(21)],
        at in any::<prop::sample::Index>(),
    ) {
        let mut choices = choices;
        choices.insert(at.index(choices.len() + 1), of);
        let case = Case::new(row_loops(&F32, [0, rows, columns, columns + more], &choices));
        let numbers = Numbers { depth: Some(depth), pipeline, ..in_chunks(0) };
        if case.recipe(&device(), &case.facts(), &numbers).is_some_and(|recipe| recipe.build(&case.kernel).is_ok()) {
            case.check(&numbers);
        }
    }

    #[test]
    fn loops_over_rows_keep_their_bytes(
        (layers, rows, columns, more) in (0u64..4, 1u64..20, 1u64..70, 0u64..3),
        of in prop_oneof![Just(2u32), Just(4), Just(16), Just(8)],
        threads in prop_oneof![Just(64u32), Just(96)],
        choices in prop::collection::vec(any::<u8>(), 2..6),
    ) {
        let case = Case::new(row_loops(&F32, [layers, rows, columns, columns + more], &choices));
        let tiles = if layers == 0 { vec![[threads, 1, 1]] } else { vec![[1; 3], [threads, 1, 1]] };
        case.check_rows(&Numbers { rows: of, ..Numbers::of(tiles, 32) });
    }
}
