//! Places: expressions that can be subscripted, read, assigned and sliced. A check statement precedes every subscript.
use crate::diag::Code as DiagCode;
use crate::lower::cx::{Lower, Name, Value};
use crate::lower::pattern::literals::variant_path;
use crate::lower::region::chain::chain;
use crate::marks::{self, unmarked};
use crate::parse::tokens::source::as_written;
use crate::sema::syntax::forms::{strip, strip_mut};
use omp_ir::desc::Prim;
use omp_ir::ids::{AccessId, ExprId, SlotId};
use omp_ir::template::{Base, Check, Expr, LocalKind, Place, Projection, Stmt, TyRef};
use quote::ToTokens;
use syn::spanned::Spanned;

/// How a place is used.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) struct Use {
    pub read: bool,
    pub write: bool,
    /// It is subscripted, sliced, or its length is used.
    pub as_array: bool,
    /// It stands alone as an argument.
    pub argument: bool,
    /// With a `&` before it.
    pub by_ref: bool,
}

pub(in crate::lower) const READ: Use =
    Use { read: true, write: false, as_array: false, argument: false, by_ref: false };
pub(in crate::lower) const WRITE: Use =
    Use { read: false, write: true, as_array: false, argument: false, by_ref: false };
pub(in crate::lower) const UPDATE: Use =
    Use { read: true, write: true, as_array: false, argument: false, by_ref: false };
pub(super) const LENGTH: Use =
    Use { read: false, write: false, as_array: true, argument: false, by_ref: false };
pub(in crate::lower) const ARGUMENT: Use =
    Use { read: true, write: false, as_array: false, argument: true, by_ref: false };

/// A factor as it has to be written.
fn factor(text: &str) -> String {
    if text.chars().all(|c| c.is_alphanumeric() || c == '_') { text.to_owned() } else { format!("({text})") }
}

/// Whether a path is a const, static or enum variant by its spelling, if it is no known variable.
pub(in crate::lower) fn is_const_path(p: &syn::ExprPath) -> bool {
    match p.path.get_ident() {
        Some(ident) if p.qself.is_none() => ident.to_string().starts_with(char::is_uppercase),
        _ => true,
    }
}

