//! The values that straight-line functions compute, as trees over their parameters: equal trees are equal values.
//! Calls of other straight-line functions are replaced by what these compute.
use super::Function;
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::ids::{CallId, ExprId, FnId, LocalId};
use omp_ir::kernel::{Callee, CodeTypes};
use omp_ir::template::{Base, Code, Expr, FnTemplate, Place, Projection, Stmt, TyRef};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A value.
#[derive(Debug)]
pub(super) enum Value {
    /// A parameter, as the caller passed it.
    Parameter(usize),
    /// A field of a value.
    Field(Rc<Value>, String),
    /// A value with other fields.
    With(Rc<Value>, BTreeMap<String, Rc<Value>>),
    /// A struct or variant of this name made of its fields, or an array.
    Made(String, BTreeMap<String, Rc<Value>>),
    /// An operation.
    Node(String, Vec<Rc<Value>>),
}

/// What a function returns, and its parameters afterwards.
pub(super) struct Results {
    pub(super) returned: Option<Rc<Value>>,
    pub(super) parameters: Vec<Rc<Value>>,
}

/// Functions that call each other deeper than this are not followed.
const DEEPEST: usize = 8;
/// The largest number of steps of all functions together.
const LONGEST: usize = 10_000;

/// The functions of a region.
pub(super) struct Functions<'f, 'a> {
    pub(super) find: &'f dyn Fn(FnId) -> Option<Function<'a>>,
    pub(super) steps: usize,
}

impl Functions<'_, '_> {
    /// What a function makes of its parameters; `None` if it is no straight-line code.
    pub(super) fn call(&mut self, f: FnId, arguments: Vec<Rc<Value>>, depth: usize) -> Option<Results> {
        let (template, types) = (self.find)(f).filter(|_| depth < DEEPEST)?;
        let FnTemplate { params, code, .. } = template;
        let locals = params.iter().copied().zip(arguments).collect();
        let mut run = Run { functions: self, code, types, locals, depth };
        let mut returned = None;
        for stmt in &code.block.0 {
            if returned.is_some() {
                return None;
            }
            match stmt {
                Stmt::Let { local, init: Some(value) } => {
                    let value = run.value(*value)?;
                    run.locals.insert(*local, value);
                }
                Stmt::Let { init: None, .. } | Stmt::Check { .. } => {}
                Stmt::Assign { place, value, .. } => {
                    let value = run.value(*value)?;
                    run.assign(place, value)?;
                }
                Stmt::Eval(value) => drop(run.value(*value)?),
                Stmt::Return(value) => returned = Some((*value).map(|v| run.value(v))),
                _ => return None,
            }
        }
        let parameters = params.iter().map(|p| run.locals.get(p).cloned()).collect::<Option<_>>()?;
        let returned = match returned.flatten() {
            Some(value) => Some(value?),
            None => None,
        };
        Some(Results { returned, parameters })
    }
}

/// One call.
struct Run<'r, 'f, 'a> {
    functions: &'r mut Functions<'f, 'a>,
    code: &'a Code,
    types: &'a CodeTypes,
    locals: BTreeMap<LocalId, Rc<Value>>,
    depth: usize,
}

