//! The recurrences of a loop: elements that depend on the element of the iteration before, found by the forms of their
//! subscripts.
use crate::ast::{LoopHead, RangeAdaptor, ReductionClause};
use crate::diag::{Code, Sink};
use crate::parse::tokens::leaves::mentions;
use crate::parse::tokens::source::{as_written, squeezed};
use crate::sema::reduction::updates;
use crate::sema::syntax::place;
use crate::sema::syntax::uses;
use quote::ToTokens;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Stmt};

/// A sum of products of names, by the names' text.
pub(super) type Index = BTreeMap<Vec<String>, i128>;

/// The loop of a head: its variable and by how much it changes from one iteration to the next.
pub(super) struct Axis {
    pub(super) var: String,
    pub(super) step: i128,
    pub(super) names: Names,
}

/// The names that a body binds, and what those stand for that only shorten a subscript: `let at = r * w + c;`.
pub(super) struct Names {
    bound: BTreeSet<String>,
    meant: BTreeMap<String, Expr>,
    /// What of captured variables iterations assign: it may be another in each.
    assigned: Vec<String>,
}

impl Names {
    pub(super) fn of(body: &Block) -> Self {
        let mut names = Self { bound: bound_names(body), meant: BTreeMap::new(), assigned: assigned(body) };
        let once = |name: &syn::Ident| bindings(body, name) == 1;
        for (n, stmt) in body.stmts.iter().enumerate() {
            // Before it is bound, the name is another variable's.
            let earlier = |name: &syn::Ident| {
                body.stmts[..n].iter().any(|s| mentions(s.to_token_stream(), &name.to_string()))
            };
            if let Stmt::Local(l) = stmt
                && let (syn::Pat::Ident(p), Some(init)) = (&l.pat, &l.init)
                && p.mutability.is_none()
                && p.by_ref.is_none()
                && init.diverge.is_none()
                && once(&p.ident)
                && !earlier(&p.ident)
                && is_sum(&init.expr)
                && let Some(meant) = names.expand(&init.expr)
            {
                names.meant.insert(p.ident.to_string(), syn::parse_quote!((#meant)));
            }
        }
        names
    }

    /// A value without names of the body's, nor of what it assigns, if there is one.
    pub(super) fn expand(&self, e: &Expr) -> Option<Expr> {
        self.expanded(e, false)
    }

    /// A place that may be assigned itself, with such subscripts.
    pub(super) fn expand_place(&self, e: &Expr) -> Option<Expr> {
        self.expanded(e, true)
    }

    fn expanded(&self, e: &Expr, base: bool) -> Option<Expr> {
        struct Expand<'a> {
            names: &'a Names,
            invariant: bool,
            /// On the way to the variable that the place is a part of.
            base: bool,
        }
        impl VisitMut for Expand<'_> {
            fn visit_expr_mut(&mut self, e: &mut Expr) {
                if !self.base && !self.names.is_steady(e) {
                    self.invariant = false;
                }
                match &mut *e {
                    Expr::Path(p) => {
                        let Some(name) = p.path.get_ident().map(ToString::to_string) else { return };
                        match self.names.meant.get(&name) {
                            Some(meant) => *e = meant.clone(),
                            None => self.invariant &= !self.names.bound.contains(&name),
                        }
                    }
                    Expr::Index(x) => {
                        self.visit_expr_mut(&mut x.expr);
                        let base = std::mem::replace(&mut self.base, false);
                        self.visit_expr_mut(&mut x.index);
                        self.base = base;
                    }
                    _ => syn::visit_mut::visit_expr_mut(self, e),
                }
            }
        }
        let (mut expanded, mut expand) = (e.clone(), Expand { names: self, invariant: true, base });
        expand.visit_expr_mut(&mut expanded);
        expand.invariant.then_some(expanded)
    }

    /// Whether an expression is no place of which iterations assign something.
    fn is_steady(&self, e: &Expr) -> bool {
        let touched =
            |key: &str| self.assigned.iter().any(|own| place::covers(own, key) || place::covers(key, own));
        place::of(e).is_none_or(|p| !touched(&p.key))
    }

    /// Whether all iterations see the same value of an expression.
    pub(super) fn is_fixed(&self, e: &Expr) -> bool {
        self.expand(e).is_some()
    }
}

/// The captured variables, or parts of them, that a body assigns.
fn assigned(body: &Block) -> Vec<String> {
    struct All(Vec<String>);
    impl<'ast> Visit<'ast> for All {
        fn visit_path(&mut self, p: &'ast syn::Path) {
            self.0.extend(p.get_ident().map(ToString::to_string));
        }
    }
    let mut all = All(Vec::new());
    all.visit_block(body);
    uses::of_block(body, all.0).into_iter().filter(uses::Use::writes).map(|u| u.key).collect()
}

/// How often a body binds a name.
fn bindings(body: &Block, name: &syn::Ident) -> usize {
    struct Count<'a>(&'a syn::Ident, usize);
    impl<'ast> Visit<'ast> for Count<'_> {
        fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
            self.1 += usize::from(p.ident == *self.0);
            syn::visit::visit_pat_ident(self, p);
        }
    }
    let mut count = Count(name, 0);
    count.visit_block(body);
    count.1
}

