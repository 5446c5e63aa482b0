//! Arguments that only clauses of OpenACC have, and what its clauses mean together.
use super::{expression, item, split_colon, split_commas, word};
use crate::ast::{Clauses, Evaluated, Level, MapClause, MapWord, Number, Spanned};
use crate::diag::{Code, Sink};
use proc_macro2::{Span, TokenStream};
use syn::Expr;

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
        // Of more than two loops, which iterations a team takes is left to the schedule.
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

/// A queue of `acc::wait!(1, 2)`.
pub(super) fn queue(out: &mut Clauses, part: TokenStream, sink: &mut Sink) {
    let span = part.clone().into_iter().next().map_or_else(Span::call_site, |t| t.span());
    let Some(value) = expression("wait", span, part, sink) else { return };
    match out.evaluated.iter_mut().find(|e| e.what == Number::Waits) {
        Some(waits) => waits.values.push(value),
        None => {
            out.evaluated.push(Evaluated { what: Number::Waits, name: "wait", values: vec![value], span });
        }
    }
}

/// The kind of a device.
pub(super) fn device_type(span: Span, args: &TokenStream, sink: &mut Sink) -> Option<Spanned<String>> {
    const KINDS: &[&str] = &["default", "host", "not_host", "nvidia", "cuda", "opencl"];
    let kinds: Vec<(&str, &str)> = KINDS.iter().map(|kind| (*kind, *kind)).collect();
    let value = word("device_type", span, args, &kinds, sink)?.to_owned();
    Some(Spanned { value, span })
}

/// What clauses mean together: a level that excludes another, a size given twice, a task by its queue.
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
