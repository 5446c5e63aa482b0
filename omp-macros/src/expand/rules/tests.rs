//! Expansions of whole functions.
use super::{Extent, expand};
use crate::diag::Sink;
use quote::ToTokens;
use syn::Item;

/// The body after the `macro_rules!` before it have been applied, and the errors.
fn of(body: &str) -> (String, Vec<String>) {
    let text = format!("mod m {{ {body} }}");
    let mut item: Item = syn::parse_str(&text).expect("an item");
    let mut sink = Sink::new();
    expand(&mut item, Extent::Whole, &mut sink);
    let Item::Mod(m) = item else { panic!("a module") };
    let (_, items) = m.content.expect("with items");
    let f = items.into_iter().find_map(|item| match item {
        Item::Fn(f) => Some(f),
        _ => None,
    });
    let block = f.expect("a function").block;
    let text =
        block.stmts.iter().map(|stmt| stmt.to_token_stream().to_string()).collect::<Vec<_>>().join(" ");
    (text, sink.into_texts())
}

fn expanded(body: &str) -> String {
    let (text, errors) = of(body);
    assert_eq!(errors, [""; 0], "{body}");
    text
}

fn tokens(text: &str) -> String {
    text.parse::<proc_macro2::TokenStream>().expect("tokens").to_string()
}

#[track_caller]
fn is(body: &str, expected: &str) {
    assert_eq!(expanded(body), tokens(expected));
}

#[test]
fn operands_stay_whole() {
    let quarter = "macro_rules! quarter { ($e:expr) => { $e / 4 }; }";
    is(&format!("{quarter} fn f(x: u8) {{ x + quarter!(x + 1) }}"), "x + ((x + 1) / 4)");
    is(&format!("{quarter} fn f(x: u8) {{ g(quarter!(x), y[quarter!(x)]); }}"), "g(x / 4, y[x / 4]);");
    is(&format!("{quarter} fn f(x: u8) {{ let a = -quarter!(f(x)); }}"), "let a = -(f(x) / 4);");
    is("macro_rules! m { ($a:expr) => { $a.abs() } } fn f() { m!(-1.0) }", "(-1.0).abs()");
    is(
        "macro_rules! m { ($a:expr, $t:ty) => { if $a > 0 { $t::MAX } else { $a as $t } } } fn f() { m!(b, u8) }",
        "if b > 0 { u8::MAX } else { b as u8 }",
    );
}

#[test]
fn variables_are_apart() {
    let swap = "macro_rules! swap { ($a:expr, $b:expr) => { let t = $a; $a = $b; $b = t; } }";
    is(&format!("{swap} fn f(t: u8, mut u: u8) {{ swap!(t, u); t }}"), "let t_1 = t; t = u; u = t_1; t");
    is(&format!("{swap} fn f(a: u8, u: u8) {{ swap!(a, u); }}"), "let t = a; a = u; u = t;");
    is(
        &format!("{swap} fn f(a: u8, u: u8) {{ swap!(a, u); swap!(u, a); }}"),
        "let t_1 = a; a = u; u = t_1; let t_2 = u; u = a; a = t_2;",
    );
    is("macro_rules! m { ($n:ident) => { let $n = 1; } } fn f() { m!(n); n }", "let n = 1; n");
    is(
        "macro_rules! m { ($s:expr) => {{ let S { x, y: z } = $s; S { x, y: z } }} } fn f(x: S, z: S) { m!(x) }",
        "{ let S { x: x_1, y: z_1 } = x; S { x: x_1, y: z_1 } }",
    );
    is(
        "macro_rules! m { ($e:expr) => { for i in 0..4 { if i > $e { break; } assert!(i < 9, \"{i} {}\", $e); } } } fn f(i: u8) { m!(i); }",
        "for i_1 in 0..4 { if i_1 > i { break; } assert!(i_1 < 9, \"{i_1} {}\", i); };",
    );
    is("macro_rules! m { ($v:expr) => { (|t| t + $v)(1) } } fn f(t: u8) { m!(t) }", "(|t_1| t_1 + t)(1)");
    is(
        "macro_rules! m { ($v:expr) => { matches!($v, Some(t) if t > 0) } } fn f(x: O) { m!(x) }",
        "match x { Some(t) if t > 0 => true, _ => false }",
    );
    is(
        "macro_rules! m { ($v:expr, $w:expr) => { matches!($v, Some(t) if t > $w) } } fn f(x: O, t: u8) { !m!(x, t) }",
        "!(match x { Some(t_1) if t_1 > t => true, _ => false })",
    );
}

