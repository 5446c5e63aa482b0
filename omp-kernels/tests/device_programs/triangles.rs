//! Triangular parallel loops.
use crate::case::{Case, PIPELINES, numbers};
use kernel_samples::build::F32;
use kernel_samples::nests::{Part, Style, triangle};
use omp_kernels::program::steps::Pipeline;

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
