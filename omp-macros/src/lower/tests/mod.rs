//! Tests: bodies and their templates as text, and the errors of bodies.
#[cfg(test)]
pub(super) mod race_table;

use super::{Lowered, LoweredFn, desugar, lower_fn, lower_region};
use crate::ast::{Context, Region};
use crate::diag::Sink;
use crate::parse::{directive, loop_nest};
use crate::sema::CheckedRegion;
use omp_ir::print;
use quote::ToTokens;

/// A region from source text: a `for` nest that bears a directive.
pub(super) fn lower_desugared(region: &mut CheckedRegion, sink: &mut Sink) -> Result<Lowered, ()> {
    desugar(region);
    lower_region(region, false, sink)
}

pub(super) fn region(source: &str, arrays: &[&str]) -> CheckedRegion {
    let mut sink = Sink::new();
    let mut serial: syn::ExprForLoop = syn::parse_str(source).expect("the nest parses");
    let attr = serial.attrs.remove(0);
    let directive = directive::parse(&attr, &mut sink).expect("the directive parses");
    assert_eq!(sink.into_texts(), Vec::<String>::new());
    let count = directive.clauses.collapse.as_ref().map_or(1, |c| c.value);
    let mut loops = Vec::new();
    let mut at = serial.clone();
    for k in 0..count {
        loops.push(loop_nest::head(&at).ok().expect("a counted loop"));
        if k + 1 < count {
            at = loop_nest::only_loop(&at.body).expect("a perfect nest").clone();
        }
    }
    let context = Context {
        function: "f".into(),
        array_names: arrays.iter().map(ToString::to_string).collect(),
        ..Context::default()
    };
    CheckedRegion::from(Region {
        directive,
        around: crate::ast::Around::default(),
        context,
        loops,
        body: at.body,
        serial,
        parts: vec![],
        written: None,
        prelude: vec![],
        iterated: None,
        copied: vec![],
        inner: std::rc::Rc::default(),
        macros: vec![],
    })
}

fn lowered(source: &str) -> Lowered {
    let mut sink = Sink::new();
    let mut region = region(source, &[]);
    let result = lower_desugared(&mut region, &mut sink);
    assert_eq!(sink.into_texts(), Vec::<String>::new());
    result.expect("no problem was reported")
}

fn lowered_fn(source: &str) -> LoweredFn {
    let mut sink = Sink::new();
    let function: syn::ItemFn = syn::parse_str(source).expect("the function parses");
    let result = lower_fn(&function.sig, &function.block, &super::Around::default(), &mut sink);
    assert_eq!(sink.into_texts(), Vec::<String>::new());
    result.expect("no problem was reported")
}

/// Without the first line's margin.
fn text(snapshot: &str) -> String {
    let margin = snapshot.lines().nth(1).map_or(0, |l| l.len() - l.trim_start().len());
    snapshot
        .lines()
        .skip(1)
        .filter(|l| !l.trim().is_empty())
        .map(|l| format!("{}\n", &l[margin.min(l.len())..]))
        .collect()
}

#[track_caller]
fn body(source: &str, expected: &str) {
    let whole = format!("#[omp::target] for i in 0..n {{ {source} }}");
    let printed = print::kernel(&lowered(&whole).template);
    let printed: String = printed
        .lines()
        .filter(|l| !["region ", "  arrays ", "  parallel "].iter().any(|p| l.starts_with(p)))
        .map(|l| format!("{}\n", l.strip_prefix("  ").unwrap_or(l)))
        .collect();
    assert!(printed == text(expected), "{source}\ngave\n{printed}\nnot\n{}", text(expected));
}

#[track_caller]
fn function(source: &str, expected: &str) {
    let printed = print::function(&lowered_fn(source).template);
    assert!(printed == text(expected), "{source}\ngave\n{printed}\nnot\n{}", text(expected));
}

/// Asserts one error with these words.
#[track_caller]
fn refused(source: &str, words: &[&str]) {
    let mut sink = Sink::new();
    let mut region = region(&format!("#[omp::target] for i in 0..n {{ {source} }}"), &[]);
    assert!(lower_desugared(&mut region, &mut sink).is_err(), "{source}");
    let texts = sink.into_texts();
    assert_eq!(texts.len(), 1, "{texts:#?}");
    for word in words {
        assert!(texts[0].contains(word), "{}\nlacks {word}", texts[0]);
    }
}

