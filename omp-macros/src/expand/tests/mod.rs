//! Tests of the errors of whole items: their codes and lines.
#[cfg(test)]
pub(super) mod pages;

use crate::ast::Spelling;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::Item;

/// Expands every item that bears one of our attributes, as rustc would, and gives the errors with their lines.
pub(super) fn errors_of(source: &str) -> Vec<(usize, String)> {
    let file: syn::File = syn::parse_str(source).expect("test source parses");
    let mut found = Vec::new();
    for item in file.items {
        found.extend(compile_errors(expanded(item)));
    }
    found
}

fn expanded(mut item: Item) -> TokenStream {
    let attrs = match &mut item {
        Item::Fn(f) => &mut f.attrs,
        Item::Impl(i) => &mut i.attrs,
        Item::Mod(m) => &mut m.attrs,
        Item::Struct(s) => &mut s.attrs,
        Item::Enum(e) => &mut e.attrs,
        _ => return TokenStream::new(),
    };
    if attrs.iter().any(|a| a.to_token_stream().to_string().contains("derive (Clone , Copy , omp :: Device)"))
    {
        return super::derive_device(item.to_token_stream());
    }
    let Some(at) = attrs.iter().position(crate::parse::directive::is_ours) else { return TokenStream::new() };
    let attr = attrs.remove(at);
    let (spelling, name) = crate::parse::directive::family(attr.path()).expect("is ours");
    let args = match &attr.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    match name.as_str() {
        "offload" => super::offload(args, item.to_token_stream()),
        "declare_target" => super::declare_target(args, item.to_token_stream()),
        "routine" => super::openacc::routine(args, item.to_token_stream()),
        "declare" => super::openacc::declare(args, item.to_token_stream()),
        _ => super::directive(spelling, &name, args, item.to_token_stream()),
    }
}

/// The texts of all `compile_error!`s.
fn compile_errors(tokens: TokenStream) -> Vec<(usize, String)> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (i, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(name) if name == "compile_error" => {
                let Some(TokenTree::Group(text)) = trees.get(i + 2) else { continue };
                let text: syn::LitStr = syn::parse2(text.stream()).expect("a text");
                found.push((name.span().start().line, text.value()));
            }
            TokenTree::Group(g) => found.extend(compile_errors(g.stream())),
            _ => {}
        }
    }
    found
}

/// Asserts that a source has one error, with these words, on the line with `//~`.
#[track_caller]
fn one_error(words: &[&str], source: &str) {
    let errors = errors_of(source);
    let [(line, text)] = &errors[..] else { panic!("one error expected: {errors:#?}") };
    for word in words {
        assert!(text.contains(word), "no `{word}` in: {text}");
    }
    assert!(text.contains("help: "), "no help in: {text}");
    let marked: Vec<_> =
        source.lines().enumerate().filter(|(_, l)| l.contains("//~")).map(|(n, _)| n + 1).collect();
    // The name in a short form has the span of the macro call.
    assert!(marked.is_empty() || marked.contains(line), "on line {line}, not {marked:?}: {text}");
}

/// Wraps a directive and loop into a function with usual parameters.
fn function(directive: &str, body: &str) -> String {
    format!(
        "#[omp::offload]\nfn f(n: usize, a: f32, x: &[f32], y: &mut [f32]) {{\n#[omp::{directive}] //~\n{body}\n}}"
    )
}

const LOOP: &str = "for i in 0..n { y[i] = a * x[i]; }";

