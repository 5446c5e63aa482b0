//! The forms of reduction updates: `s ⊕= e`, `s = s ⊕ e`, `s = s.max(e)`, `if e > s { s = e }`, `s = f(s, e)`, … The
//! item is a scalar or an element of an array: the same place on both sides.
mod compare;

use crate::ast::ClauseOp;
use crate::parse::tokens::source::{as_written, squeezed};
use crate::sema::syntax::effects;
use crate::sema::syntax::effects::Effect;
use crate::sema::syntax::place;
use omp_ir::template::ReduceOp;
use quote::ToTokens;
use std::fmt;
use syn::{BinOp, Block, Expr, ExprIf, Lit, Stmt};

use compare::{Guarded, selected};
pub use compare::{comparison, conjuncts};

/// An assignment to a reduction item.
pub enum Form<'a> {
    /// An update by the operator; what it is updated with.
    Update(Vec<&'a Expr>),
    /// Another use of the old value; how, in a few words.
    Other(Other),
    /// The old value plays no part.
    Store,
}

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
    /// What to do with what happens besides.
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

/// The operators, most likely first.
pub const OPERATORS: [ReduceOp; 9] = [
    ReduceOp::Add,
    ReduceOp::Mul,
    ReduceOp::Max,
    ReduceOp::Min,
    ReduceOp::And,
    ReduceOp::Or,
    ReduceOp::BitAnd,
    ReduceOp::BitOr,
    ReduceOp::BitXor,
];

/// The assignment that stands alone in an `if` or `match`.
pub fn guarded(e: &Expr) -> Option<&Expr> {
    Guarded::of(e).map(|g| g.statement)
}

/// The place that an expression, or the `if` or `match` around its only assignment, assigns.
pub fn target(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::Assign(a) => text(&a.left).map(|_| &*a.left),
        Expr::Binary(b) if is_assignment(&b.op) => text(&b.left).map(|_| &*b.left),
        _ => {
            let guarded = Guarded::of(e)?;
            let item = text(&guarded.assigns.left)?;
            // Only if the condition compares with the item: else the assignment is looked at by itself.
            guarded.compared(&item).map(|_| &*guarded.assigns.left)
        }
    }
}

/// A place as a text that is the same wherever the place stands: `s`, `self.total`, `hist[x[i]as usize]`.
pub fn text(e: &Expr) -> Option<String> {
    let place = place::of(e)?;
    if place.subscripts.is_empty() {
        return Some(place.key);
    }
    Some(unmarked(e))
}

/// An expression as a text, without parentheses around it, however it is spaced.
fn unmarked(e: &Expr) -> String {
    // Once lowered, each subscript bears a number of its own.
    struct Unmark;
    impl syn::visit_mut::VisitMut for Unmark {
        fn visit_attributes_mut(&mut self, attrs: &mut Vec<syn::Attribute>) {
            attrs.clear();
        }
    }
    let mut plain = strip(e).clone();
    syn::visit_mut::VisitMut::visit_expr_mut(&mut Unmark, &mut plain);
    squeezed(&plain)
}

/// Reads an assignment to the place `key` as an update by `op`.
pub fn read<'a>(e: &'a Expr, key: &str, op: &ClauseOp) -> Form<'a> {
    let form = match op {
        ClauseOp::Builtin(op) => read_builtin(e, key, *op),
        ClauseOp::Declared(path) => read_declared(e, key, path),
    };
    match (form, unsteady(e, &|_| false)) {
        (Form::Update(_), Some(how)) => Form::Other(how),
        (form, _) => form,
    }
}

fn otherwise<'a>(how: impl Into<String>) -> Form<'a> {
    Form::Other(Other::Form(how.into()))
}