/// Sums, products and casts of names and numbers.
fn is_sum(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_sum(&p.expr),
        Expr::Group(g) => is_sum(&g.expr),
        Expr::Cast(c) => is_sum(&c.expr),
        Expr::Binary(b) => {
            matches!(b.op, syn::BinOp::Add(_) | syn::BinOp::Sub(_) | syn::BinOp::Mul(_))
                && is_sum(&b.left)
                && is_sum(&b.right)
        }
        Expr::Path(p) => p.path.get_ident().is_some(),
        Expr::Lit(l) => matches!(l.lit, syn::Lit::Int(_)),
        _ => false,
    }
}

impl Axis {
    pub(super) fn of(head: &LoopHead, body: &Block) -> Option<Self> {
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
        let (var, names) = (head.var.as_ref()?.to_string(), Names::of(body));
        // A variable of the body's with the same name is another.
        (!names.bound.contains(&var)).then_some(Self { var, step, names })
    }
}

/// What a place on the left of an assignment is to a place on the right.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// The same element.
    Own,
    /// That of the iteration before.
    Before,
    /// Another field.
    Apart,
    /// Something else.
    Other,
}

/// How `read` relates to `written` along an axis.
pub(super) fn relation(written: &Expr, read: &Expr, axis: &Axis) -> Relation {
    let (Some(written), Some(read)) = (axis.names.expand_place(written), axis.names.expand_place(read))
    else {
        return Relation::Other;
    };
    let (written, read) = (&written, &read);
    let (Some(w), Some(r)) = (place::of(written), place::of(read)) else { return Relation::Other };
    let casts = Casts::of(&w, &r, axis);
    let forms = |e: &[&Expr], shift: i128| {
        e.iter().map(|s| index_in(s, &axis.var, shift, casts)).collect::<Option<Vec<_>>>()
    };
    let (Some(own), Some(before), Some(found)) =
        (forms(&w.subscripts, 0), forms(&w.subscripts, -axis.step), forms(&r.subscripts, 0))
    else {
        return Relation::Other;
    };
    let (written, read) = (shape(written), shape(read));
    if w.key != r.key {
        Relation::Other
    } else if !part(&written, &read) && !part(&read, &written) {
        Relation::Apart
    } else if found == own {
        Relation::Own
    } else if found == before && written == read {
        Relation::Before
    } else {
        Relation::Other
    }
}

/// Whether a shape is another, or of a part of it.
fn part(whole: &str, part: &str) -> bool {
    part.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// A place without what stands in its subscripts.
pub(super) fn shape(e: &Expr) -> String {
    match e {
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => shape(&u.expr),
        Expr::Paren(p) => shape(&p.expr),
        Expr::Group(g) => shape(&g.expr),
        Expr::Index(i) => format!("{}[]", shape(&i.expr)),
        Expr::Field(f) => format!("{}.{}", shape(&f.base), f.member.to_token_stream()),
        other => other.to_token_stream().to_string(),
    }
}

/// What `as usize` around a form is: sums in another type may wrap where those of `usize` don't.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Casts {
    /// The form within.
    Seen,
    /// A value of its own: the same sum in the same type is the same, wrapped or not.
    Opaque,
}

impl Casts {
    /// `i as usize` and what it was the iteration before, `(i - 1) as usize` or `i as usize - 1`, are numbers that don't
    /// wrap, but in the first iteration, of which the element is read as it is written.
    fn of(written: &place::Place<'_>, read: &place::Place<'_>, axis: &Axis) -> Self {
        let own = written.subscripts.iter().all(|s| cast_offsets(s, &axis.var, &[0]));
        let found = read.subscripts.iter().all(|s| cast_offsets(s, &axis.var, &[0, -axis.step]));
        if own && found { Self::Seen } else { Self::Opaque }
    }
}