#[test]
fn clauses() {
    for (directive, words) in [
        ("target(reducton(+: s))", &["E0201", "reducton", "`reduction`"][..]),
        ("target(num_teams(64), num_teams(128))", &["E0202", "num_teams"]),
        ("target(fp(wild))", &["E0205", "strict"]),
        ("target(map)", &["E0205", "map"]),
        ("target(nowait(3))", &["E0205", "nowait"]),
        ("target(map(two: x))", &["E0208", "two", "tofrom"]),
        ("target(map(delete: x))", &["E0208", "delete", "target_exit_data"]),
        ("target(map(to: x[3]))", &["E0209", "range"]),
        ("target(map(to: a[..1]))", &["E0210", "`a`"]),
        ("target(map(to: x), map(from: x))", &["E0405", "`x`"]),
        ("target(reduction(/: s))", &["E0501", "max"]),
        ("target(reduction(s))", &["E0205", "operator"]),
        ("target(private(s), reduction(+: s))", &["E0401", "private", "reduction"]),
        ("target(private(x), map(to: x))", &["E0401", "map"]),
        ("target(private(i))", &["E0401", "`i`", "variable of the parallel loop"]),
        ("target(unsafe(disjoint(a)))", &["E0205", "`a`", "arrays of the body are `x`, `y`"]),
        ("target(unsafe(unchecked(s)))", &["E0205", "`s`", "arrays of the body are"]),
        ("target(collapse(0))", &["E0206", "collapse"]),
        ("target(collapse(-2))", &["E0206"]),
        ("target(collapse(k))", &["E0205"]),
        ("target(num_teams(-1))", &["E0206", "num_teams"]),
        ("target(thread_limit(0))", &["E0206", "thread_limit"]),
        ("target(depend(inout: y))", &["E0207", "nowait"]),
        ("target(unchecked(x))", &["E0201"]),
        ("target(unsafe(fast))", &["E0205", "disjoint"]),
        ("target(unsafe(unchecked, unchecked(x)))", &["E0203"]),
        ("target(map(to: x) map(from: y))", &["E0104", "comma"]),
        ("target(=)", &["E0104"]),
        ("parallel_for(map(to: x))", &["E0204", "map", "parallel_for"]),
        ("taskgroup(nowait)", &["E0204", "no clauses"]),
        ("paralel_for", &["E0101", "paralel_for", "parallel_for"]),
        ("offload", &["E0103", "items"]),
        ("taskwait", &["E0103", "taskwait!"]),
        ("target = 3", &["E0104"]),
    ] {
        one_error(words, &function(directive, LOOP));
    }
}

#[test]
fn a_spelling_has_its_own_words() {
    let acc = |directive: &str| function(&format!("acc_{directive}"), LOOP).replace("omp::acc_", "acc::");
    for (directive, words) in [
        ("paralel_loop", &["E0101", "acc::parallel_loop"][..]),
        ("target", &["E0101", "omp::target"]),
        ("parallel_loop(num_teams(3))", &["E0201", "num_gangs"]),
        ("parallel_loop(map(to: x))", &["E0201", "copyin"]),
        ("parallel_loop(nowait)", &["E0201", "async"]),
        ("serial_loop(num_gangs(3))", &["E0204", "serial_loop"]),
        ("parallel_loop(default(shared))", &["E0205", "present"]),
        ("parallel_loop(seq, gang)", &["E0203", "seq"]),
        ("parallel_loop(gang(3), num_gangs(4))", &["E0203", "num_gangs"]),
        ("routine", &["E0103", "acc::routine"]),
        ("update(self(x))", &["E0103", "acc::update!"]),
    ] {
        one_error(words, &acc(directive));
    }
    one_error(&["E0201", "num_teams"], &function("target(num_gangs(3))", LOOP));
}

#[test]
fn things_of_later_versions_are_refused() {
    one_error(
        &["[omp::E0903]", "`x`", "is not implemented yet"],
        &function("target(map(to: x[0..2][0..1]))", LOOP),
    );
}

#[test]
fn a_mistake_is_not_hidden_behind_what_comes_later() {
    let both = format!("{LOOP}\n#[omp::target(colapse(2))] //~\n{LOOP}");
    let source = function("target(map(to: x[0..2][0..1]))", &both).replacen(" //~", "", 1);
    one_error(&["E0201", "colapse"], &source);
}