impl Run<'_, '_, '_> {
    fn value(&mut self, e: ExprId) -> Option<Rc<Value>> {
        self.functions.steps += 1;
        if self.functions.steps > LONGEST {
            return None;
        }
        let node = |text: String, of: Vec<Rc<Value>>| Some(Rc::new(Value::Node(text, of)));
        match &self.code.exprs[e.index()].expr {
            Expr::Load(place) | Expr::Borrow(place) => self.load(place),
            Expr::Unit => node("()".into(), Vec::new()),
            Expr::Int { value, negative, ty } => {
                node(format!("{value} {negative} {}", self.ty(*ty)?), Vec::new())
            }
            Expr::Float { digits, negative, ty } => {
                node(format!("{digits} {negative} {}", self.ty(*ty)?), Vec::new())
            }
            Expr::Bool(value) => node(format!("{value}"), Vec::new()),
            Expr::Unary(op, a) => {
                let a = self.value(*a)?;
                self.operation(e, format!("{op:?}"), vec![a])
            }
            Expr::Binary(op, a, b) => {
                let operands = vec![self.value(*a)?, self.value(*b)?];
                self.operation(e, format!("{op:?}"), operands)
            }
            Expr::Cast { value, ty } => {
                let to = self.ty(*ty)?;
                let value = self.value(*value)?;
                node(format!("as {to}"), vec![value])
            }
            Expr::Call { call, args } => {
                let arguments = args.iter().map(|a| self.value(*a)).collect::<Option<Vec<_>>>()?;
                let name = &self.code.calls[call.index()].name;
                let Some(Callee::Fn(f)) = self.callee(*call) else {
                    // `u32::from(x)` is another value than `u64::from(x)`.
                    let result = self.ty(TyRef::Slot(self.code.calls[call.index()].ret?))?;
                    return node(format!("{name} {result}"), arguments);
                };
                let Some(results) = self.functions.call(f, arguments.clone(), self.depth + 1) else {
                    let lends =
                        args.iter().any(|a| matches!(self.code.exprs[a.index()].expr, Expr::Borrow(_)));
                    return if lends { None } else { node(format!("{f:?}"), arguments) };
                };
                for (arg, after) in args.iter().zip(results.parameters) {
                    if let Expr::Borrow(place) = &self.code.exprs[arg.index()].expr {
                        self.assign(place, after)?;
                    }
                }
                results.returned.or_else(|| node("()".into(), Vec::new()))
            }
            Expr::Struct { fields, rest, name, .. } => {
                let made = fields
                    .iter()
                    .map(|(name, value)| Some((name.clone(), self.value(*value)?)))
                    .collect::<Option<BTreeMap<_, _>>>()?;
                Some(Rc::new(match rest {
                    Some(rest) => Value::With(self.value(*rest)?, made),
                    None => Value::Made(name.clone(), made),
                }))
            }
            Expr::Array { elems, .. } => {
                let elems = elems.iter().map(|e| self.value(*e)).collect::<Option<Vec<_>>>()?;
                Some(Rc::new(Value::Made(
                    String::new(),
                    elems.into_iter().enumerate().map(|(n, e)| (format!("[{n}]"), e)).collect(),
                )))
            }
            Expr::Len(_)
            | Expr::Slice { .. }
            | Expr::Repeat { .. }
            | Expr::Some { .. }
            | Expr::None { .. }
            | Expr::IsSome(_)
            | Expr::Thread(_)
            | Expr::SizeOf { .. } => None,
        }
    }

    /// The value of an operator, which may be a function of the program's.
    fn operation(&mut self, e: ExprId, text: String, operands: Vec<Rc<Value>>) -> Option<Rc<Value>> {
        let operator = self.code.operators.iter().find(|o| o.expr == e);
        let callee = operator.and_then(|o| Some((self.callee(o.call)?, o.assigns)));
        let Some((Callee::Fn(f), assigns)) = callee else {
            return Some(Rc::new(Value::Node(text, operands)));
        };
        match self.functions.call(f, operands.clone(), self.depth + 1) {
            Some(results) if assigns => results.parameters.into_iter().next(),
            Some(results) => results.returned,
            None if assigns => None,
            None => Some(Rc::new(Value::Node(format!("{f:?}"), operands))),
        }
    }

    fn callee(&self, call: CallId) -> Option<Callee> {
        self.types.calls.get(call.index()).copied()
    }

    fn ty(&self, ty: TyRef) -> Option<String> {
        let of_prim = |prim: Prim| format!("{prim:?}");
        match ty {
            TyRef::Prim(prim) => Some(of_prim(prim)),
            TyRef::Slot(slot) => match (*self.types.slots.get(slot.index())?)? {
                TypeDesc::Prim(prim) => Some(of_prim(*prim)),
                _ => None,
            },
        }
    }

    /// The fields that lead to a place.
    fn path(&mut self, place: &Place) -> Option<Vec<String>> {
        let step = |step: &Projection| match step {
            Projection::Field(name) => Some(name.clone()),
            Projection::Index { index, .. } => match &self.code.exprs[index.index()].expr {
                Expr::Int { value, negative: false, .. } => Some(format!("[{value}]")),
                _ => None,
            },
            Projection::Payload => None,
        };
        place.projections.iter().map(step).collect()
    }

    fn load(&mut self, place: &Place) -> Option<Rc<Value>> {
        let start = match place.base {
            Base::Local(local) => self.locals.get(&local)?.clone(),
            Base::Const(konst) => {
                let konst = self.types.consts.get(konst.index())?;
                Rc::new(Value::Node(format!("{:?} {:?}", konst.ty, konst.bytes), Vec::new()))
            }
            Base::Array(_) | Base::Scalar(_) => return None,
        };
        Some(self.path(place)?.iter().fold(start, |value, name| field(&value, name)))
    }

    fn assign(&mut self, place: &Place, value: Rc<Value>) -> Option<()> {
        let path = self.path(place)?;
        let Base::Local(local) = place.base else { return None };
        let value = match path.is_empty() {
            true => value,
            false => with(self.locals.get(&local)?, &path, value),
        };
        self.locals.insert(local, value);
        Some(())
    }
}

