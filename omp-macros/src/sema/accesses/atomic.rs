//! `#[omp::atomic]`: the statements that it may be on, and the one form that later phases see.
//!
//! In a region's body an atomic access is a marked block with a value (`let __omp_old` binds the value before):
//!
//! ```text
//! #[__omp_atomic(read)] { PLACE }
//! #[__omp_atomic(before)] { let __omp_e0 = OPERAND; let __omp_old = PLACE; let __omp_new = NEW; }
//! ```
//!
//! The second stores `NEW`, an expression of `__omp_old` and the operands, and its value is that of the place `before`
//! or `after` (`alone`: it is not used); a write is one whose `NEW` does not name `__omp_old`. Operands are evaluated once, as in Rust before
//! the place. All of this file looks at syntax: lowering reads the form that it makes. `v = x; x += e` becomes `v = #[__omp_atomic(before)] { … };`. The serial copy keeps the user's statement.
use crate::diag::{Code, Sink};
use crate::parse::tokens::source::as_written;
use crate::sema::reduction::updates;
use crate::sema::reduction::updates::{assigned, plain_operator, text};
use crate::sema::syntax::forms::{dereferenced, strip};
use crate::sema::syntax::names::Names;
use crate::sema::syntax::place::Place;
use crate::sema::syntax::{effects, place, uses};
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, BinOp, Block, Expr, Local, Stmt, parse_quote_spanned};

/// The attribute of the marked block.
const MARK: &str = "__omp_atomic";

/// The form that the directive requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Update,
    Read,
    Write,
    Capture,
    Compare,
    CaptureCompare,
}

/// A marked block, taken apart.
pub enum Access<'a> {
    /// `PLACE`
    Read(&'a Expr),
    /// An update or write.
    Change(Change<'a>),
}

/// An update or write.
pub struct Change<'a> {
    /// The value is wanted.
    pub captured: bool,
    /// `let __omp_eN = …;`
    pub operands: &'a [Stmt],
    /// The changed place.
    pub place: &'a Expr,
    /// The new value.
    pub new: &'a Expr,
}

/// As [`Access`], with mutable parts.
pub enum AccessMut<'a> {
    /// As [`Access::Read`].
    Read(&'a mut Expr),
    /// As [`Access::Change`]: after, operands, place, new value.
    Change(bool, &'a mut [Stmt], &'a mut Expr, &'a mut Expr),
}

/// The marked block that an expression is.
pub fn of(e: &Expr) -> Option<Access<'_>> {
    let Expr::Block(b) = e else { return None };
    let mark = b.attrs.iter().find(|a| a.path().is_ident(MARK))?;
    Some(match &b.block.stmts[..] {
        [Stmt::Expr(place, None)] => Access::Read(place),
        [operands @ .., Stmt::Local(old), Stmt::Local(new)] => Access::Change(Change {
            captured: word_of(mark) != "alone",
            operands,
            place: &old.init.as_ref()?.expr,
            new: &new.init.as_ref()?.expr,
        }),
        _ => return None,
    })
}

/// As [`of`], with mutable parts.
pub fn of_mut(e: &mut Expr) -> Option<AccessMut<'_>> {
    let Expr::Block(b) = e else { return None };
    let after = word_of(b.attrs.iter().find(|a| a.path().is_ident(MARK))?) == "after";
    Some(match &mut b.block.stmts[..] {
        [Stmt::Expr(place, None)] => AccessMut::Read(place),
        [operands @ .., Stmt::Local(old), Stmt::Local(new)] => {
            AccessMut::Change(after, operands, &mut old.init.as_mut()?.expr, &mut new.init.as_mut()?.expr)
        }
        _ => return None,
    })
}

fn word_of(mark: &Attribute) -> String {
    mark.parse_args::<Ident>().map(|word| word.to_string()).unwrap_or_default()
}

/// The name of the value before.
pub fn old_name() -> Ident {
    hidden("__omp_old", Span::call_site())
}

/// The names of the old value in an expression.
pub fn names_old(e: &Expr) -> bool {
    Names::of_expr(e).mentioned.iter().any(|i| *i == "__omp_old")
}

fn hidden(name: &str, span: Span) -> Ident {
    Ident::new(name, Span::mixed_site().located_at(span))
}

