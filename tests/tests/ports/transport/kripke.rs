//! Kripke: moments of a discretised transport equation, two layouts.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Layout { Dgz, Zgd }

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Extent { directions: usize, groups: usize, zones: usize, layout: Layout }

    #[omp::declare_target]
    impl Extent {
        pub const fn len(&self) -> usize { self.directions * self.groups * self.zones }
        pub fn at(&self, d: usize, g: usize, z: usize) -> usize {
            match self.layout {
                Layout::Dgz => (d * self.groups + g) * self.zones + z,
                Layout::Zgd => (z * self.groups + g) * self.directions + d,
            }
        }
    }

    pub struct Field { extent: Extent, data: Vec<f64> }

    impl Field {
        pub fn zeros(extent: Extent) -> Self { Field { extent, data: vec![0.0; extent.len()] } }
        fn get(&self, d: usize, g: usize, z: usize) -> f64 { self.data[self.extent.at(d, g, z)] }
    }

    pub fn ltimes(phi: &mut [f64], ell: &[f64], psi: &Field, moments: usize) {
        let e = psi.extent;
        #[omp::target(collapse(3))]
        for nm in 0..moments {
            for g in 0..e.groups {
                for z in 0..e.zones {
                    let mut acc = 0.0;
                    for (d, l) in ell[nm * e.directions..(nm + 1) * e.directions].iter().enumerate() {
                        acc += l * psi.get(d, g, z);
                    }
                    phi[(nm * e.groups + g) * e.zones + z] += acc;
                }
            }
        }
    }

    pub fn scattering(out: &mut [f64], phi: &[f64], sigma: &[[f64; 3]; 3], material: &[u8], groups: usize, zones: usize) {
        #[omp::target]
        for z in 0..zones {
            let mat = material[z] as usize;
            for g in 0..groups {
                let mut total = 0.0;
                for gp in 0..groups {
                    let s = if gp <= g { sigma[mat][g - gp] } else { continue };
                    total += s * phi[gp * zones + z];
                }
                out[g * zones + z] = total;
            }
        }
    }

    pub fn run() -> (Vec<f64>, Vec<f64>) {
        let mut outs = Vec::new();
        let mut scattered = vec![0.0; 3 * 10];
        for layout in [Layout::Dgz, Layout::Zgd] {
            let mut psi = Field::zeros(Extent { directions: 4, groups: 3, zones: 10, layout });
            for (k, v) in psi.data.iter_mut().enumerate() { *v = (k % 13) as f64 * 0.25; }
            let ell: Vec<f64> = (0..8).map(|k| 1.0 / (k + 1) as f64).collect();
            let mut phi = vec![1.0; 2 * 3 * 10];
            ltimes(&mut phi, &ell, &psi, 2);
            let sigma = [[0.5, 0.2, 0.1], [0.25, 0.1, 0.0], [1.0, 0.5, 0.25]];
            let material: Vec<u8> = (0..10).map(|z| (z % 3) as u8).collect();
            scattering(&mut scattered, &phi[..30], &sigma, &material, 3, 10);
            outs.extend(phi);
        }
        (outs, scattered)
    }
}
port!(kripke: run());