#[test]
fn loops() {
    for (directive, body, words) in [
        ("target", "while n > 0 { }", &["E0107", "while"][..]),
        ("target", "if n > 0 { }", &["E0107", "if"]),
        ("target(collapse(2))", LOOP, &["E0302", "collapse(1)"]),
        (
            "target(collapse(2))",
            "for i in 0..n { let b = i; //~\nfor j in 0..n { y[b] = 1.0; } }",
            &["E0303", "collapse"],
        ),
        (
            "target(collapse(2))",
            "for i in 0..n { for j in 0..i * i { //~\n y[i * n + j] = 1.0; } }",
            &["E0306"],
        ),
        ("target", "for p in x.values() { } //~", &["E0301", "values"]),
        ("target", "for p in 0.. { } //~", &["E0301", "bounds"]),
        ("target", "for (p, q) in 0..n { } //~", &["E0301", "plain name"]),
        ("target", "for p in (0..n).step_by(0) { } //~", &["E0206", "step"]),
        ("target", "for p in a { } //~", &["E0301", "range"]),
        ("target", "for i in 0..n {\n break; //~\n}", &["E0305", "break"]),
        ("target", "for i in 0..n {\n loop { return; } //~\n}", &["E0305", "return"]),
        ("target", "for i in 0..n {\n x[i]?; //~\n}", &["E0305", "?"]),
        (
            "target(collapse(2))",
            "'a: for i in 0..n { for j in 0..n {\n continue 'a; //~\n} }",
            &["E0305", "continue"],
        ),
        ("target", "for i in 0..n {\n #[omp::target] //~\n for j in 0..n { } }", &["E0103", "parallel_for"]),
        ("target", "for i in 0..n {\n omp::target_update!(to(x)); //~\n }", &["E0103", "target_update"]),
        ("target", "for i in 0..n {\n #[omp::atomic] //~\n y[0] = 1.0; }", &["E0108", "write"]),
        (
            "target",
            "for i in 0..n {\n #[omp::parallel_for]\n for j in 0..n {\n y[i] += x[j]; //~\n} }",
            &["E0602", "race", "y[i]"],
        ),
        ("target", "for i in 0..end {\n end = i; //~\n}", &["E0304", "end"]),
    ] {
        one_error(words, &function(directive, body));
    }
}

#[test]
fn loops_that_stay_inside_are_fine() {
    for body in [
        "for i in 0..n { 'k: for j in 0..n { loop { break 'k; } } continue; }",
        "'a: for i in 0..n { if x[i] > 0.0 { continue 'a; } while n > 3 { break; } }",
        "for i in (0..=n).rev().step_by(2) { let v = 'b: { if n > 1 { break 'b 2.0; } 1.0 }; y[i] = v; }",
        "for _ in 0..n { }",
    ] {
        assert_eq!(errors_of(&function("target", body)), [], "{body}");
    }
}

#[test]
fn reductions() {
    let reduce = |op: &str, update: &str| {
        function(&format!("target(reduction({op}: s))"), &format!("for i in 0..n {{\n {update} //~\n}}"))
    };
    for (op, update) in [
        ("+", "s += x[i];"),
        ("+", "s -= x[i];"),
        ("-", "s -= x[i];"),
        ("+", "s = x[i] + s;"),
        ("+", "s = a + s - x[i] * 2.0;"),
        ("+", "s = s.wrapping_add(i);"),
        ("+", "s = x[i].mul_add(a, s);"),
        ("*", "if a > 1.0 { s *= x[i]; }"),
        ("max", "s = s.max(x[i]);"),
        ("max", "s = x[i].max(s);"),
        ("max", "s = f32::max(s, x[i]);"),
        ("max", "if x[i] > s { s = x[i]; }"),
        ("max", "if s < x[i] { s = x[i] }"),
        ("min", "if x[i] < s { s = x[i]; }"),
        ("min", "s = if x[i] < s { x[i] } else { s };"),
        ("||", "if x[i] > a { s = true; }"),
        ("||", "s = s || x[i] > a;"),
        ("&&", "if x[i] > a { s = false; }"),
        ("&&", "s = s && x[i] > a;"),
        ("&", "s &= m[i];"),
        ("^", "for j in 0..3 { s ^= m[j]; }"),
        ("+", "s += x[i]; { let s = 4; let t = s; }"),
        ("best", "s = best(s, x[i]);"),
        ("tools::best", "if x[i] > a { s = tools::best(s, x[i]); }"),
    ] {
        assert_eq!(errors_of(&reduce(op, update)), [], "{op} {update}");
    }
    for (op, update, words) in [
        ("+", "s *= x[i];", &["E0502", "reduction(+", "`*=`"][..]),
        ("+", "s = s * x[i];", &["E0502", "`*`"]),
        ("max", "if x[i] < s { s = x[i]; }", &["E0502", "`min`"]),
        ("&&", "s = (s != 0 && x[i] > a) as i32;", &["E0502", "reduction(&&"]),
        ("+", "s = x[i];", &["E0503", "stored"]),
        ("+", "s += x[i]; y[i] = s;", &["E0503", "read"]),
        ("+", "s += s;", &["E0503"]),
        ("+", "s = x[i] - s;", &["E0502"]),
        ("sum", "s += x[i];", &["E0502", "`reduction(+: s)`"]),
        ("best", "s = best(x[i], s);", &["E0502", "second operand"]),
        ("best", "s = s.max(x[i]);", &["E0502", "best"]),
    ] {
        one_error(words, &reduce(op, update));
    }
    one_error(&["E0504", "`s`"], &function("target(reduction(+: s))", LOOP));
}

