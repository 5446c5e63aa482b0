//! Adds expressions to the arenas, with the checks of their subscripts.
use super::expr::{prim, prim_of};
use super::{BOOL, Desc, Part, Region, U32, USIZE, X};
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::ids::{AccessId, CallId, ExprId};
use omp_ir::kernel::Callee;
use omp_ir::template::{
    Access, Base, BinOp, CallParam, Check, Expr, ExprNode, LocalKind, Place, Projection, Stmt, TyRef,
};

impl Region {
    pub(super) fn place_ty(&self, base: Base, parts: &[Part]) -> Desc {
        let mut parts = parts.iter();
        let mut ty = match base {
            Base::Local(l) if self.template.code.locals[l.index()].kind == LocalKind::Slice => {
                parts.next();
                self.local_ty[l.index()]
            }
            Base::Local(l) => self.local_ty[l.index()],
            Base::Array(a) => {
                parts.next();
                self.types.arrays[a.index()].expect("known")
            }
            Base::Scalar(s) => {
                self.types.code.slots[self.template.scalars[s.index()].slot.index()].expect("known")
            }
            Base::Const(c) => self.types.code.consts[c.index()].ty,
        };
        for p in parts {
            ty = match (p, ty) {
                (Part::At(_), TypeDesc::Array { elem, .. }) => elem,
                (Part::Field(name), TypeDesc::Struct(s)) => {
                    s.fields.iter().find(|f| f.name == *name).expect("a field").ty
                }
                _ => panic!("no such part"),
            };
        }
        ty
    }

    /// The type of an expression, unless it takes that of its surroundings. A slice has that of its elements.
    pub(super) fn type_of(&self, x: &X) -> Option<Desc> {
        use BinOp::{And, Eq, Ge, Gt, Le, Lt, Ne, Or, Shl, Shr};
        match x {
            X::Int(_, ty) => ty.map(prim),
            X::Float(_) => None,
            X::Bool(_) => Some(&BOOL),
            X::Place(base, parts) => Some(self.place_ty(*base, parts)),
            X::Len(_) => Some(&USIZE),
            X::Slice(base, _, _) => match &**base {
                X::Place(base, parts) if parts.is_empty() => Some(self.place_ty(*base, &[])),
                X::Place(base, parts) => match self.place_ty(*base, parts) {
                    TypeDesc::Array { elem, .. } => Some(elem),
                    _ => panic!("no array"),
                },
                _ => panic!("only a place can be sliced"),
            },
            X::Bin(Eq | Ne | Lt | Le | Gt | Ge | And | Or, _, _) => Some(&BOOL),
            X::Bin(Shl | Shr, a, _) => self.type_of(a),
            X::Bin(_, a, b) => self.type_of(a).or_else(|| self.type_of(b)),
            X::Un(_, a) => self.type_of(a),
            X::Cast(_, to) => Some(prim(*to)),
            X::Method(_, args) => self.type_of(&args[0]),
            X::Call(_, _, ty) => Some(ty),
        }
    }

    fn expr(&mut self, expr: Expr, ty: Desc) -> ExprId {
        let src = self.src();
        self.template.code.exprs.push(ExprNode { expr, src });
        self.expr_ty.push(ty);
        ExprId::new(self.expr_ty.len() - 1)
    }

    pub(super) fn lay_call(&mut self, name: &str, args: Vec<ExprId>, method: bool, ty: Desc) -> ExprId {
        let ret = Some(self.slot(ty));
        self.template.code.calls.push(CallParam { name: name.into(), method, ret });
        self.types.code.calls.push(Callee::Builtin);
        let call = CallId::new(self.types.code.calls.len() - 1);
        self.expr(Expr::Call { call, args }, ty)
    }

