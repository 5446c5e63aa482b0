//! What macro time says of the loops that users write.
use kernel_samples::build::{F32, Region, U32, USIZE, X, array_of, count, int};
use omp_ir::analysis::bounds;
use omp_ir::analysis::race::{Functions, RaceVerdict, at_compile_time};
use omp_ir::desc::Prim;
use omp_ir::template::Level;

fn findings(r: Region) -> Vec<RaceVerdict> {
    at_compile_time(&r.finish().0, &Functions::default()).into_iter().map(|f| f.verdict).collect()
}

/// One loop `i` over `lo..y.len()` and what it does to `y`.
fn over(lo: i128, body: impl FnOnce(&mut Region, &X, &X)) -> Vec<RaceVerdict> {
    let mut r = Region::new("t");
    let y = r.array("y", &F32);
    let i = r.dim("i", count(int(lo), y.len()));
    body(&mut r, &y, &i);
    findings(r)
}

/// `i in 0..m`, `j in 0..n` and what they do to `y`.
fn nest(body: impl FnOnce(&mut Region, &X, [&X; 4])) -> Vec<RaceVerdict> {
    let mut r = Region::new("t");
    let y = r.array("y", &F32);
    let (m, n) = (r.scalar("m", &USIZE), r.scalar("n", &USIZE));
    let i = r.dim("i", count(0, &m));
    let j = r.dim("j", count(0, &n));
    body(&mut r, &y, [&i, &j, &m, &n]);
    findings(r)
}

#[track_caller]
fn clean(found: &[RaceVerdict]) {
    assert!(found.is_empty(), "{found:#?}");
}

#[track_caller]
fn refuted(found: &[RaceVerdict], iterations: &[(i128, i128)], element: &[i128]) {
    let [RaceVerdict::Refuted(w)] = found else { panic!("not one race: {found:#?}") };
    let said: Vec<_> = w.iterations.iter().map(|(_, a, b)| (*a, *b)).collect();
    assert_eq!((said.as_slice(), w.element.as_slice()), (iterations, element));
}

#[track_caller]
fn unknown(found: &[RaceVerdict], why: &str) {
    let [RaceVerdict::Unknown { reason, .. }, ..] = found else { panic!("not unknown: {found:#?}") };
    assert!(reason.contains(why), "{reason}");
}

#[test]
fn elementwise() {
    clean(&over(0, |r, y, i| r.set(y.at(i), y.at(i) * 2.0)));
}

#[test]
fn neighbour() {
    let found = over(1, |r, y, i| r.set(y.at(i), (y.at(i) + y.at(i - 1)) * 0.5));
    refuted(&found, &[(1, 2)], &[1]);
}

#[test]
fn half_index() {
    refuted(&over(0, |r, y, i| r.set(y.at(i / 2), y.at(i / 2) + 1.0)), &[(0, 1)], &[0]);
}

#[test]
fn one_element_under_a_condition() {
    let found = over(0, |r, y, i| {
        let big = y.at(i).gt(4.0);
        r.if_(big, |r| r.set(y.at(0), 1.0));
    });
    unknown(&found, "condition");
}

#[test]
fn one_element_in_one_iteration() {
    clean(&over(0, |r, y, i| r.if_(i.is(3), |r| r.set(y.at(0), 1.0))));
}

#[test]
fn indirect() {
    let found = over(0, |r, y, i| {
        let to = r.array("to", &U32);
        let k = r.let_("k", to.at(i).cast(Prim::Usize));
        r.set(y.at(k), 1.0);
    });
    unknown(&found, "the index is read from `to`");
}

#[test]
fn rows() {
    clean(&nest(|r, y, [i, j, _, n]| r.set(y.at(i * n + j), 1.0)));
    let mut r = Region::new("t");
    let y = r.array("y", &F32);
    let (m, n) = (r.scalar("m", &USIZE), r.scalar("n", &USIZE));
    let i = r.dim("i", count(0, &m));
    let j = r.dim("j", count(0, &n).inclusive());
    r.set(y.at(&i * &n + &j), 1.0);
    refuted(&findings(r), &[(0, 1), (2, 0)], &[2]);
}

