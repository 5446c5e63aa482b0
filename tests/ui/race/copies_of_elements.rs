//! Elements of copies that an iteration reads and may not have assigned itself.

const N: usize = 4;

#[derive(Clone, Copy, omp::Device)]
struct Counter {
    n: i32,
}

#[omp::declare_target]
impl Counter {
    fn count(&mut self) {
        self.n += 1;
    }
}

/// Other subscripts, or others by then.
#[omp::offload]
fn elsewhere(out: &mut [u32], mut a: [u32; 4], mut b: [u32; 4], mut c: [u32; 4]) {
    #[omp::target(private(a, b, c))]
    for i in 0..out.len() {
        a[i % 2] = 1;
        out[i] = a[(i + 1) % 2];
        let mut k = i % 4;
        b[k] = 2;
        k = (k + 1) % 4;
        out[i] += b[k];
        let k = 1;
        c[k] = 3;
        {
            let k = 2;
            out[i] += c[k];
            c[k] = 4;
        }
    }
}

/// Loops that leave some out.
#[omp::offload]
fn some(out: &mut [u32], mut a: [u32; 4], mut b: [u32; 4], mut c: [u32; 4], mut d: [[u32; 4]; 4]) {
    #[omp::target(private(a, b, c, d))]
    for i in 0..out.len() {
        for k in 0..i % 3 {
            a[k] = 1;
        }
        out[i] = a[1];
        for k in 0..4 {
            if k != i {
                b[k] = 2;
            }
        }
        out[i] += b[i % 4];
        for k in (0..4).step_by(2) {
            c[k] = 3;
        }
        out[i] += c[1];
        c[1] = 4;
        for r in 0..4 {
            for k in 0..r {
                d[r][k] = 5;
            }
        }
        for r in 0..4 {
            out[i] += d[r][3];
        }
        d[0][3] = 6;
    }
}

/// What a later round assigns, or this one behind it.
#[omp::offload]
fn rounds(out: &mut [u32], mut a: [u32; 5], mut b: [u32; 4], mut c: [u32; 4]) {
    #[omp::target(private(a, b, c))]
    for i in 0..out.len() {
        for k in 0..4 {
            out[i] += a[k + 1];
            a[k] = 1;
            if k > 0 {
                out[i] += b[k];
            }
            b[k] = 2;
        }
        for r in 0..i % 3 {
            out[i] += c[r];
            for k in 0..4 {
                c[k] = 3;
            }
        }
    }
}

/// Bounds that change.
#[omp::offload]
#[allow(unused_assignments)]
fn bounds(out: &mut [u32], mut a: [u32; 8], mut m: usize) {
    #[omp::target(private(a, m))]
    for i in 0..out.len() {
        m = 2 + i % 3;
        for k in 0..m {
            a[k] = 1;
        }
        m = 5;
        for k in 0..m {
            out[i] += a[k];
        }
    }
}

/// A `break` leaves rounds out; casts and sums may have other values than they look like; a carried value changes.
#[omp::offload]
fn not_as_it_looks(y: &mut [i32]) {
    let (mut a, mut b, mut c) = ([1; 4], [2; 4], [3; 4]);
    #[omp::target(private(a))]
    for i in 0..y.len() {
        for k in 0..4 {
            a[k] = 1;
            if k + i % 5 == 3 {
                break;
            }
        }
        y[i] = a[3];
    }
    #[omp::target(private(b))]
    for i in 0..y.len() {
        for k in -2..1i32 {
            for j in (k as usize)..4 {
                b[j] = 1;
            }
            y[i] += b[0];
        }
    }
    let mut s = 0usize;
    #[omp::target(private(c), scan(+: s))]
    for i in 0..y.len() {
        for k in 0..s {
            c[k] = 1;
        }
        s += i % 2;
        for k in 0..s {
            y[i] += c[k];
        }
    }
}

