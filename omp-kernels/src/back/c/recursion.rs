//! Recursion on CUDA devices. A thread there has a stack of a fixed size, and running over its end takes the whole
//! context along. So every function that can reach itself measures, when it is entered, how far the stack has grown
//! since the kernel began: the distance between a variable of its own and one of the kernel's. If less is left than
//! the next frames may take, the region fails as from any other check.
//!
//! How large a thread's stack is, the launch writes into the module's variable [`STACK`]. How much one frame may take
//! is estimated from above: everything that the source holds at once, as if nothing were kept in registers and every
//! call inlined.
use super::body::visit_calls;
use super::writer::Writer;
use omp_ir::ids::{FnId, TyId};
use omp_ir::kernel::{Kernel, Ty, TypedCode, Types};
use omp_ir::visit;

/// The module's variable that holds the bytes of a thread's stack. The CUDA backend looks for it when it loads a
/// module; 0 (not written) forbids recursion.
pub const STACK: &str = "omp_stack";

/// What a frame has in addition to what is counted: saved registers, the return address, alignment.
const OVERHEAD: u64 = 512;

/// By function: whether it can reach itself.
pub(super) fn recursive(kernel: &Kernel) -> Vec<bool> {
    let callees: Vec<Vec<FnId>> = kernel.fns.iter().map(|f| visit_calls(&f.body).collect()).collect();
    (0..callees.len())
        .map(|start| {
            let mut seen = vec![false; callees.len()];
            let mut open = callees[start].clone();
            while let Some(f) = open.pop() {
                if f.index() == start {
                    return true;
                }
                if !std::mem::replace(&mut seen[f.index()], true) {
                    open.extend(&callees[f.index()]);
                }
            }
            false
        })
        .collect()
}

/// The names of the functions that can reach themselves, for messages.
pub(super) fn names(kernel: &Kernel) -> String {
    let of = recursive(kernel).into_iter().zip(&kernel.fns).filter(|(r, _)| *r);
    of.map(|(_, f)| format!("`{}`", f.template.name)).collect::<Vec<_>>().join(", ")
}

/// The bytes that must be left when a function that can reach itself is entered: its frame, that of the next check,
/// and what the kernel's own frame holds.
pub(super) fn reserve(kernel: &Kernel) -> u64 {
    let recursive = recursive(kernel);
    let mut known = vec![None; kernel.fns.len()];
    let frames = (0..kernel.fns.len()).filter(|&f| recursive[f]);
    let largest = frames.map(|f| of_function(kernel, &recursive, &mut known, f)).max().unwrap_or(0);
    let body = of_code(kernel, &recursive, &mut known, &kernel.body);
    body.saturating_add(largest.saturating_mul(2))
}

fn of_function(kernel: &Kernel, recursive: &[bool], known: &mut [Option<u64>], f: usize) -> u64 {
    if let Some(bytes) = known[f] {
        return bytes;
    }
    let bytes = of_code(kernel, recursive, known, &kernel.fns[f].body);
    known[f] = Some(bytes);
    bytes
}

/// A body's frame, those of the functions that it calls and that don't come back to themselves among it.
fn of_code(kernel: &Kernel, recursive: &[bool], known: &mut [Option<u64>], code: &TypedCode) -> u64 {
    let locals = code.local_ty.iter().map(|&ty| held(&kernel.types, ty));
    let mut bytes = locals.fold(OVERHEAD, u64::saturating_add);
    visit::each_live_expr(&code.code, &mut |e| {
        bytes = bytes.saturating_add(2 * held(&kernel.types, code.expr_ty[e.index()]));
    });
    for callee in visit_calls(code) {
        if !recursive[callee.index()] {
            bytes = bytes.saturating_add(of_function(kernel, recursive, known, callee.index()));
        }
    }
    bytes
}

/// Bytes of a value, rounded up.
fn held(types: &Types, ty: TyId) -> u64 {
    let bytes = match types.get(ty) {
        Ty::Unit | Ty::Never => 0,
        Ty::Prim(p) => p.size() as u64,
        Ty::Enum(e) => e.size as u64,
        Ty::Data(d, _) => d.size as u64,
        Ty::Array(elem, len) => held(types, *elem).saturating_mul(*len),
        Ty::Struct(desc, fields) => {
            let parts = fields.iter().map(|&f| held(types, f)).fold(0, u64::saturating_add);
            parts.max(desc.size as u64)
        }
        Ty::Option(payload) => held(types, *payload).saturating_add(8),
        Ty::Slice(_) => 16,
    };
    bytes.checked_next_multiple_of(8).unwrap_or(u64::MAX)
}

impl Writer<'_> {
    /// The module's variable, and the function that measures.
    pub(super) fn stack_text(&self) -> String {
        if !self.info.recursive {
            return String::new();
        }
        let helper = self.syntax.helper;
        format!(
            "// The bytes of a thread's stack.\n__device__ u64 {STACK};\n\n{helper}bool over_stack(const context* cx, const u8* here) \
             {{\n    const u64 at = (u64)here;\n    return (cx->stack > at ? cx->stack - at : at - cx->stack) > cx->most;\n}}\n"
        )
    }
}
