//! Macros of the user's that could make a reference refer to something else, while tasks use what it referred to.
macro_rules! set {
    ($place:expr, $value:expr) => {
        $place = $value
    };
}


macro_rules! println {
    ($place:ident, $value:expr) => {
        $place = $value
    };
}

macro_rules! bind {
    ($name:ident, $value:expr) => {
        let $name = $value;
    };
}

macro_rules! bump {
    ($place:expr) => {
        $place += 1
    };
}

struct Part<'a> {
    x: &'a mut [f32],
    count: u32,
}

#[omp::offload]
fn expressions(y: &mut [f32], b: &mut [f32], c: &mut [f32]) {
    let mut z = &mut y[..];
    #[omp::target(nowait)]
    for i in 0..z.len() {
        z[i] = 1.0;
    }
    let _ = set!(z, b);
    let _ = match z.len() {
        0 => (),
        _ => println!(z, c),
    };
    z[0] = 2.0;
}

#[omp::offload]
fn by_itself(y: &mut [f32], b: &mut [f32]) {
    let mut z = &mut y[..];
    macro_rules! other {
        ($($value:expr),*) => { (z,) = ($($value,)*) };
    }
    macro_rules! indirectly {
        ($value:expr) => { other!($value) };
    }
    #[omp::target(nowait)]
    for i in 0..z.len() {
        z[i] = 1.0;
    }
    indirectly!(b);
    z[0] = 2.0;
}

impl<'a> Part<'a> {
    #[omp::offload]
    fn fields(&mut self, b: &'a mut [f32]) {
        #[omp::target(nowait)]
        for i in 0..self.x.len() {
            self.x[i] = 1.0;
        }
        {
            set!(self.x, b);
        }
        self.x[0] = 2.0;
    }
}

/// These are right.
#[omp::offload]
fn right(part: &mut Part<'_>, y: &mut [u32]) -> u32 {
    macro_rules! first {
        () => {
            y[0]
        };
    }
    let before = first!();
    #[omp::target(nowait)]
    for i in 0..y.len() {
        y[i] = 1;
    }
    #[omp::target(nowait)]
    for i in 0..part.x.len() {
        part.x[i] = 1.0;
    }
    let other = {
        bind!(y, [7; 3]);
        bump!(part.count);
        y[2]
    };
    let last = y[1];
    omp::taskwait!();
    set!(y[0], 3);
    before + other + last + first!()
}

fn main() {}