/// Subscripts are evaluated in order; a method may change the element that it is called on; another const has the length's name.
#[omp::offload]
fn in_order(y: &mut [i32], z: &[[i32; 2]; 2]) {
    let (mut t, mut p, mut a) = (1, [Counter { n: 0 }; 2], [7; N]);
    #[omp::target(private(t, p))]
    for i in 0..y.len() {
        y[i] = z[t][{
            t = i % 2;
            0
        }];
        y[i] += p[0].n;
        if i > 3 {
            p[0].count()
        }
    }
    {
        const N: usize = 2;
        #[omp::target(private(a))]
        for i in 0..y.len() {
            for k in 0..N {
                a[k] = i as i32;
            }
            y[i] += a[i % 4];
            a[3] = 9;
        }
    }
}

/// What an inner loop's copies start from, and what they leave alone.
#[omp::offload]
fn inner(y: &mut [i32]) {
    let (mut a, mut b) = ([7; 4], [7; 4]);
    #[omp::target(private(a, b))]
    for i in 0..y.len() / 3 {
        a[0] = 1;
        a[1] = 1;
        #[omp::parallel_for(firstprivate(a))]
        for j in 0..3 {
            for k in 0..2 {
                a[k] = j as i32;
            }
            y[i * 3 + j] = a[3] + a[0];
        }
        a[3] = i as i32;
        #[omp::simd(lastprivate(b))]
        for j in 0..3 {
            b[0] = j;
        }
        y[i * 3] += b[1];
        b[1] = i as i32;
    }
}

/// What they assign for certain is assigned behind them.
#[omp::offload]
fn inner_and_read(y: &mut [i32]) {
    let (mut a, mut b) = ([7; 4], [7; 4]);
    #[omp::target(private(a, b))]
    for i in 0..y.len() / 3 {
        a = [2; 4];
        #[omp::parallel_for(firstprivate(a))]
        for j in 0..3 {
            for k in 0..2 {
                a[k] = j as i32;
            }
            y[i * 3 + j] = a[3] + a[0];
        }
        #[omp::simd(lastprivate(b))]
        for j in 0..3 {
            for k in 0..4 {
                b[k] = j + i as i32;
            }
        }
        y[i * 3] += b[1];
    }
}

const M: usize = 8;

mod other {
    pub const M: usize = 4;
}

macro_rules! few {
    () => {
        const M: usize = 4;
    };
}

macro_rules! array {
    ($name:ident) => {
        let mut $name = [0; 8];
    };
}

/// A length of another meaning, and another array of the name.
#[omp::offload]
fn lengths(y: &mut [i32]) {
    let mut a = [0; M];
    let mut b = [0; M];
    let c = [0; 4];
    y[0] = c[0];
    {
        use other::M;
        #[omp::target(firstprivate(a))]
        for i in 0..y.len() {
            for k in 0..M {
                a[k] = i as i32;
            }
            y[i] = a[i % 8];
            a[6] = i as i32;
        }
    }
    {
        few!();
        #[omp::target(firstprivate(b))]
        for i in 0..y.len() {
            for k in 0..M {
                b[k] = i as i32;
            }
            for k in 0..b.len() {
                y[i] += b[k];
            }
            b[6] = i as i32;
        }
    }
    array!(c);
    #[omp::target(firstprivate(c))]
    for i in 0..y.len() {
        for k in 0..4 {
            c[k] = i as i32;
        }
        for k in 0..c.len() {
            y[i] += c[k];
        }
        c[6] = i as i32;
    }
}

/// The body's own length is none of the signature's.
#[omp::offload]
fn length_of_parameter(y: &mut [i32], mut d: [i32; M]) {
    const M: usize = 4;
    #[omp::target(firstprivate(d))]
    for i in 0..y.len() {
        for k in 0..M {
            d[k] = i as i32;
        }
        for k in 0..d.len() {
            y[i] += d[k];
        }
        d[6] = i as i32;
    }
}

fn main() {}
