//! Batches of small nests, of which only the outermost loop is parallel by a directive.
use crate::case::{Case, chosen};
use kernel_samples::build::{F32, F64};
use kernel_samples::nests::small_products;
use omp_kernels::schedule::recipes::Numbers;
use omp_kernels::schedule::{self, Pins};

/// Threads are numbered in order along three loops; what the sum reads is staged, or not.
#[test]
fn small_products_keep_their_bytes() {
    let shapes = [
        ([8, 8, 8], [[4, 1, 1], [8, 1, 1], [2, 4, 4]]),
        ([8, 8, 8], [[2, 2, 1], [4, 2, 1], [8, 1, 1]]),
        ([3, 5, 7], [[32, 1, 1], [3, 1, 1], [5, 1, 1]]),
        ([6, 4, 5], [[16, 1, 1], [2, 3, 1], [1, 4, 4]]),
        ([1, 4, 1], [[32, 1, 1], [1, 1, 1], [1, 4, 4]]),
    ];
    for (n, (sizes, tiles)) in shapes.into_iter().enumerate() {
        for products in [1, 13, 32] {
            let ty = if n % 2 == 0 { &F32 } else { &F64 };
            let mut tiles = tiles.to_vec();
            if n % 2 == 1 {
                // Of f64, 16 bytes are two.
                tiles.iter_mut().for_each(|tile| tile[2] = tile[2].min(2));
            }
            let case = Case::checked(small_products(ty, products, sizes, n % 3 == 1), n == 2);
            for depth in [None, Some(sizes[2] as u32)] {
                case.check(&Numbers { depth, ..Numbers::of(tiles.clone(), 0) });
            }
        }
    }
}

#[test]
fn batches_of_small_products_have_a_thread_for_each_element() {
    for ty in [&F32, &F64] {
        for (sizes, transposed) in [
            ([8, 8, 8], false),
            ([3, 3, 3], true),
            ([16, 1, 16], false),
            ([12, 20, 30], false),
            ([1, 16, 64], true),
        ] {
            let [rows, columns, _] = sizes;
            let case = |products| Case::new(small_products(ty, products, sizes, transposed));
            let (strategy, text) = chosen(&case(1 << 14), Pins::default());
            let schedule::Strategy::Recipe(recipe) = &strategy else {
                panic!("{sizes:?}: {}", strategy.summary())
            };
            let extents = recipe.extents();
            assert_eq!((u64::from(extents[1]), u64::from(extents[2])), (rows, columns), "{sizes:?}");
            assert!(text.contains("__syncthreads"), "what the sum reads is staged");
            // How many there are is no part of the text.
            assert_eq!((strategy.clone(), text), chosen(&case(3 << 14), Pins::default()));
        }
    }
}