#[test]
fn width_and_stride_are_different_sizes() {
    let mut r = Region::new("t");
    let y = r.array("y", &F32);
    let (m, n, w) = (r.scalar("m", &USIZE), r.scalar("n", &USIZE), r.scalar("w", &USIZE));
    let i = r.dim("i", count(0, &m));
    let j = r.dim("j", count(0, &n));
    r.set(y.at(&i * &w + &j), 1.0);
    clean(&findings(r));
}

#[test]
fn strides_of_a_general_tensor() {
    let mut r = Region::new("t");
    let y = r.array("y", &F32);
    let s: Vec<X> = ["a", "b", "c", "s", "t", "u"].map(|n| r.scalar(n, &USIZE)).into();
    let i = r.dim("i", count(0, &s[0]));
    let j = r.dim("j", count(0, &s[1]));
    let k = r.dim("k", count(0, &s[2]));
    r.set(y.at(&i * &s[3] + &j * &s[4] + &k * &s[5]), 1.0);
    clean(&findings(r));
}

#[test]
fn transposed_in_place() {
    let mut r = Region::new("t");
    let a = r.array("a", array_of(&F32, 16));
    let n = r.konst("N", 16);
    let i = r.dim("i", count(0, &n));
    let j = r.dim("j", count(0, &n));
    r.set(a.at(&i).at(&j), a.at(&j).at(&i));
    refuted(&findings(r), &[(0, 1), (1, 0)], &[0, 1]);
}

#[test]
fn triangles() {
    let mut r = Region::new("t");
    let y = r.array("y", &F32);
    let n = r.scalar("n", &USIZE);
    let i = r.dim("i", count(0, &n));
    let j = r.dim("j", count(&i, &n));
    r.set(y.at(&i * &n + &j), y.at(&i * &n + &j) + 1.0);
    clean(&findings(r));
}

#[test]
fn rows_with_a_sequential_loop() {
    clean(&nest(|r, y, [i, j, _, n]| {
        let depth = r.scalar("depth", &USIZE);
        r.for_("k", count(0, &depth), |r, k, _| r.set(y.at((i * n + j) * &depth + k), 1.0));
    }));
    // All of a column add to one element.
    let found = nest(|r, y, [i, j, _, _]| {
        let _ = j;
        r.set(y.at(i), y.at(i) + 1.0);
    });
    refuted(&found, &[(0, 0), (0, 1)], &[0]);
}

#[test]
fn odd_even() {
    let mut r = Region::new("t");
    let a = r.array("a", &F32);
    let odd = r.scalar("odd", &USIZE);
    let i = r.dim("i", count(0, a.len().method("saturating_sub", [odd.clone()]) / 2));
    let k = r.let_("k", &i * 2 + &odd);
    let wrong = r.let_("wrong", a.at(&k).gt(a.at(&k + 1)));
    r.if_(wrong, |r| {
        let t = r.let_("t", a.at(&k));
        r.set(a.at(&k), a.at(&k + 1));
        r.set(a.at(&k + 1), t);
    });
    clean(&findings(r));
}

#[test]
fn mirrored_halves() {
    let mut r = Region::new("t");
    let y = r.array("y", &F32);
    let i = r.dim("i", count(0, y.len() / 2));
    r.set(y.at(&i), y.at(y.len() - 1 - &i));
    clean(&findings(r));
}

#[test]
fn scatter_of_fields_and_rows() {
    // Different components of different elements.
    let mut r = Region::new("t");
    let y = r.array("y", array_of(&F32, 4));
    let i = r.dim("i", count(0, y.len()));
    r.set(y.at(&i).at(0), y.at(&i).at(3));
    clean(&findings(r));
    let mut r = Region::new("t");
    let y = r.array("y", array_of(&F32, 4));
    let i = r.dim("i", count(0, y.len() - 1));
    r.set(y.at(&i).at(0), y.at(&i + 1).at(3));
    clean(&findings(r));
    let mut r = Region::new("t");
    let y = r.array("y", array_of(&F32, 4));
    let i = r.dim("i", count(0, y.len() - 1));
    r.set(y.at(&i).at(0), y.at(&i + 1).at(0));
    refuted(&findings(r), &[(1, 0)], &[1, 0]);
}

