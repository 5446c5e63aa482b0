//! The ways from a loop whose iterations had copies to a read: loops, labels, early ends, conditions and texts.

#[omp::offload]
fn again(y: &mut [i32]) -> i32 {
    let mut t = 0;
    for _ in 0..3 {
        t = 5;
        #[omp::target(private(t))]
        for i in 0..y.len() {
            t = i as i32;
            y[i] += t;
        }
    }
    t
}

#[omp::offload]
fn left(y: &mut [i32]) -> i32 {
    let (mut t, mut u, mut v) = (0, 0, 0);
    for r in 0..3 {
        #[omp::target(private(t))]
        for i in 0..y.len() {
            t = i as i32;
            y[i] += t;
        }
        if r == 1 {
            break;
        }
        t = 5;
    }
    'block: {
        #[omp::parallel_for(private(u))]
        for i in 0..y.len() {
            u = i as i32;
            y[i] += u;
        }
        if y[0] > 3 {
            break 'block;
        }
        u = 5;
    }
    let n = loop {
        #[omp::target(private(v))]
        for i in 0..y.len() {
            v = i as i32;
            y[i] += v;
        }
        v = match y[0] {
            0 => continue,
            1 => break 3,
            n => n,
        };
    };
    n + t + u + v
}

#[omp::offload]
fn of_caller(y: &mut [i32], t: &mut i32) -> Option<i32> {
    #[omp::target(private(t))]
    for i in 0..y.len() {
        *t = i as i32;
        y[i] += *t;
    }
    let first = *y.first()?;
    *t = 0;
    Some(first)
}

#[omp::offload]
fn perhaps(y: &mut [i32], m: usize) -> i32 {
    let (mut t, mut u) = (0, 0);
    #[omp::target(private(t, u))]
    for i in 0..y.len() {
        t = i as i32;
        u = t + 1;
        y[i] += u;
    }
    #[omp::target(lastprivate(t))]
    for i in 0..m {
        t = i as i32;
        y[i] += t;
    }
    for _ in 0..m {
        u = 2;
    }
    t + u
}

#[omp::offload]
fn conditions(y: &mut Vec<i32>) {
    let (mut t, mut u, mut v) = (0, 0, 0);
    #[omp::target(private(t, u, v))]
    for i in 0..y.len() {
        t = i as i32;
        u = t + 1;
        v = u + 1;
        y[i] += v;
    }
    if let Some(t) = Some(t + 1) {
        y.push(t);
    }
    while let Some(u) = (y.len() < 12).then_some(u) {
        y.push(u);
    }
    if y.len() > 3 && v > 3 && let Some(v) = y.first() {
        println!("{v}");
    }
}

#[omp::offload]
fn texts(y: &mut [usize]) -> [String; 3] {
    let (mut t, mut u, mut v) = (0, 0, 0);
    #[omp::target(private(t, u, v))]
    for i in 0..y.len() {
        t = i;
        u = t + 1;
        v = u + 1;
        y[i] += v;
    }
    [format!("{:>t$}", 5), format!(r"{u}"), format!("{{v}} {v }")]
}

/// On every way to a read it has a new value.
#[omp::offload]
fn fine(y: &mut [i32], m: i32) -> Option<String> {
    let mut t = 0;
    'rounds: for r in 0..3 {
        #[omp::target(private(t))]
        for i in 0..y.len() {
            t = i as i32;
            y[i] += t;
        }
        for k in 0..3 {
            if k == m {
                t = 1;
                continue 'rounds;
            }
        }
        if r == m || m > 3 && r > m {
            break;
        } else if r > 5 {
            return None;
        }
        let Some(first) = y.first() else { return None };
        match first {
            1 => t = 3,
            2 if r == 2 => t = 4,
            3 => continue,
            _ => {
                t = r;
                t += *first;
            }
        }
        println!("{t}");
        t = loop {
            if let Some(t) = y.get(2) {
                break *t;
            }
        };
        for _ in 0..2 {
            t = 3;
        }
        println!("{t}");
        #[omp::target(private(t))]
        for i in 0..y.len() {
            t = i as i32;
            y[i] += t;
        }
        #[omp::target(lastprivate(t))]
        for i in 0..3 {
            t = i;
        }
        println!("{t} {{u}}");
    }
    t = 1;
    {
        let mut t = 5;
        #[omp::target(private(t))]
        for i in 0..y.len() {
            t = i as i32;
            y[i] += t;
        }
    }
    let mut f = || {
        let t;
        #[omp::target]
        for i in 0..y.len() {
            y[i] += 1;
        }
        t = 3;
        t
    };
    Some(format!("{t} {:>1$} {:t<5}", f(), 3))
}

macro_rules! stop {
    ($cond:expr) => {
        if $cond {
            break;
        }
    };
}

/// What a macro does is not seen: it may leave, or read a variable that stands where it is defined.
#[omp::offload]
fn macros(y: &mut [i32]) -> i32 {
    let (mut t, mut u) = (0, 0);
    macro_rules! get {
        () => {
            u
        };
    }
    #[omp::target(private(u))]
    for i in 0..y.len() {
        u = i as i32;
        y[i] = u;
    }
    loop {
        #[omp::target(private(t))]
        for i in 0..y.len() {
            t = i as i32;
            y[i] += t;
        }
        stop!(y[0] > 3);
        t = 5;
    }
    t + get!()
}

/// Names in texts.
#[omp::offload]
fn unusual_texts(y: &mut [i32]) -> String {
    let (mut r#type, mut w) = (0, 0);
    #[omp::target(private(r#type, w))]
    for i in 0..y.len() {
        r#type = i as i32;
        w = i;
        y[i] = r#type + w as i32;
    }
    format!("{type}") + &format!("{:}>w$}", 1)
}

/// Assigned as a part of a tuple.
#[omp::offload]
fn taken_apart(y: &mut [i32]) -> i32 {
    let (mut t, mut u) = (0, 1);
    y[0] = u;
    #[omp::target(private(t))]
    for i in 0..y.len() {
        t = i as i32;
        y[i] = t;
    }
    ((t, _), u) = ((4, 5), 6);
    t + u
}

trait Backwards {
    fn rev(self) -> Option<i32>;
}

impl Backwards for [i32; 2] {
    fn rev(self) -> Option<i32> {
        None
    }
}

/// A method of the user's may give nothing.
#[omp::offload]
fn own_method(y: &mut [i32]) -> i32 {
    let (mut t, mut u) = (0, 0);
    #[omp::target(private(t, u))]
    for i in 0..y.len() {
        t = i as i32;
        u = t;
        y[i] = u;
    }
    for k in [1, 2].rev() {
        t = k;
    }
    for k in (0..2).rev() {
        u = k;
    }
    t + u
}

fn main() {}
