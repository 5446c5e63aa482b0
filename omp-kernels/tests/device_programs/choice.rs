//! Which nests get a recipe, its reasons, and the clauses that set its numbers.
use crate::case::{Case, chosen, numbers};
use kernel_samples::build::{F32, F64, I16, U8};
use kernel_samples::nests::{
    Flip, Nest, Part, Style, batch, conditional, convolution, filter, flipped, integers, matrix_times_vector,
    product, transposition, triangle,
};
use omp_kernels::program::recipe::Recipe;
use omp_kernels::program::steps::Pipeline;
use omp_kernels::schedule::recipes::Numbers;
use omp_kernels::schedule::{self, Pins};
use std::collections::BTreeMap;

#[test]
fn large_nests_run_in_tiles_with_the_same_text_in_debug_builds() {
    let none = Pins::default();
    let nests = [
        product(&F32, [4096; 3], [false; 2], Style::Local, false),
        product(&F64, [1000, 3000, 500], [true, false], Style::Inner, false),
        product(&F32, [2048; 3], [false, true], Style::Scaled, true),
        product(&F32, [2048; 3], [false, false], Style::Outward, false),
        conditional(&F32, [1024; 3]),
        matrix_times_vector(&F32, [16384; 2], false),
        convolution(&F32, [4096; 2], 5),
        filter(&F32, 1 << 24, 63),
        flipped(&F32, &F32, &[1 << 24], 63, (Flip::Last, false)),
        flipped(&F32, &F32, &[4096; 2], 5, (Flip::Shifted, true)),
        flipped(&F32, &F32, &[4096; 2], 3, (Flip::Signed, false)),
        transposition(&F32, [8192; 2]),
    ];
    for nest in nests {
        let (debug, text) = chosen(&Case::checked(nest.clone(), true), none);
        assert!(matches!(debug, schedule::Strategy::Recipe(_)), "{}", debug.summary());
        assert_eq!((debug, text), chosen(&Case::new(nest), none));
    }
    for part in [Part::Lower, Part::StrictUpper, Part::Left] {
        for (style, mirrored) in [
            (Style::Local, false),
            (Style::Local, true),
            (Style::Scaled, false),
            (Style::Inner, false),
            (Style::Outward, false),
        ] {
            let (strategy, _) =
                chosen(&Case::checked(triangle(&F32, [2048; 2], part, style, mirrored), true), none);
            assert!(
                matches!(strategy, schedule::Strategy::Recipe(_)),
                "{part:?} {style:?}: {}",
                strategy.summary()
            );
        }
    }
    let (debug, text) = chosen(&Case::checked(integers([1024; 3], false), true), none);
    assert!(matches!(&debug, schedule::Strategy::Recipe(recipe) if recipe.checked.len() == 2));
    assert!(text.contains("mul_checked_i32") && text.contains("add_checked_i32"), "{text}");
    // Small nests are not worth tiles.
    let small = chosen(&Case::checked(integers([20; 3], false), true), none);
    assert!(!matches!(small.0, schedule::Strategy::Recipe(_)));
}

/// Subscripts that go down along a window change neither its tiles nor what goes through shared memory.
#[test]
fn flipped_windows_have_the_tiles_of_others() {
    let recipe = |nest| match chosen(&Case::new(nest), Pins::default()).0 {
        schedule::Strategy::Recipe(recipe) => recipe,
        other => panic!("{}", other.summary()),
    };
    let numbers = |nest| {
        let recipe = recipe(nest);
        let kept: BTreeMap<_, _> =
            recipe.accesses.iter().map(|of| (of.array, (of.keep, of.based, of.axes.clone()))).collect();
        let Recipe { trips, tiles, chunks, pipeline, store, resident, .. } = *recipe;
        (kept, trips, tiles, chunks, pipeline, store, resident)
    };
    for (flip, backward) in Flip::ALL.into_iter().flat_map(|flip| [(flip, false), (flip, true)]) {
        let flips = (flip, backward);
        for taps in [3, 7] {
            let want = numbers(convolution(&F32, [4096; 2], taps));
            assert_eq!(numbers(flipped(&F32, &F32, &[4096; 2], taps, flips)), want, "{flips:?}");
        }
        // Threads load windows in vectors, also of rows that begin between multiples of 16 bytes.
        let vectors = |mut nest: Nest| {
            nest.lens[0] += 3;
            let text = chosen(&Case::new(nest), Pins::default()).1;
            text.matches("*(const wide_f32_4*)&image[").count()
        };
        let want = vectors(convolution(&F32, [4096; 2], 6));
        assert!(want > 0 && vectors(flipped(&F32, &F32, &[4096; 2], 6, flips)) == want, "{flips:?}");
        for of in [&I16, &U8] {
            let down = recipe(flipped(of, &F32, &[1 << 24], 63, flips)).accesses;
            assert_eq!(
                down.iter().map(|of| of.down.as_slice()).filter(|of| *of == [1]).count(),
                1 + usize::from(backward)
            );
        }
    }
}

/// The matrix instruction is for single products; batches, also of `f64`, take the other tiles.
#[test]
fn batches_of_products_run_in_tiles() {
    for ty in [&F32, &F64] {
        let case = Case::new(batch(ty, 8, 512));
        let (strategy, text) = chosen(&case, Pins::default());
        let schedule::Strategy::Recipe(recipe) = strategy else { panic!("{}", strategy.summary()) };
        assert_eq!((recipe.matrix, recipe.tiles.tiles.len()), (0, 3));
        assert_eq!(recipe.tiles.tiles[0].extent(), 1, "a block is of one product");
        assert!(!text.contains("mma.sync") || !text.contains("multiply_matrices(&"), "{text}");
    }
    let small = Case::new(batch(&F64, 2, 20));
    let tile = |threads: u32| [threads, 2, 2];
    let numbers = numbers([tile(4), tile(8)], 4, Pipeline::Registers);
    small.check(&Numbers { tiles: vec![[1; 3], tile(4), tile(8)], ..numbers });
}

#[test]
fn clauses_set_the_numbers_of_recipes() {
    let case = Case::new(product(&F32, [4096; 3], [false; 2], Style::Local, false));
    let numbers = |pins: Pins| match chosen(&case, pins).0 {
        schedule::Strategy::Recipe(recipe) => {
            let tiles = recipe.tiles.tiles.iter().map(|t| [t.threads, t.extent(), t.vector]);
            (tiles.collect::<Vec<_>>(), recipe.chunks.first().map(|c| c.depth))
        }
        other => panic!("{}", other.summary()),
    };
    let (tiles, depth) = numbers(Pins { tile: Some([64, 128]), unroll: Some(16), ..Pins::default() });
    assert_eq!((tiles[0][1], tiles[1][1], depth), (64, 128, Some(16)));
    let (tiles, _) = numbers(Pins { block: Some([16, 8, 1]), vector: Some(2), ..Pins::default() });
    assert_eq!((tiles[0][0], tiles[1][0]), (8, 16));
    assert!(tiles.iter().all(|t| t[2] <= 2));
    // A block that no warps fit runs the plain kernel.
    let odd = chosen(&case, Pins { block: Some([7, 3, 1]), ..Pins::default() });
    assert!(!matches!(odd.0, schedule::Strategy::Recipe(_)));
}
