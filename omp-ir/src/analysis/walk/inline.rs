//! Calls of device functions: the callee's body is executed symbolically with the values of the arguments, as if it stood
//! at the call.
//!
//! Only the result is of interest: the callee checks its own subscripts, and a slice argument is accessed by the
//! caller. Early returns become a choice by the conditions around them ([`Op::Select`](crate::analysis::form::Op)). A
//! result is not known if a loop may return it, if the function calls itself, or if there is too much to execute.
use super::{Value, Walker};
use crate::analysis::form::{Arith, NodeId, Op};
use crate::analysis::survey::{CtxId, Function, Known, Oracle};
use crate::desc::Prim;
use crate::ids::{ExprId, FnId};
use crate::template::{Base, Expr, LocalKind, Place, Stmt};
use crate::visit;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Calls of calls that are followed.
const MOST_DEPTH: usize = 16;
/// How many statements of functions a survey executes, in all calls.
pub(super) const MOST_STATEMENTS: usize = 1 << 14;

/// The condition of a branch, and which side of it; `None` is a loop, or a block with an early exit.
type Under = Option<(NodeId, bool)>;

/// A call that is being executed.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// The functions that are being executed, this one last.
    calls: Vec<FnId>,
    /// No other call has this number.
    number: usize,
    /// What is around the current statement.
    path: Vec<Under>,
    /// What was returned so far, and under which conditions.
    returned: Vec<(Vec<Under>, Value)>,
}

impl Frame {
    /// A loop of the body whose iterations are executed.
    pub(super) fn of_loop(number: usize) -> Self {
        Self { number, ..Self::default() }
    }
}

