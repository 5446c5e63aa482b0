//! Atomic accesses.
//!
//! If the hardware has the operation, it is one instruction (see `native`). All others are loops around a compare-and-swap of the
//! value's bits. If the new value has the bits of the old one, the loop ends without a store. Values of 8 and 16 bits are swapped
//! in the aligned 32-bit word around them. That word is device memory even at an array's end (buffers are multiples of 4 bytes),
//! and a swap succeeds only if no neighbour has changed, so concurrent stores to neighbours are never undone.
//!
//! Elements of reduced arrays that threads share are updated in the same way: the statements of an update run on a copy of the
//! element, which is swapped in if the element is unchanged.
//!
//! A sum that is checked for overflow is an instruction, too: one that overflows has stored something, and the region fails.
//! NVIDIA's instruction for `f32` sums flushes subnormal numbers to zero. Unless `fp(fast)` is given, what it left out is added
//! afterwards; where something else looks at the array, and of shared scalars, such a sum is a loop.
use crate::back::Dialect;
use crate::back::c::body::Body;
use crate::back::c::expr::bare;
use crate::back::c::helpers::{c_name, unsigned};
use omp_ir::analysis::patterns::updates::{Update, update};
use omp_ir::desc::Prim;
use omp_ir::ids::{AccessId, ExprId, LocalId};
use omp_ir::method::{IntMethod, IntOp, Method, Overflow};
use omp_ir::template::{Base, BinOp, Block, Expr, FpMode, Place, Projection, ReduceOp, Stmt};
use omp_ir::visit;

/// An operation that some hardware has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Native {
    Add,
    Sub,
    And,
    Or,
    Xor,
    Min,
    Max,
    Exchange,
}

/// What an atomic access works on, as text.
pub(crate) struct Target {
    prim: Prim,
    /// The integer of its width.
    bits: Prim,
    /// The address, as one of `bits`.
    address: String,
    old: String,
    new: Option<String>,
}

/// An update: the variables of the old and the new value, and the statements that compute this.
struct Updated<'b> {
    old: LocalId,
    new: LocalId,
    by: &'b Block,
}

impl Body<'_, '_> {
    /// Writes an atomic access.
    pub(crate) fn atomic(&mut self, place: &Place, old: LocalId, new: Option<LocalId>, update: &Block) {
        let ty = self.code.local_ty[old.index()];
        let Some(prim) = self.w.types.prim(ty) else { return };
        let text = self.place(place).text;
        if std::mem::take(&mut self.fallible) {
            self.settle_subscripts(place);
        }
        let bits = unsigned(prim);
        let space = self.w.syntax.global;
        let target = Target {
            prim,
            bits,
            address: format!("(volatile {space}{}*)&{text}", c_name(bits)),
            old: self.locals[old.index()].clone(),
            new: new.map(|l| self.locals[l.index()].clone()),
        };
        let c = self.w.value_type(ty);
        self.out.line(format!("{c} {};", target.old));
        let Some(name) = target.new.clone() else {
            let value = self.value_of(&target, format!("*({})", target.address));
            self.out.line(format!("{} = {value};", target.old));
            return;
        };
        self.out.line(format!("{c} {name};"));
        let update = Updated { old, new: new.expect("it is no read"), by: update };
        match self.native(&target, place, &update) {
            Some((op, operand)) if self.flushes(&target, op) => self.flushing_sum(&target, op, operand),
            Some((op, operand)) => self.instruction(&target, op, operand, &update),
            None => self.swap_loop(&target, update.by),
        }
    }

