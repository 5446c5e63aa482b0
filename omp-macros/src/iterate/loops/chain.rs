//! The expression after `in`: a range or an array with its adaptors.
mod items;

pub use items::{Section, all, positive};

use crate::diag::{Code, Sink};
use crate::iterate::tokens::{made, parentheses};
use crate::sema::syntax::forms::as_name;
use crate::sema::syntax::forms::{behind_references, dereferenced, strip, strip_mut};
use proc_macro2::{Ident, Span};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, RangeLimits};

/// The iterator in the head of a loop.
#[allow(clippy::large_enum_variant)] // there are at most a few of them
#[derive(Clone)]
pub enum Chain {
    /// The elements of an array from number `from` on. `last`: of a range with `..=`, whose `to` is one more.
    Array { place: Expr, from: Option<Expr>, to: Option<Expr>, last: Option<Expr>, mutable: bool },
    /// The values of a range; without `hi`, as many as the chain has items.
    Range { lo: Expr, hi: Option<Expr>, inclusive: bool },
    /// `.enumerate()`
    Enumerate(Box<Chain>),
    /// `.rev()`
    Rev(Box<Chain>),
    /// `.step_by(s)`
    StepBy(Box<Chain>, Expr),
    /// `.skip(n)`
    Skip(Box<Chain>, Expr),
    /// `.take(n)`
    Take(Box<Chain>, Expr),
    /// `.chunks(n)` and its like: the array, `n`, and the number of its elements as it was evaluated.
    Parts { of: Box<Chain>, size: Expr, kind: Parts, total: Option<Expr> },
    /// `.cycle()`, with the number of its items as it was evaluated.
    Cycle(Box<Chain>, Option<Expr>),
    /// `.flatten()` of an array of arrays; `depth` of them one after the other, if these hold arrays.
    Flatten { place: Expr, mutable: bool, depth: usize },
    /// `.zip(…)`
    Zip(Box<Chain>, Box<Chain>),
    /// `.chain(…)`, with the first's number of items as it was evaluated.
    After(Box<Chain>, Box<Chain>, Option<Expr>),
    /// `.copied()`
    Copied(Box<Chain>),
    /// `.cloned()`, which is the same where `Clone` is not the user's.
    Cloned(Box<Chain>),
    /// With its number of items as it was evaluated.
    Measured(Box<Chain>, Expr),
    /// A range without an end, of which the item's value stands in a variable.
    Value(Expr),
}

/// How an array is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// `.chunks(n)`, `.chunks_mut(n)`: the last one may be shorter.
    Chunks,
    /// `.chunks_exact(n)`, `.chunks_exact_mut(n)`.
    Exact,
    /// `.windows(n)`
    Windows,
}

impl Parts {
    /// The kind of parts of a method, and whether they are mutable.
    fn of(method: &str) -> Option<(Self, bool)> {
        Some(match method {
            "chunks" => (Self::Chunks, false),
            "chunks_mut" => (Self::Chunks, true),
            "chunks_exact" => (Self::Exact, false),
            "chunks_exact_mut" => (Self::Exact, true),
            "windows" => (Self::Windows, false),
            _ => return None,
        })
    }
}

/// Whether a method cuts an array into parts.
pub fn cuts(method: &Ident) -> bool {
    Parts::of(&method.to_string()).is_some()
}

/// One item of an iterator.
#[derive(Clone)]
pub enum Item {
    /// A value.
    Value(Expr),
    /// A reference to an element, or to a part of one.
    Element { place: Expr, mutable: bool },
    /// A pair, or a deeper tuple.
    Tuple(Vec<Item>),
    /// A reference to an item: the argument of `filter`'s closure.
    Ref(Box<Item>),
}

impl Item {
    /// Without references around.
    pub fn stripped(self) -> Self {
        match self {
            Self::Ref(inner) => inner.stripped(),
            other => other,
        }
    }

    /// A `&mut`.
    pub fn is_exclusive(&self) -> bool {
        match self {
            Self::Element { mutable, .. } => *mutable,
            Self::Ref(inner) => inner.is_exclusive(),
            Self::Value(_) | Self::Tuple(_) => false,
        }
    }
}

