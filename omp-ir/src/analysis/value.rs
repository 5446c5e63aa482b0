//! Translates expressions to index forms, for the survey.
use super::floats::Bounded;
use super::form::{Arith, NodeId, Op, Rel, Sym, VarId};
use super::survey::{Known, Oracle, Part, PartNumber};
use super::walk::Walker;
use crate::desc::Prim;
use crate::ids::{ArrayId, CallId, ExprId, LocalId, ScalarId};
use crate::method::{IntMethod, Method, MethodTy, Overflow};
use crate::template::{Base, BinOp, Expr, LocalKind, Place, Projection, TyRef, UnOp};

/// Why nothing is known of a number of 128 bits.
pub(super) const WIDE: &str = "it is a number of 128 bits";

/// What a local is bound to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// A number.
    Node(NodeId),
    /// A tuple, struct or fixed array whose parts are known.
    Fields(Vec<(String, Value)>),
    /// A captured struct, or a const that is one, or a part of it that is no number.
    Part(Part),
    /// A slice of this length.
    Slice {
        /// How many elements it has.
        len: NodeId,
    },
    /// An `Option`.
    Option {
        /// Whether it is `Some`.
        present: NodeId,
        /// What it holds then. `None`: it never is.
        some: Option<Box<Value>>,
    },
    /// A floating-point number that may be converted to an integer.
    Float(Bounded),
    /// Anything else; why it is no number that we know.
    Other(String),
}

