//! Triangular parallel loops.
use crate::case::{Case, PIPELINES, chosen, numbers};
use kernel_samples::build::F32;
use kernel_samples::nests::{Masked, Part, Style, masked, triangle};
use omp_kernels::program::steps::Pipeline;
use omp_kernels::schedule::{self, Pins};

/// Tiles of the box around a triangle, of which iterations outside store nothing.
#[test]
fn triangles_keep_their_bytes() {
    let ([down, across], mut n) = ([[4, 4, 4], [8, 4, 4]], 0);
    for part in Part::ALL {
        for style in [Style::Local, Style::Inner, Style::Scaled] {
            let side = [33, 64][n % 2];
            let case = Case::checked(triangle(&F32, [side, 9], part, style, false), side == 33);
            case.check(&numbers([down, across], 4, PIPELINES[n % 3]));
            n += 1;
        }
        n += 1;
    }
    let case = Case::new(triangle(&F32, [45, 16], Part::StrictUpper, Style::Local, true));
    case.check(&numbers([down, across], 8, Pipeline::Registers));
}

/// A loop under a condition of the parallel loops runs before it, and a tile without iterations that use it runs one chunk of it.
#[test]
fn masked_sums_keep_their_bytes() {
    let mut n = 0;
    for others in [Masked::Kept, Masked::Number, Masked::Nothing] {
        for band in [None, Some([1, 7, 100][n % 3])] {
            let side = [33, 40][n % 2];
            let case = Case::checked(masked(&F32, [side, 11], band, others), side == 33);
            case.check(&numbers([[4, 4, 4], [8, 4, 4]], 4, PIPELINES[n % 3]));
            n += 1;
        }
    }
    let case = Case::checked(masked(&F32, [2048, 64], None, Masked::Number), true);
    let (strategy, _) = chosen(&case, Pins::default());
    assert!(matches!(strategy, schedule::Strategy::Recipe(_)), "{}", strategy.summary());
}
