//! HeCBench entropy: the entropy of the 16 grey levels in a 5x5 window around each pixel.
use omp_tests::twice;

twice! {
    const LEVELS: usize = 16;
    const RADIUS: isize = 2;

    pub struct Image<T> {
        width: usize,
        height: usize,
        pixels: Vec<T>,
    }

    impl<T: Copy> Image<T> {
        pub fn from_fn(width: usize, height: usize, f: impl Fn(usize, usize) -> T) -> Self {
            let pixels = (0..width * height).map(|i| f(i % width, i / width)).collect();
            Self { width, height, pixels }
        }
        fn get(&self, x: isize, y: isize) -> Option<T> {
            if x < 0 || y < 0 || x as usize >= self.width || y as usize >= self.height {
                None
            } else {
                Some(self.pixels[y as usize * self.width + x as usize])
            }
        }
    }

    #[omp::declare_target]
    fn entropy(counts: &[u32; LEVELS], total: u32) -> f32 {
        counts
            .iter()
            .filter(|&&c| c > 0)
            .map(|&c| {
                let p = c as f32 / total as f32;
                -p * p.log2()
            })
            .sum()
    }

    pub fn local_entropy(input: &Image<u8>) -> Image<f32> {
        let mut output = Image::from_fn(input.width, input.height, |_, _| 0.0f32);
        #[omp::target]
        for (y, row) in output.pixels.chunks_mut(input.width).enumerate() {
            for (x, out) in row.iter_mut().enumerate() {
                let mut counts = [0u32; LEVELS];
                let mut total = 0;
                for dy in -RADIUS..=RADIUS {
                    for dx in -RADIUS..=RADIUS {
                        if let Some(v) = input.get(x as isize + dx, y as isize + dy) {
                            counts[(v / 16) as usize] += 1;
                            total += 1;
                        }
                    }
                }
                *out = entropy(&counts, total);
            }
        }
        output
    }

    pub fn run() -> Vec<f32> {
        let img = Image::from_fn(23, 17, |x, y| ((x * x * 7 + y * 13 + x * y) % 256) as u8);
        local_entropy(&img).pixels
    }
}
port!(local_entropy: run());