#[test]
fn scalars() {
    for (directive, body, words) in [
        ("target", "for i in 0..n {\n s += x[i]; //~\n}", &["E0601", "race", "reduction(+: s)"][..]),
        (
            "target",
            "for i in 0..n { if x[i] > s {\n s = x[i]; //~\n} }",
            &["E0601", "race", "reduction(max: s)"],
        ),
        ("target", "for i in 0..n {\n d = x[i]; //~\n y[i] = d * d; }", &["E0601", "private(d)"]),
        ("target", "for i in 0..n { if x[i] == a {\n found = i; //~\n} }", &["E0601", "found"]),
        ("target", "for i in 0..n {\n (d, y[i]) = (a, a); //~\n}", &["E0601", "`d`"]),
        ("target", "for i in 0..n {\n self.t = a; //~\n}", &["E0601", "self.t"]),
        (
            "target(firstprivate(w))",
            "for i in 0..n {\n w[0] += x[i]; //~\n y[i] = w[0]; }",
            &["E0601", "firstprivate"],
        ),
        ("target(private(d))", "for i in 0..n {\n d += x[i]; //~\n}", &["E0601", "private", "earlier"]),
        (
            "target(firstprivate(d))",
            "for i in 0..n { if a > 1.0 { d = x[i]; }\n y[i] = d; //~\n}",
            &["E0601", "firstprivate"],
        ),
        (
            "target(default(none), map(to: x), map(from: y), firstprivate(n))",
            "for i in 0..n {\n y[i] = a * x[i]; //~\n}",
            &["E0404", "`a`"],
        ),
        ("target(map(to: x, y))", "for i in 0..n {\n y[i] = x[i]; //~\n}", &["E0402", "map(from: y)"]),
        ("target(map(from: y))", "for i in 0..n {\n y[i] += x[i]; //~\n}", &["E0403", "map(tofrom: y)"]),
    ] {
        one_error(words, &function(directive, body));
    }
    for (directive, body) in [
        ("target(private(d))", "for i in 0..n { d = x[i]; y[i] = d * d; }"),
        ("target(private(w))", "for i in 0..n { for k in 0..3 { w[k] = x[i]; } y[i] = w[0] + w[1]; }"),
        (
            "target(private(w))",
            "for i in 0..n { if a > 1.0 { w[0] = x[i]; } else { w[0] = a; } y[i] = w[0]; }",
        ),
        ("target(private(w))", "for i in 0..n { if a > 1.0 { w[0] = x[i]; y[i] = w[0]; } }"),
        ("target(private(w))", "for i in 0..n { w = [a; 4]; w[0] += x[i]; y[i] = w[0]; }"),
        (
            "target(private(w))",
            "for i in 0..n { for k in 0..4 { for j in 0..3 { if j == 0 { w[k] = a; } else { w[k] += x[j]; } } } y[i] = w[1]; }",
        ),
        ("target(firstprivate(d))", "for i in 0..n { if a > 1.0 { d = x[i]; } else { d = a; } y[i] = d; }"),
        ("target(private(d))", "for i in 0..n { loop { d = x[i]; if d > a { break; } } y[i] = d; }"),
        ("target(private(d))", "for i in 0..n { match i { 0 => d = 1.0, _ => { d = a; } } y[i] = d; }"),
        ("target(firstprivate(a), default(none), map(to: x), map(from: y), shared(n))", LOOP),
        (
            "target(map(from: y))",
            "for i in 0..n { for k in 0..4 { if k > 0 { y[4*i+k] = y[4*i+k-1]; } else { y[4*i] = a; } } }",
        ),
        ("target(map(to: a))", LOOP),
    ] {
        assert_eq!(errors_of(&function(directive, body)), [], "{directive} {body}");
    }
}

#[test]
fn the_short_form() {
    let none = "#[omp::target]\nfn f(n: usize) { }";
    one_error(&["E0106", "no loop"], none);
    let two = "#[omp::target]\nfn f(n: usize, y: &mut [u8]) { for i in 0..n { y[i] = 1; } for i in 0..n { y[i] = 2; } }";
    one_error(&["E0106", "2 outermost"], two);
    let in_while =
        "#[omp::target]\nfn f(n: usize, y: &mut [u8]) { while n > 3 { for i in 0..n { y[i] = 1; } } }";
    assert_eq!(errors_of(in_while), []);
}

