//! Places: targets of assignments, and what is loaded, measured or sliced.
use super::literal;
use crate::back::Arg;
use crate::back::c::body::{Body, Leave};
use crate::back::c::expr;
use crate::back::c::helpers::c_name;
use crate::back::c::types::Space;
use crate::back::c::writer::{read_float, read_int};
use omp_ir::desc::{DataDesc, Prim};
use omp_ir::ids::{AccessId, ArrayId, ExprId, TyId};
use omp_ir::kernel::{BoundsVerdict, Ty};
use omp_ir::method::{IntMethod, Method};
use omp_ir::template::{Base, BinOp, Expr, Local, LocalKind, Place, Projection};
use omp_ir::visit;

/// An operator that is computed in 32 bits.
enum Short {
    Divide(BinOp),
    Compare(BinOp),
    Method(IntMethod),
}

/// What a place is so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    /// A whole mapped array.
    Array(ArrayId),
    /// A slice variable with this element.
    Slice(TyId),
    /// A value.
    Value(TyId),
}

/// A place as text.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub text: String,
    pub held: Held,
    pub space: Space,
    /// A slice that is stored through.
    pub writable: bool,
}

impl Body<'_, '_> {
    /// Writes a place.
    pub(crate) fn place(&mut self, place: &Place) -> Placed {
        if let Some(placed) = self.interleaved_place(place) {
            return placed;
        }
        let mut placed = self.base(place.base, place.projections.is_empty());
        for step in &place.projections {
            match step {
                Projection::Index { index, access } => self.subscript(&mut placed, *index, *access),
                Projection::Field(name) => self.field(&mut placed, name),
                Projection::Payload => {
                    if let Held::Value(ty) = placed.held
                        && let Ty::Option(payload) = self.w.types.get(ty)
                    {
                        placed.held = Held::Value(*payload);
                        placed.text.push_str(".value");
                    }
                }
            }
        }
        placed
    }

    fn base(&mut self, base: Base, whole: bool) -> Placed {
        match base {
            Base::Local(local) => {
                let ty = self.code.local_ty[local.index()];
                let Local { kind, mutable, .. } = self.code.code.locals[local.index()];
                let name = &self.locals[local.index()];
                let text = if kind == LocalKind::Ref { format!("(*{name})") } else { name.clone() };
                let held = match self.w.types.get(ty) {
                    Ty::Slice(elem) => Held::Slice(*elem),
                    _ => Held::Value(ty),
                };
                let space = match held {
                    Held::Slice(_) => self.spaces[local.index()],
                    Held::Array(_) | Held::Value(_) if kind == LocalKind::Ref => self.spaces[local.index()],
                    Held::Array(_) | Held::Value(_) => Space::Private,
                };
                Placed { text, held, space, writable: mutable }
            }
            Base::Array(array) => {
                let text = self.own.get(&array).cloned();
                let text = match text {
                    Some(own) => own,
                    None => self.arg(Arg::Array(array)),
                };
                Placed { text, held: Held::Array(array), space: Space::Global, writable: true }
            }
            Base::Scalar(scalar) => {
                let ty = self.w.kernel.scalar_ty[scalar.index()];
                let text =
                    if self.w.types.is_empty(ty) { String::new() } else { self.arg(Arg::Scalar(scalar)) };
                Placed { text, held: Held::Value(ty), space: Space::Private, writable: false }
            }
            Base::Const(id) => {
                let (ty, value) = (self.code.const_ty[id.index()], &self.code.consts[id.index()]);
                let text = match self.w.types.scalar(ty) {
                    Some(p) if whole && p.is_float() => {
                        literal::float(self.w.syntax, p, read_float(p, &value.bytes))
                    }
                    Some(p) if whole => literal::int(self.w.syntax, p, read_int(p, &value.bytes)),
                    _ if self.w.types.is_empty(ty) => String::new(),
                    _ => self.w.table(&self.code.code.consts[id.index()].name, ty, &value.bytes),
                };
                Placed { text, held: Held::Value(ty), space: Space::Constant, writable: false }
            }
        }
    }

