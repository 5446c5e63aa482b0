//! Constant values: literals, consts, and locals that are assigned once from such.
use omp_ir::desc::Prim;
use omp_ir::flow::effects;
use omp_ir::ids::{ConstId, ExprId, LocalId};
use omp_ir::kernel::{TypedCode, Types};
use omp_ir::template::{Base, BinOp, Code, Expr, LocalKind, Place, Stmt, UnOp};
use omp_ir::visit;

/// What is known of the locals at a point of the walk over the code.
pub(crate) struct Constants {
    /// By local: how often it gets a value.
    assigned: Vec<u32>,
    /// By local: its only value, if that is a constant whose assignment the walk has passed.
    known: Vec<Option<i128>>,
}

impl Constants {
    pub fn new(code: &Code) -> Self {
        let mut assigned = vec![0; code.locals.len()];
        visit::each_stmt(&code.block, &mut |stmt| {
            let mut often = |local: LocalId| assigned[local.index()] += 2;
            visit::of_stmt(stmt, &mut |e| {
                effects::borrowed(code, e, &mut |base| base.local().into_iter().for_each(&mut often));
            });
            match stmt {
                Stmt::Let { local, init: Some(_) }
                | Stmt::Assign { place: Place { base: Base::Local(local), .. }, .. } => {
                    assigned[local.index()] += 1;
                }
                Stmt::Inner(inner) => effects::copies(inner).for_each(often),
                _ => {}
            }
        });
        let known = vec![None; assigned.len()];
        Self { assigned, known }
    }

    /// After the walk over all of the code.
    pub fn of(types: &Types, code: &TypedCode) -> Self {
        let mut all = Self::new(&code.code);
        visit::each_stmt(&code.code.block, &mut |stmt| all.pass(types, code, stmt));
        all
    }

    /// The walk (in program order) comes to `stmt`.
    pub fn pass(&mut self, types: &Types, code: &TypedCode, stmt: &Stmt) {
        if let Stmt::Let { local, init: Some(init) } = stmt {
            let kind = code.code.locals[local.index()].kind;
            if self.assigned[local.index()] == 1 && matches!(kind, LocalKind::User | LocalKind::Temp) {
                self.known[local.index()] = self.int(types, code, *init);
            }
        }
    }

    /// Takes this for the value of a local.
    pub fn set(&mut self, local: LocalId, value: Option<i128>) {
        self.known[local.index()] = value;
    }

    /// The value of an integer expression.
    pub fn int(&self, types: &Types, code: &TypedCode, e: ExprId) -> Option<i128> {
        let prim = types.prim(code.expr_ty[e.index()])?;
        let (min, max) = prim.int_range()?;
        let fits = |v: i128| (min..=max).contains(&v).then_some(v);
        match &code.code.exprs[e.index()].expr {
            Expr::Int { value, negative, ty: _ } => {
                let value = i128::try_from(*value).ok()?;
                fits(if *negative { -value } else { value })
            }
            Expr::Load(Place { base, projections }) if projections.is_empty() => match base {
                Base::Const(c) => Some(int_const(code, *c, prim)),
                Base::Local(l) => self.known.get(l.index()).copied().flatten(),
                Base::Array(_) | Base::Scalar(_) => None,
            },
            Expr::Len(Place { base: Base::Local(l), projections }) if projections.is_empty() => {
                types.array_len(code.local_ty[l.index()]).map(i128::from)
            }
            Expr::Cast { value, ty: _ } => self.int(types, code, *value).and_then(fits),
            Expr::Unary(UnOp::Neg, value) => self.int(types, code, *value).and_then(|v| fits(-v)),
            Expr::Binary(op, lhs, rhs) => {
                let (l, r) = (self.int(types, code, *lhs)?, self.int(types, code, *rhs)?);
                fits(match op {
                    BinOp::Add => l.checked_add(r)?,
                    BinOp::Sub => l.checked_sub(r)?,
                    BinOp::Mul => l.checked_mul(r)?,
                    BinOp::Div => l.checked_div(r)?,
                    BinOp::Rem => l.checked_rem(r)?,
                    _ => return None,
                })
            }
            _ => None,
        }
    }
}

/// The value of a float literal or const, or of its negation.
pub(in crate::valid) fn float(types: &Types, code: &TypedCode, e: ExprId) -> Option<f64> {
    let prim = types.prim(code.expr_ty[e.index()])?;
    match &code.code.exprs[e.index()].expr {
        Expr::Float { digits, negative, ty: _ } => {
            let value = match prim {
                Prim::F32 => f64::from(digits.parse::<f32>().ok()?),
                _ => digits.parse().ok()?,
            };
            Some(if *negative { -value } else { value })
        }
        Expr::Load(Place { base: Base::Const(c), projections }) if projections.is_empty() => {
            let bytes = &code.consts[c.index()].bytes;
            match prim {
                Prim::F32 => Some(f64::from(f32::from_le_bytes(bytes[..].try_into().ok()?))),
                Prim::F64 => Some(f64::from_le_bytes(bytes[..].try_into().ok()?)),
                _ => None,
            }
        }
        Expr::Unary(UnOp::Neg, value) => float(types, code, *value).map(|v| -v),
        _ => None,
    }
}

fn int_const(code: &TypedCode, id: ConstId, prim: Prim) -> i128 {
    let bytes = &code.consts[id.index()].bytes;
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let unsigned = u64::from_le_bytes(wide);
    let unused = 64 - 8 * prim.size() as u32;
    if prim.is_signed() { i128::from((unsigned << unused) as i64 >> unused) } else { i128::from(unsigned) }
}