#[test]
fn items() {
    one_error(
        &["E0105", "async"],
        "#[omp::offload]\nasync fn f(y: &mut [u8]) { //~\n#[omp::target]\nfor i in 0..3 { y[i] = 1; } }",
    );
    one_error(
        &["E0105", "Result"],
        "#[omp::offload(try)]\nfn f(y: &mut [u8]) { //~\n#[omp::target]\nfor i in 0..3 { y[i] = 1; } }",
    );
    let inside = "#[omp::offload]\nimpl A { fn f(&mut self) {\n#[omp::target(mop(x))] //~\nfor i in 0..3 { self.y[i] = 1; } } }";
    one_error(&["E0201", "`map`"], inside);
    let inner = "#[omp::offload]\nfn f() { fn g(y: &mut [u8]) {\n#[omp::target(mop(x))] //~\nfor i in 0..3 { y[i] = 1; } } }";
    one_error(&["E0201", "`map`"], inner);
    let module = "#[omp::offload]\nmod m { impl A { #[omp::target(mop(x))] //~\n fn f(&mut self) { for i in 0..3 { self.y[i] = 1; } } } }";
    one_error(&["E0201", "`map`"], module);
}

#[test]
fn values_that_have_parts_alone() {
    let module = |body: &str| {
        format!(
            "#[omp::offload]\nmod m {{ pub struct V<'a> {{ d: &'a [f32], w: usize }}\nimpl<'a> V<'a> {{ fn of(p: &'a [f32]) -> Self {{ if p.len() == 0 {{ return V {{ d: p, w: 1 }}; }} V {{ d: p, w: 2 }} }} }}\nfn f(x: &[f32], y: &mut [f32]) {{\n#[omp::target]\nfor i in 0..3 {{\n{body}\n}} }} }}"
        )
    };
    let whole = "let v = V { d: &x[..2], w: 2 };\ny[i] = g(v); //~";
    one_error(&["E0701", "as a whole"], &module(whole));
    let leaves = "let v = V::of(&x[..2]); //~\ny[i] = v.d[0];";
    one_error(&["E0701", "leaves before its end"], &module(leaves));
    let fine = "let v = V { d: &x[..2], w: 2 };\nlet u = v;\ny[i] = u.d[0] + u.w as f32;";
    assert!(errors_of(&module(fine)).is_empty());
}

#[test]
fn outside_an_offload_item() {
    let text = super::directive(
        Spelling::OpenMp,
        "target",
        TokenStream::new(),
        "for i in 0..n { }".parse().unwrap(),
    )
    .to_string();
    assert!(text.contains("omp::offload") && text.contains("for i in 0 .. n"), "{text}");
    let text = super::standalone("taskwait").to_string();
    assert!(text.contains("omp::offload"), "{text}");
}

/// Code that is duplicated at each depth would make a program of exponential size.
#[test]
fn expansions_grow_with_the_source() {
    // The stack is as large as that of rustc's thread, on which macros run.
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(expansions_of_nests).unwrap();
    thread.join().unwrap();
}