    /// The address of a place, and where its memory is.
    pub(crate) fn address(&mut self, place: &Place, ty: TyId) -> (String, Space) {
        let placed = self.place(place);
        let text = match placed.text.strip_prefix("(*").and_then(|t| t.strip_suffix(')')) {
            Some(pointer) if !pointer.contains(['(', ')']) => pointer.to_owned(),
            _ => format!("&{}", placed.text),
        };
        // A variable is a `bool`, an element a byte.
        let byte = self.w.types.prim(ty) == Some(Prim::Bool) && placed.space == Space::Private;
        (if byte { format!("(u8*){text}") } else { text }, placed.space)
    }

    fn subscript(&mut self, placed: &mut Placed, index: ExprId, access: AccessId) {
        match placed.held {
            Held::Array(array) => {
                if let Some(register) = self.registers.get(&access) {
                    placed.text.clone_from(register);
                } else {
                    let index = self.array_index(array, index, access);
                    placed.text = format!("{}[{index}]", placed.text);
                }
                placed.held = Held::Value(self.w.kernel.array_ty[array.index()]);
            }
            Held::Slice(elem) => {
                let text = self.plain_index(index, access);
                let index = expr::bare(&text);
                placed.text = if placed.writable {
                    let c = self.w.memory_type(elem);
                    let space = self.w.types.space(placed.space);
                    format!("(({space}{c}*){}.p)[{index}]", placed.text)
                } else {
                    format!("{}.p[{index}]", placed.text)
                };
                placed.held = Held::Value(elem);
            }
            Held::Value(ty) if self.w.types.is_empty(ty) => {
                // A variable without elements is none, and no subscript passes its check.
                let Ty::Array(elem, _) = self.w.types.get(ty) else { return };
                placed.text = if self.w.types.is_empty(*elem) {
                    String::new()
                } else {
                    format!("(*({}*)0)", self.w.memory_type(*elem))
                };
                placed.held = Held::Value(*elem);
            }
            Held::Value(ty) => {
                let text = self.plain_index(index, access);
                let index = expr::bare(&text);
                placed.text = format!("{}.v[{index}]", placed.text);
                if let Ty::Array(elem, _) = self.w.types.get(ty) {
                    placed.held = Held::Value(*elem);
                }
            }
        }
    }

    fn field(&mut self, placed: &mut Placed, name: &str) {
        let Held::Value(ty) = placed.held else { return };
        if let Ty::Data(desc, variants) = self.w.types.get(ty) {
            self.of_variant(placed, ty, desc, variants, name);
            return;
        }
        let Ty::Struct(desc, fields) = self.w.types.get(ty) else { return };
        let Some(position) = desc.position(name) else { return };
        let names = self.w.with_types(|types, names| types.struct_names(ty, names));
        placed.held = Held::Value(fields[position]);
        if let Some(field) = &names.fields[position] {
            placed.text = format!("{}.{field}", placed.text);
        }
    }

    /// Whether an `Option` or `Result` has a value, and the value.
    pub(crate) fn carried(&mut self, option: ExprId) -> (String, String) {
        let (text, ty) = (self.expr(option), self.ty(option));
        let Ty::Data(desc, variants) = self.w.types.get(ty) else {
            return (self.w.has(ty, &text), format!("{text}.value"));
        };
        let mut part = |step| {
            let held = Held::Value(ty);
            let mut placed = Placed { text: text.clone(), held, space: Space::Private, writable: false };
            self.of_variant(&mut placed, ty, desc, variants, step);
            placed.text
        };
        (part("Ok?"), part("Ok!0"))
    }

    /// Whether an enum with data is a variant, or a field of one.
    fn of_variant(&mut self, placed: &mut Placed, ty: TyId, desc: &DataDesc, variants: &[TyId], step: &str) {
        let names = self.w.with_types(|types, names| types.struct_names(ty, names));
        let tag = names.fields[0].as_deref().unwrap_or_default();
        if let Some(variant) = desc.tested(step) {
            let number = read_int(desc.tag, &desc.variants[variant].tag.to_le_bytes());
            let number = literal::int(self.w.syntax, desc.tag, number);
            placed.text = format!("({}.{tag} == {number})", placed.text);
            if let Some(bool) = self.w.kernel.types.lookup(&Ty::Prim(Prim::Bool)) {
                placed.held = Held::Value(bool);
            }
            return;
        }
        let Some((variant, _)) = desc.position(step) else { return };
        placed.held = Held::Value(variants[variant]);
        if let Some(field) = &names.fields[variant + 1] {
            placed.text = format!("{}.{field}", placed.text);
        }
        self.field(placed, step);
    }

