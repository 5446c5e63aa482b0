//! How the values of reduction items are combined: what the clause says and what rustc found, judged by type.
use super::typer::World;
use super::{TypeError, type_name};
use crate::ir::desc::Prim;
use crate::ir::ids::TyId;
use crate::ir::kernel::{CodeTypes, Reducer, Ty, TypedCode, Types};
use crate::ir::template::{Combiner, KernelTemplate, Reduction, ReductionItem};

/// The largest value that is reduced: threads exchange it in shared memory.
const LARGEST: u64 = 256;

/// The reducers of all items.
pub(super) fn of(
    world: &mut World,
    template: &KernelTemplate,
    answers: &CodeTypes,
    body: &TypedCode,
) -> Result<Vec<Reducer>, TypeError> {
    let mut reducers = Vec::new();
    for (k, r) in template.reductions.iter().enumerate() {
        let ty = match r.item {
            ReductionItem::Local(local) => body.local_ty[local.index()],
            ReductionItem::Array(array) => world.arrays[array.index()],
        };
        let reducer = match answers.operators.get(k) {
            Some(Some(declared)) => {
                if !world.called.contains(&declared.function) {
                    world.called.push(declared.function);
                }
                let of = world.types.intern_desc(declared.identity.ty);
                let size = world.types.size(of);
                if of != ty || r.turned || size.is_none_or(|s| s == 0 || s > LARGEST) {
                    return Err(refused(&world.types, r, ty));
                }
                Reducer::Declared {
                    function: declared.function,
                    identity: declared.identity.bytes.clone(),
                    ty,
                }
            }
            Some(None) | None => builtin(&world.types, r, ty)?,
        };
        reducers.push(reducer);
    }
    Ok(reducers)
}

fn builtin(types: &Types, r: &Reduction, ty: TyId) -> Result<Reducer, TypeError> {
    let prim = match r.item {
        ReductionItem::Local(_) => types.prim(ty),
        ReductionItem::Array(_) => innermost(types, ty),
    };
    match (&r.op, prim) {
        (Combiner::Builtin(op), Some(prim)) if op.identity(prim).is_some() => Ok(Reducer::Builtin(*op, prim)),
        _ => Err(refused(types, r, ty)),
    }
}

/// The primitive that nested arrays are made of.
fn innermost(types: &Types, ty: TyId) -> Option<Prim> {
    match types.get(ty) {
        Ty::Array(elem, _) => innermost(types, *elem),
        Ty::Prim(p) => Some(*p),
        Ty::Unit | Ty::Never | Ty::Struct(..) | Ty::Enum(_) | Ty::Option(_) | Ty::Slice(_) => None,
    }
}

fn refused(types: &Types, r: &Reduction, ty: TyId) -> TypeError {
    TypeError {
        message: format!(
            "`reduction({}: {})` is on `{}`; `+ * min max` take numbers, `& | ^` integers and bool, `&& ||` bool, \
             declared operators their own type of at most {LARGEST} bytes, with the item on the left",
            r.op.symbol(),
            r.name,
            type_name(types, ty)
        ),
        place: None,
    }
}
