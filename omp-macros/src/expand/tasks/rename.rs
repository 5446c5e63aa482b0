//! Renames host code between the first task and the wait: places of guarded data become places of the guard.
//!
//! Only operations of slices are renamed: `y[i]`, `y[..]`, `y.len()`, slice methods, `for v in &y`. Other uses of the
//! whole array are left as they are, so that rustc reports them: the guard holds the borrow.
use super::scoped::{Act, Names, Scoped};
use super::{Env, Guard, GuardKind, path};
use crate::parse::arguments;
use crate::parse::tokens::leaves::regrouped;
use crate::sema::reduction::updates::assigned;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::place::{covers, scalar_key};
use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};
use std::collections::HashMap;
use syn::visit::{self, Visit};
use syn::{Expr, Ident, Stmt, UnOp};

/// Methods of slices that change them.
const CHANGING: &[&str] = &[
    "as_chunks_mut",
    "as_mut_ptr",
    "as_mut_slice",
    "chunk_by_mut",
    "chunks_exact_mut",
    "chunks_mut",
    "clone_from_slice",
    "copy_from_slice",
    "copy_within",
    "fill",
    "fill_with",
    "first_chunk_mut",
    "first_mut",
    "get_disjoint_mut",
    "get_mut",
    "iter_mut",
    "last_chunk_mut",
    "last_mut",
    "rchunks_exact_mut",
    "rchunks_mut",
    "reverse",
    "rotate_left",
    "rotate_right",
    "select_nth_unstable",
    "select_nth_unstable_by",
    "select_nth_unstable_by_key",
    "sort",
    "sort_by",
    "sort_by_key",
    "sort_by_cached_key",
    "sort_unstable",
    "sort_unstable_by",
    "sort_unstable_by_key",
    "rsplit_mut",
    "split_at_mut",
    "split_first_chunk_mut",
    "split_first_mut",
    "split_inclusive_mut",
    "split_last_chunk_mut",
    "split_last_mut",
    "split_mut",
    "swap",
    "swap_with_slice",
];

/// Methods of slices that only look.
const LOOKING: &[&str] = &[
    "array_windows",
    "as_chunks",
    "as_ptr",
    "as_slice",
    "binary_search",
    "binary_search_by",
    "binary_search_by_key",
    "chunk_by",
    "chunks",
    "chunks_exact",
    "concat",
    "contains",
    "ends_with",
    "first",
    "first_chunk",
    "get",
    "is_sorted",
    "is_sorted_by",
    "is_sorted_by_key",
    "iter",
    "join",
    "last",
    "last_chunk",
    "partition_point",
    "rchunks",
    "rchunks_exact",
    "repeat",
    "rsplit",
    "rsplitn",
    "split",
    "split_at",
    "split_first",
    "split_first_chunk",
    "split_inclusive",
    "split_last",
    "split_last_chunk",
    "splitn",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
    "to_vec",
    "windows",
];

/// The names that were replaced in some statements.
#[derive(Default)]
pub struct Renamed {
    /// The spans of the names that were taken for the guard's.
    pub named: Vec<Span>,
    /// The methods of slices that are called.
    pub methods: Vec<Ident>,
}

/// The kind of access of a slice's method.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Does {
    Measures,
    Looks,
    Changes,
}

/// Whether a method is one of slices, by its name.
pub fn is_of_slices(method: &Ident) -> bool {
    let name = method.to_string();
    matches!(&*name, "len" | "is_empty") || CHANGING.contains(&&*name) || LOOKING.contains(&&*name)
}

/// The kind of access of a method that is called on the guard; `None` if containers of slices have a method of the name themselves, which
/// does the same.
pub fn does(method: &Ident) -> Option<Does> {
    let name = method.to_string();
    match name.as_str() {
        "len" | "is_empty" => Some(Does::Measures),
        "as_slice" | "as_mut_slice" | "as_ptr" | "as_mut_ptr" => None,
        name if CHANGING.contains(&name) => Some(Does::Changes),
        _ => Some(Does::Looks),
    }
}

