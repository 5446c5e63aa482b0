//! How the values of reduction items are combined: by the clause, the item's type, and the operator that rustc found.
use super::typer::World;
use super::{TypeError, type_name};
use omp_ir::desc::Prim;
use omp_ir::ids::{SrcId, TyId};
use omp_ir::kernel::{CodeTypes, DeclaredOperator, Reducer, Ty, TypedCode, Types};
use omp_ir::template::{Combiner, InnerReduction, KernelTemplate, ReductionItem, Stmt};
use omp_ir::visit;

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
        let item = Item { op: &r.op, name: &r.name, turned: r.turned, elements: r.array().is_some(), ty };
        let reducer = item.reducer(world, answers.operators.get(k));
        reducers.push(reducer.ok_or_else(|| item.refused(&world.types))?);
    }
    Ok(reducers)
}

/// The reducers of the items of all inner nests, by their numbers.
pub(super) fn of_nests(
    world: &mut World,
    template: &KernelTemplate,
    answers: &CodeTypes,
    body: &TypedCode,
) -> Result<Vec<Reducer>, TypeError> {
    let mut items: Vec<(InnerReduction, SrcId)> = Vec::new();
    visit::each_stmt(&body.code.block, &mut |stmt| {
        if let Stmt::Inner(inner) = stmt {
            items.extend(inner.reductions.iter().map(|r| (r.clone(), inner.src)));
        }
    });
    items.sort_by_key(|(r, _)| r.number);
    let mut reducers = Vec::new();
    for (r, src) in &items {
        let name = &body.code.locals[r.target.index()].name;
        let ty = body.local_ty[r.local.index()];
        let item = Item { op: &r.op, name, turned: r.turned, elements: false, ty };
        let answer = answers.operators.get(template.reductions.len() + r.number as usize);
        let reducer = item.reducer(world, answer);
        let at = body.code.srcs.get(src.index()).map(|s| (s.line, s.column));
        reducers.push(reducer.ok_or_else(|| TypeError { place: at, ..item.refused(&world.types) })?);
    }
    Ok(reducers)
}

/// What is known of a reduction item.
struct Item<'a> {
    op: &'a Combiner,
    name: &'a str,
    turned: bool,
    /// Each element by itself.
    elements: bool,
    ty: TyId,
}

impl Item<'_> {
    /// The user's operator, where one was found, or the built-in one; `None` if the type has neither.
    fn reducer(&self, world: &mut World, answer: Option<&Option<DeclaredOperator>>) -> Option<Reducer> {
        let Some(Some(declared)) = answer else { return self.builtin(&world.types) };
        if !world.called.contains(&declared.function) {
            world.called.push(declared.function);
        }
        let of = world.types.intern_desc(declared.identity.ty);
        let fits = world.types.size(of).is_some_and(|s| s > 0 && s <= LARGEST);
        // (The operators of std's `Wrapping` and `Saturating` that reduce commute.)
        let commutes =
            matches!(world.types.get(of), Ty::Struct(desc, _) if desc.derived.overflow().is_some());
        (of == self.ty && (!self.turned || commutes) && fits).then(|| Reducer::Declared {
            function: declared.function,
            identity: declared.identity.bytes.clone(),
            ty: self.ty,
        })
    }

    fn builtin(&self, types: &Types) -> Option<Reducer> {
        let prim = if self.elements { innermost(types, self.ty) } else { types.prim(self.ty) };
        match (self.op, prim) {
            (Combiner::Builtin(op), Some(prim)) if op.identity(prim).is_some() => {
                Some(Reducer::Builtin(*op, prim))
            }
            _ => None,
        }
    }

    fn refused(&self, types: &Types) -> TypeError {
        TypeError {
            message: format!(
                "`reduction({}: {})` is on `{}`; `+ * min max` take numbers, `& | ^` integers and bool, `&& ||` bool, \
                 declared operators their own type of at most {LARGEST} bytes, in `s = s ⊕ e`",
                self.op.symbol(),
                self.name,
                type_name(types, self.ty)
            ),
            place: None,
        }
    }
}

/// The primitive that nested arrays are made of.
fn innermost(types: &Types, ty: TyId) -> Option<Prim> {
    match types.get(ty) {
        Ty::Array(elem, _) => innermost(types, *elem),
        Ty::Prim(p) => Some(*p),
        Ty::Unit | Ty::Never | Ty::Struct(..) | Ty::Enum(_) | Ty::Data(..) | Ty::Option(_) | Ty::Slice(_) => {
            None
        }
    }
}