/// How something else is changed by an update that must change its item alone: one that compares with the item, of which
/// each thread has its own, or one that names an element twice. `mutable` tells which variables a method may change.
pub fn unsteady(e: &Expr, mutable: &dyn Fn(&str) -> bool) -> Option<Other> {
    let compares = match e {
        Expr::If(_) | Expr::Match(_) => true,
        Expr::Assign(a) => matches!(strip(&a.right), Expr::If(_) | Expr::Match(_)),
        _ => false,
    };
    let twice = match e {
        Expr::If(_) | Expr::Match(_) | Expr::Assign(_) => {
            target(e).and_then(place::of).is_some_and(|p| !p.subscripts.is_empty())
        }
        _ => false,
    };
    // The assignment of the item itself is none.
    let effect = match e {
        Expr::If(_) | Expr::Match(_) => effects::of(e, Guarded::of(e).map(|g| g.statement), mutable),
        Expr::Assign(a) => {
            effects::of(&a.left, None, mutable).or_else(|| effects::of(&a.right, None, mutable))
        }
        _ => None,
    }?;
    if compares { Some(Other::Compares(effect)) } else { twice.then_some(Other::Twice(effect)) }
}

/// `key = f(key, e)`. That `f` is the function which the clause names is for rustc to see.
fn read_declared<'a>(e: &'a Expr, key: &str, path: &syn::Path) -> Form<'a> {
    let right = match e {
        Expr::Assign(a) => strip(&a.right),
        Expr::Binary(b) => return otherwise(format!("`{}`", b.op.to_token_stream())),
        _ => return otherwise("a comparison".to_owned()),
    };
    if let Some(operands) = combined(right, key) {
        return Form::Update(operands);
    }
    if let Expr::Call(c) = right
        && c.args.len() == 2
        && is_item(&c.args[1], key)
    {
        return otherwise(format!(
            "`{}` with the item as the second operand, but it has to be the first",
            c.func.to_token_stream()
        ));
    }
    let name = as_written(&path.to_token_stream());
    if mentions(right, key) {
        let found = as_written(right);
        otherwise(format!("`{key} = {found}`, not by `{key} = {name}({key}, …)`"))
    } else {
        Form::Store
    }
}

/// What `f(key, e)` reads besides the item, also where only branches of an `if` update it.
fn combined<'a>(e: &'a Expr, key: &str) -> Option<Vec<&'a Expr>> {
    match e {
        Expr::Call(c) => {
            let [first, second] = c.args.iter().collect::<Vec<_>>()[..] else { return None };
            let named = matches!(*c.func, Expr::Path(_));
            (named && is_item(first, key) && !mentions(second, key)).then(|| vec![second])
        }
        Expr::If(i) => branches(i, key, |e| combined(e, key)),
        _ => None,
    }
}

fn read_builtin<'a>(e: &'a Expr, key: &str, op: ReduceOp) -> Form<'a> {
    match e {
        Expr::Assign(a) => assigned(strip(&a.right), key, op),
        Expr::Binary(b) => match (op, &b.op) {
            (ReduceOp::Add, BinOp::AddAssign(_) | BinOp::SubAssign(_))
            | (ReduceOp::Mul, BinOp::MulAssign(_))
            | (ReduceOp::BitAnd | ReduceOp::And, BinOp::BitAndAssign(_))
            | (ReduceOp::BitOr | ReduceOp::Or, BinOp::BitOrAssign(_))
            | (ReduceOp::BitXor, BinOp::BitXorAssign(_)) => Form::Update(vec![&b.right]),
            (_, other) => otherwise(format!("`{}`", other.to_token_stream())),
        },
        _ => match Guarded::of(e).and_then(|guarded| guarded.compared(key)) {
            Some((direction, operands)) if direction == op => Form::Update(operands),
            Some((direction, _)) => otherwise(format!("`{}`", symbol(direction))),
            None => Form::Store,
        },
    }
}

/// Whether an operator assigns.
pub fn is_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// Without parentheses.
pub fn strip(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => strip(&p.expr),
        Expr::Group(g) => strip(&g.expr),
        _ => e,
    }
}

