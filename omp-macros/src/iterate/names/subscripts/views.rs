//! Rows and columns of arrays of `ndarray`, by what regions have of such arrays.
//!
//! A column is the number of its first element: its items are `a.iter().skip(first).step_by(a.ncols())`, and `column[i]` is `a[[i, first]]`.
//! Sums and products of views become pipelines over their items.
use super::Dims;
use crate::iterate::tokens::made;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::{names, search};
use quote::{ToTokens, quote_spanned};
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Pat};

/// A row, an array of one dimension, or a column of an array.
#[derive(Clone)]
struct View {
    of: Expr,
    /// The element of the first row at which the column begins.
    first: Option<Expr>,
}

impl View {
    /// Its items, by this method of arrays.
    fn items(&self, method: &str) -> Expr {
        let Self { of, first } = self;
        let (span, method) = (of.span(), syn::Ident::new(method, of.span()));
        made(match first {
            None => quote_spanned!(span=> #of.#method()),
            Some(first) => quote_spanned!(span=> #of.#method().skip(#first).step_by(#of.ncols())),
        })
    }

    fn len(&self) -> Expr {
        let of = &self.of;
        let method = syn::Ident::new(if self.first.is_some() { "nrows" } else { "len" }, of.span());
        made(quote_spanned!(of.span()=> #of.#method()))
    }
}

/// Rewrites views in a nest.
pub(super) struct Views<'d> {
    pub dims: Dims<'d>,
    /// The views that have names.
    named: HashMap<String, View>,
}

impl<'d> Views<'d> {
    pub fn new(dims: Dims<'d>) -> Self {
        Self { dims, named: HashMap::new() }
    }

    /// The view that an expression is.
    fn view(&self, e: &Expr) -> Option<View> {
        match strip(e) {
            Expr::Reference(r) => self.view(&r.expr),
            e @ Expr::Path(p) => match self.named.get(&p.path.get_ident()?.to_string()) {
                Some(view) => Some(view.clone()),
                None => ((self.dims)(e) == Some(1)).then(|| View { of: e.clone(), first: None }),
            },
            e @ Expr::MethodCall(m) if m.args.len() == 1 && (self.dims)(&m.receiver) == Some(2) => {
                match m.method.to_string().as_str() {
                    "row" | "row_mut" => Some(View { of: e.clone(), first: None }),
                    "column" | "column_mut" => {
                        Some(View { of: (*m.receiver).clone(), first: Some(e.clone()) })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn column(&self, e: &Expr) -> Option<View> {
        self.view(e).filter(|view| view.first.is_some())
    }

    /// Names in a pattern for the items of an iterator. A view is changed through a `mut` variable; the `&mut` in its place needs none.
    fn bind(&mut self, pat: &mut Pat, of: &Expr) {
        match (&mut *pat, strip(of)) {
            (Pat::Tuple(t), Expr::MethodCall(m)) if t.elems.len() == 2 => match m.method.to_string().as_str()
            {
                "enumerate" => self.bind(&mut t.elems[1], &m.receiver),
                "zip" if m.args.len() == 1 => {
                    self.bind(&mut t.elems[0], &m.receiver);
                    self.bind(&mut t.elems[1], &m.args[0]);
                }
                _ => self.bind(pat, &m.receiver),
            },
            (Pat::Ident(p), Expr::MethodCall(m)) => match m.method.to_string().as_str() {
                "rows" | "rows_mut" | "outer_iter" | "outer_iter_mut" | "axis_iter" | "axis_iter_mut"
                    if (self.dims)(&m.receiver) == Some(2) =>
                {
                    p.mutability = None;
                    let of = made(p.ident.to_token_stream());
                    self.named.insert(p.ident.to_string(), View { of, first: None });
                }
                "into_iter" | "rev" | "skip" | "take" | "step_by" => self.bind(pat, &m.receiver),
                _ => {}
            },
            _ => {}
        }
    }
}

/// The sum of items.
fn sum(items: &Expr) -> Expr {
    made(quote_spanned!(items.span()=> #items.reduce(|x, y| x + y).unwrap_or_default()))
}

impl VisitMut for Views<'_> {
    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        visit_mut::visit_local_mut(self, l);
        let (Pat::Ident(p), Some(init)) = (&l.pat, &l.init) else { return };
        let (name, here) = (p.ident.to_string(), made(p.ident.to_token_stream()));
        match self.view(&init.expr) {
            Some(View { of, first: Some(_) }) => self.named.insert(name, View { of, first: Some(here) }),
            Some(_) => self.named.insert(name, View { of: here, first: None }),
            None => self.named.remove(&name),
        };
    }

    fn visit_block_mut(&mut self, b: &mut syn::Block) {
        let around = self.named.clone();
        visit_mut::visit_block_mut(self, b);
        self.named = around;
    }

    fn visit_expr_for_loop_mut(&mut self, f: &mut syn::ExprForLoop) {
        let around = self.named.clone();
        self.named.retain(|name, _| !names::bound(&f.pat).contains(name));
        self.bind(&mut f.pat, &f.expr);
        if let Some(column) = self.column(&f.expr) {
            *f.expr = column.items("iter");
        }
        visit_mut::visit_expr_for_loop_mut(self, f);
        self.named = around;
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        // `x.rows().into_iter()`
        if let Expr::MethodCall(m) = e
            && m.method == "into_iter"
            && matches!(&*m.receiver, Expr::MethodCall(of) if (self.dims)(&of.receiver).is_some())
            && self.column(&m.receiver).is_none()
        {
            *e = (*m.receiver).clone();
        }
        visit_mut::visit_expr_mut(self, e);
        let span = e.span();
        let changed = match e {
            Expr::Index(x) => match (self.view(&x.expr), &*x.index) {
                // (A call in the subscript would be evaluated before `column(j)`.)
                (Some(View { of, first: Some(first) }), i)
                    if matches!(first, Expr::Path(_)) || !search::any(i, |e| matches!(e, Expr::Call(_))) =>
                {
                    Some(made(quote_spanned!(span=> #of[[#i, #first]])))
                }
                _ => None,
            },
            Expr::MethodCall(m) => {
                let (method, args) = (m.method.to_string(), m.args.len());
                if method == "zip"
                    && args == 1
                    && let Some(column) = self.column(&m.args[0])
                {
                    m.args[0] = column.items("iter");
                }
                match (method.as_str(), args) {
                    ("iter" | "into_iter", 0) => self.column(&m.receiver).map(|column| column.items("iter")),
                    ("iter_mut", 0) => self.column(&m.receiver).map(|column| column.items("iter_mut")),
                    ("len", 0) => self.column(&m.receiver).map(|column| column.len()),
                    ("sum", 0) if m.turbofish.is_none() => self.view(&m.receiver).map(|view| {
                        let items = view.items("iter");
                        sum(&made(quote_spanned!(span=> #items.copied())))
                    }),
                    ("dot", 1) => self.view(&m.receiver).zip(self.view(&m.args[0])).map(|(a, b)| {
                        let (n, m, a, b) = (a.len(), b.len(), a.items("iter"), b.items("iter"));
                        let sum = sum(&made(quote_spanned!(span=> #a.zip(#b).map(|(x, y)| *x * *y))));
                        made(quote_spanned!(span=> ({
                            assert!(#n == #m, "`dot` of arrays of {} and {} elements", #n, #m);
                            #sum
                        })))
                    }),
                    _ => None,
                }
            }
            _ => None,
        };
        if let Some(changed) = changed {
            *e = changed;
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