#[test]
fn labels_are_apart() {
    is(
        "macro_rules! m { ($b:expr) => { 'a: loop { if $b { break 'a; } } } } fn f() { 'a: loop { m!({ break 'a; true }); } }",
        "'a: loop { 'a_1: loop { if { break 'a; true } { break 'a_1; } }; }",
    );
    is(
        "macro_rules! m { ($l:lifetime) => { break $l } } fn f() { 'a: loop { m!('a); } }",
        "'a: loop { break 'a; }",
    );
    let (_, errors) = of("macro_rules! m { () => { break 'a } } fn f() { 'a: loop { m!(); } }");
    assert_eq!(errors.len(), 1);
}

#[test]
fn variables_of_the_caller() {
    is("fn f(n: u8) { macro_rules! m { ($i:expr) => { $i * n } } m!(2) }", "2 * n");
    is("fn f(n: u8) { macro_rules! m { () => {{ let n = n + 1; n }} } m!() }", "{ let n_1 = n + 1; n_1 }");
    is("macro_rules! m { () => { N + n } } fn f() { m!() }", "N + n");
    for body in [
        "macro_rules! m { () => { n } } fn f(n: u8) { m!() }",
        "macro_rules! m { () => { self.n } } impl S { } fn f(self) { m!() }",
        "fn f(n: u8) { macro_rules! m { () => { n } } let n = 2; m!() }",
        "macro_rules! m { () => { assert!(n > 0) } } fn f(n: u8) { m!() }",
        "macro_rules! m { () => { assert!(true, \"{n}\") } } fn f(n: u8) { m!() }",
    ] {
        let (_, errors) = of(body);
        assert_eq!(errors.len(), 1, "{body}: {errors:?}");
        assert!(errors[0].contains("pass it as an argument"), "{errors:?}");
    }
}

#[test]
fn rules_call_rules() {
    is(
        "macro_rules! max { ($a:expr) => { $a }; ($a:expr, $($b:expr),+) => {{ let (x, y) = ($a, max!($($b),+)); if x > y { x } else { y } }} } fn f(x: u8) { max!(x, 2) }",
        "{ let (x_1, y) = (x, 2); if x_1 > y { x_1 } else { y } }",
    );
    is(
        "macro_rules! sum { (@to $s:expr ;) => { $s }; (@to $s:expr ; $a:tt $($b:tt)*) => { sum!(@to $s + $a ; $($b)*) }; ($($a:tt)*) => { sum!(@to 0 ; $($a)*) } } fn f() { sum!(1 b (c)) * 2 }",
        "(((0 + 1) + b) + (c)) * 2",
    );
    is(
        "macro_rules! inner { ($a:expr) => { $a * 2 } } macro_rules! outer { ($a:expr) => { inner!($a + 1) } } fn f() { outer!(x) }",
        "(x + 1) * 2",
    );
    is(
        "macro_rules! inner { (1 + 2) => { a }; ($e:expr) => { b } } macro_rules! outer { ($e:expr) => { inner!($e) } } fn f() { outer!(1 + 2) }",
        "b",
    );
    is(
        "macro_rules! inner { ($a:expr) => { $a } } fn f() { assert!(inner!(x > 0), \"{}\", inner!(y)); }",
        "assert!(x > 0, \"{}\", y);",
    );
    is(
        "macro_rules! m { ($($x:ident = $v:expr),* $(,)?) => { $(let $x = $v;)* } } fn f() { m!(a = 1, b = a,); a + b }",
        "let a = 1; let b = a; a + b",
    );
    // It has no end, and stays.
    is("macro_rules! m { () => { m!() } } fn f() { g(m!()); }", "g(m!());");
}

#[test]
fn what_is_not_expanded() {
    for call in ["m!(1, 2)", "other!()", "std::m!(1)", "vec![1]"] {
        is(&format!("macro_rules! m {{ ($a:expr) => {{ $a }} }} fn f() {{ {call}; }}"), &format!("{call};"));
    }
    is("#[cfg(test)] macro_rules! m { () => { 1 } } fn f() { g(m!()) }", "g(m!())");
    is("fn f() { { macro_rules! m { () => { 1 } } g(m!()); } m!(); }", "{ g(1); } m!();");
}