/// The message and the help for a statement that does not fit.
struct Wrong {
    message: String,
    help: String,
}

const FORMS: &str = "updates are `x += e`, `x = x op e`, `x = x.max(e)` and similar; a plain store is `#[omp::atomic(write)]`, a conditional one `#[omp::atomic(compare)]`";

/// Puts the one form in place of a statement under the directive; reports one that is none.
pub fn on_statement(attr: &Attribute, e: &mut Expr, sink: &mut Sink) {
    match statement(word(attr), e) {
        Ok(form) => *e = form,
        Err(wrong) => report(attr, wrong, sink),
    }
}

/// The same of `#[omp::atomic(read)] let v = x[i];`.
pub fn on_let(attr: &Attribute, l: &mut Local, sink: &mut Sink) {
    let Some(init) = l.init.as_mut().filter(|i| word(attr) == Word::Read && i.diverge.is_none()) else {
        return report(
            attr,
            Wrong {
                message: "`atomic` on a `let` that reads nothing".into(),
                help: "a `let` may have `#[omp::atomic(read)]`: `let v = x[i];`".into(),
            },
            sink,
        );
    };
    match read(&init.expr) {
        Ok(form) => *init.expr = form,
        Err(wrong) => report(attr, wrong, sink),
    }
}

fn report(attr: &Attribute, wrong: Wrong, sink: &mut Sink) {
    let span = attr.path().segments.last().map_or_else(Span::call_site, |s| s.ident.span());
    sink.error(Code::NotAnUpdate, span, wrong.message).help(wrong.help);
}

fn word(attr: &Attribute) -> Word {
    let syn::Meta::List(list) = &attr.meta else { return Word::Update };
    let text = list.tokens.to_string();
    let has = |word: &str| text.split(',').any(|w| w.trim() == word);
    match () {
        () if has("read") => Word::Read,
        () if has("write") => Word::Write,
        () if has("capture") && has("compare") => Word::CaptureCompare,
        () if has("capture") => Word::Capture,
        () if has("compare") => Word::Compare,
        () => Word::Update,
    }
}

