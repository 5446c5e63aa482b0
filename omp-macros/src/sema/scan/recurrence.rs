//! The recurrences of a loop: elements that depend on the element of the iteration before. [`omp_ir::flow::dependence`]
//! decides which element a subscript names. The pairs of places come from syntax, as the scan rewrites the statements that they stand in.
use crate::ast::{LoopHead, RangeAdaptor, ReductionClause};
use crate::diag::{Code, Sink};
use crate::lower::region::draft::LazyDraft;
use crate::parse::tokens::source::as_written;
use crate::sema::reduction::updates;
use crate::sema::syntax::forms;
use crate::sema::syntax::names::bound_in;
use crate::sema::syntax::place;
use crate::sema::syntax::search;
use omp_ir::flow::dependence::Relation;
use syn::visit_mut::VisitMut;
use syn::{BinOp, Block, Expr, Stmt};

/// The loop of a head: by how much its variable changes from one iteration to the next.
pub(super) struct Axis<'d> {
    step: i128,
    /// Its number among the loops of the draft.
    number: usize,
    /// The loops around the statements, lowered.
    draft: &'d LazyDraft<'d>,
}

/// By how much the variable of a head changes from one iteration to the next, if it has one and that is a number.
pub(super) fn step(head: &LoopHead, body: &Block) -> Option<i128> {
    let mut step = 1;
    for adaptor in &head.adaptors {
        match adaptor {
            RangeAdaptor::Rev => step = -step,
            RangeAdaptor::StepBy(Expr::Lit(l)) => {
                let syn::Lit::Int(n) = &l.lit else { return None };
                step *= n.base10_parse::<i128>().ok()?;
            }
            RangeAdaptor::StepBy(_) => return None,
        }
    }
    // A variable of the body's with the same name is another.
    let var = head.var.as_ref()?.to_string();
    (!bound_in(body).contains(&var)).then_some(step)
}

impl<'d> Axis<'d> {
    pub(super) fn of(head: &LoopHead, body: &Block, number: usize, draft: &'d LazyDraft<'d>) -> Option<Self> {
        Some(Self { step: step(head, body)?, number, draft })
    }

    /// How a place that is read relates to one that is written, both as they stand in the draft.
    pub(super) fn relation(&self, written: &Expr, read: &Expr) -> Relation {
        self.draft.relation((self.number, self.step), written, read)
    }

    /// The statement of this number, as it stands in the draft.
    pub(super) fn drafted(&self, n: usize) -> &Stmt {
        &self.draft.region.body.stmts[n]
    }
}

/// The places of an array in an expression.
fn places<'a>(e: &'a Expr, key: &str) -> Vec<&'a Expr> {
    let mut found = Vec::new();
    search::walk(e, |e| {
        let is = place::of(e).is_some_and(|p| p.key == key && !p.subscripts.is_empty());
        found.extend(is.then_some(e));
        !is
    });
    found
}

/// A recurrence of array elements.
pub(super) struct Carried<'a> {
    /// `y[i]`
    pub(super) left: &'a Expr,
    /// `y[i - 1]`
    pub(super) before: &'a Expr,
    /// The update as of a carried value: `y[i - 1] = y[i - 1] ⊕ e`.
    pub(super) update: Expr,
    /// Another element of the array that it reads.
    pub(super) other: Option<&'a Expr>,
}

/// The element that a statement assigns, and the elements of the same array that the new value is made of.
fn elements(e: &Expr) -> Option<(&Expr, Vec<&Expr>)> {
    let left = updates::assigned(e)?;
    let right = match e {
        Expr::Assign(a) => &a.right,
        Expr::Binary(b) => &b.right,
        _ => return None,
    };
    let key = place::of(left).filter(|p| !p.subscripts.is_empty())?.key;
    Some((left, places(right, &key)))
}

/// The same for the statement of this number, with the relation of each read element to the assigned one.
pub(super) fn related<'a>(
    n: usize,
    stmt: &'a Stmt,
    axis: &Axis<'_>,
) -> Option<(&'a Expr, Vec<(&'a Expr, Relation)>)> {
    let (left, read) = elements(expression(stmt)?)?;
    if read.is_empty() {
        return Some((left, Vec::new()));
    }
    let (written, found) = elements(expression(axis.drafted(n))?)?;
    let relations = found.into_iter().map(|place| axis.relation(written, place));
    Some((left, read.into_iter().zip(relations).collect()))
}

