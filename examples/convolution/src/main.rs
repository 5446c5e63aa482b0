//! k × k convolution of a grey image: a file's or a made one's; the result as a PNG.
use clap::Parser;
use std::path::PathBuf;
use std::time::Instant;

/// Blurs, sharpens or finds edges in an image on the best device of this machine.
#[derive(Parser)]
struct Options {
    /// The image (PNG, JPEG or BMP); without one, a test pattern is made
    image: Option<PathBuf>,
    /// Where the result goes
    #[arg(short, long, default_value = "convolution.png")]
    output: PathBuf,
    /// Side of the kernel, an odd number
    #[arg(short, default_value_t = 5)]
    k: usize,
    /// Which kernel
    #[arg(short, long, value_enum, default_value = "blur")]
    filter: Filter,
    /// Side of the made image
    #[arg(short, long, default_value_t = 1024)]
    size: usize,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Filter {
    Blur,
    Sharpen,
    Edges,
}

/// out = weights * image, where `image` is (w + k - 1) × (h + k - 1) and `out` w × h.
#[omp::offload]
fn convolve(k: usize, weights: &[f32], w: usize, h: usize, image: &[f32], out: &mut [f32]) {
    let pitch = w + k - 1;
    #[omp::target(collapse(2), map(to: weights, image), map(from: out))]
    for i in 0..h {
        for j in 0..w {
            let mut sum = 0.0;
            for a in 0..k {
                for b in 0..k {
                    sum += image[(i + a) * pitch + j + b] * weights[a * k + b];
                }
            }
            out[i * w + j] = sum;
        }
    }
}

fn serial(k: usize, weights: &[f32], w: usize, image: &[f32], out: &mut [f32]) {
    let pitch = w + k - 1;
    for (at, out) in out.iter_mut().enumerate() {
        let corner = &image[at / w * pitch + at % w..];
        *out = weights
            .chunks(k)
            .enumerate()
            .map(|(a, row)| row.iter().zip(&corner[a * pitch..]).map(|(w, x)| w * x).sum::<f32>())
            .sum();
    }
}

/// The kernel's weights: a binomial blur, or what turns it into a sharpener or an edge finder.
fn weights(k: usize, filter: Filter) -> Vec<f32> {
    let mut row = vec![1.0f32];
    while row.len() < k {
        row = (0..=row.len())
            .map(|i| 0.5 * (row.get(i).unwrap_or(&0.0) + if i > 0 { row[i - 1] } else { 0.0 }))
            .collect();
    }
    let total: f32 = row.iter().sum();
    let mut weights: Vec<f32> =
        row.iter().flat_map(|a| row.iter().map(move |b| a * b / (total * total))).collect();
    let (sign, centre) = match filter {
        Filter::Blur => (1.0, 0.0),
        Filter::Sharpen => (-1.0, 2.0),
        Filter::Edges => (-4.0, 4.0),
    };
    weights.iter_mut().for_each(|w| *w *= sign);
    weights[k * k / 2] += centre;
    weights
}

/// Rings and a chequered corner: something with edges in all directions.
fn pattern(side: usize) -> Vec<f32> {
    let at = |i: usize, j: usize| {
        let (x, y) = (j as f32 / side as f32 - 0.5, i as f32 / side as f32 - 0.5);
        let rings = ((x * x + y * y).sqrt() * 60.0).sin() * 0.5 + 0.5;
        if i < side / 3 && j < side / 3 { ((i / 16 + j / 16) % 2) as f32 } else { rings }
    };
    (0..side * side).map(|p| at(p / side, p % side)).collect()
}

/// The image with its edge pixels repeated `r` times around it.
fn padded(w: usize, h: usize, r: usize, image: &[f32]) -> Vec<f32> {
    let inside = |v: usize, n: usize| v.saturating_sub(r).min(n - 1);
    (0..h + 2 * r).flat_map(|i| (0..w + 2 * r).map(move |j| image[inside(i, h) * w + inside(j, w)])).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let o = Options::parse();
    if o.k % 2 == 0 {
        return Err(format!("-k {}: the side of the kernel must be odd", o.k).into());
    }
    let (w, h, image) = match &o.image {
        Some(path) => {
            let grey = image::open(path).map_err(|e| format!("{}: {e}", path.display()))?.into_luma8();
            let (w, h) = (grey.width() as usize, grey.height() as usize);
            (w, h, grey.into_raw().iter().map(|&v| f32::from(v) / 255.0).collect())
        }
        None => (o.size, o.size, pattern(o.size)),
    };
    if w == 0 || h == 0 {
        return Err("the image is empty".into());
    }
    let weights = weights(o.k, o.filter);
    let image = padded(w, h, o.k / 2, &image);

    let mut want = vec![0.0f32; w * h];
    let clock = Instant::now();
    serial(o.k, &weights, w, &image, &mut want);
    println!("serial: {:.3} ms", clock.elapsed().as_secs_f64() * 1e3);

    let mut out = vec![f32::NAN; w * h];
    convolve(o.k, &weights, w, h, &image, &mut out);
    println!("{}", omp::last_region());

    let size: f32 = weights.iter().map(|v| v.abs()).sum();
    let bound = (o.k * o.k) as f32 * f32::EPSILON * size;
    for (at, (got, want)) in out.iter().zip(&want).enumerate() {
        assert!((got - want).abs() <= bound, "pixel {at}: {got} and {want}");
    }
    let bytes: Vec<u8> = out.iter().map(|v| (v * 255.0).round() as u8).collect();
    image::save_buffer(&o.output, &bytes, w as u32, h as u32, image::ColorType::L8)
        .map_err(|e| format!("{}: {e}", o.output.display()))?;
    println!("checked: {w} x {h} pixels; written to {}", o.output.display());
    Ok(())
}
