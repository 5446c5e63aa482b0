//! Lengths of arrays, arrays as arguments, and swaps of elements. The typing copy requires that the array is a slice.
use super::place::{LENGTH, READ, UPDATE, Use};
use super::wrapped;
use crate::diag::Code as DiagCode;
use crate::lower::cx::{Flow, Lower, Name, Value, hidden};
use crate::lower::generated_names::Made;
use crate::lower::region::chain::chain;
use crate::lower::{Caught, What};
use crate::parse::tokens::file::SourceFile;
use crate::parse::tokens::source::as_written;
use crate::sema::syntax::forms::strip;
use omp_ir::desc::Prim;
use omp_ir::ids::{ExprId, LocalId};
use omp_ir::template::{Base, BinOp, Check, Expr, LocalKind, Place, Stmt, TyRef};
use proc_macro2::Ident;
use quote::{quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use syn::spanned::Spanned;

impl Lower {
    /// A mapped array or slice, which has its length for good.
    pub(in crate::lower) fn is_whole_array(&self, place: &Place) -> bool {
        place.projections.is_empty()
            && match place.base {
                Base::Array(_) => true,
                Base::Local(l) => self.code.locals[l.index()].kind == LocalKind::Slice,
                Base::Scalar(_) | Base::Const(_) => false,
            }
    }

    /// The same for `len`, `is_empty` and `swap` of slices and their containers.
    pub(in crate::lower) fn probe_slices(
        &mut self,
        e: &mut syn::Expr,
        method: &Ident,
        args: usize,
        kind: &str,
    ) {
        self.probe_kind(e, true, (method, args), kind);
    }

    /// The same for a method of a value, without arguments.
    pub(in crate::lower) fn probe_value(&mut self, e: &mut syn::Expr, method: &Ident, kind: &str) {
        self.probe_kind(e, false, (method, 0), kind);
    }

    fn probe_kind(&mut self, e: &mut syn::Expr, place: bool, (method, args): (&Ident, usize), kind: &str) {
        let (span, kind) = (hidden(method.span()), Ident::new(kind, method.span()));
        let call = Made::Builtin.name(self.typing.probes.len(), span);
        self.typing.decls.extend(quote_spanned!(span=>
            let #call = &::omp::__private::Call::<::omp::__private::Builtin, (), ::omp::__private::#kind>::new();
        ));
        self.probe(e, place, method, args, &Caught::new(call, What::Known));
    }

    /// `.len()` of what is an array for sure: mapped ones, slices, consts, variables made by `[…]`. Others may have
    /// a method of that name, so rustc resolves the call.
    pub(in crate::lower) fn length(&mut self, e: &mut syn::Expr) -> Option<Value> {
        let (span, src) = (e.span(), self.src(e.span()));
        let syn::Expr::MethodCall(m) = &mut *e else { unreachable!("called with a method call") };
        let empty = m.method == "is_empty";
        let receiver = strip(&m.receiver);
        let known = match receiver {
            syn::Expr::Path(p) => match p.path.get_ident().and_then(|i| self.lookup(&i.to_string())) {
                Some(Name::Local(l)) => self.is_array_local(*l),
                Some(Name::Const(_)) => true,
                Some(Name::Alias(_)) => false,
                None => {
                    let captured = self.captured.is_some() && !self.is_declared_value(receiver);
                    captured || super::place::is_const_path(p)
                }
            },
            _ => match chain(receiver) {
                Some(c) => {
                    let captured = self.captured.is_some() && !self.is_declared_value(receiver);
                    captured && self.lookup(&c.root.to_string()).is_none()
                }
                None => false,
            },
        };
        if !known {
            return None;
        }
        let Some(place) = self.place(&mut m.receiver, LENGTH) else { return Some(None) };
        let pinned = matches!(place.base, Base::Const(_));
        // One variable has one type.
        let seen = place.projections.is_empty() && !self.measured.insert((place.base, empty));
        let len = self.expr(Expr::Len(place), src);
        if pinned {
            let (receiver, method) = (&m.receiver, &m.method);
            *e = syn::Expr::Verbatim(
                quote_spanned!(span=> <[_]>::#method(::omp::__private::of_table(&#receiver))),
            );
        } else if !seen {
            let method = m.method.clone();
            self.probe_slices(e, &method, 0, "OfSlices");
        }
        if empty {
            let zero = Expr::Int { value: 0, negative: false, ty: TyRef::Prim(Prim::Usize) };
            let zero = self.expr(zero, src);
            return Some(Some(self.expr(Expr::Binary(BinOp::Eq, len, zero), src)));
        }
        Some(Some(len))
    }

    /// Whether the source file declares the place as one value: of a type parameter, or of a struct or enum of the file. Such a type may
    /// have a `len`.
    fn is_declared_value(&self, place: &syn::Expr) -> bool {
        let name = match place {
            syn::Expr::Path(p) => p.path.get_ident(),
            syn::Expr::Field(f) => match &f.member {
                syn::Member::Named(name) => Some(name),
                syn::Member::Unnamed(_) => None,
            },
            _ => None,
        };
        let declared = name.and_then(|name| {
            SourceFile::of(name.span())?.shows(declared_types).get(&name.to_string()).cloned()
        });
        // (In other functions of the file it may be of their parameters.)
        let is_value = |of: &String| self.generics.contains(of) || of.starts_with(OF_FILE) || of.len() == 1;
        !self.is_captured_array(place) && declared.is_some_and(|types| types.iter().all(is_value))
    }

    /// A slice, or a variable that was made by `[…]`.
    pub(in crate::lower) fn is_array_local(&self, local: LocalId) -> bool {
        self.code.locals[local.index()].kind == LocalKind::Slice || self.array_locals.contains(&local)
    }

    /// `x.swap(i, j)`: two loads and two stores. The copy pins `x` to slices and arrays.
    pub(in crate::lower) fn swap(&mut self, e: &mut syn::Expr) -> Flow {
        let syn::Expr::MethodCall(m) = &mut *e else { unreachable!("called with a method call") };
        let receiver = crate::marks::unmarked(&m.receiver);
        let (span, text) = (receiver.span(), as_written(&receiver));
        let (src, method) = (self.src(span), m.method.span());
        let base = self.place(&mut m.receiver, Use { as_array: true, ..UPDATE })?;
        let indices = self.values(m.args.iter_mut(), Self::value)?;
        let mut places = Vec::new();
        for index in indices {
            let index = self.simple(index);
            let access = self.new_access(src);
            self.note_access(access, &text, UPDATE, span);
            self.code.accesses[access.index()].bracket = self.src(method);
            let at = self.copy_place(&base);
            places.push(self.checked(at, index, access, src));
        }
        let mut values = Vec::new();
        for p in &places {
            let from = self.copy_place(p);
            let value = self.expr(Expr::Load(from), src);
            values.push(self.temp("swapped", value));
        }
        for (place, value) in places.into_iter().zip(values.into_iter().rev()) {
            self.push(Stmt::Assign { place, value, src });
        }
        let method = m.method.clone();
        if !matches!(base.base, Base::Array(_)) || !base.projections.is_empty() {
            let (receiver, args) = (&m.receiver, &m.args);
            // A parameter that is a reference is reborrowed.
            let by_reference = base.projections.is_empty()
                && matches!(base.base, Base::Local(l) if {
                    let local = &self.code.locals[l.index()];
                    local.kind == LocalKind::Ref || (local.kind == LocalKind::Slice && local.mutable)
                });
            let star = by_reference.then(|| quote!(*));
            let pinned = quote_spanned!(span=> <[_]>::swap(&mut #star #receiver, #args););
            // The host finds it by its name.
            let mut query = m.clone();
            query.args = [(); 2]
                .map(|()| -> syn::Expr { syn::parse_quote!(::omp::__private::never()) })
                .into_iter()
                .collect();
            let mut query = syn::Expr::MethodCall(query);
            self.probe_slices(&mut query, &method, 2, "SwapOfSlices");
            *e = wrapped(quote_spanned!(span=> #pinned #query), span);
        } else {
            self.probe_slices(e, &method, 2, "SwapOfSlices");
        }
        Some(())
    }

    /// A part of an array is passed on.
    pub fn mark_part(&mut self, place: &Place, how: Use) {
        if let Base::Array(a) = place.base {
            let cap = self.captured.as_mut().expect("arrays are captured");
            cap.captures.arrays[a.index()].passed = true;
            self.mark_array(place, how);
        }
    }

    /// An array is passed on as a whole.
    pub fn mark_passed(&mut self, place: &Place, how: Use) {
        if let Base::Array(a) = place.base {
            if self.is_claimed(a) {
                let cap = self.captured.as_ref().expect("arrays are captured");
                let (name, span) = (cap.arrays[a.index()].name.clone(), cap.captures.arrays[a.index()].span);
                let message = format!("`{name}` is in `disjoint`, but it is passed on as a whole");
                let help = format!(
                    "pass a part, whose elements are then claimed: `&{name}[..]`; or promise it: `unsafe(disjoint({name}))`"
                );
                self.error(DiagCode::Contradiction, span, message, help);
            }
            self.mark_part(place, how);
        }
    }

    /// All of a mapped array. Where a section may be all that is there, that is checked like any part.
    pub fn whole(&mut self, e: &syn::Expr, base: Place, mutable: bool) -> ExprId {
        let (span, src) = (e.span(), self.src(e.span()));
        let part = matches!(base.base, Base::Array(a) if self.is_part(a));
        let access = part.then(|| {
            let access = self.new_access(src);
            let name = match (base.base, &self.captured) {
                (Base::Array(a), Some(c)) => c.arrays[a.index()].name.clone(),
                _ => String::new(),
            };
            self.note_access(access, &name, if mutable { UPDATE } else { READ }, span);
            let check = Check::Slice { access, base: self.copy_place(&base), lo: None, hi: None, last: None };
            self.push(Stmt::Check { check, src });
            access
        });
        self.expr(Expr::Slice { base, lo: None, hi: None, access, mutable }, src)
    }
}

/// The prefix of the names of types that a file declares itself.
const OF_FILE: &str = "struct ";

/// The types that a text gives its names, behind `&`.
fn declared_types(text: &str) -> HashMap<String, HashSet<String>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let word = |text: &str| text.split(|c| !is_name(c)).next().unwrap_or_default().to_owned();
    let own: HashSet<String> = ["struct ", "enum "]
        .iter()
        .flat_map(|keyword| {
            text.match_indices(keyword).map(|(at, _)| word(text[at + keyword.len()..].trim_start()))
        })
        .collect();
    let mut types: HashMap<String, HashSet<String>> = HashMap::new();
    for (at, _) in text.match_indices(':') {
        let (before, after) = (text[..at].trim_end(), text[at + 1..].trim_start());
        let start = before.trim_end_matches(is_name).len();
        if start == before.len() || after.starts_with(':') {
            continue;
        }
        let of = after.trim_start_matches('&').trim_start();
        let of = if of.starts_with('\'') { of.split_once(' ').map_or("", |(_, of)| of) } else { of };
        let of = word(of.strip_prefix("mut ").unwrap_or(of).trim_start());
        let of = if own.contains(&of) { format!("{OF_FILE}{of}") } else { of };
        types.entry(before[start..].to_owned()).or_default().insert(of);
    }
    // A variable without a declared type may be anything.
    for (keyword, end) in [("let ", "="), ("for ", " in ")] {
        for (at, _) in text.match_indices(keyword) {
            let rest = &text[at + keyword.len()..];
            let pattern = rest.split_once(end).map_or("", |(pattern, _)| pattern);
            if !pattern.contains([':', ';', '}']) {
                let names = pattern.split(|c| !is_name(c)).filter(|name| !name.is_empty());
                for name in names {
                    types.entry(name.to_owned()).or_default().insert(String::new());
                }
            }
        }
    }
    types
}
