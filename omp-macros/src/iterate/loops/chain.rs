//! The expression after `in`: a range or an array with its adaptors.
use crate::diag::{Code, Sink};
use crate::iterate::tokens::{element, made, parentheses};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, RangeLimits};

/// What is iterated.
#[allow(clippy::large_enum_variant)] // there are at most a few of them
#[derive(Clone)]
pub enum Chain {
    /// The elements of an array from number `from` on. `last`: of a range with `..=`, whose `to` is one more.
    Array { place: Expr, from: Option<Expr>, to: Option<Expr>, last: Option<Expr>, mutable: bool },
    /// The values of a range; without `hi` as many as are asked for.
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
    /// `.flatten()` of an array of arrays.
    Flatten { place: Expr, mutable: bool },
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
    /// What a method cuts, and whether its parts are mutable.
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

/// One item of what is iterated.
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
}

/// Whether an expression is a range with `.rev()` and `.step_by(s)` at most: a counted loop as it stands.
pub fn is_plain(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_plain(&p.expr),
        Expr::Group(g) => is_plain(&g.expr),
        Expr::Range(_) => true,
        Expr::MethodCall(m) => {
            matches!((m.method.to_string().as_str(), m.args.len()), ("rev", 0) | ("step_by", 1))
                && is_plain(&m.receiver)
        }
        _ => false,
    }
}

/// How a variable is iterated that stands in a loop by its name alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IteratedBy {
    /// A `&[T]`, `&Vec<T>`, `&[T; N]`: by reference.
    Shared,
    /// The same with `&mut`.
    Exclusive,
    /// What a reference refers to, which may be anything: by reference, if it is an array.
    Behind,
    /// A `[T; N]`: by value.
    Owned,
    /// An array of `Option`s: by value.
    Options,
    /// A copy of an element or a field: by value, if it is an array; it is no `Option`.
    Stored,
    /// What a function gave: by value, if it is an array.
    Given,
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
        matches!(self, Self::Owned | Self::Options | Self::Shared | Self::Exclusive)
    }
}

/// What is known of names that stand alone.
pub type Kinds<'k> = &'k dyn Fn(&Ident) -> Option<IteratedBy>;

