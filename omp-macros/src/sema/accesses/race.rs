//! Error messages of the race analysis.
use crate::ast::{DirectiveKind, Item};
use crate::diag::{Code, Diagnostic, Sink};
use crate::lower::Lowered;
use crate::lower::region::update_forms::builtin;
use crate::marks::{Unmark, marked};
use crate::parse::tokens::source::as_written;
use crate::sema::CheckedRegion;
use crate::sema::reduction::updates::symbol;
use crate::sema::syntax::forms;
use omp_ir::analysis::race::{Functions, RaceFinding, RaceVerdict, Witness, at_compile_time};
use omp_ir::flow::update_form::Use;
use omp_ir::ids::{AccessId, ArrayId, SrcId};
use omp_ir::template::{Base, Expr as IrExpr, KernelTemplate, Level, Place, Projection, ReduceOp, Stmt};
use omp_ir::visit as ir_visit;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Expr, ExprIndex};

/// Runs the analysis on a lowered region and reports at most one race for each array.
pub fn report(region: &CheckedRegion, lowered: &Lowered, functions: &Functions, sink: &mut Sink) {
    let mut findings = at_compile_time(&lowered.template, functions);
    // A refutation says more than a doubt.
    findings.sort_by_key(|f| !matches!(f.verdict, RaceVerdict::Refuted(_)));
    let places = Places::of(region);
    let mut arrays = Vec::new();
    for finding in &findings {
        if !arrays.contains(&finding.array) {
            arrays.push(finding.array);
            one(finding, &findings, lowered, &places, sink);
        }
    }
}

/// Arrays of which data decides whether iterations conflict, where nothing is known against it: rows whose bounds are read from memory, as
/// in `for k in start[i]..start[i + 1]`, and subscripts that keep apart if what is read is small, as in `h[i * 64 + x[i] as usize]`. Types
/// may show that it is; otherwise the run checks the arrays, as under the clause.
pub fn checked_while_running(region: &CheckedRegion, lowered: &Lowered, functions: &Functions) -> Vec<Item> {
    if !matches!(region.directive.kind, DirectiveKind::Target | DirectiveKind::ParallelFor) {
        return vec![];
    }
    let findings = at_compile_time(&lowered.template, functions);
    let checked =
        |f: &RaceFinding| f.nest.is_none() && matches!(f.verdict, RaceVerdict::Unknown { checked: true, .. });
    let mut arrays: Vec<ArrayId> = findings.iter().map(|f| f.array).collect();
    arrays.sort_unstable();
    arrays.dedup();
    arrays.retain(|array| findings.iter().filter(|f| f.array == *array).all(checked));
    let item = |array: ArrayId| {
        let key = lowered.template.arrays[array.index()].name.clone();
        let place = syn::parse_str(&key).ok()?;
        Some(Item { place, key, sections: vec![], span: region.directive.span })
    };
    arrays.into_iter().filter_map(item).collect()
}

