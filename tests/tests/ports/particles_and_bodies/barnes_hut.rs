//! Barnes–Hut: forces by a traversal of a quadtree with an explicit stack.
use omp_tests::twice;

twice! {
    const NONE: u32 = u32::MAX;

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Node { cx: f64, cy: f64, mass: f64, size: f64, children: [u32; 4] }

    impl Node {
        fn empty(size: f64) -> Self { Node { cx: 0.0, cy: 0.0, mass: 0.0, size, children: [NONE; 4] } }
    }

    pub struct Tree { nodes: Vec<Node>, theta: f64 }

    impl Tree {
        pub fn full(depth: u32) -> Self {
            let mut t = Tree { nodes: vec![Node::empty(1.0)], theta: 0.6 };
            t.split(0, 0.0, 0.0, 1.0, depth);
            t
        }
        fn split(&mut self, n: usize, x: f64, y: f64, size: f64, depth: u32) {
            if depth == 0 {
                self.nodes[n] = Node { cx: x + size * 0.4, cy: y + size * 0.6, mass: 1.0 + x, ..Node::empty(size) };
                return;
            }
            let h = size / 2.0;
            for k in 0..4 {
                let c = self.nodes.len();
                self.nodes.push(Node::empty(h));
                self.nodes[n].children[k] = c as u32;
                self.split(c, x + (k % 2) as f64 * h, y + (k / 2) as f64 * h, h, depth - 1);
                let child = self.nodes[c];
                let me = &mut self.nodes[n];
                me.cx = (me.cx * me.mass + child.cx * child.mass) / (me.mass + child.mass);
                me.cy = (me.cy * me.mass + child.cy * child.mass) / (me.mass + child.mass);
                me.mass += child.mass;
            }
        }

        pub fn forces(&self, at: &[(f64, f64)]) -> Vec<(f64, f64)> {
            let mut out = vec![(0.0, 0.0); at.len()];
            #[omp::target]
            for (i, &(x, y)) in at.iter().enumerate() {
                let mut stack = [NONE; 64];
                stack[0] = 0;
                let mut top = 1usize;
                let mut force = (0.0, 0.0);
                while top > 0 {
                    top -= 1;
                    let node = self.nodes[stack[top] as usize];
                    let (dx, dy) = (node.cx - x, node.cy - y);
                    let d2 = dx * dx + dy * dy + 1e-6;
                    let leaf = node.children.iter().all(|&c| c == NONE);
                    if leaf || node.size * node.size < self.theta * self.theta * d2 {
                        let f = node.mass / (d2 * d2.sqrt());
                        force.0 += f * dx;
                        force.1 += f * dy;
                    } else {
                        for &c in node.children.iter().filter(|&&c| c != NONE) {
                            stack[top] = c;
                            top += 1;
                        }
                    }
                }
                out[i] = force;
            }
            out
        }
    }
}
port!(barnes_hut: Tree::full(3).forces(&[(0.1, 0.2), (0.9, 0.4), (2.0, -1.0), (0.5, 0.5)]));