#[test]
fn whole_while_written() {
    let found = over(0, |r, y, i| {
        let all = y.slice(0, y.len());
        let s = r.let_("s", X::Call("sum", vec![all], &F32));
        r.set(y.at(i), s);
    });
    unknown(&found, "`y` is used as a whole");
}

#[test]
fn unsure_bounds() {
    let mut r = Region::new("t");
    let (y, width) = (r.array("y", &F32), r.array("width", &USIZE));
    let i = r.dim("i", count(0, width.len()));
    let w = r.let_("w", width.at(&i));
    r.for_("k", count(0, &w), |r, k, _| r.set(y.at(&k), 1.0));
    let _ = i;
    unknown(&findings(r), "the bound of a loop around it is read from `width`");
}

/// A local has another value after a second assignment.
#[test]
fn mutable_index() {
    clean(&over(0, |r, y, i| {
        let k = r.let_mut("k", i);
        r.set(&k, &k + 1);
        r.set(y.at(&k), 1.0);
    }));
    let found = over(0, |r, y, i| {
        let k = r.let_mut("k", i);
        r.set(y.at(&k), 1.0);
        r.set(&k, &k + 1);
        r.set(y.at(&k), 1.0);
    });
    refuted(&found, &[(1, 0)], &[1]);
    // What a loop computes from numbers is known.
    let sums = |times: i128| {
        over(0, move |r, y, i| {
            let k = r.let_mut("k", i);
            r.for_("s", count(0, 3), |r, s, _| r.set(&k, &k * int(times) + s));
            r.set(y.at(&k), 1.0);
        })
    };
    clean(&sums(1));
    refuted(&sums(0), &[(0, 1)], &[2]);
    let found = over(0, |r, y, i| {
        let k = r.let_mut("k", i);
        r.for_("s", count(0, 3), |r, s, _| r.set(&k, &k + y.at(s).cast(Prim::Usize)));
        r.set(y.at(&k), 1.0);
    });
    unknown(&found, "the index is read from `y`");
    let found = over(0, |r, y, i| {
        let k = r.let_mut("k", i);
        r.for_("s", count(0, 300), |r, s, _| r.set(&k, &k + y.at(s).cast(Prim::Usize)));
        r.set(y.at(&k), 1.0);
    });
    unknown(&found, "`k` is assigned more than once");
}

/// What each iteration of a loop changes by the same amount is known there and after it, also in nests, and from starts that data give.
#[test]
fn induction_variables() {
    let rows = |width: i128| {
        let mut r = Region::new("t");
        let (y, n, m) = (r.array("y", &F32), r.scalar("n", &USIZE), r.scalar("m", &USIZE));
        let i = r.dim("i", count(0, &n));
        let k = r.let_mut("k", &i * &m * int(width));
        r.for_("a", count(0, &m), |r, _, _| {
            r.for_("b", count(0, 3), |r, _, _| {
                r.set(y.at(&k), 1.0);
                r.set(&k, &k + 1);
            });
        });
        findings(r)
    };
    clean(&rows(3));
    assert!(matches!(rows(2)[..], [RaceVerdict::Refuted(_)]), "rows overlap");
    // From the end, and what follows the loops.
    let down = |after: i128| {
        nest(move |r, y, [i, j, _, n]| {
            let k = r.let_mut("k", (i * n + j + 1) * 9);
            r.for_("a", count(0, 8), |r, _, _| {
                r.set(&k, &k - 1);
                r.set(y.at(&k), 1.0);
            });
            r.set(y.at(&k - int(after)), 1.0);
        })
    };
    clean(&down(1));
    assert!(
        matches!(down(2)[..], [RaceVerdict::Refuted(_), ..]),
        "the element after the loop is of the next iteration"
    );
    // Not by the same amount.
    let found = over(0, |r, y, i| {
        let k = r.let_mut("k", i);
        r.for_("a", count(0, 300), |r, a, _| {
            r.set(y.at(&k), 1.0);
            r.if_(y.at(a).gt(0.0), |r| r.set(&k, &k + 1));
        });
    });
    unknown(&found, "");
    // The start is data, and the loop runs over the same.
    let mut r = Region::new("t");
    let (y, ends) = (r.array("y", &F32), r.array("ends", &USIZE));
    let i = r.dim("i", count(1, ends.len()));
    let k = r.let_mut("k", ends.at(&i - 1));
    r.for_("e", count(ends.at(&i - 1), ends.at(&i)), |r, _, _| {
        r.set(y.at(&k), 1.0);
        r.set(&k, &k + 1);
    });
    unknown(&findings(r), "the bound of a loop around it is read from `ends`");
}

