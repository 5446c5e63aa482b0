//! Another variable of the name of what a data region maps, where the region is left.
static TABLE: [u32; 2] = [7, 8];

#[omp::offload]
fn by_let(y: &mut [u32]) -> u32 {
    #[omp::target_data(map(tofrom: y))]
    {
        let y = [5u32; 4];
        return y[0];
    }
}

#[omp::offload]
fn by_a_condition(y: &mut [u32], o: Option<u32>) -> u32 {
    #[omp::target_data(map(tofrom: y))]
    {
        if let Some(y) = o {
            return y;
        }
    }
    0
}

#[omp::offload]
fn by_a_pattern(y: &mut [u32], o: Option<u32>) -> Option<u32> {
    #[omp::target_data(map(tofrom: y))]
    {
        match o {
            Some(y) if y > 1 => return o,
            y => {
                y?;
            }
        }
    }
    None
}

#[omp::offload]
fn by_a_loop(y: &mut [u32], n: u32) {
    'all: for k in 0..n {
        #[omp::target_data(map(tofrom: y))]
        for y in 0..k {
            if y == 2 {
                continue 'all;
            }
        }
    }
}

#[omp::offload]
fn by_an_item(y: &mut [u32], n: u32) -> u32 {
    #[omp::target_data(map(tofrom: y))]
    {
        if n == 1 {
            return 1;
        }
        use TABLE as y;
        let _ = y[0];
    }
    0
}

#[omp::offload(try)]
fn where_it_fails(y: &mut [u32], x: &mut [u32]) -> Result<(), omp::Error> {
    #[omp::target_data(map(tofrom: y))]
    {
        let y = [1u32; 4];
        #[omp::target]
        for i in 0..4 {
            x[i] = y[i];
        }
    }
    Ok(())
}

/// What stands there is the mapped one, or the region is not left.
#[omp::offload]
fn fine(y: &mut [u32], o: Option<u32>) -> u32 {
    #[omp::target_data(map(tofrom: y))]
    {
        {
            let y = [1, 2];
            let _ = y[0];
        }
        let twice = |y: u32| if y == 1 { return 2 } else { 2 * y };
        let Some(y) = o else { return twice(3) };
        let _ = y;
    }
    0
}

fn main() {}
