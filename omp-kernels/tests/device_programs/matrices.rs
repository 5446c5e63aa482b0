//! Matrix instructions.
use crate::case::{Case, device, numbers, pipelines};
use kernel_samples::build::{Desc, F32, F64};
use kernel_samples::nests::{Nest, Style, product};
use omp_ir::template::FpMode;
use omp_kernels::program::steps::Pipeline;
use omp_kernels::schedule::recipes::Numbers;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 5, ..ProptestConfig::default() })]

    #[test]
    fn matrices_keep_their_bytes(
        (rows, columns, depth) in (1u64..40, 1u64..40, 16u64..30),
        (ta, tb, whole) in (any::<bool>(), any::<bool>(), any::<bool>()),
        style in 0usize..3,
        (groups, slow, fast) in (1u32..3, 1u32..3, 1u32..3),
        chunk in prop_oneof![Just(4u32), Just(8), Just(16)],
        pipeline in pipelines(),
    ) {
        let by = if whole { 8 } else { 1 };
        let style = [Style::Local, Style::Inner, Style::Scaled][style];
        // Of one column, results lie side by side along the other loop.
        let columns = if style == Style::Inner { columns.max(2) } else { columns };
        let case = Case::new(product(&F64, [rows, columns, depth].map(|n: u64| n.next_multiple_of(by)), [ta, tb], style, false));
        let mut numbers = numbers([[8 * slow, slow * groups, 1], [4 * fast, 2 * fast, 2]], chunk, pipeline);
        (numbers.lanes, numbers.matrix) = (4, groups);
        case.check(&numbers);
    }
}

/// What the matrix instruction does not do is refused.
#[test]
fn other_sums_than_products_are_refused() {
    let shape = [[8, 1, 1], [4, 2, 2]];
    let why = |nest: Nest, tiles: [[u32; 3]; 2], lanes: u32, strict: bool| {
        let mut case = Case::new(nest);
        if strict {
            case.kernel.template.fp = FpMode::Strict;
        }
        let numbers = Numbers { lanes, matrix: 1, ..numbers(tiles, 8, Pipeline::Registers) };
        let recipe = case.recipe(&device(), &case.facts(), &numbers).expect("it is a nest");
        recipe.build(&case.kernel).expect_err("it is refused")
    };
    let nest = |ty: Desc, distances: bool| product(ty, [32; 3], [false; 2], Style::Local, distances);
    let other = "a sum of something else than products";
    assert_eq!(why(nest(&F64, true), shape, 4, false), other);
    assert_eq!(why(nest(&F32, false), shape, 4, false), other);
    let lanes = "lanes or tiles that are not those of the matrix instruction";
    assert_eq!(why(nest(&F64, false), [[4, 1, 1], [8, 2, 2]], 8, false), lanes);
    assert_eq!(why(nest(&F64, false), [[8, 1, 1], [4, 2, 1]], 4, false), lanes);
    let strict = "`fp(strict)` rounds products before they are added";
    assert_eq!(why(nest(&F64, false), shape, 4, true), strict);
}