fn expansions_of_nests() {
    let size = |nest: &dyn Fn(&str) -> String, depth: usize| {
        let index = (0..depth).fold("i".to_owned(), |index, _| nest(&index));
        let source = format!(
            "#[omp::target(disjoint(w))] fn f(y: &mut [u32], z: &[usize], w: &mut [usize]) \
             {{ for i in 0..y.len() {{ y[i] += {index} as u32; w[i] = 1; }} }}"
        );
        let file: syn::File = syn::parse_str(&source).unwrap();
        expanded(file.items.into_iter().next().unwrap()).to_string().len()
    };
    for nest in [
        &(|i: &str| format!("z[{i}]")) as &dyn Fn(&str) -> String,
        &|i| format!("w[{i}]"),
        &|i| format!("z[({i}) % z.len()].min(5)"),
        &|i| format!("w[({i}).wrapping_mul(3) % w.len()].swap_bytes()"),
        &|i| format!("z[{i}..][1]"),
        &|i| format!("(({i}) as u64 * 2).pow(2) as usize"),
        &|i| format!("({i}).overflowing_add(3).0"),
        &|i| format!("pair({i}).1[0].min(5)"),
        &|i| format!("if {i} > 3 {{ 1 }} else {{ 0 }}"),
        &|i| format!("(match {i} {{ 0 => 1, v if v > 3 => 4, _ => 7 }})"),
        &|i| format!("({i}).checked_add(1).unwrap_or(3)"),
        &|i| format!("({i}).checked_add(1).expect(\"more\")"),
        &|i| format!("(if let Some(v) = ({i}).checked_add(1) {{ v }} else {{ 0 }})"),
        &|i| format!("[{i}, 1][0].min(3)"),
        &|i| format!("({i}, 2).0.min(3)"),
        &|i| format!("S {{ a: {i} }}.a.min(3)"),
        &|i| format!("(1..5).contains(&({i})) as usize"),
        &|i| format!("({i} > 2).then_some(4).unwrap_or(1)"),
        &|i| format!("({i} > 2).then(|| 4).unwrap_or(1)"),
        &|i| format!("{{ let t = {i}; t + 1 }}"),
        &|i| format!("std::mem::replace(&mut t, {i})"),
        &|i| format!("'a: {{ if c {{ break 'a {i}; }} 3 }}"),
        &|i| format!("z[..{i}].len().min(4)"),
        &|i| format!("(({i} / 3) % 5 - ({i2} / 2))", i2 = 9),
        &|i| format!("z[{i} + 1] / 3"),
        &|i| format!("({i}).abs_diff(3).is_multiple_of(2) as usize"),
        &|i| format!("(({i}) < 3 && ({i2}) > 4) as usize", i2 = 9),
        &|i| format!("(matches!({i}, 1..=3 | 7) as usize)"),
        &|i| format!("(({i}) as f32).clamp(1.0, 2.0) as usize"),
        &|i| format!("(Some({i}) == Some(3)) as usize"),
        &|i| format!("(({i}, 3) < (4, 5)) as usize"),
        &|i| format!("([{i}, 3] == [4, 5]) as usize"),
        &|i| format!("{{ let Some(v) = ({i}).checked_add(1) else {{ continue }}; v }}"),
        &|i| format!("{{ let mut s = 0; for k in 0..{i} {{ s += k; }} s }}"),
        &|i| format!("{{ let mut s = {i}; s += {i2}; s }}", i2 = 4),
        &|i| format!("{{ a.b[{i}] += 1; 4 }}"),
        &|i| format!("{{ t += {i}; 4 }}"),
        &|i| format!("{{ assert!({i} < 9, \"{{}}\", {i2}); 4 }}", i2 = 4),
        &|i| format!("{{ let r = &mut w[{i}]; *r += 1; 4 }}"),
        &|i| format!("T {{ a: {i}, ..d }}.a"),
        &|i| format!("({i} as u32).to_le_bytes()[1].min(9) as usize"),
    ] {
        let [small, double] = [8, 16].map(|depth| size(nest, depth));
        assert!(double < 3 * small, "{}: {small}, {double}", nest("…"));
    }
}

#[test]
fn no_directive_survives() {
    let source = "fn f(n: usize) {\n#[omp::target(wrong)]\nfor i in 0..n { #[omp::simd] for j in 0..3 { #[omp::atomic] x[i] += 1; } omp::taskwait!(); }\n omp::target_update!(to(x)); #[omp::target_data(map(x))] { n; } }";
    let text = super::offload(TokenStream::new(), source.parse().unwrap()).to_string();
    let code: String = text.split(":: omp :: __private :: core :: compile_error").next().unwrap().into();
    assert!(!code.contains("omp"), "{text}");
}

