//! Arguments that only clauses of OpenACC have, and what its clauses mean together.
use super::table::{Clause, Takes};
use super::{expression, item, split_colon, split_commas, word};
use crate::ast::{Clauses, Evaluated, Level, MapClause, MapWord, Number, Spanned};
use crate::diag::{Code, Sink};
use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned as _;

/// `x, y` and `readonly: x`
pub(super) fn map(
    clause: &str,
    ty: MapWord,
    span: Span,
    args: TokenStream,
    sink: &mut Sink,
) -> Option<MapClause> {
    let modified = split_colon(&args).filter(|(word, _)| word.to_string().chars().all(char::is_alphabetic));
    let items = match modified {
        None => args,
        Some((word, items)) => match (word.to_string().as_str(), ty) {
            ("readonly", MapWord::To) => items,
            ("zero", MapWord::Alloc | MapWord::From) => {
                sink.error_at(Code::MalformedClause, &word, format!("`{clause}` takes no `zero`"))
                    .help("memory of the device starts with the host's values: fill the array, `x.fill(0)`, before the directive");
                return None;
            }
            (other, _) => {
                sink.error_at(Code::MalformedClause, &word, format!("`{clause}` takes no `{other}`"))
                    .help(format!("write `{clause}(x, y)`"));
                return None;
            }
        },
    };
    Some(MapClause { ty, always: false, present: false, items: item::list(clause, span, items, sink) })
}

/// `e`, `num: e`, `static: e`: how many gangs, workers or lanes there are, if that is what is said.
pub(super) fn size(level: Level, span: Span, args: TokenStream, sink: &mut Sink) -> Option<Option<Expr>> {
    let own = match level {
        Level::Gang => "num",
        Level::Worker => "num",
        Level::Vector => "length",
        Level::Seq | Level::Independent | Level::Auto => "",
    };
    let mut size = None;
    for part in split_commas(args) {
        let (word, value) = match split_colon(&part) {
            Some((word, value)) => (word.to_string(), value),
            None => (own.to_owned(), part.clone()),
        };
        match word.as_str() {
            // How gangs take iterations is the schedule's choice; each iteration is run by one of them either way.
            "static" | "dim" if level == Level::Gang => {}
            word if word == own => size = Some(expression(level.word(), span, value, sink)?),
            other => {
                let name = level.word();
                sink.error_at(Code::MalformedClause, &part, format!("`{name}` takes no `{other}`"))
                    .help(format!("write `{name}({own}: e)`"));
                return None;
            }
        }
    }
    Some(size)
}

/// `tile(a, b)`: the innermost loop's size comes first, `*` is any.
pub(super) fn tile(out: &mut Clauses, span: Span, args: TokenStream, sink: &mut Sink) -> Option<()> {
    let parts = split_commas(args);
    if parts.is_empty() {
        sink.error(Code::MalformedClause, span, "`tile` takes a size for each loop")
            .help("write `tile(32, 4)`, the innermost loop's first, or `tile(*, *)`");
        return None;
    }
    let any = parts.iter().any(|part| part.to_string() == "*");
    let loops = parts.len() as u32;
    if !any {
        let mut values = Vec::new();
        for part in parts.into_iter().rev() {
            values.push(expression("tile", span, part, sink)?);
        }
        // For more than two loops, the schedule chooses the iterations of a team.
        if values.len() <= 2 {
            out.evaluated.push(Evaluated { what: Number::Tile, name: "tile", values, span });
        }
    }
    if loops > 1 {
        match &out.collapse {
            Some(given) if given.value != loops => {
                let message = format!("`tile` of {loops} loops and `collapse({})`", given.value);
                sink.error(Code::Contradiction, span, message)
                    .help("leave `collapse` out: `tile` names its loops");
            }
            _ => out.collapse = Some(Spanned { value: loops, span }),
        }
    }
    Some(())
}

/// A queue without the words before it, `devnum: e: queues: q`: a queue is one of the thread, whatever device its work is on.
pub(super) fn queues(part: TokenStream) -> TokenStream {
    match split_colon(&part) {
        Some((word, rest)) if word.to_string() == "queues" => rest,
        Some((word, rest)) if word.to_string() == "devnum" => match split_colon(&rest) {
            Some((_, rest)) => queues(rest),
            None => part,
        },
        _ => part,
    }
}