/// Reports one finding.
fn one(
    f: &RaceFinding,
    findings: &[RaceFinding],
    Lowered { template, spans, paths, .. }: &Lowered,
    places: &Places,
    sink: &mut Sink,
) {
    let array = &template.arrays[f.array.index()].name;
    let first = places.text(f.first, template);
    let second = places.text(f.second, template);
    let second_writes = template.code.accesses.get(f.second.index()).is_some_and(|a| a.write);
    let (code, message) = match &f.verdict {
        RaceVerdict::Refuted(w) => (Code::ArrayRace, refuted(&first, &second, w.both_write)),
        RaceVerdict::Unknown { .. } => {
            (Code::ArrayRaceUnknown, doubted(array, &first, &second, f.first == f.second, second_writes))
        }
    };
    let error = match places.found.get(&f.first) {
        Some((_, tokens)) => sink.error_at(code, tokens, message),
        None => {
            sink.error(code, spans.get(f.places.0.index()).copied().unwrap_or_else(Span::call_site), message)
        }
    };
    if f.first != f.second {
        let start = |src: SrcId| spans.get(src.index()).map(Span::start);
        let at = places.found.get(&f.second).and_then(|(_, tokens)| tokens.clone().into_iter().next());
        let other = at.map(|first| first.span().start()).or_else(|| start(f.places.1));
        if let Some(other) = other {
            let (line, column) = (other.line, other.column + 1);
            let text = if start(f.places.0).is_some_and(|first| first.line == line) {
                format!("the other access, `{second}`, is on the same line, at column {column}")
            } else {
                format!("the other access, `{second}`, is on line {line}, at column {column}")
            };
            error.note(None, text);
        }
    }
    if let Some((level, src)) = f.nest {
        let text = match level {
            Level::Simd => "these are iterations of the `simd` loop, which are to run in lock-step",
            Level::Team => {
                "these are iterations of the inner loop, which the threads of a team run at the same time"
            }
        };
        error.note(spans.get(src.index()).copied(), text);
    }
    let updates = paths.uses(&template.code, &template.code.block, &(Base::Array(f.array), Vec::new()));
    let by = |access| {
        updates.iter().filter(|u| u.accesses.contains(access)).filter_map(Use::form).find_map(builtin)
    };
    let update = by(&f.first).or_else(|| by(&f.second));
    match &f.verdict {
        RaceVerdict::Refuted(w) => {
            error.note(None, example(array, w));
            advise_refuted(error, template, f, w, array, update);
        }
        RaceVerdict::Unknown { reason, .. } => {
            error.note(None, reason.clone());
            if f.first == f.second {
                also_doubted(error, f, findings, places);
            }
            if let Some((element, name)) = constant_element(template, reason) {
                error.help(format!(
                    "nothing in the loop changes `{element}`: read it before the loop, `let {name} = {element};`, and write `{name}` in the loop"
                ));
            }
            let called = places.called.contains(&f.first);
            advise_unknown(error, template, f, array, (update, called));
        }
    }
}

/// Names the other accesses to the array that may conflict with themselves in another iteration: the advice applies to each of them.
fn also_doubted(error: &mut Diagnostic, f: &RaceFinding, findings: &[RaceFinding], places: &Places) {
    let mut named = vec![places.found.get(&f.first).map_or("", |(text, _)| text)];
    let mut others = Vec::new();
    for other in findings.iter().filter(|o| o.array == f.array && o.first == o.second) {
        let Some((text, tokens)) = places.found.get(&other.first) else { continue };
        let Some(start) = tokens.clone().into_iter().next() else { continue };
        if !named.contains(&text.as_str()) {
            let at = start.span().start();
            named.push(text);
            others.push(format!("`{text}`, on line {}, at column {}", at.line, at.column + 1));
        }
    }
    if !others.is_empty() {
        error.note(None, format!("the same holds for {}", others.join(", and for ")));
    }
}

/// The message of a race that is certain.
fn refuted(first: &str, second: &str, both_write: bool) -> String {
    match (both_write, first == second) {
        (true, true) => {
            format!("race: different iterations write the same element through `{first}` (write/write)")
        }
        (true, false) => format!(
            "race: different iterations write the same element through `{first}` and `{second}` (write/write)"
        ),
        (false, _) => format!(
            "race: one iteration writes `{first}` and another reads the same element through `{second}` (read/write, a loop-carried dependence)"
        ),
    }
}

/// The message of a race that nothing excludes.
fn doubted(array: &str, first: &str, second: &str, same: bool, second_writes: bool) -> String {
    let kinds = if same || second_writes { "write/write" } else { "read/write, a loop-carried dependence" };
    if same {
        format!(
            "possible race: nothing shows that different iterations write different elements of `{array}` through `{first}` ({kinds})"
        )
    } else {
        format!(
            "possible race: nothing shows that `{first}` and `{second}` of different iterations are different elements ({kinds})"
        )
    }
}

