//! Tests: loops over iterators before and after the rewriting, as text.
use super::*;
use quote::{ToTokens, quote};

/// The nest without spaces, names as they are.
fn rewritten(text: &str, collapse: u32) -> (String, Vec<String>) {
    let f: ExprForLoop = syn::parse_str(text).unwrap();
    let mut sink = Sink::new();
    let kinds = |name: &Ident| (name == "shared").then_some(IteratedBy::Shared);
    let nest = nest(&f, collapse, &|_| true, Vec::new(), (&kinds, &Context::default()), &mut sink);
    let errors = sink.into_tokens().to_string();
    assert!(errors.is_empty(), "{errors}");
    let plain = |tokens: proc_macro2::TokenStream| tokens.to_string().replace(' ', "");
    (plain(nest.counted.to_token_stream()), nest.prelude.iter().map(|s| plain(quote!(#s))).collect())
}

fn same(text: &str, expected: &str) {
    let expected = expected.parse::<proc_macro2::TokenStream>().unwrap().to_string().replace(' ', "");
    assert_eq!(rewritten(text, 1).0, expected, "{text}");
}

#[test]
fn elements_stand_for_their_names() {
    same(
        "for v in x.iter_mut() { *v = *v * 2; }",
        "for __omp_at1 in 0..x.len() { x[__omp_at1] = x[__omp_at1] * 2; }",
    );
    same("for (i, v) in x.iter_mut().enumerate() { *v = i; }", "for i in 0..x.len() { x[i] = i; }");
    same(
        "for (a, &b) in y.iter_mut().zip(x) { *a += b; }".replace("zip(x)", "zip(x.iter())").as_str(),
        "for __omp_at1 in 0..::omp::__private::fewer(y.len(), x.len()) { let b = x[__omp_at1]; y[__omp_at1] += b; }",
    );
    same(
        "for v in x.iter().rev() { s += v.abs(); }",
        "for __omp_at1 in (0..x.len()).rev() { s += (&x[__omp_at1]).abs(); }",
    );
    let (nest, prelude) = rewritten("for (i, v) in x.iter().rev().enumerate() { s += v[i]; }", 1);
    assert_eq!(prelude, ["let__omp_bound1=x.len();"]);
    assert_eq!(nest, "foriin0..__omp_bound1{s+=x[(__omp_bound1-1-i)][i];}");
    same(
        "for p in &mut q { p.x += p.y; f(p); }",
        "for __omp_at1 in 0..q.len() { { let __omp_value2 = q[__omp_at1].y; q[__omp_at1].x += __omp_value2; }; f((&mut q[__omp_at1])); }",
    );
    let (nest, prelude) = rewritten("for (j, k) in (lo..hi).step_by(3).enumerate() { y[j] = k; }", 1);
    assert_eq!(prelude, ["let__omp_bound1=::omp::__private::trips(lo,hi,false);"]);
    assert_eq!(
        nest,
        "forjin0..::omp::__private::steps(__omp_bound1,3){letk=::omp::__private::nth(lo,hi,(j*3));y[j]=k;}"
    );
}

#[test]
fn names_alone_are_iterated_as_their_types_say() {
    same(
        "for (v, e) in x.iter_mut().zip(shared) { *v += *e; for &f in shared { *v -= f; } }",
        "for __omp_at1 in 0..::omp::__private::fewer(x.len(), shared.len()) { x[__omp_at1] += shared[__omp_at1]; for __omp_at2 in 0..shared.len() { let f = shared[__omp_at2]; x[__omp_at1] -= f; } }",
    );
}

#[test]
fn scopes_are_those_of_rust() {
    same("for x in x.iter() { s += *x; }", "for __omp_at1 in 0..x.len() { s += x[__omp_at1]; }");
    same(
        "for v in x.iter() { let x = 3; s += *v + x; { let v = 1; s += v; } }",
        "for __omp_at1 in 0..x.len() { let __omp_x_2 = 3; s += x[__omp_at1] + __omp_x_2; { let v = 1; s += v; } }",
    );
    same(
        "for (&x, w) in y.iter().zip(x.iter()) { s += x * *w; }",
        "for __omp_at1 in 0..::omp::__private::fewer(y.len(), x.len()) { let __omp_x_2 = y[__omp_at1]; s += __omp_x_2 * x[__omp_at1]; }",
    );
}

#[test]
fn patterns_are_taken_apart() {
    same(
        "for &mut Drop { ref a, .. } in d.iter_mut() { }",
        "for __omp_at1 in 0..d.len() { let Drop { ref a, .. } = d[__omp_at1]; }",
    );
    same(
        "for Drop { h, v: [a, _] } in d.iter_mut() { *h += *a; }",
        "for __omp_at1 in 0..d.len() { d[__omp_at1].h += d[__omp_at1].v[1usize]; }"
            .replace("v[1usize]", "v[0usize]")
            .as_str(),
    );
    same(
        "for pair in x.iter().zip(y.iter()) { s += *pair.0 + pair.1.z; }",
        "for __omp_at1 in 0..::omp::__private::fewer(x.len(), y.len()) { s += x[__omp_at1] + y[__omp_at1].z; }",
    );
}

#[test]
fn inner_loops_are_counted_too() {
    same(
        "for row in y.iter_mut() { for c in row.iter_mut() { *c = 0; } }",
        "for __omp_at1 in 0..y.len() { for __omp_at2 in 0..y[__omp_at1].len() { y[__omp_at1][__omp_at2] = 0; } }",
    );
    let (nest, prelude) = rewritten("for v in x[a + 1..b].iter() { s += *v; }", 1);
    assert_eq!(nest, "for__omp_at2in0..b-__omp_bound1{s+=x[__omp_bound1+__omp_at2];}");
    assert_eq!(prelude, ["let__omp_bound1=::omp::__private::count(a+1);", "let_=&x[__omp_bound1..b];"]);
}

#[test]
fn numbers_of_items_are_asked_before() {
    let text = "for i in 0..n { for (k, j) in (a..m).zip(3..b) { y[i * m + k] = j; } }";
    let (nest, prelude) = rewritten(text, 1);
    assert_eq!(
        prelude,
        [
            "let__omp_bound2=::omp::__private::fewer(::omp::__private::trips(a,m,false),::omp::__private::trips(3,b,false));"
        ]
    );
    assert_eq!(
        nest,
        "foriin0..n{for__omp_at1in0..__omp_bound2{let(k,j)=(::omp::__private::nth(a,m,__omp_at1),::omp::__private::nth(3,b,__omp_at1));y[i*m+k]=j;}}"
    );
    // Not what the nest changes, or what stands for something else in it, or may fail.
    for text in [
        "for i in 0..n { for (k, j) in (a..m).zip(3..b) { m -= 1; } }",
        "for i in 0..n { for (k, j) in (a..i).zip(3..b) { } }",
        "for i in 0..n { let m = 3; for (k, j) in (a..m).zip(3..b) { } }",
        "for i in 0..n { for (k, j) in (a..m - 1).zip(3..b) { } }",
        "for i in 0..n { for (k, j) in (a..m).zip(3..b) { f(&mut m); } }",
    ] {
        assert!(rewritten(text, 1).1.is_empty(), "{text}");
    }
}

#[test]
fn numbered_ranges_are_gone_through_themselves() {
    same(
        "for i in 0..n { for (k, j) in (i..m - 1).enumerate() { y[j] = k; } }",
        "for i in 0..n { {let __omp_bound1 = m - 1; for j in i..__omp_bound1 { let k = ::omp::__private::ordinal(i, j); y[j] = k; } } }",
    );
}
