//! Spatial join: geohash of each point picks candidate polygons, ray casting decides; strays are compacted.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct LonLat { pub lon: f64, pub lat: f64 }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct GeoHash(pub u64);

    #[omp::declare_target]
    const fn spread(x: u32) -> u64 {
        let mut v = x as u64;
        v = (v | v << 16) & 0x0000_ffff_0000_ffff;
        v = (v | v << 8) & 0x00ff_00ff_00ff_00ff;
        v = (v | v << 4) & 0x0f0f_0f0f_0f0f_0f0f;
        v = (v | v << 2) & 0x3333_3333_3333_3333;
        (v | v << 1) & 0x5555_5555_5555_5555
    }

    #[omp::declare_target]
    impl GeoHash {
        const BITS: u32 = 30;
        pub const COARSE: u32 = 4;

        pub fn encode(p: &LonLat) -> Option<GeoHash> {
            if !(-180.0..180.0).contains(&p.lon) || !(-90.0..90.0).contains(&p.lat) {
                return None;
            }
            let cells = (1u32 << Self::BITS) as f64;
            let x = ((p.lon + 180.0) / 360.0 * cells) as u32;
            let y = ((p.lat + 90.0) / 180.0 * cells) as u32;
            Some(GeoHash(spread(x) << 1 | spread(y)))
        }

        fn at_level(self, level: u32) -> usize {
            (self.0 >> (2 * (Self::BITS - level))) as usize
        }
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct BBox { pub min: LonLat, pub max: LonLat }

    #[omp::declare_target]
    impl BBox {
        fn contains(&self, p: &LonLat) -> bool {
            p.lon >= self.min.lon && p.lon <= self.max.lon && p.lat >= self.min.lat && p.lat <= self.max.lat
        }
    }

    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Zones {
        pub vertices: Vec<LonLat>,
        pub ring: Vec<usize>,
        pub bbox: Vec<BBox>,
        pub cell_start: Vec<u32>,
        pub cell_zones: Vec<u16>,
    }

    #[omp::declare_target]
    impl Zones {
        fn ring(&self, zone: usize) -> &[LonLat] {
            &self.vertices[self.ring[zone]..self.ring[zone + 1]]
        }

        fn inside(&self, zone: usize, p: &LonLat) -> bool {
            if !self.bbox[zone].contains(p) {
                return false;
            }
            let crossings = self
                .ring(zone)
                .windows(2)
                .filter(|e| (e[0].lat > p.lat) != (e[1].lat > p.lat))
                .filter(|e| {
                    let (a, b) = (e[0], e[1]);
                    p.lon < (b.lon - a.lon) * (p.lat - a.lat) / (b.lat - a.lat) + a.lon
                })
                .count();
            crossings % 2 == 1
        }

        fn locate(&self, p: &LonLat) -> Option<u16> {
            let cell = GeoHash::encode(p)?.at_level(GeoHash::COARSE);
            let candidates = &self.cell_zones[self.cell_start[cell] as usize..self.cell_start[cell + 1] as usize];
            candidates.iter().copied().find(|&z| self.inside(z as usize, p))
        }
    }

    pub const NO_ZONE: u16 = u16::MAX;

    pub fn join(zones: &Zones, points: &[LonLat], zone_of: &mut [u16], counts: &mut [u32]) {
        #[omp::target(map(to: zones, points), map(from: zone_of), map(tofrom: counts))]
        for (z, p) in zone_of.iter_mut().zip(points) {
            *z = match zones.locate(p) {
                Some(zone) => {
                    #[omp::atomic]
                    counts[zone as usize] += 1;
                    zone
                }
                None => NO_ZONE,
            };
        }
    }

    pub fn strays(zone_of: &[u16], points: &[LonLat], out: &mut [u64]) -> usize {
        let mut n = 0usize;
        #[omp::target(scan(+: n), map(to: zone_of, points), map(tofrom: out))]
        for i in 0..zone_of.len() {
            if zone_of[i] != NO_ZONE {
                continue;
            }
            let Some(hash) = GeoHash::encode(&points[i]) else { continue };
            out[n] = hash.0;
            n += 1;
        }
        n
    }

    pub fn build(count: usize) -> Zones {
        let mut z = Zones { vertices: vec![], ring: vec![0], bbox: vec![], cell_start: vec![0], cell_zones: vec![] };
        for k in 0..count {
            let (cx, cy) = ((k * 53 % 340) as f64 - 170.0, (k * 29 % 150) as f64 - 75.0);
            let n = 5 + k % 7;
            let ring: Vec<_> = (0..=n)
                .map(|i| {
                    let r = if i % n % 2 == 0 { 13.25 } else { 6.5 };
                    let a = (i % n) as f64 / n as f64 * std::f64::consts::TAU;
                    LonLat { lon: cx + r * a.cos(), lat: cy + 0.7 * r * a.sin() }
                })
                .collect();
            let mut bb = BBox { min: ring[0], max: ring[0] };
            for v in &ring {
                bb.min = LonLat { lon: bb.min.lon.min(v.lon), lat: bb.min.lat.min(v.lat) };
                bb.max = LonLat { lon: bb.max.lon.max(v.lon), lat: bb.max.lat.max(v.lat) };
            }
            z.vertices.extend(ring);
            z.ring.push(z.vertices.len());
            z.bbox.push(bb);
        }
        let side = 1usize << GeoHash::COARSE;
        for cell in 0..side * side {
            let bit = |shift: usize| (0..GeoHash::COARSE as usize).map(|b| (cell >> (2 * b + shift) & 1) << b).sum::<usize>();
            let (w, h) = (360.0 / side as f64, 180.0 / side as f64);
            let (x, y) = (bit(1) as f64 * w - 180.0, bit(0) as f64 * h - 90.0);
            for (k, b) in z.bbox.iter().enumerate() {
                if b.min.lon <= x + w && b.max.lon >= x && b.min.lat <= y + h && b.max.lat >= y {
                    z.cell_zones.push(k as u16);
                }
            }
            z.cell_start.push(z.cell_zones.len() as u32);
        }
        z
    }
}
port!(geo_join: crate::Shown::of({
    let zones = build(31);
    let points: Vec<_> = (0..3000u32)
        .map(|i| LonLat {
            lon: (i.wrapping_mul(2654435761) >> 8) as f64 / 16777216.0 * 364.0 - 182.0,
            lat: (i.wrapping_mul(40503) % 65536) as f64 / 65536.0 * 180.0 - 90.0,
        })
        .collect();
    let (mut zone_of, mut counts, mut out) = (vec![0; 3000], vec![0; 31], vec![0; 3000]);
    join(&zones, &points, &mut zone_of, &mut counts);
    let n = strays(&zone_of, &points, &mut out);
    (zone_of, counts, out[..n].to_vec())
}));
