//! Range counts in a quadtree with a generic stack of fixed capacity.
use omp_tests::{Values, twice};
twice! {
    /// A stack without allocation.
    #[derive(Clone, Copy, omp::Device)]
    pub struct ArrayStack<T: omp::Device, const N: usize> { items: [T; N], len: usize }

    #[omp::declare_target]
    impl<T: omp::Device + Default, const N: usize> ArrayStack<T, N> {
        fn new() -> Self { Self { items: [T::default(); N], len: 0 } }
        fn push(&mut self, item: T) -> Result<(), T> {
            if self.len == N {
                return Err(item);
            }
            self.items[self.len] = item;
            self.len += 1;
            Ok(())
        }
        fn pop(&mut self) -> Option<T> {
            self.len = self.len.checked_sub(1)?;
            Some(self.items[self.len])
        }
        fn is_empty(&self) -> bool { self.len == 0 }
    }

    #[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
    pub struct Rect { min: [f32; 2], max: [f32; 2] }

    #[omp::declare_target]
    impl Rect {
        fn contains(&self, p: [f32; 2]) -> bool { (0..2).all(|k| self.min[k] <= p[k] && p[k] < self.max[k]) }
        fn covers(&self, o: &Rect) -> bool { (0..2).all(|k| self.min[k] <= o.min[k] && o.max[k] <= self.max[k]) }
        fn intersects(&self, o: &Rect) -> bool { !(0..2).any(|k| o.max[k] <= self.min[k] || self.max[k] <= o.min[k]) }
        fn quadrant(&self, q: usize) -> Rect {
            let mid: [f32; 2] = std::array::from_fn(|k| 0.5 * (self.min[k] + self.max[k]));
            let mut r = *self;
            for k in 0..2 {
                if q >> k & 1 == 0 { r.max[k] = mid[k] } else { r.min[k] = mid[k] }
            }
            r
        }
    }

    #[derive(Clone, Copy, Default, omp::Device)]
    pub struct Node { first_child: Option<u32>, start: u32, end: u32 }

    fn build(points: &mut [[f32; 2]], offset: usize, bounds: Rect, depth: u32, nodes: &mut Vec<Node>, at: usize) {
        nodes[at].start = offset as u32;
        nodes[at].end = (offset + points.len()) as u32;
        if points.len() <= 3 || depth == 0 {
            return;
        }
        let q_of = |p: &[f32; 2]| (0..4).position(|q| bounds.quadrant(q).contains(*p)).unwrap();
        points.sort_by_key(q_of);
        let first = nodes.len();
        nodes[at].first_child = Some(first as u32);
        nodes.extend([Node::default(); 4]);
        let mut lo = 0;
        for q in 0..4 {
            let hi = lo + points[lo..].iter().take_while(|p| q_of(p) == q).count();
            build(&mut points[lo..hi], offset + lo, bounds.quadrant(q), depth - 1, nodes, first + q);
            lo = hi;
        }
    }

    pub fn range_counts(nodes: &[Node], points: &[[f32; 2]], world: Rect, queries: &[Rect]) -> Vec<u32> {
        let mut counts = vec![0; queries.len()];
        #[omp::target]
        for (count, query) in counts.iter_mut().zip(queries) {
            let mut stack = ArrayStack::<(u32, Rect), 40>::new();
            stack.push((0, world)).unwrap();
            while let Some((index, bounds)) = stack.pop() {
                let node = &nodes[index as usize];
                if !query.intersects(&bounds) {
                    continue;
                }
                if query.covers(&bounds) {
                    *count += node.end - node.start;
                } else if let Some(first) = node.first_child {
                    for q in 0..4 {
                        if stack.push((first + q, bounds.quadrant(q as usize))).is_err() {
                            panic!("the stack is full");
                        }
                    }
                } else {
                    let leaf = &points[node.start as usize..node.end as usize];
                    *count += leaf.iter().filter(|p| query.contains(**p)).count() as u32;
                }
            }
            debug_assert!(stack.is_empty());
        }
        counts
    }

    pub fn run() -> Vec<u32> {
        let mut v = Values(12);
        let world = Rect { min: [0.0; 2], max: [1.0; 2] };
        let mut points: Vec<[f32; 2]> = (0..300).map(|_| [v.unit() as f32, (v.unit() * v.unit()) as f32]).collect();
        let mut nodes = vec![Node::default()];
        build(&mut points, 0, world, 7, &mut nodes, 0);
        let queries: Vec<Rect> = (0..25).map(|_| {
            let (x, y, w, h) = (v.unit() as f32, v.unit() as f32, v.unit() as f32, v.unit() as f32);
            Rect { min: [x - w / 2.0, y - h / 2.0], max: [x + w / 2.0, y + h / 2.0] }
        }).collect();
        let got = range_counts(&nodes, &points, world, &queries);
        assert!(queries.iter().zip(&got).all(|(q, &c)| points.iter().filter(|p| q.contains(**p)).count() == c as usize));
        got
    }
}
port!(quadtree: run());