/// After an `if`, a local has the value of one branch; if one branch ends the iteration, that of the other.
#[test]
fn values_by_conditions() {
    let chosen = |leaves: bool| {
        over(0, move |r, y, i| {
            let k = r.let_mut("k", 0);
            r.if_else(
                i.lt(5),
                |r| r.set(&k, i),
                |r| {
                    r.set(&k, i + 1);
                    if leaves {
                        r.ret();
                    }
                },
            );
            r.set(y.at(&k), 1.0);
        })
    };
    clean(&chosen(false));
    clean(&chosen(true));
    let found = over(0, |r, y, i| {
        let k = r.let_mut("k", i);
        r.if_(y.at(0).gt(0.0), |r| r.set(&k, i + 1));
        r.set(y.at(&k), 1.0);
    });
    unknown(&found, "the condition that chooses the index can't be analysed");
    // Even and odd elements.
    clean(&over(0, |r, y, i| {
        let k = r.let_mut("k", i * 2);
        r.if_(y.at(i * 2).gt(0.0), |r| r.set(&k, i * 2 + 1));
        r.set(y.at(&k), 1.0);
    }));
}

#[test]
fn early_end_narrows() {
    clean(&over(0, |r, y, i| {
        r.if_(i.ge(1), Region::ret);
        r.set(y.at(7), 1.0);
    }));
}

#[test]
fn classes_of_bounds() {
    let mut r = Region::new("t");
    let (x, y) = (r.array("x", &F32), r.array("y", array_of(&F32, 3)));
    let i = r.dim("i", count(0, y.len()));
    r.if_(i.gt(0), |r| r.set(y.at(&i).at(1), x.at(&i)));
    r.if_(x.at(&i).gt(0.0), Region::ret);
    r.set(y.at(&i).at(0), 1.0);
    let said: Vec<_> =
        bounds::at_compile_time(&r.finish().0).iter().map(|c| (c.affine, c.unconditional)).collect();
    // x[i], y[i], [1] under the condition; x[i]; y[i], [0] after an early end
    assert_eq!(
        said,
        [(true, false), (true, false), (false, false), (true, true), (true, false), (false, false)]
    );
}

/// `i in 0..m` and an inner nest `j in 0..n`.
fn inner_rows(level: Level, body: impl Fn(&mut Region, &X, [&X; 3])) -> Vec<RaceVerdict> {
    let mut r = Region::new("t");
    let y = r.array("y", &F32);
    let (m, n) = (r.scalar("m", &USIZE), r.scalar("n", &USIZE));
    let i = r.dim("i", count(0, &m));
    r.inner(level, 1, &[], |r, _| r.for_("j", count(1, &n), |r, j, _| body(r, &y, [&i, &j, &n])));
    findings(r)
}

#[test]
fn inner_nests() {
    for level in [Level::Team, Level::Simd] {
        clean(&inner_rows(level, |r, y, [i, j, n]| r.set(y.at(i * n + j), 1.0)));
        refuted(&inner_rows(level, |r, y, [i, _, n]| r.set(y.at(i * n), 1.0)), &[(1, 2)], &[0]);
        let carried = inner_rows(level, |r, y, [i, j, n]| r.set(y.at(i * n + j), y.at(i * n + j - 1)));
        refuted(&carried, &[(1, 2)], &[1]);
        // Other rows are the outer loop's business.
        let [RaceVerdict::Refuted(w)] = &inner_rows(level, |r, y, [_, j, _]| r.set(y.at(j), 1.0))[..] else {
            panic!("one race")
        };
        assert_eq!(w.iterations[0].0, "i");
    }
}

