//! Matrix products: styles, structs, conditions, checked integers and interchanged loops.
use crate::case::{Case, numbers, pipelines};
use kernel_samples::build::{Desc, F32, F64};
use kernel_samples::nests::{
    Part, Style, complex_product, conditional, contraction, integers, product, triangle,
};
use omp_kernels::program::steps::Pipeline;
use proptest::prelude::*;

#[test]
fn a_product_keeps_its_bytes() {
    let case = Case::new(product(&F32, [20, 36, 19], [false; 2], Style::Local, false));
    assert_eq!(case.check(&numbers([[4, 4, 4], [8, 4, 4]], 8, Pipeline::Registers)), 0);
}

/// One place is loaded before the sums are computed and stored after them, by one name: a name in the loop between does not change it.
#[test]
fn names_end_with_their_loop() {
    let case = Case::new(product(&F32, [5, 10, 5], [false; 2], Style::Inner, false));
    assert_eq!(case.check(&numbers([[4, 1, 1], [8, 2, 2]], 4, Pipeline::None)), 0);
}

/// The loop along rows stands in the one of the terms: they are interchanged.
#[test]
fn interchanged_loops_keep_their_bytes() {
    for (sizes, transposed) in [([20, 36, 19], false), ([33, 41, 8], true)] {
        for debug in [false, true] {
            let case = Case::checked(product(&F32, sizes, [transposed; 2], Style::Outward, debug), debug);
            case.check(&numbers([[4, 4, 4], [8, 4, 4]], 8, Pipeline::Registers));
        }
    }
    for part in [Part::Lower, Part::StrictUpper, Part::Left] {
        let case = Case::new(triangle(&F32, [45, 16], part, Style::Outward, false));
        case.check(&numbers([[4, 4, 4], [8, 4, 4]], 8, Pipeline::Asynchronous(2)));
    }
}

/// The two loops of a contraction are one, unless rows are longer than the inner loop.
#[test]
fn coalesced_loops_keep_their_bytes() {
    for (sizes, longer) in [([9, 21, 3, 5], 0), ([16, 32, 5, 8], 0), ([9, 21, 3, 5], 2), ([7, 9, 1, 6], 0)] {
        for (debug, inner) in [(false, false), (true, false), (false, true)] {
            let case = Case::checked(contraction(&F32, sizes, longer, inner), debug);
            let nest = case.facts().coalesced.map(|nest| nest.loops.len());
            assert_eq!(nest, (longer == 0).then_some(3), "{sizes:?}");
            if longer == 0 {
                case.check(&numbers([[4, 2, 2], [8, 4, 4]], 4, Pipeline::Registers));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn products_keep_their_bytes(
        rows in 1u64..20,
        columns in 1u64..30,
        depth in 4u64..14,
        (ta, tb, double) in (any::<bool>(), any::<bool>(), any::<bool>()),
        style in 0usize..3,
        (difference, debug) in (any::<bool>(), any::<bool>()),
        (slow, fast) in (0usize..3, 0usize..3),
        chunk in prop_oneof![Just(4u32), Just(3), Just(2)],
        pipeline in pipelines(),
    ) {
        let (round, whole) = (4 * (rows % 2) + 1, 4 * (columns % 3) + 1);
        let sizes = [rows.next_multiple_of(round), columns.next_multiple_of(whole), depth.next_multiple_of(round)];
        let ty: Desc = if double { &F64 } else { &F32 };
        let style = [Style::Local, Style::Inner, Style::Scaled][style];
        let case = Case::checked(product(ty, sizes, [ta, tb], style, difference), debug);
        let most = if double { 2 } else { 4 };
        let places = [[1, 1], [4, most], [2, 2]];
        let tile = |threads: u32, n: usize| [threads, places[n][0], places[n][1]];
        // The sizes show that no subscript overflows.
        assert_eq!(case.check(&numbers([tile(4, slow), tile(8, fast)], chunk, pipeline)), 0);
    }

    #[test]
    fn structs_and_calls_keep_their_bytes(
        (rows, columns, depth) in (1u64..20, 1u64..30, 4u64..14),
        debug in any::<bool>(),
        places in prop_oneof![Just([1u32, 1]), Just([2, 2]), Just([4, 4])],
        chunk in prop_oneof![Just(4u32), Just(3)],
        pipeline in pipelines(),
    ) {
        let case = Case::checked(complex_product([rows, columns, depth]), debug);
        let [n, v] = places;
        assert_eq!(case.check(&numbers([[4, n, v], [8, n, v]], chunk, pipeline)), 0);
    }

    #[test]
    fn conditions_keep_their_bytes(
        (rows, columns, depth) in (1u64..20, 1u64..30, 4u64..14),
        (debug, double) in (any::<bool>(), any::<bool>()),
        places in prop_oneof![Just([1u32, 1]), Just([2, 2])],
        chunk in prop_oneof![Just(4u32), Just(3)],
        pipeline in pipelines(),
    ) {
        let ty: Desc = if double { &F64 } else { &F32 };
        let case = Case::checked(conditional(ty, [rows, columns, depth]), debug);
        let [n, v] = places;
        assert_eq!(case.check(&numbers([[4, n, v], [8, n, v]], chunk, pipeline)), 0);
    }

    #[test]
    fn integers_keep_their_bytes_and_checks(
        (rows, columns, depth) in (1u64..20, 1u64..30, 4u64..14),
        (debug, overflows) in (any::<bool>(), any::<bool>()),
        pipeline in pipelines(),
    ) {
        let case = Case::checked(integers([rows, columns, depth], overflows), debug);
        let checked = case.check(&numbers([[4, 2, 2], [8, 4, 4]], 4, pipeline));
        assert_eq!(checked, if debug { 2 } else { 0 });
    }
}