fn is_item(e: &Expr, key: &str) -> bool {
    text(e).as_deref() == Some(key)
}

/// Whether the item stands anywhere in an expression.
pub fn mentions(e: &Expr, key: &str) -> bool {
    struct Find<'k>(&'k str, bool);
    impl<'ast> syn::visit::Visit<'ast> for Find<'_> {
        fn visit_expr(&mut self, e: &'ast Expr) {
            self.1 |= is_item(e, self.0);
            syn::visit::visit_expr(self, e);
        }
    }
    let mut find = Find(key, false);
    syn::visit::Visit::visit_expr(&mut find, e);
    find.1
}

/// The right side of `key = …`.
fn assigned<'a>(right: &'a Expr, key: &str, op: ReduceOp) -> Form<'a> {
    if let Expr::Lit(l) = right
        && let Lit::Bool(b) = &l.lit
        && ((op == ReduceOp::Or && b.value) || (op == ReduceOp::And && !b.value))
    {
        return Form::Update(vec![]);
    }
    match updated(right, key, op) {
        Some(_) if shortens(right, op) => otherwise(format!(
            "`{}` with an operand that changes something, but is not always evaluated",
            symbol(op)
        )),
        Some(operands) => Form::Update(operands),
        None if !mentions(right, key) => Form::Store,
        None => {
            let other = OPERATORS.iter().find(|o| **o != op && updated(right, key, **o).is_some());
            otherwise(match other {
                Some(o) => format!("`{}`", symbol(*o)),
                None => format!("`{key} = {}`", as_written(right)),
            })
        }
    }
}

/// Whether a chain of `&&` or `||` has an operand that does something. Whether it is evaluated depends on the item, of
/// which each thread has its own.
fn shortens(right: &Expr, op: ReduceOp) -> bool {
    matches!(op, ReduceOp::And | ReduceOp::Or) && effects::of(right, None, &|_| false).is_some()
}

/// What a value that updates the item reads besides it.
fn updated<'a>(right: &'a Expr, key: &str, op: ReduceOp) -> Option<Vec<&'a Expr>> {
    match right {
        Expr::Binary(_) => chain(right, key, op),
        Expr::MethodCall(_) | Expr::Call(_) => called(right, key, op),
        Expr::If(i) => selected(right, key, op).or_else(|| branches(i, key, |e| updated(e, key, op))),
        Expr::Match(_) => selected(right, key, op),
        _ => None,
    }
}

/// `if c { key ⊕ a } else { key }`: each branch updates the item, or leaves it, and one does.
fn branches<'a>(
    i: &'a ExprIf,
    key: &str,
    update: impl Fn(&'a Expr) -> Option<Vec<&'a Expr>>,
) -> Option<Vec<&'a Expr>> {
    let then = strip(only_statement(&i.then_branch)?);
    let els = match &*i.else_branch.as_ref()?.1 {
        Expr::Block(b) => strip(only_statement(&b.block)?),
        other => other,
    };
    let branch = |e| if is_item(e, key) { Some(Vec::new()) } else { update(e) };
    let (then, els) = (branch(then)?, branch(els)?);
    (!then.is_empty() || !els.is_empty()).then(|| [vec![&*i.cond], then, els].concat())
}

/// `a ⊕ key ⊕ b`: the other operands, if the item stands in the chain once and positive.
fn chain<'a>(e: &'a Expr, key: &str, op: ReduceOp) -> Option<Vec<&'a Expr>> {
    let mut terms = Vec::new();
    flatten(e, op, true, &mut terms);
    let (own, rest): (Vec<_>, Vec<_>) = terms.into_iter().partition(|(term, _)| is_item(term, key));
    let rest: Vec<&Expr> = rest.into_iter().map(|(term, _)| term).collect();
    (matches!(own[..], [(_, true)]) && !rest.is_empty()).then_some(rest)
}