/// The iterations of a sequential loop around a nest are ordered. Within one of them, the nest's iterations are not.
#[test]
fn inner_nests_in_a_loop() {
    let with = |index: fn(&X, &X, &X) -> X| {
        let mut r = Region::new("t");
        let y = r.array("y", array_of(&F32, 64));
        let n = r.scalar("n", &USIZE);
        let i = r.dim("i", count(0, y.len()));
        r.for_("k", count(0, 8), |r, k, _| {
            r.inner(Level::Team, 1, &[], |r, _| {
                r.for_("j", count(0, &n), |r, j, _| r.set(y.at(&i).at(index(&k, &j, &n)), 1.0));
            });
        });
        findings(r)
    };
    clean(&with(|_, j, _| j.clone()));
    clean(&with(|k, j, _| k + j));
    refuted(&with(|k, _, _| k.clone()), &[(0, 1)], &[0, 0]);
}

/// A few iterations of a nest around a loop of many: the nest's iterations are those of the outer one.
#[test]
fn inner_nests_of_few_iterations() {
    let with = |times: i128, index: fn(&X, &X) -> X| {
        let mut r = Region::new("t");
        let y = r.array("y", array_of(&F32, 64));
        let n = r.scalar("n", &USIZE);
        let i = r.dim("i", count(0, y.len()));
        r.inner(Level::Team, 1, &[], |r, _| {
            r.for_("a", count(0, int(times)), |r, a, _| {
                r.for_("b", count(0, &n), |r, b, _| r.set(y.at(&i).at(index(&a, &b)), 1.0));
            });
        });
        findings(r)
    };
    for times in [4, 40] {
        clean(&with(times, |a, _| a.clone()));
        refuted(&with(times, |_, b| b.clone()), &[(0, 1)], &[0, 0]);
    }
}

/// What is loaded bounds a nest: it may have several iterations.
#[test]
fn inner_nests_whose_length_is_loaded() {
    let with = |index: fn(&X) -> X| {
        let mut r = Region::new("t");
        let (y, ends) = (r.array("y", array_of(&F32, 64)), r.array("ends", &USIZE));
        let i = r.dim("i", count(0, y.len()));
        let end = r.let_("end", ends.at(&i));
        r.inner(Level::Team, 1, &[], |r, _| {
            r.for_("j", count(0, end), |r, j, _| r.set(y.at(&i).at(index(&j)), 1.0));
        });
        findings(r)
    };
    clean(&with(X::clone));
    unknown(&with(|_| X::Int(5, None)), "the bound of a loop around it is read from `ends`");
}

/// A condition on a captured number says nothing of the sizes with which two iterations conflict.
#[test]
fn conditions_on_captured_numbers_are_no_evidence() {
    let checkerboard = |condition: usize| {
        let mut r = Region::new("t");
        let a = r.array("a", &F32);
        let (n, c) = (r.scalar("n", &USIZE), r.scalar("c", &USIZE));
        let beta = r.scalar("beta", &F32);
        let y = r.dim("y", count(0, &n));
        let h = r.dim("h", count(0, &n / 2));
        let x = r.let_("x", int(2) * &h + (&y + &c) % 2);
        let v = r.let_("v", a.at((&y + &n - 1) % &n * &n + &x));
        let set = |r: &mut Region| r.set(a.at(&y * &n + &x), &v);
        match condition {
            0 => set(&mut r),
            1 => r.if_(v.gt(0.0), set),
            2 => r.if_(beta.gt(0.0), set),
            _ => r.if_(c.lt(7), set),
        }
        findings(r)
    };
    for condition in 0..4 {
        clean(&checkerboard(condition));
    }
}
