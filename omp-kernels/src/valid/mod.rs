//! Typing and validation: from a template and the types that rustc inferred to a [`Kernel`] and the token that emission needs.
//!
//! [`finalise`] goes step by step. Every expression is typed bottom-up (`typer`, `expr`, `place`, with the rules of `operators`).
//! Built-in methods that may panic get a check before them (`guards`). In nests, calls are replaced by the bodies of functions
//! (`inline`), elements of slices by those of arrays (`slices`), and loads that loops carry by variables ([`forwarding`]). Branches that
//! constants decide go (`branches`), induction variables become formulas of counters (`induction`), and insertions into short arrays become counted loops (`insertion`). Checks that
//! always hold are dropped, by the verdicts of the launch plan (`prune`). The rest is counted (`facts`). rustc has type-checked the same tokens before, so an error here
//! means that an operation does not exist on devices.
mod branches;
mod claims;
mod counted;
mod facts;
mod guards;
mod induction;
mod inline;
mod insertion;
mod named_updates;
mod prune;
mod reducers;
mod shown;
mod slices;
pub(crate) mod typer;

use omp_ir::analysis::plan::LaunchPlan;
use omp_ir::flow::forwarding;
use omp_ir::ids::{AccessId, FnId};
use omp_ir::kernel::{BoundsVerdict, Callee, CodeTypes, Kernel, RegionTypes, Ty, TypedCode, TypedFn, Types};
use omp_ir::template::{Access, Block, Check, Code, KernelTemplate, Stmt};
use omp_ir::visit;
use std::collections::BTreeSet;
use typer::{Signature, World};

pub use claims::claiming;
pub use facts::{bounds_that_overflow, draws, may_overflow};
pub use named_updates::misnamed;
pub use typer::operators::type_name;
pub use typer::place::{checked_array, checked_len, place_type};

/// Proof that a kernel is well typed, with what was learnt on the way. Only [`finalise`] makes one; emission
/// demands it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct KernelInfo {
    /// Formulas for the launch.
    pub plan: LaunchPlan,
    /// A device function calls itself, directly or not (OpenCL can't).
    pub recursive: bool,
    /// f64 occurs.
    pub uses_f64: bool,
    /// 64-bit values are accessed atomically.
    pub atomics64: bool,
    /// 64-bit integers other than indices occur in memory.
    pub uses_i64: bool,
    /// Checks that stay in the kernel whatever the sizes: bounds, division, panic, overflow. Zero, and no subscript
    /// left unproved at launch: the kernel has no status word.
    pub residual_checks: usize,
    /// Integer arithmetic of the body, or of a function that it calls, is checked for overflow.
    pub overflow_checks: bool,
}

/// Why a region can't go to a device although it compiled.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeError {
    /// What was found and what is allowed.
    pub message: String,
    /// Line and column in the region's file, if it is in one.
    pub place: Option<(u32, u32)>,
}