/// The operands of a chain of one operator, with their signs.
fn flatten<'a>(e: &'a Expr, op: ReduceOp, positive: bool, out: &mut Vec<(&'a Expr, bool)>) {
    if let Expr::Binary(b) = strip(e) {
        let same = matches!(
            (op, &b.op),
            (ReduceOp::Add, BinOp::Add(_))
                | (ReduceOp::Mul, BinOp::Mul(_))
                | (ReduceOp::BitAnd, BinOp::BitAnd(_))
                | (ReduceOp::BitOr, BinOp::BitOr(_))
                | (ReduceOp::BitXor, BinOp::BitXor(_))
                | (ReduceOp::And, BinOp::And(_) | BinOp::BitAnd(_))
                | (ReduceOp::Or, BinOp::Or(_) | BinOp::BitOr(_))
        );
        let minus = op == ReduceOp::Add && matches!(b.op, BinOp::Sub(_));
        if same || minus {
            flatten(&b.left, op, positive, out);
            flatten(&b.right, op, positive != minus, out);
            return;
        }
    }
    out.push((strip(e), positive));
}

/// Whether a call is one of the same name.
fn same(e: &Expr, name: &str) -> bool {
    match strip(e) {
        Expr::MethodCall(m) => m.method == name,
        Expr::Call(c) => match &*c.func {
            Expr::Path(p) => p.path.segments.last().is_some_and(|s| s.ident == name),
            _ => false,
        },
        _ => false,
    }
}

const PRIMITIVES: [&str; 13] =
    ["f32", "f64", "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "bool"];

/// Whether a path names a function of the primitives or of `Ord`: `f64::max`, `std::cmp::max`. Others are the user's.
fn of_primitive(p: &syn::ExprPath) -> bool {
    let names: Vec<String> = p.path.segments.iter().map(|s| s.ident.to_string()).collect();
    let std = |name: &str| matches!(name, "std" | "core");
    p.qself.is_none()
        && match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [.., of, _] if of == "Ord" || PRIMITIVES.contains(&of) => true,
            [first, "cmp", _] => std(first),
            _ => false,
        }
}

/// `key.max(e)`, `e.max(key)`, `f64::max(key, e)`, `key.wrapping_add(e)`, `a.mul_add(b, key)`.
fn called<'a>(e: &'a Expr, key: &str, op: ReduceOp) -> Option<Vec<&'a Expr>> {
    let (name, args): (String, Vec<&Expr>) = match e {
        Expr::MethodCall(m) => (m.method.to_string(), std::iter::once(&*m.receiver).chain(&m.args).collect()),
        Expr::Call(c) => match &*c.func {
            Expr::Path(p) if of_primitive(p) => {
                (p.path.segments.last()?.ident.to_string(), c.args.iter().collect())
            }
            _ => return None,
        },
        _ => return None,
    };
    let either = |args: &[&'a Expr]| {
        let [a, b] = *args else { return None };
        // The item may be further in: `key.max(a).max(b)`.
        let within = |e: &'a Expr, other: &'a Expr| {
            let mut operands = if is_item(e, key) {
                Vec::new()
            } else {
                called(strip(e), key, op).filter(|_| same(e, &name))?
            };
            operands.push(other);
            Some(operands)
        };
        within(a, b).or_else(|| within(b, a))
    };
    match (op, name.as_str()) {
        (ReduceOp::Max, "max")
        | (ReduceOp::Min, "min")
        | (ReduceOp::Add, "wrapping_add")
        | (ReduceOp::Mul, "wrapping_mul") => either(&args),
        (ReduceOp::Add, "wrapping_sub") if is_item(args.first()?, key) => Some(args[1..].to_vec()),
        (ReduceOp::Add, "mul_add") if args.len() == 3 && is_item(args[2], key) => Some(args[..2].to_vec()),
        _ => None,
    }
}

fn only_statement(block: &Block) -> Option<&Expr> {
    match block.stmts.as_slice() {
        [Stmt::Expr(e, _)] => Some(e),
        _ => None,
    }
}
