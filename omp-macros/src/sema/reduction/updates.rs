//! The texts of messages about updates: what a statement assigns, and the name of its form. [`omp_ir::flow::update_form`]
//! decides the form.
use crate::marks::unmarked;
use crate::parse::tokens::source::squeezed;
use crate::sema::syntax::effects::Effect;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::place;
use crate::sema::syntax::search;
use omp_ir::template::ReduceOp;
use std::fmt;
use syn::spanned::Spanned;
use syn::{BinOp, Block, Expr, Stmt, Token};

/// How an assignment uses the old value, where it is no update by the operator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Other {
    /// In another form, in a few words.
    Form(String),
    /// It compares with the item, of which each thread has its own, and this happens besides.
    Compares(Effect),
    /// It names its element twice, and this happens besides.
    Twice(Effect),
}

impl Other {
    /// The help for the further effects of an update.
    pub fn remedy(&self) -> Option<String> {
        match self {
            Other::Form(_) => None,
            Other::Compares(Effect::Change) | Other::Twice(Effect::Change) => {
                Some("do that in a statement of its own, before the update".to_owned())
            }
            Other::Compares(Effect::Call { call, .. }) | Other::Twice(Effect::Call { call, .. }) => {
                Some(format!("`let value = {call};` before the update, which then takes `value`"))
            }
        }
    }
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Other::Form(how) => f.write_str(how),
            Other::Compares(effect) => {
                write!(f, "a comparison in which {effect}: each thread compares with a value of its own")
            }
            Other::Twice(effect) => {
                write!(f, "an assignment that names its element twice, and in which {effect}")
            }
        }
    }
}

/// How a reduction operator is written.
pub fn symbol(op: ReduceOp) -> &'static str {
    match op {
        ReduceOp::Add => "+",
        ReduceOp::Mul => "*",
        ReduceOp::Min => "min",
        ReduceOp::Max => "max",
        ReduceOp::BitAnd => "&",
        ReduceOp::BitOr => "|",
        ReduceOp::BitXor => "^",
        ReduceOp::And => "&&",
        ReduceOp::Or => "||",
    }
}

/// The assignment that is all that an `if` or `match` does.
pub fn guarded(e: &Expr) -> Option<&Expr> {
    let branches = match e {
        Expr::If(i) => vec![
            in_block(&i.then_branch),
            i.else_branch.as_ref().map_or(Some(vec![]), |(_, e)| statements(e)),
        ],
        Expr::Match(m) => m.arms.iter().map(|arm| statements(&arm.body)).collect(),
        _ => return None,
    };
    let all = branches.into_iter().collect::<Option<Vec<_>>>()?.concat();
    match all[..] {
        [e @ Expr::Assign(_)] => Some(e),
        _ => None,
    }
}

/// The assignment that is all that an `if` or `match` does, which chooses by the item whether it is assigned another value.
pub fn chosen(e: &Expr) -> Option<&Expr> {
    let subject = match e {
        Expr::If(i) => &*i.cond,
        Expr::Match(m) => &*m.expr,
        _ => return None,
    };
    let Some(assignment @ Expr::Assign(a)) = guarded(e) else { return None };
    let item = text(&a.left)?;
    (mentions(subject, &item) && !mentions(&a.right, &item)).then_some(assignment)
}

/// The place that an expression assigns.
pub fn target(e: &Expr) -> Option<&Expr> {
    assigned(e).filter(|left| text(left).is_some())
}

/// A place as a text that is the same wherever the place stands: `s`, `self.total`, `hist[x[i]as usize]`.
pub fn text(e: &Expr) -> Option<String> {
    let place = place::of(e)?;
    if place.subscripts.is_empty() {
        return Some(place.key);
    }
    Some(squeezed(&unmarked(strip(e))))
}

/// The place that `=` or an operator such as `+=` assigns.
pub fn assigned(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::Assign(a) => Some(&a.left),
        Expr::Binary(b) if is_assignment(&b.op) => Some(&b.left),
        _ => None,
    }
}

/// Whether an operator assigns.
pub fn is_assignment(op: &BinOp) -> bool {
    plain_operator(op).is_some()
}

/// `+` of `+=`.
pub fn plain_operator(op: &BinOp) -> Option<BinOp> {
    let span = op.span();
    Some(match op {
        BinOp::AddAssign(_) => BinOp::Add(Token![+](span)),
        BinOp::SubAssign(_) => BinOp::Sub(Token![-](span)),
        BinOp::MulAssign(_) => BinOp::Mul(Token![*](span)),
        BinOp::DivAssign(_) => BinOp::Div(Token![/](span)),
        BinOp::RemAssign(_) => BinOp::Rem(Token![%](span)),
        BinOp::BitXorAssign(_) => BinOp::BitXor(Token![^](span)),
        BinOp::BitAndAssign(_) => BinOp::BitAnd(Token![&](span)),
        BinOp::BitOrAssign(_) => BinOp::BitOr(Token![|](span)),
        BinOp::ShlAssign(_) => BinOp::Shl(Token![<<](span)),
        BinOp::ShrAssign(_) => BinOp::Shr(Token![>>](span)),
        _ => return None,
    })
}

fn is_item(e: &Expr, key: &str) -> bool {
    text(e).as_deref() == Some(key)
}

/// Whether the item stands anywhere in an expression.
pub fn mentions(e: &Expr, key: &str) -> bool {
    search::any(e, |e| is_item(e, key))
}

/// The statements of a branch.
fn statements(e: &Expr) -> Option<Vec<&Expr>> {
    match e {
        Expr::Block(b) if b.label.is_none() => in_block(&b.block),
        Expr::Tuple(t) if t.elems.is_empty() => Some(Vec::new()),
        other => Some(vec![other]),
    }
}

fn in_block(block: &Block) -> Option<Vec<&Expr>> {
    let all = block.stmts.iter().map(|s| match s {
        Stmt::Expr(e, _) => Some(e),
        Stmt::Local(_) | Stmt::Item(_) | Stmt::Macro(_) => None,
    });
    all.collect()
}