impl<'a, O: Oracle<'a>> Walker<'a, O> {
    /// The form of an integer or truth value.
    pub(super) fn node(&mut self, e: ExprId) -> NodeId {
        match self.value(e) {
            Value::Node(n) => n,
            Value::Other(reason) => self.opaque(reason, e),
            Value::Float(of) => {
                of.node.unwrap_or_else(|| self.opaque("it is a floating-point number".into(), e))
            }
            Value::Fields(_) | Value::Part(_) | Value::Slice { .. } | Value::Option { .. } => {
                self.opaque("it is no number".into(), e)
            }
        }
    }

    /// The form of an expression that is an integer or `None`.
    pub(super) fn bound(&mut self, e: Option<ExprId>, otherwise: impl FnOnce(&mut Self) -> NodeId) -> NodeId {
        match e {
            Some(e) => self.node(e),
            None => otherwise(self),
        }
    }

    fn opaque(&mut self, reason: String, e: ExprId) -> NodeId {
        let ty = self.prim(e);
        self.out.forms.opaque(reason, ty)
    }

    fn prim(&self, e: ExprId) -> Option<Prim> {
        match self.oracle.expr(e) {
            Known::Prim(p) => Some(p),
            Known::NotYet | Known::Other => None,
        }
    }

    /// The value of an expression, as far as it is understood.
    pub(super) fn value(&mut self, e: ExprId) -> Value {
        let ty = self.prim(e);
        if let Some(ty) = ty.filter(|ty| ty.is_float()) {
            return self
                .float(e, ty)
                .map_or_else(|| Value::Other("it is a floating-point number".into()), Value::Float);
        }
        if ty == Some(Prim::U128) {
            // Its values are beyond the numbers that forms are made of.
            return Value::Other(WIDE.into());
        }
        let code = self.code;
        Value::Node(match &code.exprs[e.index()].expr {
            Expr::Int { value, negative, ty: _ } => {
                let Ok(v) = i128::try_from(*value) else {
                    return Value::Other("the literal is too large".into());
                };
                self.out.forms.constant(if *negative { -v } else { v }, ty)
            }
            Expr::Bool(b) => self.out.forms.constant(i128::from(*b), Some(Prim::Bool)),
            Expr::Load(place) | Expr::Borrow(place) => return self.load(place, e),
            Expr::Len(place) => self.len_of(place, e),
            Expr::Slice { base, lo, hi, access: _, mutable: _ } => {
                let (lo, hi) = (*lo, *hi);
                let lo = self.bound(lo, |w| w.usize_const(0));
                let hi = self.bound(hi, |w| w.len_of(base, e));
                return Value::Slice { len: self.bin(Arith::Sub, hi, lo, self.usize_ty()) };
            }
            Expr::Unary(UnOp::Neg, a) => {
                let a = self.node(*a);
                self.out.forms.add(Op::Neg(a), ty)
            }
            Expr::Unary(UnOp::Not, a) => {
                let a = self.node(*a);
                let truth = self.out.forms.is_bool(a).then_some(Prim::Bool);
                self.out.forms.add(Op::Not(a), ty.or(truth))
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.node(*a), self.node(*b));
                self.binary(*op, a, b, ty)
            }
            Expr::Cast { value: _, ty: TyRef::Prim(p) } if p.is_float() => {
                return Value::Other("it is a floating-point number".into());
            }
            Expr::Cast { value: _, ty: TyRef::Slot(slot) }
                if !self.oracle.typed() && code.floats.contains(slot) =>
            {
                return Value::Other("it is a floating-point number".into());
            }
            Expr::Cast { value, ty: _ } => return self.cast(*value, ty, e),
            Expr::Call { call, args } => return self.call(*call, args, ty),
            Expr::Struct { slot: _, name: _, fields, rest: None } => {
                return Value::Fields(fields.iter().map(|(n, v)| (n.clone(), self.value(*v))).collect());
            }
            Expr::Array { slot: _, elems } => {
                let elems = elems.iter().enumerate();
                return Value::Fields(elems.map(|(i, v)| (i.to_string(), self.value(*v))).collect());
            }
            Expr::SizeOf { ty: t } if !self.oracle.typed() => {
                self.free(format!("size_of {t:?}"), "size_of", None)
            }
            Expr::Thread(_) => return Value::Other("it depends on the number of the thread".into()),
            Expr::IsSome(of) => match self.value(*of) {
                Value::Option { present, some: _ } => present,
                _ => self.opaque("it depends on an `Option`".into(), e),
            },
            Expr::Some { value, .. } => {
                let present = self.out.forms.constant(1, Some(Prim::Bool));
                return Value::Option { present, some: Some(Box::new(self.value(*value))) };
            }
            Expr::None { .. } => {
                let present = self.out.forms.constant(0, Some(Prim::Bool));
                return Value::Option { present, some: None };
            }
            Expr::SizeOf { .. }
            | Expr::Float { .. }
            | Expr::Unit
            | Expr::Struct { .. }
            | Expr::Repeat { .. } => return Value::Other("it can't be analysed".into()),
        })
    }

    pub(super) fn usize_ty(&self) -> Option<Prim> {
        self.oracle.typed().then_some(Prim::Usize)
    }

    pub(super) fn usize_const(&mut self, value: i128) -> NodeId {
        let ty = self.usize_ty();
        self.out.forms.constant(value, ty)
    }

    pub(super) fn bin(&mut self, op: Arith, a: NodeId, b: NodeId, ty: Option<Prim>) -> NodeId {
        self.out.forms.add(Op::Bin(op, a, b), ty)
    }

    fn binary(&mut self, op: BinOp, a: NodeId, b: NodeId, ty: Option<Prim>) -> NodeId {
        let both_bool = self.out.forms.is_bool(a) && self.out.forms.is_bool(b);
        let ty = ty.or(both_bool.then_some(Prim::Bool));
        let bool_ty = Some(Prim::Bool);
        match op {
            BinOp::Add => self.bin(Arith::Add, a, b, ty),
            BinOp::Sub => self.bin(Arith::Sub, a, b, ty),
            BinOp::Mul => self.bin(Arith::Mul, a, b, ty),
            BinOp::Div => self.bin(Arith::Div, a, b, ty),
            BinOp::Rem => self.bin(Arith::Rem, a, b, ty),
            BinOp::BitAnd => self.bin(Arith::And, a, b, ty),
            BinOp::BitOr => self.bin(Arith::Or, a, b, ty),
            BinOp::BitXor => self.bin(Arith::Xor, a, b, ty),
            BinOp::Shl => self.bin(Arith::Shl, a, b, ty),
            BinOp::Shr => self.bin(Arith::Shr, a, b, ty),
            BinOp::And => self.bin(Arith::And, a, b, bool_ty),
            BinOp::Or => self.bin(Arith::Or, a, b, bool_ty),
            BinOp::Eq => self.out.forms.add(Op::Rel(Rel::Eq, a, b), bool_ty),
            BinOp::Ne => self.out.forms.add(Op::Rel(Rel::Ne, a, b), bool_ty),
            BinOp::Lt => self.out.forms.add(Op::Rel(Rel::Lt, a, b), bool_ty),
            BinOp::Le => self.out.forms.add(Op::Rel(Rel::Le, a, b), bool_ty),
            BinOp::Gt => self.out.forms.add(Op::Rel(Rel::Gt, a, b), bool_ty),
            BinOp::Ge => self.out.forms.add(Op::Rel(Rel::Ge, a, b), bool_ty),
        }
    }

    fn cast(&mut self, value: ExprId, to: Option<Prim>, e: ExprId) -> Value {
        match (self.oracle.expr(value), to) {
            // Macro time: as if the value fitted; the launch checks it.
            (Known::NotYet, _) => self.value(value),
            (Known::Prim(from), Some(to)) if !from.is_float() && !to.is_float() => {
                let a = self.node(value);
                let same = from == to;
                Value::Node(if same { a } else { self.out.forms.add(Op::Cast(a), Some(to)) })
            }
            // An enum, whose number is its value.
            (Known::Other, Some(_)) => match self.value(value) {
                Value::Node(a) => Value::Node(self.out.forms.add(Op::Cast(a), to)),
                value => value,
            },
            (Known::Prim(from), Some(to)) if from.is_float() => {
                let of = self.float(value, from).unwrap_or_default();
                Value::Node(self.truncated(of, to))
            }
            (Known::Prim(_) | Known::Other, _) => {
                Value::Node(self.opaque("it is converted from something that is no integer".into(), e))
            }
        }
    }

    fn call(&mut self, call: CallId, args: &[ExprId], ty: Option<Prim>) -> Value {
        let name = &self.code.calls[call.index()].name;
        if let Some(function) = self.oracle.function(call) {
            let result = self.inlined(&function, args);
            return match result {
                Some(result) => result,
                None if self.oracle.typed() => Value::Other(format!("it is the result of `{name}`")),
                None => self.unseen(name, args),
            };
        }
        let method = self.code.calls[call.index()].method && self.oracle.builtin(call);
        let op = match (method, name.as_str(), args.len()) {
            (true, "min", 2) => Arith::Min,
            (true, "max", 2) => Arith::Max,
            (true, "saturating_sub", 2) => Arith::SaturatingSub,
            (true, "saturating_add", 2) => Arith::SaturatingAdd,
            (true, "wrapping_add", 2) => Arith::Add,
            (true, "wrapping_sub", 2) => Arith::Sub,
            (true, "wrapping_mul", 2) => Arith::Mul,
            (true, "abs_diff", 2) => Arith::AbsDiff,
            (true, "rem_euclid", 2) => Arith::RemEuclid,
            (true, "div_euclid", 2) => Arith::DivEuclid,
            (true, "clamp", 3) => {
                let (x, lo, hi) = (self.node(args[0]), self.node(args[1]), self.node(args[2]));
                let low = self.bin(Arith::Max, x, lo, ty);
                return Value::Node(self.bin(Arith::Min, low, hi, ty));
            }
            // Of a variable whose type only the launch knows: an array, say.
            (true, "len", 1) => {
                let (Expr::Load(place) | Expr::Borrow(place)) = &self.code.exprs[args[0].index()].expr else {
                    return self.method(call, args, ty);
                };
                return Value::Node(if self.oracle.typed() || matches!(place.base, Base::Local(_)) {
                    self.len_of(place, args[0])
                } else {
                    // An element's type may have a `len` of its own, with another result for each element.
                    self.out.forms.later("it is the result of `len`".into(), None)
                });
            }
            (true, "checked_sub" | "checked_add", 2) => return self.checked(name, args),
            _ => return self.method(call, args, ty),
        };
        let (a, b) = (self.node(args[0]), self.node(args[1]));
        Value::Node(self.bin(op, a, b, ty))
    }

    /// A sum or difference that there is only if it fits.
    fn checked(&mut self, name: &str, args: &[ExprId]) -> Value {
        let ty = self.prim(args[0]);
        let (a, b) = (self.node(args[0]), self.node(args[1]));
        let op = if name == "checked_sub" { Arith::Sub } else { Arith::Add };
        let present =
            if op == Arith::Sub && ty.is_some_and(|ty| ty.int_range().is_some_and(|(lo, _)| lo == 0)) {
                self.out.forms.add(Op::Rel(Rel::Ge, a, b), Some(Prim::Bool))
            } else {
                self.out.forms.opaque("it depends on an `Option`".into(), Some(Prim::Bool))
            };
        Value::Option { present, some: Some(Box::new(Value::Node(self.bin(op, a, b, ty)))) }
    }

    /// A constant that only macro time treats as known. Those of a function are others at each call of it.
    fn free(&mut self, name: String, shown: &str, ty: Option<Prim>) -> NodeId {
        let name = self.numbered(name);
        self.out.forms.sym(Sym::Free(name), shown, ty)
    }

    /// Methods that are no arithmetic of forms.
    fn method(&mut self, call: CallId, args: &[ExprId], ty: Option<Prim>) -> Value {
        let name = &self.code.calls[call.index()].name;
        let method = self.oracle.method(call, name, args.len());
        let known = match method {
            Some(Method::Int(m)) => matches!(
                m.row().result,
                MethodTy::Recv | MethodTy::Prim(_) | MethodTy::Signed | MethodTy::Unsigned
            ),
            Some(Method::Arith(Overflow::Wrapping | Overflow::Saturating | Overflow::Strict, _)) => true,
            _ => false,
        };
        let numbers =
            !self.oracle.typed() || ty.is_some_and(|ty| ty.int_range().is_some() || ty == Prim::Bool);
        match (method, args) {
            (Some(Method::Clone), [a]) => self.value(*a),
            (Some(Method::Convert), [a]) if numbers => match self.cast(*a, ty, *a) {
                Value::Node(n)
                    if matches!(self.oracle.expr(*a), Known::NotYet | Known::Prim(_))
                        || self.out.forms.is_of_numbers(n) =>
                {
                    Value::Node(n)
                }
                // What it is converted from is no number.
                _ => Value::Other(format!("it is the result of `{name}`")),
            },
            (Some(method), [a, rest @ ..]) if known && numbers && rest.len() < 2 => {
                let a = self.node(*a);
                let b = rest.first().map(|b| self.node(*b));
                if self.out.forms.is_float(a) {
                    return Value::Other(format!("it is the result of `{name}`"));
                }
                let result = self.out.forms.add(Op::Method(method, a, b), ty);
                let bits = self.out.forms.get(a).ty.filter(|_| counts_bits(method)).map(|of| 8 * of.size());
                Value::Node(match bits {
                    Some(bits) => {
                        let bits = self.out.forms.constant(bits as i128, ty);
                        self.bin(Arith::AtMost, result, bits, ty)
                    }
                    None => result,
                })
            }
            _ if !self.oracle.typed() && !Method::is_name(name, args.len()) => self.unseen(name, args),
            _ => Value::Other(format!("it is the result of `{name}`")),
        }
    }

    /// The result of a function whose body macro time does not see: the launch does, unless data decides the arguments.
    fn unseen(&mut self, name: &str, args: &[ExprId]) -> Value {
        /// The numbers of a value; `false` if there is something else.
        fn numbers(value: &Value, out: &mut Vec<NodeId>) -> bool {
            match value {
                Value::Node(n) => out.push(*n),
                Value::Fields(fields) => return fields.iter().all(|(_, value)| numbers(value, out)),
                Value::Part(_)
                | Value::Slice { .. }
                | Value::Option { .. }
                | Value::Float(_)
                | Value::Other(_) => {
                    return false;
                }
            }
            true
        }
        let args: Vec<Value> = args.iter().map(|e| self.value(*e)).collect();
        let mut nodes = Vec::new();
        let all = args.iter().all(|value| numbers(value, &mut nodes));
        let reason = format!("it is the result of `{name}`");
        let forms = &mut self.out.forms;
        if !all || !nodes.iter().all(|n| forms.will_be_of_numbers(*n)) {
            return Value::Other(reason);
        }
        Value::Node(if nodes.iter().all(|n| forms.is_invariant(*n)) {
            forms.sym(Sym::Free(format!("{name} {args:?}")), &format!("{name}(…)"), None)
        } else {
            forms.later(reason, None)
        })
    }

    /// The length of a place.
    pub(super) fn len_of(&mut self, place: &Place, e: ExprId) -> NodeId {
        if let (Base::Array(a), []) = (place.base, place.projections.as_slice()) {
            let name = format!("{}.len()", self.arrays[a.index()].name);
            let ty = self.usize_ty();
            return self.out.forms.sym(Sym::Len(a), &name, ty);
        }
        if let (Base::Local(l), []) = (place.base, place.projections.as_slice())
            && let Some(value) = self.env.get(&l)
        {
            match value {
                Value::Slice { len } => return *len,
                Value::Fields(elements) => return self.usize_const(elements.len() as i128),
                _ => {}
            }
        }
        if let Some(n) = self.oracle.fixed_len(place) {
            return self.usize_const(i128::from(n));
        }
        let ty = self.usize_ty();
        match place.base {
            // Nested arrays are fixed ones: one length for all elements.
            Base::Array(_) | Base::Const(_) | Base::Scalar(_) if !self.oracle.typed() => {
                let name = format!("{:?}{}.len()", place.base, self.fields_of(place));
                self.free(name, "the inner length", ty)
            }
            // A local array, whose type is known at the launch.
            Base::Local(l)
                if !self.oracle.typed()
                    && !matches!(self.code.locals[l.index()].kind, LocalKind::Ref | LocalKind::Slice) =>
            {
                let name = format!("{:?}{}.len()", place.base, self.fields_of(place));
                self.free(name, "the length of a local array", ty)
            }
            Base::Array(_) | Base::Const(_) | Base::Scalar(_) | Base::Local(_) => {
                self.opaque("it is the length of a slice".into(), e)
            }
        }
    }

    /// The fields on the way to a place, whichever elements it passes.
    fn fields_of(&self, place: &Place) -> String {
        let part = |p: &Projection| match p {
            Projection::Field(f) => format!(".{f}"),
            Projection::Index { .. } => "[]".into(),
            Projection::Payload => "?".into(),
        };
        place.projections.iter().map(part).collect()
    }

    fn load(&mut self, place: &Place, e: ExprId) -> Value {
        match place.base {
            Base::Local(l) => self.load_local(l, &place.projections),
            Base::Array(a) => self.load_element(a, &place.projections, e),
            Base::Scalar(s) => {
                let name = self.scalars[s.index()].name.clone();
                match (self.oracle.scalar(s), place.projections.as_slice()) {
                    (Known::NotYet, []) => Value::Node(self.out.forms.sym(Sym::Scalar(s), &name, None)),
                    (Known::Prim(p), []) if !p.is_float() => {
                        Value::Node(self.out.forms.sym(Sym::Scalar(s), &name, Some(p)))
                    }
                    (Known::NotYet, path) if let Some(path) = self.dotted(path) => {
                        let name = format!("{name}{path}");
                        Value::Node(self.out.forms.sym(Sym::Free(name.clone()), &name, None))
                    }
                    (_, path) => match self.part_of(place.base, path) {
                        Some(value) => value,
                        None => Value::Other(format!("it is read from `{name}`")),
                    },
                }
            }
            Base::Const(c) => {
                let name = self.code.consts[c.index()].name.clone();
                match (self.oracle.typed(), place.projections.as_slice()) {
                    (true, path) => match (self.oracle.konst(c), self.part_of(place.base, path)) {
                        (Some((v, p)), _) if path.is_empty() => {
                            Value::Node(self.out.forms.constant(v, Some(p)))
                        }
                        (_, Some(value)) => value,
                        (_, None) if path.is_empty() => {
                            Value::Node(self.opaque(format!("it is read from `{name}`"), e))
                        }
                        (_, None) => Value::Other(format!("it is read from `{name}`")),
                    },
                    (false, path) => match self.dotted(path) {
                        Some(path) => {
                            let name = format!("{name}{path}");
                            Value::Node(self.free(name.clone(), &name, None))
                        }
                        None => Value::Other(format!("it is read from `{name}`")),
                    },
                }
            }
        }
    }

    /// An element of an array: a number that an inspection may read if nothing writes the array.
    fn load_element(&mut self, array: ArrayId, path: &[Projection], e: ExprId) -> Value {
        let param = &self.arrays[array.index()];
        let reason = format!("it is read from `{}`", param.name);
        let ty = match self.oracle.expr(e) {
            Known::Prim(p) if self.oracle.typed() && !param.written && !p.is_float() => Some(p),
            Known::NotYet if !param.written => None,
            Known::Prim(_) | Known::NotYet | Known::Other => return Value::Other(reason),
        };
        let [Projection::Index { index, access: _ }, fields @ ..] = path else { return Value::Other(reason) };
        let name = |p: &Projection| match p {
            Projection::Field(name) => Some(name.clone()),
            Projection::Index { .. } | Projection::Payload => None,
        };
        let Some(fields) = fields.iter().map(name).collect() else { return Value::Other(reason) };
        let index = self.node(*index);
        Value::Node(self.out.forms.load((array, index, fields), (reason, ty)))
    }

    pub(super) fn load_local(&mut self, l: LocalId, path: &[Projection]) -> Value {
        let local = &self.code.locals[l.index()];
        if let (LocalKind::Private(s), false, []) = (local.kind, self.assigned[l.index()], path) {
            // Never assigned: the captured value.
            return self.load(&Place::from(Base::Scalar(s)), ExprId(u32::MAX));
        }
        let elements: Vec<Option<String>> = path.iter().map(|p| self.element_number(p)).collect();
        let mut value = self.env.get(&l);
        for (k, p) in path.iter().enumerate() {
            value = match (value, p) {
                (Some(Value::Fields(fields)), Projection::Index { .. }) => {
                    let element = elements[k].as_ref();
                    fields.iter().find(|(n, _)| Some(n) == element).map(|(_, v)| v)
                }
                (Some(Value::Fields(fields)), Projection::Field(name)) => {
                    fields.iter().find(|(n, _)| n == name).map(|(_, v)| v)
                }
                (Some(Value::Node(n)), _)
                    if !self.oracle.typed()
                        && let Some(path) = self.dotted_in_result(&path[k..]) =>
                {
                    let whole = *n;
                    return match self.out.forms.field_of(whole, &path) {
                        Some(field) => Value::Node(field),
                        None => Value::Other(match local.kind {
                            LocalKind::Temp => "its value depends on a condition".into(),
                            _ => format!("it is read from `{}`", local.name),
                        }),
                    };
                }
                (Some(Value::Option { some: Some(some), .. }), Projection::Payload) => Some(&**some),
                (Some(Value::Part(part)), _) => {
                    let part = *part;
                    let reason = || Value::Other(format!("it is read from `{}`", local.name));
                    return self.inside(part, &path[k..]).unwrap_or_else(reason);
                }
                _ => None,
            };
        }
        match value {
            Some(value) => value.clone(),
            None => Value::Other(match local.kind {
                LocalKind::Temp => "its value depends on a condition".into(),
                LocalKind::User | LocalKind::Private(_) if path.is_empty() && self.assigned[l.index()] => {
                    self.assigned_often(l)
                }
                LocalKind::User
                | LocalKind::Private(_)
                | LocalKind::Loop
                | LocalKind::Reduction
                | LocalKind::Slice
                | LocalKind::Ref => format!("it is read from `{}`", local.name),
            }),
        }
    }

    /// The number of an element, where it is written out, a const, or a variable of which the value is known. (Before types are known, the name of the const.)
    fn element_number(&self, p: &Projection) -> Option<String> {
        let Projection::Index { index, access: _ } = p else { return None };
        match &self.code.exprs[index.index()].expr {
            Expr::Int { value, negative: false, ty: _ } => Some(value.to_string()),
            Expr::Load(Place { base: Base::Const(c), projections }) if projections.is_empty() => {
                match self.oracle.konst(*c) {
                    Some((value, _)) => Some(value.to_string()),
                    None => Some(self.code.consts[c.index()].name.clone()),
                }
            }
            Expr::Load(Place { base: Base::Local(l), projections }) if projections.is_empty() => {
                match self.env.get(l) {
                    Some(Value::Node(n)) => Some(self.out.forms.as_constant(*n)?.to_string()),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A path of fields and of elements with constant numbers, as text.
    fn dotted(&self, path: &[Projection]) -> Option<String> {
        let step = |p: &Projection| match p {
            Projection::Field(f) => Some(format!(".{f}")),
            Projection::Index { .. } => self.element_number(p).map(|n| format!("[{n}]")),
            Projection::Payload => None,
        };
        path.iter().map(step).collect()
    }

    /// The same of what a function returns, which may be an `Option`.
    fn dotted_in_result(&self, path: &[Projection]) -> Option<String> {
        let mut text = String::new();
        for part in path {
            match part {
                Projection::Payload => text.push('?'),
                part => text += &self.dotted(std::slice::from_ref(part))?,
            }
        }
        Some(text)
    }

    /// What stands in a captured struct, or in a const that is one.
    fn part_of(&mut self, base: Base, path: &[Projection]) -> Option<Value> {
        let whole = self.oracle.whole(base)?;
        self.inside(whole, path)
    }

    fn inside(&mut self, mut part: Part, path: &[Projection]) -> Option<Value> {
        for p in path {
            part = match p {
                Projection::Field(name) => self.oracle.field(part, name)?,
                Projection::Index { .. } => self.oracle.field(part, &self.element_number(p)?)?,
                Projection::Payload => return None,
            };
        }
        Some(match self.oracle.number(part) {
            Some(PartNumber::Const(value, prim)) => Value::Node(self.out.forms.constant(value, Some(prim))),
            Some(PartNumber::Captured(number)) => {
                let parts = &mut self.out.parts;
                let at = parts.iter().position(|p| *p == number).unwrap_or_else(|| {
                    parts.push(number);
                    parts.len() - 1
                });
                let scalar = ScalarId::new(self.scalars.len() + at);
                let name = &self.scalars[number.scalar.index()].name;
                Value::Node(self.out.forms.sym(Sym::Scalar(scalar), name, Some(number.prim)))
            }
            None => Value::Part(part),
        })
    }

    /// Why nothing is known of a local.
    pub(super) fn assigned_often(&self, l: LocalId) -> String {
        let local = &self.code.locals[l.index()];
        match local.kind {
            LocalKind::Temp => "its value depends on a condition".into(),
            _ => format!("`{}` is assigned more than once", local.name),
        }
    }

    /// The node of a loop variable.
    pub(super) fn var_node(&mut self, v: VarId, ty: Option<Prim>) -> NodeId {
        let node = self.out.forms.add(Op::Var(v), ty);
        self.out.var_nodes[v.index()] = Some(node);
        node
    }
}

/// Whether a method counts bits of its receiver.
fn counts_bits(method: Method) -> bool {
    matches!(
        method,
        Method::Int(
            IntMethod::CountOnes
                | IntMethod::CountZeros
                | IntMethod::LeadingZeros
                | IntMethod::TrailingZeros
                | IntMethod::LeadingOnes
                | IntMethod::TrailingOnes
        )
    )
}