impl std::fmt::Display for TypeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)?;
        match self.place {
            Some((line, column)) => write!(f, " (at {line}:{column})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for TypeError {}

/// Types every expression, drops what is proved, and validates.
///
/// # Errors
/// When an operator, method or cast is applied to types that no device has it for.
pub fn finalise(
    template: KernelTemplate,
    types: RegionTypes,
    overflow_checks: bool,
) -> Result<(Kernel, KernelInfo), TypeError> {
    let own_checks: Vec<Option<bool>> = types.fns.iter().map(|(_, types)| types.overflow_checks).collect();
    let mut kernel = type_all(template, types)?;
    let Kernel { body, fns, types, .. } = &mut kernel;
    body.overflow_checks = overflow_checks;
    for (f, own) in fns.iter_mut().zip(own_checks) {
        f.body.overflow_checks = own.unwrap_or(overflow_checks);
    }
    for code in std::iter::once(body).chain(fns.iter_mut().map(|f| &mut f.body)) {
        shown::spread(code, types);
        guards::insert(code, types);
    }
    inline::apply(&mut kernel);
    slices::apply(&mut kernel);
    let forwards = inline::is_nest(&kernel) && !kernel.template.inner_scans;
    branches::apply(&mut kernel);
    if kernel.template.scan.is_none() {
        induction::apply(&mut kernel);
    }
    insertion::apply(&mut kernel);
    if forwards {
        forwarding::apply(&mut kernel);
    }
    number_divisors(&mut kernel.body);
    if kernel.template.scan.is_some() {
        kernel.body.carried = facts::carried(&kernel);
    }
    let (plan, verdicts) = LaunchPlan::build(&kernel);
    prune::apply(&mut kernel, &verdicts);
    let info = KernelInfo {
        plan,
        recursive: facts::recursive(&kernel),
        uses_f64: facts::uses_f64(&kernel),
        uses_i64: facts::uses_i64(&kernel),
        atomics64: facts::atomics64(&kernel),
        residual_checks: facts::residual_checks(&kernel),
        overflow_checks: kernel.body.overflow_checks || kernel.fns.iter().any(|f| f.body.overflow_checks),
    };
    Ok((kernel, info))
}

/// Divisions and steps of the body stand among its subscripts, so that the launch plan can prove them.
fn number_divisors(body: &mut TypedCode) {
    fn number(block: &mut Block, accesses: &mut Vec<Access>) {
        for stmt in &mut block.0 {
            if let Stmt::Check {
                check: Check::Divide { access, .. } | Check::Step { access, .. } | Check::Panic { access, .. },
                src,
            } = stmt
            {
                *access = Some(AccessId::new(accesses.len()));
                accesses.push(Access {
                    name: String::new(),
                    write: false,
                    read: false,
                    src: *src,
                    bracket: *src,
                });
            }
            for inner in visit::blocks_of_mut(stmt).into_iter().flatten() {
                number(inner, accesses);
            }
        }
    }
    number(&mut body.code.block, &mut body.code.accesses);
    body.bounds.resize(body.code.accesses.len(), BoundsVerdict::Residual);
}

/// Types the body, then each function in the order of their first calls.
fn type_all(template: KernelTemplate, answers: RegionTypes) -> Result<Kernel, TypeError> {
    let mut world = World::new(&template, &answers)?;
    let body = typer::type_body(&mut world, &template, &answers.code)?;
    let reducers = reducers::of(&mut world, &template, &answers.code, &body)?;
    let inner_reducers = reducers::of_nests(&mut world, &template, &answers.code, &body)?;
    let mut typed: Vec<Option<TypedCode>> = answers.fns.iter().map(|_| None).collect();
    loop {
        let next = world.called.iter().copied().find(|f| typed[f.index()].is_none());
        // Functions that nothing calls come last: only the slots give the types of their parameters.
        let rest = (0..typed.len()).find(|&i| typed[i].is_none()).map(FnId::new);
        let Some(id) = next.or(rest) else { break };
        let (f, code) = &answers.fns[id.index()];
        typed[id.index()] = Some(typer::type_fn(&mut world, id, f, code)?);
    }
    let World { types, arrays, scalars, signatures, .. } = world;
    let fns = answers.fns.into_iter().zip(typed).zip(signatures);
    let fns = fns
        .filter_map(|(((template, _), body), Signature { ret, .. })| {
            Some(TypedFn { template, body: body?, ret })
        })
        .collect();
    Ok(Kernel { template, types, array_ty: arrays, scalar_ty: scalars, body, fns, reducers, inner_reducers })
}

/// The finished code of a typing pass, all subscripts residual as yet.
fn typed_code(code: Code, answers: &CodeTypes, parts: typer::Parts, types: &mut Types) -> TypedCode {
    let never = types.intern(Ty::Never);
    let mut calls = answers.calls.clone();
    // Calls that typing has added are built in.
    calls.resize(parts.methods.len().max(calls.len()), Callee::Builtin);
    TypedCode {
        bounds: vec![BoundsVerdict::Residual; code.accesses.len()],
        expr_ty: parts.exprs.into_iter().map(|t| t.unwrap_or(never)).collect(),
        local_ty: parts.locals.into_iter().map(|t| t.unwrap_or(never)).collect(),
        const_ty: answers.consts.iter().map(|c| types.intern_desc(c.ty)).collect(),
        consts: answers.consts.clone(),
        calls,
        methods: parts.methods,
        carried: Vec::new(),
        unrolled: BTreeSet::new(),
        file: answers.file,
        overflow_checks: false,
        code,
    }
}
