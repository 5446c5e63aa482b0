//! miniBUDE: docking energies of poses.
use omp_tests::twice;

twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(i32)]
    pub enum Hbtype { F = 70, E = 69, N = 78 }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Atom { x: f32, y: f32, z: f32, ty: u32 }
    #[derive(Clone, Copy, omp::Device)]
    pub struct FfParams { hbtype: Hbtype, radius: f32, hphb: f32, elsc: f32 }
    #[derive(Clone, Copy, omp::Device)]
    pub struct Pose { rot: [f32; 3], tr: [f32; 3] }

    pub struct Deck { protein: Vec<Atom>, ligand: Vec<Atom>, forcefield: Vec<FfParams>, poses: Vec<Pose> }

    #[omp::declare_target]
    impl Pose {
        fn matrix(&self) -> [[f32; 4]; 3] {
            let [(sx, cx), (sy, cy), (sz, cz)] = self.rot.map(f32::sin_cos);
            let [tx, ty, tz] = self.tr;
            [
                [cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz, tx],
                [cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz, ty],
                [-sy, sx * cy, cx * cy, tz],
            ]
        }
    }

    impl Deck {
        pub fn fasten(&self) -> Vec<f32> {
            const HARDNESS: f32 = 38.0;
            const NPNPDIST: f32 = 5.5;
            const NPPDIST: f32 = 1.0;
            let mut etot = vec![0.0; self.poses.len()];
            #[omp::target]
            for (pose, energy) in self.poses.iter().zip(etot.iter_mut()) {
                let t = pose.matrix();
                let mut e = 0.0;
                for l in &self.ligand {
                    let lp = self.forcefield[l.ty as usize];
                    let lhphb_ltz = lp.hphb < 0.0;
                    let lhphb_gtz = lp.hphb > 0.0;
                    let at = t.map(|r| r[3] + l.x * r[0] + l.y * r[1] + l.z * r[2]);
                    for p in self.protein.iter() {
                        let pp = &self.forcefield[p.ty as usize];
                        let radij = pp.radius + lp.radius;
                        let r_radij = radij.recip();
                        let elcdst = if pp.hbtype == Hbtype::F && lp.hbtype == Hbtype::F { 4.0 } else { 2.0 };
                        let elcdst1 = match (pp.hbtype, lp.hbtype) { (Hbtype::F, Hbtype::F) => 0.25, _ => 0.5 };
                        let type_e = matches!(pp.hbtype, Hbtype::E) || matches!(lp.hbtype, Hbtype::E);
                        let phphb_nz = pp.hphb != 0.0;
                        let p_hphb = pp.hphb * if phphb_nz && lhphb_gtz { -1.0 } else { 1.0 };
                        let l_hphb = lp.hphb * if phphb_nz && lhphb_ltz { -1.0 } else { 1.0 };
                        let distdslv = if lhphb_ltz { if p_hphb < 0.0 { NPNPDIST } else { NPPDIST } } else { NPPDIST };
                        let r_distdslv = 1.0 / distdslv;
                        let chrg_init = lp.elsc * pp.elsc;
                        let dslv_init = p_hphb + l_hphb;
                        let distij = ((at[0] - p.x).powi(2) + (at[1] - p.y).powi(2) + (at[2] - p.z).powi(2)).sqrt();
                        let distbb = distij - radij;
                        let zone1 = distbb < 0.0;
                        if zone1 { e += (1.0 - distij * r_radij) * 2.0 * HARDNESS; }
                        let mut chrg_e = chrg_init * if zone1 { 1.0 } else { 1.0 - distbb * elcdst1 } * if distbb < elcdst { 1.0 } else { 0.0 };
                        if type_e { chrg_e = -chrg_e.abs(); }
                        e += chrg_e * 45.0;
                        let coeff = 1.0 - distbb * r_distdslv;
                        let dslv = dslv_init * if distbb < distdslv && phphb_nz { 1.0 } else { 0.0 };
                        e += dslv * if zone1 { 1.0 } else { coeff };
                    }
                }
                *energy = e * 0.5;
            }
            etot
        }
    }
    pub fn run() -> Vec<f32> {
        let atom = |i: usize| Atom { x: (i * 7 % 11) as f32 * 0.8, y: (i * 5 % 13) as f32 * 0.7, z: (i * 3 % 7) as f32, ty: (i % 3) as u32 };
        let deck = Deck {
            protein: (0..20).map(atom).collect(),
            ligand: (3..9).map(atom).collect(),
            forcefield: [Hbtype::F, Hbtype::E, Hbtype::N].into_iter().zip([-1.0, 0.0, 1.2]).map(|(hbtype, hphb)| FfParams { hbtype, radius: 1.0 + hphb * 0.1, hphb, elsc: 0.3 - hphb * 0.2 }).collect(),
            poses: (0..25).map(|i| Pose { rot: [0.1 * i as f32, 0.2, 0.05 * i as f32], tr: [0.3, i as f32 * 0.1, -0.4] }).collect(),
        };
        deck.fasten()
    }
}
port!(bude_score: run());
