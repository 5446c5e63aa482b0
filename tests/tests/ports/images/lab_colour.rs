//! Colour spaces: sRGB, linear, XYZ, Lab, LCh, HSV by `From`, and CIEDE2000.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Srgb { r: u8, g: u8, b: u8 }
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Linear([f64; 3]);
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Xyz { x: f64, y: f64, z: f64 }
    #[derive(Clone, Copy, Debug, PartialEq, Default, omp::Device)]
    pub struct Lab { l: f64, a: f64, b: f64 }
    #[derive(Clone, Copy, Debug, PartialEq, Default, omp::Device)]
    pub struct Hsv { h: f32, s: f32, v: f32 }

    const M: [[f64; 3]; 3] = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]];
    const WHITE: Xyz = Xyz { x: 0.95047, y: 1.0, z: 1.08883 };

    #[omp::declare_target]
    fn decode(c: u8) -> f64 {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    }

    #[omp::declare_target]
    impl From<Srgb> for Linear { fn from(Srgb { r, g, b }: Srgb) -> Self { Linear([r, g, b].map(decode)) } }
    #[omp::declare_target]
    impl From<Linear> for Xyz {
        fn from(c: Linear) -> Self {
            let [x, y, z] = M.map(|row| row.iter().zip(&c.0).map(|(m, c)| m * c).sum::<f64>());
            Xyz { x, y, z }
        }
    }
    #[omp::declare_target]
    impl From<Xyz> for Lab {
        fn from(c: Xyz) -> Self {
            const EPS: f64 = 216.0 / 24389.0;
            const KAPPA: f64 = 24389.0 / 27.0;
            let f = |t: f64| if t > EPS { t.cbrt() } else { (KAPPA * t + 16.0) / 116.0 };
            let (fx, fy, fz) = (f(c.x / WHITE.x), f(c.y / WHITE.y), f(c.z / WHITE.z));
            Lab { l: 116.0 * fy - 16.0, a: 500.0 * (fx - fy), b: 200.0 * (fy - fz) }
        }
    }
    #[omp::declare_target]
    impl From<Srgb> for Lab { fn from(c: Srgb) -> Self { Xyz::from(Linear::from(c)).into() } }
    #[omp::declare_target]
    impl From<Srgb> for Hsv {
        fn from(Srgb { r, g, b }: Srgb) -> Hsv {
            let max = r.max(g).max(b);
            let min = r.min(g).min(b);
            let d = f32::from(max - min);
            let h = match max {
                _ if max == min => 0.0,
                m if m == r => (f32::from(g) - f32::from(b)) / d,
                m if m == g => (f32::from(b) - f32::from(r)) / d + 2.0,
                _ => (f32::from(r) - f32::from(g)) / d + 4.0,
            };
            Hsv { h: (h * 60.0).rem_euclid(360.0), s: if max == 0 { 0.0 } else { d / f32::from(max) }, v: f32::from(max) / 255.0 }
        }
    }

    #[omp::declare_target]
    impl Lab {
        fn chroma(&self) -> f64 { self.a.hypot(self.b) }
        fn delta_e2000(&self, other: &Lab) -> f64 {
            let pow7 = |x: f64| x.powi(7);
            let c_bar = (self.chroma() + other.chroma()) / 2.0;
            let g = 0.5 * (1.0 - (pow7(c_bar) / (pow7(c_bar) + 25f64.powi(7))).sqrt());
            let (a1, a2) = (self.a * (1.0 + g), other.a * (1.0 + g));
            let (c1, c2) = (a1.hypot(self.b), a2.hypot(other.b));
            let hue = |a: f64, b: f64| if a == 0.0 && b == 0.0 { 0.0 } else { b.atan2(a).to_degrees().rem_euclid(360.0) };
            let (h1, h2) = (hue(a1, self.b), hue(a2, other.b));
            let dl = other.l - self.l;
            let dc = c2 - c1;
            let dh = match h2 - h1 {
                _ if c1 * c2 == 0.0 => 0.0,
                d if d > 180.0 => d - 360.0,
                d if d < -180.0 => d + 360.0,
                d => d,
            };
            let dh_big = 2.0 * (c1 * c2).sqrt() * (dh / 2.0).to_radians().sin();
            let lb = (self.l + other.l) / 2.0;
            let cb = (c1 + c2) / 2.0;
            let hb = if c1 * c2 == 0.0 { h1 + h2 } else if (h1 - h2).abs() <= 180.0 { (h1 + h2) / 2.0 } else { (h1 + h2 + if h1 + h2 < 360.0 { 360.0 } else { -360.0 }) / 2.0 };
            let cosd = |d: f64| d.to_radians().cos();
            let t = 1.0 - 0.17 * cosd(hb - 30.0) + 0.24 * cosd(2.0 * hb) + 0.32 * cosd(3.0 * hb + 6.0) - 0.2 * cosd(4.0 * hb - 63.0);
            let sl = 1.0 + 0.015 * (lb - 50.0).powi(2) / (20.0 + (lb - 50.0).powi(2)).sqrt();
            let (sc, sh) = (1.0 + 0.045 * cb, 1.0 + 0.015 * cb * t);
            let rt = -(2.0 * (pow7(cb) / (pow7(cb) + 25f64.powi(7))).sqrt()) * (60.0 * (-((hb - 275.0) / 25.0).powi(2)).exp()).to_radians().sin();
            ((dl / sl).powi(2) + (dc / sc).powi(2) + (dh_big / sh).powi(2) + rt * (dc / sc) * (dh_big / sh)).sqrt()
        }
    }

    pub fn nearest_names(pixels: &[Srgb], palette: &[Srgb]) -> (Vec<(usize, f64)>, Vec<Hsv>) {
        let labs: Vec<Lab> = palette.iter().copied().map(Lab::from).collect();
        let mut best = vec![(0usize, 0.0); pixels.len()];
        let mut hsv = vec![Hsv::default(); pixels.len()];
        #[omp::target]
        for (i, &p) in pixels.iter().enumerate() {
            let lab: Lab = p.into();
            best[i] = labs
                .iter()
                .map(|q| lab.delta_e2000(q))
                .enumerate()
                .min_by(|(_, a), (_, b)| a.partial_cmp(b).unwrap())
                .unwrap();
            hsv[i] = Hsv::from(p);
        }
        (best, hsv)
    }

    pub fn run() -> (Vec<(usize, f64)>, Vec<[f32; 3]>) {
        let mut v = Values(19);
        let mut next = || { let [r, g, b, _] = v.bits().to_be_bytes(); Srgb { r, g, b } };
        let palette: Vec<Srgb> = (0..9).map(|_| next()).collect();
        let mut pixels: Vec<Srgb> = (0..50).map(|_| next()).collect();
        pixels.push(Srgb { r: 0, g: 0, b: 0 });
        pixels.push(Srgb { r: 255, g: 255, b: 255 });
        let (best, hsv) = nearest_names(&pixels, &palette);
        (best, hsv.iter().map(|c| [c.h, c.s, c.v]).collect())
    }
}
port!(lab_colour: run());
