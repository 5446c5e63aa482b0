//! The parts of tuples and arrays that a message shows, as Rust's `{:?}` does. A status record has room for a few numbers, so
//! further parts, and values of other types, are shown as `…`.
use omp_ir::ids::{CallId, ExprId, TyId};
use omp_ir::kernel::{Callee, Ty, TypedCode, Types};
use omp_ir::message::{MAX_VALUES, respelled};
use omp_ir::method::Method;
use omp_ir::template::{Block, CallParam, Check, Expr, Stmt};
use omp_ir::visit;

/// Takes the values of messages apart.
pub(super) fn spread(code: &mut TypedCode, types: &Types) {
    let mut block = std::mem::take(&mut code.code.block);
    Shown { code, types }.block(&mut block);
    code.code.block = block;
}

struct Shown<'a> {
    code: &'a mut TypedCode,
    types: &'a Types,
}

impl Shown<'_> {
    fn block(&mut self, block: &mut Block) {
        for stmt in &mut block.0 {
            if let Stmt::Check { check: Check::Panic { message, args, .. }, .. } = stmt
                && args.iter().any(|a| !self.is_number(self.code.expr_ty[a.index()]))
            {
                let (old, mut new) = (std::mem::take(args), Vec::new());
                let numbers = old.iter().filter(|a| self.is_number(self.code.expr_ty[a.index()])).count();
                let room = MAX_VALUES.saturating_sub(numbers) / (old.len() - numbers);
                *message = respelled(message, |k, hole| match old.get(k) {
                    Some(&arg) => {
                        let mut left = room.max(1);
                        self.show(arg, hole, &mut left, &mut new)
                    }
                    None => hole.to_owned(),
                });
                *args = new;
            }
            for inner in visit::blocks_of_mut(stmt).into_iter().flatten() {
                self.block(inner);
            }
        }
    }

    fn is_number(&self, ty: TyId) -> bool {
        matches!(self.types.get(ty), Ty::Prim(_) | Ty::Enum(_) | Ty::Never)
    }

    /// The text for a value, with a hole for each number in it.
    fn show(&mut self, value: ExprId, hole: &str, left: &mut usize, values: &mut Vec<ExprId>) -> String {
        let ty = self.code.expr_ty[value.index()];
        let (open, parts, close) = match self.types.get(ty) {
            _ if *left == 0 => return "…".to_owned(),
            _ if self.is_number(ty) => {
                *left -= 1;
                values.push(value);
                return hole.to_owned();
            }
            Ty::Array(elem, len) => {
                ('[', vec![*elem; usize::try_from(*len).unwrap_or(0).min(MAX_VALUES + 1)], ']')
            }
            Ty::Struct(desc, fields) if desc.name.starts_with('(') => ('(', fields.clone(), ')'),
            _ => return "…".to_owned(),
        };
        let mut text = String::from(open);
        for (k, part) in parts.iter().enumerate() {
            if k > 0 {
                text.push_str(", ");
            }
            if *left == 0 {
                text.push('…');
                break;
            }
            let part = self.part(value, k, *part);
            text.push_str(&self.show(part, hole, left, values));
        }
        if open == '(' && parts.len() == 1 {
            text.push(',');
        }
        text.push(close);
        text
    }

    /// Part `k` of a value.
    fn part(&mut self, value: ExprId, k: usize, ty: TyId) -> ExprId {
        let src = self.code.code.exprs[value.index()].src;
        let value = self.code.copy(value);
        let call = CallId::new(self.code.code.calls.len());
        self.code.code.calls.push(CallParam { name: k.to_string(), method: true, ret: None });
        self.code.calls.resize(self.code.code.calls.len(), Callee::Builtin);
        self.code.methods.resize(self.code.code.calls.len(), None);
        self.code.methods[call.index()] = Some(Method::Part(k));
        self.code.push(Expr::Call { call, args: vec![value] }, ty, src)
    }
}
