//! The messages about which statements of a scan's loop compute its operands, and which need the carried values and so
//! run after the scan. [`omp_ir::flow::recurrence`] decides.
use super::recurrence::forms;
use super::{SplitBody, by_another, with_body};
use crate::ast::Item;
use crate::diag::{Code, Sink};
use crate::lower::region::draft::Draft;
use crate::parse::tokens::leaves::leaves;
use crate::sema::CheckedRegion;
use crate::sema::reduction::{fits, otherwise, repeats};
use omp_ir::flow::recurrence::Wrong;
use omp_ir::flow::update_form::Form;
use proc_macro2::{Span, TokenStream};
use quote::ToTokens;
use syn::Stmt;

/// How the names of carried elements begin.
pub(super) const HIDDEN: &str = "__scan";
/// How the names of conditions begin that [`super::split`] makes.
pub(super) const WHEN: &str = "__omp_when";

/// By statement, whether a part's sum depends on it: those that update, and what they compute with. What depends on a carried
/// value, or stores, waits until that value is known.
pub(super) fn classify(region: &CheckedRegion, found: &SplitBody, sink: &mut Sink) -> Option<Vec<bool>> {
    let draft = Draft::of(&with_body(region, &region.loops, &found.body, &found.clauses));
    let items: Vec<&Item> = found.clauses.iter().flat_map(|c| &c.items).collect();
    let folds = draft.folds(&items, &|n, form| fits(form, &found.clauses[n].op));
    folds.map_err(|(n, wrong)| refuse(&draft, found, n, &wrong, sink)).ok()
}

/// Reports what is wrong with the statement of this number.
fn refuse(draft: &Draft, found: &SplitBody, n: usize, wrong: &Wrong, sink: &mut Sink) {
    let (at, what) = match wrong {
        Wrong::Assigned(k, form, src) => {
            let clause = &found.clauses[*k];
            let key = &clause.items[0].key;
            if repeats(form, &clause.op) {
                return refuse_operand(found, n, wrong_operand(key), sink);
            }
            if let Some((_, element)) = found.elements.iter().find(|(at, _)| *at == n) {
                return element.refuse(form, clause, element.update.to_token_stream(), sink);
            }
            let statement = draft.statement(*src, form);
            let how = otherwise(form, statement.as_ref(), &clause.op).map(|how| how.to_string());
            match (statement, how, form) {
                (Some(e), Some(how), _) => {
                    return by_another(key, &how, clause, e.to_token_stream(), sink);
                }
                (Some(e), None, Form::Store | Form::Constant(_)) => {
                    (e.to_token_stream(), format!("`{key}` is carried, but this overwrites it"))
                }
                _ => (draft.tokens(None, *src), changed(key)),
            }
        }
        Wrong::Changed(k, src, access) => {
            (draft.tokens(*access, *src), changed(&found.clauses[*k].items[0].key))
        }
        Wrong::Stored(root) | Wrong::Stores(root) | Wrong::Depends(root) => {
            return refuse_operand(found, n, wrong_update(wrong, &draft.name(root)), sink);
        }
    };
    sink.error_at(Code::ScanPattern, at, format!("scan pattern not found: {what}"))
        .note(None, forms(&found.clauses[0].spelled))
        .help("update the carried value by the scan's operator, and use it in statements of its own");
}

/// Reports an update that can't be made of its operands.
fn refuse_operand(found: &SplitBody, n: usize, (what, help): (String, &str), sink: &mut Sink) {
    let what = format!("scan pattern not found: {what}");
    sink.error_at(Code::ScanPattern, written(&found.body[n]), what).help(help);
}

fn changed(key: &str) -> String {
    format!("`{key}` is carried, but this changes it in another way")
}

/// The message and the help for a wrong update of a carried value.
fn wrong_update(wrong: &Wrong, name: &str) -> (String, &'static str) {
    match wrong {
        Wrong::Stored(_) => (
            format!("the operand of the update is `{name}`, which the same iteration stores before"),
            "a scan adds up first and stores then: update with a variable, `let v = …;`, that is stored as well; what the scan itself stores is read in a loop of its own",
        ),
        Wrong::Stores(_) => (
            format!("the statement that updates the carried value stores to `{name}` as well"),
            "store in a statement of its own: before the update what uses the value before it (`if c { y[n] = x[i]; }`, then `n += usize::from(c);`), after it what uses the value after",
        ),
        _ => wrong_operand(name),
    }
}

/// The operand of an update, or its condition, depends on a carried value.
fn wrong_operand(name: &str) -> (String, &'static str) {
    match name {
        _ if name.starts_with(WHEN) => (
            "a condition decides whether what is carried is updated, and depends on it".to_owned(),
            "a scan's element depends on no carried value: update under conditions on the iteration's own values, and test what is carried where it is used (`if c && n < y.len() { y[n] = …; }`, then `n += usize::from(c);`)",
        ),
        _ if name.starts_with(HIDDEN) => (
            "the operand or the condition of the update depends on the carried element".to_owned(),
            "a scan's element depends on no carried value: nothing but the update reads the element before",
        ),
        _ => (
            format!(
                "the operand or the condition of the update depends on the carried value, through `{name}`"
            ),
            "a scan's element depends on no carried value",
        ),
    }
}

/// The user's tokens of a statement, as far as they are known.
fn written(stmt: &Stmt) -> TokenStream {
    let ours = Span::call_site().start();
    let users: TokenStream = leaves(stmt.to_token_stream()).filter(|t| t.span().start() != ours).collect();
    if users.is_empty() { stmt.to_token_stream() } else { users }
}