    /// The array's address is that of another element than 0.
    pub(crate) fn is_shifted(&self, array: ArrayId) -> bool {
        self.w.kernel.template.arrays[array.index()].section || self.w.schedule.shifted.contains(&array)
    }

    /// The subscript of a mapped array, from the element at its address.
    fn array_index(&mut self, array: ArrayId, index: ExprId, access: AccessId) -> String {
        if let Some(at) = self.clamped.get(&access) {
            return at.clone();
        }
        let text =
            if self.is_short(access, index) { self.offset(index) } else { self.plain_index(index, access) };
        if !self.is_shifted(array) {
            return expr::bare(&text).to_owned();
        }
        let origin = self.arg(Arg::Origin(array));
        format!("{text} - {origin}")
    }

    /// The subscript in 64 bits. Where it was proved and can only grow, it can't overflow.
    pub(crate) fn plain_index(&mut self, index: ExprId, access: AccessId) -> String {
        let before = self.checked;
        if self.is_proved(access) && self.grows(index) {
            self.checked = false;
        }
        let text = self.expr(index);
        self.checked = before;
        text
    }

    /// The subscript was proved, for this launch at least.
    pub(crate) fn is_proved(&self, access: AccessId) -> bool {
        match self.code.bounds[access.index()] {
            BoundsVerdict::Proved => true,
            BoundsVerdict::AtLaunch => self.function.is_none() && !self.w.schedule.checks.contains(&access),
            BoundsVerdict::Residual | BoundsVerdict::Trusted => false,
        }
    }

    /// A subscript may be computed in 32 bits: the launch plan says so of all that are not checked in the kernel,
    /// and of all that they are made of. (Those that programs have in leaves are not affine, and may be made of anything.)
    fn is_short(&self, access: AccessId, index: ExprId) -> bool {
        let trusted = self.code.bounds[access.index()] == BoundsVerdict::Trusted;
        self.function.is_none()
            && !matches!(self.leave, Leave::Deferred)
            && self.w.schedule.index32
            && (trusted || self.is_proved(access))
            && (!self.checked || self.grows(index))
    }

    /// A sum of products of variables that lies in an array is larger than all that it is made of, so none of that overflows.
    /// Differences, remainders, masks and products with what may be zero hide it.
    fn grows(&self, e: ExprId) -> bool {
        let leaf = |e: ExprId| self.is_leaf(e);
        let positive =
            |e: ExprId| matches!(self.code.code.exprs[e.index()].expr, Expr::Int { value: 1.., .. });
        match self.code.code.exprs[e.index()].expr {
            Expr::Binary(BinOp::Add, a, b) => self.grows(a) && self.grows(b),
            Expr::Binary(BinOp::Mul, a, b) => {
                let (left, right) = (leaf(a) || positive(b), leaf(b) || positive(a));
                left && right && self.grows(a) && self.grows(b)
            }
            _ => leaf(e),
        }
    }

    /// It computes nothing.
    fn is_leaf(&self, e: ExprId) -> bool {
        match &self.code.code.exprs[e.index()].expr {
            Expr::Int { negative, .. } => !negative,
            Expr::Load(place) => !place.projections.iter().any(|p| matches!(p, Projection::Index { .. })),
            Expr::Len(_) => true,
            Expr::Cast { value, .. } => self.is_leaf(*value),
            _ => false,
        }
    }