#[test]
fn saxpy() {
    let l = lowered("#[omp::target(map(to: x))] for i in 0..x.len() { y[i] = a * x[i] + y[i]; }");
    let expected = "
        region f(a: s1)
          arrays x r To, y rw
          parallel i0 in 0:s0 .. len(x)
          check x[i0] #1
          check y[i0] #2
          check y[i0] #0
          y[i0]#0 = ((a * x[i0]#1) + y[i0]#2)
    ";
    assert_eq!(print::kernel(&l.template), text(expected));
    let copy = l.typing.copy.to_string();
    assert!(copy.contains("array (__a0) . see_indexed (& x)"), "{copy}");
    assert!(copy.contains("slot (__s1) . see (& a)"), "{copy}");
    assert!(copy.contains("for i in 0 .. x . len ()"), "{copy}");
    assert!(!copy.contains("__omp_access"), "{copy}");
}

#[test]
fn a_capture_is_what_the_body_does_not_bind() {
    let l = lowered("#[omp::target] for i in 0..n { let x = x[i]; let a = x * self.gain; self.v[i] = a; }");
    let keys = |l: &Lowered| {
        let arrays: Vec<_> = l.captures.arrays.iter().map(|a| a.key.clone()).collect();
        let scalars: Vec<_> = l.captures.scalars.iter().map(|a| a.key.clone()).collect();
        (arrays, scalars)
    };
    assert_eq!(keys(&l), (vec!["x".into(), "self.v".into()], vec!["self.gain".into()]));
    // The subscript is on the body's own `x`: the captured one stays a scalar.
    let l = lowered("#[omp::target] for i in 0..n { let t = x; let x = [t, t]; y[i] = x[i % 2]; }");
    assert_eq!(keys(&l), (vec!["y".into()], vec!["x".into()]));
    // An array by its first argument position already.
    let l = lowered("#[omp::target] for i in 0..n { let t = f(x); y[i] = t + x[i]; }");
    assert_eq!(keys(&l), (vec!["x".into(), "y".into()], vec![]));
}