/// How an expression that is a name is iterated.
fn whole(e: &Expr, kinds: Kinds<'_>) -> Option<IteratedBy> {
    match e {
        // Only tables have such names.
        Expr::Path(p) if is_table(p) => Some(IteratedBy::Owned),
        Expr::Path(p) if p.qself.is_none() => kinds(p.path.get_ident()?),
        // By value, a field is a fixed array.
        Expr::Field(f) if is_place(&f.base) => Some(IteratedBy::Given),
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
    match e {
        Expr::MethodCall(m) if matches!(&*m.receiver, Expr::Field(_)) && of_iterators(m) => false,
        Expr::Path(_) | Expr::Field(_) => whole(e, kinds).is_some_and(|kind| kind != IteratedBy::Range),
        Expr::Paren(p) => is_chain(&p.expr, kinds),
        Expr::Group(g) => is_chain(&g.expr, kinds),
        Expr::Reference(r) => is_place(&r.expr),
        Expr::MethodCall(_) if is_plain(e) => false,
        Expr::MethodCall(_) if is_array_value(e) => true,
        Expr::MethodCall(m) => match m.method.to_string().as_str() {
            "iter" | "iter_mut" => m.args.is_empty(),
            "into_iter" => {
                m.args.is_empty()
                    && (is_array_value(&m.receiver)
                        || is_called(&m.receiver)
                        || matches!(&*m.receiver, Expr::Reference(_)) && is_chain(&m.receiver, kinds)
                        || whole(&m.receiver, kinds).is_some_and(|kind| kind != IteratedBy::Range))
            }
            "flatten" => of_rows(m),
            "chain" => {
                m.args.len() == 1
                    && is_chain_or_plain(&m.receiver, kinds)
                    && (is_chain_or_plain(&m.args[0], kinds) || is_array_written_out(&m.args[0]))
            }
            "enumerate" | "rev" | "copied" | "cloned" | "cycle" | "zip" | "step_by" | "skip" | "take" => {
                !matches!(&*m.receiver, Expr::Path(_)) && is_chain(&m.receiver, kinds)
                    || is_plain(&m.receiver)
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

/// Whether it is `x.iter().flatten()`.
fn of_rows(m: &syn::ExprMethodCall) -> bool {
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
                ("into_iter", 0) if is_array_value(&m.receiver) || is_called(&m.receiver) => {
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
                    Chain::Array { place, mutable, .. } => Some(Chain::Flatten { place, mutable }),
                    _ => None,
                },
                ("cycle", 0) => Some(Chain::Cycle(Box::new(read(&mut m.receiver, kinds, keep, sink)?), None)),
                ("step_by", 1) => {
                    let inner = read(&mut m.receiver, kinds, keep, sink)?;
                    keep(&mut m.args[0]);
                    Some(Chain::StepBy(Box::new(inner), m.args[0].clone()))
                }
                ("skip", 1) => {
                    let inner = read(&mut m.receiver, kinds, keep, sink)?;
                    keep(&mut m.args[0]);
                    Some(Chain::Skip(Box::new(inner), m.args[0].clone()))
                }
                ("take", 1) => {
                    let inner = read(&mut m.receiver, kinds, keep, sink)?;
                    keep(&mut m.args[0]);
                    Some(Chain::Take(Box::new(inner), m.args[0].clone()))
                }
                (method, 1) if Parts::of(method).is_some() => {
                    let (kind, mutable) = Parts::of(method)?;
                    let of = Box::new(array(&mut m.receiver, mutable, keep, sink)?);
                    keep(&mut m.args[0]);
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
    if (is_array_value(e) || is_called(e)) && !is_chain(e, kinds) {
        return Some(Chain::Copied(Box::new(array(e, false, keep, sink)?)));
    }
    read(e, kinds, keep, sink)
}

fn unknown(at: &impl ToTokens, what: &str, sink: &mut Sink) {
    sink.error_at(Code::NotCanonical, at, format!("a loop cannot be counted that iterates {what}"))
        .help("loop over a range, or over `x.iter()` and `x.iter_mut()` with `.enumerate()`, `.zip(…)`, `.rev()`, `.step_by(s)`; `x` is an array");
}

/// The value of a literal.
fn number(e: &Expr) -> Option<usize> {
    match e {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. }) => n.base10_parse().ok(),
        _ => None,
    }
}

/// Without parentheses around, which rustc would find unnecessary.
pub fn bare(e: Expr) -> Expr {
    match e {
        Expr::Paren(p) => bare(*p.expr),
        other => other,
    }
}

/// As an operand or a receiver: in parentheses, unless it needs none.
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

/// `x` of `*x`: a subscript sees through a reference.
fn reference(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(p) => reference(&p.expr),
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => reference(&u.expr),
        other => other,
    }
}

/// An array or a section of one.
fn array(e: &mut Expr, mutable: bool, keep: Keep<'_>, sink: &mut Sink) -> Option<Chain> {
    match e {
        Expr::Paren(p) => return array(&mut p.expr, mutable, keep, sink),
        Expr::Group(g) => return array(&mut g.expr, mutable, keep, sink),
        Expr::Index(x) if matches!(&*x.index, Expr::Range(_)) => {
            let span = x.span();
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
                    keep(e);
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
            return Some(Chain::Array { place: reference(&x.expr).clone(), from, to, last, mutable });
        }
        _ => {}
    }
    // (What a method gives is one, too, if it has elements, also if its body stands there.)
    if is_array_value(e)
        || is_called(e)
        || matches!(e, Expr::MethodCall(m) if is_place(&m.receiver))
        || is_block(e)
    {
        keep(e);
    }
    if !is_place(e) {
        unknown(e, "the items of a value that has no name", sink);
        return None;
    }
    indices(e, keep);
    Some(Chain::Array { place: reference(e).clone(), from: None, to: None, last: None, mutable })
}

/// A value that is an array where it is iterated: it has no name.
pub fn is_array_value(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_array_value(&p.expr),
        Expr::Group(g) => is_array_value(&g.expr),
        Expr::Array(_) | Expr::Repeat(_) | Expr::Call(_) => true,
        Expr::MethodCall(m) => m.args.is_empty() && m.method.to_string().starts_with("to_"),
        _ => false,
    }
}

/// Whether an expression is what a method gives that gives no iterator: `p.axes()`.
fn is_called(e: &Expr) -> bool {
    match e {
        Expr::Paren(p) => is_called(&p.expr),
        Expr::Group(g) => is_called(&g.expr),
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
const ADAPTERS: [&str; 16] = [
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
    "drain",
];

fn is_block(e: &Expr) -> bool {
    matches!(crate::iterate::plain(e), Expr::Block(_))
}

/// `[a, b]`: no other thing that `chain` takes.
fn is_array_written_out(e: &Expr) -> bool {
    matches!(e, Expr::Array(_) | Expr::Repeat(_))
}

/// Keeps the subscripts in a place.
pub fn indices(e: &mut Expr, keep: Keep<'_>) {
    match e {
        Expr::Paren(p) => indices(&mut p.expr, keep),
        Expr::Group(g) => indices(&mut g.expr, keep),
        Expr::Unary(u) => indices(&mut u.expr, keep),
        Expr::Field(f) => indices(&mut f.base, keep),
        Expr::Index(x) => {
            indices(&mut x.expr, keep);
            keep(&mut x.index);
        }
        _ => {}
    }
}

/// A variable, its fields, its elements.
pub fn is_place(e: &Expr) -> bool {
    match e {
        Expr::Path(p) => p.qself.is_none() && p.path.get_ident().is_some() || is_table(p),
        Expr::Paren(p) => is_place(&p.expr),
        Expr::Group(g) => is_place(&g.expr),
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

/// A section that Rust checks: `place[from..to]`, or `place[from..=last]`.
#[derive(Clone, Copy)]
pub struct Section<'a> {
    pub place: &'a Expr,
    pub from: Option<&'a Expr>,
    pub to: Option<&'a Expr>,
    pub last: Option<&'a Expr>,
}

/// A value of a range without an end.
pub struct Open {
    /// The range's first value.
    pub lo: Expr,
    /// Which value it is.
    pub number: Expr,
    /// Which one the range is asked for after the last item.
    pub next: Option<Expr>,
    /// The values between are left out.
    pub steps: bool,
}

impl Open {
    /// Statements that give it the name `name`, and fail where Rust's range does in a debug build: it has its next value before
    /// the loop has this one.
    pub fn named(&self, name: &Ident, then: &Ident) -> Vec<TokenStream> {
        let (lo, span) = (&self.lo, self.lo.span());
        let reach = |name: &Ident, like: &dyn ToTokens, number: &Expr| {
            let number = bare(number.clone());
            let value = quote_spanned!(span=> let #name = ::omp::__private::nth(#lo, #like, #number););
            // A value after the type's last would wrap to the first.
            let reached = self.steps.then(|| {
                quote_spanned!(span=> ::omp::__private::core::debug_assert!(
                    ::omp::__private::trips(#lo, #name, false) == #number,
                    "attempt to add with overflow"
                );)
            });
            let over = quote_spanned!(span=> let _ = #name + 1;);
            std::iter::once(value).chain(reached).chain([over])
        };
        // The first may be a literal, whose type the body tells: both are of one.
        let more = self.next.iter().flat_map(|number| reach(then, name, number));
        reach(name, lo, &self.number).chain(more).collect()
    }
}

impl Chain {
    /// Evaluates the numbers of items once that the items' numbers depend on.
    pub fn measure(&mut self, keep: Keep<'_>, span: Span) {
        match self {
            Self::Array { .. }
            | Self::Range { .. }
            | Self::Measured(..)
            | Self::Value(_)
            | Self::Flatten { .. } => {}
            Self::Enumerate(inner)
            | Self::Copied(inner)
            | Self::Cloned(inner)
            | Self::Skip(inner, _)
            | Self::Take(inner, _) => inner.measure(keep, span),
            Self::Parts { of, kind, total, .. } => {
                if *kind == Parts::Chunks
                    && let Some(n) = of.len(span)
                {
                    let mut n = bare(n);
                    keep(&mut n);
                    *total = Some(n);
                }
            }
            Self::Cycle(inner, total) => {
                inner.measure(keep, span);
                if let Some(n) = inner.len(span) {
                    let mut n = bare(n);
                    keep(&mut n);
                    *total = Some(n);
                }
            }
            Self::Zip(a, b) => {
                a.measure(keep, span);
                b.measure(keep, span);
            }
            Self::After(a, b, first) => {
                a.measure(keep, span);
                b.measure(keep, span);
                if let Some(n) = a.len(span) {
                    let mut n = bare(n);
                    keep(&mut n);
                    *first = Some(n);
                }
            }
            // Counted from its last value.
            Self::Rev(inner) if matches!(**inner, Self::Range { hi: Some(_), inclusive: true, .. }) => {}
            Self::Rev(inner) | Self::StepBy(inner, _) => {
                inner.measure(keep, span);
                // Not even `y.len()` stays: it can't be asked in a subscript of what is assigned.
                if let Some(mut n) = inner.len(span) {
                    n = bare(n);
                    keep(&mut n);
                    let whole = std::mem::replace(
                        &mut **inner,
                        Self::Range { lo: n.clone(), hi: None, inclusive: false },
                    );
                    **inner = Self::Measured(Box::new(whole), n);
                }
            }
        }
    }

    /// For a loop that is collapsed into one around it: the elements of nested arrays have one length, which is asked
    /// without naming one of them.
    pub fn measure_nested(&mut self, span: Span) {
        match self {
            Self::Array { place, from: None, to: None, last: _, mutable: _ } => {
                let (mut root, mut depth) = (&*place, 0);
                while let Expr::Index(x) = root {
                    (root, depth) = (&x.expr, depth + 1);
                }
                let n = match depth {
                    1 => made(quote_spanned!(span=> ::omp::__private::inner_len(&#root[..]))),
                    2 => made(quote_spanned!(span=> ::omp::__private::innermost_len(&#root[..]))),
                    _ => return,
                };
                let whole =
                    std::mem::replace(self, Self::Range { lo: n.clone(), hi: None, inclusive: false });
                *self = Self::Measured(Box::new(whole), n);
            }
            Self::Array { .. }
            | Self::Range { .. }
            | Self::Measured(..)
            | Self::Value(_)
            | Self::Cycle(..)
            | Self::Flatten { .. }
            | Self::Parts { .. } => {}
            Self::Enumerate(inner)
            | Self::Copied(inner)
            | Self::Cloned(inner)
            | Self::Skip(inner, _)
            | Self::Take(inner, _)
            | Self::Rev(inner)
            | Self::StepBy(inner, _) => inner.measure_nested(span),
            Self::Zip(a, b) | Self::After(a, b, _) => {
                a.measure_nested(span);
                b.measure_nested(span);
            }
        }
    }

    /// The number of items, a `usize`; `None` if there is no end.
    pub fn len(&self, span: Span) -> Option<Expr> {
        Some(match self {
            Self::Array { place, from, to, last: _, mutable: _ } => {
                let end = to.clone().unwrap_or_else(|| made(quote_spanned!(span=> #place.len())));
                match from {
                    Some(from) => {
                        let (end, from) = (operand(&end), operand(from));
                        made(parentheses(quote_spanned!(span=> #end - #from)))
                    }
                    None => end,
                }
            }
            Self::Range { lo, hi, inclusive } => {
                let hi = hi.as_ref()?;
                match (number(lo), number(hi)) {
                    (Some(lo), Some(hi)) => {
                        let n = hi.saturating_add(usize::from(*inclusive)).saturating_sub(lo);
                        made(quote_spanned!(span=> #n))
                    }
                    _ => made(quote_spanned!(span=> ::omp::__private::trips(#lo, #hi, #inclusive))),
                }
            }
            Self::Enumerate(inner) | Self::Rev(inner) | Self::Copied(inner) | Self::Cloned(inner) => {
                inner.len(span)?
            }
            Self::StepBy(inner, step) => {
                let n = inner.len(span)?;
                let n = bare(n);
                made(quote_spanned!(span=> ::omp::__private::steps(#n, #step)))
            }
            Self::Skip(inner, n) => {
                let all = bare(inner.len(span)?);
                made(quote_spanned!(span=> ::omp::__private::trips(#n, #all, false)))
            }
            Self::Take(inner, n) => match inner.len(span) {
                Some(all) => {
                    let all = operand(&all);
                    made(quote_spanned!(span=> #all.min(#n)))
                }
                None => n.clone(),
            },
            Self::Parts { of, size, kind, total } => {
                let all = bare(total.clone().map_or_else(|| of.len(span), Some)?);
                match kind {
                    Parts::Chunks => made(quote_spanned!(span=> ::omp::__private::steps(#all, #size))),
                    Parts::Exact => {
                        let (all, size) = (operand(&all), operand(size));
                        made(parentheses(quote_spanned!(span=> #all / #size)))
                    }
                    Parts::Windows => made(quote_spanned!(span=> ::omp::__private::trips(#size, #all, true))),
                }
            }
            Self::Zip(a, b) => match (a.len(span), b.len(span)) {
                (Some(a), Some(b)) if a == b => a,
                (Some(a), Some(b)) => {
                    let (a, b) = (operand(&a), bare(b));
                    made(quote_spanned!(span=> #a.min(#b)))
                }
                (one, other) => one.or(other)?,
            },
            Self::After(a, b, first) => {
                let first = first.clone().map_or_else(|| a.len(span), Some)?;
                let (first, then) = (operand(&first), operand(&b.len(span)?));
                made(parentheses(quote_spanned!(span=> #first + #then)))
            }
            Self::Measured(_, n) => n.clone(),
            Self::Flatten { place, .. } => {
                // Of no file: clippy would have a user write `is_empty`.
                let nothing = syn::LitInt::new("0", span.resolved_at(Span::mixed_site()));
                made(parentheses(
                    quote_spanned!(span=> if #place.len() == #nothing { 0 } else { #place.len() * #place[0].len() }),
                ))
            }
            // Without an end, but for that of no items.
            Self::Cycle(inner, total) => {
                let all = bare(total.clone().map_or_else(|| inner.len(span), Some)?);
                let all = operand(&all);
                made(quote_spanned!(span=> #all.saturating_mul(usize::MAX)))
            }
            Self::Value(_) => return None,
        })
    }

    /// Takes the values of ranges without an end out of item number `k`: `take` gives each a name. Where the range is asked for
    /// one more than there are items, `next` is the number of that one.
    pub fn take_open(&mut self, k: &Expr, next: Option<&Expr>, take: &mut dyn FnMut(Open) -> Expr) {
        self.open_values(k, next, false, take);
    }

    fn open_values(
        &mut self,
        k: &Expr,
        next: Option<&Expr>,
        steps: bool,
        take: &mut dyn FnMut(Open) -> Expr,
    ) {
        match self {
            Self::Range { lo, hi: None, inclusive: _ } => {
                let value = take(Open { lo: lo.clone(), number: k.clone(), next: next.cloned(), steps });
                *self = Self::Value(value);
            }
            Self::Array { .. }
            | Self::Range { .. }
            | Self::Measured(..)
            | Self::Value(_)
            | Self::Rev(_)
            | Self::Cycle(..)
            | Self::After(..)
            | Self::Flatten { .. }
            | Self::Parts { .. } => {}
            Self::Enumerate(inner) | Self::Copied(inner) | Self::Cloned(inner) | Self::Take(inner, _) => {
                inner.open_values(k, next, steps, take);
            }
            Self::Skip(inner, n) => {
                let (span, n) = (n.span(), operand(n));
                let after = |k: &Expr| made(parentheses(quote_spanned!(span=> #k + #n)));
                inner.open_values(&after(k), next.map(after).as_ref(), true, take);
            }
            Self::StepBy(inner, step) => {
                let (span, step) = (step.span(), operand(step));
                let times = |k: &Expr| made(parentheses(quote_spanned!(span=> #k * #step)));
                inner.open_values(&times(k), next.map(times).as_ref(), true, take);
            }
            Self::Zip(a, b) => {
                // The first is asked before the second is over.
                let span = k.span();
                let more = made(parentheses(quote_spanned!(span=> #k + 1)));
                a.open_values(k, Some(next.unwrap_or(&more)), steps, take);
                b.open_values(k, next, steps, take);
            }
        }
    }

    /// Item number `k`; `None` if it is counted from an end that is not there.
    pub fn item(&self, k: &Expr, span: Span) -> Option<Item> {
        Some(match self {
            Self::Array { place, from, to: _, last: _, mutable } => {
                let index = match from {
                    Some(from) => {
                        let from = operand(from);
                        made(quote_spanned!(span=> #from + #k))
                    }
                    None => k.clone(),
                };
                Item::Element { place: element(place, &index, span), mutable: *mutable }
            }
            Self::Range { lo, hi, inclusive: _ } => {
                let hi = hi.as_ref().unwrap_or(lo);
                Item::Value(made(quote_spanned!(span=> ::omp::__private::nth(#lo, #hi, #k))))
            }
            Self::Measured(inner, _) => inner.item(k, span)?,
            Self::Value(v) => Item::Value(v.clone()),
            Self::Enumerate(inner) => Item::Tuple(vec![Item::Value(k.clone()), inner.item(k, span)?]),
            Self::Rev(inner) => {
                // There may be more values than a `usize` can count.
                if let Self::Range { lo, hi: Some(hi), inclusive: true } = &**inner {
                    return Some(Item::Value(made(
                        quote_spanned!(span=> ::omp::__private::nth_back(#lo, #hi, #k)),
                    )));
                }
                let n = operand(&inner.len(span)?);
                inner.item(&made(parentheses(quote_spanned!(span=> #n - 1 - #k))), span)?
            }
            Self::StepBy(inner, step) => {
                let step = operand(step);
                inner.item(&made(parentheses(quote_spanned!(span=> #k * #step))), span)?
            }
            Self::Skip(inner, n) => {
                let n = operand(n);
                inner.item(&made(parentheses(quote_spanned!(span=> #k + #n))), span)?
            }
            Self::Take(inner, _) => inner.item(k, span)?,
            Self::Parts { of, size, kind, total } => {
                let Self::Array { place, from, to: _, last: _, mutable } = &**of else { return None };
                let (from, size) = (from.as_ref().map(operand), operand(size));
                let first = match kind {
                    Parts::Windows => k.clone(),
                    Parts::Chunks | Parts::Exact => made(quote_spanned!(span=> #k * #size)),
                };
                let end = made(quote_spanned!(span=> #first + #size));
                let end = match (kind, total) {
                    (Parts::Chunks, Some(total)) => made(quote_spanned!(span=> (#end).min(#total))),
                    _ => end,
                };
                let part = match from {
                    Some(from) => quote_spanned!(span=> #place[#from + #first..#from + #end]),
                    None => quote_spanned!(span=> #place[#first..#end]),
                };
                let borrow = if *mutable { quote_spanned!(span=> &mut) } else { quote_spanned!(span=> &) };
                Item::Value(made(quote_spanned!(span=> #borrow #part)))
            }
            Self::Zip(a, b) => Item::Tuple(vec![a.item(k, span)?, b.item(k, span)?]),
            Self::After(a, b, first) => {
                let first = operand(&first.clone().map_or_else(|| a.len(span), Some)?);
                let k = operand(k);
                let then = made(parentheses(quote_spanned!(span=> #k - #first)));
                let is_first = made(quote_spanned!(span=> #k < #first));
                either(&is_first, a.item(&k, span)?, b.item(&then, span)?, span)?
            }
            Self::Flatten { place, mutable } => {
                let (k, n) = (
                    parentheses(bare(k.clone()).into_token_stream()),
                    quote_spanned!(span=> #place[0].len()),
                );
                let row = element(place, &made(quote_spanned!(span=> #k / #n)), span);
                let column = made(quote_spanned!(span=> #k % #n));
                Item::Element { place: element(&row, &column, span), mutable: *mutable }
            }
            Self::Cycle(inner, total) => {
                let all = bare(total.clone().map_or_else(|| inner.len(span), Some)?);
                let (k, all) = (bare(k.clone()), operand(&all));
                inner.item(&made(parentheses(quote_spanned!(span=> (#k) % #all))), span)?
            }
            Self::Copied(inner) => match inner.item(k, span)? {
                Item::Element { place, mutable: false } => Item::Value(place),
                Item::Ref(inner) if matches!(*inner, Item::Value(_)) => *inner,
                _ => return None,
            },
            // Whose `Clone` it is, the type tells.
            Self::Cloned(inner) => match inner.item(k, span)? {
                Item::Element { place, mutable: false } => {
                    Item::Value(made(quote_spanned!(span=> ::omp::__private::clone_of(#place))))
                }
                Item::Ref(inner) => match *inner {
                    Item::Value(v) => {
                        Item::Value(made(quote_spanned!(span=> ::omp::__private::clone_of(#v))))
                    }
                    _ => return None,
                },
                _ => return None,
            },
        })
    }

    /// The sections of arrays, which have to lie in them: place, start, end.
    pub fn sections(&self) -> Vec<Section<'_>> {
        match self {
            Self::Array { from: None, to: None, .. }
            | Self::Range { .. }
            | Self::Value(_)
            | Self::Flatten { .. } => {
                vec![]
            }
            Self::Array { place, from, to, last, mutable: _ } => {
                vec![Section { place, from: from.as_ref(), to: to.as_ref(), last: last.as_ref() }]
            }
            Self::Enumerate(inner)
            | Self::Rev(inner)
            | Self::StepBy(inner, _)
            | Self::Skip(inner, _)
            | Self::Take(inner, _)
            | Self::Copied(inner)
            | Self::Cloned(inner)
            | Self::Parts { of: inner, .. }
            | Self::Cycle(inner, _)
            | Self::Measured(inner, _) => inner.sections(),
            Self::Zip(a, b) | Self::After(a, b, _) => [a.sections(), b.sections()].concat(),
        }
    }
}
