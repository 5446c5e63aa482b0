//! Rays through a chunk of blocks from plane to plane, and light of the faces that are free.
use omp_tests::{Values, twice};
twice! {
    const CHUNK: usize = 16;
    pub type Block = u8;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Ray { origin: [f32; 3], dir: [f32; 3] }

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Hit { cell: [i32; 3], face: i8, distance: f32, block: Block }

    pub struct Chunk { blocks: Box<[Block]> }

    #[omp::declare_target]
    impl Chunk {
        fn get(&self, [x, y, z]: [i32; 3]) -> Option<Block> {
            let inside = [x, y, z].iter().all(|&c| (0..CHUNK as i32).contains(&c));
            inside.then(|| self.blocks[(z as usize * CHUNK + y as usize) * CHUNK + x as usize])
        }
        fn is_solid(&self, cell: [i32; 3]) -> bool {
            matches!(self.get(cell), Some(b) if b != 0)
        }
        fn cast(&self, ray: &Ray, reach: f32) -> Option<Hit> {
            let mut cell = ray.origin.map(|c| c.floor() as i32);
            let step = ray.dir.map(|d| if d > 0.0 { 1 } else if d < 0.0 { -1 } else { 0 });
            let delta = ray.dir.map(|d| if d == 0.0 { f32::INFINITY } else { d.recip().abs() });
            let mut t_max: [f32; 3] = std::array::from_fn(|a| {
                let frac = ray.origin[a] - ray.origin[a].floor();
                match step[a] {
                    1 => (1.0 - frac) * delta[a],
                    -1 => frac * delta[a],
                    _ => f32::INFINITY,
                }
            });
            let mut face = -1i8;
            let mut distance = 0.0;
            while distance <= reach {
                match self.get(cell) {
                    Some(0) | None => {}
                    Some(block) => return Some(Hit { cell, face, distance, block }),
                }
                let axis = (0..3).min_by(|&a, &b| t_max[a].total_cmp(&t_max[b])).unwrap();
                distance = t_max[axis];
                t_max[axis] += delta[axis];
                cell[axis] += step[axis];
                face = (2 * axis) as i8 + (step[axis] > 0) as i8;
            }
            None
        }
        fn light(&self, cell: [i32; 3]) -> u8 {
            const NEIGHBOURS: [[i32; 3]; 6] = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
            NEIGHBOURS
                .iter()
                .map(|o| [cell[0] + o[0], cell[1] + o[1], cell[2] + o[2]])
                .filter(|&c| !self.is_solid(c))
                .count() as u8
        }
    }

    #[omp::offload]
    pub fn cast_all(chunk: &Chunk, rays: &[Ray]) -> (Vec<u8>, Vec<f32>, usize) {
        let mut lights = vec![255; rays.len()];
        let mut depth = vec![f32::MAX; rays.len()];
        let mut misses = 0;
        #[omp::target(map(to: rays), reduction(+: misses))]
        for ((ray, light), depth) in rays.iter().zip(&mut lights).zip(depth.iter_mut()) {
            let Some(Hit { cell, face, distance, .. }) = chunk.cast(ray, 24.0) else {
                misses += 1;
                continue;
            };
            *light = chunk.light(cell) * 8 + (face + 1) as u8;
            *depth = distance;
        }
        (lights, depth, misses)
    }

    #[omp::offload]
    pub fn count_faces(chunk: &Chunk) -> [u32; 2] {
        let mut faces = 0;
        let mut solid = 0;
        #[omp::target(collapse(3), reduction(+: faces, solid))]
        for z in 0..CHUNK as i32 {
            for y in 0..CHUNK as i32 {
                for x in 0..CHUNK as i32 {
                    if chunk.is_solid([x, y, z]) {
                        faces += u32::from(chunk.light([x, y, z]));
                        solid += 1;
                    }
                }
            }
        }
        [faces, solid]
    }

    pub fn run() -> (Vec<u8>, Vec<f32>, usize, [u32; 2]) {
        let mut v = Values(3);
        let blocks = (0..CHUNK * CHUNK * CHUNK).map(|_| if v.unit() < 0.1 { (v.bits() % 5 + 1) as u8 } else { 0 }).collect();
        let chunk = Chunk { blocks };
        let rays: Vec<Ray> = (0..50).map(|k| Ray {
            origin: [v.unit() as f32 * 16.0, v.unit() as f32 * 16.0, v.unit() as f32 * 16.0],
            dir: [v.unit() as f32 - 0.5, if k % 7 == 0 { 0.0 } else { v.unit() as f32 - 0.5 }, v.unit() as f32 - 0.5],
        }).collect();
        let (l, d, m) = cast_all(&chunk, &rays);
        (l, d, m, count_faces(&chunk))
    }
}
port!(voxel_rays: run());