fn field(value: &Rc<Value>, name: &str) -> Rc<Value> {
    match &**value {
        Value::With(base, fields) => fields.get(name).cloned().unwrap_or_else(|| field(base, name)),
        Value::Made(_, fields) if fields.contains_key(name) => fields[name].clone(),
        _ => Rc::new(Value::Field(value.clone(), name.to_owned())),
    }
}

/// The value with another one at the end of a path.
fn with(value: &Rc<Value>, path: &[String], new: Rc<Value>) -> Rc<Value> {
    let Some((name, rest)) = path.split_first() else { return new };
    let new = with(&field(value, name), rest, new);
    let (base, mut fields) = match &**value {
        Value::With(base, fields) => (base.clone(), fields.clone()),
        Value::Made(of, fields) => {
            let mut fields = fields.clone();
            fields.insert(name.clone(), new);
            return Rc::new(Value::Made(of.clone(), fields));
        }
        _ => (value.clone(), BTreeMap::new()),
    };
    fields.insert(name.clone(), new);
    Rc::new(Value::With(base, fields))
}

/// Whether two values of one type are certainly equal.
pub(super) fn equal(a: &Rc<Value>, b: &Rc<Value>) -> bool {
    Comparison { steps: 0 }.equal(a, b)
}

/// Values share their parts, so a comparison may take much longer than they are large: it ends after [`LONGEST`] steps.
struct Comparison {
    steps: usize,
}

impl Comparison {
    fn equal(&mut self, a: &Rc<Value>, b: &Rc<Value>) -> bool {
        self.steps += 1;
        if self.steps > LONGEST {
            return false;
        }
        if Rc::ptr_eq(a, b) {
            return true;
        }
        let same = |name: &String| self.equal(&field(a, name), &field(b, name));
        match (&**a, &**b) {
            (Value::Made(name, fields), Value::Made(other, _)) => name == other && fields.keys().all(same),
            (Value::Made(_, fields), _) | (_, Value::Made(_, fields)) => {
                !fields.is_empty() && fields.keys().all(same)
            }
            (Value::With(base, fields), Value::With(other, more)) => {
                fields.keys().chain(more.keys()).all(same) && self.equal(base, other)
            }
            (Value::With(base, fields), _) => fields.keys().all(same) && self.equal(base, b),
            (_, Value::With(base, fields)) => fields.keys().all(same) && self.equal(a, base),
            (Value::Parameter(n), Value::Parameter(m)) => n == m,
            (Value::Field(x, name), Value::Field(y, other)) => name == other && self.equal(x, y),
            (Value::Node(text, x), Value::Node(other, y)) => {
                text == other && x.len() == y.len() && x.iter().zip(y).all(|(x, y)| self.equal(x, y))
            }
            _ => false,
        }
    }
}