/// Whether all casts in a subscript are of the variable and one of these numbers.
fn cast_offsets(e: &Expr, var: &str, offsets: &[i128]) -> bool {
    struct Find<'a>(&'a str, &'a [i128], bool);
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_expr_cast(&mut self, c: &'ast syn::ExprCast) {
            let own = vec![self.0.to_owned()];
            let form = index(&c.expr, self.0, 0).unwrap_or_default();
            let fixed = form.get(&vec![]).copied().unwrap_or(0);
            let alone = form.get(&own) == Some(&1) && form.keys().all(|k| *k == own || k.is_empty());
            // A cast of what does not depend on the variable is a number.
            self.2 &= (alone && self.1.contains(&fixed)) || atom(&c.expr, self.0).is_some();
        }
    }
    let mut find = Find(var, offsets, true);
    find.visit_expr(e);
    find.2
}

/// A subscript with `shift` added to the variable.
pub(super) fn index(e: &Expr, var: &str, shift: i128) -> Option<Index> {
    index_in(e, var, shift, Casts::Opaque)
}

fn index_in(e: &Expr, var: &str, shift: i128, casts: Casts) -> Option<Index> {
    let index = |e: &Expr, var: &str, shift: i128| index_in(e, var, shift, casts);
    let constant = |n: i128| Index::from([(vec![], n)]);
    let combined = |a: Index, b: Index, sign: i128| {
        let mut sum = a;
        for (names, n) in b {
            *sum.entry(names).or_insert(0) += sign * n;
        }
        sum.retain(|_, n| *n != 0);
        sum
    };
    Some(match e {
        Expr::Paren(p) => index(&p.expr, var, shift)?,
        Expr::Group(g) => index(&g.expr, var, shift)?,
        Expr::Lit(l) => match &l.lit {
            syn::Lit::Int(n) => {
                let mut c = constant(n.base10_parse().ok()?);
                c.retain(|_, n| *n != 0);
                c
            }
            _ => return None,
        },
        Expr::Binary(b) => {
            let (x, y) = (index(&b.left, var, shift), index(&b.right, var, shift));
            match b.op {
                syn::BinOp::Add(_) => combined(x?, y?, 1),
                syn::BinOp::Sub(_) => combined(x?, y?, -1),
                syn::BinOp::Mul(_) => {
                    let (x, y) = (x?, y?);
                    let mut product = Index::new();
                    for (a, m) in &x {
                        for (b, n) in &y {
                            let mut names = [a.clone(), b.clone()].concat();
                            names.sort();
                            *product.entry(names).or_insert(0) += m * n;
                        }
                    }
                    product.retain(|_, n| *n != 0);
                    product
                }
                _ => atom(e, var)?,
            }
        }
        Expr::Path(p) if p.path.is_ident(var) => {
            combined(Index::from([(vec![var.to_owned()], 1)]), constant(shift), 1)
        }
        Expr::Cast(c) if c.ty.to_token_stream().to_string() == "usize" && atom(e, var).is_none() => {
            let within = index(&c.expr, var, shift)?;
            match casts {
                Casts::Seen => within,
                Casts::Opaque => Index::from([(vec![format!("{within:?} as usize")], 1)]),
            }
        }
        _ => atom(e, var)?,
    })
}

/// Something that does not depend on the variable, by its text.
pub(super) fn atom(e: &Expr, var: &str) -> Option<Index> {
    struct Names<'a>(&'a str, bool);
    impl<'ast> Visit<'ast> for Names<'_> {
        fn visit_path(&mut self, p: &'ast syn::Path) {
            self.1 |= p.is_ident(self.0);
        }
    }
    let mut names = Names(var, false);
    names.visit_expr(e);
    (!names.1).then(|| Index::from([(vec![squeezed(e)], 1)]))
}

/// The places of an array in an expression.
pub(super) fn places<'a>(e: &'a Expr, key: &str) -> Vec<&'a Expr> {
    struct Find<'a, 'k>(&'k str, Vec<&'a Expr>);
    impl<'ast> Visit<'ast> for Find<'ast, '_> {
        fn visit_expr(&mut self, e: &'ast Expr) {
            if place::of(e).is_some_and(|p| p.key == self.0 && !p.subscripts.is_empty()) {
                self.1.push(e);
                return;
            }
            syn::visit::visit_expr(self, e);
        }
    }
    let mut find = Find(key, Vec::new());
    find.visit_expr(e);
    find.1
}