    /// Updates an element of a reduced array that threads share, if that is what statements begin with. Gives how many
    /// it took.
    pub(crate) fn shared_update(&mut self, stmts: &[Stmt]) -> Option<usize> {
        if self.atomics.is_empty() {
            return None;
        }
        let found = update(self.code, stmts, &self.atomics)?;
        if !self.sites.is_empty() {
            return self.collected(stmts, &found);
        }
        if let Some(count) = self.accumulated(stmts, &found) {
            return Some(count);
        }
        let Update { array, place, accesses, count } = found;
        let prim = self.w.types.prim(self.w.kernel.array_ty[array.index()])?;
        let text = self.place(place).text;
        if std::mem::take(&mut self.fallible) {
            self.settle_subscripts(place);
        }
        // Of two kinds of memory: where the compiler knows which, updates are faster.
        let kept = self.hot_place(array, &text);
        let pointers =
            kept.as_ref().map(|[_, kept]| format!("&{kept}")).into_iter().chain([format!("&{text}")]);
        if let Some([has, _]) = &kept {
            self.out.open("{");
            self.out.line(format!("const u32 {has};"));
            let name = has.split(' ').next().unwrap_or_default();
            self.out.open(format!("if ({name} != 0xffffffffu) {{"));
        }
        for (k, pointer) in pointers.enumerate() {
            if k == 1 {
                self.out.close("} else {");
                self.out.depth += 1;
            }
            self.update_at(&pointer, prim, &stmts[..count], &accesses);
        }
        if kept.is_some() {
            self.out.close("}");
            self.out.close("}");
        }
        Some(count)
    }

    /// Runs the statements that update an element on what lies at an address.
    fn update_at(&mut self, pointer: &str, prim: Prim, stmts: &[Stmt], accesses: &[AccessId]) {
        let bits = unsigned(prim);
        let address = format!("({}*){pointer}", c_name(bits));
        let target = Target { prim, bits, address, old: String::new(), new: None };
        let is_old = |e: &Expr| {
            matches!(e, Expr::Load(p)
                if matches!(p.projections.first(), Some(Projection::Index { access, .. }) if accesses.contains(access)))
        };
        if let Some((op, operand)) = self.native_update(&target, stmts, &is_old) {
            for check in &stmts[..stmts.len() - 1] {
                if matches!(check, Stmt::Check { .. }) {
                    self.stmt(check);
                }
            }
            let operand = self.settled(operand);
            let call = self.cuda_instruction(&target, op, bare(&operand));
            self.out.line(format!("{call};"));
            return;
        }
        self.swapped(&target, |body, now| body.run_on(now, stmts, accesses));
    }

    /// Runs the statements of an update on a variable that stands for the element.
    pub(crate) fn run_on(&mut self, now: &str, stmts: &[Stmt], accesses: &[AccessId]) {
        let outside = std::mem::take(&mut self.atomics);
        for access in accesses {
            self.registers.insert(*access, now.to_owned());
        }
        stmts.iter().for_each(|stmt| self.stmt(stmt));
        for access in accesses {
            self.registers.remove(access);
        }
        self.atomics = outside;
    }

    /// The hardware's instruction for an update, if there is one.
    fn native_update(
        &self,
        t: &Target,
        stmts: &[Stmt],
        is_old: &dyn Fn(&Expr) -> bool,
    ) -> Option<(Native, ExprId)> {
        let value = match stmts {
            [Stmt::Assign { value, .. }] => *value,
            [Stmt::Let { local, init: Some(call) }, .., Stmt::Assign { value, .. }] => {
                match &self.code.code.exprs[value.index()].expr {
                    Expr::Load(p) if p.base == Base::Local(*local) && p.projections.is_empty() => *call,
                    _ => return None,
                }
            }
            _ => return None,
        };
        if !t.prim.is_int() || t.prim.size() < 4 {
            return None;
        }
        match self.operation_on(is_old, value)? {
            // (What is checked runs on a copy of the element.)
            (Native::Exchange, _) => None,
            (Native::Add | Native::Sub, _) if self.checks_overflow(value) => None,
            found => Some(found),
        }
    }

    /// A compare-and-swap loop: runs the change on a copy, whose name it gets, until no other thread has intervened.
    pub(crate) fn swapped(&mut self, t: &Target, change: impl FnOnce(&mut Self, &str)) {
        let (seen, got, at, now) = (self.name("seen"), self.name("got"), self.name("at"), self.name("now"));
        let (u, swap) = (c_name(t.bits), self.compare_and_swap(t.bits));
        let c = if t.prim == Prim::Bool { "u8" } else { c_name(t.prim) };
        self.out.open("{");
        self.out.line(format!("volatile {u}* {at} = {};", t.address));
        self.out.line(format!("{u} {seen} = *{at};"));
        self.out.open("for (;;) {");
        self.out.line(format!("{c} {now} = ({c}){seen};"));
        change(self, &now);
        self.out.line(format!("if (({u}){now} == {seen}) break;"));
        self.out.line(format!("const {u} {got} = {swap}({at}, {seen}, ({u}){now});"));
        self.out.line(format!("if ({got} == {seen}) break;"));
        self.out.line(format!("{seen} = {got};"));
        self.out.close("}");
        self.out.close("}");
    }