/// The counterexample of a race: two iterations that access one element.
fn example(array: &str, w: &Witness) -> String {
    let iteration = |pick: fn(&(String, i128, i128)) -> i128| {
        w.iterations.iter().map(|i| format!("{} = {}", i.0, pick(i))).collect::<Vec<_>>().join(", ")
    };
    let element: String = w.element.iter().map(|e| format!("[{e}]")).collect();
    let (one, other) = (iteration(|i| i.1), iteration(|i| i.2));
    let mut text = match w.iterations.len() {
        0 | 1 => format!("iterations {one} and {other} both access "),
        _ => format!("iterations ({one}) and ({other}) both access "),
    };
    text.push_str(&match &*element {
        "" => "the same element".to_owned(),
        element => format!("`{array}{element}`"),
    });
    // A bound may depend on lengths, and the example takes each number for one of its own: the iterations say enough of it.
    let is_bound = |name: &str| name == "the loop's bound";
    let bounded = w.assuming.iter().any(|(name, _)| is_bound(name));
    let named =
        w.assuming.iter().filter(|(name, _)| !(is_bound(name) || bounded && name.ends_with(".len()")));
    let sizes: Vec<_> = named.map(|(name, value)| format!("{name} = {value}")).collect();
    if !sizes.is_empty() {
        text.push_str(&format!(", for example with {}", sizes.join(", ")));
    }
    text
}

fn advise_refuted(
    error: &mut Diagnostic,
    template: &KernelTemplate,
    f: &RaceFinding,
    w: &Witness,
    array: &str,
    update: Option<ReduceOp>,
) {
    let access = |id: AccessId| template.code.accesses.get(id.index());
    let updates = f.first == f.second && access(f.first).is_some_and(|a| a.read);
    if let (true, Some(op)) = (w.both_write, update) {
        error.help(format!(
            "if the iterations accumulate, reduce the array, `reduction({}: {array})`, or make each update atomic: put `#[omp::atomic]` on the statement; else give each iteration its own element",
            symbol(op)
        ));
    } else if updates {
        error.help("if the iterations accumulate, sum into a scalar with `reduction(+: …)`, or give each iteration its own element");
    } else if access(f.second).is_some_and(|a| a.write) {
        error.help("let each iteration write elements of its own; an array that each only works with is declared in the body: `let mut t = [0; 8];`");
    } else {
        error.help(format!("read from a copy: write to another array than `{array}`"));
        if matches!(w.iterations[..], [(_, writes, reads)] if writes < reads) {
            error.help(format!("a copy has the old values; where each iteration is to have what the one before wrote to `{array}`, as in a running sum, write `#[omp::scan(+)]`"));
        }
    }
}

/// The element of which nothing is known, if its number is a literal and the region does not write its array; and a name for it.
fn constant_element(template: &KernelTemplate, reason: &str) -> Option<(String, String)> {
    let code = &template.code;
    let mut found = None;
    ir_visit::each_live_expr(code, &mut |e| {
        if let IrExpr::Load(Place { base: Base::Array(a), projections }) = &code.exprs[e.index()].expr
            && let [Projection::Index { index, access: _ }] = &projections[..]
            && let IrExpr::Int { value, negative: false, ty: _ } = &code.exprs[index.index()].expr
            && let array = &template.arrays[a.index()]
            && !array.written
            && reason.ends_with(&format!("read from `{}`", array.name))
        {
            let name = array.name.trim_start_matches("self.").replace('.', "_");
            found = Some((format!("{}[{value}]", array.name), format!("{name}_{value}")));
        }
    });
    found
}