/// Whatever is in the parentheses, the macro answers with errors, never with a panic.
#[test]
fn random_clauses_do_not_panic() {
    const WORDS: &[&str] = &[
        "map",
        "reduction",
        "private",
        "collapse",
        "if",
        "unsafe",
        "disjoint",
        "name",
        "fp",
        "(",
        "(",
        "(",
        ")",
        ")",
        ")",
        "[",
        "]",
        "to",
        "from",
        ":",
        ":",
        "::",
        "=",
        ",",
        ",",
        "x",
        "y",
        "self",
        ".",
        "..",
        "..=",
        "0",
        "1",
        "-",
        "+",
        "&&",
        "max",
        "\"t\"",
        "always",
        "'a",
        "{",
        "}",
        "#",
    ];
    let mut state = 7_u64;
    let mut next = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % n
    };
    let mut read = 0;
    for _ in 0..4000 {
        let length = 1 + next(12);
        let mut text: String = (0..length).map(|_| WORDS[next(WORDS.len())]).collect::<Vec<_>>().join(" ");
        for (open, close) in [('(', ')'), ('[', ']'), ('{', '}')] {
            let missing = text.matches(open).count().saturating_sub(text.matches(close).count());
            text.extend(std::iter::repeat_n(close, missing));
        }
        let Ok(args) = text.parse::<TokenStream>() else { continue };
        let f =
            "fn f(n: usize, x: &[f32], y: &mut [f32]) { for i in 0..n { y[i] = x[i]; } }".parse().unwrap();
        let _ = super::directive(Spelling::OpenMp, "target", args, f);
        read += 1;
    }
    assert!(read > 500, "only {read} token sequences were well-formed");
}

#[test]
fn an_iteration_of_a_scan_goes_to_its_end() {
    let errors = errors_of(
        "#[omp::offload]
        fn carried(x: &[u32], y: &mut [u32]) -> u32 {
            let mut s = 0;
            #[omp::scan(+)]
            for i in 0..y.len() {
                for k in 0..3 { if k == x[i] { continue; } }
                if x[i] == 0 { continue; }
                s += x[i];
                y[i] = s;
            }
            s
        }
        #[omp::offload]
        fn labelled(x: &[u32], y: &mut [u32]) {
            #[omp::scan(max)]
            'all: for i in 1..y.len() {
                for k in 0..3 {
                    if k == x[i] { continue 'all; }
                }
                y[i] = y[i - 1].max(x[i]);
            }
        }
        #[omp::offload]
        fn rows(w: usize, x: &[u32], y: &mut [u32]) {
            #[omp::target(scan(+: s))]
            for r in 0..y.len() / w {
                let mut s = 0;
                for c in 0..w {
                    if x[r * w + c] == 0 { continue; }
                    s += x[r * w + c];
                    y[r * w + c] = s;
                }
            }
        }",
    );
    let lines: Vec<usize> = errors.iter().map(|(line, _)| *line).collect();
    // A branch that is nothing but `continue` is the condition of what follows.
    assert_eq!(lines, [18], "{errors:?}");
    assert!(
        errors.iter().all(|(_, e)| e.contains("E0506") && e.contains("`continue`") && e.contains("help: "))
    );
}

/// Definite assignment of private arrays takes few walks, however deep the loops are: twice as many for each would be a million.
#[test]
fn loops_in_loops_take_no_time() {
    let heads: String = (0..20).map(|k| format!("for k{k} in 0..2 {{ ")).collect();
    let source = format!(
        "#[omp::offload] fn f(y: &mut [i32]) {{ let mut a = [0; 4];
        #[omp::target(private(a))] for i in 0..y.len() {{ a = [1; 4]; {heads} a[k19] += y[i]; {} y[i] = a[1]; }} }}",
        "}".repeat(20)
    );
    assert_eq!(errors_of(&source), []);
}

