//! miniMD's neighbour lists: atoms are sorted into cells; each atom's list has those within the cutoff.
use omp_tests::{Values, twice};

twice! {
    const MAX_NEIGHBOURS: usize = 48;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Atom { pub pos: [i32; 3], pub kind: u8 }

    #[derive(Clone, Copy)]
    pub struct Cells { pub dims: [i32; 3], pub size: i32 }

    #[omp::declare_target]
    fn distance2(a: &Atom, b: &Atom) -> i32 {
        a.pos.iter().zip(&b.pos).map(|(p, q)| (p - q) * (p - q)).sum()
    }

    pub fn build(atoms: &[Atom], cell_start: &[usize], cell_atoms: &[u32], dims: [i32; 3], size: i32, cutoff: [[i32; 2]; 2])
        -> (Vec<u32>, Vec<usize>)
    {
        let n = atoms.len();
        let mut list = vec![0u32; n * MAX_NEIGHBOURS];
        let mut count = vec![0usize; n];
        #[omp::target]
        for i in 0..n {
            let me = atoms[i];
            let home = me.pos.map(|c| c / size);
            let mut n = 0;
            for dz in -1..=1 {
                for dy in -1..=1 {
                    for dx in -1..=1 {
                        let [x, y, z] = [home[0] + dx, home[1] + dy, home[2] + dz];
                        if x < 0 || y < 0 || z < 0 || x >= dims[0] || y >= dims[1] || z >= dims[2] {
                            continue;
                        }
                        let cell = ((z * dims[1] + y) * dims[0] + x) as usize;
                        for &j in &cell_atoms[cell_start[cell]..cell_start[cell + 1]] {
                            if j as usize == i {
                                continue;
                            }
                            let other = &atoms[j as usize];
                            let c = cutoff[me.kind as usize][other.kind as usize];
                            if distance2(&me, other) <= c * c {
                                list[i * MAX_NEIGHBOURS + n] = j;
                                n += 1;
                            }
                        }
                    }
                }
            }
            count[i] = n;
        }
        (list, count)
    }

    pub fn run() -> (Vec<u32>, Vec<usize>) {
        let mut v = Values(6);
        let (dims, size) = ([4, 3, 5], 10);
        let atoms: Vec<Atom> = (0..300)
            .map(|_| Atom { pos: dims.map(|d| (v.bits() % (d * size) as u32) as i32), kind: (v.bits() & 1) as u8 })
            .collect();
        let cell = |a: &Atom| {
            let [x, y, z] = a.pos.map(|c| c / size);
            ((z * dims[1] + y) * dims[0] + x) as usize
        };
        let cells = dims.iter().product::<i32>() as usize;
        let mut bins = vec![vec![]; cells];
        atoms.iter().enumerate().for_each(|(i, a)| bins[cell(a)].push(i as u32));
        let mut start = vec![0];
        bins.iter().for_each(|b| start.push(start.last().unwrap() + b.len()));
        build(&atoms, &start, &bins.concat(), dims, size, [[8, 7], [7, 6]])
    }
}
port!(neighbour_list: run());
