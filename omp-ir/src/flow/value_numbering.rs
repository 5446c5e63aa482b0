//! Value numbering: expressions that have one value have one number.
use crate::ids::{AccessId, CallId, ExprId, LocalId, SlotId};
use crate::kernel::TypedCode;
use crate::template::{Base, Code, Expr, Place, Projection, TyRef};
use crate::visit;
use std::cell::RefCell;
use std::collections::HashMap;

/// Removes from a node what distinguishes occurrences of equal values: its operands, numbers of subscripts, and types that the
/// operands imply. `same`: whether two calls are of the same function. `ty`: the first slot that is certainly of the same type.
pub(super) fn bare(node: &mut Expr, same: &dyn Fn(CallId, CallId) -> bool, ty: &dyn Fn(SlotId) -> SlotId) {
    visit::of_expr_mut(node, &mut |e| *e = ExprId(0));
    match node {
        Expr::Load(place) | Expr::Len(place) | Expr::Borrow(place) => unnumbered(place),
        Expr::Slice { base, access, .. } => {
            unnumbered(base);
            *access = None;
        }
        Expr::Int { ty: TyRef::Slot(slot), .. } | Expr::Float { ty: TyRef::Slot(slot), .. } => {
            *slot = SlotId(0);
        }
        Expr::Cast { ty: TyRef::Slot(slot), .. } | Expr::Struct { slot, .. } => *slot = ty(*slot),
        Expr::Some { slot, .. } | Expr::None { slot } | Expr::Array { slot, .. } => *slot = SlotId(0),
        Expr::Call { call, .. } => {
            let first = (0..call.index()).map(CallId::new).find(|c| same(*c, *call));
            *call = first.unwrap_or(*call);
        }
        _ => {}
    }
}

fn unnumbered(place: &mut Place) {
    for step in &mut place.projections {
        if let Projection::Index { access, .. } = step {
            *access = AccessId(0);
        }
    }
}

/// The numbers of the values that never change.
pub(super) struct Numbering<'a> {
    pub code: &'a Code,
    pub same: &'a dyn Fn(CallId, CallId) -> bool,
    pub ty: &'a dyn Fn(SlotId) -> SlotId,
    /// Whether something of a variable or array may change.
    pub varies: &'a dyn Fn(Base) -> bool,
    /// The values of variables with a single assignment.
    pub inits: &'a HashMap<LocalId, ExprId>,
    pub nodes: RefCell<Vec<(Expr, Vec<u32>)>>,
}

/// Whether two expressions of a typed body have one value, as long as nothing changes but what `varies`.
#[must_use]
pub fn equal(code: &TypedCode, varies: &dyn Fn(Base) -> bool, a: ExprId, b: ExprId) -> bool {
    let numbering = Numbering {
        code: &code.code,
        same: &|a, b| code.same_function(a, b),
        ty: &|slot| code.first_of_type(slot),
        varies,
        inits: &HashMap::new(),
        nodes: RefCell::new(Vec::new()),
    };
    code.expr_ty[a.index()] == code.expr_ty[b.index()]
        && numbering.number(a).is_some_and(|number| numbering.number(b) == Some(number))
}

impl Numbering<'_> {
    /// The number of a value, if it never changes.
    pub fn number(&self, e: ExprId) -> Option<u32> {
        let mut node = self.code.exprs[e.index()].expr.clone();
        if let Expr::Load(Place { base: Base::Local(l), projections }) = &node
            && projections.is_empty()
            && let Some(init) = self.inits.get(l)
        {
            return self.number(*init);
        }
        match &node {
            Expr::Thread(_) | Expr::Borrow(_) => return None,
            // Lengths never change.
            Expr::Len(Place { base: Base::Array(_), projections }) if projections.is_empty() => {}
            Expr::Load(place) | Expr::Len(place) | Expr::Slice { base: place, .. }
                if (self.varies)(place.base) =>
            {
                return None;
            }
            _ => {}
        }
        let (mut operands, mut all) = (Vec::new(), true);
        visit::of_expr(&node, &mut |e| match self.number(e).filter(|_| all) {
            Some(number) => operands.push(number),
            None => all = false,
        });
        if !all {
            return None;
        }
        bare(&mut node, self.same, self.ty);
        let value = (node, operands);
        let mut nodes = self.nodes.borrow_mut();
        let known = nodes.iter().position(|other| *other == value);
        u32::try_from(known.unwrap_or_else(|| {
            nodes.push(value);
            nodes.len() - 1
        }))
        .ok()
    }
}
