//! What a pattern binds by reference is a copy on a device: a change of it that can't be brought back is an error.
#[omp::offload]
fn guarded(x: &mut [i32]) {
    #[omp::target]
    for part in x.chunks_mut(4) {
        match part {
            [first, ..] if *first > 3 => *first += 100,
            _ => {}
        }
    }
}

#[omp::offload]
fn looked_at(o: &mut [i32]) {
    #[omp::target]
    for i in 0..o.len() {
        let mut q = Some(i as i32);
        if let Some(v) = &mut q {
            *v += 1;
            if matches!(q, Some(3)) {
                o[i] = 1;
            }
        }
    }
}

fn main() {}
