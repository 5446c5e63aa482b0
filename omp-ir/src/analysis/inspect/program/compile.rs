//! Compiles forms: a column for each node.
use super::evaluate::quick;
use super::{Col, Kind, LANES, Loop, Numbers, Program, Step};
use crate::analysis::form::{Arith, At, FoldId, Node, NodeId, Op};
use crate::analysis::survey::Adapt;

impl Program {
    /// A column with the same 64 bits as the form's: a cast to that many changes none.
    pub(in crate::analysis::inspect) fn bits(&mut self, numbers: Numbers<'_>, mut node: NodeId) -> Col {
        while let Node { op: Op::Cast(of), .. } = numbers.forms.get(node)
            && Kind::of(numbers.forms.get(node)).is_some_and(|kind| kind.bits == 64)
            && numbers.forms.get(of).ty.is_some_and(|ty| !ty.is_float())
        {
            node = of;
        }
        self.column(numbers, node)
    }

    /// The column of a form.
    pub(in crate::analysis::inspect) fn column(&mut self, numbers: Numbers<'_>, node: NodeId) -> Col {
        if let Some(&col) = self.nodes.get(&node) {
            return col;
        }
        let col = self.compile(numbers, node);
        self.nodes.insert(node, col);
        col
    }

    fn compile(&mut self, numbers: Numbers<'_>, node: NodeId) -> Col {
        let n = numbers.forms.get(node);
        let Some(kind) = Kind::of(n) else { return self.unknown() };
        let mut varies = false;
        numbers.forms.visit(node, &mut |_, n| {
            varies |= match n.op {
                Op::Var(_) | Op::Carried(..) | Op::After(..) => true,
                Op::Opaque(o) => numbers.load(o).is_some(),
                Op::Const(_)
                | Op::Sym(_)
                | Op::Neg(_)
                | Op::Not(_)
                | Op::Cast(_)
                | Op::Bin(..)
                | Op::Rel(..)
                | Op::Select(..)
                | Op::Method(..) => false,
            };
        });
        if !varies {
            let at = At { syms: numbers.syms, vars: &[] };
            return match numbers.forms.eval(node, at) {
                Some(v) => self.constant(kind.narrow(v as u64), kind),
                None => self.unknown(),
            };
        }
        let (step, inputs) = match n.op {
            Op::Var(v) if numbers.counted[v.index()] => {
                let col = self.push(Step::Given, kind, false);
                match self.within {
                    Some(fold) if numbers.forms.folds[fold.index()].var != v => self.inputs.push((node, col)),
                    _ => self.vars.push((v, col)),
                }
                return col;
            }
            Op::Carried(fold, _) if self.within.is_some_and(|within| within != fold) => {
                let col = self.push(Step::Given, kind, true);
                self.inputs.push((node, col));
                return col;
            }
            Op::Carried(_, _) if self.within.is_some() => return self.push(Step::Given, kind, true),
            Op::Carried(fold, k) | Op::After(fold, k) => {
                let until = matches!(n.op, Op::Carried(..));
                let at = self.loops(numbers, fold, until);
                return self.push(Step::Value(at, k as usize), kind, true);
            }
            Op::Method(method, a, b) => {
                let ty = |n: NodeId| numbers.forms.get(n).ty;
                let x = (self.column(numbers, a), ty(a));
                let y = b.map(|b| (self.column(numbers, b), ty(b)));
                let partly = quick(method).is_none();
                let inputs = [Some(x), y].into_iter().flatten();
                let partly = partly || inputs.into_iter().any(|(col, _)| !self.known[col].is_empty());
                return self.push(Step::Method(method, x, y), kind, partly);
            }
            Op::Opaque(o) => {
                let Some((element, index)) = numbers.load(o) else { return self.unknown() };
                let index = self.column(numbers, index);
                return self.push(Step::Load(element, index), kind, true);
            }
            Op::Var(_) | Op::Const(_) | Op::Sym(_) => return self.unknown(),
            Op::Neg(a) => {
                let a = self.column(numbers, a);
                (Step::Neg(a), [a; 3])
            }
            Op::Not(a) => {
                let truth = numbers.forms.is_bool(a);
                let a = self.column(numbers, a);
                (if truth { Step::Negated(a) } else { Step::Not(a) }, [a; 3])
            }
            Op::Cast(a) => {
                let a = self.column(numbers, a);
                (Step::Cast(a), [a; 3])
            }
            Op::Rel(rel, a, b) => {
                let (a, b) = (self.column(numbers, a), self.column(numbers, b));
                (Step::Rel(rel, a, b), [a, b, b])
            }
            Op::Bin(op, a, b) => {
                let (a, b) = (self.column(numbers, a), self.column(numbers, b));
                let either = op == Arith::Or && numbers.forms.is_bool(node);
                (if either { Step::Either(a, b) } else { Step::Bin(op, a, b) }, [a, b, b])
            }
            Op::Select(c, a, b) => {
                let c = self.column(numbers, c);
                let (a, b) = (self.column(numbers, a), self.column(numbers, b));
                (Step::Select(c, a, b), [c, a, b])
            }
        };
        let divides = match step {
            Step::Bin(Arith::Div | Arith::Rem | Arith::DivEuclid | Arith::RemEuclid, _, by) => {
                self.constants[by].is_none_or(|by| by == 0)
            }
            _ => false,
        };
        let partly = divides || inputs.iter().any(|c| !self.known[*c].is_empty());
        self.push(step, kind, partly)
    }