/// Renames in statements of the block that a guard is made in. The placeholders of regions and directives are recorded.
pub fn statements<'s>(
    guard: &Guard,
    env: &mut Env,
    stmts: impl IntoIterator<Item = &'s mut Stmt>,
) -> Renamed {
    let mut act = Rename { guard, env, done: Renamed::default() };
    Scoped::new(&mut act).statements(stmts);
    act.done
}

/// An expression of a clause, renamed for the guards in force.
pub fn renamed(e: &Expr, guards: &[Guard]) -> TokenStream {
    let (mut e, mut env) = (e.clone(), Env::default());
    for guard in guards {
        let mut act = Rename { guard, env: &mut env, done: Renamed::default() };
        syn::visit_mut::VisitMut::visit_expr_mut(&mut Scoped::new(&mut act), &mut e);
    }
    quote::ToTokens::into_token_stream(e)
}

struct Rename<'g> {
    guard: &'g Guard,
    env: &'g mut Env,
    done: Renamed,
}

impl Act for Rename<'_> {
    fn expr(&mut self, e: &mut Expr, names: &Names) -> bool {
        // If a macro may have bound the name, it is not renamed: if it hasn't, rustc reports a conflict with the guard's borrow.
        let given = || self.guard.mutable && names.given(&path(&self.guard.key)).next().is_some();
        if names.bound(&self.guard.base) || given() {
            return false;
        }
        if let Expr::Path(p) = e
            && let Some(name) = p.path.get_ident().map(ToString::to_string)
            && name.starts_with("__omp_")
        {
            let guards = self.env.0.entry(name).or_default();
            if !guards.iter().any(|g| g.n == self.guard.n) {
                guards.push(self.guard.clone());
            }
            return true;
        }
        // A closure that takes the guard with it could be forgotten, and the guard with it.
        if names.moves() || !self.guard.mutable {
            return false;
        }
        match self.guard.kind {
            GuardKind::Array => self.array(e),
            GuardKind::Scalar => self.scalar(e),
        }
    }
}

