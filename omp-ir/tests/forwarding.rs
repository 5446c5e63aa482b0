//! Forwarding of carried loads: nests do the same afterwards, to the byte and to the failure.
use kernel_samples::build::{
    Counted, Desc, F32, F64, I8, I16, I32, I64, Region, U8, U16, U32, U64, USIZE, X, array_of, count, int,
};
use omp_ir::analysis::plan::DimValues;
use omp_ir::desc::{Derived, FieldDesc, Prim, StructDesc, TypeDesc};
use omp_ir::flow::forwarding;
use omp_ir::interp::{Memory, run};
use omp_ir::kernel::Kernel;
use omp_ir::template::{Base, Expr, Place, Projection};
use omp_ir::visit;
use proptest::prelude::*;

/// The elements that are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// `a[i * m + k]`
    Row,
    /// `a[k * n + i]`
    Column,
    /// `a[i][k]`
    Nested,
    /// `a[i * m + k].y`
    Field,
}

/// How the search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The largest one.
    Largest,
    /// The largest one, of a variable that is loaded first.
    Loaded,
    /// The largest and, of what is no larger one, the smallest.
    Both,
    /// The two one after the other.
    Two,
    /// Only elements that a condition admits.
    Some,
    /// It ends early.
    Early,
    /// The loop has another one in it.
    Deep,
    /// That one's range depends on the loop.
    Triangle,
    /// It has two in it, and the first one may have no iterations.
    Halves,
    /// The element is loaded after the inner loop, too.
    Again,
    /// The first iteration assigns the variable without a comparison.
    First,
    /// The variable is one more than the place of the larger element.
    Next,
}

const LAYOUTS: [Layout; 4] = [Layout::Row, Layout::Column, Layout::Nested, Layout::Field];
const FORMS: [Form; 12] = [
    Form::Largest,
    Form::Loaded,
    Form::Both,
    Form::Two,
    Form::Some,
    Form::Early,
    Form::Deep,
    Form::Triangle,
    Form::Halves,
    Form::Again,
    Form::First,
    Form::Next,
];

/// Columns of a nested array.
const WIDTH: usize = 6;

/// A search in rows.
#[derive(Debug, Clone, Copy)]
struct Search {
    layout: Layout,
    form: Form,
    ty: Desc,
    /// The variable begins at the row's number plus this, or at this.
    first: (bool, u64),
    /// The loop's first value.
    from: u64,
    inclusive: bool,
    /// An element at the place that was found is stored.
    after: bool,
    sizes: [u64; 2],
    /// Elements of the array that there are.
    len: u64,
    checked: bool,
}

fn pair(ty: Desc) -> Desc {
    let field = |name, offset| FieldDesc { name, offset, ty };
    let TypeDesc::Prim(prim) = ty else { panic!("a number") };
    let desc = StructDesc {
        name: "Pair",
        fields: Box::leak(Box::new([field("x", 0), field("y", prim.size())])),
        size: 2 * prim.size(),
        align: prim.size(),
        derived: Derived::Nothing,
    };
    Box::leak(Box::new(TypeDesc::Struct(Box::leak(Box::new(desc)))))
}

