//! Inner nests, and loops of the body, at launch.
use super::launch::{ready, upto};
use kernel_samples::build::{F32, Region, USIZE, X, array_of, count};
use omp_ir::template::Level;

/// `for i in 0..m { team: for j in 0..n { y[i * a + j * b] = 1 } }`
#[test]
fn inner_nests_are_decided_by_sizes() {
    let mut r = Region::new("t");
    let y = r.array("y", &F32);
    let [m, n, a, b] = ["m", "n", "a", "b"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", count(0, &m));
    r.inner(Level::Team, 1, &[], |r, _| {
        r.for_("j", count(0, &n), |r, j, _| r.set(y.at(&i * &a + &j * &b), 1.0));
    });
    let k = ready(r);
    let race = |m: u64, n, a, b| {
        let facts = k.launch(&[upto(m)], &[i128::from(m), n, a, b], &[1_000_000]);
        assert_eq!(facts.inner_trips, u64::try_from(n).ok());
        facts.race.map(|r| r.witness.expect("small").0[0].0.clone())
    };
    assert_eq!(race(10, 100, 100, 1), None);
    assert_eq!(race(10, 100, 1, 10), None);
    assert_eq!(race(10, 100, 99, 1).as_deref(), Some("i"));
    assert_eq!(race(10, 100, 1, 0).as_deref(), Some("j"));
    // One outer iteration does not make an inner conflict harmless, nor one inner iteration an outer one.
    assert_eq!(race(1, 100, 5, 0).as_deref(), Some("j"));
    assert_eq!(race(10, 1, 0, 1).as_deref(), Some("i"));
    assert_eq!(race(1, 1, 0, 0), None);
    assert_eq!(race(1000, 1000, 1000, 1), None);
}

/// A loop around the nest, or the nest itself, has as many iterations as an element says.
#[test]
fn inner_nests_of_loaded_lengths() {
    let with = |around: bool, index: fn(&X) -> X| {
        let mut r = Region::new("t");
        let (y, ends) = (r.array("y", array_of(&F32, 500)), r.array("ends", &USIZE));
        let n = r.scalar("n", &USIZE);
        let i = r.dim("i", count(0, &n));
        let end = r.let_("end", ends.at(&i));
        let nest = |r: &mut Region, end: X| {
            r.inner(Level::Team, 1, &[], |r, _| {
                r.for_("j", count(0, end), |r, j, _| r.set(y.at(&i).at(index(&j)), 1.0));
            });
        };
        if around {
            r.for_("k", count(0, end), |r, _, _| nest(r, X::Int(300, None)));
        } else {
            nest(&mut r, end);
        }
        ready(r).launch(&[upto(2)], &[2], &[10, 10]).race.is_some()
    };
    for around in [false, true] {
        assert!(with(around, |_| X::Int(5, None)));
        assert!(with(around, |j| j % 200));
        assert!(!with(around, X::clone));
    }
}

/// A bound that wraps is not the small number below zero that it would be in 32 bits.
#[test]
fn bounds_that_wrap_need_64_bits() {
    let with = |lo: fn(&X) -> X| {
        let mut r = Region::new("t");
        let (y, x) = (r.array("y", &F32), r.array("x", &F32));
        let i = r.dim("i", count(0, y.len()));
        r.for_("j", count(lo(&i), 10).rev(), |r, j, _| r.set(y.at(&i), x.at(j)));
        let facts = ready(r).launch(&[upto(20)], &[], &[20, 10]);
        assert!(facts.race.is_none() && facts.unproved.is_empty(), "{facts:?}");
        facts.index32
    };
    assert!(with(X::clone));
    assert!(with(|i| i.clone().method("saturating_sub", [X::Int(3, None)])));
    assert!(!with(|i| i - 3));
    assert!(!with(|i| i.clone().method("wrapping_sub", [X::Int(3, None)])));
}

/// After an assertion, a subscript is in bounds, but not in the iterations that the assertion ends: elements must not be moved in groups.
#[test]
fn what_an_assertion_proves_is_not_in_step() {
    let mut r = Region::new("t");
    let (y, x, z) = (r.array("y", &F32), r.array("x", &F32), r.array("z", &F32));
    let m = r.scalar("m", &USIZE);
    let i = r.dim("i", count(0, z.len()));
    r.set(z.at(&i), 1.0);
    r.assert(i.lt(&m));
    r.set(y.at(&i), x.at(&i + 1));
    let k = ready(r);
    let facts = |m: u64| k.launch(&[upto(100)], &[i128::from(m)], &[m, m + 1, 100]);
    assert!(facts(100).unproved.is_empty() && facts(99).unproved.is_empty(), "{:?}", facts(99));
    assert_eq!((facts(100).in_step.len(), facts(99).in_step.len()), (3, 1));
    // Nor where the arrays are long: what is surely not touched need not be on the device.
    assert_eq!(k.launch(&[upto(100)], &[99], &[200, 200, 100]).in_step.len(), 1);
}

/// Elements of which one field is meant follow the loop variable as others do, and those of which one number of an inner array is; if the
/// loop variable chooses the number, they don't.
#[test]
fn fields_of_elements_are_in_step() {
    use omp_ir::desc::{FieldDesc, StructDesc, TypeDesc};
    static FIELDS: [FieldDesc; 2] =
        [FieldDesc { name: "re", ty: &F32, offset: 0 }, FieldDesc { name: "im", ty: &F32, offset: 4 }];
    static COMPLEX: StructDesc = StructDesc {
        derived: omp_ir::desc::Derived::Nothing,
        name: "Complex",
        size: 8,
        align: 4,
        fields: &FIELDS,
    };
    static TY: TypeDesc = TypeDesc::Struct(&COMPLEX);
    let mut r = Region::new("t");
    let (y, x, z) = (r.array("y", &F32), r.array("x", &TY), r.array("z", array_of(&F32, 2)));
    let i = r.dim("i", count(0, y.len()));
    r.set(y.at(&i), x.at(&i).field("im") + z.at(&i).at(0));
    r.set(y.at(&i), z.at(&i).at(&i % 2));
    let facts = ready(r).launch(&[upto(10)], &[], &[10, 10, 10]);
    let chosen = facts.in_step_inner.difference(&facts.in_step).count();
    assert_eq!((facts.in_step.len(), chosen), (4, 1), "{facts:?}");
}

/// The iterations of a loop that counts down are numbered in their order.
#[test]
fn loops_that_count_down_are_nests() {
    let with = |lo: fn(&X) -> X, hi: fn(&X, X) -> X| {
        let mut r = Region::new("t");
        let (y, x) = (r.array("y", &F32), r.array("x", &F32));
        let n = r.scalar("n", &USIZE);
        let i = r.dim("i", count(0, y.len()));
        r.for_("k", count(lo(&i), hi(&i, n.clone())).rev(), |r, k, _| {
            r.set(y.at(&i), y.at(&i) * X::Float(0.5) + x.at(&i * &n + k + 1));
        });
        ready(r).launch(&[upto(10)], &[7], &[10, 100]).nest
    };
    let nest = with(|_| X::Int(2, None), |_, n| n - 1).expect("its bounds are numbers");
    let range = nest.loops[1];
    assert_eq!((range.first, range.step, range.count), (5, -1, 4));
    let moved: Vec<_> = nest.subscripts.values().map(|of| (of.base, &of.strides[..])).collect();
    assert!(moved.contains(&(6, &[7, -1])), "{moved:?}");
    // Limits would count from the other end.
    assert_eq!(with(X::clone, |_, n| n + 10), None);
    assert_eq!(with(|_| X::Int(0, None), |i, _| i + 1), None);
}