/// Whether an expression is a range with `.rev()` and `.step_by(s)` at most: a counted loop as it stands.
pub fn is_plain(e: &Expr) -> bool {
    let has_end = |e: &Expr| !matches!(strip(e), Expr::Range(r) if r.end.is_none());
    match strip(e) {
        Expr::Range(_) => true,
        Expr::MethodCall(m) => match (m.method.to_string().as_str(), m.args.len()) {
            ("rev", 0) => is_plain(&m.receiver),
            ("step_by", 1) => is_plain(&m.receiver) && has_end(&m.receiver),
            _ => false,
        },
        _ => false,
    }
}

/// How a variable is iterated that stands in a loop by its name alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IteratedBy {
    /// A `&[T]`, `&Vec<T>`, `&[T; N]`: by reference.
    Shared,
    /// By `&mut`.
    Exclusive,
    /// A value behind a reference, of any type: by reference, if it is an array.
    Behind,
    /// A `[T; N]`: by value.
    Owned,
    /// An array of `Option`s: by value.
    Options,
    /// A copy of an element or a field: by value, if it is an array; it is no `Option`.
    Stored,
    /// The result of a function: by value, if it is an array.
    Given,
    /// An array of a struct or a variant that a pattern takes apart: by value or by reference, so no loop iterates it by its name.
    Held,
    /// A reference to an element, which `zip` and `chain` iterate: it is an array there.
    Element,
    /// A `Range<T>`, which [`crate::iterate::names::ranges`] sees before any loop does.
    Range,
}

impl IteratedBy {
    /// It is iterated by value.
    pub fn is_owned(self) -> bool {
        matches!(self, Self::Owned | Self::Options | Self::Stored | Self::Given)
    }

    /// It is an array or a slice for sure.
    pub fn is_array(self) -> bool {
        matches!(self, Self::Owned | Self::Options | Self::Shared | Self::Exclusive | Self::Held)
    }
}

/// How names that stand alone are iterated.
pub type Kinds<'k> = &'k dyn Fn(&Ident) -> Option<IteratedBy>;

/// How an expression that is a name is iterated.
fn whole(e: &Expr, kinds: Kinds<'_>) -> Option<IteratedBy> {
    match e {
        // Only tables have such names. (Of those in blocks around, the types are seen.)
        Expr::Path(p) if is_table(p) => {
            let declared = p.path.get_ident().and_then(kinds);
            Some(declared.filter(|kind| *kind == IteratedBy::Shared).unwrap_or(IteratedBy::Owned))
        }
        Expr::Path(p) if p.qself.is_none() => {
            let is_whole = |kind: &IteratedBy| !matches!(kind, IteratedBy::Held | IteratedBy::Element);
            kinds(p.path.get_ident()?).filter(is_whole)
        }
        // By value, a field is a fixed array.
        Expr::Field(f) if is_place(&f.base) => Some(IteratedBy::Given),
        Expr::Index(x) if is_place(&x.expr) && !matches!(&*x.index, Expr::Range(_)) => {
            Some(IteratedBy::Stored)
        }
        _ => None,
    }
}

/// `TABLE`, `Self::TABLE`: the name of a const or static.
pub fn is_table(p: &syn::ExprPath) -> bool {
    let upper = |name: String| name.len() > 1 || !name.starts_with(char::is_lowercase);
    p.qself.is_none()
        && p.path.segments.last().is_some_and(|s| {
            let name = s.ident.to_string();
            s.arguments.is_none()
                && upper(name.clone())
                && name.starts_with(char::is_uppercase)
                && !name.contains(char::is_lowercase)
        })
}