impl Search {
    fn kernel(&self) -> Kernel {
        let mut r = Region::new("search");
        let elem = match self.layout {
            Layout::Nested => array_of(self.ty, WIDTH),
            Layout::Field => pair(self.ty),
            _ => self.ty,
        };
        let (a, at, to) = (r.array("a", elem), r.array("at", &USIZE), r.array("to", self.ty));
        let [n, m] = ["n", "m"].map(|name| r.scalar(name, &USIZE));
        let i = r.dim("i", int(0)..n.clone());
        let element = |k: &X| match self.layout {
            Layout::Row => a.at(&i * &m + k),
            Layout::Column => a.at(k * &n + &i),
            Layout::Nested => a.at(&i).at(k),
            Layout::Field => a.at(&i * &m + k).field("y"),
        };
        let first = || if self.first.0 { &i + int(self.first.1.into()) } else { int(self.first.1.into()) };
        let (hi, lo) = (r.let_mut("hi", first()), r.let_mut("lo", first()));
        let range = |hi: &X| -> Counted {
            let range = count(int(self.from.into()), hi);
            if self.inclusive { range.inclusive() } else { range }
        };
        r.for_("j", range(&m), |r, j, label| match self.form {
            Form::Largest => r.if_(element(&j).gt(element(&hi)), |r| r.set(&hi, &j)),
            Form::Loaded => {
                let x = r.let_("x", element(&j));
                r.if_(x.gt(element(&hi)), |r| r.set(&hi, &j));
            }
            Form::Both => r.if_else(
                element(&j).gt(element(&hi)),
                |r| r.set(&hi, &j),
                |r| r.if_(element(&j).lt(element(&lo)), |r| r.set(&lo, &j)),
            ),
            Form::Two => {
                r.if_(element(&j).ge(element(&hi)), |r| r.set(&hi, &j));
                r.if_(element(&j).lt(element(&lo)), |r| r.set(&lo, &j));
            }
            Form::Some => {
                r.if_(j.is_not(2), |r| r.if_(element(&j).gt(element(&hi)), |r| r.set(&hi, &j)));
            }
            Form::Early => {
                r.if_(element(&j).gt(element(&hi)), |r| r.set(&hi, &j));
                r.if_(j.is(&i), |r| r.break_(label));
            }
            Form::Deep => r.for_("k", count(1, &m), |r, k, _| {
                r.if_(element(&k).gt(element(&hi)), |r| r.set(&hi, &k));
            }),
            Form::Halves => {
                for (from, end) in [(int(0), i.clone()), (i.clone(), m.clone())] {
                    r.for_("k", count(from, end), |r, k, _| {
                        r.if_(element(&k).gt(element(&hi)), |r| r.set(&hi, &k));
                    });
                }
            }
            Form::Again => {
                r.for_("k", count(3, &m), |r, k, _| {
                    r.if_(element(&k).gt(element(&hi)), |r| r.set(&hi, &k));
                });
                r.if_(element(&hi).lt(element(&j)), |r| r.set(&lo, &j));
            }
            Form::First => {
                let x = r.let_("x", element(&j));
                r.if_else(
                    j.is(int(self.from.into())),
                    |r| r.set(&hi, &j),
                    |r| r.if_(x.gt(element(&hi)), |r| r.set(&hi, &j)),
                );
            }
            Form::Next => r.if_(element(&j).gt(element(&hi)), |r| r.set(&hi, &j + 1)),
            Form::Triangle => r.for_("k", count(&j, &m), |r, k, _| {
                r.if_(element(&k).gt(element(&hi)), |r| r.set(&hi, &k));
            }),
        });
        r.set(at.at(&i), &hi * 1000 + &lo);
        if self.after {
            r.set(to.at(&i), element(&hi));
        }
        let mut kernel = r.kernel();
        kernel.body.overflow_checks = self.checked;
        kernel
    }

    /// Small numbers, many of them equal, and those that are none.
    fn memory(&self, kernel: &Kernel) -> Memory {
        let [n, m] = self.sizes;
        let size = |ty: Desc| match ty {
            TypeDesc::Prim(prim) => prim.size(),
            _ => panic!("a number"),
        };
        let number = |k: u64| -> Vec<u8> {
            let value = (k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) % 23;
            match self.ty {
                TypeDesc::Prim(Prim::F32) if value == 0 => f32::NAN.to_le_bytes().to_vec(),
                TypeDesc::Prim(Prim::F32) => (value as f32 - 9.0).to_le_bytes().to_vec(),
                TypeDesc::Prim(Prim::F64) if value == 0 => f64::NAN.to_le_bytes().to_vec(),
                TypeDesc::Prim(Prim::F64) => (value as f64 - 9.0).to_le_bytes().to_vec(),
                ty => (value.wrapping_sub(9)).to_le_bytes()[..match ty {
                    TypeDesc::Prim(prim) => prim.size(),
                    _ => 0,
                }]
                    .to_vec(),
            }
        };
        let each = kernel.types.size(kernel.array_ty[0]).expect("it has a layout") / size(self.ty) as u64;
        Memory {
            arrays: vec![
                (0..self.len * each).flat_map(number).collect(),
                vec![0; 8 * n as usize],
                vec![0; size(self.ty) * n as usize],
            ],
            scalars: [n, m].iter().map(|n| n.to_le_bytes().to_vec()).collect(),
            dims: vec![Some(DimValues { first: 0, step: 1, count: n })],
        }
    }

