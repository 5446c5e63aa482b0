//! A conflict of two accesses tells the place of both.
#[derive(Clone, Copy, omp::Device)]
struct Edge {
    from: usize,
    to: usize,
}

#[omp::offload]
fn in_one_line(edges: &[Edge], depth: &mut [u32]) {
    #[omp::target]
    for e in 0..edges.len() {
        depth[edges[e].from] = depth[edges[e].to] + 1;
    }
}

#[omp::offload]
fn in_two(edges: &[Edge], depth: &mut [u32]) {
    #[omp::target]
    for e in 0..edges.len() {
        let d = depth[edges[e].to];
        depth[edges[e].from] = d + 1;
    }
}

/// Both updates need what the help says of one.
#[omp::offload]
fn both_updated(edges: &[Edge], flow: &mut [f32]) {
    #[omp::target]
    for e in 0..edges.len() {
        flow[edges[e].from] += 1.0;
        flow[edges[e].to] -= 1.0;
    }
}

fn main() {
    in_one_line(&[], &mut []);
    in_two(&[], &mut []);
}
