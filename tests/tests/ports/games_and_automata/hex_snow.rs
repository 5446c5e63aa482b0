//! Growth of a snow crystal on a hexagonal lattice (Reiter's model).
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Site { water: f32, frozen: bool }

    #[derive(Clone, omp::Mapper)]
    pub struct Lattice { width: usize, height: usize, sites: Vec<Site> }

    const EVEN: [(i32, i32); 6] = [(-1, 0), (1, 0), (-1, -1), (0, -1), (-1, 1), (0, 1)];
    const ODD: [(i32, i32); 6] = [(-1, 0), (1, 0), (0, -1), (1, -1), (0, 1), (1, 1)];

    impl Lattice {
        pub fn new(width: usize, height: usize, beta: f32) -> Self {
            let mut l = Self { width, height, sites: vec![Site { water: beta, frozen: false }; width * height] };
            let centre = l.index(width as i32 / 2, height as i32 / 2).unwrap();
            l.sites[centre] = Site { water: 1.0, frozen: true };
            l
        }
        fn index(&self, x: i32, y: i32) -> Option<usize> {
            let inside = (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y);
            inside.then(|| y as usize * self.width + x as usize)
        }
        fn site(&self, x: i32, y: i32) -> Option<&Site> { self.index(x, y).map(|k| &self.sites[k]) }
        fn neighbours(&self, x: usize, y: usize) -> [Option<Site>; 6] {
            let offsets = if y % 2 == 0 { &EVEN } else { &ODD };
            offsets.map(|(dx, dy)| self.site(x as i32 + dx, y as i32 + dy).copied())
        }
        fn is_receptive(&self, x: usize, y: usize) -> bool {
            self.sites[y * self.width + x].frozen || self.neighbours(x, y).iter().flatten().any(|s| s.frozen)
        }
    }

    pub fn grow(l: &Lattice, alpha: f32, beta: f32, gamma: f32) -> Lattice {
        let mut next = l.clone();
        #[omp::target]
        for (k, site) in next.sites.iter_mut().enumerate() {
            let (x, y) = (k % l.width, k / l.width);
            let diffusing = |x: usize, y: usize| if l.is_receptive(x, y) { 0.0 } else { l.sites[y * l.width + x].water };
            let mut around = 0.0;
            let mut count = 0;
            let offsets = if y & 1 == 0 { EVEN } else { ODD };
            for (dx, dy) in offsets {
                let (nx, ny) = (x as i32 + dx, y as i32 + dy);
                around += if l.index(nx, ny).is_some() { count += 1; diffusing(nx as usize, ny as usize) } else { beta };
            }
            let own = diffusing(x, y);
            let kept = if l.is_receptive(x, y) { l.sites[k].water + gamma } else { 0.0 };
            site.water = kept + own + alpha / 2.0 * (around / 6.0 - own) + count as f32 * 0.0;
            site.frozen = l.sites[k].frozen || site.water >= 1.0;
        }
        next
    }
    pub fn run() -> (Vec<f32>, Vec<bool>) {
        let mut l = Lattice::new(15, 13, 0.4);
        for _ in 0..12 { l = grow(&l, 1.2, 0.4, 0.01); }
        l.sites.iter().map(|s| (s.water, s.frozen)).unzip()
    }
}
port!(hex_snow: run());