    /// Both kernels do the same.
    fn check(&self) -> Kernel {
        let kernel = self.kernel();
        let mut made = kernel.clone();
        forwarding::apply(&mut made);
        let (mut want, mut got) = (self.memory(&kernel), self.memory(&kernel));
        let (failed, fails) = (run(&kernel, &mut want).err(), run(&made, &mut got).err());
        assert_eq!(failed, fails, "{self:?}");
        assert!(want == got, "{self:?}");
        made
    }

    fn of(layout: Layout, form: Form) -> Self {
        let len = if layout == Layout::Nested { 7 } else { 42 };
        Self {
            layout,
            form,
            ty: &F32,
            first: (false, 0),
            from: 1,
            inclusive: false,
            after: false,
            sizes: [7, 6],
            len,
            checked: false,
        }
    }
}

/// Subscripts of an array that name a variable, which is no loop's.
fn kept(kernel: &Kernel, name: &str) -> usize {
    let code = &kernel.body.code;
    let mut found = 0;
    visit::each_live_expr(code, &mut |e| {
        let Expr::Load(Place { base: Base::Array(_), projections }) = &code.exprs[e.index()].expr else {
            return;
        };
        for step in projections {
            let Projection::Index { index, .. } = step else { continue };
            visit::each_expr(code, *index, &mut |e| {
                if let Expr::Load(place) = &code.exprs[e.index()].expr {
                    let local = place.base.local();
                    found += usize::from(local.is_some_and(|l| code.locals[l.index()].name == name));
                }
            });
        }
    });
    found
}

#[test]
fn searches_carry_their_elements() {
    for layout in LAYOUTS {
        for form in FORMS {
            for after in [false, true] {
                let search = Search { after, ..Search::of(layout, form) };
                let (before, made) = (search.kernel(), search.check());
                assert!(kept(&before, "hi") > 0, "{search:?}");
                // The loop may end, or may not, before an element after it is loaded.
                let waits = form == Form::Early && after || matches!(form, Form::First | Form::Next);
                let left = (kept(&made, "hi") > 0, kept(&made, "lo") > 0);
                assert_eq!(left, (waits, false), "{search:?}");
            }
        }
    }
}

/// A search in rows with these statements in its loop over `j`.
fn search(body: impl FnOnce(&mut Region, &X, [&X; 3], &X)) -> Kernel {
    let mut r = Region::new("refused");
    let (a, at) = (r.array("a", &F32), r.array("at", &USIZE));
    let [n, m] = ["n", "m"].map(|name| r.scalar(name, &USIZE));
    let i = r.dim("i", int(0)..n);
    let best = r.let_mut("best", 0);
    r.for_("j", count(1, &m), |r, j, _| body(r, &a, [&i, &m, &j], &best));
    r.set(at.at(&i), &best);
    r.kernel()
}

fn refused(body: impl FnOnce(&mut Region, &X, [&X; 3], &X)) {
    assert_is_left(&search(body));
}

fn assert_is_left(kernel: &Kernel) {
    let mut made = kernel.clone();
    forwarding::apply(&mut made);
    assert_eq!(made.body.code, kernel.body.code);
}