    /// Combines a value with an element in global memory.
    pub(crate) fn combine_into(&mut self, op: ReduceOp, prim: Prim, element: &str, value: &str) {
        let bits = unsigned(prim);
        let address = format!("({}*)&{element}", c_name(bits));
        let target = Target { prim, bits, address, old: String::new(), new: None };
        let native = match op {
            ReduceOp::Add => Some(Native::Add),
            ReduceOp::BitAnd => Some(Native::And),
            ReduceOp::BitOr => Some(Native::Or),
            ReduceOp::BitXor => Some(Native::Xor),
            ReduceOp::Min => Some(Native::Min),
            ReduceOp::Max => Some(Native::Max),
            ReduceOp::Mul | ReduceOp::And | ReduceOp::Or => None,
        };
        match native.filter(|_| prim.is_int() && prim.size() >= 4) {
            Some(op) => {
                let call = self.cuda_instruction(&target, op, value);
                self.out.line(format!("{call};"));
            }
            None => {
                let checked = std::mem::replace(&mut self.checked, false);
                self.swapped(&target, |body, now| {
                    let all = body.builtin(op, prim, now, value);
                    body.out.line(format!("{now} = {};", bare(&all)));
                });
                self.checked = checked;
            }
        }
    }

    /// The operation that the hardware has, and its operand.
    fn native(&self, t: &Target, at: &Place, update: &Updated<'_>) -> Option<(Native, ExprId)> {
        let (op, operand) = self.operation(update)?;
        let cuda = self.w.syntax.dialect == Dialect::Cuda;
        let int = t.prim.is_int() && t.prim.size() >= 4;
        let wide = t.prim.size() == 8;
        let has = match op {
            Native::Exchange => t.prim.size() >= 4,
            Native::Add | Native::Sub if t.prim.is_float() => {
                cuda && (!self.flushes(t, op) || self.is_only_summed(at))
            }
            Native::Add | Native::Sub => int,
            // OpenCL has these in 64 bits as an extension of an extension.
            Native::And | Native::Or | Native::Xor | Native::Min | Native::Max => int && (cuda || !wide),
        };
        has.then_some((op, operand))
    }