/// The form of a statement.
fn statement(word: Word, e: &Expr) -> Result<Expr, Wrong> {
    let stmts = match e {
        Expr::Block(b) if b.label.is_none() => expressions(&b.block)?,
        other => vec![other],
    };
    match (word, &stmts[..]) {
        (Word::Read, [Expr::Assign(a)]) => {
            let (left, form) = (&a.left, read(&a.right)?);
            Ok(effect(parse_quote_spanned!(e.span()=> #left = #form)))
        }
        (Word::Write, [Expr::Assign(a)]) => Ok(effect(changed(&a.left, &a.right, "alone", e)?)),
        (Word::Update, [one @ (Expr::Assign(_) | Expr::Binary(_))]) => Ok(effect(update(one, "alone")?)),
        (Word::Compare, [one @ (Expr::If(_) | Expr::Assign(_))]) => Ok(effect(compare(one, "alone")?)),
        (Word::Capture | Word::CaptureCompare, [first, second]) => capture(word, first, second, e),
        _ => Err(unfit(word)),
    }
}

/// The statements of a block, if they are all expressions.
fn expressions(b: &Block) -> Result<Vec<&Expr>, Wrong> {
    let mut found = Vec::new();
    for stmt in &b.stmts {
        let Stmt::Expr(e, _) = stmt else {
            return Err(Wrong {
                message: "a statement under `atomic` that accesses nothing".into(),
                help:
                    "declare the variable before, and leave the access alone (with what it captures) in the block"
                        .into(),
            });
        };
        found.push(e);
    }
    Ok(found)
}

fn unfit(word: Word) -> Wrong {
    let (what, help) = match word {
        Word::Read => {
            ("`atomic(read)` on a statement that is not a read", "a read is `v = x[i]` or `let v = x[i];`")
        }
        Word::Write => ("`atomic(write)` on a statement that is not a store", "a store is `x[i] = e`"),
        Word::Update => ("`atomic` on a statement that is not an update", FORMS),
        Word::Compare => (
            "`atomic(compare)` on a statement that is not a conditional store",
            "write `if e > x[i] { x[i] = e }`, with any comparison and no `else`",
        ),
        Word::Capture | Word::CaptureCompare => (
            "`atomic(capture)` on a statement that captures nothing",
            "write a block of two statements: `{ v = x[i]; x[i] += e; }`, or the update first and then the read",
        ),
    };
    Wrong { message: what.into(), help: help.into() }
}

/// A form as a statement, whether or not a semicolon follows.
fn effect(form: Expr) -> Expr {
    parse_quote_spanned!(form.span()=> { #form; })
}

fn read(place: &Expr) -> Result<Expr, Wrong> {
    let place = strip(place);
    if place::of(place).is_none() {
        return Err(unfit(Word::Read));
    }
    let mark = hidden(MARK, place.span());
    Ok(parse_quote_spanned!(place.span()=> #[#mark(read)] { #place }))
}

/// `x op= e` and `x = f(x)`.
fn update(e: &Expr, want: &'static str) -> Result<Expr, Wrong> {
    match e {
        Expr::Assign(a) => {
            if !mentions(&a.right, &a.left) {
                let text = as_written(e);
                return Err(Wrong {
                    message: format!(
                        "`atomic` on a statement that is not an update: `{text}` does not use the old value"
                    ),
                    help: FORMS.into(),
                });
            }
            changed(&a.left, &a.right, want, e)
        }
        Expr::Binary(b) if let Some(op) = plain_operator(&b.op) => {
            let (left, right) = (&b.left, &b.right);
            let right = if is_closed(right) {
                right.to_token_stream()
            } else {
                quote_spanned!(right.span()=> (#right))
            };
            changed(left, &parse_quote_spanned!(e.span()=> #left #op #right), want, e)
        }
        _ => Err(unfit(Word::Update)),
    }
}

/// Needs no parentheses as an operand.
fn is_closed(e: &Expr) -> bool {
    matches!(
        e,
        Expr::Lit(_)
            | Expr::Path(_)
            | Expr::Index(_)
            | Expr::Field(_)
            | Expr::Paren(_)
            | Expr::Call(_)
            | Expr::MethodCall(_)
    )
}

/// `if e > x { x = d }`, and updates that are minima and maxima in another spelling.
fn compare(e: &Expr, want: &'static str) -> Result<Expr, Wrong> {
    let Expr::If(i) = e else { return update(e, want) };
    let assigned = match &i.then_branch.stmts[..] {
        [Stmt::Expr(Expr::Assign(a), _)] if i.else_branch.is_none() => a,
        _ => return Err(unfit(Word::Compare)),
    };
    if !mentions(&i.cond, &assigned.left) {
        return Err(Wrong {
            message: format!(
                "`atomic(compare)` without a comparison: the condition does not name `{}`",
                as_written(&assigned.left)
            ),
            help: "write `if e > x[i] { x[i] = e }`".into(),
        });
    }
    let (cond, place, value) = (&i.cond, &assigned.left, &assigned.right);
    changed(place, &parse_quote_spanned!(e.span()=> if #cond { #value } else { #place }), want, e)
}

/// `r = x == e; if r { x = d }`: the comparison of the value before is captured, not the value.
fn compared(first: &Expr, second: &Expr, whole: &Expr) -> Option<Result<Expr, Wrong>> {
    let (Expr::Assign(taken), Expr::If(i)) = (first, second) else { return None };
    let place = place_of_change(second)?;
    if !same(&i.cond, &taken.left) || !mentions(&taken.right, place) || same(&taken.right, place) {
        return None;
    }
    let mut update = i.clone();
    update.cond = taken.right.clone();
    let form = match compare(&Expr::If(update), "before") {
        Ok(form) => form,
        Err(wrong) => return Some(Err(wrong)),
    };
    let pure = |e: &Expr| effects::of(e, None, &|_| true).is_none();
    // (The comparison is captured after the update, which may not name what is captured.)
    let stored = match &i.then_branch.stmts[..] {
        [Stmt::Expr(Expr::Assign(a), _)] => &*a.right,
        _ => return Some(Err(unfit(Word::Capture))),
    };
    if !pure(&taken.right)
        || !pure(&taken.left)
        || names_part(stored, &taken.left)
        || names_part(place, &taken.left)
    {
        return Some(Err(unfit(Word::Capture)));
    }
    let seen = hidden("__omp_seen", place.span());
    let mut test = (*taken.right).clone();
    Instead { of: place, by: &parse_quote_spanned!(place.span()=> #seen) }.visit_expr_mut(&mut test);
    // (Under another name, the element would have its new value.)
    let base = place::of(place).map(|p| p.base);
    if Names::of_expr(&test).mentioned.iter().any(|name| base.as_ref().is_some_and(|base| *name == base)) {
        return Some(Err(unfit(Word::Capture)));
    }
    let left = &taken.left;
    Some(Ok(effect(parse_quote_spanned!(whole.span()=> #left = { let #seen = #form; #test }))))
}

/// Puts an expression in the place of another one.
struct Instead<'e> {
    of: &'e Expr,
    by: &'e Expr,
}

impl VisitMut for Instead<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if same(e, self.of) {
            *e = self.by.clone();
        } else {
            visit_mut::visit_expr_mut(self, e);
        }
    }
}

/// `v = x; UPDATE` and `UPDATE; v = x`. An update after the capture may name `v` for the old value: `v = x; if v == e { x = d }`.
fn capture(word: Word, first: &Expr, second: &Expr, whole: &Expr) -> Result<Expr, Wrong> {
    if let Some(form) = compared(first, second, whole) {
        return form;
    }
    let mut by_place = second.clone();
    if let (Expr::Assign(taken), Some(place)) = (first, place_of_change(second))
        && same(&taken.right, place)
        && matches!(&*taken.left, Expr::Path(_))
        && !names_part(place, &taken.left)
    {
        Instead { of: &taken.left, by: &taken.right }.visit_expr_mut(&mut by_place);
    }
    let second = &by_place;
    let change = |e: &Expr, want: &'static str| match (word, e) {
        (Word::CaptureCompare, _) | (_, Expr::If(_)) => compare(e, want),
        (_, Expr::Assign(a)) if want == "before" && !mentions(&a.right, &a.left) => {
            changed(&a.left, &a.right, want, e)
        }
        (_, _) => update(e, want),
    };
    // Which of the two only reads what the other changes.
    let reads = |e: &Expr, other: &Expr| match e {
        Expr::Assign(a) => place_of_change(other).is_some_and(|x| same(&a.right, x)),
        _ => false,
    };
    let (taken, form) = if reads(first, second) {
        (first, change(second, "before")?)
    } else if reads(second, first) {
        (second, change(first, "after")?)
    } else {
        return Err(unfit(Word::Capture));
    };
    let Expr::Assign(a) = taken else { return Err(unfit(Word::Capture)) };
    let left = &a.left;
    let first_taken = std::ptr::eq(taken, first);
    if effects::of(left, None, &|_| true).is_some() || first_taken && names_part(second, left) {
        return Err(Wrong {
            message: format!(
                "`atomic(capture)` into `{}`, which the update uses: it would have the captured value there",
                as_written(left)
            ),
            help: "capture into a variable of its own".into(),
        });
    }
    Ok(effect(parse_quote_spanned!(whole.span()=> #left = #form)))
}

/// Whether an expression names a place, a part of it, or what it is a part of.
fn names_part(e: &Expr, place: &Expr) -> bool {
    let Some(Place { base, key, .. }) = place::of(place) else { return false };
    let all = uses::of_block(&syn::parse_quote!({ #e; }), vec![base]);
    all.iter().any(|u| place::covers(&key, &u.key) || place::covers(&u.key, &key))
}

/// The place that an update, store or conditional store changes.
fn place_of_change(e: &Expr) -> Option<&Expr> {
    match e {
        Expr::If(i) => match &i.then_branch.stmts[..] {
            [Stmt::Expr(e, _)] => place_of_change(e),
            _ => None,
        },
        e => assigned(e),
    }
}

/// Whether two expressions are the same place, by their tokens.
fn same(a: &Expr, b: &Expr) -> bool {
    dereferenced(a).to_token_stream().to_string() == dereferenced(b).to_token_stream().to_string()
}

/// Whether an expression names a place.
fn mentions(e: &Expr, place: &Expr) -> bool {
    text(place).is_none_or(|key| updates::mentions(e, &key))
}

/// The form of a store of `value`, in which the place itself stands for its old value.
fn changed(place: &Expr, value: &Expr, want: &'static str, whole: &Expr) -> Result<Expr, Wrong> {
    if place::of(place).is_none() {
        return Err(unfit(Word::Update));
    }
    let once = want == "alone" && (matches!(whole, Expr::Binary(_)) || !mentions(value, place));
    if !once {
        evaluated_once(place, value)?;
    }
    let span = whole.span();
    let mut new = value.clone();
    let mut split = Split { place, operands: Vec::new(), certain: true };
    split.visit_expr_mut(&mut new);
    let operands = split.operands.iter().enumerate().map(|(n, e)| {
        let name = operand_name(n, e.span());
        quote_spanned!(e.span()=> let #name = #e;)
    });
    let word = hidden(want, span);
    let (mark, old, next) =
        (hidden(MARK, span), hidden("__omp_old", place.span()), hidden("__omp_new", span));
    Ok(parse_quote_spanned! {span=>
        #[#mark(#word)] { #(#operands)* let #old = #place; let #next = #new; }
    })
}

/// Checks that a place that is named twice is one element: nothing may change its subscripts in between.
fn evaluated_once(place: &Expr, value: &Expr) -> Result<(), Wrong> {
    let found = place::of(place).map(|p| p.subscripts).unwrap_or_default();
    let names: Vec<_> = found.iter().flat_map(|e| Names::of_expr(e).mentioned).collect();
    let effect = effects::of(place, None, &|_| true);
    let effect = effect.or_else(|| {
        effects::of(value, None, &|name| names.iter().any(|n| *n == name)).filter(|_| !names.is_empty())
    });
    match effect {
        None => Ok(()),
        Some(_) => Err(Wrong {
            message: format!(
                "`atomic` names `{}` more than once, and code in between may change which element that is",
                as_written(place)
            ),
            help: "do that in a statement of its own, before the update".into(),
        }),
    }
}

fn operand_name(n: usize, span: Span) -> Ident {
    hidden(&format!("__omp_e{n}"), span)
}

/// Puts the old value for the place, and names for the largest parts without it.
struct Split<'p> {
    place: &'p Expr,
    operands: Vec<Expr>,
    /// The visited expressions are evaluated in any case, so they can be evaluated before.
    certain: bool,
}

impl VisitMut for Split<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if same(e, self.place) {
            let old = hidden("__omp_old", e.span());
            *e = parse_quote_spanned!(e.span()=> #old);
            return;
        }
        if matches!(strip(e), Expr::Lit(_)) {
            return;
        }
        if !mentions(e, self.place) && !matches!(e, Expr::Unary(u) if matches!(*u.expr, Expr::Lit(_))) {
            // An expression with effects has them as often as it is evaluated.
            let shared = effects::of(e, None, &|_| true).is_none();
            let known = self.operands.iter().position(|o| shared && same(o, e));
            if known.is_none() && !self.certain {
                return;
            }
            let name = operand_name(known.unwrap_or(self.operands.len()), e.span());
            if known.is_none() {
                self.operands.push(e.clone());
            }
            *e = parse_quote_spanned!(e.span()=> #name);
            return;
        }
        match e {
            Expr::If(i) => {
                self.visit_expr_mut(&mut i.cond);
                let before = std::mem::replace(&mut self.certain, false);
                self.visit_block_mut(&mut i.then_branch);
                if let Some((_, els)) = &mut i.else_branch {
                    self.visit_expr_mut(els);
                }
                self.certain = before;
            }
            Expr::Binary(b) if matches!(b.op, BinOp::And(_) | BinOp::Or(_)) => {
                self.visit_expr_mut(&mut b.left);
                let before = std::mem::replace(&mut self.certain, false);
                self.visit_expr_mut(&mut b.right);
                self.certain = before;
            }
            Expr::Match(_) | Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_) => {
                let before = std::mem::replace(&mut self.certain, false);
                visit_mut::visit_expr_mut(self, e);
                self.certain = before;
            }
            Expr::Call(c) => c.args.iter_mut().for_each(|a| self.visit_expr_mut(a)),
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }
}