#[test]
fn places_that_nothing_has_checked_are_refused() {
    let plain = search(|r, a, [i, m, j], best| {
        r.if_(a.at(i * m + j).gt(a.at(i * m + best)), |r| r.set(best, j));
    });
    let mut made = plain.clone();
    forwarding::apply(&mut made);
    assert_ne!(made.body.code, plain.body.code);
    // What is assigned is another place than the one of which an element is loaded.
    refused(|r, a, [i, m, j], best| {
        r.if_(a.at(i * m + j).gt(a.at(i * m + best)), |r| r.set(best, j - 1));
    });
    refused(|r, a, [i, m, j], best| {
        r.if_(a.at(i * m + j).gt(a.at(i * m + best)), |r| r.set(best, best + 1));
    });
    refused(|r, a, [_, _, j], best| {
        let x = r.let_mut("x", j);
        let is_more = r.let_("more", a.at(&x).gt(a.at(best)));
        r.set(&x, &x + 1);
        r.if_(is_more, |r| r.set(best, &x));
    });
    // One of the assignments is.
    refused(|r, a, [i, m, j], best| {
        r.if_else(a.at(i * m + j).gt(a.at(i * m + best)), |r| r.set(best, j), |r| r.set(best, 0));
    });
    // The element is loaded in another block, or afterwards.
    refused(|r, a, [i, m, j], best| {
        r.if_(j.is_not(3), |r| r.if_(a.at(i * m + j).gt(1.0), |_| {}));
        r.if_(a.at(i * m + best).lt(1.0), |r| r.set(best, j));
    });
    refused(|r, a, [i, m, j], best| {
        r.if_(a.at(i * m + best).lt(1.0), |r| r.set(best, j));
        r.if_(a.at(i * m + j).gt(1.0), |_| {});
    });
}

#[test]
fn checks_after_an_assignment_are_refused() {
    refused(|r, a, [i, m, j], best| {
        let x = r.let_("x", a.at(i * m + j));
        r.if_else(j.is(1), |r| r.set(best, j), |r| r.if_(x.gt(a.at(i * m + best)), |r| r.set(best, j)));
    });
}

#[test]
fn subscripts_that_change_are_refused() {
    refused(|r, a, [_, m, j], best| {
        r.if_(a.at(j * m + j).gt(a.at(j * m + best)), |r| r.set(best, j));
    });
    refused(|r, a, [i, m, j], best| {
        let row = r.let_mut("row", i * m);
        r.if_(a.at(&row + j).gt(a.at(&row + best)), |r| r.set(best, j));
    });
}

#[test]
fn arrays_that_change_or_are_there_in_part_are_refused() {
    refused(|r, a, [i, m, j], best| {
        r.if_(a.at(i * m + j).gt(a.at(i * m + best)), |r| r.set(best, j));
        r.set(a.at(i * m + j), 0.0);
    });
    let kernel = Search::of(Layout::Row, Form::Largest).kernel();
    let mut part = kernel.clone();
    part.template.arrays[0].section = true;
    assert_is_left(&part);
    let mut disjoint = kernel;
    disjoint.template.trust_disjoint = vec![omp_ir::ids::ArrayId(0)];
    assert_is_left(&disjoint);
}

fn types() -> impl Strategy<Value = Desc> {
    prop::sample::select(vec![&F32, &F64, &I8, &I16, &I32, &I64, &U8, &U16, &U32, &U64])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Also where subscripts are out of bounds or overflow, and where loops have no iterations.
    #[test]
    fn searches_do_the_same_afterwards(
        layout in prop::sample::select(LAYOUTS.to_vec()),
        form in prop::sample::select(FORMS.to_vec()),
        ty in types(),
        first in (any::<bool>(), prop_oneof![0u64..4, Just(u64::MAX - 2)]),
        (from, inclusive) in (0u64..3, any::<bool>()),
        (after, checked) in any::<(bool, bool)>(),
        (n, m) in (0u64..6, prop_oneof![0u64..9, Just(u64::MAX / 2), Just(1 << 63)]),
        len in prop_oneof![Just(0u64), Just(60), 0u64..60],
    ) {
        let search = Search { layout, form, ty, first, from, inclusive, after, sizes: [n, m], len, checked };
        search.check();
    }
}
