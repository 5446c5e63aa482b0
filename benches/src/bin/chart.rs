//! Draws the ratios of a table in `benches/results` as a bar chart for the README: `chart TABLE.md CHART.svg`.
//!
//! A row of the table is drawn if its first cell names the work, its third cell is the best peer's name and time, and its fourth is
//! the ratio of the two times. Bars end at [`MOST`]; what is longer says how long it is.
use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;

/// The longest bar.
const MOST: f64 = 2.0;

/// Pixels of a bar with the space between two, of the names, of the bars, and of the margin.
const ROW: i32 = 20;
const NAMES: i32 = 330;
const BARS: i32 = 420;
const MARGIN: i32 = 20;

/// A bar: the work and its peer, and the ratio.
struct Bar {
    name: String,
    ratio: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [table, chart] = args.as_slice() else { return Err("chart TABLE.md CHART.svg".into()) };
    let text = std::fs::read_to_string(table)?;
    let mut bars: Vec<Bar> = Vec::new();
    for bar in text.lines().filter_map(bar) {
        // A later run of the same work counts.
        match bars.iter_mut().find(|b| b.name == bar.name) {
            Some(before) => *before = bar,
            None => bars.push(bar),
        }
    }
    if bars.is_empty() {
        return Err(format!("{table} has no row with a work, its time, a peer and a ratio").into());
    }
    let size = ((NAMES + BARS + 3 * MARGIN) as u32, (bars.len() as i32 * ROW + 3 * MARGIN) as u32);
    let area = SVGBackend::new(chart, size).into_drawing_area();
    area.fill(&WHITE)?;
    draw(&area, &bars)?;
    area.present()?;
    Ok(())
}

/// The bar of a row, if it is one.
fn bar(line: &str) -> Option<Bar> {
    let cells: Vec<&str> = line.strip_prefix('|')?.split('|').map(str::trim).collect();
    let [work, _, peer, ratio, ..] = cells.as_slice() else { return None };
    let (peer, time) = peer.split_once(' ')?;
    time.parse::<f64>().ok()?;
    Some(Bar { name: format!("{} / {peer}", work.replace('`', "")), ratio: ratio.parse().ok()? })
}

fn draw(area: &DrawingArea<SVGBackend<'_>, Shift>, bars: &[Bar]) -> Result<(), Box<dyn Error>> {
    let font = ("sans-serif", 13).into_font();
    let across = |ratio: f64| NAMES + (ratio.min(MOST) / MOST * f64::from(BARS)) as i32;
    let bottom = MARGIN + bars.len() as i32 * ROW;
    for (n, bar) in bars.iter().enumerate() {
        let top = MARGIN + n as i32 * ROW;
        let color = if bar.ratio <= 1.05 { RGBColor(70, 130, 180) } else { RGBColor(205, 133, 63) };
        area.draw(&Rectangle::new([(NAMES, top + 3), (across(bar.ratio), top + ROW - 3)], color.filled()))?;
        area.draw(&Text::new(bar.name.clone(), (4, top + 3), font.clone()))?;
        let label = format!("{:.2}", bar.ratio);
        // Not across the line of the peer's time.
        let end = if (0.84..1.0).contains(&bar.ratio) { 1.0 } else { bar.ratio };
        area.draw(&Text::new(label, (across(end) + 4, top + 3), font.clone()))?;
    }
    // The peer's own time.
    area.draw(&PathElement::new(vec![(across(1.0), MARGIN), (across(1.0), bottom)], BLACK.stroke_width(2)))?;
    let title = "device time / best peer: left of the line is faster than the peer";
    area.draw(&Text::new(title, (NAMES, bottom + 6), font))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn rows_with_a_ratio_are_bars() {
        let found = bar("| `matmul_tn` f32 4096 | 3.026 | cuBLAS 2.658 | 1.14 | | |").expect("a row");
        assert_eq!((found.name.as_str(), found.ratio), ("matmul_tn f32 4096 / cuBLAS", 1.14));
        assert!(bar("| work | ms | best peer | ratio |").is_none() && bar("|---|---|---|---|").is_none());
    }
}
