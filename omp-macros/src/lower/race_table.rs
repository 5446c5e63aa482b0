//! The table of the book's chapter on races, line by line.
use super::tests;
use crate::diag::Sink;
use omp_kernels::analysis::plan::{DimValues, LaunchValues};
use omp_kernels::analysis::race::{RaceVerdict, at_compile_time};
use omp_kernels::interp::range_values;
use omp_kernels::ir::desc::{Prim, TypeDesc};
use omp_kernels::ir::kernel::{Callee, CodeTypes, RegionTypes};
use omp_kernels::valid::finalise;
use std::collections::HashMap;
use syn::Expr;

const BOOK: &str = include_str!("../../../docs/src/races.md");
const USIZE: TypeDesc = TypeDesc::Prim(Prim::Usize);

type Values = HashMap<String, i128>;

#[test]
fn every_line_holds() {
    let (mut code, mut lines) = (String::new(), 0);
    for line in BOOK.lines().filter(|l| l.starts_with("| ") && !l.starts_with("| loop")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [source, compiled, numbers, launch] = cells[..] else { panic!("four cells: {line}") };
        if source != "the same" {
            code = source.trim_matches('`').to_owned();
            assert_eq!(verdict(&code), compiled, "{line}");
        }
        if !numbers.is_empty() {
            let values = numbers.trim_matches('`').split(',').map(|part| {
                let (name, value) = part.split_once('=').expect("`n = 3`");
                (name.trim().to_owned(), value.trim().parse().expect("a number"))
            });
            assert_eq!(launched(&code, &values.collect()), launch, "{line}");
        }
        lines += 1;
    }
    assert!(lines > 40, "the table has {lines} lines only");
}

fn lowered(code: &str) -> (crate::ast::Region, super::Lowered) {
    let at = code.find("for ").expect("a loop");
    let arrays = ["x", "y", "d"];
    let mut region =
        tests::region(&format!("#[omp::target({})] {}", code[..at].trim(), &code[at..]), &arrays);
    let mut sink = Sink::new();
    let lowered = tests::lower_desugared(&mut region, &mut sink);
    assert_eq!(sink.into_texts(), Vec::<String>::new(), "{code}");
    (region, lowered.expect("nothing was reported"))
}

/// What the compiler says.
fn verdict(code: &str) -> &'static str {
    let (_, lowered) = lowered(code);
    let findings = at_compile_time(&lowered.template);
    match findings.iter().find(|f| matches!(f.verdict, RaceVerdict::Refuted(_))).or(findings.first()) {
        None => "yes",
        Some(f) if matches!(f.verdict, RaceVerdict::Refuted(_)) => "E0602",
        Some(_) => "E0603",
    }
}

/// What a launch says.
fn launched(code: &str, values: &Values) -> String {
    let (region, lowered) = lowered(code);
    let template = lowered.template;
    let code_types = CodeTypes {
        slots: vec![Some(&USIZE); template.code.slots as usize],
        consts: Vec::new(),
        calls: vec![Callee::Builtin; template.code.calls.len()],
        file: "races.md",
        ..CodeTypes::default()
    };
    let arrays = vec![Some(&USIZE); template.arrays.len()];
    let types = RegionTypes { arrays, code: code_types, ..RegionTypes::default() };
    let names: Vec<String> = template.arrays.iter().map(|a| a.name.clone()).collect();
    let scalars: Vec<_> = template.scalars.iter().map(|s| values.get(&s.name).copied()).collect();
    let dims: Vec<Option<DimValues>> = template
        .dims
        .iter()
        .zip(&region.loops)
        .map(|(dim, head)| dim.host.then(|| range(head, values)))
        .collect();
    let (_, info) = finalise(template, types, false).unwrap_or_else(|e| panic!("{code}: {e}"));
    let long = 1u64 << 40;
    let facts = info.plan.decide(&LaunchValues {
        dims: &dims,
        scalars: &scalars,
        lens: &vec![long; names.len()],
        sections: &vec![(0, long); names.len()],
    });
    match (facts.race, facts.claims.first()) {
        (Some(_), _) => "race".into(),
        (None, Some(array)) => format!("checked: {}", names[array.index()]),
        (None, None) => "runs".into(),
    }
}

fn range(head: &crate::ast::LoopHead, values: &Values) -> DimValues {
    let steps: Vec<_> = head
        .adaptors
        .iter()
        .map(|a| match a {
            crate::ast::RangeAdaptor::Rev => None,
            crate::ast::RangeAdaptor::StepBy(s) => Some(number(s, values)),
        })
        .collect();
    range_values(number(&head.lo, values), number(&head.hi, values), head.inclusive, &steps)
        .expect("no step of zero")
}

fn number(e: &Expr, values: &Values) -> i128 {
    match e {
        Expr::Lit(l) => match &l.lit {
            syn::Lit::Int(i) => i.base10_parse().expect("a number"),
            _ => panic!("an integer"),
        },
        Expr::Path(p) => values[&p.path.get_ident().expect("a name").to_string()],
        _ => panic!("bounds in the table are names and numbers"),
    }
}
