//! Operators of user types: an operator in the template becomes a call of the device function that rustc found for it.
use super::Typer;
use crate::valid::TypeError;
use omp_ir::desc::{Derived, EnumDesc, Prim};
use omp_ir::ids::{CallId, ExprId, SrcId, TyId};
use omp_ir::kernel::{Callee, Ty, Types};
use omp_ir::method::{IntOp, Method, Overflow, PartsOp};
use omp_ir::template::{BinOp, Block, Check, Expr, ExprNode, Operator, Place, Stmt, TyRef, UnOp};
use omp_ir::visit;

/// Numbers and field-less enums, and types that std and its derives alone make of them. (The description of the code has checked how an
/// enum is compared.)
pub(super) fn comparable(types: &Types, ty: TyId, how: Derived) -> bool {
    match types.get(ty) {
        Ty::Prim(_) | Ty::Enum(_) => true,
        Ty::Array(elem, _) | Ty::Option(elem) => comparable(types, *elem, how),
        Ty::Struct(desc, fields) => desc.derived >= how && fields.iter().all(|f| comparable(types, *f, how)),
        Ty::Unit | Ty::Never | Ty::Slice(_) | Ty::Data(..) => false,
    }
}

/// Whether a part is an enum, whose comparison rustc has to resolve.
pub(super) fn has_enum(types: &Types, ty: TyId) -> bool {
    match types.get(ty) {
        Ty::Enum(desc) => !desc.is_ordering(),
        Ty::Array(elem, _) | Ty::Option(elem) => has_enum(types, *elem),
        Ty::Struct(_, fields) => fields.iter().any(|f| has_enum(types, *f)),
        Ty::Data(..) => true,
        Ty::Prim(_) | Ty::Unit | Ty::Never | Ty::Slice(_) => false,
    }
}

