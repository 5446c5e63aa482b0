//! The type of every expression, bottom-up.
use super::operators::{Binary, binary, cast, unary};
use super::overload::{comparable, has_enum};
use super::{Takes, Typer};
use crate::valid::TypeError;
use omp_ir::desc::{Derived, Prim};
use omp_ir::ids::{ArrayId, CallId, ExprId, FnId, SlotId, SrcId, TyId};
use omp_ir::kernel::{Callee, Ty};
use omp_ir::method::{Method, MethodTy};
use omp_ir::template::{Base, BinOp, Expr, LocalKind, Place, Projection, ThreadQuery, TyRef, UnOp};

impl Typer<'_> {
    /// The type of an expression; each is typed once.
    pub fn expr(&mut self, id: ExprId) -> Result<TyId, TypeError> {
        if let Some(ty) = self.parts.exprs[id.index()] {
            return Ok(ty);
        }
        let node = &self.code.exprs[id.index()];
        let ty = self.new_expr(&node.expr, id, node.src)?;
        self.parts.exprs[id.index()] = Some(ty);
        Ok(ty)
    }

    fn new_expr(&mut self, expr: &Expr, id: ExprId, src: SrcId) -> Result<TyId, TypeError> {
        match expr {
            Expr::Unit => Ok(self.world.types.intern(Ty::Unit)),
            Expr::Int { value: _, negative: _, ty } => self.literal(*ty, src, |_| true),
            Expr::Float { digits: _, negative: _, ty } => self.literal(*ty, src, Prim::is_float),
            Expr::Bool(_) => Ok(self.prim(Prim::Bool)),
            Expr::Load(place) => {
                if let Some((Projection::Field(step), _)) = place.projections.split_last()
                    && step.ends_with('?')
                {
                    return self.is_variant(id, place, src);
                }
                self.place(place, src)
            }
            Expr::Borrow(place) => self.place(place, src),
            Expr::Len(place) => {
                self.element(place, src)?;
                Ok(self.prim(Prim::Usize))
            }
            Expr::Slice { base, lo, hi, access: _, mutable: _ } => {
                let elem = self.element(base, src)?;
                for e in [*lo, *hi].into_iter().flatten() {
                    self.expr_of(e, Prim::Usize, "the bound")?;
                }
                Ok(self.world.types.intern(Ty::Slice(elem)))
            }
            Expr::Unary(op, operand) => self.unary(*op, *operand, id, src),
            Expr::Binary(op, lhs, rhs) => self.binary(*op, (*lhs, *rhs), id, src),
            Expr::Cast { value, ty } => match self.start_of_sum(id, *value, *ty, src) {
                Some(ty) => Ok(ty),
                None => self.cast(*value, *ty, src),
            },
            Expr::Call { call, args } => {
                if let Some(ty) = self.default_of(id, *call, args) {
                    return Ok(ty);
                }
                match self.operator_by_name(id, *call, args, src)? {
                    Some(ty) => Ok(ty),
                    None => self.call(*call, args, src),
                }
            }
            Expr::Struct { slot, name, fields, rest } => self.structure(*slot, name, fields, *rest, src),
            Expr::Array { slot, elems } => {
                let (ty, elem) = self.array(*slot, Some(elems.len()), src)?;
                elems.iter().try_for_each(|&e| self.part(e, elem, "an element"))?;
                Ok(ty)
            }
            Expr::Repeat { slot, value } => {
                let (ty, elem) = self.array(*slot, None, src)?;
                self.part(*value, elem, "the element")?;
                Ok(ty)
            }
            Expr::Some { slot, value } => {
                let payload = self.expr(*value)?;
                let ty = match self.slot(*slot) {
                    Some(ty) => ty,
                    None => self.world.types.intern(Ty::Option(payload)),
                };
                match *self.world.types.get(ty) {
                    Ty::Option(wanted) => self.part(*value, wanted, "the value in `Some`")?,
                    _ => return Err(self.shape(ty, "`Some(…)`", src)),
                }
                Ok(ty)
            }
            Expr::None { slot } => match self.slot(*slot) {
                Some(ty) if matches!(self.world.types.get(ty), Ty::Option(_)) => Ok(ty),
                Some(ty) => Err(self.shape(ty, "`None`", src)),
                None => Err(self.error(Some(src), "`None` of a type that no device has")),
            },
            Expr::IsSome(value) => {
                let ty = self.expr(*value)?;
                let is = self.world.types.payload(ty).is_some() || *self.world.types.get(ty) == Ty::Never;
                if is { Ok(self.prim(Prim::Bool)) } else { Err(self.shape(ty, "a test for `Some`", src)) }
            }
            Expr::Thread(query) => Ok(match query {
                ThreadQuery::TeamNum
                | ThreadQuery::NumTeams
                | ThreadQuery::ThreadNum
                | ThreadQuery::NumThreads => self.prim(Prim::Usize),
                ThreadQuery::IsInitialDevice => self.prim(Prim::Bool),
            }),
            Expr::SizeOf { ty } => {
                let size = self.ty_ref(*ty).and_then(|ty| self.world.types.size(ty));
                let Some(size) = size else {
                    return Err(self.error(Some(src), "`size_of` of a type whose layout no device knows"));
                };
                let literal = Expr::Int { value: size.into(), negative: false, ty: TyRef::Prim(Prim::Usize) };
                self.parts.rewrites.push((id, literal));
                Ok(self.prim(Prim::Usize))
            }
        }
    }

    /// Whether a value is of a variant; a struct always is.
    fn is_variant(&mut self, id: ExprId, place: &Place, src: SrcId) -> Result<TyId, TypeError> {
        let bool = self.prim(Prim::Bool);
        let whole = place.projections.len() - 1;
        let whole = Place { base: place.base, projections: place.projections[..whole].to_vec() };
        let of = self.place(&whole, src)?;
        if matches!(self.world.types.get(of), Ty::Struct(..) | Ty::Never) {
            self.parts.rewrites.push((id, Expr::Bool(true)));
            return Ok(bool);
        }
        self.place(place, src)
    }

    /// A pattern that is the path of a variant without data.
    fn unit_variant(
        &mut self,
        id: ExprId,
        (lhs, rhs): (ExprId, ExprId),
        src: SrcId,
    ) -> Option<Result<TyId, TypeError>> {
        let ty = self.expr(lhs).ok()?;
        let Ty::Data(desc, _) = self.world.types.get(ty) else { return None };
        if self.code.operators.iter().any(|o| o.expr == id) {
            return None;
        }
        let (Expr::Load(place), Expr::Load(Place { base: Base::Const(c), .. })) =
            (&self.node(lhs).expr, &self.node(rhs).expr)
        else {
            return None;
        };
        let name = &self.code.consts[c.index()].name;
        let variant = name.rsplit("::").next().unwrap_or(name).trim().replace("r#", "");
        let value = self.answers.consts.get(c.index())?;
        let found = desc
            .variant(&variant)
            .filter(|v| desc.variants[*v].fields.fields.is_empty() && desc.stands(&value.bytes) == Some(*v));
        if found.is_none() {
            let message = format!(
                "the constant `{name}` in a pattern is of `{}`, an enum with data: write the variant's pattern out",
                desc.name
            );
            return Some(Err(self.error(Some(src), message)));
        }
        let mut place = place.clone();
        place.projections.push(Projection::Field(format!("{variant}?")));
        self.parts.rewrites.push((id, Expr::Load(place)));
        Some(Ok(self.prim(Prim::Bool)))
    }

    fn shape(&self, ty: TyId, what: &str, src: SrcId) -> TypeError {
        self.error(Some(src), format!("{what} is of type `{}`", self.name(ty)))
    }

    fn literal(&mut self, ty: TyRef, src: SrcId, fits: impl Fn(Prim) -> bool) -> Result<TyId, TypeError> {
        let Some(ty) = self.ty_ref(ty) else {
            return Err(self.error(Some(src), "a literal of a type that no device has"));
        };
        match self.world.types.prim(ty) {
            Some(p) if p != Prim::Bool && fits(p) => Ok(ty),
            _ => Err(self.shape(ty, "a literal", src)),
        }
    }

    fn unary(&mut self, op: UnOp, operand: ExprId, id: ExprId, src: SrcId) -> Result<TyId, TypeError> {
        let ty = self.expr(operand)?;
        if self.is_never(ty) {
            return Ok(ty);
        }
        if let Some(ret) = self.overloaded(id, &[operand], false, src)? {
            return Ok(ret);
        }
        if let Some(ty) = self.unary_of_wrapper(op, operand, id, src) {
            return Ok(ty);
        }
        unary(op, self.world.types.get(ty)).map_err(|allowed| {
            self.error(Some(src), format!("operator `{}` on `{}`: {allowed}", op.symbol(), self.name(ty)))
        })?;
        Ok(ty)
    }

    fn binary(
        &mut self,
        op: BinOp,
        (lhs, rhs): (ExprId, ExprId),
        id: ExprId,
        src: SrcId,
    ) -> Result<TyId, TypeError> {
        let (l, r) = (self.expr(lhs)?, self.expr(rhs)?);
        // An operand of dead code takes the other's type.
        let (l, r) = match (self.is_never(l), self.is_never(r)) {
            (true, true) if op.compares() => return Ok(self.prim(Prim::Bool)),
            (true, true) => return Ok(l),
            (true, false) => (r, r),
            (false, true) => (l, l),
            (false, false) => (l, r),
        };
        if let Some(ret) = self.overloaded(id, &[lhs, rhs], op == BinOp::Ne, src)? {
            return Ok(ret);
        }
        if op == BinOp::Eq
            && let Some(variant) = self.unit_variant(id, (lhs, rhs), src)
        {
            return variant;
        }
        if let Some(ty) = self.compared(op, (lhs, rhs), id, src) {
            return Ok(ty);
        }
        if let Some(ty) = self.binary_of_wrapper(op, (lhs, rhs), id, src) {
            return Ok(ty);
        }
        let types = &self.world.types;
        match binary(op, types.get(l), types.get(r)) {
            Ok(Binary::OfLeft) => Ok(l),
            Ok(Binary::Bool) => Ok(self.prim(Prim::Bool)),
            Err(allowed) => {
                let users = |ty| matches!(types.get(ty), Ty::Struct(desc, _) if !desc.name.starts_with('('));
                let allowed = if (users(l) || users(r)) && !self.code.operators.iter().any(|o| o.expr == id) {
                    // Arithmetic in subscripts has no slots.
                    "arithmetic in a subscript is that of numbers; for an operator of a type of yours, write `let k = …;` before it, and `k` in the subscript".into()
                } else {
                    allowed
                };
                let on = if l == r {
                    format!("`{}`", self.name(l))
                } else {
                    format!("`{}` and `{}`", self.name(l), self.name(r))
                };
                Err(self.error(Some(src), format!("operator `{}` on {on}: {allowed}", op.symbol())))
            }
        }
    }

    fn cast(&mut self, value: ExprId, ty: TyRef, src: SrcId) -> Result<TyId, TypeError> {
        let from = self.expr(value)?;
        let Some(to) = self.ty_ref(ty) else {
            return Err(self.error(Some(src), "a cast to a type that no device has"));
        };
        if self.is_never(from) {
            return Ok(to);
        }
        let types = &self.world.types;
        cast(types.get(from), types.get(to)).map_err(|allowed| {
            self.error(Some(src), format!("cast of `{}` as `{}`: {allowed}", self.name(from), self.name(to)))
        })?;
        Ok(to)
    }

    fn array(&mut self, slot: SlotId, len: Option<usize>, src: SrcId) -> Result<(TyId, TyId), TypeError> {
        let Some(ty) = self.slot(slot) else {
            return Err(self.error(Some(src), "an array of a type that no device has"));
        };
        match *self.world.types.get(ty) {
            Ty::Array(elem, n) if len.is_none_or(|len| len as u64 == n) => Ok((ty, elem)),
            _ => Err(self.shape(ty, "an array", src)),
        }
    }

    /// A value of type `wanted` stands where it is taken.
    pub fn part(&mut self, value: ExprId, wanted: TyId, what: &str) -> Result<(), TypeError> {
        let found = self.expr(value)?;
        if self.gathers(value, found, wanted) {
            return Ok(());
        }
        self.expect(found, wanted, Some(self.code.exprs[value.index()].src), what)
    }

    fn structure(
        &mut self,
        slot: SlotId,
        name: &str,
        fields: &[(String, ExprId)],
        rest: Option<ExprId>,
        src: SrcId,
    ) -> Result<TyId, TypeError> {
        let Some(ty) = self.slot(slot) else {
            return Err(self.error(Some(src), "a struct or tuple of a type that no device has"));
        };
        // What is checked of a variant is checked of its fields.
        let (whole, ty) = match self.world.types.get(ty) {
            Ty::Data(desc, variants) => match desc.variant(name) {
                Some(variant) => (ty, variants[variant]),
                None => return Err(self.error(Some(src), format!("`{}` has no variant `{name}`", desc.name))),
            },
            _ => (ty, ty),
        };
        let Ty::Struct(desc, parts) = self.world.types.get(ty).clone() else {
            return Err(self.shape(ty, "a struct or tuple value", src));
        };
        for (name, value) in fields {
            let Some(at) = desc.fields.iter().position(|f| f.name == name) else {
                return Err(self.error(Some(src), format!("`{}` has no field `{name}`", self.name(ty))));
            };
            self.part(*value, parts[at], &format!("field `{name}`"))?;
        }
        match rest {
            Some(rest) => self.part(rest, ty, "the value after `..`")?,
            None if fields.len() == desc.fields.len() => {}
            None => return Err(self.error(Some(src), format!("fields of `{}` are missing", self.name(ty)))),
        }
        Ok(whole)
    }

    /// `T::default()` of a primitive becomes its zero.
    fn default_of(&mut self, id: ExprId, call: CallId, args: &[ExprId]) -> Option<TyId> {
        let param = &self.code.calls[call.index()];
        let function = matches!(self.callee(call.index()), Some(Callee::Fn(_)));
        if function || !args.is_empty() || param.name != "default" {
            return None;
        }
        let ty = self.slot(param.ret?)?;
        let prim = self.world.types.prim(ty)?;
        let zero = match prim {
            Prim::Bool => Expr::Bool(false),
            p if p.is_float() => Expr::Float { digits: "0".into(), negative: false, ty: TyRef::Prim(p) },
            p => Expr::Int { value: 0, negative: false, ty: TyRef::Prim(p) },
        };
        self.parts.rewrites.push((id, zero));
        Some(ty)
    }

    /// The start of a sum or product of `u128` or of std's wrappers, a float's literal: the number itself.
    fn start_of_sum(&mut self, id: ExprId, value: ExprId, ty: TyRef, src: SrcId) -> Option<TyId> {
        let Expr::Float { digits, .. } = &self.code.exprs[value.index()].expr else { return None };
        let TyRef::Slot(slot) = ty else { return None };
        let of = self.slot(slot)?;
        let wrapped = self.wrapper(of).map(|(_, number)| number);
        let prim = self.world.types.prim(wrapped.unwrap_or(of))?;
        if wrapped.is_none() && prim != Prim::U128 {
            return None;
        }
        let start = match digits.as_str() {
            "0.0" => 0,
            "1.0" => 1,
            _ => return None,
        };
        self.expr(value).ok()?;
        let start = Expr::Int { value: start, negative: false, ty: TyRef::Prim(prim) };
        match wrapped {
            Some(number) => self.wrapped(id, start, number, src),
            None => self.parts.rewrites.push((id, start)),
        }
        Some(of)
    }

    /// `a.add(b)` of numbers is `a + b`.
    fn operator_by_name(
        &mut self,
        id: ExprId,
        call: CallId,
        args: &[ExprId],
        src: SrcId,
    ) -> Result<Option<TyId>, TypeError> {
        let param = &self.code.calls[call.index()];
        if !param.method || matches!(self.callee(call.index()), Some(Callee::Fn(_))) {
            return Ok(None);
        }
        let operator = match *args {
            [operand] => UnOp::by_name(&param.name).map(|op| Expr::Unary(op, operand)),
            [lhs, rhs] => BinOp::by_name(&param.name).map(|op| Expr::Binary(op, lhs, rhs)),
            _ => None,
        };
        let Some(operator) = operator else { return Ok(None) };
        for &arg in args {
            if let Expr::Borrow(place) = &self.code.exprs[arg.index()].expr {
                self.parts.rewrites.push((arg, Expr::Load(place.clone())));
            }
        }
        let before = self.parts.rewrites.len();
        let ty = match operator {
            Expr::Binary(op, lhs, rhs) => self.binary(op, (lhs, rhs), id, src)?,
            Expr::Unary(op, operand) => self.unary(op, operand, id, src)?,
            _ => unreachable!("an operator"),
        };
        // (That of a `Wrapping` is one of its number already.)
        if !self.parts.rewrites[before..].iter().any(|(of, _)| *of == id) {
            self.parts.rewrites.push((id, operator));
        }
        Ok(Some(ty))
    }

    fn call(&mut self, call: CallId, args: &[ExprId], src: SrcId) -> Result<TyId, TypeError> {
        match self.callee(call.index()) {
            Some(Callee::Fn(f)) => self.call_fn(f, args, src),
            Some(Callee::Builtin) | None => self.call_method(call, args, src),
        }
    }

    /// A call of a device function with these arguments.
    pub fn call_fn(&mut self, f: FnId, args: &[ExprId], src: SrcId) -> Result<TyId, TypeError> {
        if !self.world.called.contains(&f) {
            self.world.called.push(f);
        }
        if self.world.signatures[f.index()].params.len() != args.len() {
            let name = &self.world.signatures[f.index()].name;
            return Err(self.error(Some(src), format!("`{name}` is called with {} arguments", args.len())));
        }
        for (i, &arg) in args.iter().enumerate() {
            self.argument(f, i, arg)?;
        }
        Ok(self.world.signatures[f.index()].ret)
    }

    /// Argument `i` of a device function.
    fn argument(&mut self, f: FnId, i: usize, arg: ExprId) -> Result<(), TypeError> {
        let found = self.expr(arg)?;
        let signature = &self.world.signatures[f.index()];
        let (takes, wanted, name) = (signature.takes[i], signature.params[i], signature.name.clone());
        let src = self.node(arg).src;
        let Some(wanted) = wanted else {
            if !self.is_never(found) {
                self.world.signatures[f.index()].params[i] = Some(found);
            }
            return self.passed_on(takes, arg, &name);
        };
        if let Some(base) = self.coerces(arg, found, wanted) {
            let mutable = matches!(self.node(arg).expr, Expr::Borrow(_));
            let slice = Expr::Slice { base, lo: None, hi: None, access: None, mutable };
            self.parts.exprs[arg.index()] = Some(wanted);
            self.parts.rewrites.push((arg, slice));
            if takes == Takes::MutSlice && !mutable {
                return Err(self.not_mutable(src, &name));
            }
            return Ok(());
        }
        if let Some(array) = self.is_captured_array(arg, found, wanted) {
            let base = Place::from(Base::Array(array));
            let slice = Expr::Slice { base, lo: None, hi: None, access: None, mutable: false };
            self.parts.exprs[arg.index()] = Some(wanted);
            self.parts.rewrites.push((arg, slice));
            return if takes == Takes::MutSlice { Err(self.not_mutable(src, &name)) } else { Ok(()) };
        }
        if takes == Takes::Value && self.gathers(arg, found, wanted) {
            return Ok(());
        }
        self.expect(found, wanted, Some(src), &format!("argument {} of `{name}`", i + 1))?;
        self.passed_on(takes, arg, &name)
    }

    /// The array that was captured together with a scalar, where a slice of its elements is taken: rustc has checked that the captured
    /// value coerces to a slice.
    fn is_captured_array(&self, arg: ExprId, found: TyId, wanted: TyId) -> Option<ArrayId> {
        let Expr::Load(Place { base: Base::Scalar(s), projections }) = &self.node(arg).expr else {
            return None;
        };
        let array = self.world.captured_arrays[s.index()].filter(|_| projections.is_empty())?;
        let types = &self.world.types;
        let slice = *types.get(wanted) == Ty::Slice(self.world.arrays[array.index()]);
        (slice && !matches!(types.get(found), Ty::Array(..))).then_some(array)
    }

    /// What stands as a slice and is an array, where a `[T; N]` or a `&` of one is taken: a mapped array as a whole, the rest of an
    /// array's pattern. rustc has seen that it has as many elements.
    pub fn gathers(&mut self, arg: ExprId, found: TyId, wanted: TyId) -> bool {
        let types = &self.world.types;
        let fits = matches!((types.get(found), types.get(wanted)), (Ty::Slice(a), Ty::Array(b, _)) if a == b);
        let node = self.node(arg).clone();
        if !fits {
            return false;
        }
        let slice = self.add(node.expr, found, node.src);
        let call = CallId::new(self.parts.methods.len());
        self.parts.methods.push(Some(Method::ToArray));
        self.parts.rewrites.push((arg, Expr::Call { call, args: vec![slice] }));
        self.parts.exprs[arg.index()] = Some(wanted);
        true
    }

    /// The form of an argument fits what the parameter takes.
    fn passed_on(&mut self, takes: Takes, arg: ExprId, name: &str) -> Result<(), TypeError> {
        let node = self.node(arg).clone();
        match (takes, &node.expr) {
            (Takes::Ref, Expr::Borrow(_)) => Ok(()),
            (Takes::Value, Expr::Borrow(place)) => {
                self.parts.rewrites.push((arg, Expr::Load(place.clone())));
                Ok(())
            }
            (Takes::MutSlice, Expr::Slice { mutable: true, .. }) | (Takes::Value, _) => Ok(()),
            (Takes::MutSlice, Expr::Load(Place { base: Base::Local(l), projections }))
                if projections.is_empty()
                    && self.code.locals[l.index()].mutable
                    && self.code.locals[l.index()].kind == LocalKind::Slice =>
            {
                Ok(())
            }
            (Takes::Ref | Takes::MutSlice, _) => Err(self.not_mutable(node.src, name)),
        }
    }

    fn not_mutable(&self, src: SrcId, name: &str) -> TypeError {
        self.error(
            Some(src),
            format!("`{name}` may write its receiver: pass it with `&mut`, as in `(&mut x[i]).{name}()`"),
        )
    }

    /// The array that is passed to a slice parameter, as `&array` is in Rust.
    fn coerces(&self, arg: ExprId, found: TyId, wanted: TyId) -> Option<Place> {
        let types = &self.world.types;
        let fits = match (types.get(found), types.get(wanted)) {
            (Ty::Array(a, _), Ty::Slice(b)) => a == b,
            _ => false,
        };
        match &self.node(arg).expr {
            Expr::Load(place) | Expr::Borrow(place) if fits => Some(place.clone()),
            _ => None,
        }
    }

    fn call_method(&mut self, call: CallId, args: &[ExprId], src: SrcId) -> Result<TyId, TypeError> {
        let param = &self.code.calls[call.index()];
        let Some(&first) = args.first() else {
            let message = format!("function `{}()` is not on devices", param.name);
            return Err(self.error(Some(src), message));
        };
        let mut recv = self.expr(first)?;
        let slot_ty = param.ret.and_then(|slot| self.slot(slot));
        // `k.max(x[i])` of an array that stands as a slice.
        if let Some(array) = slot_ty
            && Method::parse(&param.name, self.world.types.get(recv), args.len()).is_none()
            && self.gathers(first, recv, array)
        {
            recv = array;
        }
        if self.is_never(recv) {
            return Ok(slot_ty.unwrap_or(recv));
        }
        let found = Method::parse(&param.name, self.world.types.get(recv), args.len());
        let ordered = matches!(found, Some(Method::Compare { .. } | Method::Extreme(_) | Method::Clamp));
        // For a method, rustc has resolved how an enum is compared; for a path it has not.
        let types = &self.world.types;
        let how = match found {
            Some(Method::Compare { partial: true }) => Derived::PartialOrder,
            _ => Derived::Order,
        };
        let fits = comparable(types, recv, how) && (param.method || !has_enum(types, recv));
        let Some(method) = found.filter(|_| !ordered || fits) else {
            let kind = if param.method { "method" } else { "function" };
            return Err(self.error(
                Some(src),
                format!(
                    "{kind} `{}` of `{}` is not on devices; the numeric methods of the primitives are, and functions \
                     under `#[omp::declare_target]`",
                    param.name,
                    self.name(recv)
                ),
            ));
        };
        self.parts.methods[call.index()] = Some(method);
        for &arg in args {
            if let Expr::Borrow(place) = &self.code.exprs[arg.index()].expr {
                self.parts.rewrites.push((arg, Expr::Load(place.clone())));
            }
        }
        for (i, (&arg, &wanted)) in args[1..].iter().zip(method.params()).enumerate() {
            match self.method_type(wanted, recv, slot_ty) {
                Some(wanted) => self.part(arg, wanted, &format!("argument {} of `{}`", i + 1, param.name))?,
                None => _ = self.expr(arg)?,
            }
        }
        let ret = self.method_type(method.result(), recv, slot_ty);
        match ret {
            Some(ret) if self.result_fits(method, recv, ret) => Ok(ret),
            _ => Err(self.error(Some(src), format!("`{}` gives a type that no device has", param.name))),
        }
    }

    /// The result type that rustc inferred is one that the method can have.
    fn result_fits(&self, method: Method, recv: TyId, ret: TyId) -> bool {
        let types = &self.world.types;
        match method {
            Method::Convert => cast(types.get(recv), types.get(ret)).is_ok() || self.float_of_bool(recv, ret),
            Method::Compare { partial } => {
                let order = match (partial, types.get(ret)) {
                    (true, Ty::Option(payload)) => types.get(*payload),
                    (true, _) => return false,
                    (false, ty) => ty,
                };
                matches!(order, Ty::Enum(desc) if desc.is_ordering())
            }
            Method::TotalCompare => matches!(types.get(ret), Ty::Enum(desc) if desc.is_ordering()),
            Method::ToBytes { .. } => self.is_bytes_of(ret, recv),
            Method::FromBytes { .. } => self.is_bytes_of(recv, ret),
            _ if method.result() == MethodTy::Slot => {
                let second = |t| t == recv || types.prim(t) == Some(Prim::Bool);
                matches!(types.get(ret), Ty::Struct(_, parts) if matches!(parts[..], [a, b] if a == recv && second(b)))
            }
            Method::Option(omp_ir::method::OptionMethod::UnwrapOrDefault) => types.prim(ret).is_some(),
            Method::Arith(..)
            | Method::Int(_)
            | Method::Byte(_)
            | Method::Char(_)
            | Method::Float(_)
            | Method::Option(_)
            | Method::Slice(_)
            | Method::Order(_)
            | Method::Clone
            | Method::ToArray
            | Method::Part(_)
            | Method::OfPart
            | Method::Extreme(_)
            | Method::Clamp
            | Method::Parts(_) => true,
        }
    }

    /// `[u8; size of the number]`
    fn is_bytes_of(&self, bytes: TyId, number: TyId) -> bool {
        let types = &self.world.types;
        let (Ty::Array(elem, len), Some(prim)) = (types.get(bytes), types.prim(number)) else { return false };
        types.prim(*elem) == Some(Prim::U8)
            && usize::try_from(*len) == Ok(prim.size())
            && (prim.is_int() || prim.is_float())
    }

    /// `f32::from(true)`: a conversion that no cast is.
    fn float_of_bool(&self, from: TyId, to: TyId) -> bool {
        let types = &self.world.types;
        types.prim(from) == Some(Prim::Bool) && types.prim(to).is_some_and(Prim::is_float)
    }

    fn method_type(&mut self, ty: MethodTy, recv: TyId, slot_ty: Option<TyId>) -> Option<TyId> {
        let prim = self.world.types.prim(recv);
        Some(match ty {
            MethodTy::Recv => recv,
            MethodTy::Payload => self.world.types.payload(recv)?,
            MethodTy::OptionPayload => {
                let payload = self.world.types.payload(recv)?;
                self.world.types.intern(Ty::Option(payload))
            }
            MethodTy::Prim(p) => self.prim(p),
            MethodTy::Signed => self.prim(prim?.signed()),
            MethodTy::Unsigned | MethodTy::BitsOfFloat => self.prim(prim?.unsigned()),
            MethodTy::FloatOfBits => self.prim(if prim? == Prim::U32 { Prim::F32 } else { Prim::F64 }),
            MethodTy::OptionRecv => self.world.types.intern(Ty::Option(recv)),
            MethodTy::OptionU32 => {
                let payload = self.prim(Prim::U32);
                self.world.types.intern(Ty::Option(payload))
            }
            MethodTy::OptionChar => {
                let payload = self.prim(Prim::Char);
                self.world.types.intern(Ty::Option(payload))
            }
            MethodTy::OptionSigned => {
                let payload = self.prim(prim?.signed());
                self.world.types.intern(Ty::Option(payload))
            }
            MethodTy::Slot => return slot_ty,
        })
    }
}
