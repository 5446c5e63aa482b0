//! Voxels: Morton codes, an implicit octree level by level, and traversal with a small stack.
use omp_tests::twice;

twice! {
    #[omp::declare_target]
    const fn spread(v: u32) -> u32 {
        let mut x = v & 0x3ff;
        x = (x | x << 16) & 0x30000ff;
        x = (x | x << 8) & 0x300f00f;
        x = (x | x << 4) & 0x30c30c3;
        (x | x << 2) & 0x9249249
    }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, omp::Device)]
    pub struct Morton(u32);

    #[omp::declare_target]
    impl From<[u32; 3]> for Morton {
        fn from([x, y, z]: [u32; 3]) -> Self { Morton(spread(x) | spread(y) << 1 | spread(z) << 2) }
    }

    pub fn codes(points: &[[f32; 3]], scale: f32) -> Vec<Morton> {
        let mut out = vec![Morton(0); points.len()];
        #[omp::target]
        for (o, p) in out.iter_mut().zip(points) {
            *o = Morton::from(p.map(|v| (v * scale) as u32));
        }
        out
    }

    #[derive(Clone, Copy, Debug, omp::Device)]
    #[repr(u8)]
    pub enum Node {
        Empty,
        Leaf { first: u32, count: u32 },
        Inner { children: [u32; 8] },
    }

    pub struct Octree { nodes: Vec<Node>, depth: u32, points: Vec<[f32; 3]> }

    fn build(nodes: &mut Vec<Node>, codes: &[Morton], first: usize, level: u32) -> u32 {
        let id = nodes.len() as u32;
        nodes.push(Node::Empty);
        if codes.is_empty() {
            return id;
        }
        if codes.len() <= 3 || level == 0 {
            nodes[id as usize] = Node::Leaf { first: first as u32, count: codes.len() as u32 };
            return id;
        }
        let mut children = [0; 8];
        let mut from = 0;
        for (octant, child) in children.iter_mut().enumerate() {
            let to = codes.partition_point(|c| (c.0 >> (3 * (level - 1)) & 7) as usize <= octant).max(from);
            *child = build(nodes, &codes[from..to], first + from, level - 1);
            from = to;
        }
        nodes[id as usize] = Node::Inner { children };
        id
    }

    impl Octree {
        /// How many points are within `radius` of each query.
        pub fn count_within(&self, queries: &[[f32; 3]], radius: f32) -> Vec<u32> {
            let mut out = vec![0; queries.len()];
            let side = (1u32 << self.depth) as f32;
            #[omp::target]
            for (count, q) in out.iter_mut().zip(queries) {
                let mut stack = [(0u32, [0.0f32; 3], 0.0f32); 64];
                let mut top = 0;
                stack[top] = (0, [0.0; 3], side);
                top += 1;
                while top > 0 {
                    top -= 1;
                    let (id, corner, size) = stack[top];
                    let mut d2 = 0.0;
                    for k in 0..3 {
                        let nearest = q[k].clamp(corner[k], corner[k] + size);
                        d2 += (q[k] - nearest).powi(2);
                    }
                    if d2 > radius * radius {
                        continue;
                    }
                    match self.nodes[id as usize] {
                        Node::Empty => {}
                        Node::Leaf { first, count: n } => {
                            for p in &self.points[first as usize..(first + n) as usize] {
                                let d2: f32 = p.iter().zip(q).map(|(a, b)| (a - b) * (a - b)).sum();
                                if d2 <= radius * radius {
                                    *count += 1;
                                }
                            }
                        }
                        Node::Inner { children } => {
                            let half = size / 2.0;
                            for (octant, &child) in children.iter().enumerate() {
                                let mut c = corner;
                                for k in 0..3 {
                                    if octant >> k & 1 == 1 {
                                        c[k] += half;
                                    }
                                }
                                stack[top] = (child, c, half);
                                top += 1;
                            }
                        }
                    }
                }
            }
            out
        }
    }

    pub fn run() -> (Vec<u32>, Vec<u32>) {
        let mut points: Vec<[f32; 3]> = (0..90).map(|i| [(i * 37 % 61) as f32 / 4.0, (i * 53 % 59) as f32 / 4.0, (i * 29 % 47) as f32 / 4.0]).collect();
        let c = codes(&points, 1.0);
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by_key(|&i| c[i]);
        points = order.iter().map(|&i| points[i]).collect();
        let sorted: Vec<Morton> = order.iter().map(|&i| c[i]).collect();
        let mut nodes = vec![];
        build(&mut nodes, &sorted, 0, 4);
        let t = Octree { nodes, depth: 4, points };
        let queries: Vec<[f32; 3]> = t.points.iter().step_by(3).copied().collect();
        (t.count_within(&queries, 4.0), c.iter().map(|m| m.0).collect())
    }
}
port!(octree_voxels: run());