impl Typer<'_> {
    /// The call that operator `id` stands for, unless it is a built-in one.
    fn operator(&mut self, id: ExprId, operands: &[ExprId]) -> Result<Option<Operator>, TypeError> {
        for &e in operands {
            self.expr(e)?;
        }
        let builtin = operands.iter().all(|e| {
            let ty = self.parts.exprs[e.index()];
            ty.is_none_or(|ty| matches!(self.world.types.get(ty), Ty::Prim(_) | Ty::Never))
        });
        if builtin {
            return Ok(None);
        }
        let answer = self.code.operators.iter().find(|o| o.expr == id).copied();
        Ok(answer.filter(|o| matches!(self.callee(o.call.index()), Some(Callee::Fn(_)))))
    }

    /// The type of an operator of a user's type, which becomes a call; `None` if it is a built-in one.
    pub fn overloaded(
        &mut self,
        id: ExprId,
        operands: &[ExprId],
        negated: bool,
        src: SrcId,
    ) -> Result<Option<TyId>, TypeError> {
        let Some(operator) = self.operator(id, operands)?.filter(|o| !o.assigns) else { return Ok(None) };
        let (ret, call) = self.called(operator.call, operands.to_vec(), src)?;
        let call = if negated {
            let call = self.add(call, ret, src);
            Expr::Unary(UnOp::Not, call)
        } else {
            call
        };
        self.parts.rewrites.push((id, call));
        Ok(Some(ret))
    }

    /// `place op= value` of a user's type: the statement becomes a call.
    pub fn assigns_by_call(&mut self, place: &Place, value: ExprId, src: SrcId) -> Result<bool, TypeError> {
        let Expr::Binary(_, old, new) = self.code.exprs[value.index()].expr else { return Ok(false) };
        let Some(operator) = self.operator(value, &[old, new])?.filter(|o| o.assigns) else {
            return Ok(false);
        };
        let ty = self.expr(old)?;
        let target = self.add(Expr::Borrow(place.clone()), ty, src);
        let (ret, call) = self.called(operator.call, vec![target, new], src)?;
        self.parts.exprs[value.index()] = Some(ret);
        self.parts.rewrites.push((value, call));
        self.parts.assigned_by.push(value);
        Ok(true)
    }

    /// The type of a comparison of tuples, arrays or `Option`s, which becomes a call; `None` if it is none.
    pub fn compared(
        &mut self,
        op: BinOp,
        (mut lhs, mut rhs): (ExprId, ExprId),
        id: ExprId,
        src: SrcId,
    ) -> Option<TyId> {
        let (l, r) = (self.expr(lhs).ok()?, self.expr(rhs).ok()?);
        let types = &self.world.types;
        if let Ty::Enum(desc) = types.get(l) {
            return if l == r { self.in_order(desc, op, (lhs, rhs), id, src) } else { None };
        }
        let parts = matches!(types.get(l), Ty::Struct(..) | Ty::Array(..) | Ty::Option(_));
        let answer =
            if matches!(op, BinOp::Eq | BinOp::Ne) { Derived::Equality } else { Derived::PartialOrder };
        if !parts || l != r || !comparable(types, l, answer) {
            return None;
        }
        if has_enum(types, l) && !self.code.operators.iter().any(|o| o.expr == id) {
            return None;
        }
        let how = match op {
            BinOp::Eq | BinOp::Ne => PartsOp::Eq,
            BinOp::Lt | BinOp::Gt => PartsOp::Lt,
            BinOp::Le | BinOp::Ge => PartsOp::Le,
            _ => return None,
        };
        if matches!(op, BinOp::Gt | BinOp::Ge) {
            std::mem::swap(&mut lhs, &mut rhs);
        }
        let bool = self.prim(Prim::Bool);
        let call = self.method(Method::Parts(how), vec![lhs, rhs]);
        let call = if op == BinOp::Ne {
            let call = self.add(call, bool, src);
            Expr::Unary(UnOp::Not, call)
        } else {
            call
        };
        self.parts.rewrites.push((id, call));
        Some(bool)
    }

    /// The type of an operator of two of std's `Wrapping` or `Saturating`, or of one and a number; it becomes that of the numbers.
    pub fn binary_of_wrapper(
        &mut self,
        op: BinOp,
        (lhs, rhs): (ExprId, ExprId),
        id: ExprId,
        src: SrcId,
    ) -> Option<TyId> {
        let (ty, other) = (self.expr(lhs).ok()?, self.expr(rhs).ok()?);
        let (overflow, number) = self.wrapper(ty)?;
        let left = self.number_in(lhs, number, src);
        let right = match op {
            BinOp::Shl | BinOp::Shr => {
                let ty = TyRef::Prim(Prim::U32);
                let u32 = self.prim(Prim::U32);
                self.add(Expr::Cast { value: rhs, ty }, u32, src)
            }
            _ if other == ty => self.number_in(rhs, number, src),
            // `w += 1`
            _ if other == number => rhs,
            _ => return None,
        };
        let operation = match op {
            BinOp::Add => IntOp::Add,
            BinOp::Sub => IntOp::Sub,
            BinOp::Mul => IntOp::Mul,
            BinOp::Div => IntOp::Div,
            BinOp::Rem => IntOp::Rem,
            BinOp::Shl => IntOp::Shl,
            BinOp::Shr => IntOp::Shr,
            BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => {
                self.wrapped(id, Expr::Binary(op, left, right), number, src);
                return Some(ty);
            }
            _ => return None,
        };
        let prim = self.world.types.prim(number)?;
        if prim == Prim::U128 && matches!(operation, IntOp::Div | IntOp::Rem) {
            return None;
        }
        // A remainder has nothing to saturate to: std's panics.
        let overflow = if operation == IntOp::Rem && overflow == Overflow::Saturating {
            Overflow::Strict
        } else {
            overflow
        };
        let result = self.method(Method::Arith(overflow, operation), vec![left, right]);
        self.wrapped(id, result, number, src);
        Some(ty)
    }

    /// The same of `-w` and `!w`.
    pub fn unary_of_wrapper(&mut self, op: UnOp, operand: ExprId, id: ExprId, src: SrcId) -> Option<TyId> {
        let ty = self.expr(operand).ok()?;
        let (overflow, number) = self.wrapper(ty)?;
        if op == UnOp::Neg && self.world.types.prim(number) == Some(Prim::U128) {
            return None;
        }
        let operand = self.number_in(operand, number, src);
        let result = match op {
            UnOp::Neg => self.method(Method::Arith(overflow, IntOp::Neg), vec![operand]),
            UnOp::Not => Expr::Unary(op, operand),
        };
        self.wrapped(id, result, number, src);
        Some(ty)
    }

    /// What overflow does to the integer in one of std's `Wrapping` and `Saturating`, and the integer's type.
    pub fn wrapper(&self, ty: TyId) -> Option<(Overflow, TyId)> {
        let Ty::Struct(desc, fields) = self.world.types.get(ty) else { return None };
        let (overflow, number) = (desc.derived.overflow()?, *fields.first()?);
        self.world.types.prim(number)?.is_int().then_some((overflow, number))
    }

    /// The number in a `Wrapping` or `Saturating`.
    fn number_in(&mut self, whole: ExprId, number: TyId, src: SrcId) -> ExprId {
        let part = self.method(Method::Part(0), vec![whole]);
        self.add(part, number, src)
    }

    /// `id` becomes the `Wrapping` or `Saturating` of a number.
    pub fn wrapped(&mut self, id: ExprId, number: Expr, ty: TyId, src: SrcId) {
        let number = self.add(number, ty, src);
        let whole = self.method(Method::OfPart, vec![number]);
        self.parts.rewrites.push((id, whole));
    }

    /// The call of a method that the template does not have.
    fn method(&mut self, method: Method, args: Vec<ExprId>) -> Expr {
        let call = CallId::new(self.parts.methods.len());
        self.parts.methods.push(Some(method));
        Expr::Call { call, args }
    }

    /// Which of two values of an enum is less, by their discriminants, if rustc has resolved the operator.
    fn in_order(
        &mut self,
        desc: &EnumDesc,
        op: BinOp,
        (lhs, rhs): (ExprId, ExprId),
        id: ExprId,
        src: SrcId,
    ) -> Option<TyId> {
        let answer = self.code.operators.iter().find(|o| o.expr == id)?;
        let builtin = matches!(self.callee(answer.call.index()), Some(Callee::Builtin));
        if !builtin || !matches!(op, BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge) {
            return None;
        }
        let negative = desc.variants.iter().any(|(_, number, _)| *number < 0);
        let prim = if negative { Prim::I64 } else { Prim::U64 };
        let ty = self.prim(prim);
        let [lhs, rhs] =
            [lhs, rhs].map(|value| self.add(Expr::Cast { value, ty: TyRef::Prim(prim) }, ty, src));
        self.parts.rewrites.push((id, Expr::Binary(op, lhs, rhs)));
        Some(self.prim(Prim::Bool))
    }

    fn called(&mut self, call: CallId, args: Vec<ExprId>, src: SrcId) -> Result<(TyId, Expr), TypeError> {
        let Some(Callee::Fn(f)) = self.callee(call.index()) else { unreachable!("seen by `operator`") };
        let ret = self.call_fn(f, &args, src)?;
        Ok((ret, Expr::Call { call, args }))
    }

    /// A new expression of a known type.
    pub(in crate::valid) fn add(&mut self, expr: Expr, ty: TyId, src: SrcId) -> ExprId {
        self.parts.added.push(ExprNode { expr, src });
        self.parts.exprs.push(Some(ty));
        ExprId::new(self.parts.exprs.len() - 1)
    }

    /// An expression of the template, or one that was added.
    pub fn node(&self, id: ExprId) -> &ExprNode {
        let of_template = self.code.exprs.len();
        match id.index().checked_sub(of_template) {
            Some(at) => &self.parts.added[at],
            None => &self.code.exprs[id.index()],
        }
    }

    /// Turns assignments into calls, and drops the checks of divisions that are none of numbers.
    pub fn settle_operators(&self, block: &mut Block) {
        block.0.retain_mut(|stmt| {
            match stmt {
                Stmt::Assign { value, .. } if self.parts.assigned_by.contains(value) => {
                    *stmt = Stmt::Eval(*value);
                }
                Stmt::Check { check: Check::Divide { access: _, rem: _, lhs, rhs }, src: _ } => {
                    let number = |e: ExprId| self.prim_of(e).is_some();
                    return number(*lhs) && number(*rhs);
                }
                _ => {}
            }
            for inner in visit::blocks_of_mut(stmt).into_iter().flatten() {
                self.settle_operators(inner);
            }
            true
        });
    }

    fn prim_of(&self, e: ExprId) -> Option<Prim> {
        self.parts.exprs[e.index()].and_then(|ty| self.world.types.prim(ty))
    }
}