#[test]
fn indices_that_load_get_a_name() {
    body(
        "y[i] = x[from[i] as usize];",
        "
        check from[i0] #1
        let index1 = (from[i0]#1 as:s1)
        check x[index1] #2
        check y[i0] #0
        y[i0]#0 = x[index1]#2
        ",
    );
}

#[test]
fn order_of_evaluation_is_kept() {
    body(
        "let mut k = i; y[i] = x[k] + { k += 1; k } * x[k];",
        "
        let mut k1: s1 = i0
        check x[k1] #1
        let kept3 = x[k1]#1
        let result2
        k1 = (k1 + 1:s2)
        result2 = k1
        check x[k1] #2
        check y[i0] #0
        y[i0]#0 = (kept3 + (result2 * x[k1]#2))
        ",
    );
}

#[test]
fn tuples_are_assigned_at_once() {
    body(
        "let (mut a, mut b) = (x[i], 2.0); (a, b) = (b, a); y[i] = a;",
        "
        check x[i0] #0
        let mut a1: s1 = x[i0]#0
        let mut b2: s2 = 2.0:s2
        let __l13: s3 = b2
        let __l24: s4 = a1
        a1 = __l13
        b2 = __l24
        check y[i0] #1
        y[i0]#1 = a1
        ",
    );
}

#[test]
fn division_is_checked() {
    body(
        "y[i] /= x[i] - 1;",
        "
        check x[i0] #1
        check y[i0] #0
        let dividend1 = y[i0]#0
        let divisor2 = (x[i0]#1 - 1:s1)
        check dividend1 / divisor2
        y[i0]#0 = (dividend1 / divisor2)
        ",
    );
}

#[test]
fn literals_under_casts_have_the_type_of_the_cast() {
    body(
        "y[i] = 3_000_000_000 as u64; z[i] = 0.1 as f32; u[i] = -1 as f32; v[i] = b'a' as u64 + 'b' as u64;",
        "
        check y[i0] #0
        y[i0]#0 = (3000000000:s1 as:s1)
        check z[i0] #1
        z[i0]#1 = (0.1:s2 as:s2)
        check u[i0] #2
        u[i0]#2 = (-1:i32 as:s3)
        check v[i0] #3
        v[i0]#3 = ((97:u8 as:s4) + (98:char as:s5))
        ",
    );
}

#[test]
fn short_circuit_keeps_checks_under_their_condition() {
    body(
        "if k > 0 && x[k - 1] > 2 { y[i] = 1; } let both = k > 0 && k < 5;",
        "
        if (k > 0:s2)
          check x[(k - 1:s3)] #0
          if (x[(k - 1:s3)]#0 > 2:s4)
            check y[i0] #1
            y[i0]#1 = 1:s5
        let both2: s6 = ((k > 0:s7) && (k < 5:s8))
        ",
    );
}

#[test]
fn a_variable_that_looks_like_a_short_circuit_stays() {
    body(
        "let mut t = k > 0; if t { t = k < 5; } if t { y[i] = 1; } z[i] = t as u8;",
        "
        let mut t1: s1 = (k > 0:s3)
        if t1
          t1 = (k < 5:s4)
        if t1
          check y[i0] #0
          y[i0]#0 = 1:s5
        check z[i0] #1
        z[i0]#1 = (t1 as:s6)
        ",
    );
}

#[test]
fn loops_and_jumps() {
    body(
        "if i < 2 { continue; }
         let mut d = 2;
         y[i] = loop { if d > i { break i; } d += 1; };
         'outer: for a in (1..=n).rev().step_by(2) { for _ in a..n { continue 'outer; } break; }
         while d > 0 { d -= 1; }",
        "
        if (i0 < 2:s1)
          return
        let mut d1: s2 = 2:s2
        let result2
        'l0 loop
          if (d1 > i0)
            result2 = i0
            break 'l0
          d1 = (d1 + 1:s3)
        check y[i0] #0
        y[i0]#0 = result2
        check step 2:s6
        'l1 for a3: s4 in 1:s4 ..= n rev step 2:s6
          'l2 for __i14: s7 in a3 .. n
            continue 'l1
          break 'l1
        'l3 loop
          if !(d1 > 0:s8)
            break 'l3
          d1 = (d1 - 1:s9)
        ",
    );
}

#[test]
fn match_on_a_tuple_makes_none() {
    body(
        "y[i] = match (i % 3, b) { (0, true) => 1, (_, false) => 2, _ => 3 };",
        "
        let result1
        check i0 % 3:s1
        let subject2 = (i0 % 3:s1)
        if ((subject2 == 0:s2) && b)
          result1 = 1:s4
        else
          if !b
            result1 = 2:s4
          else
            result1 = 3:s4
        check y[i0] #0
        y[i0]#0 = result1
        ",
    );
}

#[test]
fn options_and_guards() {
    function(
        "fn f(v: Option<u32>) -> u32 { match v { Some(0) => 7, Some(n) if n > 9 => n, Some(n) => n + 1, None => 0 } }",
        "
        fn f(v0: s0) -> s1
          let result1
          if (is_some(v0) && (v0.some == 0:s2))
            result1 = 7:s3
          else
            let n3: s4
            let holds2 = false
            if is_some(v0)
              n3 = v0.some
              holds2 = (n3 > 9:s5)
            if holds2
              result1 = n3
            else
              if is_some(v0)
                let n4: s6 = v0.some
                result1 = (n4 + 1:s7)
              else
                result1 = 0:s3
          return result1
        ",
    );
}

#[test]
fn if_let_chains_with_else() {
    function(
        "fn f(v: Option<u32>, k: u32) -> u32 { if k > 1 && let Some(n) = v && n < k { n } else { 0 } }",
        "
        fn f(v0: s0, k1: s1) -> s2
          let result2
          let held3 = false
          if (k1 > 1:s3)
            if is_some(v0)
              let n4: s4 = v0.some
              if (n4 < k1)
                held3 = true
                result2 = n4
          if !held3
            result2 = 0:s5
          return result2
        ",
    );
}

#[test]
fn assertions_say_what_failed() {
    body(
        "assert!(x[i] > 0.0, \"mass {i} is {}\", x[i]); debug_assert!(n == 3); assert_eq!(i, n);",
        "
        check x[i0] #0
        if !(x[i0]#0 > 0.0:s1)
          check x[i0] #1
          let subject1 = x[i0]#1
          let __p12: s2 = subject1
          check panic \"mass {} is {}\", i0, __p12
        if cfg!(debug_assertions)
          if !(n == 3:s5)
            check panic \"assertion failed: n == 3\"
        let __p23: s6 = i0
        let __p34: s7 = n
        if !(__p23 == __p34)
          check panic \"assertion `left == right` failed\\n  left: {:?}\\n right: {:?}\", __p23, __p34
        ",
    );
}

#[test]
fn slices_are_checked_and_may_have_names() {
    body(
        "let row = &x[i * n..(i + 1) * n]; let mut s = 0; for k in 0..row.len() { s += row[k]; } y[i] = sum(&x[i..], row) + s;",
        "
        check x[(i0 * n)..((i0 + 1:s3) * n)] #0
        let slice row1 = &x[(i0 * n)..((i0 + 1:s3) * n)]#0
        let mut s2: s4 = 0:s4
        'l0 for k3: s5 in 0:s5 .. len(row1)
          check row1[k3] #1
          s2 = (s2 + row1[k3]#1)
        check x[i0..] #3
        let called4 = sum(&x[i0..]#3, row1):s6
        check y[i0] #2
        y[i0]#2 = (called4 + s2)
        ",
    );
}

#[test]
fn reductions_privates_and_dependent_bounds() {
    let l = lowered(
        "#[omp::target(collapse(2), reduction(+: sum, self.total), private(t), firstprivate(q, w))]
         for i in 0..n { for j in i..n { t = j; w = t + 1; sum += t * q; self.total += w; } }",
    );
    let expected = "
        region f(t: s2, w: s3, q: s7)
          reduce Add sum0
          reduce Add self.total1
          parallel i4 in 0:s4 .. ?
          parallel dependent j5 in i4 .. n
          t2 = j5
          w3 = (t2 + 1:s6)
          sum0 = (sum0 + (t2 * q))
          self.total1 = (self.total1 + w3)
    ";
    let printed = print::kernel(&l.template);
    assert_eq!(printed.replace(", n: s8", ""), text(expected));
    let private: Vec<bool> = l.captures.scalars.iter().map(|s| s.private).collect();
    assert_eq!(private, [true, true, false, false]);
}

/// Reads of `a`, an array of eight elements in `private`, and of `t`, a number.
#[test]
fn private_copies_are_proved_refuted_or_checked() {
    #[derive(Debug, PartialEq)]
    enum Verdict {
        Proved,
        Checked,
        Refused,
    }
    use Verdict::{Checked, Proved, Refused};
    for (body, verdict) in [
        ("a[i % 8] = 1; y[i] = a[i % 8];", Proved),
        ("let k = x[i]; a[k] = 1; y[i] = a[k];", Proved),
        ("for k in 0..8 { a[k] = 1; } y[i] = a[x[i]];", Proved),
        ("for k in (0..8).rev() { a[7 - k] = 1; } y[i] = a[x[i]];", Proved),
        ("for k in 0..n { a[k] = 1; } for k in 0..n { y[i] += a[k]; }", Proved),
        ("for k in 0..8 { a[k] = 1; if k > 0 { a[k] += a[k - 1]; } } y[i] = a[2];", Proved),
        ("if x[i] > 2 { a = [1; 8]; } else { for k in 0..8 { a[k] = 2; } } y[i] = a[x[i]];", Proved),
        ("a[0] = 1; for k in 1..8 { a[k] = a[k - 1]; } y[i] = a[7];", Proved),
        ("a[3] = 1; while x[i] > a[3] { a[3] += 1; } y[i] = a[3];", Proved),
        ("let k = 3; a[k] = 1; y[i] = a[3];", Proved),
        ("y[i] = a[2];", Proved), // no iteration assigns it
        ("a[1] = 1; y[i] = a[2];", Proved),
        ("a[x[i]] = 1; y[i] = a[x[i]];", Proved),
        ("a[i % 8] = 1; y[i] = a[(i + 1) % 8];", Checked),
        // Elements that all iterations may assign are assigned by each iteration, or by none.
        ("for k in 0..n { a[k] = 1; } y[i] = a[3];", Proved),
        ("for k in 0..8 { if x[i] == k { continue; } a[k] = 1; } y[i] = a[2];", Checked),
        ("for k in 0..8 { if x[i] == k { break; } a[k] = 1; } y[i] = a[2];", Checked),
        ("for k in (0..8).step_by(2) { a[k] = 1; } y[i] = a[2];", Checked),
        ("if x[i] > 2 { a[1] = 1; } y[i] = a[1];", Checked),
        ("if x[i] > 2 { a[1] = 1; } a.swap(1, 2); y[i] = a[1];", Refused),
        ("let mut f = 0; if x[i] > 2 { a[f] = 1; f += 1; } let part = &a[..f]; y[i] = part.len();", Checked),
        ("for k in 0..3 { if x[i] > k { y[i] += a[k]; } a[k + 1] = 1; }", Checked),
        ("y[i] = a[2]; a[2] = 1;", Refused),
        ("y[i] = a[x[i]]; a[2] = 1;", Refused),
        ("for k in 0..8 { y[i] += a[k]; a[k] = 1; }", Refused),
        ("a[2] += 1;", Refused),
        ("a[1] = 1; y[i] = a[2]; a[2] = 1;", Refused),
        ("if x[i] > 2 { a[1] = 1; } y[i] = sum(&a);", Refused),
        ("const K: usize = 2; a[K] = 1; y[i] = a[K];", Proved),
        (
            "if x[i] > 2 { const K: usize = 2; a[K] = 1; } else { const K: usize = 3; a[K] = 1; } { const K: usize = 3; y[i] = a[K]; }",
            Checked,
        ),
        ("a[n % 8] = 1; y[i] = a[n % 8];", Proved),
        ("t = x[i]; y[i] = t;", Proved),
        ("if x[i] > 2 { t = 1; } else { t = 2; } y[i] = t;", Proved),
        ("for k in 0..3 { t = k; } y[i] = t;", Proved),
        ("t = loop { if x[i] > 2 { break 3; } }; y[i] = t;", Proved),
        ("match x[i] { 0 => t = 1, 1 => continue, _ => t = 3 } y[i] = t;", Proved),
        ("if x[i] > 2 { t = 1; } y[i] = t;", Refused),
        ("for k in 0..n { t = k; } y[i] = t;", Refused),
        ("while x[i] > 2 { t = 1; } y[i] = t;", Refused),
        ("t += 1; y[i] = t;", Refused),
    ] {
        let mut sink = Sink::new();
        let source = format!("#[omp::target(private(a, t))] for i in 0..n {{ {body} }}");
        let mut region = region(&source, &[]);
        region.context.lengths = vec![("a".to_owned(), vec!["8".to_owned()])];
        let result = lower_desugared(&mut region, &mut sink);
        let texts = sink.into_texts();
        let found = match result {
            Ok(lowered) if lowered.checked => Checked,
            Ok(_) => Proved,
            Err(()) => Refused,
        };
        assert_eq!(found, verdict, "{body}: {texts:?}");
        let race = texts.iter().all(|t| t.contains("but this reads what an earlier iteration assigned"));
        assert!(race && texts.len() == usize::from(verdict == Refused), "{body}: {texts:?}");
    }
}

#[test]
fn local_consts_are_asked_under_their_own_names() {
    let l = lowered_fn(
        "fn f(k: usize) -> f64 { const N: usize = 2; const A: [f64; N] = [1.0, 2.0]; A[k % N] + B }",
    );
    let items = l.typing.items.to_string();
    assert!(items.contains("const __CONST_2 : [f64 ; __CONST_1]"), "{items}");
    let consts: Vec<String> = l.typing.consts.iter().map(|c| quote::quote!(#c).to_string()).collect();
    assert_eq!(
        consts,
        [
            "(* :: omp :: __private :: array_of :: < _ , { :: omp :: __private :: Length (& __CONST_2) . of_table () } > (& __CONST_2 [..]))",
            "__CONST_1",
            "B"
        ]
    );
}

#[test]
fn calls_ask_for_their_callees() {
    let l = lowered(
        "#[omp::target] for i in 0..n { y[i] = geo::mix::<3>(x[i], 2).max(f32::from_bits(u)) + T::g(1); }",
    );
    let functions = l.typing.functions.iter();
    let functions: Vec<_> =
        functions.map(|f| (f.path.to_token_stream().to_string(), f.companion.to_string(), f.args)).collect();
    assert_eq!(functions, [("geo :: mix".to_owned(), "DeviceFunction0".to_owned(), 2)]);
    let copy = l.typing.copy.to_string();
    for part in [
        "(* :: omp :: __private :: methods :: Own :: of ((& :: omp :: __private :: receiver (__r0)) . omp_peel ())) . omp_E0709_declare_target_max (:: omp :: __private :: receiver (__b4) . value () , :: omp :: __private :: call (__c2))",
        "f32 :: omp_E0709_declare_target_from_bits (__v1 , :: omp :: __private :: call (__c1) . by_path ())",
        "let mut __g2 = f32 :: from_bits ; __g2 = < f32 > :: from_bits ; :: omp :: __private :: call (__c1) . item (& __g2)",
        "receiver (__r0) . place () } ,) . 0) . max ((:: omp :: __private :: receiver (__b3) . value () ,) . 0)",
        "HiddenW (& T :: omp_E0709_declare_target_g , :: omp :: __private :: call (__c3) . by_path () , & __g6 . 0 , (& :: omp :: __private :: Receiver :: new () ,))",
        "DeviceFunction0 :: < 3 > :: bind (:: omp :: __private :: call (__c0)",
    ] {
        assert!(copy.contains(part), "{copy}\nlacks {part}");
    }
    let names: Vec<_> = l.template.code.calls.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["mix", "from_bits", "max", "g", "+"]);
}

#[test]
fn what_the_turbofish_says_reaches_the_companion() {
    let l = lowered("#[omp::target] for i in 0..n { y[i] = h::<N>(); }");
    let copy = l.typing.copy.to_string();
    assert!(copy.contains("DeviceFunction0 :: < N > :: bind"), "{copy}");
}

#[test]
fn ranges_in_patterns_may_be_negative() {
    function(
        "fn f(v: i32) -> bool { matches!(v, -5..=-1 | 3) }",
        "
        fn f(v0: s0) -> s1
          let result1
          if (((v0 >= -5:s2) && (v0 <= -1:s2)) || (v0 == 3:s2))
            result1 = true
          else
            result1 = false
          return result1
        ",
    );
}

#[test]
fn a_mistake_in_a_let_is_one_error() {
    refused("let v = vec![1]; y[i] = v[0]; let (a, b) = (v, 1); y[i] = a;", &["vec!"]);
}

#[test]
fn continue_of_the_labelled_parallel_loop_ends_the_iteration() {
    let l = lowered(
        "#[omp::target] 'rows: for i in 0..n { for k in 0..n { if x[k] > 3 { continue 'rows; } } y[i] = 1; }",
    );
    let printed = print::kernel(&l.template);
    assert!(printed.contains("      return\n"), "{printed}");
    assert!(l.typing.copy.to_string().contains("'rows : for i"));
}

#[test]
fn subscripts_bear_their_numbers_in_the_host_loop() {
    let mut sink = Sink::new();
    let mut region = region("#[omp::target] for i in 0..n { assert!(x[i] > 0); y[z[i]] += x[i]; }", &[]);
    assert!(lower_desugared(&mut region, &mut sink).is_ok());
    assert!(sink.is_empty());
    let body = ToTokens::to_token_stream(&region.body).to_string();
    for n in 0..4 {
        assert_eq!(body.matches(&format!("__omp_access ({n})")).count(), 1, "{body}");
    }
    let serial = ToTokens::to_token_stream(&region.serial).to_string();
    assert!(!serial.contains("assert") || serial.contains(":: core :: panic"), "{serial}");
}

#[test]
fn swap_is_two_stores() {
    body(
        "let mut w = [1, 2]; w.swap(0, 1);",
        "
        let mut w1: s1 = [1:s2, 2:s3]:s4
        check w1[0:s5] #0
        check w1[1:s6] #1
        let swapped2 = w1[0:s5]#0
        let swapped3 = w1[1:s6]#1
        w1[0:s5]#0 = swapped3
        w1[1:s6]#1 = swapped2
        ",
    );
}

#[test]
fn what_no_body_has_is_named() {
    refused("println!(\"{i}\");", &["println", "omp::E"]);
    refused("let v = vec![1, 2];", &["vec!", "heap"]);
    refused("let v = std::vec::Vec::new();", &["Vec::new", "heap"]);
    refused("let s = format!(\"{i}\");", &["format!"]);
    refused("let f = |x| x + 1;", &["closure"]);
    refused("unsafe { y[i] = 1; }", &["unsafe"]);
    refused("y[i] = std::process::id();", &["std::process::id", "host"]);
    refused("let t = (&y[i], 1);", &["reference"]);
    refused("fn g() {}", &["not generic"]);
    refused("let N = 3; y[i] = match i { N => 1, _ => 0 };", &["capital"]);
    refused("sum += 1;", &["race", "sum"]);
    refused("frobnicate!(3);", &["frobnicate"]);
    refused("let z = y; y[i] = 1;", &["whole"]);
    refused("y[i] = u32::try_from(i);", &["try_from", "Result"]);
    refused("let f = 3; y[i] = f(1);", &["variable", "device"]);
    refused("let v: i128 = 5i128;", &["i128"]);
}