/// Whether an expression is a chain of iterators that [`read`] should look at: anything else is not ours.
pub fn is_chain(e: &Expr, kinds: Kinds<'_>) -> bool {
    let e = strip(e);
    match e {
        Expr::MethodCall(m) if matches!(&*m.receiver, Expr::Field(_)) && of_iterators(m) => false,
        Expr::Path(_) | Expr::Field(_) => whole(e, kinds).is_some_and(|kind| kind != IteratedBy::Range),
        Expr::Reference(r) => is_place(&r.expr),
        Expr::MethodCall(_) if is_plain(e) => false,
        Expr::MethodCall(_) if is_array_value(e) => true,
        Expr::MethodCall(m) => match m.method.to_string().as_str() {
            "iter" | "iter_mut" => m.args.is_empty(),
            "into_iter" => {
                m.args.is_empty()
                    && (matches!(strip(&m.receiver), Expr::Block(_))
                        || is_array_value(&m.receiver)
                        || is_called(&m.receiver)
                        || matches!(&*m.receiver, Expr::Reference(_)) && is_chain(&m.receiver, kinds)
                        || whole(&m.receiver, kinds).is_some_and(|kind| kind != IteratedBy::Range))
            }
            // Of arrays of arrays of arrays, only what follows needs the form: what is in them may be options.
            "flatten" => of_rows(m) && !is_flattened(&m.receiver),
            "chain" => {
                m.args.len() == 1
                    && !crate::iterate::values::declared::is_option_alone(&m.args[0])
                    && is_chain_or_plain(&m.receiver, kinds)
                    && (is_chain_or_plain(&m.args[0], kinds) || is_array_written_out(&m.args[0]))
            }
            "enumerate" | "rev" | "copied" | "cloned" | "cycle" | "zip" | "step_by" | "skip" | "take" => {
                !matches!(&*m.receiver, Expr::Path(_)) && is_chain(&m.receiver, kinds)
                    || is_plain(&m.receiver)
                    || is_flattened(&m.receiver)
            }
            method => m.args.len() == 1 && Parts::of(method).is_some(),
        },
        _ => false,
    }
}

/// An adaptor that needs an iterator before it: a field is none. (`take` and `zip` of one are those of an `Option`.)
fn of_iterators(m: &syn::ExprMethodCall) -> bool {
    !matches!(m.method.to_string().as_str(), "iter" | "iter_mut" | "into_iter")
        && Parts::of(&m.method.to_string()).is_none()
}

fn is_chain_or_plain(e: &Expr, kinds: Kinds<'_>) -> bool {
    is_chain(e, kinds) || is_plain(e)
}

/// Whether it is `x.iter().flatten()`, also with a further `flatten`.
pub fn is_flattened(e: &Expr) -> bool {
    matches!(e, Expr::MethodCall(m) if m.method == "flatten" && m.args.is_empty() && of_rows(m))
}

/// Whether what is flattened is `x.iter()`, or flattened itself.
fn of_rows(m: &syn::ExprMethodCall) -> bool {
    if is_flattened(&m.receiver) {
        return true;
    }
    matches!(&*m.receiver, Expr::MethodCall(of)
        if !crate::iterate::values::declared::is_option(&of.receiver) && of.args.is_empty() && (of.method == "iter" || of.method == "iter_mut") && is_place(&of.receiver))
}

/// Puts a part that is evaluated once into a variable, and leaves its name.
pub type Keep<'k> = &'k mut dyn FnMut(&mut Expr);

