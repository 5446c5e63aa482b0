//! Device functions. A function is emitted once for each combination of the address spaces of its slice parameters,
//! because OpenCL C 1.2 has no generic pointers.
use super::body::{Body, Leave, Text, statements, visit_calls};
use super::types::Space;
use crate::back::Dialect;
use crate::valid::may_overflow;
use omp_ir::ids::{ExprId, FnId};
use omp_ir::kernel::{BoundsVerdict, Kernel, Ty, TypedCode};
use omp_ir::template::{Check, Expr, Stmt};
use omp_ir::visit;
use std::collections::HashMap;
use std::fmt::Write as _;

/// The device functions of a source.
#[derive(Debug, Default)]
pub(crate) struct Functions {
    /// By function.
    can_fail: Vec<bool>,
    /// By function: it can reach itself.
    recursive: Vec<bool>,
    names: HashMap<(FnId, Vec<Space>), String>,
    pub prototypes: String,
    pub text: String,
}

impl Functions {
    /// Finds out which functions can fail: those with a check, and their callers.
    pub(crate) fn new(kernel: &Kernel) -> Self {
        let recursive = super::recursion::recursive(kernel);
        let own = kernel.fns.iter().map(|f| fails_itself(kernel, &f.body));
        // One that calls itself may run out of stack.
        let mut can_fail: Vec<bool> = own.zip(&recursive).map(|(fails, calls)| fails || *calls).collect();
        loop {
            let next: Vec<bool> = kernel
                .fns
                .iter()
                .enumerate()
                .map(|(i, f)| can_fail[i] || visit_calls(&f.body).any(|callee| can_fail[callee.index()]))
                .collect();
            if next == can_fail {
                return Self { can_fail, recursive, ..Self::default() };
            }
            can_fail = next;
        }
    }

    /// Whether a function takes a context.
    pub(crate) fn can_fail(&self, id: FnId) -> bool {
        self.can_fail[id.index()]
    }
}

fn fails_itself(kernel: &Kernel, code: &TypedCode) -> bool {
    let checks = statements(code).into_iter().any(|stmt| match stmt {
        Stmt::Check { check: Check::Bounds { access, .. } | Check::Slice { access, .. }, src: _ } => {
            matches!(code.bounds[access.index()], BoundsVerdict::Residual | BoundsVerdict::AtLaunch)
        }
        Stmt::Check { check: Check::Divide { .. } | Check::Panic { .. } | Check::Step { .. }, src: _ } => {
            true
        }
        _ => false,
    });
    checks || (code.overflow_checks && overflows(kernel, code))
}

/// Debug builds: an operator of the code can overflow.
pub(crate) fn overflows(kernel: &Kernel, code: &TypedCode) -> bool {
    let mut found = false;
    visit::each_live_expr(&code.code, &mut |e| found |= may_overflow(kernel, code, e));
    found
}

impl Body<'_, '_> {
    /// A call of a device function.
    pub(crate) fn device_call(&mut self, id: FnId, args: &[ExprId]) -> String {
        let (mut texts, mut spaces) = (Vec::new(), Vec::new());
        let can_fail = self.w.functions.can_fail(id);
        if can_fail {
            texts.push(self.context_pointer().to_owned());
        }
        for &arg in args {
            if matches!(self.w.types.get(self.ty(arg)), Ty::Slice(_)) {
                let (text, space) = self.slice(arg);
                texts.push(text);
                spaces.push(space);
            } else if let Expr::Borrow(place) = &self.code.code.exprs[arg.index()].expr {
                let (text, space) = self.address(place, self.ty(arg));
                texts.push(text);
                spaces.push(space);
            } else if !self.w.types.is_empty(self.ty(arg)) {
                texts.push(self.bare(arg));
            }
        }
        let name = self.function_name(id, &spaces);
        self.fallible |= can_fail;
        format!("{name}({})", texts.join(", "))
    }

    /// The name of a function, which is written when it is first called.
    pub(crate) fn function_name(&mut self, id: FnId, spaces: &[Space]) -> String {
        // With generic pointers, one function is enough for all address spaces.
        let anywhere = self.w.syntax.dialect == Dialect::Cuda;
        let spaces: Vec<Space> = spaces.iter().map(|&s| if anywhere { Space::Global } else { s }).collect();
        let key = (id, spaces.clone());
        if let Some(name) = self.w.functions.names.get(&key) {
            return name.clone();
        }
        let f = &self.w.kernel.fns[id.index()];
        let name = self.w.global_name(&f.template.name);
        self.w.functions.names.insert(key, name.clone());
        let ret = if self.w.types.is_empty(f.ret) { "void".to_owned() } else { self.w.value_type(f.ret) };
        let qualifier = self.w.syntax.function;
        let mut body = Body::of_function(self.w, id, &spaces);
        let params = body.params();
        if body.w.functions.recursive[id.index()] {
            body.check_stack(&f.template.name);
        }
        body.block(&f.body.code.block);
        if let Leave::Function(Some(ret)) = body.leave.clone() {
            let zero = body.zero(ret);
            body.out.line(format!("return {zero};"));
        }
        let Text { text, .. } = body.out;
        let head = format!("{qualifier}{ret} {name}({params})");
        if self.w.info.recursive {
            let _ = writeln!(self.w.functions.prototypes, "{head};");
        }
        let _ = writeln!(self.w.functions.text, "{head} {{\n{text}}}\n");
        name
    }

    fn params(&mut self) -> String {
        let mut params = Vec::new();
        if self.context {
            params.push("context* cx".to_owned());
        }
        let Some(id) = self.function else { return String::new() };
        for &param in &self.w.kernel.fns[id.index()].template.params {
            let ty = self.code.local_ty[param.index()];
            let c = match self.w.types.get(ty) {
                Ty::Slice(elem) => self.w.slice_type(*elem, self.spaces[param.index()]),
                _ if self.is_ref(param) => {
                    let c = self.w.memory_type(ty);
                    format!("{}{c}*", self.w.types.space(self.spaces[param.index()]))
                }
                _ if self.w.types.is_empty(ty) => continue,
                _ => self.w.value_type(ty),
            };
            params.push(format!("{c} {}", self.locals[param.index()]));
        }
        if params.is_empty() { "void".to_owned() } else { params.join(", ") }
    }
}
