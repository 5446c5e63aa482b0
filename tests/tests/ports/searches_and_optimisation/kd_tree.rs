//! A k-d tree's nearest neighbours, with the stack of the traversal in a struct.
use omp_tests::{Values, twice};

twice! {
    type Point = [i32; 3];

    #[derive(Clone, Copy, Debug, omp::Device)]
    pub struct Node { point: Point, left: i32, right: i32 }

    #[derive(Clone, Copy, omp::Device)]
    struct Stack<T, const N: usize> { items: [T; N], len: usize }

    #[omp::declare_target]
    impl<T: omp::Device, const N: usize> Stack<T, N> {
        fn new(fill: T) -> Self { Self { items: [fill; N], len: 0 } }
        fn push(&mut self, item: T) {
            self.items[self.len] = item;
            self.len += 1;
        }
        fn pop(&mut self) -> Option<T> {
            if self.len == 0 {
                return None;
            }
            self.len -= 1;
            Some(self.items[self.len])
        }
        fn is_empty(&self) -> bool { self.len == 0 }
    }

    #[omp::declare_target]
    fn dist2(a: &Point, b: &Point) -> i32 {
        (0..3).map(|k| a[k] - b[k]).map(|d| d * d).sum()
    }

    #[omp::declare_target]
    fn child(i: i32) -> Option<usize> {
        (i >= 0).then_some(i as usize)
    }

    #[omp::declare_target]
    fn nearest(tree: &[Node], q: &Point) -> (usize, i32) {
        let mut best = (usize::MAX, i32::MAX);
        let mut stack: Stack<(usize, usize, i32), 32> = Stack::new((0, 0, 0));
        stack.push((0, 0, 0));
        while let Some((i, axis, bound)) = stack.pop() {
            if bound > best.1 {
                continue;
            }
            let node = &tree[i];
            let d = dist2(&node.point, q);
            if (d, i) < (best.1, best.0) {
                best = (i, d);
            }
            let diff = q[axis] - node.point[axis];
            let (near, far) = if diff < 0 { (node.left, node.right) } else { (node.right, node.left) };
            let next = (axis + 1) % 3;
            if let Some(f) = child(far) {
                stack.push((f, next, diff * diff));
            }
            if let Some(n) = child(near) {
                stack.push((n, next, 0));
            }
        }
        debug_assert!(stack.is_empty());
        best
    }

    pub fn query_all(tree: &[Node], queries: &[Point]) -> Vec<(usize, i32)> {
        let mut out = vec![(0, 0); queries.len()];
        #[omp::target]
        for (o, q) in out.iter_mut().zip(queries) {
            *o = nearest(tree, q);
        }
        out
    }

    fn build(points: &mut [Point], axis: usize, nodes: &mut Vec<Node>) -> i32 {
        if points.is_empty() {
            return -1;
        }
        points.sort_by_key(|p| p[axis]);
        let m = points.len() / 2;
        let m = (0..=m).find(|&k| points[k][axis] == points[m][axis]).unwrap();
        let at = nodes.len();
        nodes.push(Node { point: points[m], left: -1, right: -1 });
        let (l, r) = points.split_at_mut(m);
        let left = build(l, (axis + 1) % 3, nodes);
        let right = build(&mut r[1..], (axis + 1) % 3, nodes);
        (nodes[at].left, nodes[at].right) = (left, right);
        at as i32
    }

    pub fn run() -> Vec<(usize, i32)> {
        let mut v = Values(8);
        let mut point = || [0; 3].map(|_| (v.bits() % 1000) as i32);
        let mut points: Vec<Point> = (0..200).map(|_| point()).collect();
        let queries: Vec<Point> = (0..100).map(|_| point()).collect();
        let mut nodes = vec![];
        build(&mut points, 0, &mut nodes);
        query_all(&nodes, &queries)
    }
}
port!(kd_tree: run());
