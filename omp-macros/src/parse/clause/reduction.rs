//! `reduction` and `scan`: the operator and its items.
use crate::ast::{ClauseOp, ReductionClause};
use crate::diag::{Code, Sink};
use crate::parse::tokens::source;
use crate::parse::{item, split_colon, split_commas};
use omp_ir::template::ReduceOp;
use proc_macro2::{Span, TokenStream};

/// The built-in reduction operators.
const OPERATORS: &[&str] = &["+", "*", "-", "max", "min", "&", "|", "^", "&&", "||"];

/// `[reproducible,] op: items`, of the clause of this name.
pub(super) fn reduction(
    clause: &str,
    span: Span,
    args: TokenStream,
    sink: &mut Sink,
) -> Option<ReductionClause> {
    let Some((head, items)) = split_colon(&args) else {
        let items: String =
            args.to_string().chars().skip_while(|c| !c.is_alphanumeric() && *c != '_').collect();
        let items = if items.is_empty() { "sum".to_owned() } else { items };
        let op = args.to_string().replace(' ', "");
        let op = OPERATORS
            .iter()
            .rev()
            .find(|o| !o.starts_with(char::is_alphabetic) && op.starts_with(**o))
            .unwrap_or(&"+");
        sink.error(
            Code::MalformedClause,
            span,
            format!("a `{clause}` needs an operator and a colon before its items"),
        )
        .help(format!("write `{clause}({op}: {items})`; operators are `+ * - max min & | ^ && ||`"));
        return None;
    };
    let (mut reproducible, mut inscan) = (false, false);
    let mut words = split_commas(head);
    let op = words.pop().unwrap_or_default();
    for word in words {
        let at = word.clone().into_iter().next().map_or(span, |t| t.span());
        match word.to_string().as_str() {
            "reproducible" => reproducible = true,
            "inscan" => inscan = true,
            other if clause == "scan" && OPERATORS.contains(&other.replace(' ', "").as_str()) => {
                let message = "a `scan` clause names an operator and a carried variable, not a type";
                sink.error(Code::MalformedClause, at, message).help(format!(
                    "write `scan({}: {})`",
                    other.replace(' ', ""),
                    source::as_written(&items)
                ));
                return None;
            }
            other => {
                sink.error(Code::MalformedClause, at, format!("unknown modifier `{other}` of `{clause}`"))
                    .help("the modifier is `reproducible`");
                return None;
            }
        }
    }
    if reproducible && inscan {
        sink.error(Code::Contradiction, span, "a scan can't be `reproducible`: the grouping of its operands depends on the device")
            .help("write `reduction(inscan, …)`; of integers and of exact values the results are the same everywhere");
        reproducible = false;
    }
    let at = op.clone().into_iter().next().map_or(span, |t| t.span());
    let spelled = op.to_string().replace(' ', "");
    if let "reproducible" | "inscan" = spelled.as_str() {
        sink.error(
            Code::MalformedClause,
            at,
            format!("`{spelled}` is not an operator: the operator comes after it"),
        )
        .help(format!(
            "write `reduction({spelled}, +: {})`; operators are `+ * - max min & | ^ && ||`",
            source::as_written(&items)
        ));
        return None;
    }
    let behind = items.to_string().replace(' ', "");
    if OPERATORS.contains(&behind.as_str()) && !OPERATORS.contains(&spelled.as_str()) {
        sink.error(
            Code::MalformedClause,
            at,
            format!("the operator `{behind}` of a `{clause}` clause has to be before the items"),
        )
        .help(format!("write `{clause}({behind}: {spelled})`"));
        return None;
    }
    // The colon of `+=: s`, as `map(to = x)` means the same as `map(to: x)`.
    if let Some(items) = behind.strip_prefix(':').filter(|_| OPERATORS.contains(&spelled.as_str())) {
        sink.error(Code::UnknownOperator, at, format!("unknown reduction operator `{spelled}=`"))
            .help(format!("write the operator without `=`: `reduction({spelled}: {items})`"));
        return None;
    }
    let op = operator(&spelled, &op, at, sink)?;
    Some(ReductionClause {
        op,
        spelled,
        reproducible,
        inscan,
        ty: None,
        span: at,
        items: item::list(clause, span, items, sink),
    })
}

/// The operator of a reduction.
pub(super) fn operator(spelled: &str, tokens: &TokenStream, at: Span, sink: &mut Sink) -> Option<ClauseOp> {
    let op = match spelled {
        "+" | "-" => ReduceOp::Add,
        "*" => ReduceOp::Mul,
        "max" => ReduceOp::Max,
        "min" => ReduceOp::Min,
        "&" => ReduceOp::BitAnd,
        "|" => ReduceOp::BitOr,
        "^" => ReduceOp::BitXor,
        "&&" => ReduceOp::And,
        "||" => ReduceOp::Or,
        _ => {
            if let Ok(path) = syn::parse2::<syn::Path>(tokens.clone()) {
                return Some(ClauseOp::Declared(path));
            }
            let error =
                sink.error(Code::UnknownOperator, at, format!("unknown reduction operator `{spelled}`"));
            match spelled.split_once(':') {
                Some((op, item)) => error.help(format!(
                    "the directive names only the operator, `#[omp::scan({op})]`; a clause also names the variable: `#[omp::target(scan({op}: {item}))]`"
                )),
                None => error.help(
                    "reduction operators are `+ * - max min & | ^ && ||` and the names of `#[omp::declare_reduction]`",
                ),
            };
            return None;
        }
    };
    Some(ClauseOp::Builtin(op))
}
