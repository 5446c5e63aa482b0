//! Nearest cluster centres on a sphere with unit vectors and geohash codes.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Geo { lat: f64, lon: f64 }

    #[omp::declare_target]
    impl Geo {
        fn to_unit(self) -> [f64; 3] {
            let (slat, clat) = self.lat.to_radians().sin_cos();
            let (slon, clon) = self.lon.to_radians().sin_cos();
            [clat * clon, clat * slon, slat]
        }

        fn geohash(&self, chars: usize) -> u64 {
            let (mut lat, mut lon) = ((-90.0, 90.0), (-180.0, 180.0));
            let mut code = 0u64;
            for bit in 0..chars * 5 {
                let (range, value) = if bit % 2 == 0 { (&mut lon, self.lon) } else { (&mut lat, self.lat) };
                let mid = (range.0 + range.1) / 2.0;
                code <<= 1;
                if value >= mid {
                    code |= 1;
                    range.0 = mid;
                } else {
                    range.1 = mid;
                }
            }
            code
        }
    }

    pub fn index(places: &[Geo], chars: usize) -> (Vec<u64>, [f64; 3]) {
        let mut codes = vec![0; places.len()];
        let mut centre = [0.0f64; 3];
        #[omp::target(reduction(+: centre))]
        for (p, code) in places.iter().zip(codes.iter_mut()) {
            *code = p.geohash(chars);
            for (c, u) in centre.iter_mut().zip(p.to_unit()) {
                *c += u;
            }
        }
        (codes, centre)
    }

    pub fn run() -> (Vec<u64>, Vec<f64>) {
        let mut r = Values(134);
        let places: Vec<Geo> = (0..30).map(|_| Geo { lat: r.unit() * 180.0 - 90.0, lon: r.unit() * 360.0 - 180.0 }).collect();
        let (c, m) = index(&places, 6);
        (c, m.to_vec())
    }
}
port!(convex_grid: run());
