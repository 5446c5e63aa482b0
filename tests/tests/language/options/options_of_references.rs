//! Functions and methods that return `Option<&T>`: loops and device functions take them apart, keep them, and hand the values on.
#![allow(clippy::all, clippy::pedantic, reason = "the code has every form on purpose")]
use omp_tests::{on_every_device, twice};

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Part { id: u32, mass: f32 }
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Pair { a: Part, b: Part, on: bool }
    #[omp::declare_target]
    impl Pair {
        fn heavier(&self) -> Option<&Part> { if !self.on { None } else if self.a.mass > self.b.mass { Some(&self.a) } else { Some(&self.b) } }
    }
    #[omp::declare_target]
    fn weight(p: &Part) -> f32 { p.mass * 2.0 }
    #[omp::declare_target]
    fn heaviest(parts: &[Part], limit: f32) -> Option<&Part> {
        let mut best = None;
        let mut mass = 0.0;
        for p in parts {
            if p.mass < limit && p.mass > mass { best = Some(p); mass = p.mass; }
        }
        best
    }
    #[omp::declare_target]
    fn lightest(parts: &[Part]) -> Option<&Part> {
        let mut best: Option<&Part> = None;
        for p in parts {
            match best { Some(b) if b.mass <= p.mass => {} _ => best = Some(p) }
        }
        best
    }
    #[omp::declare_target]
    fn spread(parts: &[Part], limit: f32) -> Option<f32> {
        let top = heaviest(parts, limit)?;
        let low = lightest(parts)?;
        Some(weight(top) - weight(low) + top.mass)
    }
    pub fn run() -> (Vec<f32>, Vec<f32>) {
        let parts: Vec<Part> = (0..30).map(|i| Part { id: i, mass: (i * 7 % 13) as f32 }).collect();
        let pairs: Vec<Pair> = (0..20).map(|i| Pair { a: parts[i], b: parts[i + 5], on: i % 3 != 0 }).collect();
        let mut o = vec![0.0; 20];
        let mut q = vec![0.0; 20];
        #[omp::target]
        for i in 0..20 {
            let hit = heaviest(&parts, i as f32);
            if let Some(p) = hit { o[i] = weight(p) + p.id as f32; }
            if hit.is_none() { o[i] = -1.0; }
            o[i] += spread(&parts[i..], i as f32).unwrap_or(0.5);
            match lightest(&parts[i..i + 3]) { Some(&Part { id, mass }) if id > 4 => o[i] += mass, Some(p) => o[i] += p.mass * 0.25, None => {} }
        }
        #[omp::target]
        for (i, p) in pairs.iter().enumerate() {
            q[i] = p.heavier().map_or(0.0, |h| h.mass) + pairs[19 - i].heavier().copied().unwrap_or(parts[i]).mass;
        }
        (o, q)
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Sphere { c: [f32; 3], r: f32, mat: u32 }
    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Hit { t: f32, id: usize }
    #[omp::declare_target]
    impl Sphere {
        fn hit(&self, o: [f32; 3], d: [f32; 3]) -> Option<f32> {
            let oc = [o[0] - self.c[0], o[1] - self.c[1], o[2] - self.c[2]];
            let b = oc[0] * d[0] + oc[1] * d[1] + oc[2] * d[2];
            let c = oc.iter().map(|v| v * v).sum::<f32>() - self.r * self.r;
            let disc = b * b - c;
            if disc < 0.0 { return None; }
            let t = -b - disc.sqrt();
            (t > 1e-3).then_some(t)
        }
    }
    #[omp::declare_target]
    fn nearest(s: &[Sphere], o: [f32; 3], d: [f32; 3]) -> Option<Hit> {
        s.iter().enumerate()
            .filter_map(|(id, s)| s.hit(o, d).map(|t| Hit { t, id }))
            .min_by(|a, b| a.t.partial_cmp(&b.t).unwrap())
    }
    #[omp::declare_target]
    fn of_material<'a>(s: &'a [Sphere], mat: u32) -> Option<&'a Sphere> {
        for x in s {
            if x.mat == mat { return Some(x); }
        }
        None
    }
    #[derive(omp::Mapper)]
    pub struct Scene { spheres: Vec<Sphere>, colour: Vec<f32> }
    impl Scene {
        fn by_material(&self, mat: u32) -> Option<&Sphere> {
            if mat == 99 { return None; }
            if mat == 98 { return self.spheres.first(); }
            self.spheres.iter().find(|s| s.mat == mat)
        }
    }
    pub fn scene() -> (Vec<f32>, Vec<f32>) {
        let spheres: Vec<Sphere> = (0..6).map(|i| Sphere { c: [i as f32 - 2.5, (i % 2) as f32, 5.0], r: 0.7, mat: i % 4 }).collect();
        let scene = Scene { spheres, colour: (0..6).map(|i| i as f32 * 0.1).collect() };
        let mut img = vec![0.0; 200];
        let mut r = vec![0.0; 100];
        #[omp::target]
        for i in 0..200 {
            let d = { let x = (i % 20) as f32 * 0.08 - 0.8; let y = (i / 20) as f32 * 0.08 - 0.4; let l = (x * x + y * y + 1.0).sqrt(); [x / l, y / l, 1.0 / l] };
            let o = [0.0; 3];
            let shade = nearest(&scene.spheres, o, d).and_then(|h| if h.t > 4.0 { Some(scene.colour[h.id] + h.t) } else { None });
            let c = nearest(&scene.spheres, o, d).map_or(0.25, |h| h.t);
            let f = nearest(&scene.spheres, o, d).filter(|h| h.id % 2 == 0).map(|h| h.id as f32).unwrap_or(-1.0);
            img[i] = shade.unwrap_or(9.0) + c + f;
        }
        #[omp::target]
        for i in 0..100 {
            r[i] = of_material(&scene.spheres, i as u32 % 5).map_or(-1.0, |s| s.r + s.c[0]) + scene.by_material(i as u32).map(|s| s.c[1]).unwrap_or(7.0);
            if let Some(s) = scene.by_material(i as u32 % 3) { r[i] += s.c[2]; }
        }
        (img, r)
    }

    /// A name of a reference before a pattern of what it refers to.
    #[omp::declare_target]
    fn number(s: &[u8], pos: &mut usize) -> u32 {
        let mut v = 0u32;
        while let Some(d @ b'0'..=b'9') = s.get(*pos) {
            v = v * 10 + u32::from(*d - b'0');
            *pos += 1;
        }
        if let Some(c @ (b'a' | b'b')) = s.get(*pos) { v += u32::from(*c); }
        match s.get(*pos + 1) {
            Some(c @ b'x') => v += *c as u32,
            Some(c @ &b'y') => v += *c as u32 * 2,
            Some(c) => v += *c as u32 * 3,
            None => v += 1,
        }
        v
    }
    pub fn numbers(s: &[u8]) -> Vec<u32> {
        let mut out = vec![0; s.len()];
        #[omp::target]
        for (at, o) in out.iter_mut().enumerate() {
            let mut p = at;
            *o = number(s, &mut p) + p as u32;
            if let Some(d @ 0..=9) = s.get(p + 1) { *o += *d as u32; }
            match &s[p.min(s.len() - 1)] { d @ (1 | 2) => *o += *d as u32, d @ 3..=200 => *o += u32::from(*d) * 7, _ => {} }
        }
        out
    }
}

#[test]
fn what_is_found_stands_for_a_reference() {
    let plain = (plain::run(), plain::scene());
    on_every_device(|d| {
        omp::set_default_device(d);
        assert_eq!(device::run(), plain.0, "device {d}");
        let ((img, r), (want, of)) = (device::scene(), &plain.1);
        assert_eq!(r, *of, "device {d}");
        assert!(img.iter().zip(want).all(|(a, b)| (a - b).abs() <= 1e-3 * b.abs().max(1.0)), "device {d}");
    });
}

#[test]
fn names_of_references_before_patterns() {
    let text = b"12a;7b;99xx9;y1200abc;;00a\x02\x01";
    let plain = plain::numbers(text);
    on_every_device(|d| {
        omp::set_default_device(d);
        assert_eq!(device::numbers(text), plain, "device {d}");
    });
}
