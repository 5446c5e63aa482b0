//! Lowers the heads of the parallel loops, and drives the lowering of a region: clauses, body, heads, in the order of
//! their dependences.
//!
//! The host evaluates a head. Its expressions are in the template only for the analysis, as far as they are arithmetic
//! on values that the body captures anyway: a head adds no captures to a region. Heads that depend on outer parallel
//! variables are evaluated by the kernel, and are lowered like everything else.
use super::capture::{Captured, Uses};
use super::chain::chain;
use super::iterated::Methods;
use crate::ast::{Item, LoopHead, Task};
use crate::diag::Code as DiagCode;
use crate::lower::cx::{Lower, Name, Target, TargetKind};
use crate::lower::expr::literal::is_untyped;
use crate::lower::expr::place::is_const_path;
use crate::lower::expr::{binary_op, is_number};
use crate::lower::generated_names::Made;
use crate::lower::{CapturedArray, Lowered};
use crate::sema::CheckedRegion;
use crate::sema::syntax::forms::strip_mut;
use crate::sema::syntax::names::mentions_any;
use crate::sema::syntax::place::item_key;
use omp_ir::analysis::bounds;
use omp_ir::ids::{ArrayId, ExprId, LocalId, SlotId};
use omp_ir::template::{
    Adaptor, Base, BinOp, Check, Dim, Expr, FpMode, KernelTemplate, LocalKind, Place, Range, Reduction, Scan,
    Stmt as TStmt, TyRef, UnOp,
};
use omp_ir::visit;
use quote::quote;
use std::collections::HashMap;
use syn::spanned::Spanned;
use syn::visit::Visit;

/// The variable of a parallel loop.
struct Variable {
    ident: syn::Ident,
    local: LocalId,
    see: syn::Stmt,
}

/// Lowers a region: again only if a use of a captured variable changes what an earlier use of it means.
pub(in crate::lower) fn run(region: &CheckedRegion, accesses: usize) -> (Lower, Vec<Dim>) {
    let (lower, dims) = once(region, accesses, Uses::default());
    match &lower.captured {
        Some(captured) if !captured.is_settled() => once(region, accesses, captured.uses.clone()),
        _ => (lower, dims),
    }
}