/// The help for a recurrence that is not by the operator of its scan.
pub(super) fn another_step(how: &str) -> &'static str {
    if how.contains(" = ") {
        "a scan takes the value before and one of the iteration together by one operator; steps of another form, such as `a * y[i - 1] + b`, are values of a type of yours that a declared reduction composes"
    } else {
        "name the operator of the recurrence in the directive"
    }
}

/// The recurrence of the statement of this number, if it assigns an element and reads the array before that.
pub(super) fn recurrence<'a>(n: usize, stmt: &'a Stmt, axis: &Axis<'_>) -> Option<Carried<'a>> {
    let (left, read) = related(n, stmt, axis)?;
    let first = |relation| read.iter().find(|(_, r)| *r == relation).map(|(place, _)| *place);
    let before = first(Relation::Before)?;
    let update = match expression(stmt)? {
        Expr::Assign(a) => Expr::Assign(syn::ExprAssign { left: Box::new(before.clone()), ..a.clone() }),
        // `y[i] ⊕= y[i - 1]`: the carried value is the right operand.
        Expr::Binary(b) if updates::text(forms::strip(&b.right)) == updates::text(before) => {
            let turns = |op: &BinOp| {
                use BinOp::{Add, BitAnd, BitOr, BitXor, Mul};
                matches!(op, Add(_) | Mul(_) | BitAnd(_) | BitOr(_) | BitXor(_))
            };
            let op = updates::plain_operator(&b.op).filter(turns)?;
            syn::parse_quote!(#before = #left #op #before)
        }
        _ => return None,
    };
    Some(Carried { left, before, update, other: first(Relation::Unknown) })
}

/// The forms that are understood, for messages.
pub(super) fn forms(op: &str) -> String {
    let by = |a: &str, b: &str| match op {
        "max" | "min" => format!("{a}.{op}({b})"),
        _ if op.starts_with(|c: char| c.is_alphabetic()) => format!("{op}({a}, {b})"),
        _ => format!("{a} {op} {b}"),
    };
    format!(
        "a scan by `{op}` is `y[i] = {}`, `y[i] = {}`, or `s = {}` with `y[i] = s` before or after it",
        by("y[i - 1]", "x[i]"),
        by("y[i - 1]", "y[i]"),
        by("s", "x[i]")
    )
}

/// The clause that a recurrence of `key` belongs to.
pub(super) fn clause_of<'a>(clauses: &'a [ReductionClause], key: &str) -> Option<&'a ReductionClause> {
    let named = clauses.iter().find(|c| c.items.iter().any(|i| place::item_key(i) == key));
    named.or_else(|| clauses.iter().find(|c| c.items.is_empty()))
}

/// The statements of a body as expressions.
pub(super) fn expression(stmt: &Stmt) -> Option<&Expr> {
    match stmt {
        Stmt::Expr(e, _) => Some(e),
        _ => None,
    }
}

/// Replaces a place by a name.
pub(super) struct Replace<'a> {
    pub(super) text: String,
    pub(super) by: &'a Expr,
}

impl VisitMut for Replace<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if updates::text(e).is_some_and(|t| t == self.text) {
            *e = self.by.clone();
            return;
        }
        syn::visit_mut::visit_expr_mut(self, e);
    }
}

/// The assigned places.
pub(super) fn targets(code: &(impl search::Code + ?Sized)) -> Vec<&Expr> {
    let mut found = Vec::new();
    search::each(code, |e| found.extend(updates::target(e)));
    found
}

/// Whether a statement reads a variable but to update it.
pub(super) fn is_read(stmt: &Stmt, key: &str) -> bool {
    let mut reads = false;
    search::walk(stmt, |e| match place::of(e) {
        _ if updates::target(e).and_then(updates::text).is_some_and(|t| t == key) => false,
        Some(p) if p.subscripts.is_empty() => {
            reads |= p.key == key;
            false
        }
        _ => true,
    });
    reads
}

/// Whether a statement updates a variable.
pub(super) fn is_updated(stmt: &Stmt, key: &str) -> bool {
    targets(stmt).into_iter().filter_map(updates::text).any(|text| text == key)
}

pub(super) fn unknown_distance(left: &Expr, other: &Expr, op: &str, sink: &mut Sink) {
    let (left, found) = (as_written(left), as_written(other));
    sink.error_at(
        Code::ScanPattern,
        other,
        format!("scan pattern not found: `{left}` depends on `{found}`, which is not the element of the iteration before"),
    )
    .note(None, forms(if op == "this operator" { "+" } else { op }))
    .help("a scan carries one value from each iteration to the next; other loop-carried dependences need a loop that is not parallel");
}