    /// The number of a loop that computes values. `until`: it ends at the start of the iteration in which its variable has its current value.
    fn loops(&mut self, numbers: Numbers<'_>, of: FoldId, until: bool) -> usize {
        if let Some(at) = self
            .loops
            .iter()
            .position(|t| t.as_ref().is_some_and(|t| t.of == of && t.until.is_some() == until))
        {
            return at;
        }
        let fold = &numbers.forms.folds[of.index()];
        let ends = (self.column(numbers, fold.lo), self.column(numbers, fold.hi));
        let step = |a: &Adapt| match a {
            Adapt::Rev => None,
            Adapt::By(step) => Some(*step),
        };
        let steps = fold.adaptors.iter().filter_map(step);
        let steps = steps.map(|step| (step, self.column(numbers, step))).collect();
        let mut body = Self { within: Some(of), ..Self::default() };
        let mut values = Vec::new();
        for (k, (init, next)) in fold.values.iter().enumerate() {
            // No subscript uses a value that is computed from data.
            if numbers.understands(*init) && numbers.understands(*next) {
                let (op, ty) = (Op::Carried(of, k as u32), numbers.forms.get(*init).ty);
                let state = match numbers.forms.find(Node { op, ty }) {
                    Some(node) => body.column(numbers, node),
                    None => body.unknown(),
                };
                values.push((self.column(numbers, *init), state, body.column(numbers, *next)));
            } else {
                values.push((self.unknown(), body.unknown(), body.unknown()));
            }
        }
        let inputs = std::mem::take(&mut body.inputs);
        let given = inputs.into_iter().map(|(node, col)| (self.column(numbers, node), col)).collect();
        let var = body.vars.first().map(|(_, col)| *col);
        let until = until.then(|| match numbers.forms.var(fold.var) {
            Some(node) => self.column(numbers, node),
            None => self.unknown(),
        });
        self.loops.push(Some(Loop { of, shape: fold.clone(), body, given, var, ends, steps, until, values }));
        let at = self.loops.len() - 1;
        self.push(Step::Loop(at), Kind::default(), false);
        at
    }

    fn push(&mut self, step: Step, kind: Kind, partly: bool) -> Col {
        self.steps.push((step, kind));
        self.values.push([0; LANES]);
        self.known.push(vec![false; if partly { LANES } else { 0 }]);
        self.whole.push(!partly);
        self.constants.push(None);
        self.steps.len() - 1
    }

    fn unknown(&mut self) -> Col {
        self.push(Step::Given, Kind::default(), true)
    }

    fn constant(&mut self, value: u64, kind: Kind) -> Col {
        let col = self.push(Step::Given, kind, false);
        self.values[col] = [value; LANES];
        self.constants[col] = Some(value);
        col
    }
}
