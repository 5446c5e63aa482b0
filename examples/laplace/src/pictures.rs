//! The plate as a picture, and the changes of the steps as a plot.
use plotters::prelude::*;
use std::error::Error;
use std::path::Path;

/// Longest side of the picture, in pixels.
const SIDE: usize = 1024;

/// From dark blue over red to white.
fn colour(heat: f32) -> [u8; 3] {
    const STOPS: [[f32; 3]; 5] =
        [[8., 12., 60.], [90., 20., 110.], [200., 40., 60.], [250., 160., 40.], [255., 250., 220.]];
    let t = heat.clamp(0.0, 1.0) * 4.0;
    let (from, to) = (STOPS[t as usize], STOPS[(t as usize + 1).min(4)]);
    std::array::from_fn(|c| (from[c] + (to[c] - from[c]) * t.fract()) as u8)
}

/// Writes the temperatures of n x n cells as a PNG.
pub fn heat(path: &Path, n: usize, cells: &[f32]) -> image::ImageResult<()> {
    let side = n.min(SIDE);
    let cell = |at: usize| cells[at / side * n / side * n + at % side * n / side];
    let pixels: Vec<u8> = (0..side * side).flat_map(|at| colour(cell(at))).collect();
    image::save_buffer(path, &pixels, side as u32, side as u32, image::ColorType::Rgb8)
}

/// Writes the changes by step as an SVG, both axes logarithmic.
pub fn changes(path: &Path, changes: &[f32]) -> Result<(), Box<dyn Error>> {
    let positive = changes.iter().copied().filter(|c| *c > 0.0);
    let (least, most) = (positive.clone().fold(1.0, f32::min), positive.fold(1e-9, f32::max));
    let area = SVGBackend::new(path, (800, 500)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart =
        ChartBuilder::on(&area).margin(20).x_label_area_size(40).y_label_area_size(70).build_cartesian_2d(
            (1.0..changes.len().max(2) as f32).log_scale(),
            (least / 1.5..most * 1.5).log_scale(),
        )?;
    chart
        .configure_mesh()
        .x_desc("step")
        .y_desc("largest change")
        .y_label_formatter(&|v| format!("{v:.0e}"))
        .draw()?;
    let points = changes.iter().enumerate().map(|(step, c)| ((step + 1) as f32, c.max(least)));
    chart.draw_series(LineSeries::new(points, &RED))?;
    area.present()?;
    Ok(())
}
