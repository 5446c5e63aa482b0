//! The Mandelbrot set as a PNG: size, iterations and window are options.
use clap::Parser;
use omp::acc;
use std::path::PathBuf;
use std::time::Instant;

/// Draws the Mandelbrot set on the best device of this machine.
#[derive(Parser)]
struct Options {
    /// Width in pixels
    #[arg(long, default_value_t = 1200)]
    width: usize,
    /// Height in pixels
    #[arg(long, default_value_t = 800)]
    height: usize,
    /// Most iterations of a point
    #[arg(short, long, default_value_t = 1000)]
    iterations: u32,
    /// Real part of the centre
    #[arg(short, long, default_value_t = -0.65, allow_hyphen_values = true)]
    x: f64,
    /// Imaginary part of the centre
    #[arg(short, long, default_value_t = 0.0, allow_hyphen_values = true)]
    y: f64,
    /// Width of the window in the plane
    #[arg(short, long, default_value_t = 3.2)]
    span: f64,
    /// Draw it by the loop in OpenACC's spelling
    #[arg(long)]
    acc: bool,
    /// Where the picture goes
    #[arg(short, long, default_value = "mandelbrot.png")]
    output: PathBuf,
}

/// The part of the plane that is drawn: its upper left corner and the side of a pixel.
#[derive(Clone, Copy, omp::Device)]
struct Window {
    left: f64,
    top: f64,
    step: f64,
}

/// How many steps the orbit of a point stays within the circle of radius 2.
#[omp::declare_target]
fn escape_time(cr: f64, ci: f64, most: u32) -> u32 {
    let (mut zr, mut zi) = (0.0, 0.0);
    let mut n = 0;
    while n < most && zr * zr + zi * zi <= 4.0 {
        (zr, zi) = (zr * zr - zi * zi + cr, 2.0 * zr * zi + ci);
        n += 1;
    }
    n
}

#[omp::offload]
fn mandelbrot(w: usize, h: usize, window: Window, most: u32, counts: &mut [u32]) {
    #[omp::target(collapse(2), map(from: counts), fp(strict), name("mandelbrot"))]
    for row in 0..h {
        for col in 0..w {
            let cr = window.left + window.step * col as f64;
            let ci = window.top - window.step * row as f64;
            counts[row * w + col] = escape_time(cr, ci, most);
        }
    }
}

/// The same in OpenACC's spelling. A `routine` is a `declare_target` function.
#[omp::offload]
fn mandelbrot_acc(w: usize, h: usize, window: Window, most: u32, counts: &mut [u32]) {
    #[acc::parallel_loop(collapse(2), copyout(counts), fp(strict), name("mandelbrot"))]
    for row in 0..h {
        for col in 0..w {
            let cr = window.left + window.step * col as f64;
            let ci = window.top - window.step * row as f64;
            counts[row * w + col] = escape_time(cr, ci, most);
        }
    }
}

/// Dark blue through white and orange back to blue, along the logarithm of the count; black inside.
fn colour(count: u32, most: u32) -> [u8; 3] {
    if count >= most {
        return [0, 0, 0];
    }
    const STOPS: [[f64; 3]; 5] =
        [[0., 7., 100.], [32., 107., 203.], [237., 255., 255.], [255., 170., 0.], [40., 10., 50.]];
    let t = (f64::from(count) + 1.0).log2() * 0.7 % 5.0;
    let (from, to) = (STOPS[t as usize], STOPS[(t as usize + 1) % 5]);
    std::array::from_fn(|c| (from[c] + (to[c] - from[c]) * t.fract()) as u8)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let o = Options::parse();
    let (w, h) = (o.width, o.height);
    if w == 0 || h == 0 {
        return Err("the picture has no pixels: --width and --height start at 1".into());
    }
    let step = o.span / w as f64;
    let window = Window { left: o.x - step * w as f64 / 2.0, top: o.y + step * h as f64 / 2.0, step };

    let mut counts = vec![0u32; w * h];
    let draw = if o.acc { mandelbrot_acc } else { mandelbrot };
    draw(w, h, window, o.iterations, &mut counts);
    println!("{}", omp::last_region());

    let clock = Instant::now();
    for (at, got) in counts.iter().enumerate() {
        let (cr, ci) = (window.left + step * (at % w) as f64, window.top - step * (at / w) as f64);
        let want = escape_time(cr, ci, o.iterations);
        assert!(*got == want, "row {}, column {}: {got} iterations, not {want}", at / w, at % w);
    }
    println!("serial: {:.3} ms; checked: {w} x {h} pixels", clock.elapsed().as_secs_f64() * 1e3);

    let pixels: Vec<u8> = counts.iter().flat_map(|&n| colour(n, o.iterations)).collect();
    image::save_buffer(&o.output, &pixels, w as u32, h as u32, image::ColorType::Rgb8)
        .map_err(|e| format!("{}: {e}", o.output.display()))?;
    println!("written to {}", o.output.display());
    Ok(())
}