    /// An integer that is known to fit `i32`, as are all that it is made of. Signed arithmetic lets the compiler
    /// assume that nothing wraps, and so walk with pointers.
    pub(crate) fn short(&mut self, e: ExprId) -> String {
        let code = self.code;
        let whole =
            |body: &Self, e| body.w.types.prim(body.ty(e)).is_some_and(|p| p.is_int() && p.size() >= 4);
        if let Some(name) = self.narrow_name(e) {
            return name.to_owned();
        }
        match &code.code.exprs[e.index()].expr {
            Expr::Int { value, negative: false, .. } => format!("{}", *value as i32),
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), a, b) if whole(self, e) => {
                let (a, b) = (self.short(*a), self.short(*b));
                format!("({a} {} {b})", op.symbol())
            }
            Expr::Cast { value, .. } if whole(self, e) && whole(self, *value) => self.short(*value),
            _ => {
                if let Some((Prim::I32, text)) = self.short_operator(e) {
                    return text;
                }
                let text = self.expr(e);
                if self.w.types.prim(self.ty(e)) == Some(Prim::I32) { text } else { format!("(i32){text}") }
            }
        }
    }

    /// Whether 32 bits hold the value of an integer of 64, and all that it is made of: it is none that wraps.
    pub(crate) fn is_value_short(&self, e: ExprId) -> bool {
        if self.function.is_some() || self.w.schedule.short.is_empty() || self.leave == Leave::Deferred {
            return false;
        }
        match self.code.code.exprs[e.index()].expr {
            Expr::Int { value, negative, .. } => !negative && value <= i32::MAX as u128,
            _ => self.narrow_name(e).is_some() || self.w.schedule.short.contains(&e),
        }
    }

    /// How an operator on integers of 64 bits is computed in 32, and its operands, where the launch knows that these hold them.
    fn short_form(&self, e: ExprId) -> Option<(Short, Vec<ExprId>)> {
        let code = self.code;
        let (form, operands) = match &code.code.exprs[e.index()].expr {
            Expr::Binary(op @ (BinOp::Div | BinOp::Rem), a, b) => (Short::Divide(*op), vec![*a, *b]),
            Expr::Binary(
                op @ (BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge),
                a,
                b,
            ) => (Short::Compare(*op), vec![*a, *b]),
            Expr::Call { call, args } => match code.methods[call.index()] {
                Some(Method::Int(
                    m @ (IntMethod::Min
                    | IntMethod::Max
                    | IntMethod::Clamp
                    | IntMethod::RemEuclid
                    | IntMethod::DivEuclid),
                )) => (Short::Method(m), args.clone()),
                _ => return None,
            },
            _ => return None,
        };
        let first = *operands.first()?;
        let prim = self.w.types.prim(self.ty(first)).filter(|p| p.is_int() && p.size() == 8)?;
        let counter = |e: &ExprId| {
            matches!(&code.code.exprs[e.index()].expr, Expr::Load(place) if place.base.local()
            .is_some_and(|l| code.code.locals[l.index()].kind == LocalKind::Loop))
        };
        let literal = |e: &ExprId| matches!(code.code.exprs[e.index()].expr, Expr::Int { .. });
        // The others are known by themselves.
        let known = operands.iter().any(|e| !counter(e) && !literal(e));
        // A counter may be the least number, which divided by -1 is none.
        let divides =
            matches!(form, Short::Divide(_) | Short::Method(IntMethod::RemEuclid | IntMethod::DivEuclid));
        let fits = !divides || !prim.is_signed() || !counter(&first) || literal(&operands[1]);
        (known && fits && operands.iter().all(|e| self.is_value_short(*e))).then_some((form, operands))
    }

    /// Whether no operator in an expression is computed in 64 bits that could have 32.
    pub(crate) fn is_computed_short(&self, e: ExprId) -> bool {
        let code = self.code;
        let mut short = true;
        visit::each_expr(&code.code, e, &mut |e| {
            let divides = matches!(
                &code.code.exprs[e.index()].expr,
                Expr::Binary(BinOp::Div | BinOp::Rem, ..) | Expr::Call { .. }
            );
            let wide = self.w.types.prim(self.ty(e)).is_some_and(|p| p.is_int() && p.size() == 8);
            short &= !divides || !wide || self.short_form(e).is_some();
        });
        short
    }

    /// An operator in 32 bits, with its type.
    fn short_operator(&mut self, e: ExprId) -> Option<(Prim, String)> {
        let (form, operands) = self.short_form(e)?;
        let signed = self.w.types.prim(self.ty(operands[0])).is_some_and(Prim::is_signed);
        let of: Vec<String> = operands.iter().map(|e| self.short(*e)).collect();
        Some(match form {
            Short::Divide(op) if !signed => {
                (Prim::I32, format!("(i32)((u32){} {} (u32){})", of[0], op.symbol(), of[1]))
            }
            Short::Divide(op) => (Prim::I32, self.arith(op, Prim::I32, &of[0], &of[1])),
            Short::Compare(op) => (Prim::Bool, self.arith(op, Prim::I32, &of[0], &of[1])),
            Short::Method(m) => {
                let of: Vec<String> = of.iter().map(|text| expr::bare(text).to_owned()).collect();
                (Prim::I32, self.int_method(m, Prim::I32, self.ty(e), &of))
            }
        })
    }

    /// The same as an operand of the type that it has in Rust.
    pub(crate) fn widened_operator(&mut self, e: ExprId) -> Option<String> {
        if self.w.schedule.short.is_empty() {
            return None;
        }
        let (prim, text) = self.short_operator(e)?;
        Some(match self.w.types.prim(self.ty(e)) {
            Some(of) if of != prim => format!("({}){text}", c_name(of)),
            _ => text,
        })
    }

    /// A subscript of which everything fits `i32`: computed in 64 bits all the same from 32-bit variables, because a
    /// compiler makes induction pointers of it, and of 32-bit products conversions in every iteration.
    fn offset(&mut self, e: ExprId) -> String {
        let code = self.code;
        let wide =
            |body: &Self, e| body.w.types.prim(body.ty(e)).is_some_and(|p| p.is_int() && p.size() == 8);
        match &code.code.exprs[e.index()].expr {
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), a, b) if wide(self, e) => {
                let product = *op == BinOp::Mul;
                let (a, b) = (self.operand(*a, product), self.operand(*b, product));
                format!("({a} {} {b})", op.symbol())
            }
            // It is as wide already.
            Expr::Load(_) if wide(self, e) && self.narrow_name(e).is_none() => {
                format!("(i64){}", self.expr(e))
            }
            _ => self.short(e),
        }
    }

    /// Of a sum, or of a `product`: there a sum of 32 bits shows compilers which rows iterations share.
    fn operand(&mut self, e: ExprId, product: bool) -> String {
        match &self.code.code.exprs[e.index()].expr {
            Expr::Binary(BinOp::Add | BinOp::Sub, ..) if product => format!("(i64){}", self.short(e)),
            Expr::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, ..) => match self.offset(e) {
                text if self.w.types.prim(self.ty(e)).is_some_and(|p| p.size() == 8) => text,
                text => format!("(i64){text}"),
            },
            Expr::Int { value, negative: false, .. } => format!("{}", *value as i32),
            _ => match self.narrow_name(e).map(str::to_owned) {
                Some(name) => format!("(i64){name}"),
                None => format!("(i64){}", self.expr(e)),
            },
        }
    }

    /// The number of elements of a place that has them.
    pub(crate) fn length(&mut self, placed: &Placed) -> String {
        match placed.held {
            Held::Array(array) => self.arg(Arg::Len(array)),
            Held::Slice(_) => format!("{}.len", placed.text),
            Held::Value(ty) => {
                let len = self.w.kernel.types.array_len(ty).unwrap_or(0);
                literal::int(self.w.syntax, Prim::Usize, i128::from(len))
            }
        }
    }

    /// The address of element 0 of an array in global memory.
    pub(crate) fn global(&mut self, array: ArrayId) -> String {
        let text = self.arg(Arg::Array(array));
        self.start(&Placed { text, held: Held::Array(array), space: Space::Global, writable: true }).0
    }

    /// The address of the first element of a place that has them, and the type of these.
    pub(crate) fn start(&mut self, placed: &Placed) -> (String, TyId) {
        match placed.held {
            Held::Array(array) => {
                let elem = self.w.kernel.array_ty[array.index()];
                if self.is_shifted(array) {
                    let origin = self.arg(Arg::Origin(array));
                    (format!("({} - {origin})", placed.text), elem)
                } else {
                    (placed.text.clone(), elem)
                }
            }
            Held::Slice(elem) => (format!("{}.p", placed.text), elem),
            Held::Value(ty) => match self.w.types.get(ty) {
                Ty::Array(elem, _) if self.w.types.is_empty(ty) => {
                    (format!("(({}*)0)", self.w.memory_type(*elem)), *elem)
                }
                Ty::Array(elem, _) => (format!("{}.v", placed.text), *elem),
                _ => (placed.text.clone(), ty),
            },
        }
    }
}