impl Rename<'_> {
    fn is(&self, e: &Expr) -> bool {
        scalar_key(e).is_some_and(|key| key == self.guard.key)
    }

    /// The guard's data as a place: methods and operators are found as on the array itself.
    fn named(&mut self, at: Span) -> Expr {
        self.done.named.push(at);
        let name = self.guard.name(at);
        let at = name.span();
        syn::parse_quote_spanned!(at=> (**#name))
    }

    fn array(&mut self, e: &mut Expr) -> bool {
        match e {
            Expr::Index(i) if self.is(&i.expr) => {
                // A single name: macros other than std's that receive it are reported as such.
                let at = span_of(&i.expr);
                self.done.named.push(at);
                let name = self.guard.name(at);
                *i.expr = syn::parse_quote!(#name);
            }
            Expr::MethodCall(m) if self.is(&m.receiver) => {
                let (method, at) = (m.method.to_string(), span_of(&m.receiver));
                let length = self.guard.length();
                let own = m.method.clone();
                if matches!(method.as_str(), "len" | "is_empty") {
                    self.done.named.push(at);
                }
                match method.as_str() {
                    "len" => *e = syn::parse_quote!(#length),
                    "is_empty" => *e = syn::parse_quote!((#length == 0)),
                    name if CHANGING.contains(&name) || LOOKING.contains(&name) => {
                        *m.receiver = self.named(at);
                    }
                    _ => return false,
                }
                self.done.methods.push(own);
            }
            Expr::ForLoop(l) => {
                if let Expr::Reference(r) = &mut *l.expr
                    && self.is(&r.expr)
                {
                    *r.expr = self.named(span_of(&r.expr));
                }
            }
            _ => {}
        }
        false
    }

    fn scalar(&mut self, e: &mut Expr) -> bool {
        if let Expr::Struct(s) = e {
            for field in &mut s.fields {
                // `S { total }` is `S { total: total }`.
                if field.colon_token.is_none() && self.is(&field.expr) {
                    field.colon_token = Some(Default::default());
                }
            }
            return false;
        }
        let same_form = matches!(e, Expr::Unary(u) if matches!(u.op, UnOp::Deref(_))) == self.guard.deref;
        if same_form && matches!(e, Expr::Path(_) | Expr::Field(_) | Expr::Unary(_)) && self.is(e) {
            *e = self.named(span_of(e));
            return true;
        }
        false
    }
}

/// The first name of a place: where rustc points.
pub fn span_of(e: &Expr) -> Span {
    match strip(e) {
        Expr::Path(p) => p.path.segments.first().map_or_else(Span::call_site, |s| s.ident.span()),
        Expr::Field(f) => span_of(&f.base),
        Expr::Unary(u) => span_of(&u.expr),
        Expr::Index(i) => span_of(&i.expr),
        _ => Span::call_site(),
    }
}

/// Whether host code in some statements changes elements of an array.
pub fn changes(stmts: &[Stmt], key: &str) -> bool {
    let mut find = Changes { key, found: false };
    stmts.iter().for_each(|s| find.visit_stmt(s));
    find.found
}

struct Changes<'k> {
    key: &'k str,
    found: bool,
}

impl Changes<'_> {
    /// `y[i]`, `y[..n][j].x`.
    fn inside(&self, e: &Expr) -> bool {
        match strip(e) {
            Expr::Index(i) => self.whole(&i.expr) || self.inside(&i.expr),
            Expr::Field(f) => self.inside(&f.base),
            _ => false,
        }
    }

    fn whole(&self, e: &Expr) -> bool {
        scalar_key(e).is_some_and(|key| covers(self.key, &key))
    }
}

impl<'ast> Visit<'ast> for Changes<'_> {
    fn visit_expr(&mut self, e: &'ast Expr) {
        self.found |= match e {
            Expr::Reference(r) if r.mutability.is_some() => self.inside(&r.expr) || self.whole(&r.expr),
            Expr::MethodCall(m) => {
                let name = m.method.to_string();
                let of_slice = self.whole(&m.receiver)
                    || self.inside(&m.receiver)
                        && matches!(&*m.receiver, Expr::Index(i) if matches!(&*i.index, Expr::Range(_)));
                of_slice && CHANGING.contains(&name.as_str())
                    || self.inside(&m.receiver) && name.ends_with("_mut")
            }
            Expr::Macro(m) if crate::parse::std_macros::takes_expressions(&m.mac) => {
                self.arguments(&m.mac);
                false
            }
            e => assigned(e).is_some_and(|left| self.inside(left)),
        };
        visit::visit_expr(self, e);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

impl Changes<'_> {
    fn arguments(&mut self, m: &syn::Macro) {
        arguments(m).iter().flatten().for_each(|e| self.visit_expr(e));
    }
}

/// Renames places of guarded data in tokens that were made from the user's: `self.old` becomes a name.
pub fn tokens(stream: TokenStream, names: &HashMap<Vec<String>, Ident>) -> TokenStream {
    if names.is_empty() {
        return stream;
    }
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut out = TokenStream::new();
    let mut i = 0;
    while i < trees.len() {
        let hit = names.iter().find(|(path, _)| !is_field(&trees[..i]) && starts(&trees[i..], path));
        if let Some((path, name)) = hit {
            let mut name = name.clone();
            name.set_span(name.span().located_at(trees[i].span()));
            out.extend([TokenTree::Ident(name)]);
            i += 2 * path.len() - 1;
            continue;
        }
        out.extend([match &trees[i] {
            TokenTree::Group(g) => regrouped(g, tokens(g.stream(), names)),
            other => other.clone(),
        }]);
        i += 1;
    }
    out
}

/// Whether the name of a field follows these tokens.
pub(super) fn is_field(before: &[TokenTree]) -> bool {
    let n = before.len();
    n > 0 && is_dot(before.get(n - 1)) && !(n > 1 && is_dot(before.get(n - 2)))
}

pub(super) fn is_dot(tree: Option<&TokenTree>) -> bool {
    matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == '.')
}

/// Whether tokens begin with a path of fields that no call and no further path follows.
fn starts(trees: &[TokenTree], path: &[String]) -> bool {
    let end = 2 * path.len() - 1;
    if trees.len() < end {
        return false;
    }
    let same = path.iter().enumerate().all(|(k, part)| {
        let dot = k == 0 || is_dot(trees.get(2 * k - 1));
        let name = match &trees[2 * k] {
            TokenTree::Ident(i) => i == part,
            TokenTree::Literal(l) => l.to_string() == *part,
            _ => false,
        };
        dot && name
    });
    let called = match (trees.get(end), path.len()) {
        (Some(TokenTree::Group(g)), _) => g.delimiter() == Delimiter::Parenthesis,
        (Some(TokenTree::Punct(p)), _) => {
            p.as_char() == ':'
                && trees.get(end + 1).is_some_and(|t| matches!(t, TokenTree::Punct(q) if q.as_char() == ':'))
        }
        _ => false,
    };
    same && !called
}

/// The tokens after a mention of a place.
type After<'t> = &'t [TokenTree];

/// Whether `is` says so of some mention of a place.
fn any_mention(stream: TokenStream, path: &[String], is: &dyn Fn(After<'_>) -> bool) -> bool {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    (0..trees.len()).any(|i| {
        if let TokenTree::Group(g) = &trees[i] {
            return any_mention(g.stream(), path, is);
        }
        !is_field(&trees[..i]) && starts(&trees[i..], path) && is(&trees[i + 2 * path.len() - 1..])
    })
}

/// A call of `len` follows the place.
fn is_length(after: After<'_>) -> bool {
    is_dot(after.first())
        && matches!(after.get(1), Some(TokenTree::Ident(i)) if i == "len" || i == "is_empty")
}

/// Whether tokens look at elements of a place, or at more of it than its length.
pub fn indexes(stream: TokenStream, path: &[String]) -> bool {
    any_mention(stream, path, &|after| !is_length(after))
}

/// The methods of a place that tokens call.
pub fn methods(stream: TokenStream, path: &[String]) -> Vec<Ident> {
    let found = std::cell::RefCell::new(Vec::new());
    any_mention(stream, path, &|after| {
        let called = match after.get(2) {
            Some(TokenTree::Group(g)) => g.delimiter() == Delimiter::Parenthesis,
            Some(TokenTree::Punct(p)) => p.as_char() == ':',
            _ => false,
        };
        if let (true, true, Some(TokenTree::Ident(name))) = (is_dot(after.first()), called, after.get(1)) {
            found.borrow_mut().push(name.clone());
        }
        false
    });
    found.into_inner()
}

/// Whether tokens mention a place.
pub fn mentions(stream: TokenStream, path: &[String]) -> bool {
    any_mention(stream, path, &|_| true)
}

/// Whether tokens use nothing of a place but single elements and its length.
pub fn only_elements(stream: TokenStream, path: &[String]) -> bool {
    let is_range = |trees: &TokenStream| {
        let joint = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == '.' && p.spacing() == Spacing::Joint);
        trees.clone().into_iter().any(|t| joint(&t))
    };
    let element = |after: After<'_>| match after.first() {
        Some(TokenTree::Group(g)) => g.delimiter() == Delimiter::Bracket && !is_range(&g.stream()),
        _ => is_length(after),
    };
    !any_mention(stream, path, &|after| !element(after))
}
