//! miniBUDE: energies of poses of a ligand against a protein.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    #[repr(C)]
    struct Atom {
        x: f32,
        y: f32,
        z: f32,
        kind: i32,
    }

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    struct FFParams {
        hbtype: i32,
        radius: f32,
        hphb: f32,
        elsc: f32,
    }

    #[derive(Clone, Copy, omp::Device)]
    struct Vec3 {
        x: f32,
        y: f32,
        z: f32,
    }

    #[omp::declare_target]
    impl std::ops::Sub for Vec3 {
        type Output = Self;
        fn sub(self, rhs: Self) -> Self {
            Self { x: self.x - rhs.x, y: self.y - rhs.y, z: self.z - rhs.z }
        }
    }

    #[omp::declare_target]
    impl Vec3 {
        fn norm(self) -> f32 {
            (self.x * self.x + self.y * self.y + self.z * self.z).sqrt()
        }
    }

    const HBTYPE_F: i32 = 70;
    const HBTYPE_E: i32 = 69;
    const HARDNESS: f32 = 38.0;
    const NPNPDIST: f32 = 5.5;
    const NPPDIST: f32 = 1.0;

    struct Deck {
        protein: Vec<Atom>,
        ligand: Vec<Atom>,
        forcefield: Vec<FFParams>,
        poses: [Vec<f32>; 6],
    }

    #[omp::offload]
    fn fasten(deck: &Deck, results: &mut [f32]) {
        let Deck { protein, ligand, forcefield, poses } = deck;
        let [rx, ry, rz, tx, ty, tz] = poses;
        #[omp::target(map(to: protein, ligand, forcefield, rx, ry, rz, tx, ty, tz), map(from: results))]
        for (ix, energy) in results.iter_mut().enumerate() {
            let (sx, cx) = rx[ix].sin_cos();
            let (sy, cy) = ry[ix].sin_cos();
            let (sz, cz) = rz[ix].sin_cos();
            let transform = [
                [cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz, tx[ix]],
                [cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz, ty[ix]],
                [-sy, sx * cy, cx * cy, tz[ix]],
            ];
            let mut etot = 0.0f32;
            for l in ligand.iter() {
                let lp = forcefield[l.kind as usize];
                let lhphb_ltz = lp.hphb < 0.0;
                let lhphb_gtz = lp.hphb > 0.0;
                let apply = |row: &[f32; 4]| row[3] + l.x * row[0] + l.y * row[1] + l.z * row[2];
                let lpos = Vec3 { x: apply(&transform[0]), y: apply(&transform[1]), z: apply(&transform[2]) };
                for p in protein {
                    let FFParams { hbtype, radius, hphb, elsc } = forcefield[p.kind as usize];
                    let radij = radius + lp.radius;
                    let r_radij = radij.recip();
                    let elcdst = if hbtype == HBTYPE_F && lp.hbtype == HBTYPE_F { 4.0 } else { 2.0 };
                    let distij = (lpos - Vec3 { x: p.x, y: p.y, z: p.z }).norm();
                    let distbb = distij - radij;
                    let zone1 = distbb < 0.0;
                    etot += (1.0 - distij * r_radij) * if zone1 { 2.0 * HARDNESS } else { 0.0 };
                    let mut chrg = lp.elsc * elsc * if zone1 { 1.0 } else { 1.0 - distbb / elcdst } * if distbb < elcdst { 1.0 } else { 0.0 };
                    if hbtype == HBTYPE_E || lp.hbtype == HBTYPE_E {
                        chrg = -chrg.abs();
                    }
                    etot += chrg;
                    let phphb_nz = hphb != 0.0;
                    let p_hphb = hphb * if lhphb_ltz && hphb > 0.0 { -1.0 } else { 1.0 };
                    let l_hphb = lp.hphb * match (lhphb_gtz, hphb < 0.0) {
                        (true, true) => -1.0,
                        _ => 1.0,
                    };
                    let distdslv = if hphb < 0.0 { NPNPDIST } else { NPPDIST };
                    let dslv_e = if distbb < distdslv && phphb_nz { 0.5 * (l_hphb + p_hphb) * (1.0 - distbb / distdslv).min(1.0) } else { 0.0 };
                    etot += dslv_e;
                }
            }
            *energy = etot * 0.5;
        }
    }

    pub fn run() -> Vec<f32> {
        let f = |i: usize, k: usize| ((i * 37 + k * 101) % 97) as f32 * 0.1;
        let deck = Deck {
            protein: (0..50).map(|i| Atom { x: f(i, 1), y: f(i, 2), z: f(i, 3), kind: (i % 4) as i32 }).collect(),
            ligand: (0..9).map(|i| Atom { x: f(i, 4), y: f(i, 5), z: f(i, 6), kind: (i % 4) as i32 }).collect(),
            forcefield: (0..4).map(|i| FFParams { hbtype: 69 + i % 3, radius: 1.0 + i as f32 * 0.2, hphb: i as f32 - 1.5, elsc: 0.3 }).collect(),
            poses: std::array::from_fn(|k| (0..70).map(|i| f(i, k + 7)).collect()),
        };
        let mut results = vec![0.0; 70];
        fasten(&deck, &mut results);
        results
    }
}
port!(minibude: run());