    /// An expression that is of type `want` if it does not say otherwise.
    pub(super) fn lay(&mut self, x: &X, want: Desc) -> ExprId {
        let ty = self.type_of(x).unwrap_or(want);
        let expr = match x {
            X::Int(v, _) => {
                if let TypeDesc::Prim(Prim::F32 | Prim::F64) = ty {
                    return self.lay(&X::Float(*v as f64), ty);
                }
                Expr::Int { value: v.unsigned_abs(), negative: *v < 0, ty: TyRef::Prim(prim_of(ty)) }
            }
            X::Float(v) => Expr::Float {
                digits: format!("{:?}", v.abs()),
                negative: v.is_sign_negative(),
                ty: TyRef::Prim(prim_of(ty)),
            },
            X::Bool(b) => Expr::Bool(*b),
            X::Place(base, parts) => {
                if let Base::Array(a) = base {
                    self.template.arrays[a.index()].read = true;
                }
                Expr::Load(self.place(*base, parts, false))
            }
            X::Len(p) => match &**p {
                X::Place(base, parts) => Expr::Len(self.place(*base, parts, false)),
                _ => panic!("only a place has a length"),
            },
            X::Slice(base, lo, hi) => return self.lay_slice(base, lo, hi, ty),
            X::Bin(op, a, b) => {
                let inner = self.type_of(a).or_else(|| self.type_of(b)).unwrap_or(want);
                let other = if matches!(op, BinOp::Shl | BinOp::Shr) { &U32 } else { inner };
                Expr::Binary(*op, self.lay(a, inner), self.lay(b, other))
            }
            X::Un(op, a) => Expr::Unary(*op, self.lay(a, ty)),
            X::Cast(a, to) => Expr::Cast { value: self.lay(a, &USIZE), ty: TyRef::Prim(*to) },
            X::Method(name, args) => {
                let args = args.iter().map(|a| self.lay(a, ty)).collect();
                return self.lay_call(name, args, true, ty);
            }
            X::Call(name, args, _) => {
                let args = args.iter().map(|a| self.lay(a, &USIZE)).collect();
                return self.lay_call(name, args, false, ty);
            }
        };
        self.expr(expr, ty)
    }

    fn lay_slice(&mut self, base: &X, lo: &X, hi: &X, ty: Desc) -> ExprId {
        let X::Place(base, parts) = base else { panic!("only a place can be sliced") };
        let access = self.access("slice", false);
        let checked = self.place(*base, parts, false);
        let ends = (self.lay(lo, &USIZE), self.lay(hi, &USIZE));
        let src = self.src();
        let check = Check::Slice { access, base: checked, lo: Some(ends.0), hi: Some(ends.1), last: None };
        self.push(Stmt::Check { check, src });
        let base = self.place(*base, parts, false);
        let (lo, hi) = (self.lay(lo, &USIZE), self.lay(hi, &USIZE));
        self.expr(Expr::Slice { base, lo: Some(lo), hi: Some(hi), access: Some(access), mutable: false }, ty)
    }

    fn access(&mut self, name: &str, write: bool) -> AccessId {
        let src = self.src();
        self.template.code.accesses.push(Access {
            name: name.into(),
            write,
            read: !write,
            src,
            bracket: src,
        });
        AccessId::new(self.template.code.accesses.len() - 1)
    }

    /// A place, after the checks of its subscripts.
    pub(super) fn place(&mut self, base: Base, parts: &[Part], write: bool) -> Place {
        let mut place = Place { base, projections: Vec::new() };
        for (k, p) in parts.iter().enumerate() {
            let projection = match p {
                Part::Field(name) => Projection::Field((*name).into()),
                Part::At(index) => {
                    let last = parts[k + 1..].iter().all(|p| matches!(p, Part::Field(_)));
                    let access = self.access(&format!("{base:?}"), write && last);
                    // The place once more, with indices of its own.
                    let prefix = self.bare_place(&place);
                    let checked = self.lay(index, &USIZE);
                    let src = self.src();
                    self.push(Stmt::Check {
                        check: Check::Bounds { access, base: prefix, index: checked },
                        src,
                    });
                    Projection::Index { index: self.lay(index, &USIZE), access }
                }
            };
            place.projections.push(projection);
        }
        place
    }

    /// A copy of a place with new expressions.
    fn bare_place(&mut self, place: &Place) -> Place {
        let again = place.projections.iter().map(|p| match p {
            Projection::Index { index, access } => {
                Projection::Index { index: self.copy(*index), access: *access }
            }
            Projection::Field(_) | Projection::Payload => p.clone(),
        });
        let projections = again.collect();
        Place { base: place.base, projections }
    }

    fn copy(&mut self, e: ExprId) -> ExprId {
        let ty = self.expr_ty[e.index()];
        let expr = match self.template.code.exprs[e.index()].expr.clone() {
            Expr::Load(place) => Expr::Load(self.bare_place(&place)),
            Expr::Len(place) => Expr::Len(self.bare_place(&place)),
            Expr::Unary(op, a) => Expr::Unary(op, self.copy(a)),
            Expr::Binary(op, a, b) => Expr::Binary(op, self.copy(a), self.copy(b)),
            Expr::Cast { value, ty } => Expr::Cast { value: self.copy(value), ty },
            Expr::Call { call, args } => {
                Expr::Call { call, args: args.into_iter().map(|a| self.copy(a)).collect() }
            }
            leaf => leaf,
        };
        self.expr(expr, ty)
    }
}
