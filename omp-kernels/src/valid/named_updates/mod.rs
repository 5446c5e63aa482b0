//! Updates of reduction items that were recognised by the name of a method or operator (`m = m.max(e)`, `s += e`), which may be one of
//! the program's own: then it has to compute what the name says.
mod straight;

use omp_ir::desc::TypeDesc;
use omp_ir::flow::update_form::{self, Form, Kind, Operator, Question, Use};
use omp_ir::ids::{CallId, FnId};
use omp_ir::kernel::{Callee, CodeTypes};
use omp_ir::template::{Base, FnTemplate, KernelTemplate, NamedUpdate, Place, Stmt};
use omp_ir::visit;
use std::rc::Rc;
use straight::{Functions, Value, equal};

/// What is known of a function.
pub type Function<'a> = (&'a FnTemplate, &'a CodeTypes);

/// The first update by a function that is not known to compute what its name says. `types`: those of the region's body;
/// `function`: what is known of a function.
pub fn misnamed<'a>(
    template: &KernelTemplate,
    types: &CodeTypes,
    function: impl Fn(FnId) -> Option<Function<'a>>,
) -> Option<NamedUpdate> {
    let wrong = |(item, update): &&(u32, NamedUpdate)| {
        let Some(Callee::Fn(f)) = types.calls.get(update.call.index()) else { return false };
        let right = match update.operand {
            Some(operand) => function(*f).is_some_and(|of| computes(of, operand as usize, update)),
            None => match types.operators.get(*item as usize) {
                Some(Some(declared)) => assigns(&function, *f, declared.function),
                // Refused otherwise: the type has no such operator.
                Some(None) | None => true,
            },
        };
        !right
    };
    template.code.named_updates.iter().find(wrong).map(|(_, update)| *update)
}

/// Whether a function updates one of its parameters by a built-in operator, and returns that.
fn computes((f, types): Function<'_>, operand: usize, update: &NamedUpdate) -> bool {
    let Some(item) = f.params.get(operand) else { return false };
    let mut code = f.code.clone();
    let Some(Stmt::Return(Some(value))) = code.block.0.pop() else { return false };
    let place = Place { base: Base::Local(*item), projections: Vec::new() };
    let src = code.exprs[value.index()].src;
    code.block.0.push(Stmt::Assign { place, value, src });
    let mut returns = false;
    visit::each_stmt(&code.block, &mut |stmt| returns |= matches!(stmt, Stmt::Return(_)));
    let callee = |call: CallId| types.calls.get(call.index());
    let uses = update_form::uses(&Question {
        code: &code,
        block: &code.block,
        item: Base::Local(*item),
        fields: &[],
        library: &|call| callee(call) == Some(&Callee::Builtin),
        same: &|a, b| callee(a) == callee(b) && code.calls[a.index()].name == code.calls[b.index()].name,
        ty: &|slot| slot,
    });
    // Of numbers, all operators are built in, and those of updates commute.
    let Some(TypeDesc::Prim(returned)) = f.ret.and_then(|slot| *types.slots.get(slot.index())?) else {
        return false;
    };
    if code.operators.iter().any(|o| callee(o.call) != Some(&Callee::Builtin)) {
        return false;
    }
    let ordered = !returned.is_float();
    match &uses[..] {
        [Use { kind: Kind::Assigned(Form::Update(found)), .. }] => {
            !returns
                && found.by == Operator::Builtin(update.op)
                && !found.effects
                && (ordered || !found.unordered)
        }
        _ => false,
    }
}

/// Whether `a ⊕= b`, a function of `&mut a` and `b`, is `a = a ⊕ b`.
fn assigns<'a>(function: &impl Fn(FnId) -> Option<Function<'a>>, assigning: FnId, operator: FnId) -> bool {
    let parameters = || (0..2).map(|n| Rc::new(Value::Parameter(n))).collect::<Vec<_>>();
    let mut functions = Functions { find: function, steps: 0 };
    let Some(assigned) = functions.call(assigning, parameters(), 0) else { return false };
    let result = match functions.call(operator, parameters(), 0) {
        Some(results) => results.returned,
        None => Some(Rc::new(Value::Node(format!("{operator:?}"), parameters()))),
    };
    result.is_some_and(|result| equal(&assigned.parameters[0], &result))
}
