//! Templates of functions that the runtime makes itself.
use omp_ir::desc::Prim;
use omp_ir::ids::{ExprId, LocalId, SlotId, SrcId};
use omp_ir::template::{
    Base, BinOp, Block, Code, Expr, ExprNode, FnTemplate, Local, LocalKind, Place, Src, Stmt, TyRef,
};

/// A template in the making. Slot 0 is the parameter's, or the result's if there is none.
#[derive(Default)]
pub struct Made {
    pub code: Code,
}

impl Made {
    pub fn expr(&mut self, expr: Expr) -> ExprId {
        self.code.exprs.push(ExprNode { expr, src: SrcId::new(0) });
        ExprId::new(self.code.exprs.len() - 1)
    }

    pub fn load(&mut self, base: Base) -> ExprId {
        self.expr(Expr::Load(Place { base, projections: Vec::new() }))
    }

    pub fn parameter(&mut self) -> ExprId {
        self.load(Base::Local(LocalId::new(0)))
    }

    /// The parameter `as` the type of a slot.
    pub fn cast(&mut self, slot: usize) -> ExprId {
        let value = self.parameter();
        self.expr(Expr::Cast { value, ty: TyRef::Slot(SlotId::new(slot)) })
    }

    pub fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        self.expr(Expr::Binary(op, a, b))
    }

    /// Slots are what the body names: the parameter's, the others, the result's last.
    pub fn function(mut self, name: &str, params: &[SlotId], ret: SlotId, body: Vec<Stmt>) -> FnTemplate {
        let name = name.rsplit("::").next().unwrap_or(name).to_owned();
        let local =
            |slot| Local { name: "x".into(), kind: LocalKind::User, slot: Some(slot), mutable: false };
        self.code.locals = params.iter().map(|slot| local(*slot)).collect();
        self.code.srcs = vec![Src { line: line!(), column: 1 }];
        self.code.slots = ret.index() as u32 + 1;
        self.code.block = Block(body);
        let params = (0..self.code.locals.len()).map(LocalId::new).collect();
        FnTemplate { name, params, ret: Some(ret), code: self.code }
    }
}

/// `a ⊕ b` of two values of the type in slot 0; of a comparison, the value for which it holds.
pub fn of_two(op: BinOp) -> FnTemplate {
    let mut m = Made::default();
    let own = SlotId::new(0);
    let [a, b] = [0, 1].map(|k| m.load(Base::Local(LocalId::new(k))));
    let result = m.binary(op, a, b);
    let body = if matches!(op, BinOp::Lt | BinOp::Gt) {
        let [a, b] = [0, 1].map(|k| m.load(Base::Local(LocalId::new(k))));
        let then = Block(vec![Stmt::Return(Some(a))]);
        vec![Stmt::If { cond: result, then, els: Block::default() }, Stmt::Return(Some(b))]
    } else {
        vec![Stmt::Return(Some(result))]
    };
    m.function("combined", &[own, own], own, body)
}

/// `NumCast::from`: `None` where the truncated value is out of range. Slots: from, to, `Option` of it.
#[cfg(feature = "num-traits")]
pub fn cast(from: Prim, to: Prim) -> FnTemplate {
    let slot = SlotId::new(2);
    converted(from, to, |m, value| match value {
        Some(value) => m.expr(Expr::Some { slot, value }),
        None => m.expr(Expr::None { slot }),
    })
}

/// `try_from` of integers: the error is `()`. Slots: from, to, `Result` of it.
pub fn tried(from: Prim, to: Prim) -> FnTemplate {
    converted(from, to, |m, value| {
        let name = if value.is_some() { "Ok" } else { "Err" }.to_owned();
        let value = value.unwrap_or_else(|| m.expr(Expr::Unit));
        m.expr(Expr::Struct { slot: SlotId::new(2), name, fields: vec![("0".into(), value)], rest: None })
    })
}

/// A conversion of numbers, and what it gives: of the value in the other type, or where that is out of range.
fn converted(from: Prim, to: Prim, given: impl Fn(&mut Made, Option<ExprId>) -> ExprId) -> FnTemplate {
    let mut m = Made::default();
    let [own, target, result] = [0, 1, 2].map(SlotId::new);
    // A float holds all of them, if rounded.
    let fits = if to.is_float() {
        None
    } else if from.is_float() {
        let sign: u32 = to.is_signed().into();
        let bits = to.size() as u32 * 8 - sign;
        let float = |m: &mut Made, value: f64| {
            let (digits, negative) = (format!("{:.1}", value.abs()), value < 0.0);
            m.expr(Expr::Float { digits, negative, ty: TyRef::Slot(own) })
        };
        let above = 2f64.powi(bits as i32);
        let least = if to.is_signed() { -above } else { 0.0 };
        // One below the least number, if both are different floats: values in between are truncated to the least number.
        let exact = if from == Prim::F32 { 24 } else { 53 };
        let (op, bound) =
            if bits < exact || !to.is_signed() { (BinOp::Gt, least - 1.0) } else { (BinOp::Ge, least) };
        let (x, bound) = (m.parameter(), float(&mut m, bound));
        let low = m.binary(op, x, bound);
        let (x, above) = (m.parameter(), float(&mut m, above));
        let high = m.binary(BinOp::Lt, x, above);
        Some(m.binary(BinOp::And, low, high))
    } else {
        // What comes back is the same, and on the same side of zero.
        let value = m.cast(1);
        let back = m.expr(Expr::Cast { value, ty: TyRef::Slot(own) });
        let x = m.parameter();
        let same = m.binary(BinOp::Eq, back, x);
        let zero =
            |m: &mut Made, slot| m.expr(Expr::Int { value: 0, negative: false, ty: TyRef::Slot(slot) });
        let (x, z) = (m.parameter(), zero(&mut m, own));
        let below = m.binary(BinOp::Lt, x, z);
        let (y, z) = (m.cast(1), zero(&mut m, target));
        let below_too = m.binary(BinOp::Lt, y, z);
        let signs = m.binary(BinOp::Eq, below, below_too);
        Some(m.binary(BinOp::And, same, signs))
    };
    let value = m.cast(1);
    let some = given(&mut m, Some(value));
    let mut body = Vec::new();
    if let Some(cond) = fits {
        let then = Block(vec![Stmt::Return(Some(some))]);
        body.push(Stmt::If { cond, then, els: Block::default() });
        let none = given(&mut m, None);
        body.push(Stmt::Return(Some(none)));
    } else {
        body.push(Stmt::Return(Some(some)));
    }
    m.function("from", &[own], result, body)
}