impl Lower {
    /// The place of an expression. A value that is no place gets a name first.
    pub fn place(&mut self, e: &mut syn::Expr, how: Use) -> Option<Place> {
        let e = strip_mut(e);
        match e {
            syn::Expr::Path(_) => self.path_place(e, how),
            syn::Expr::Reference(r) if r.mutability.is_none() => self.place(&mut r.expr, how),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                if self.is_outside(e) {
                    return self.outside_place(e, how);
                }
                let syn::Expr::Unary(u) = e else { unreachable!("matched above") };
                if let (true, syn::Expr::Reference(r)) = (how.write, strip(&u.expr))
                    && r.mutability.is_none()
                {
                    // An item of `iter()`.
                    let message = "what a `&` refers to can't be written";
                    self.of_rustc(DiagCode::UnsupportedStmt, u.op.span(), message);
                    return None;
                }
                self.place(&mut u.expr, how)
            }
            syn::Expr::Field(_) => self.field_place(e, how),
            syn::Expr::Index(_) => self.index_place(e, how),
            _ => self.value_place(e, how),
        }
    }

    /// A `&mut` parameter by its bare name: the reference, not the place. It can be passed on, but not stored.
    pub fn no_reference(&mut self, e: &syn::Expr) -> Option<()> {
        let syn::Expr::Path(p) = strip(e) else { return Some(()) };
        let Some(ident) = p.path.get_ident() else { return Some(()) };
        match self.lookup(&ident.to_string()) {
            Some(name) if self.refers(name) => {
                self.error(
                    DiagCode::Reference,
                    e.span(),
                    format!("the reference `{ident}` can't be a value on a device"),
                    format!(
                        "write `*{ident}` for the value that it refers to, or pass it to a device function"
                    ),
                );
                None
            }
            _ => Some(()),
        }
    }

    /// Whether a name is of a reference, which is another name of a place.
    pub(in crate::lower) fn refers(&self, name: &Name) -> bool {
        match name {
            Name::Local(l) => self.code.locals[l.index()].kind == LocalKind::Ref,
            Name::Alias(_) => true,
            Name::Const(_) => false,
        }
    }

    /// A const or static in lower case.
    pub(in crate::lower) fn is_const(&self, p: &syn::ExprPath) -> bool {
        let (Some(name), Some(captured)) = (p.path.get_ident(), &self.captured) else { return false };
        p.qself.is_none() && captured.is_const(&name.to_string())
    }

    /// Whether an expression is a chain on a name from outside the body.
    pub fn is_outside(&self, e: &syn::Expr) -> bool {
        let Some(c) = chain(e) else { return false };
        let root = c.root.to_string();
        let Some(captured) = &self.captured else { return false };
        let variable = !is_capital(&c.root) && !captured.is_const(&root) || captured.is_variable(&root);
        self.lookup(&root).is_none() && variable
    }

    /// The place of such a chain.
    fn outside_place(&mut self, e: &syn::Expr, how: Use) -> Option<Place> {
        let c = chain(e)?;
        // Whether `&name` is an array depends on its type.
        if c.members.is_empty() && !c.deref && !how.as_array && !how.write && !how.by_ref {
            let captured = self.captured.as_ref().expect("places outside are captured");
            if let Some(value) = captured.referred(e, &c.root.to_string()) {
                // It refers to a value or to an array, as what `&` stands before.
                let how = Use { by_ref: how.argument, ..how };
                return Some(self.captured_place(&value, &chain(&value)?, how));
            }
        }
        if c.root == "self" && c.members.is_empty() && !c.deref {
            self.error(
                DiagCode::UnsupportedExpr,
                e.span(),
                "`self` as a whole can't go to a device; a body may use its fields, `self.x`",
                "before the loop, bind the result of a method (`let k = self.k();`), or a copy of the whole (`let own = *self;`) if its type is an `omp::Device`; or pass the fields to a `#[omp::declare_target]` function: `f(&self.x, self.k)`",
            );
            return None;
        }
        if how.write {
            self.note_assigned(&c);
        }
        let place = self.captured_place(e, &c, how);
        if how.write
            && let Base::Scalar(s) = place.base
        {
            // The template shows it all the same, for messages about it.
            self.scalar_race(s, e.span());
        }
        self.mark_array(&place, how);
        if let Base::Array(a) = place.base
            && self.is_scalar_array(a)
            && !how.as_array
        {
            return Some(self.only_element(place, how, e));
        }
        Some(place)
    }

    /// Remembers what is done to a mapped array.
    pub fn mark_array(&mut self, place: &Place, how: Use) {
        let Base::Array(a) = place.base else { return };
        let cap = self.captured.as_mut().expect("arrays are captured");
        let (param, array) = (&mut cap.arrays[a.index()], &mut cap.captures.arrays[a.index()]);
        param.read |= how.read;
        param.written |= how.write;
        array.read |= how.read;
        array.written |= how.write;
    }

    fn path_place(&mut self, e: &mut syn::Expr, how: Use) -> Option<Place> {
        let syn::Expr::Path(p) = &*e else { unreachable!("called with a path") };
        let bare = |base| Some(Place::from(base));
        if let Some(ident) = p.path.get_ident() {
            match self.lookup(&ident.to_string()) {
                Some(Name::Local(l)) if how.write && self.fixed.contains(l) => {
                    let message =
                        format!("`{ident}` can't be written here: it is neither `mut` nor a `&mut`");
                    self.of_rustc(DiagCode::UnsupportedStmt, ident.span(), message);
                    return None;
                }
                Some(Name::Local(l)) if how.write && self.copies.contains(l) => {
                    let message =
                        format!("`{ident}` is bound to a copy on a device: a change of it would be lost");
                    let help = "change the place itself, as in `part[0] = …`, or bind a reference to it: `let first = &mut part[0];`";
                    self.error(DiagCode::Reference, ident.span(), message, help);
                    return None;
                }
                Some(Name::Local(l)) => return bare(Base::Local(*l)),
                None if ident == "self" && self.captured.is_none() => {
                    self.of_rustc(DiagCode::UnsupportedExpr, ident.span(), "a function without `self`");
                    return None;
                }
                Some(Name::Const(copy)) => {
                    let path: syn::Expr = syn::parse_quote!(#copy);
                    let id = self.table_or_konst(&ident.to_string(), &path, how);
                    return self.const_place(Base::Const(id), e, how);
                }
                Some(Name::Alias(place)) => {
                    let place = place.clone();
                    return Some(self.copy_place(&place));
                }
                None => {}
            }
        }
        if self.is_outside(e) {
            return self.outside_place(e, how);
        }
        let name = p.to_token_stream().to_string().replace(' ', "");
        let variant = p.qself.is_none() && p.path.segments.len() > 1 && variant_path(&p.path);
        if (leaves_out(&p.path) || variant) && !how.as_array {
            // Parameters that the path leaves out are those of the body's value.
            let (span, path) = (e.span(), e.clone());
            let slot = self.query(e, "pass", span);
            let id = self.made_of(&path, slot);
            return self.const_place(Base::Const(id), e, how);
        }
        let id = self.table_or_konst(&name, &e.clone(), how);
        self.const_place(Base::Const(id), e, how)
    }

    /// A const whose path may leave out parameters: the slot knows its type.
    pub(in crate::lower) fn made_of(&mut self, path: &syn::Expr, slot: SlotId) -> omp_ir::ids::ConstId {
        let (span, typed) = (path.span(), self.typing.slots[slot.index()].clone());
        let name = path.to_token_stream().to_string().replace(' ', "");
        self.host_value(&name, &syn::Expr::Verbatim(quote::quote_spanned!(span=> #typed.made(|| #path))))
    }

    /// A const or static; of a table, the array that it is, as that of a slice has its length in its value alone.
    fn table_or_konst(&mut self, name: &str, path: &syn::Expr, how: Use) -> omp_ir::ids::ConstId {
        let of_parameters = |p: &syn::ExprPath| {
            let first = &p.path.segments[0].ident;
            p.qself.is_some()
                || first == "Self" && !self.concrete_self
                || self.generics.iter().any(|g| first == g)
        };
        match path {
            syn::Expr::Path(p) if how.as_array && !how.write && !of_parameters(p) => {
                let (p, text) = (quote::quote!(::omp::__private), path);
                let span = path.span();
                let array: syn::Expr = syn::parse_quote_spanned!(span=> (*#p::array_of::<_, { #p::Length(&#text).of_table() }>(&#text[..])));
                self.host_value(name, &array)
            }
            path => self.konst(name, path),
        }
    }

    fn const_place(&mut self, base: Base, e: &syn::Expr, how: Use) -> Option<Place> {
        if how.write {
            self.error(
                DiagCode::UnsupportedStmt,
                e.span(),
                "a const or static can't be assigned in a body",
                "copy it to a variable of the body first",
            );
            return None;
        }
        Some(Place::from(base))
    }

    fn field_place(&mut self, e: &mut syn::Expr, how: Use) -> Option<Place> {
        if self.is_outside(e) {
            return self.outside_place(e, how);
        }
        let syn::Expr::Field(f) = e else { unreachable!("called with a field") };
        let mut place =
            self.place(&mut f.base, Use { as_array: false, argument: false, by_ref: false, ..how })?;
        place.projections.push(Projection::Field(field_name(&f.member)));
        Some(place)
    }

    /// `base[index]`: the index is put into a temporary unless it is plain arithmetic, and checked.
    fn index_place(&mut self, e: &mut syn::Expr, how: Use) -> Option<Place> {
        let span = e.span();
        let src = self.src(span);
        let syn::Expr::Index(x) = e else { unreachable!("called with a subscript") };
        if let syn::Expr::Range(r) = strip(&x.index) {
            if how.as_array && !how.write {
                // `x[a..][..n]`: a part of a part.
                let part = self.slice(x, false)?;
                let part = self.temp("part", part);
                match &self.code.exprs[part.index()].expr {
                    Expr::Load(place) => return Some(place.clone()),
                    _ => unreachable!("a temporary is loaded"),
                }
            }
            self.error(
                DiagCode::Reference,
                r.span(),
                "a slice is no value: its length is not known to the compiler",
                "take a reference: `&x[a..b]`",
            );
            return None;
        }
        if let syn::Expr::Tuple(t) = strip(&x.index) {
            self.tuple_index(x, t, how.write);
            return None;
        }
        let access = take_access(x, self);
        let name = as_written(&unmarked(&x.expr));
        let mut base =
            self.place(&mut x.expr, Use { as_array: true, argument: false, by_ref: false, ..how })?;
        let mark = self.mark();
        self.in_index += 1;
        let index = self.value(&mut x.index);
        self.in_index -= 1;
        let index = index?;
        self.settle_place(&mut base, mark);
        let index = self.simple(index);
        self.note_access(access, &name, how, span);
        self.code.accesses[access.index()].bracket = self.src(x.bracket_token.span.open());
        Some(self.checked(base, index, access, src))
    }

    /// `m[(i, j)]` of a type with an `Index` of its own: said once for all of a body's.
    fn tuple_index(&mut self, x: &syn::ExprIndex, t: &syn::ExprTuple, write: bool) {
        if std::mem::replace(&mut self.tuple_indices, true) {
            return;
        }
        let (base, index) = (unmarked(&x.expr), &x.index);
        let at = as_written(index);
        // Names that loops over iterators are given say nothing to a user.
        let at = if at.contains("__omp_") { "(…)".to_owned() } else { at };
        let m = as_written(&base);
        let (whole, borrow) = (quote::quote!(#base #index), if write { "&mut " } else { "&" });
        let flat = match &t.elems.iter().map(as_written).collect::<Vec<_>>()[..] {
            [i, j] => format!("{} * columns + {}", factor(i), j),
            [i, j, k] => format!("({} * rows + {}) * columns + {}", factor(i), j, k),
            _ => "…".to_owned(),
        };
        let message = format!(
            "`{m}[{at}]` calls an `Index` of the type of `{m}`: a device indexes arrays and slices, by numbers"
        );
        let local = crate::sema::syntax::place::of(&base).is_some_and(|of| self.lookup(&of.base).is_some());
        if local {
            let help = format!(
                "write the type of `{m}` where it is bound, `let {m}: Matrix = …;`: its `Index` is found by that if it is a `#[omp::declare_target] impl` of the same module; or index the array in it: `{m}.data[…]`"
            );
            return self.error_at(DiagCode::UnsupportedType, &whole, message, help);
        }
        let help = format!(
            "index its `Vec`: take its slice before the loop, `let data = {borrow}{m}.data[..];` (or whatever the field is called), and its width, `let columns = {m}.columns;`, and write `data[{flat}]`"
        );
        self.error_at(DiagCode::UnsupportedType, &whole, message, help);
    }

    /// Checks a subscript and makes the place.
    pub fn checked(
        &mut self,
        mut base: Place,
        index: ExprId,
        access: AccessId,
        src: omp_ir::ids::SrcId,
    ) -> Place {
        let check = Check::Bounds { access, base: self.copy_place(&base), index: self.copy(index) };
        self.push(Stmt::Check { check, src });
        if let (Base::Array(array), true) = (base.base, base.projections.is_empty())
            && self.is_claimed(array)
        {
            let check = Check::Claim { access, array, index: self.copy(index), to: None };
            self.push(Stmt::Check { check, src });
        }
        if let (Base::Array(array), true, Some(captured)) =
            (base.base, base.projections.is_empty(), &mut self.captured)
        {
            captured.captures.arrays[array.index()].subscripted = true;
        }
        base.projections.push(Projection::Index { index, access });
        base
    }

    pub fn note_access(&mut self, access: AccessId, name: &str, how: Use, span: proc_macro2::Span) {
        let src = self.src(span);
        let a = &mut self.code.accesses[access.index()];
        (a.src, a.bracket) = (src, src);
        a.name = name.to_string();
        a.read |= how.read;
        a.write |= how.write;
    }

    /// [`Lower::settle`] for the indices of a place.
    fn settle_place(&mut self, place: &mut Place, mark: usize) {
        let mut indices: Vec<ExprId> = place
            .projections
            .iter()
            .filter_map(|p| match p {
                Projection::Index { index, .. } => Some(*index),
                Projection::Field(_) | Projection::Payload => None,
            })
            .collect();
        self.settle(&mut indices, mark);
        let mut settled = indices.into_iter();
        for p in &mut place.projections {
            if let Projection::Index { index, .. } = p {
                *index = settled.next().expect("as many as before");
            }
        }
    }

    /// An index that may be evaluated twice: loads from memory and divisions get a name.
    pub fn simple(&mut self, index: ExprId) -> ExprId {
        if self.is_simple(index) { index } else { self.temp("index", index) }
    }

    fn is_simple(&self, id: ExprId) -> bool {
        match &self.code.exprs[id.index()].expr {
            Expr::Load(p) => {
                !matches!(p.base, Base::Array(_))
                    && !p.projections.iter().any(|p| matches!(p, Projection::Index { .. }))
            }
            Expr::Int { .. } | Expr::Len(_) | Expr::SizeOf { .. } => true,
            Expr::Unary(_, a) | Expr::Cast { value: a, .. } => self.is_simple(*a),
            Expr::Binary(_, a, b) => self.is_simple(*a) && self.is_simple(*b),
            _ => false,
        }
    }

    fn value_place(&mut self, e: &mut syn::Expr, how: Use) -> Option<Place> {
        if how.write {
            if let syn::Expr::MethodCall(m) = e {
                self.error(
                    DiagCode::UnsupportedExpr,
                    m.method.span(),
                    format!("what `{}` refers to can't be assigned in a body", m.method),
                    "a method gives a place if `#[omp::offload]` stands on the `mod` around it and the loop, and its body is `&mut` of a field or element; if a condition chooses the place, let a declared method assign it: `fn add(&mut self, …)`",
                );
                return None;
            }
            if matches!(e, syn::Expr::Reference(_)) {
                // An item of `iter_mut()`, whose name is not `mut`.
                self.of_rustc(DiagCode::Reference, e.span(), "a reference can't be assigned in a body");
                return None;
            }
            self.error(
                DiagCode::UnsupportedExpr,
                e.span(),
                "this can't be assigned in a body",
                "assign to a variable, a field or an element",
            );
            return None;
        }
        let value = self.value(e)?;
        if let Expr::Load(p) = &self.code.exprs[value.index()].expr {
            return Some(p.clone());
        }
        let kept = self.temp("value", value);
        match &self.code.exprs[kept.index()].expr {
            Expr::Load(p) => Some(p.clone()),
            _ => unreachable!("a temporary is loaded"),
        }
    }

    /// The value of a place expression.
    pub fn load_place(&mut self, e: &mut syn::Expr) -> Value {
        let span = e.span();
        let src = self.src(span);
        // An element is no whole array.
        let text = match &*e {
            syn::Expr::Index(_) => String::new(),
            e => e.to_token_stream().to_string().replace(' ', ""),
        };
        let place = self.place(e, READ)?;
        if matches!(place.base, Base::Array(_)) && place.projections.is_empty() {
            self.error(
                DiagCode::WholeArray,
                span,
                format!("the mapped array `{text}` can't be used as a whole here"),
                format!("a mapped array can be used in a subscript, in a slice, with `len` or `swap`, or as an argument; of a fixed array, use a copy that is bound before the loop with its type: `let own: [f32; 4] = {text};`"),
            );
            return None;
        }
        Some(self.expr(Expr::Load(place), src))
    }

    /// `&x[a..b]`, `&mut x[..]`: a part of an array.
    pub fn slice(&mut self, x: &mut syn::ExprIndex, mutable: bool) -> Value {
        let span = x.span();
        let src = self.src(span);
        let access = take_access(x, self);
        let name = as_written(&unmarked(&x.expr));
        let how = if mutable { UPDATE } else { READ };
        let mut base = self.place(&mut x.expr, Use { as_array: true, ..how })?;
        self.mark_part(&base, how);
        let mark = self.mark();
        let syn::Expr::Range(r) = strip_mut(&mut x.index) else { unreachable!("a range was seen") };
        let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
        let mut bounds = Vec::new();
        for bound in [&mut r.start, &mut r.end].into_iter().flatten() {
            let before = self.mark();
            self.in_index += 1;
            let v = self.value(bound);
            self.in_index -= 1;
            let v = v?;
            self.settle(&mut bounds, before);
            bounds.push(self.simple(v));
        }
        self.settle_place(&mut base, mark);
        let mut bounds = bounds.into_iter();
        let lo = r.start.is_some().then(|| bounds.next()).flatten();
        let mut hi = bounds.next();
        let last = hi.filter(|_| inclusive).map(|e| self.copy(e));
        if inclusive && let Some(h) = hi {
            let one = self.expr(Expr::Int { value: 1, negative: false, ty: TyRef::Prim(Prim::Usize) }, src);
            hi = Some(self.expr(Expr::Binary(omp_ir::template::BinOp::Add, h, one), src));
        }
        self.note_access(access, &name, how, span);
        self.code.accesses[access.index()].bracket = self.src(x.bracket_token.span.open());
        let (check_base, check_lo) = (self.copy_place(&base), lo.map(|e| self.copy(e)));
        let check =
            Check::Slice { access, base: check_base, lo: check_lo, hi: hi.map(|e| self.copy(e)), last };
        self.push(Stmt::Check { check, src });
        if let (Base::Array(array), true) = (base.base, base.projections.is_empty())
            && self.is_claimed(array)
        {
            let index = match lo {
                Some(e) => self.copy(e),
                None => {
                    let ty = TyRef::Prim(Prim::Usize);
                    self.expr(Expr::Int { value: 0, negative: false, ty }, src)
                }
            };
            let to = match hi {
                Some(e) => self.copy(e),
                None => {
                    let whole = self.copy_place(&base);
                    self.expr(Expr::Len(whole), src)
                }
            };
            let check = Check::Claim { access, array, index, to: Some(to) };
            self.push(Stmt::Check { check, src });
        }
        Some(self.expr(Expr::Slice { base, lo, hi, access: Some(access), mutable }, src))
    }

    /// A `&mut` slice.
    pub fn is_mutable_slice(&self, value: ExprId) -> bool {
        match &self.code.exprs[value.index()].expr {
            Expr::Load(Place { base: Base::Local(l), projections }) => {
                let local = &self.code.locals[l.index()];
                projections.is_empty() && local.kind == LocalKind::Slice && local.mutable
            }
            Expr::Slice { mutable, .. } => *mutable,
            _ => false,
        }
    }

    /// Whether a value is a slice: then the variable that gets it is one, too.
    pub fn is_slice(&self, value: ExprId) -> bool {
        match &self.code.exprs[value.index()].expr {
            Expr::Slice { .. } => true,
            Expr::Load(Place { base: Base::Local(l), projections }) => {
                projections.is_empty() && self.code.locals[l.index()].kind == LocalKind::Slice
            }
            _ => false,
        }
    }
}

/// An element, a variable or a part of one: what is borrowed where its method is called; others are values made for the call.
pub(in crate::lower) fn place_of(e: &syn::Expr) -> bool {
    matches!(strip(e), syn::Expr::Index(_)) || is_place(strip(e))
}

/// As [`place_of`], without parts of values that are made for the call: those are made once, with it.
pub(in crate::lower) fn stands_before(e: &syn::Expr) -> bool {
    match strip(e) {
        syn::Expr::Field(f) => stands_before(&f.base),
        syn::Expr::Index(x) if !matches!(strip(&x.index), syn::Expr::Range(_)) => stands_before(&x.expr),
        e => place_of(e),
    }
}

/// Whether a path to a const leaves out parameters: `Matrix::<_, _>::ZERO`.
fn leaves_out(path: &syn::Path) -> bool {
    path.segments.iter().any(|s| match &s.arguments {
        syn::PathArguments::AngleBracketed(a) => {
            a.args.iter().any(|a| matches!(a, syn::GenericArgument::Type(syn::Type::Infer(_))))
        }
        _ => false,
    })
}

/// A path, field or dereference of one.
pub(in crate::lower) fn is_place(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Path(_) | syn::Expr::Field(_) => true,
        syn::Expr::Unary(u) => matches!(u.op, syn::UnOp::Deref(_)),
        _ => false,
    }
}

/// The id that a subscript bears.
fn take_access(x: &mut syn::ExprIndex, lower: &mut Lower) -> AccessId {
    marks::take(&mut x.attrs).unwrap_or_else(|| {
        let src = lower.src(x.span());
        lower.new_access(src)
    })
}

/// The name that `#[derive(omp::Device)]` gives a field: `type` for `r#type`.
pub(in crate::lower) fn field_name(member: &syn::Member) -> String {
    member.to_token_stream().to_string().replace("r#", "")
}

/// A name that is read as a const where it stands in a pattern.
pub(in crate::lower) fn is_capital(ident: &syn::Ident) -> bool {
    ident.to_string().starts_with(char::is_uppercase)
}
