//! Web Mercator tiles, quadkeys, geohash, nearest station by haversine, track simplification.
use omp_tests::twice;
twice! {
    use std::f64::consts::{FRAC_PI_4, PI};

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct LatLon {
        lat: f64,
        lon: f64,
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct Tile {
        x: u32,
        y: u32,
        zoom: u8,
    }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Metres(f64);

    #[omp::declare_target]
    impl LatLon {
        pub const EARTH: f64 = 6_371_008.8;

        fn distance(&self, other: &LatLon) -> Metres {
            let (a, b) = (self.lat.to_radians(), other.lat.to_radians());
            let dlat = b - a;
            let dlon = (other.lon - self.lon).to_radians();
            let h = (dlat / 2.0).sin().powi(2) + a.cos() * b.cos() * (dlon / 2.0).sin().powi(2);
            Metres(2.0 * Self::EARTH * h.sqrt().min(1.0).asin())
        }

        fn tile(self, zoom: u8) -> Tile {
            let n = (1u32 << zoom) as f64;
            let lat = self.lat.clamp(-85.0511, 85.0511).to_radians();
            let x = (self.lon + 180.0) / 360.0 * n;
            let y = (1.0 - (lat / 2.0 + FRAC_PI_4).tan().ln() / PI) / 2.0 * n;
            let cap = |v: f64| (v.max(0.0) as u32).min((1 << zoom) - 1);
            Tile { x: cap(x), y: cap(y), zoom }
        }

        fn geohash(&self) -> [u8; 9] {
            const ALPHABET: &[u8; 32] = b"0123456789bcdefghjkmnpqrstuvwxyz";
            let (mut lat, mut lon) = ((-90.0, 90.0), (-180.0, 180.0));
            let mut even = true;
            let mut hash = [0; 9];
            for c in hash.iter_mut() {
                let mut bits = 0;
                for _ in 0..5 {
                    let (range, value) = if even { (&mut lon, self.lon) } else { (&mut lat, self.lat) };
                    let mid = (range.0 + range.1) / 2.0;
                    bits <<= 1;
                    if value >= mid {
                        bits |= 1;
                        range.0 = mid;
                    } else {
                        range.1 = mid;
                    }
                    even = !even;
                }
                *c = ALPHABET[bits];
            }
            hash
        }
    }

    #[omp::declare_target]
    impl Tile {
        fn quadkey(&self) -> u64 {
            let mut key = 0;
            for i in (0..self.zoom).rev() {
                let bit = |v: u32| u64::from(v >> i & 1);
                key = key << 2 | bit(self.y) << 1 | bit(self.x);
            }
            key
        }
    }

    #[omp::offload]
    fn index(points: &[LatLon], zoom: u8) -> (Vec<u64>, Vec<[u8; 9]>) {
        let mut keys = vec![0; points.len()];
        let mut hashes = vec![[0u8; 9]; points.len()];
        #[omp::target]
        for ((p, key), hash) in points.iter().zip(keys.iter_mut()).zip(hashes.iter_mut()) {
            *key = p.tile(zoom).quadkey();
            *hash = p.geohash();
        }
        (keys, hashes)
    }

    #[omp::offload]
    fn nearest(points: &[LatLon], stations: &[LatLon]) -> Vec<Option<(usize, f64)>> {
        let mut out = vec![None; points.len()];
        #[omp::target]
        for (slot, point) in out.iter_mut().zip(points) {
            *slot = stations
                .iter()
                .enumerate()
                .map(|(i, s)| (i, point.distance(s).0))
                .filter(|&(_, d)| d < 5_000_000.0)
                .min_by(|a, b| a.1.partial_cmp(&b.1).unwrap());
        }
        out
    }

    #[omp::offload]
    fn track(points: &[LatLon], keep: &mut [bool], tolerance: f64) -> f64 {
        let mut length = 0.0;
        #[omp::target(reduction(+: length))]
        for (w, k) in points.windows(3).zip(keep[1..].iter_mut()) {
            if let [a, b, c] = w {
                let Metres(ab) = a.distance(b);
                let Metres(bc) = b.distance(c);
                let Metres(ac) = a.distance(c);
                *k = ab + bc - ac > tolerance;
                length += ab;
            }
        }
        length
    }

    pub fn run(n: usize) -> (Vec<u64>, Vec<[u8; 9]>, Vec<Option<(usize, f64)>>, Vec<bool>, f64) {
        let points: Vec<LatLon> = (0..n).map(|i| LatLon { lat: (i * 37 % 169) as f64 - 84.3, lon: (i * 53 % 357) as f64 - 178.7 }).collect();
        let stations: Vec<LatLon> = (0..9).map(|i| LatLon { lat: i as f64 * 15.0 - 60.0, lon: i as f64 * 40.0 - 170.0 }).collect();
        let (k, h) = index(&points, 11);
        let mut keep = vec![true; n.max(2)];
        let length = track(&points, &mut keep, 1e5);
        (k, h, nearest(&points, &stations), keep, length)
    }
}
port!(quadkeys: [0, 1, 61, 300].map(|n| crate::Shown::of(run(n))));