/// Lowers a region with what is known of the uses of its captured variables.
pub(in crate::lower) fn once(region: &CheckedRegion, accesses: usize, uses: Uses) -> (Lower, Vec<Dim>) {
    let clauses = &region.directive.clauses;
    let captured = Captured::new(region, uses);
    let mut lower = Lower::new(Some(captured), accesses);
    lower.inners = std::rc::Rc::clone(&region.inner);
    lower.function_labels.clone_from(&region.labels);
    lower.fixed_order = region.has_fixed_order();
    lower.iterates(|methods| methods.visit_expr_for_loop(&region.serial));
    lower.adaptors(|adaptors| adaptors.visit_expr_for_loop(&region.serial));
    lower.lenient = !region.context.generics.is_empty() || region.context.method;
    lower.generics = region.context.generics.clone();
    let generic = !region.context.generics.is_empty();
    lower.declare_clauses(clauses, &crate::sema::reduced_arrays(region));
    let vars: Vec<Variable> = region.loops.iter().map(|head| lower.dimension(head)).collect();
    let last = region.loops.len().saturating_sub(1);
    for (k, head) in region.loops.iter().enumerate() {
        let name = head.label.as_ref().map(|l| l.name.ident.to_string());
        lower.targets.push(Target { name, kind: TargetKind::Parallel(k == last), result: None });
        lower.bind(&vars[k].ident.to_string(), vars[k].local);
    }
    let mut body = region.body.clone();
    lower.parts = Some(Vec::new());
    let (block, _) = lower.nested(|this| this.block(&mut body, None));
    let mut dims = Vec::new();
    let mut heads = Vec::new();
    for (k, head) in region.loops.iter().enumerate() {
        let outer = vars[..k].iter().map(|v| (v.ident.to_string(), Name::Local(v.local)));
        lower.scopes = vec![outer.collect::<HashMap<_, _>>()];
        let mut whole = head.whole.clone();
        dims.push(lower.head(&vars[..k], vars[k].local, &mut whole));
        heads.push(whole);
    }
    lower.check_updates(region, &block, generic);
    lower.code.block = block;
    let mut copy = quote!(#body);
    for ((head, whole), v) in region.loops.iter().zip(&heads).zip(&vars).rev() {
        let (label, ident, see) = (&head.label, &v.ident, &v.see);
        copy = quote!(#label for #ident in #whole { #see #copy });
    }
    lower.heads_iterate();
    let (containers, checks) = (lower.see_containers(), std::mem::take(&mut lower.checks));
    let shadows = shadows(region, &mut lower);
    lower.typing.copy = quote!(#containers #checks #shadows #copy);
    (lower, dims)
}

/// In the copy, a written array is a `&mut [T]` of its name: whether it may be written is checked once, where it is
/// borrowed for the launch. The `len` of the container itself is checked as well: a trait of the user's could hide it.
fn shadows(region: &CheckedRegion, lower: &mut Lower) -> proc_macro2::TokenStream {
    let mut methods = Methods::default();
    region.loops.iter().for_each(|head| methods.visit_expr(&head.whole));
    methods.visit_block(&region.body);
    let Some(captured) = &mut lower.captured else { return proc_macro2::TokenStream::new() };
    let arrays = captured.captures.arrays.iter_mut().zip(&lower.typing.arrays);
    let shadows = arrays.filter_map(|(a, ident)| {
        let syn::Expr::Path(path) = &a.place else { return None };
        let name = path.path.get_ident()?;
        let calls =
            methods.0.iter().filter(|m| matches!(&*m.receiver, syn::Expr::Path(p) if p.path.is_ident(name)));
        let calls: Vec<_> = calls.collect();
        let lengths = calls.iter().all(|m| m.method == "len" || m.method == "is_empty");
        a.shadowed = a.written && !a.passed && !a.scalar && lengths;
        a.shadowed.then(|| quote!(#(let _ = #calls;)* let #name = #ident.shadow(&#name); let _ = &#name;))
    });
    shadows.collect()
}

/// The template of a finished run.
pub(in crate::lower) fn finish(region: &CheckedRegion, mut lower: Lower, dims: Vec<Dim>) -> Lowered {
    let clauses = &region.directive.clauses;
    let captured = lower.captured.take().expect("regions capture");
    let mut captures = captured.captures;
    // Reproducible results need reproducible operands, too.
    let strict = region.is_reproducible();
    let fp = if strict { FpMode::Strict } else { clauses.fp.as_ref().map(|f| f.value).unwrap_or_default() };
    let mut template = KernelTemplate {
        name: clauses.name.as_ref().map_or_else(|| region.context.function.clone(), |n| n.value.clone()),
        trust_disjoint: ids_of(&captured.array_ids, &clauses.trust_disjoint),
        scan: region
            .scan
            .as_ref()
            .map(|_| Scan::of(&lower.code.block).expect("the body of a scan begins with its blocks")),
        inner_scans: region.scan.is_none() && !clauses.scans.is_empty(),
        check_disjoint: ids_of(&captured.array_ids, &clauses.disjoint),
        unchecked: ids_of(&captured.array_ids, &clauses.unchecked),
        unchecked_all: clauses.unchecked_all.is_some(),
        arrays: captured.arrays,
        scalars: captured.scalars,
        dims,
        reductions: captured.reductions,
        code: lower.code,
        fp,
    };
    declared(region, &mut template, &mut captures.arrays);
    let Lower { typing, spans, paths, .. } = lower;
    let (reads, owners) = (Vec::new(), Vec::new());
    Lowered { template, typing, captures, spans, paths, reads, checked: false, owners }
}

/// If the range of a task's subscripts is unknown, the section of the task's `depend` is taken instead: they are checked
/// against it, as against that of a `map`.
fn declared(region: &CheckedRegion, template: &mut KernelTemplate, arrays: &mut [CapturedArray]) {
    if region.around.task != Some(Task::Own) {
        return;
    }
    let classes = bounds::at_compile_time(template);
    let mut astray = vec![false; arrays.len()];
    visit::each_stmt(&template.code.block, &mut |stmt| {
        if let TStmt::Check {
            check: Check::Bounds { access, base, .. } | Check::Slice { access, base, .. },
            ..
        } = stmt
            && let (Base::Array(a), true) = (base.base, base.projections.is_empty())
        {
            astray[a.index()] |= !classes[access.index()].affine;
        }
    });
    let reduced: Vec<usize> =
        template.reductions.iter().filter_map(Reduction::array).map(ArrayId::index).collect();
    for (i, (a, param)) in arrays.iter_mut().zip(&mut template.arrays).enumerate() {
        let depend = region.directive.clauses.depend.iter().flat_map(|d| &d.items);
        let named: Vec<&Item> = depend.filter(|item| item_key(item) == a.key).collect();
        if let ([item], true, None, false) = (&named[..], astray[i], param.map, reduced.contains(&i))
            && let [section] = &item.sections[..]
        {
            a.sections = vec![section.clone()];
            a.declared = true;
            param.section = true;
        }
    }
}

fn ids_of(known: &HashMap<String, ArrayId>, items: &[Item]) -> Vec<ArrayId> {
    items.iter().filter_map(|i| known.get(&i.key).copied()).collect()
}

impl Lower {
    fn dimension(&mut self, head: &LoopHead) -> Variable {
        let ident = match &head.var {
            Some(ident) => ident.clone(),
            None => self.fresh(Made::Index, head.var_span),
        };
        let (slot, see) = self.query_local(&ident);
        let name = head.var.as_ref().map_or_else(|| "_".to_owned(), shown);
        let local = self.local(&name, LocalKind::Loop, Some(slot), false);
        Variable { ident, local, see }
    }

    fn head(&mut self, outer: &[Variable], var: LocalId, whole: &mut syn::Expr) -> Dim {
        let src = self.src(whole.span());
        let names: Vec<String> = outer.iter().map(|v| v.ident.to_string()).collect();
        if !mentions_any(whole, &names) {
            let slot = self.code.locals[var.index()].slot;
            let range = self.host_range(whole, slot);
            return Dim { var, range, host: true, src };
        }
        let span = whole.span();
        let (block, range) = self.nested(|this| this.range(whole, this.code.locals[var.index()].slot, false));
        if !block.0.is_empty() {
            self.error(
                DiagCode::BoundNotAffine,
                span,
                "the bounds of this loop depend on outer parallel variables in more than a linear way",
                "bounds of collapsed loops are `a*i + b` of outer variables; otherwise collapse fewer loops",
            );
        }
        let range = range.unwrap_or(Range { lo: None, hi: None, inclusive: false, adaptors: Vec::new() });
        Dim { var, range, host: false, src }
    }

    /// A range that the host evaluates. Literal bounds have the type of the variable, which `slot` catches.
    fn host_range(&mut self, e: &mut syn::Expr, slot: Option<SlotId>) -> Range {
        match strip_mut(e) {
            syn::Expr::MethodCall(m) if m.method == "rev" => {
                let mut range = self.host_range(&mut m.receiver, slot);
                range.adaptors.push(Adaptor::Rev);
                range
            }
            syn::Expr::MethodCall(m) if m.method == "step_by" && m.args.len() == 1 => {
                let mut range = self.host_range(&mut m.receiver, slot);
                let step = self.pure(&mut m.args[0]);
                range.adaptors.push(Adaptor::StepBy(step));
                range
            }
            syn::Expr::Range(r) => {
                let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
                let mut bound = |e: &mut Box<syn::Expr>| match slot {
                    Some(slot) if is_untyped(e) => self.literal_of(e, Some(TyRef::Slot(slot))),
                    _ => self.pure(e),
                };
                let lo = r.start.as_mut().and_then(&mut bound);
                let hi = r.end.as_mut().and_then(&mut bound);
                Range { lo, hi, inclusive, adaptors: Vec::new() }
            }
            _ => Range { lo: None, hi: None, inclusive: false, adaptors: Vec::new() },
        }
    }

    /// An expression of a head, if it is arithmetic on what the body captures.
    fn pure(&mut self, e: &mut syn::Expr) -> Option<ExprId> {
        let src = self.src(e.span());
        if is_number(e) {
            return self.literal(e);
        }
        match e {
            syn::Expr::Paren(p) => self.pure(&mut p.expr),
            syn::Expr::Group(p) => self.pure(&mut p.expr),
            syn::Expr::Path(p) if (is_const_path(p) || self.is_const(p)) && !self.is_outside(e) => {
                let place = self.place(e, crate::lower::expr::place::READ)?;
                Some(self.expr(Expr::Load(place), src))
            }
            syn::Expr::Path(_) | syn::Expr::Field(_) => {
                let key = chain_key(e)?;
                let id = self.captured.as_ref()?.scalar_id(&key)?;
                Some(self.expr(Expr::Load(Place::from(Base::Scalar(id))), src))
            }
            syn::Expr::MethodCall(m) if m.method == "len" && m.args.is_empty() => {
                let key = chain_key(&m.receiver)?;
                let id = self.captured.as_ref()?.array_id(&key)?;
                Some(self.expr(Expr::Len(Place::from(Base::Array(id))), src))
            }
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)) => {
                let v = self.pure(&mut u.expr)?;
                Some(self.expr(Expr::Unary(UnOp::Neg, v), src))
            }
            syn::Expr::Binary(b) => {
                let op = binary_op(&b.op)?;
                if !matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul) {
                    return None;
                }
                let lhs = self.pure(&mut b.left)?;
                let rhs = self.pure(&mut b.right)?;
                Some(self.expr(Expr::Binary(op, lhs, rhs), src))
            }
            syn::Expr::Cast(c) if !is_number(&c.expr) => {
                let span = c.span();
                let value = self.pure(&mut c.expr)?;
                let slot = self.query(e, "ty", span);
                Some(self.expr(Expr::Cast { value, ty: TyRef::Slot(slot) }, src))
            }
            _ => None,
        }
    }
}

/// The name of a loop variable in messages: a counter of an iterator's items has no user's name.
pub fn shown(ident: &syn::Ident) -> String {
    let name = ident.to_string();
    if name.starts_with("__omp_") { "item".to_owned() } else { name }
}

/// The key of a captured chain.
pub(in crate::lower) fn chain_key(e: &syn::Expr) -> Option<String> {
    let c = chain(e)?;
    let mut key = if c.deref { "*".to_string() } else { String::new() };
    key.push_str(&c.root.to_string());
    for m in &c.members {
        key.push('.');
        key.push_str(&quote!(#m).to_string());
    }
    Some(key)
}
