//! Intensity normalisation of an image: mean and variance by reductions, then every value moved to a mean and a deviation
//! that are asked for.
use clap::Parser;
use example_support::{hash, offloaded, timed};
use std::path::PathBuf;

/// Moves the intensities of an image to a given mean and deviation, on the best device of this machine.
#[derive(Parser)]
struct Options {
    /// The image (PNG, JPEG or BMP); without one, a dull one is made
    image: Option<PathBuf>,
    /// Where the result goes: its ending says whether as PNG or as BMP
    #[arg(short, long, default_value = "normalised.png")]
    output: PathBuf,
    /// Mean to have, 0 to 255
    #[arg(short, long, default_value_t = 127.5)]
    mean: f64,
    /// Standard deviation to have, 0 to 255
    #[arg(short, long, default_value_t = 64.0)]
    deviation: f64,
    /// Width of the made image
    #[arg(long, default_value_t = 1920)]
    width: usize,
    /// Height of the made image
    #[arg(long, default_value_t = 1200)]
    height: usize,
    /// How often to run it
    #[arg(short, long, default_value_t = 3)]
    repeat: usize,
}

/// Mean and standard deviation.
#[derive(Clone, Copy, omp::Device)]
struct Moments {
    mean: f64,
    deviation: f64,
}

/// The bytes are copied to the device once, and back once.
#[omp::offload]
fn normalise(image: &mut [u8], want: Moments) -> Moments {
    let n = image.len() as f64;
    let (mut sum, mut squares) = (0u64, 0.0);
    let mut is = Moments { mean: 0.0, deviation: 0.0 };
    #[omp::target_data(map(tofrom: image))]
    {
        #[omp::target(reduction(+: sum))]
        for &v in image.iter() {
            sum += u64::from(v);
        }
        is.mean = sum as f64 / n;
        #[omp::target(reduction(+: squares))]
        for &v in image.iter() {
            let off = f64::from(v) - is.mean;
            squares += off * off;
        }
        is.deviation = (squares / n).sqrt();
        #[omp::target]
        for v in image.iter_mut() {
            *v = moved(*v, is, want);
        }
    }
    is
}

/// The value as far from the wanted mean, in wanted deviations, as it was from the mean that it had.
#[omp::declare_target]
fn moved(v: u8, is: Moments, want: Moments) -> u8 {
    ((f64::from(v) - is.mean) / is.deviation * want.deviation + want.mean).round() as u8
}

fn serial(image: &mut [u8], want: Moments) -> Moments {
    let n = image.len() as f64;
    let mean = image.iter().map(|&v| u64::from(v)).sum::<u64>() as f64 / n;
    let squares: f64 = image.iter().map(|&v| (f64::from(v) - mean).powi(2)).sum();
    let is = Moments { mean, deviation: (squares / n).sqrt() };
    image.iter_mut().for_each(|v| *v = moved(*v, is, want));
    is
}

/// A picture with too little contrast: a slope of light, rings, and noise; four bytes a pixel.
fn dull(w: usize, h: usize) -> Vec<u8> {
    let value = |at: usize| {
        let (x, y) = ((at / 4 % w) as f64 / w as f64, (at / 4 / w) as f64 / h as f64);
        let rings = ((x - 0.5).hypot(y - 0.5) * 50.0).sin() * 20.0;
        (70.0 + 30.0 * x + 20.0 * y + rings + f64::from(hash(at) % 16)) as u8
    };
    (0..w * h * 4).map(value).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let o = Options::parse();
    let (w, h, mut bytes) = match &o.image {
        Some(path) => {
            let image = image::open(path).map_err(|e| format!("{}: {e}", path.display()))?.into_rgba8();
            (image.width() as usize, image.height() as usize, image.into_raw())
        }
        None => (o.width, o.height, dull(o.width, o.height)),
    };
    if bytes.is_empty() {
        return Err("the image is empty".into());
    }
    // Opacity is no intensity: the device works on the three others.
    let opacity: Vec<u8> = bytes.iter().skip(3).step_by(4).copied().collect();
    bytes = bytes.chunks(4).flat_map(|p| [p[0], p[1], p[2]]).collect();

    if !(0.0..=255.0).contains(&o.mean) || !(0.0..=255.0).contains(&o.deviation) {
        return Err("the mean and the deviation are from 0 to 255".into());
    }
    let want = Moments { mean: o.mean, deviation: o.deviation };
    let ((expected, exact), time) = timed(
        "serial",
        o.repeat,
        || bytes.clone(),
        |mut image| {
            let is = serial(&mut image, want);
            (image, is)
        },
    );
    let (image, is) = offloaded(
        "offloaded",
        o.repeat,
        time,
        || bytes.clone(),
        |mut image| {
            let is = normalise(&mut image, want);
            (image, is)
        },
    );

    // The mean is exact. Sums of n squares in two orders differ by at most n roundings of them, values that are as good as
    // half-way between two bytes may go either way.
    assert_eq!(is.mean, exact.mean, "the mean");
    let off = (is.deviation / exact.deviation - 1.0).abs();
    assert!(
        exact.deviation == 0.0 || off <= bytes.len() as f64 * f64::EPSILON,
        "the deviation is off by {off:e}"
    );
    let differ = image.iter().zip(&expected).filter(|(a, b)| a != b).count();
    let far = image.iter().zip(&expected).find(|(a, b)| a.abs_diff(**b) > 1);
    assert!(far.is_none() && differ <= bytes.len() / 1000, "{differ} bytes differ, {far:?} too much");

    let pixels: Vec<u8> = image
        .chunks(3)
        .zip(opacity)
        .flat_map(|(p, opacity)| [p[0], p[1], p[2], if o.image.is_some() { opacity } else { 255 }])
        .collect();
    image::save_buffer(&o.output, &pixels, w as u32, h as u32, image::ColorType::Rgba8)
        .map_err(|e| format!("{}: {e}", o.output.display()))?;
    println!(
        "checked: {w} x {h} pixels had mean {:.2} and deviation {:.2}; written to {}",
        is.mean,
        is.deviation,
        o.output.display()
    );
    Ok(())
}