fn advise_unknown(
    error: &mut Diagnostic,
    template: &KernelTemplate,
    f: &RaceFinding,
    array: &str,
    (update, called): (Option<ReduceOp>, bool),
) {
    let mut atomic = false;
    ir_visit::each_stmt(&template.code.block, &mut |stmt| {
        atomic |=
            matches!(stmt, Stmt::Atomic { place: Place { base: Base::Array(a), .. }, .. } if *a == f.array);
    });
    if atomic {
        error.help(format!(
            "make all of its accesses atomic (`#[omp::atomic]`, `#[omp::atomic(read)]`), or promise that no other access conflicts with the atomic ones: `unsafe(disjoint({array}))`"
        ));
        return;
    }
    let disjoint = format!(
        "if no two iterations touch the same element, add `disjoint({array})`, which checks it while running, or promise it: `unsafe(disjoint({array}))`"
    );
    match update {
        // A function of the variables, as in `b[at(i, j)] += x`, mostly gives each iteration an element of its own; an index that is
        // read from memory, as that of a histogram, does not.
        Some(op) if called => {
            error.help(disjoint);
            error.help("if several iterations may update one element, make each update atomic: put `#[omp::atomic]` on the statement");
            error.help(format!(
                "if most of them do, and `{array}` is small, reduce it: `reduction({}: {array})` gives each thread a copy",
                symbol(op)
            ));
        }
        Some(op) => {
            error.help(format!(
                "if several iterations may update one element, reduce the array: `reduction({}: {array})`, or make each update atomic: put `#[omp::atomic]` on the statement",
                symbol(op)
            ));
            error.help(disjoint);
        }
        None => {
            error.help(disjoint);
        }
    }
    if update.is_none()
        && f.first == f.second
        && template.code.accesses.get(f.first.index()).is_some_and(|a| a.read)
    {
        error.help("if they do and each update is to count, it has to be atomic: put `#[omp::atomic]` on the statement");
    }
}

/// Subscripts by id, as the user wrote them.
struct Places {
    found: HashMap<AccessId, (String, TokenStream)>,
    /// The accesses whose index is the result of a function.
    called: HashSet<AccessId>,
}

impl Places {
    fn of(region: &CheckedRegion) -> Self {
        let mut places = Self { found: HashMap::new(), called: HashSet::new() };
        places.visit_block(&region.body);
        places
    }

    fn text(&self, id: AccessId, template: &KernelTemplate) -> String {
        match self.found.get(&id) {
            Some((text, _)) => text.clone(),
            None => template
                .code
                .accesses
                .get(id.index())
                .map_or_else(|| "the whole array".into(), |a| a.name.clone()),
        }
    }
}

impl<'ast> Visit<'ast> for Places {
    fn visit_expr_index(&mut self, e: &'ast ExprIndex) {
        // In `a[i][j]`, the whole chain is what the user knows both subscripts by.
        let mut plain = Expr::Index(e.clone());
        Unmark.visit_expr_mut(&mut plain);
        let whole = (shown(as_written(&plain)), plain.to_token_stream());
        let mut link = e;
        loop {
            if let Some(id) = marked::<AccessId>(&link.attrs) {
                self.found.entry(id).or_insert_with(|| whole.clone());
                if matches!(forms::strip(&link.index), Expr::Call(_) | Expr::MethodCall(_)) {
                    self.called.insert(id);
                }
            }
            match &*link.expr {
                Expr::Index(inner) => link = inner,
                _ => break,
            }
        }
        visit::visit_expr_index(self, e);
    }
}

/// Without the counters that stand for what iterators count: `y[…]`.
fn shown(text: String) -> String {
    let Some(at) = text.find("__omp_") else { return text };
    let (Some(open), Some(close)) = (text[..at].rfind('['), text[at..].find(']')) else { return text };
    shown(format!("{}[…]{}", text[..open].trim_end(), &text[at + close + 1..]))
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn counters_are_not_shown() {
        for (text, want) in [
            ("y[i - 1]", "y[i - 1]"),
            ("y [ __omp_at1 ]", "y[…]"),
            ("y [ 0 + __omp_at1 ][2]", "y[…][2]"),
            ("a [ __omp_at1 ][ __omp_at2 ].x", "a[…][…].x"),
        ] {
            assert_eq!(shown(text.to_owned()), want);
        }
    }
}