/// A queue of `acc::wait!(1, 2)`.
pub(super) fn queue(out: &mut Clauses, part: TokenStream, sink: &mut Sink) {
    let span = part.clone().into_iter().next().map_or_else(Span::call_site, |t| t.span());
    let Some(value) = expression("wait", span, queues(part), sink) else { return };
    match out.evaluated.iter_mut().find(|e| e.what == Number::Waits) {
        Some(waits) => waits.values.push(value),
        None => {
            out.evaluated.push(Evaluated { what: Number::Waits, name: "wait", values: vec![value], span });
        }
    }
}

/// Kinds of devices, in the runtime's words.
const KINDS: &[(&str, &str)] = &[
    ("default", "default"),
    ("host", "host"),
    ("multicore", "host"),
    ("not_host", "not_host"),
    ("nvidia", "nvidia"),
    ("cuda", "nvidia"),
    ("opencl", "opencl"),
];

/// The kind of a device.
pub(super) fn device_type(span: Span, args: &TokenStream, sink: &mut Sink) -> Option<Spanned<String>> {
    let value = word("device_type", span, args, KINDS, sink)?.to_owned();
    Some(Spanned { value, span })
}

/// Clauses after a `device_type`.
pub(super) struct OfTypes {
    /// None for `*`: all kinds that no other one names.
    kinds: Vec<&'static str>,
    pub clauses: Clauses,
}

/// `nvidia, opencl` or `*`
pub(super) fn device_types(
    clause: &str,
    span: Span,
    args: TokenStream,
    before: &[OfTypes],
    sink: &mut Sink,
) -> Option<OfTypes> {
    let mut kinds = Vec::new();
    if args.to_string() != "*" {
        for part in split_commas(args) {
            kinds.push(word(clause, span, &part, KINDS, sink)?);
        }
    }
    let twice = match &kinds[..] {
        [] => before.iter().find(|other| other.kinds.is_empty()).map(|_| "*"),
        kinds => kinds.iter().copied().find(|kind| before.iter().any(|other| other.kinds.contains(kind))),
    };
    if let Some(kind) = twice {
        sink.error(Code::ClauseTwice, span, format!("`{kind}` is in two `{clause}`"))
            .help("put the clauses for one kind of devices after one `device_type`");
    }
    Some(OfTypes { kinds, clauses: Clauses::default() })
}

/// Whether a clause is of those that may differ from device to device.
pub(super) fn may_differ(name: &str) -> bool {
    matches!(
        name,
        "async" | "wait" | "num_gangs" | "num_workers" | "vector_length" | "gang" | "worker" | "vector"
    )
}

/// The same, with the error if the clause differs.
pub(super) fn differs(clause: &Clause, directive: &str, span: Span, bare: bool, sink: &mut Sink) -> bool {
    let name = clause.name;
    if !may_differ(name) {
        sink.error(Code::Misplaced, span, format!("`{name}` of `{directive}` is after a `device_type`"))
            .note(None, "one loop is written for all devices: only `async`, `wait` and the sizes of gangs, workers and vectors may differ")
            .help(format!("put `{name}` before the first `device_type`"));
        return false;
    }
    if bare && matches!(clause.takes, Takes::List(_)) {
        sink.error(Code::MalformedClause, span, "`wait` after a `device_type` names no queue")
            .help("name the queues, `wait(1, 2)`, or put `wait` before the first `device_type`");
        return false;
    }
    true
}

