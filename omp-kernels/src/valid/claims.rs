//! Makes the variant of a region in which iterations claim the elements that they access, from a region without
//! `disjoint`.
use omp_ir::desc::Prim;
use omp_ir::ids::{ArrayId, ExprId};
use omp_ir::template::{
    Base, Block, Check, Code, Expr, ExprNode, KernelTemplate, Operator, Place, Projection, Stmt, TyRef,
};
use omp_ir::visit;

/// The same region with these arrays under `disjoint`; `None` where a subscript can't be evaluated twice.
#[must_use]
pub fn claiming(template: &KernelTemplate, arrays: &[ArrayId]) -> Option<KernelTemplate> {
    let mut template = template.clone();
    let mut block = std::mem::take(&mut template.code.block);
    insert(&mut template.code, &mut block, arrays)?;
    template.code.block = block;
    template.check_disjoint.extend_from_slice(arrays);
    Some(template)
}

/// Puts a claim after each check of a subscript of these arrays.
fn insert(code: &mut Code, block: &mut Block, arrays: &[ArrayId]) -> Option<()> {
    let mut stmts = Vec::with_capacity(block.0.len());
    for mut stmt in std::mem::take(&mut block.0) {
        for inner in visit::blocks_of_mut(&mut stmt).into_iter().flatten() {
            insert(code, inner, arrays)?;
        }
        let claim = match &stmt {
            Stmt::Check { check, src } => {
                claim(code, check, arrays)?.map(|check| Stmt::Check { check, src: *src })
            }
            _ => None,
        };
        stmts.push(stmt);
        stmts.extend(claim);
    }
    block.0 = stmts;
    Some(())
}

fn claim(code: &mut Code, check: &Check, arrays: &[ArrayId]) -> Option<Option<Check>> {
    let of = |base: &Place| match base.base {
        Base::Array(array) if base.projections.is_empty() && arrays.contains(&array) => Some(array),
        _ => None,
    };
    let (access, array, index, to) = match check {
        Check::Bounds { access, base, index } => {
            let Some(array) = of(base) else { return Some(None) };
            (*access, array, copy(code, *index)?, None)
        }
        Check::Slice { access, base, lo, hi, last: _ } => {
            let Some(array) = of(base) else { return Some(None) };
            let src = code.accesses[access.index()].src;
            let zero = Expr::Int { value: 0, negative: false, ty: TyRef::Prim(Prim::Usize) };
            let index = match lo {
                Some(e) => copy(code, *e)?,
                None => push(code, ExprNode { expr: zero, src }),
            };
            let to = match hi {
                Some(e) => copy(code, *e)?,
                None => push(code, ExprNode { expr: Expr::Len(base.clone()), src }),
            };
            (*access, array, index, Some(to))
        }
        Check::Divide { .. } | Check::Panic { .. } | Check::Claim { .. } | Check::Step { .. } => {
            return Some(None);
        }
    };
    Some(Some(Check::Claim { access, array, index, to }))
}

fn push(code: &mut Code, node: ExprNode) -> ExprId {
    code.exprs.push(node);
    ExprId::new(code.exprs.len() - 1)
}

/// An expression of the same shape: subscripts and their checks are made of those that may be evaluated twice.
fn copy(code: &mut Code, e: ExprId) -> Option<ExprId> {
    let ExprNode { expr, src } = code.exprs[e.index()].clone();
    let plain = |p: &Place| !p.projections.iter().any(|p| matches!(p, Projection::Index { .. }));
    let expr = match expr {
        Expr::Load(p) if plain(&p) => Expr::Load(p),
        Expr::Len(p) if plain(&p) => Expr::Len(p),
        Expr::Unary(op, a) => Expr::Unary(op, copy(code, a)?),
        Expr::Cast { value, ty } => Expr::Cast { value: copy(code, value)?, ty },
        Expr::Binary(op, a, b) => {
            let a = copy(code, a)?;
            Expr::Binary(op, a, copy(code, b)?)
        }
        leaf @ (Expr::Int { .. } | Expr::Bool(_) | Expr::SizeOf { .. }) => leaf,
        _ => return None,
    };
    let answer = code.operators.iter().find(|o| o.expr == e).copied();
    let new = push(code, ExprNode { expr, src });
    code.operators.extend(answer.map(|operator| Operator { expr: new, ..operator }));
    Some(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel_samples::build::{I32, Region, count};

    #[test]
    fn every_check_of_the_array_has_its_claim() {
        let mut r = Region::new("t");
        let (x, y) = (r.array("x", &I32), r.array("y", &I32));
        let i = r.dim("i", count(0, x.len()));
        r.if_(x.at(&i).gt(0), |r| r.set(y.at(&i / 2), x.at(&i) + y.at(&i)));
        let plain = r.kernel().template;
        let claims = |t: &KernelTemplate| {
            let mut of = Vec::new();
            visit::each_stmt(&t.code.block, &mut |s| {
                if let Stmt::Check { check: Check::Claim { array, .. }, .. } = s {
                    of.push(*array);
                }
            });
            of
        };
        assert_eq!(claims(&plain), []);
        let y = ArrayId::new(1);
        let t = claiming(&plain, &[y]).expect("all subscripts are plain");
        assert_eq!((claims(&t), t.check_disjoint), (vec![y, y], vec![y]));
    }
}
