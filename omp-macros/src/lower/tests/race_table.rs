//! Tests of the tables in the book's chapters on races and bounds, line by line.
use crate::diag::Sink;
use crate::lower::tests;
use omp_ir::analysis::inspect::Alone;
use omp_ir::analysis::plan::{DimValues, LaunchValues};
use omp_ir::analysis::race::{Functions, RaceVerdict, at_compile_time};
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::kernel::{Callee, CodeTypes, RegionTypes};
use omp_kernels::interp::range_values;
use omp_kernels::valid::finalise;
use std::collections::HashMap;
use syn::Expr;

const BOOK: &str = include_str!("../../../../docs/src/races.md");
const BOUNDS: &str = include_str!("../../../../docs/src/bounds.md");
const USIZE: TypeDesc = TypeDesc::Prim(Prim::Usize);

type Values = HashMap<String, i128>;

#[test]
fn every_line_holds() {
    let (mut code, mut lines) = (String::new(), 0);
    for line in BOOK.lines().filter(|l| l.starts_with("| ") && !l.starts_with("| loop")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [source, compiled, numbers, launched] = cells[..] else { panic!("four cells: {line}") };
        if source != "the same" {
            code = source.trim_matches('`').to_owned();
            assert_eq!(verdict(&code), compiled, "{line}");
        }
        if !numbers.is_empty() {
            assert_eq!(launch(&code, &given(numbers)).0, launched, "{line}");
        }
        lines += 1;
    }
    assert!(lines > 40, "the table has {lines} lines only");
}

#[test]
fn every_bound_holds() {
    let (mut code, mut lines) = (String::new(), 0);
    for line in BOUNDS.lines().filter(|l| l.starts_with("| ") && !l.starts_with("| loop")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [source, numbers, checks] = cells[..] else { panic!("three cells: {line}") };
        if source != "the same" {
            code = source.trim_matches('`').to_owned();
        }
        let (_, left) = launch(&code, &given(numbers));
        assert_eq!(left.to_string(), checks, "{line}");
        lines += 1;
    }
    assert!(lines > 20, "the table has {lines} lines only");
}

/// The numbers of a line.
fn given(cell: &str) -> Values {
    let values = cell.trim_matches('`').split(',').map(|part| {
        let (name, value) = part.split_once('=').expect("`n = 3`");
        (name.trim().to_owned(), value.trim().parse().expect("a number"))
    });
    values.collect()
}

fn lowered(code: &str) -> (crate::sema::CheckedRegion, crate::lower::Lowered) {
    let at = code.find("for ").expect("a loop");
    let arrays = ["x", "y", "d"];
    let mut region =
        tests::region(&format!("#[omp::target({})] {}", code[..at].trim(), &code[at..]), &arrays);
    let mut sink = Sink::new();
    let lowered = tests::lower_desugared(&mut region, &mut sink);
    assert_eq!(sink.into_texts(), Vec::<String>::new(), "{code}");
    (region, lowered.expect("nothing was reported"))
}

/// The verdict at compile time.
fn verdict(code: &str) -> &'static str {
    let (_, lowered) = lowered(code);
    let findings = at_compile_time(&lowered.template, &Functions::default());
    match findings.iter().find(|f| matches!(f.verdict, RaceVerdict::Refuted(_))).or(findings.first()) {
        None => "yes",
        Some(f) if matches!(f.verdict, RaceVerdict::Refuted(_)) => "E0602",
        Some(_) => "E0603",
    }
}

/// The verdict of a launch on races, and the number of checks that it leaves in the kernel.
fn launch(code: &str, values: &Values) -> (String, usize) {
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
    let len = |name: &String| values.get(name).map_or(1u64 << 40, |n| u64::try_from(*n).expect("a length"));
    let lens: Vec<u64> = names.iter().map(len).collect();
    let sections: Vec<_> = lens.iter().map(|len| (0, *len)).collect();
    let given = LaunchValues { dims: &dims, scalars: &scalars, lens: &lens, sections: &sections };
    let mut facts = info.plan.decide(&given);
    if !facts.open.is_empty() {
        info.plan.inspect(&given, &mut facts, 1 << 24, &Alone);
    }
    let left = info.residual_checks + facts.unproved.len();
    let race = match (facts.race, facts.claims.first()) {
        (Some(_), _) => "race".into(),
        (None, Some(array)) => format!("checked: {}", names[array.index()]),
        (None, None) => "runs".into(),
    };
    (race, left)
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
        Expr::Binary(b) if matches!(b.op, syn::BinOp::Sub(_)) => {
            number(&b.left, values) - number(&b.right, values)
        }
        _ => panic!("bounds in the table are names, numbers and differences"),
    }
}
