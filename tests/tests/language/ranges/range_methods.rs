//! Methods that return ranges, in the subscripts of other methods.
#![allow(clippy::all, clippy::pedantic, missing_docs)]
use omp_tests::{compare, twice};

twice! {
    use std::ops::Range;
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    pub struct NodeId(pub u32);
    #[omp::declare_target]
    impl NodeId { pub fn index(self) -> usize { self.0 as usize } }
    #[derive(Clone, Debug, omp::Mapper)]
    pub struct Csr { pub offsets: Vec<u32>, pub targets: Vec<NodeId> }
    #[omp::declare_target]
    impl Csr {
        fn span(&self, v: NodeId) -> Range<usize> {
            self.offsets[v.index()] as usize..self.offsets[v.index() + 1] as usize
        }
        pub fn neighbors(&self, v: NodeId) -> impl Iterator<Item = NodeId> + '_ {
            self.targets[self.span(v)].iter().copied()
        }
        pub fn row(&self, v: NodeId) -> &[NodeId] { &self.targets[self.span(v)] }
        fn a(&self, v: NodeId) -> usize { self.row(v).iter().map(|u| u.index()).sum() }
        fn b(&self, v: NodeId) -> usize { self.neighbors(v).map(|u| u.index()).sum() }
    }
    pub fn f1(g: &Csr, out: &mut [usize]) {
        #[omp::target]
        for v in 0..out.len() { out[v] = g.span(NodeId(v as u32)).len(); }
    }
    pub fn f2(g: &Csr, out: &mut [usize]) {
        #[omp::target]
        for v in 0..out.len() { out[v] = g.row(NodeId(v as u32)).iter().map(|u| u.index()).sum(); }
    }
    pub fn f3(g: &Csr, out: &mut [usize]) {
        #[omp::target]
        for v in 0..out.len() { out[v] = g.a(NodeId(v as u32)); }
    }
    pub fn f4(g: &Csr, out: &mut [usize]) {
        #[omp::target]
        for v in 0..out.len() { out[v] = g.neighbors(NodeId(v as u32)).map(|u| u.index()).sum(); }
    }
    pub fn f5(g: &Csr, out: &mut [usize]) {
        #[omp::target]
        for v in 0..out.len() { out[v] = g.b(NodeId(v as u32)); }
    }
    pub fn f6(g: &Csr, out: &mut [usize]) {
        #[omp::target]
        for v in 0..out.len() { let mut s = 0; for u in g.neighbors(NodeId(v as u32)) { s += u.index(); } out[v] = s; }
    }
}

#[test]
fn spans() {
    compare!(m, d => {
        omp::set_default_device(d);
        let g = m::Csr { offsets: vec![0, 2, 3, 3, 6], targets: [1, 3, 2, 0, 1, 2].iter().map(|&i| m::NodeId(i)).collect() };
        let mut o = vec![vec![0; 4]; 6];
        m::f1(&g, &mut o[0]); m::f2(&g, &mut o[1]); m::f3(&g, &mut o[2]); m::f4(&g, &mut o[3]); m::f5(&g, &mut o[4]); m::f6(&g, &mut o[5]);
        o
    });
}