/// Inner parallel loops that write arrays of the loop around them.
#[test]
fn elements_of_arrays_around_an_inner_loop() {
    let errors = |clause: &str, body: &str| {
        let source = format!(
            "#[omp::offload] fn f(x: &[f32], n: usize) {{
                #[omp::target]
                for i in 0..n {{
                    let (mut t, mut q, mut p) = ([0.0; 8], [[0.0; 8]; 8], [P {{ a: 0.0, b: 0.0 }}; 8]);
                    let mut s = S {{ t: [0.0; 8], u: [0.0; 8] }};
                    #[omp::parallel_for{clause}]
                    for k in 0..8usize {{ {body} }}
                }}
            }}"
        );
        errors_of(&source).into_iter().map(|(_, text)| text).collect::<Vec<_>>()
    };
    for body in [
        "t[k] = x[k];",
        "t[(k)] = t[k] + t.len() as f32;",
        "let j = k; t[j] = t[k];",
        "q[k][0] = q[k][7];",
        "q[0][k] = q[7][k];",
        "p[k].a = p[k].b;",
        "s.t[k] = s.u[0];",
        "t.swap(k, k);",
        "t[k] = 1.0; let t = [2.0; 8]; let _ = t[0];",
    ] {
        assert_eq!(errors("", body), Vec::<String>::new(), "{body}");
    }
    for (name, body) in [
        ("t", "t[0] = x[k];"),
        ("t", "t[k / 2] = x[k];"),
        ("t", "t[k] = t[0];"),
        ("t", "t[k] = f(&t);"),
        ("t", "t[k] = f(&t[0..k]);"),
        ("t", "f(&mut t[0..2]);"),
        ("t", "{ let k = 0; t[k] = 1.0; }"),
        ("t", "let mut j = k; j += 1; t[j] = 1.0;"),
        ("t", "for k in 0..2 { t[k] = 1.0; }"),
        ("t", "t.swap(k, 0);"),
        ("t", "#[omp::atomic] t[x[k] as usize] += 1.0;"),
        ("q", "q[k][0] = q[0][k];"),
        ("s.t", "s.t[k] = s.t[0];"),
        ("s.t", "s.t[k] = f(s);"),
    ] {
        let found = errors("", body);
        let shared = format!("share `{name}`, a local of the outer loop");
        assert!(matches!(&found[..], [text] if text.contains(&shared)), "{body}: {found:#?}");
    }
    // Copies are each iteration's own.
    for clause in ["(private(t))", "(firstprivate(t))", "(lastprivate(t))"] {
        assert_eq!(errors(clause, "t[0] = x[k];"), Vec::<String>::new(), "{clause}");
    }
}

/// What a region reads of an array under `map(from: …)`.
#[test]
fn reads_under_from() {
    let reads_before = |body: &str| {
        let source = format!(
            "#[omp::offload] fn f(x: &[f32], y: &mut [f32], z: &mut [f32], s: &mut S, m: &mut M, n: usize) {{
                #[omp::target(map(from: y), map(from: s.a), map(from: m))]
                for i in 0..n {{ {body} }}
            }}"
        );
        errors_of(&source).iter().any(|(_, text)| text.contains("E0403"))
    };
    for body in [
        "y[i] += 1.0;",
        "z[i] = y[i];",
        "let v = y[i]; y[i] = v;",
        "if x[i] > 0.0 { z[i] = y[i]; } else { y[i] = 1.0; }",
        "for k in 0..4 { z[i] += y[i * 4 + k]; y[i * 4 + k] = 1.0; }",
        "y[i] = g(&y);",
        "y.swap(i, i);",
        "#[omp::atomic] y[i] += 1.0;",
        "s.b[i] = s.a[i];",
        "z[i] = m.data[i * m.cols];",
    ] {
        assert!(reads_before(body), "{body}");
    }
    for body in [
        "y[i] = x[i]; y[i] += 1.0;",
        "y[i] = y.len() as f32;",
        "for k in 0..4 { if k > 0 { y[i * 4 + k] = y[i * 4 + k - 1]; } else { y[i * 4 + k] = 0.0; } }",
        "for k in 0..4 { y[i * 4 + k] = 0.0; } for k in 0..4 { y[i * 4 + k] += 1.0; }",
        "if x[i] > 0.0 { y[i] = 1.0; } z[i] = y[i];",
        "g(&mut y[i]);",
        "#[omp::atomic(write)] y[i] = 1.0;",
        "let y = [1.0; 4]; z[i] = y[0];",
        "s.a[i] = 1.0; z[i] = s.b[i] + s.a[i];",
        "m.data[i * m.cols] = x[i];",
        "let row = &mut y[i * 4..i * 4 + 4]; row[0] = 1.0; z[i] = y[i * 4];",
        "fill(&mut y[i * 4..i * 4 + 4]); z[i] = y[i * 4];",
        "y[i * 4..i * 4 + 4].fill(1.0); z[i] = y[i * 4];",
        "for v in &mut y[i * 4..i * 4 + 4] { *v = 1.0; } z[i] = y[i * 4 + 2];",
        "y[i * 4] = 0.0; for k in 1..4 { y[i * 4 + k] = y[i * 4 + k - 1] + 1.0; }",
        "for k in (0..4).rev() { if k < 3 { y[i * 4 + k] = y[i * 4 + k + 1]; } else { y[i * 4 + k] = 1.0; } }",
        "let mut k = 0; while k < 4 { if k > 0 { z[i] = y[i * 4 + k - 1]; } y[i * 4 + k] = 1.0; k += 1; }",
    ] {
        assert!(!reads_before(body), "{body}");
    }
}
