//! Host work beside device work: while a device moves bodies, the host sorts something of its own; it waits where it
//! needs the bodies.
use clap::Parser;
use example_support::{hash, offloaded, text, timed, unit};

/// A step of n bodies on the best device of this machine, and a sort on the host at the same time.
#[derive(Parser)]
struct Options {
    /// Bodies
    #[arg(short, long, default_value_t = 8192)]
    bodies: usize,
    /// Numbers that the host sorts meanwhile
    #[arg(short, long, default_value_t = 1 << 22)]
    numbers: usize,
    /// How often to run it
    #[arg(short, long, default_value_t = 3)]
    repeat: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
struct Vector {
    x: f32,
    y: f32,
    z: f32,
}

/// The pull of all bodies on one at `p`; none is so near that it would get out of hand.
#[omp::declare_target]
fn pull(p: Vector, bodies: &[Vector]) -> Vector {
    let mut sum = Vector { x: 0.0, y: 0.0, z: 0.0 };
    for b in bodies {
        let (x, y, z) = (b.x - p.x, b.y - p.y, b.z - p.z);
        let near = 1.0 / (x * x + y * y + z * z + 1e-3).sqrt();
        let force = near * near * near;
        sum = Vector { x: sum.x + x * force, y: sum.y + y * force, z: sum.z + z * force };
    }
    sum
}

/// Gives the pulls on all bodies; `meanwhile` is done by the host while the device computes them.
#[omp::offload]
fn pulls(bodies: &[Vector], pulls: &mut [Vector], meanwhile: impl FnOnce()) {
    #[omp::target(nowait, fp(strict), map(to: bodies), map(from: pulls))]
    for i in 0..bodies.len() {
        pulls[i] = pull(bodies[i], bodies);
    }
    meanwhile();
    omp::taskwait!();
}

fn main() {
    let o = Options::parse();
    let place = |i: usize| unit(i) as f32;
    let bodies: Vec<Vector> =
        (0..o.bodies).map(|i| Vector { x: place(3 * i), y: place(3 * i + 1), z: place(3 * i + 2) }).collect();
    let numbers: Vec<u32> = (0..o.numbers).map(hash).collect();
    let fresh = || (vec![Vector::default(); o.bodies], numbers.clone());

    let (want, serial) = timed("serial, one after the other", o.repeat, fresh, |(mut found, mut numbers)| {
        found.iter_mut().zip(&bodies).for_each(|(found, p)| *found = pull(*p, &bodies));
        numbers.sort_unstable();
        (found, numbers)
    });
    let (_, device) =
        timed("bodies alone", o.repeat, fresh, |(mut found, _)| pulls(&bodies, &mut found, || {}));
    let (_, host) = timed("sort alone", o.repeat, fresh, |(_, mut numbers)| numbers.sort_unstable());
    let got = offloaded("both at a time", o.repeat, serial, fresh, |(mut found, mut numbers)| {
        pulls(&bodies, &mut found, || numbers.sort_unstable());
        (found, numbers)
    });
    println!("  one after the other they take {}", text(device + host));
    assert!(got.1 == want.1, "the sorted numbers");
    // Under `fp(strict)` there is nothing but `+ - * /` and roots here, which have the same bits everywhere.
    let wrong = got.0.iter().zip(&want.0).position(|(a, b)| a != b);
    assert_eq!(wrong, None, "a body is pulled elsewhere");
    println!("checked: {} bodies and {} numbers", o.bodies, o.numbers);
}