/// A recurrence of array elements.
pub(super) struct Carried<'a> {
    /// `y[i]`
    pub(super) left: &'a Expr,
    /// `y[i - 1]`
    pub(super) before: &'a Expr,
    /// The update as of a carried value: `y[i - 1] = y[i - 1] ⊕ e`.
    pub(super) update: Expr,
}

/// What to do about a recurrence that is not by the operator of its scan.
pub(super) fn another_step(how: &str) -> &'static str {
    if how.contains(" = ") {
        "a scan takes the value before and one of the iteration together by one operator; steps of another form, such as `a * y[i - 1] + b`, are values of a type of yours that a declared reduction composes"
    } else {
        "name the operator of the recurrence in the directive"
    }
}

/// The recurrence of a statement, if it assigns an element and reads the array before that.
pub(super) fn recurrence<'a>(e: &'a Expr, axis: &Axis) -> Option<Carried<'a>> {
    let (left, update) = match e {
        Expr::Assign(a) => (&*a.left, None),
        Expr::Binary(b) if updates::is_assignment(&b.op) => (&*b.left, Some(b)),
        _ => return None,
    };
    let key = place::of(left).filter(|p| !p.subscripts.is_empty())?.key;
    let right = match e {
        Expr::Assign(a) => &a.right,
        Expr::Binary(b) => &b.right,
        _ => return None,
    };
    let before = places(right, &key).into_iter().find(|p| relation(left, p, axis) == Relation::Before)?;
    let update = match update {
        None => {
            let Expr::Assign(a) = e else { return None };
            Expr::Assign(syn::ExprAssign { left: Box::new(before.clone()), ..a.clone() })
        }
        // `y[i] ⊕= y[i - 1]`: the carried value is the right operand.
        Some(b) if updates::text(updates::strip(right)) == updates::text(before) => {
            let op = plain_operator(&b.op)?;
            syn::parse_quote!(#before = #left #op #before)
        }
        Some(_) => return None,
    };
    Some(Carried { left, before, update })
}

/// `+` of `+=`.
pub(super) fn plain_operator(op: &syn::BinOp) -> Option<syn::BinOp> {
    Some(match op {
        syn::BinOp::AddAssign(_) => syn::parse_quote!(+),
        syn::BinOp::MulAssign(_) => syn::parse_quote!(*),
        syn::BinOp::BitAndAssign(_) => syn::parse_quote!(&),
        syn::BinOp::BitOrAssign(_) => syn::parse_quote!(|),
        syn::BinOp::BitXorAssign(_) => syn::parse_quote!(^),
        _ => return None,
    })
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

/// What is assigned.
pub(super) struct Targets(pub(super) Vec<Expr>);

impl<'ast> Visit<'ast> for Targets {
    fn visit_expr(&mut self, e: &'ast Expr) {
        if let Some(target) = updates::target(e) {
            self.0.push(target.clone());
        }
        syn::visit::visit_expr(self, e);
    }
}

/// Whether a statement reads a variable but to update it.
pub(super) fn is_read(stmt: &Stmt, key: &str) -> bool {
    struct Reads<'k>(&'k str, bool);
    impl<'ast> Visit<'ast> for Reads<'_> {
        fn visit_expr(&mut self, e: &'ast Expr) {
            let updates = updates::target(e).and_then(updates::text).is_some_and(|t| t == self.0);
            match place::of(e) {
                _ if updates => {}
                Some(p) if p.subscripts.is_empty() => self.1 |= p.key == self.0,
                _ => syn::visit::visit_expr(self, e),
            }
        }
    }
    let mut reads = Reads(key, false);
    reads.visit_stmt(stmt);
    reads.1
}

/// Whether a statement updates a variable.
pub(super) fn is_updated(stmt: &Stmt, key: &str) -> bool {
    let mut targets = Targets(Vec::new());
    targets.visit_stmt(stmt);
    targets.0.iter().filter_map(updates::text).any(|text| text == key)
}

/// The names that a body binds.
pub(super) fn bound_names(block: &Block) -> BTreeSet<String> {
    struct Names(BTreeSet<String>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
            self.0.insert(p.ident.to_string());
        }
    }
    let mut names = Names(BTreeSet::new());
    names.visit_block(block);
    names.0
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
