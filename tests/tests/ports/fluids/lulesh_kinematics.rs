//! LULESH-like Lagrangian hydro pieces: hexahedron volumes, characteristic lengths, nodal masses, Courant limit.
use omp_tests::twice;

type Real = f64;

twice! {
    use std::ops::{Add, Sub};

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Vec3 {
        pub x: Real,
        pub y: Real,
        pub z: Real,
    }

    #[omp::declare_target]
    impl Vec3 {
        pub const fn new(x: Real, y: Real, z: Real) -> Self {
            Vec3 { x, y, z }
        }
        fn dot(self, o: Self) -> Real {
            self.x * o.x + self.y * o.y + self.z * o.z
        }
        fn cross(self, o: Self) -> Self {
            Self::new(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
        }
    }
    #[omp::declare_target]
    impl Add for Vec3 {
        type Output = Self;
        fn add(self, o: Self) -> Self {
            Self::new(self.x + o.x, self.y + o.y, self.z + o.z)
        }
    }
    #[omp::declare_target]
    impl Sub for Vec3 {
        type Output = Self;
        fn sub(self, o: Self) -> Self {
            Self::new(self.x - o.x, self.y - o.y, self.z - o.z)
        }
    }

    #[derive(omp::Mapper)]
    pub struct Mesh {
        pub xyz: Vec<Vec3>,
        pub conn: Vec<[u32; 8]>,
    }

    impl Mesh {
        pub fn skewed_box(n: usize) -> Self {
            let np = n + 1;
            let id = |i: usize, j: usize, k: usize| ((k * np + j) * np + i) as u32;
            let mut xyz = Vec::with_capacity(np * np * np);
            let mut conn = Vec::with_capacity(n * n * n);
            for k in 0..np {
                for j in 0..np {
                    for i in 0..np {
                        let (x, y, z) = (i as Real, j as Real, k as Real);
                        xyz.push(Vec3::new(x + 0.1 * y, y + 0.05 * z * x, z * 1.25));
                        if i < n && j < n && k < n {
                            conn.push([
                                id(i, j, k), id(i + 1, j, k), id(i + 1, j + 1, k), id(i, j + 1, k),
                                id(i, j, k + 1), id(i + 1, j, k + 1), id(i + 1, j + 1, k + 1), id(i, j + 1, k + 1),
                            ]);
                        }
                    }
                }
            }
            Mesh { xyz, conn }
        }
    }

    const FACES: [[usize; 4]; 6] =
        [[0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

    #[omp::declare_target]
    fn hex_volume(p: &[Vec3; 8]) -> Real {
        let d = |a: usize, b: usize| p[a] - p[b];
        let triple = |a: Vec3, b: Vec3, c: Vec3| a.dot(b.cross(c));
        (triple(d(3, 1) + d(7, 2), d(6, 3), d(2, 0))
            + triple(d(4, 3) + d(5, 7), d(6, 4), d(7, 0))
            + triple(d(1, 4) + d(2, 5), d(6, 1), d(5, 0)))
            / 12.0
    }

    #[omp::declare_target]
    fn face_area([a, b, c, e]: [Vec3; 4]) -> Real {
        let (f, g) = ((c - a) - (e - b), (c - a) + (e - b));
        f.dot(f) * g.dot(g) - f.dot(g).powi(2)
    }

    #[omp::declare_target]
    fn char_length(p: &[Vec3; 8], volume: Real) -> Real {
        let area = FACES.iter().map(|f| face_area(f.map(|c| p[c]))).fold(0.0, Real::max);
        4.0 * volume / area.sqrt()
    }

    pub fn kinematics(mesh: &Mesh, vol: &mut [Real], arealg: &mut [Real]) {
        #[omp::target]
        for ((corners, v), len) in mesh.conn.iter().zip(vol.iter_mut()).zip(arealg.iter_mut()) {
            let p = corners.map(|n| mesh.xyz[n as usize]);
            *v = hex_volume(&p);
            *len = char_length(&p, *v);
        }
    }

    pub fn nodal_mass(mesh: &Mesh, vol: &[Real], mass: &mut [Real]) {
        #[omp::target]
        for (corners, &v) in mesh.conn.iter().zip(vol) {
            for &n in corners {
                #[omp::atomic]
                mass[n as usize] += v / 8.0;
            }
        }
    }

    pub fn courant(ss: &[Real], arealg: &[Real], vdov: &[Real]) -> Option<Real> {
        const QQC2: Real = 64.0 * 2.0 * 2.0;
        let mut dt = Real::MAX;
        #[omp::target(reduction(min: dt))]
        for i in 0..ss.len() {
            if vdov[i] == 0.0 {
                continue;
            }
            let mut dtf = ss[i] * ss[i];
            if vdov[i] < 0.0 {
                dtf += QQC2 * arealg[i].powi(2) * vdov[i].powi(2);
            }
            dt = dt.min(arealg[i] / dtf.sqrt());
        }
        (dt < Real::MAX).then_some(dt)
    }
}
port!(lulesh_kinematics: crate::Shown::of({
    let mesh = Mesh::skewed_box(5);
    let ne = mesh.conn.len();
    let (mut vol, mut len) = (vec![0.0; ne], vec![0.0; ne]);
    kinematics(&mesh, &mut vol, &mut len);
    let mut mass = vec![0.0; mesh.xyz.len()];
    nodal_mass(&mesh, &vol, &mut mass);
    let ss: Vec<f64> = (0..ne).map(|e| 1.0 + (e % 7) as f64 * 0.25).collect();
    let vdov: Vec<f64> = (0..ne).map(|e| (e % 5) as f64 - 2.0).collect();
    let dt = courant(&ss, &len, &vdov);
    let none = courant(&ss, &len, &vec![0.0; ne]).is_none();
    (vol, len, mass, dt, none)
}));