    /// The operation of an update and its operand.
    fn operation(&self, update: &Updated<'_>) -> Option<(Native, ExprId)> {
        let (place, value) = match update.by.0.as_slice() {
            [Stmt::Assign { place, value, src: _ }] => (place, value),
            // A call has a name of its own.
            [Stmt::Let { local, init: Some(call) }, Stmt::Assign { place, value, src: _ }] => {
                match &self.code.code.exprs[value.index()].expr {
                    Expr::Load(p) if p.base == Base::Local(*local) && p.projections.is_empty() => {
                        (place, call)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        if place.base != Base::Local(update.new) || !place.projections.is_empty() {
            return None;
        }
        let is_old = |e: &Expr| matches!(e, Expr::Load(p) if p.base == Base::Local(update.old));
        self.operation_on(&is_old, *value)
    }

    /// Whether the instruction flushes subnormal numbers to zero, which the sum may not do.
    fn flushes(&self, t: &Target, op: Native) -> bool {
        matches!(op, Native::Add | Native::Sub)
            && t.prim == Prim::F32
            && self.w.kernel.template.fp != FpMode::Fast
    }

    /// Whether nothing is done to an array but sums whose values are not used: nothing reads an element before all are added.
    fn is_only_summed(&self, at: &Place) -> bool {
        let Base::Array(array) = at.base else { return false };
        let (code, mut alone) = (&self.code.code, true);
        visit::each_live_expr(code, &mut |e| {
            alone &= match &code.exprs[e.index()].expr {
                Expr::Load(p) | Expr::Borrow(p) | Expr::Slice { base: p, .. } => p.base != at.base,
                _ => true,
            };
        });
        visit::each_stmt(&code.block, &mut |stmt| match stmt {
            Stmt::Assign { place, .. } => alone &= place.base != at.base,
            Stmt::Atomic { place, old, new, update, src: _ } if place.base == at.base => {
                alone &= new.is_some_and(|new| {
                    let update = Updated { old: *old, new, by: update };
                    let sums = matches!(self.operation(&update), Some((Native::Add | Native::Sub, _)));
                    sums && !self.is_used(&update)
                });
            }
            _ => {}
        });
        alone && !self.w.kernel.array_items().iter().any(|(_, reduced)| *reduced == array)
    }

    /// A sum by an instruction that takes subnormal numbers for zero: what it left out is added afterwards.
    fn flushing_sum(&mut self, t: &Target, op: Native, operand: ExprId) {
        let operand = self.settled(operand);
        let (sign, swap) = (if op == Native::Sub { "-" } else { "" }, self.compare_and_swap(t.bits));
        let helper = self.w.syntax.helper;
        self.w.helpers.add("add_all_of_f32", || {
            format!(
                "{helper}bool is_tiny(f32 v) {{ return (__float_as_uint(v) & 0x7f800000u) == 0 && (__float_as_uint(v) & 0x7fffffffu) != 0; }}\n\
                 {helper}f32 flushed(f32 v) {{ return is_tiny(v) ? copysignf(0.0f, v) : v; }}\n\
                 {helper}void add_all_of_f32(f32* at, f32 v) {{\n    \
                 f32 rest = v;\n\
                 #if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 1300\n    \
                 // On these, the instruction takes subnormal numbers for zero, and stores zero in place of them.\n    \
                 const f32 old = atomicAdd(at, v), sum = old + v;\n    \
                 if (!(is_tiny(old) || is_tiny(v) || is_tiny(sum))) return;\n    \
                 if ((__float_as_uint(sum) & 0x7f800000u) == 0x7f800000u) return;\n    \
                 rest = sum - flushed(flushed(old) + flushed(v));\n    \
                 if (rest == 0.0f) return;\n\
                 #endif\n    \
                 volatile u32* bits = (volatile u32*)at;\n    \
                 for (u32 seen = *bits;;) {{\n        \
                 const u32 got = {swap}(bits, seen, __float_as_uint(__uint_as_float(seen) + rest));\n        \
                 if (got == seen) return;\n        \
                 seen = got;\n    \
                 }}\n}}\n"
            )
        });
        self.out.line(format!("add_all_of_f32((f32*){}, {sign}({}));", t.address, bare(&operand)));
    }

    /// `old ⊕ operand`, where the operand does not name `old`.
    fn operation_on(&self, is_old: &dyn Fn(&Expr) -> bool, value: ExprId) -> Option<(Native, ExprId)> {
        let code = &self.code.code;
        let is_old = |e: ExprId| is_old(&code.exprs[e.index()].expr);
        let names_old = |e: ExprId| {
            let mut found = false;
            visit::each_expr(code, e, &mut |e| found |= is_old(e));
            found
        };
        let pair = |op: Native, a: ExprId, b: ExprId| match (is_old(a), is_old(b)) {
            (true, false) if !names_old(b) => Some((op, b)),
            (false, true) if op != Native::Sub && !names_old(a) => Some((op, a)),
            _ => None,
        };
        match &code.exprs[value.index()].expr {
            Expr::Binary(BinOp::Add, a, b) => pair(Native::Add, *a, *b),
            Expr::Binary(BinOp::Sub, a, b) => pair(Native::Sub, *a, *b),
            Expr::Binary(BinOp::BitAnd, a, b) => pair(Native::And, *a, *b),
            Expr::Binary(BinOp::BitOr, a, b) => pair(Native::Or, *a, *b),
            Expr::Binary(BinOp::BitXor, a, b) => pair(Native::Xor, *a, *b),
            Expr::Call { call, args } => match (self.code.methods[call.index()], args.as_slice()) {
                (Some(Method::Arith(Overflow::Wrapping, IntOp::Add)), [a, b]) => pair(Native::Add, *a, *b),
                (Some(Method::Arith(Overflow::Wrapping, IntOp::Sub)), [a, b]) => pair(Native::Sub, *a, *b),
                (Some(Method::Int(IntMethod::Min)), [a, b]) => pair(Native::Min, *a, *b),
                (Some(Method::Int(IntMethod::Max)), [a, b]) => pair(Native::Max, *a, *b),
                _ => None,
            },
            _ if !names_old(value) => Some((Native::Exchange, value)),
            _ => None,
        }
    }

    fn instruction(&mut self, t: &Target, op: Native, operand: ExprId, update: &Updated<'_>) {
        let operand = self.settled(operand);
        if matches!(op, Native::Min | Native::Max)
            && self.w.syntax.dialect == Dialect::Cuda
            && !self.is_used(update)
        {
            // Most that come to an element late change nothing, and needn't queue up for it.
            let (value, c) = (self.name("value"), c_name(t.prim));
            let than = if op == Native::Min { "<" } else { ">" };
            self.out.line(format!("const {c} {value} = ({c})({});", bare(&operand)));
            let call = self.cuda_instruction(t, op, &value);
            self.out.line(format!("if ({value} {than} *(volatile {c}*){}) {call};", t.address));
            return;
        }
        let call = match self.w.syntax.dialect {
            Dialect::Cuda => self.cuda_instruction(t, op, bare(&operand)),
            Dialect::OpenCl => self.opencl_instruction(t, op, bare(&operand)),
        };
        self.out.line(format!("{} = {call};", t.old));
        // The new value, which is checked for overflow, and which the compiler drops if it is not used.
        self.block(update.by);
    }

    /// Whether a statement other than the update uses the old or the new value of the element.
    fn is_used(&self, update: &Updated<'_>) -> bool {
        let code = &self.code.code;
        let named = |e: ExprId| {
            matches!(&code.exprs[e.index()].expr, Expr::Load(p)
                if matches!(p.base, Base::Local(l) if l == update.old || l == update.new))
        };
        let mut inside = 0;
        let mut of = |stmt: &Stmt| {
            visit::of_stmt(stmt, &mut |e| {
                visit::each_expr(code, e, &mut |e| inside += usize::from(named(e)));
            });
        };
        visit::each_stmt(update.by, &mut of);
        let mut all = 0;
        visit::each_live_expr(code, &mut |e| all += usize::from(named(e)));
        all != inside
    }

    fn cuda_instruction(&mut self, t: &Target, op: Native, operand: &str) -> String {
        let (name, pointee) = (cuda_name(op), c_name(t.prim));
        let by_type = t.prim.is_float() && matches!(op, Native::Add | Native::Sub);
        if by_type {
            let minus = if op == Native::Sub { "-" } else { "" };
            return format!("atomicAdd(({pointee}*){}, {minus}({operand}))", t.address);
        }
        // Signed minima compare as such; of everything else only the bits count.
        let ordered = matches!(op, Native::Min | Native::Max);
        let (bits, given) = match (ordered, op) {
            (true, _) => (pointee, format!("({pointee})({operand})")),
            (false, Native::Sub) => {
                (c_name(t.bits), format!("({u})0 - ({u})({operand})", u = c_name(t.bits)))
            }
            (false, _) => (c_name(t.bits), self.bits_of(t.prim, operand)),
        };
        let call = format!("{name}(({bits}*){}, {given})", t.address);
        if ordered { call } else { self.value_of(t, call) }
    }

    fn opencl_instruction(&mut self, t: &Target, op: Native, operand: &str) -> String {
        let wide = t.prim.size() == 8;
        let (prefix, name) = (if wide { "atom" } else { "atomic" }, opencl_name(op));
        let ordered = matches!(op, Native::Min | Native::Max);
        if ordered {
            let c = c_name(t.prim);
            return format!("{prefix}_{name}((volatile __global {c}*){}, ({c})({operand}))", t.address);
        }
        let given = match op {
            Native::Add | Native::Sub => format!("({})({operand})", c_name(t.bits)),
            _ => self.bits_of(t.prim, operand),
        };
        self.value_of(t, format!("{prefix}_{name}({}, {given})", t.address))
    }

    /// A loop around a compare-and-swap.
    fn swap_loop(&mut self, t: &Target, update: &Block) {
        let (seen, got) = (self.name("seen"), self.name("got"));
        let (u, new) = (c_name(t.bits), t.new.as_deref().unwrap_or_default());
        let swap = self.compare_and_swap(t.bits);
        let address = self.name("at");
        let space = self.w.syntax.global;
        self.out.open("{");
        self.out.line(format!("volatile {space}{u}* {address} = {};", t.address));
        self.out.line(format!("{u} {seen} = *{address};"));
        self.out.open("for (;;) {");
        let value = self.value_of(t, seen.clone());
        self.out.line(format!("{} = {value};", t.old));
        self.block(update);
        let next = self.bits_of(t.prim, new);
        self.out.line(format!("if ({next} == {seen}) break;"));
        self.out.line(format!("{u} {got};"));
        self.out.line(format!("{got} = {swap}({address}, {seen}, {next});"));
        self.out.line(format!("if ({got} == {seen}) break;"));
        self.out.line(format!("{seen} = {got};"));
        self.out.close("}");
        self.out.close("}");
    }

    /// The helper that swaps values of an unsigned type.
    fn compare_and_swap(&mut self, bits: Prim) -> String {
        let (u, name) = (c_name(bits), format!("swap_{}", c_name(bits)));
        let (helper, space) = (self.w.syntax.helper, self.w.syntax.global);
        let native = |bits: Prim, p: &str, a: &str, b: &str| match (self.w.syntax.dialect, bits.size()) {
            (Dialect::Cuda, _) => format!("atomicCAS(({}*){p}, {a}, {b})", c_name(bits)),
            (Dialect::OpenCl, 8) => format!("atom_cmpxchg({p}, {a}, {b})"),
            (Dialect::OpenCl, _) => format!("atomic_cmpxchg({p}, {a}, {b})"),
        };
        let text = if bits.size() >= 4 {
            format!(
                "{helper}{u} {name}(volatile {space}{u}* at, {u} seen, {u} next) {{\n    return {};\n}}\n",
                native(bits, "at", "seen", "next")
            )
        } else {
            let swap = native(Prim::U32, "word", "all", "(all & ~mask) | ((u32)next << shift)");
            format!(
                "// In the word around; it is little-endian on all devices.\n\
                 {helper}{u} {name}(volatile {space}{u}* at, {u} seen, {u} next) {{\n    \
                 const u32 shift = ((u32)(size_t)at & 3u) * 8u, mask = {}u << shift;\n    \
                 volatile {space}u32* word = (volatile {space}u32*)((size_t)at & ~(size_t)3);\n    \
                 u32 all = *word;\n    \
                 for (;;) {{\n        \
                 if (({u})(all >> shift) != seen) return ({u})(all >> shift);\n        \
                 const u32 got = {swap};\n        \
                 if (got == all) return seen;\n        \
                 all = got;\n    \
                 }}\n}}\n",
                if bits.size() == 1 { "0xff" } else { "0xffff" }
            )
        };
        self.w.helpers.add(&name, || text);
        name
    }

    /// A value's bits, as an unsigned integer of its width.
    fn bits_of(&self, prim: Prim, text: &str) -> String {
        if prim.is_float() {
            self.to_bits(prim, text)
        } else {
            format!("({})({text})", c_name(unsigned(prim)))
        }
    }

    /// The value of bits.
    fn value_of(&self, t: &Target, bits: String) -> String {
        match t.prim {
            Prim::Bool => format!("({bits}) != 0"),
            Prim::F32 | Prim::F64 => {
                crate::back::c::expr::method::from_bits(self.w.syntax.dialect, t.bits, &bits)
            }
            prim => format!("({})({bits})", c_name(prim)),
        }
    }
}

fn cuda_name(op: Native) -> &'static str {
    match op {
        Native::Add | Native::Sub => "atomicAdd",
        Native::And => "atomicAnd",
        Native::Or => "atomicOr",
        Native::Xor => "atomicXor",
        Native::Min => "atomicMin",
        Native::Max => "atomicMax",
        Native::Exchange => "atomicExch",
    }
}

fn opencl_name(op: Native) -> &'static str {
    match op {
        Native::Add => "add",
        Native::Sub => "sub",
        Native::And => "and",
        Native::Or => "or",
        Native::Xor => "xor",
        Native::Min => "min",
        Native::Max => "max",
        Native::Exchange => "xchg",
    }
}