/// Makes one clause of each that differs from device to device: its expression selects by the kind of the device that runs the region.
pub(super) fn choose(out: &mut Clauses, mut groups: Vec<OfTypes>, sink: &mut Sink) {
    // The clauses for all other devices come last.
    groups.sort_by_key(|group| group.kinds.is_empty());
    let mut differing: Vec<Number> = Vec::new();
    for group in &mut groups {
        joined(&mut group.clauses, sink);
        for e in &group.clauses.evaluated {
            if !differing.contains(&e.what) {
                differing.push(e.what);
            }
        }
        out.levels.append(&mut group.clauses.levels);
        out.given.append(&mut group.clauses.given);
    }
    for what in differing {
        let others = out.evaluated.iter().position(|e| e.what == what).map(|at| out.evaluated.remove(at));
        let given: Vec<(&[&str], &Evaluated)> = groups
            .iter()
            .filter_map(|group| Some((&group.kinds[..], group.clauses.number(what)?)))
            .chain(others.iter().map(|e| (&[][..], e)))
            .collect();
        let Some((_, first)) = given.first() else { continue };
        let (name, span) = (first.name, first.span);
        let values = if what == Number::Waits {
            // Each queue is waited for on some devices; elsewhere the number of no queue stands in its place.
            let of = |n: usize, e: &Evaluated| {
                let chosen = given[n].0;
                e.values.iter().map(move |value| (n, chosen, value.clone())).collect::<Vec<_>>()
            };
            let each = given.iter().enumerate().flat_map(|(n, (_, e))| of(n, e));
            each.map(|(n, _, value)| {
                let alone: Vec<(&[&str], Option<&Expr>)> = given
                    .iter()
                    .enumerate()
                    .map(|(k, (kinds, _))| (*kinds, (k == n).then_some(&value)))
                    .collect();
                chosen(what, &alone)
            })
            .collect()
        } else {
            let alternatives: Vec<_> = given.iter().map(|(kinds, e)| (*kinds, e.values.first())).collect();
            vec![chosen(what, &alternatives)]
        };
        out.evaluated.push(Evaluated { what, name, values, span });
    }
}

/// The first of some values whose kinds the device is of. No kinds are all, no value is a clause without one.
fn chosen(what: Number, of: &[(&[&str], Option<&Expr>)]) -> Expr {
    let none = match what {
        Number::Queue | Number::Waits => quote!(::omp::__private::wide(::omp::__private::ASYNC_SYNC)),
        _ => quote!(::omp::__private::core::primitive::i128::MAX),
    };
    let mut out = quote!(#none);
    for (kinds, value) in of.iter().rev() {
        let value = match (value, what) {
            (Some(e), _) => quote_spanned!(e.span()=> ::omp::__private::wide(#e)),
            (None, Number::Queue) => quote!(::omp::__private::wide(::omp::__private::ASYNC_NOVAL)),
            (None, _) => none.clone(),
        };
        out = if kinds.is_empty() {
            value
        } else {
            quote!(if ::omp::__private::acc_is_of(&[#(#kinds),*]) { #value } else { #out })
        };
    }
    syn::parse_quote!({ #out })
}

/// The combined meaning of clauses: a level that excludes another, a size given twice, a task by its queue.
pub(super) fn joined(out: &mut Clauses, sink: &mut Sink) {
    use Level::{Auto, Gang, Independent, Seq, Vector, Worker};
    let order = [Seq, Independent, Auto];
    let said: Vec<_> = out.levels.iter().filter(|level| order.contains(&level.value)).collect();
    if let [first, second, ..] = said[..] {
        let message = format!("`{}` and `{}` contradict each other", first.value.word(), second.value.word());
        sink.error(Code::Contradiction, second.span, message)
            .help("a loop is either `seq` (in order), `independent` (in parallel) or `auto`: leave one");
    } else if let (Some(seq), Some(level)) = (out.level(&[Seq]), out.level(&[Gang, Worker, Vector])) {
        let message = format!("`{}` and `{}` contradict each other", seq.value.word(), level.value.word());
        sink.error(Code::Contradiction, level.span, message)
            .help("the iterations of a `seq` loop run in order, on one thread: leave one");
    }
    let mut sizes: Vec<&Evaluated> = Vec::new();
    for size in &out.evaluated {
        if let Some(first) = sizes.iter().find(|first| first.what == size.what) {
            let message = format!("`{}` and `{}` both give a size", first.name, size.name);
            sink.error(Code::Contradiction, size.span, message)
                .note(Some(first.span), "the first one is here")
                .help("leave one of them");
            break;
        }
        sizes.push(size);
    }
    if let Some(queue) = out.number(Number::Queue) {
        out.nowait = Some(Spanned { value: (), span: queue.span });
    }
}
