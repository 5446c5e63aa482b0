//! Geodesy: great circles, Vincenty's inverse, UTM, points in polygons, nearest stations.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct LatLon {
        pub lat: f64,
        pub lon: f64,
    }

    #[omp::declare_target]
    impl LatLon {
        fn radians(&self) -> (f64, f64) {
            (self.lat.to_radians(), self.lon.to_radians())
        }

        fn haversine(&self, other: &LatLon) -> f64 {
            const EARTH_RADIUS: f64 = 6_371_008.8;
            let (lat1, lon1) = self.radians();
            let (lat2, lon2) = other.radians();
            let a = ((lat2 - lat1) / 2.0).sin().powi(2) + lat1.cos() * lat2.cos() * ((lon2 - lon1) / 2.0).sin().powi(2);
            2.0 * EARTH_RADIUS * a.sqrt().asin()
        }
    }

    mod wgs84 {
        pub const A: f64 = 6_378_137.0;
        pub const F: f64 = 1.0 / 298.257_223_563;
        pub const B: f64 = A * (1.0 - F);
    }

    #[omp::declare_target]
    fn vincenty(from: LatLon, to: LatLon) -> Option<f64> {
        let (lat1, lon1) = from.radians();
        let (lat2, lon2) = to.radians();
        let u1 = ((1.0 - wgs84::F) * lat1.tan()).atan();
        let u2 = ((1.0 - wgs84::F) * lat2.tan()).atan();
        let (sin_u1, cos_u1) = u1.sin_cos();
        let (sin_u2, cos_u2) = u2.sin_cos();
        let l = lon2 - lon1;
        let mut lambda = l;
        for _ in 0..200 {
            let (sin_lambda, cos_lambda) = lambda.sin_cos();
            let sin_sigma = ((cos_u2 * sin_lambda).powi(2) + (cos_u1 * sin_u2 - sin_u1 * cos_u2 * cos_lambda).powi(2)).sqrt();
            if sin_sigma == 0.0 {
                return Some(0.0);
            }
            let cos_sigma = sin_u1 * sin_u2 + cos_u1 * cos_u2 * cos_lambda;
            let sigma = sin_sigma.atan2(cos_sigma);
            let sin_alpha = cos_u1 * cos_u2 * sin_lambda / sin_sigma;
            let cos2_alpha = 1.0 - sin_alpha * sin_alpha;
            let cos_2sm = if cos2_alpha == 0.0 { 0.0 } else { cos_sigma - 2.0 * sin_u1 * sin_u2 / cos2_alpha };
            let c = wgs84::F / 16.0 * cos2_alpha * (4.0 + wgs84::F * (4.0 - 3.0 * cos2_alpha));
            let previous = lambda;
            lambda = l + (1.0 - c) * wgs84::F * sin_alpha * (sigma + c * sin_sigma * (cos_2sm + c * cos_sigma * (2.0 * cos_2sm * cos_2sm - 1.0)));
            if (lambda - previous).abs() < 1e-12 {
                let u_sq = cos2_alpha * (wgs84::A.powi(2) - wgs84::B.powi(2)) / wgs84::B.powi(2);
                let a = 1.0 + u_sq / 16384.0 * (4096.0 + u_sq * (-768.0 + u_sq * (320.0 - 175.0 * u_sq)));
                return Some(wgs84::B * a * sigma);
            }
        }
        None
    }

    pub fn distances(points: &[LatLon], depot: &LatLon, out: &mut [f64]) {
        #[omp::target]
        for (o, p) in out.iter_mut().zip(points) {
            *o = vincenty(*depot, *p).unwrap_or_else(|| depot.haversine(p));
        }
    }

    pub fn nearest(points: &[LatLon], stations: &[LatLon], at: &mut [usize]) {
        #[omp::target]
        for i in 0..points.len() {
            let nearest = stations
                .iter()
                .copied()
                .enumerate()
                .min_by(|(_, a), (_, b)| points[i].haversine(a).total_cmp(&points[i].haversine(b)));
            at[i] = nearest.map(|(k, _)| k).unwrap_or(usize::MAX);
        }
    }

    pub fn inside(points: &[LatLon], ring: &[LatLon]) -> usize {
        let mut count = 0;
        #[omp::target(reduction(+: count))]
        for p in points {
            let mut odd = false;
            let mut j = ring.len() - 1;
            for i in 0..ring.len() {
                let (a, b) = (&ring[i], &ring[j]);
                if (a.lat > p.lat) != (b.lat > p.lat) && p.lon < (b.lon - a.lon) * (p.lat - a.lat) / (b.lat - a.lat) + a.lon {
                    odd = !odd;
                }
                j = i;
            }
            if odd {
                count += 1;
            }
        }
        count
    }

    pub fn track_length(track: &[LatLon]) -> f64 {
        let mut length = 0.0;
        #[omp::target(reduction(+: length))]
        for leg in track.windows(2) {
            length += leg[0].haversine(&leg[1]);
        }
        length
    }

    pub fn bounds(points: &[LatLon]) -> (LatLon, LatLon) {
        let (mut south, mut west, mut north, mut east) = (90.0f64, 180.0f64, -90.0f64, -180.0f64);
        #[omp::target(reduction(min: south, west), reduction(max: north, east))]
        for p in points.iter() {
            south = south.min(p.lat);
            west = west.min(p.lon);
            north = north.max(p.lat);
            east = east.max(p.lon);
        }
        (LatLon { lat: south, lon: west }, LatLon { lat: north, lon: east })
    }

    pub fn run() -> (Vec<f64>, Vec<usize>) {
        let points: Vec<LatLon> = (0..90).map(|i| LatLon { lat: (i as f64 * 1.7) % 120.0 - 60.0, lon: (i as f64 * 3.1) % 340.0 - 170.0 }).collect();
        let stations: Vec<LatLon> = points.iter().step_by(11).copied().collect();
        let mut out = vec![0.0; points.len()];
        distances(&points, &LatLon { lat: 48.1, lon: 11.6 }, &mut out);
        let mut at = vec![0; points.len()];
        nearest(&points, &stations, &mut at);
        let ring = [(-40.0, -100.0), (50.0, -80.0), (45.0, 120.0), (-30.0, 90.0)].map(|(lat, lon)| LatLon { lat, lon });
        at.push(inside(&points, &ring));
        let (low, high) = bounds(&points);
        out.extend([track_length(&points), low.lat, low.lon, high.lat, high.lon]);
        (out, at)
    }
}
port!(geodesy: run());