/// Reads a chain. Reports what it can't iterate.
pub fn read(e: &mut Expr, kinds: Kinds<'_>, keep: Keep<'_>, sink: &mut Sink) -> Option<Chain> {
    if let Some(kind) = whole(e, kinds).filter(|kind| *kind != IteratedBy::Range) {
        if kind.is_owned() && !matches!(e, Expr::Path(p) if is_table(p)) {
            // A loop goes through a copy of what may change.
            keep(e);
        }
        let place = e.clone();
        if kind == IteratedBy::Exclusive {
            // The serial copy borrows anew what the loop would move.
            *e = made(quote_spanned!(e.span()=> &mut *#place));
        }
        let all =
            Chain::Array { place, from: None, to: None, last: None, mutable: kind == IteratedBy::Exclusive };
        return Some(if kind.is_owned() { Chain::Copied(Box::new(all)) } else { all });
    }
    match e {
        Expr::Paren(p) => read(&mut p.expr, kinds, keep, sink),
        Expr::Group(g) => read(&mut g.expr, kinds, keep, sink),
        Expr::Reference(r) => array(&mut r.expr, r.mutability.is_some(), keep, sink),
        Expr::Range(r) => {
            let Some(lo) = &mut r.start else {
                unknown(r, "a range without a first value", sink);
                return None;
            };
            keep(lo);
            let lo = (**lo).clone();
            let hi = r.end.as_mut().map(|hi| {
                keep(hi);
                (**hi).clone()
            });
            Some(Chain::Range { lo, hi, inclusive: matches!(r.limits, RangeLimits::Closed(_)) })
        }
        Expr::MethodCall(_) if is_array_value(e) => {
            Some(Chain::Copied(Box::new(array(e, false, keep, sink)?)))
        }
        Expr::MethodCall(m) => {
            let name = m.method.to_string();
            match (name.as_str(), m.args.len()) {
                ("iter" | "iter_mut", 0) => array(&mut m.receiver, name == "iter_mut", keep, sink),
                ("into_iter", 0) if !matches!(&*m.receiver, Expr::Reference(_)) && is_value(&m.receiver) => {
                    Some(Chain::Copied(Box::new(array(&mut m.receiver, false, keep, sink)?)))
                }
                ("into_iter", 0) => read(&mut m.receiver, kinds, keep, sink),
                ("enumerate", 0) => {
                    Some(Chain::Enumerate(Box::new(read(&mut m.receiver, kinds, keep, sink)?)))
                }
                ("rev", 0) => Some(Chain::Rev(Box::new(read(&mut m.receiver, kinds, keep, sink)?))),
                ("copied", 0) => Some(Chain::Copied(Box::new(read(&mut m.receiver, kinds, keep, sink)?))),
                ("cloned", 0) => Some(Chain::Cloned(Box::new(read(&mut m.receiver, kinds, keep, sink)?))),
                ("flatten", 0) if of_rows(m) => match read(&mut m.receiver, kinds, keep, sink)? {
                    Chain::Array { place, mutable, .. } => Some(Chain::Flatten { place, mutable, depth: 1 }),
                    Chain::Flatten { place, mutable, depth } => {
                        Some(Chain::Flatten { place, mutable, depth: depth + 1 })
                    }
                    _ => None,
                },
                ("cycle", 0) => Some(Chain::Cycle(Box::new(read(&mut m.receiver, kinds, keep, sink)?), None)),
                ("step_by", 1) => {
                    let inner = read(&mut m.receiver, kinds, keep, sink)?;
                    keep_count(&mut m.args[0], keep);
                    Some(Chain::StepBy(Box::new(inner), m.args[0].clone()))
                }
                ("skip", 1) => {
                    let inner = read(&mut m.receiver, kinds, keep, sink)?;
                    keep_count(&mut m.args[0], keep);
                    Some(Chain::Skip(Box::new(inner), m.args[0].clone()))
                }
                ("take", 1) => {
                    let inner = read(&mut m.receiver, kinds, keep, sink)?;
                    keep_count(&mut m.args[0], keep);
                    Some(Chain::Take(Box::new(inner), m.args[0].clone()))
                }
                (method, 1) if Parts::of(method).is_some() => {
                    let (kind, mutable) = Parts::of(method)?;
                    let of = Box::new(array(&mut m.receiver, mutable, keep, sink)?);
                    keep_count(&mut m.args[0], keep);
                    Some(Chain::Parts { of, size: m.args[0].clone(), kind, total: None })
                }
                ("zip", 1) => {
                    let left = read(&mut m.receiver, kinds, keep, sink)?;
                    let right = other_items(&mut m.args[0], kinds, keep, sink)?;
                    Some(Chain::Zip(Box::new(left), Box::new(right)))
                }
                ("chain", 1) => {
                    let first = read(&mut m.receiver, kinds, keep, sink)?;
                    let then = other_items(&mut m.args[0], kinds, keep, sink)?;
                    Some(Chain::After(Box::new(first), Box::new(then), None))
                }
                _ => {
                    sink.error_at(
                        Code::NotCanonical,
                        &m.method,
                        format!("a loop cannot be counted that iterates `.{name}(…)`"),
                    )
                    .help(crate::parse::loop_nest::instead_of(m));
                    None
                }
            }
        }
        other if is_place(other) => {
            let name = other.to_token_stream().to_string().replace(' ', "");
            sink.error_at(
                Code::NotCanonical,
                &*other,
                format!("a loop cannot be counted that iterates `{name}`, which may be anything"),
            )
            .help(format!("write `{name}.iter()` or `{name}.iter_mut()`"));
            None
        }
        Expr::Array(_) | Expr::Repeat(_) => {
            sink.error_at(
                Code::NotCanonical,
                &*e,
                "a loop cannot be counted that iterates an array without a name",
            )
            .help("give it one before the loop: `let a = [1, 2];`, then `.zip(a)`");
            None
        }
        other => {
            unknown(other, "this", sink);
            None
        }
    }
}

/// The argument of `zip` and `chain`: an iterator or an array.
fn other_items(e: &mut Expr, kinds: Kinds<'_>, keep: Keep<'_>, sink: &mut Sink) -> Option<Chain> {
    if !matches!(e, Expr::Reference(_)) && is_value(e) && !is_chain(e, kinds) {
        return Some(Chain::Copied(Box::new(array(e, false, keep, sink)?)));
    }
    if let Expr::Path(p) = e
        && p.path.get_ident().and_then(kinds) == Some(IteratedBy::Element)
    {
        return array(e, false, keep, sink);
    }
    read(e, kinds, keep, sink)
}

fn unknown(at: &impl ToTokens, what: &str, sink: &mut Sink) {
    sink.error_at(Code::NotCanonical, at, format!("a loop cannot be counted that iterates {what}"))
        .help("loop over a range, or over `x.iter()` and `x.iter_mut()` with `.enumerate()`, `.zip(…)`, `.rev()`, `.step_by(s)`; `x` is an array");
}

/// Without parentheses around, which rustc would find unnecessary.
pub fn bare(e: Expr) -> Expr {
    match e {
        Expr::Paren(p) => bare(*p.expr),
        other => other,
    }
}

/// An expression as an operand or a receiver: in parentheses, unless it needs none.
fn operand(e: &Expr) -> Expr {
    match e {
        Expr::Path(_)
        | Expr::Lit(_)
        | Expr::Paren(_)
        | Expr::MethodCall(_)
        | Expr::Call(_)
        | Expr::Index(_)
        | Expr::Field(_) => e.clone(),
        other => made(parentheses(other.to_token_stream())),
    }
}

/// An array or a section of one.
fn array(e: &mut Expr, mutable: bool, keep: Keep<'_>, sink: &mut Sink) -> Option<Chain> {
    match e {
        Expr::Paren(p) => return array(&mut p.expr, mutable, keep, sink),
        Expr::Group(g) => return array(&mut g.expr, mutable, keep, sink),
        // A subscript sees through references.
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
            let of = match strip_mut(&mut u.expr) {
                Expr::Reference(r) => &mut *r.expr,
                of => of,
            };
            return array(of, mutable, keep, sink);
        }
        Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => {
            let span = x.span();
            if is_value(&x.expr) {
                keep(&mut x.expr);
            }
            if !is_place(&x.expr) {
                unknown(x, "this", sink);
                return None;
            }
            if matches!(&*x.expr, Expr::Index(inner) if matches!(&*inner.index, Expr::Range(_))) {
                // A part of a part: the outer one gets a name.
                let of = &x.expr;
                let borrow = if mutable { quote_spanned!(span=> &mut) } else { quote_spanned!(span=> &) };
                let mut part = made(quote_spanned!(span=> #borrow #of));
                keep(&mut part);
                if matches!(part, Expr::Path(_)) {
                    *x.expr = part;
                }
            }
            indices(&mut x.expr, keep);
            let Expr::Range(r) = &mut *x.index else { unreachable!("matched above") };
            let mut ends = [&mut r.start, &mut r.end].into_iter().map(|end| {
                end.as_mut().map(|e| {
                    keep_count(e, keep);
                    (**e).clone()
                })
            });
            let (from, mut to) = (ends.next().flatten(), ends.next().flatten());
            let last = to.clone().filter(|_| matches!(r.limits, RangeLimits::Closed(_)));
            if last.is_some() {
                to = to.map(|e| {
                    let e = operand(&e);
                    made(parentheses(quote_spanned!(span=> #e + 1)))
                });
            }
            return Some(Chain::Array { place: dereferenced(&x.expr).clone(), from, to, last, mutable });
        }
        _ => {}
    }
    if is_value(e) || matches!(e, Expr::MethodCall(m) if is_place(&m.receiver)) {
        keep(e);
    }
    if !is_place(e) {
        unknown(e, "the items of a value that has no name", sink);
        return None;
    }
    indices(e, keep);
    Some(Chain::Array { place: dereferenced(e).clone(), from: None, to: None, last: None, mutable })
}

/// Whether an expression is no place: what a function or a method gives, if it has elements, also if its body stands there, and a field of
/// it.
fn is_value(e: &Expr) -> bool {
    match e {
        Expr::Field(f) => is_value(&f.base),
        _ => is_array_value(e) || is_called(e) || is_block(e),
    }
}

/// A value that is an array where it is iterated: it has no name.
pub fn is_array_value(e: &Expr) -> bool {
    match strip(e) {
        Expr::Array(_) | Expr::Repeat(_) | Expr::Call(_) => true,
        Expr::Lit(l) => matches!(l.lit, syn::Lit::ByteStr(_)),
        Expr::MethodCall(m) => m.args.is_empty() && m.method.to_string().starts_with("to_"),
        _ => false,
    }
}

/// Whether an expression is what a method gives that gives no iterator: `p.axes()`.
fn is_called(e: &Expr) -> bool {
    match strip(e) {
        Expr::MethodCall(m) => {
            let name = m.method.to_string();
            let gives_items = ADAPTERS.iter().any(|adapter| *adapter == name)
                || Parts::of(&name).is_some()
                || crate::iterate::is_adaptor(&name, m.args.len());
            !gives_items
        }
        _ => false,
    }
}

/// Methods that give an iterator, or the receiver again.
const ADAPTERS: [&str; 19] = [
    "iter",
    "iter_mut",
    "into_iter",
    "cycle",
    "fuse",
    "peekable",
    "chars",
    "bytes",
    "by_ref",
    "as_ref",
    "as_mut",
    "clone",
    "rchunks",
    "rchunks_exact",
    "split",
    "split_inclusive",
    "splitn",
    "chunk_by",
    "drain",
];

fn is_block(e: &Expr) -> bool {
    matches!(behind_references(e), Expr::Block(_))
}

/// `[a, b]`: no other thing that `chain` takes.
fn is_array_written_out(e: &Expr) -> bool {
    matches!(e, Expr::Array(_) | Expr::Repeat(_))
}

/// Keeps a `usize` of which the macro knows that it is one.
fn keep_count(e: &mut Expr, keep: Keep<'_>) {
    if !matches!(e, Expr::Lit(_) | Expr::Path(_)) {
        let (span, n) = (e.span(), bare(e.clone()));
        *e = made(quote_spanned!(span=> ::omp::__private::count(#n)));
    }
    keep(e);
}

/// Keeps the subscripts in a place.
pub fn indices(e: &mut Expr, keep: Keep<'_>) {
    match strip_mut(e) {
        Expr::Unary(u) => indices(&mut u.expr, keep),
        Expr::Field(f) => indices(&mut f.base, keep),
        Expr::Index(x) => {
            indices(&mut x.expr, keep);
            keep_count(&mut x.index, keep);
        }
        _ => {}
    }
}

/// A variable, or its fields.
pub fn is_variable_or_field(e: &Expr) -> bool {
    match e {
        Expr::Path(_) => as_name(e).is_some(),
        Expr::Field(f) => is_variable_or_field(&f.base),
        _ => false,
    }
}

/// A variable, its fields, its elements.
pub fn is_place(e: &Expr) -> bool {
    match strip(e) {
        Expr::Path(p) => p.qself.is_none() && p.path.get_ident().is_some() || is_table(p),
        Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)) && is_place(&u.expr),
        Expr::Field(f) => is_place(&f.base),
        Expr::Index(x) => is_place(&x.expr),
        _ => false,
    }
}

/// The item of one of two iterators, by value: none of its names stands for one place.
fn either(is_first: &Expr, a: Item, b: Item, span: Span) -> Option<Item> {
    let choice =
        |a: &Expr, b: &Expr| made(parentheses(quote_spanned!(span=> if #is_first { #a } else { #b })));
    let by_value = |item: Item| match item {
        Item::Element { place, mutable: false } => Some(place),
        Item::Ref(inner) => match *inner {
            Item::Value(e) => Some(e),
            _ => None,
        },
        _ => None,
    };
    match (a, b) {
        (Item::Value(a), Item::Value(b)) => {
            let slice = |e: &Expr| matches!(e, Expr::Reference(_));
            (!slice(&a) && !slice(&b)).then(|| Item::Value(choice(&a, &b)))
        }
        (Item::Tuple(a), Item::Tuple(b)) if a.len() == b.len() => {
            let parts = a.into_iter().zip(b).map(|(a, b)| either(is_first, a, b, span));
            Some(Item::Tuple(parts.collect::<Option<_>>()?))
        }
        (a, b) => {
            let (a, b) = (by_value(a)?, by_value(b)?);
            Some(Item::Ref(Box::new(Item::Value(choice(&a, &b)))))
        }
    }
}
