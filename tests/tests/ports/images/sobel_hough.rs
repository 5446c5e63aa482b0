//! Sobel edges and the Hough transform, generic images.
use omp_tests::{Values, twice};
twice! {
    const GX: [[i16; 3]; 3] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]];
    const GY: [[i16; 3]; 3] = [[-1, -2, -1], [0, 0, 0], [1, 2, 1]];

    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Image<P: omp::Device> { width: usize, height: usize, pixels: Vec<P> }

    impl<P: omp::Device + Default> Image<P> {
        pub fn new(width: usize, height: usize) -> Self { Image { width, height, pixels: vec![P::default(); width * height] } }
        fn get(&self, x: isize, y: isize) -> Option<P> {
            if x < 0 || y < 0 || x >= self.width as isize || y >= self.height as isize {
                return None;
            }
            Some(self.pixels[y as usize * self.width + x as usize])
        }
    }

    pub fn sobel(input: &Image<u8>) -> Image<u16> {
        let mut out = Image::<u16>::new(input.width, input.height);
        #[omp::target(collapse(2))]
        for y in 0..input.height {
            for x in 0..input.width {
                let (mut gx, mut gy) = (0i16, 0i16);
                for (dy, (kx, ky)) in GX.iter().zip(GY.iter()).enumerate() {
                    for dx in 0..3 {
                        let p = input.get(x as isize + dx as isize - 1, y as isize + dy as isize - 1).unwrap_or(0) as i16;
                        gx += kx[dx] * p;
                        gy += ky[dx] * p;
                    }
                }
                out.pixels[y * input.width + x] = gx.unsigned_abs() + gy.unsigned_abs();
            }
        }
        out
    }

    pub struct Hough { angles: usize, radii: usize, votes: Vec<u32> }

    impl Hough {
        pub fn vote(edges: &Image<u16>, threshold: u16, angles: usize) -> Self {
            let diagonal = ((edges.width.pow(2) + edges.height.pow(2)) as f64).sqrt().ceil() as usize;
            let radii = 2 * diagonal + 1;
            let mut votes = vec![0u32; angles * radii];
            let table: Vec<(i32, i32)> = (0..angles).map(|a| (a as f64 * std::f64::consts::PI / angles as f64).sin_cos()).map(|(s, c)| ((s * 1024.0) as i32, (c * 1024.0) as i32)).collect();
            #[omp::target(reduction(+: votes))]
            for (i, &e) in edges.pixels.iter().enumerate() {
                if e < threshold { continue; }
                let (x, y) = ((i % edges.width) as i32, (i / edges.width) as i32);
                for (a, &(sin, cos)) in table.iter().enumerate() {
                    let r = ((x * cos + y * sin) >> 10) + diagonal as i32;
                    votes[a * radii + r as usize] += 1;
                }
            }
            Hough { angles, radii, votes }
        }
        pub fn best(&self) -> Option<(usize, usize)> {
            let i = self.votes.iter().enumerate().max_by_key(|(_, v)| **v)?.0;
            Some((i / self.radii, i % self.radii))
        }
    }

    pub fn run() -> (Vec<u16>, Vec<u32>, usize) {
        let mut v = Values(8);
        let mut im = Image::<u8>::new(18, 14);
        for (i, p) in im.pixels.iter_mut().enumerate() { *p = if (i % 18) + (i / 18) > 14 { 200 } else { (v.bits() % 20) as u8 }; }
        let edges = sobel(&im);
        let h = Hough::vote(&edges, 300, 16);
        let b = h.best().unwrap();
        (edges.pixels, h.votes, b.0 * 1000 + b.1)
    }
}
port!(sobel_hough: run());