impl<'a, O: Oracle<'a>> Walker<'a, O> {
    /// The result of a device function.
    pub(in crate::analysis) fn inlined(
        &mut self,
        function: &Function<'a, O>,
        args: &[ExprId],
    ) -> Option<Value> {
        let calls = self.frame.as_ref().map_or(&[][..], |f| &f.calls);
        if calls.contains(&function.id) || calls.len() >= MOST_DEPTH {
            return None;
        }
        let mut statements = 0;
        let mut plain = true;
        visit::each_stmt(&function.code.block, &mut |stmt| {
            statements += 1;
            plain &= !matches!(stmt, Stmt::Inner(_) | Stmt::Atomic { .. });
        });
        let locals = &function.code.locals;
        plain &= !function.params.iter().any(|p| locals[p.index()].kind == LocalKind::Ref);
        self.executed += statements + 1;
        if !plain || self.executed > MOST_STATEMENTS {
            return None;
        }
        let calls = calls.iter().copied().chain([function.id]).collect();
        let args: Vec<Value> = args.iter().map(|a| self.argument(*a)).collect();
        let env: HashMap<_, _> = function.params.iter().copied().zip(args).collect();
        let contexts = self.out.ctxs.len();
        let mut callee = Walker {
            code: function.code,
            arrays: self.arrays,
            scalars: self.scalars,
            oracle: function.oracle,
            out: std::mem::take(&mut self.out),
            env,
            short: BTreeSet::new(),
            measured: BTreeSet::new(),
            assigned: super::may_assign(function.code),
            ctx: CtxId::ROOT,
            checked: HashSet::new(),
            opening: Vec::new(),
            atomic: false,
            first: false,
            folding: self.folding,
            executed: self.executed,
            slices: std::collections::BTreeMap::new(),
            declared: Vec::new(),
            nests: 0,
            frame: Some(Frame { calls, number: self.executed, ..Frame::default() }),
        };
        callee.block(&function.code.block);
        let result = callee.result();
        (self.out, self.executed) = (callee.out, callee.executed);
        // The result alone is kept, and it names none of them.
        self.out.ctxs.truncate(contexts);
        result
    }

    /// The name of a constant of this body, or of this call's.
    pub(in crate::analysis) fn numbered(&self, name: String) -> String {
        match &self.frame {
            Some(frame) => format!("{name} of {}", frame.number),
            None => name,
        }
    }

    /// What a parameter is bound to.
    fn argument(&mut self, e: ExprId) -> Value {
        match &self.code.exprs[e.index()].expr {
            Expr::Load(place @ Place { base: Base::Array(_), projections }) if projections.is_empty() => {
                Value::Slice { len: self.len_of(place, e) }
            }
            _ => self.value(e),
        }
    }

    /// Takes in that the function returns here.
    pub(super) fn returns(&mut self, e: ExprId) {
        let value = match self.value(e) {
            Value::Other(reason) => match self.oracle.expr(e) {
                Known::Prim(ty) => Value::Node(self.out.forms.opaque(reason, Some(ty))),
                Known::NotYet => Value::Node(self.out.forms.opaque(reason, None)),
                Known::Other => Value::Other(reason),
            },
            value => value,
        };
        if let Some(frame) = &mut self.frame {
            frame.returned.push((frame.path.clone(), value));
        }
    }

    /// Executes a part of the body under a condition; `None`: the condition is unknown.
    pub(super) fn under(&mut self, condition: Under, part: impl FnOnce(&mut Self)) {
        if let Some(frame) = &mut self.frame {
            frame.path.push(condition);
        }
        part(self);
        if let Some(frame) = &mut self.frame {
            frame.path.pop();
        }
    }

    /// The result is the value of the first `return` that is reached. The last `return` is reached if no other is, unless the function
    /// fails.
    fn result(&mut self) -> Option<Value> {
        let mut returned = self.frame.take()?.returned.into_iter().rev();
        let (path, mut result) = returned.next()?;
        if path.contains(&None) {
            return None;
        }
        for (path, value) in returned {
            let otherwise = result.clone();
            result = value;
            for condition in path.into_iter().rev() {
                let (cond, holds) = condition?;
                let (a, b) = if holds { (result, otherwise.clone()) } else { (otherwise.clone(), result) };
                result = self.either(cond, a, b)?;
            }
        }
        Some(result)
    }

    /// One of two values, by a condition.
    pub(super) fn either(&mut self, cond: NodeId, a: Value, b: Value) -> Option<Value> {
        match (a, b) {
            (a, b) if a == b => Some(a),
            (Value::Node(a), Value::Node(b)) => Some(Value::Node(self.out.forms.select(cond, a, b))),
            (Value::Float(a), Value::Float(b)) => {
                Some(Value::Node(self.out.forms.select(cond, a.node?, b.node?)))
            }
            (Value::Float(a), Value::Node(b)) => Some(Value::Node(self.out.forms.select(cond, a.node?, b))),
            (Value::Node(a), Value::Float(b)) => Some(Value::Node(self.out.forms.select(cond, a, b.node?))),
            (Value::Fields(a), Value::Fields(b)) => {
                let mut fields = Vec::with_capacity(a.len());
                for (name, value) in a {
                    let other = b.iter().find(|(n, _)| *n == name)?.1.clone();
                    fields.push((name, self.either(cond, value, other)?));
                }
                Some(Value::Fields(fields))
            }
            (Value::Option { present: p, some: a }, Value::Option { present: q, some: b }) => {
                let some = match (a, b) {
                    (Some(a), Some(b)) => Some(Box::new(self.either(cond, *a, *b)?)),
                    (a, b) => a.or(b),
                };
                let truth = |w: &Self, n| match w.out.forms.get(n).op {
                    Op::Const(k) => Some(k != 0),
                    _ => None,
                };
                let present = match (truth(self, p), truth(self, q)) {
                    (Some(true), Some(false)) => cond,
                    (Some(false), Some(true)) => self.out.forms.add(Op::Not(cond), Some(Prim::Bool)),
                    (_, Some(false)) => self.out.forms.add(Op::Bin(Arith::And, cond, p), Some(Prim::Bool)),
                    (Some(false), _) => {
                        let not = self.out.forms.add(Op::Not(cond), Some(Prim::Bool));
                        self.out.forms.add(Op::Bin(Arith::And, not, q), Some(Prim::Bool))
                    }
                    _ if p == q => p,
                    _ => self.out.forms.select(cond, p, q),
                };
                Some(Value::Option { present, some })
            }
            _ => None,
        }
    }
}
