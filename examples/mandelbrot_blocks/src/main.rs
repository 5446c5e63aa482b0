//! The Mandelbrot set by blocks of rows: while one block is computed, the one before it is on its way to the host.
use clap::Parser;
use example_support::{offloaded, timed};
use omp::acc;
use std::path::PathBuf;

/// Draws the Mandelbrot set in blocks of rows, copies overlapping with computation.
///
/// With OMP_TRACE=trace.json, what overlapped can be looked at in Perfetto.
#[derive(Parser)]
struct Options {
    /// Width in pixels
    #[arg(long, default_value_t = 2048)]
    width: usize,
    /// Height in pixels
    #[arg(long, default_value_t = 2048)]
    height: usize,
    /// Blocks of rows
    #[arg(short, long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    blocks: u32,
    /// Most iterations of a point
    #[arg(short, long, default_value_t = 255)]
    iterations: u32,
    /// How often to run it
    #[arg(short, long, default_value_t = 3)]
    repeat: usize,
    /// Where the picture goes
    #[arg(short, long, default_value = "mandelbrot_blocks.png")]
    output: PathBuf,
}

/// The window [-2, 1) × [-1.5, 1.5), its height and width in pixels.
#[derive(Clone, Copy, omp::Device)]
struct Window {
    w: usize,
    h: usize,
}

/// The brightness of a pixel: how soon its point leaves the circle of radius 2.
#[omp::declare_target]
fn brightness(row: usize, column: usize, window: Window, most: u32) -> u8 {
    let (re, im) = (-2.0 + 3.0 * column as f64 / window.w as f64, -1.5 + 3.0 * row as f64 / window.h as f64);
    let (mut x, mut y) = (0.0, 0.0);
    let mut n = 0;
    while n < most && x * x + y * y < 4.0 {
        (x, y) = (x * x - y * y + re, 2.0 * x * y + im);
        n += 1;
    }
    (255 * n / most) as u8
}

/// One after the other: a block is computed, then copied.
#[omp::offload]
fn in_turn(image: &mut [u8], window: Window, rows: usize, most: u32) {
    let Window { w, h } = window;
    #[omp::target_data(map(alloc: image))]
    for first in (0..h).step_by(rows) {
        let end = h.min(first + rows);
        #[omp::target(collapse(2), fp(strict))]
        for row in first..end {
            for column in 0..w {
                image[row * w + column] = brightness(row, column, window, most);
            }
        }
        omp::target_update!(from(image[first * w..end * w]));
    }
}

/// As tasks: the copy of a block waits for its computation, and for nothing else.
#[omp::offload]
fn pipelined(image: &mut [u8], window: Window, rows: usize, most: u32) {
    let Window { w, h } = window;
    #[omp::target_data(map(alloc: image))]
    {
        for first in (0..h).step_by(rows) {
            let end = h.min(first + rows);
            #[omp::target(nowait, depend(out: image[first * w..end * w]), collapse(2), fp(strict), name("block"))]
            for row in first..end {
                for column in 0..w {
                    image[row * w + column] = brightness(row, column, window, most);
                }
            }
            omp::target_update!(from(image[first * w..end * w]), nowait, depend(in: image[first * w..end * w]));
        }
        omp::taskwait!();
    }
}

/// The same in OpenACC's spelling: blocks take two queues in turn.
#[omp::offload]
fn queued(image: &mut [u8], window: Window, rows: usize, most: u32) {
    let Window { w, h } = window;
    #[acc::data(create(image))]
    {
        for first in (0..h).step_by(rows) {
            let end = h.min(first + rows);
            let queue = first / rows % 2;
            #[acc::parallel_loop(
                async(queue),
                present(image),
                collapse(2),
                fp(strict),
                name("block of a queue")
            )]
            for row in first..end {
                for column in 0..w {
                    image[row * w + column] = brightness(row, column, window, most);
                }
            }
            acc::update!(self(image[first * w..end * w]), async(queue));
        }
        acc::wait!(0, 1);
    }
}

/// How the blocks of an image are drawn.
type Way = fn(&mut [u8], Window, usize, u32);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let o = Options::parse();
    if o.width == 0 || o.height == 0 || o.iterations == 0 {
        return Err("--width, --height and --iterations start at 1".into());
    }
    let (window, most) = (Window { w: o.width, h: o.height }, o.iterations);
    let rows = o.height.div_ceil(o.blocks as usize);
    let fresh = || vec![0; o.width * o.height];
    let (want, serial) = timed("serial", 1, fresh, |mut image| {
        let rows = image.chunks_mut(o.width).enumerate();
        rows.for_each(|(row, line)| {
            line.iter_mut().enumerate().for_each(|(column, v)| *v = brightness(row, column, window, most));
        });
        image
    });
    let ways: [(&str, Way); 3] = [("in turn", in_turn), ("pipelined", pipelined), ("queued", queued)];
    for (name, way) in ways {
        let got = offloaded(name, o.repeat, serial, fresh, |mut image| {
            way(&mut image, window, rows, most);
            image
        });
        let wrong = got.iter().zip(&want).position(|(a, b)| a != b);
        assert_eq!(wrong, None, "{name}: a pixel differs");
    }
    image::save_buffer(&o.output, &want, o.width as u32, o.height as u32, image::ColorType::L8)
        .map_err(|e| format!("{}: {e}", o.output.display()))?;
    println!(
        "checked: {} x {} pixels in {} blocks; written to {}",
        o.width,
        o.height,
        o.blocks,
        o.output.display()
    );
    Ok(())
}
