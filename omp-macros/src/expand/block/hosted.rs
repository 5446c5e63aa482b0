//! The statements of a target block that the host runs. They may use the lengths of the block's arrays, but not their
//! elements: the values are on the device, and the host's copies may be old.
use super::Surroundings;
use crate::diag::{Code, Sink};
use crate::expand::tasks::{mentions, path};
use crate::parse::arguments;
use crate::parse::standalone;
use crate::parse::std_macros::{takes_expressions, takes_no_places};
use crate::sema::syntax::place::covers;
use crate::sema::syntax::search;
use crate::sema::syntax::uses;
use crate::sema::syntax::uses::{How, Use};
use crate::visits::{self, Node};
use syn::{Block, Expr, Macro};

/// Reports it. In the block regions are no more than placeholders by now.
pub(super) fn check(block: &Block, around: &Surroundings, sink: &mut Sink) {
    let heard = sink.len();
    for mac in macros(block) {
        let known = takes_expressions(mac) || takes_no_places(mac) || standalone::name_of(mac).is_some();
        if !known {
            let name = crate::parse::tokens::source::as_written(&mac.path);
            sink.error_at(
                Code::UnsupportedExpr,
                &mac.path,
                format!("`{name}!` in a `target` block may expand to anything"),
            )
            .note(None, "it would use the host's copies of the block's arrays")
            .help("allowed are `println!`, `eprintln!`, `print!`, `eprint!`, `format!`, `write!`, `writeln!`, `dbg!`, `vec!`, `matches!`, `panic!` and the `assert!`s of std, without arrays of the block, and a `macro_rules!` of the same file; write the code of other macros instead, or use them before or after the block");
        } else if let Some(array) = around.arrays.iter().find(|array| hides(mac, array)) {
            old(&mac.tokens, array, sink);
        }
    }
    if sink.len() > heard {
        return;
    }
    let mut reported: Vec<String> = Vec::new();
    for u in uses::of_block(block, around.names.clone()) {
        let Some(array) = around.arrays.iter().find(|array| is_old(&u, array)) else { continue };
        if reported.contains(&u.key) {
            continue;
        }
        if u.key == *array || covers(array, &u.key) {
            old(&u.tokens, array, sink);
        } else {
            let message =
                format!("`{}` as a whole in a `target` block, where `{array}` is on the device", u.key);
            sink.error_at(Code::UnsupportedExpr, &u.tokens, message)
                .note(None, "the host runs this, and its copy of the array may be old")
                .help("use its fields one by one, or take what is needed into a `let` before the block");
        }
        reported.push(u.key);
    }
}

fn old(at: &impl quote::ToTokens, array: &str, sink: &mut Sink) {
    sink.error_at(
        Code::UnsupportedExpr,
        at,
        format!("the host runs this part of the `target` block, and `{array}` is on the device"),
    )
    .help("take its value before, in a statement of its own: `let v = …;`, or do it after the block");
}

/// Whether a use on the host would see old values.
fn is_old(u: &Use, array: &str) -> bool {
    if u.key == array || covers(array, &u.key) { u.how != How::Len } else { covers(&u.key, array) }
}

/// Whether a macro in an expression names an array in a way that is not understood.
pub(super) fn hidden_in(e: &Expr, arrays: &[String]) -> bool {
    macros(e).into_iter().any(|mac| arrays.iter().any(|array| hides(mac, array)))
}

/// The macros in some code.
fn macros(code: &impl search::Code) -> Vec<&Macro> {
    let mut macros = Vec::new();
    visits::walk(code, |node| {
        if let Node::Macro(mac) = node {
            macros.push(mac);
        }
        !matches!(node, Node::Item(_))
    });
    macros
}

/// `vec![y[0]; n]`, `matches!(y[0], 1..=3)`: no list of expressions.
fn hides(mac: &Macro, array: &str) -> bool {
    arguments(mac).is_none() && mentions(mac.tokens.clone(), &path(array))
}
