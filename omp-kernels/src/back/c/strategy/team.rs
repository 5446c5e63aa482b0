//! One outer iteration for a team: all of its threads run the statements around the inner nests redundantly, and share the
//! iterations of each nest.
//!
//! # Why this is correct
//!
//! *The same values.* Around the nests, every thread computes the same values, from the same arguments and the same
//! memory. So conditions and loops around a nest have the same outcome for all threads, a check fails for all or for
//! none, and all threads reach every barrier. There, the number of a thread is 0, and the number of threads 1. Only
//! thread 0 stores to arrays. A kernel with statements that can't be run redundantly (such as calls that write) gets
//! another schedule ([`crate::schedule`]).
//!
//! *Order.* If one outer iteration writes an element, no other one accesses it, so only the threads of one team have to
//! be ordered. There is a barrier after every nest; before a nest that writes an array which the statements around
//! nests read; and around a store by thread 0 to an array that is accessed elsewhere (before the store only if the array is
//! read around nests: accesses in nests are followed by their barrier). The race analysis has proved that iterations of one
//! nest don't conflict.
//!
//! *Failure.* A thread that fails in a nest skips its remaining iterations and goes to the barrier. There all threads learn of the
//! failure, and all of them return.
//!
//! *Results of a nest.* Every thread stores its partial result in shared memory before the barrier, and all threads combine
//! the same values in the same order after it. The next nest uses the other half of that memory: a thread may be in the next
//! nest while others still read, but not in the one after, which comes after a barrier that those have not reached.
use super::super::body::{Body, Frame, Leave, Within};
use super::super::expr::bare;
use super::super::helpers::c_name;
use crate::back::Dialect;
use crate::back::c::stmt::inner::{Item, NestLoop, loops_of};
use crate::back::c::stmt::range::Counted;
use crate::schedule::nests::teams::{ArrayUse, array_uses};
use omp_ir::desc::Prim;
use omp_ir::ids::{ArrayId, LocalId};
use omp_ir::kernel::Reducer;
use omp_ir::template::{Adaptor, Base, Expr, Inner, Place, Range, Stmt};
use omp_ir::visit;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The state of the emitter in a kernel for teams.
pub(crate) struct Team {
    uses: Vec<ArrayUse>,
    /// Which half of the shared memory is next.
    turn: String,
    turns: bool,
    /// Declarations at the head of the kernel.
    shared: String,
    nests: u32,
}

/// The ranges of the loops of a nest that are dealt to threads.
struct Ranges {
    of: Vec<(Prim, Counted)>,
    /// The name of the number of all iterations, and its type.
    count: String,
    c: &'static str,
}

/// The shared memory through which a nest gives its results to all threads.
struct Exchange {
    /// Type and functions of its values: `team1_items` and the like.
    prefix: String,
    memory: String,
    failed: Option<String>,
}

/// What the threads of a nest combine.
struct Items {
    reduced: Vec<Item>,
    searches: Vec<Searched>,
}

/// A search of a nest, by the names of its copies.
struct Searched {
    name: String,
    /// The key, and what is assigned with it.
    items: Vec<Part>,
    found: Part,
    at: Part,
    largest: bool,
    last: bool,
}

/// A number of a search.
struct Part {
    local: String,
    target: Option<String>,
    stored: String,
    truth: bool,
}

impl Searched {
    /// Its numbers, with their names as fields.
    fn parts(&self) -> impl Iterator<Item = (String, &Part)> {
        let items = self.items.iter().enumerate().map(|(i, part)| (format!("{}_{i}", self.name), part));
        let own = [("found", &self.found), ("at", &self.at)];
        items.chain(own.map(|(field, part)| (format!("{}_{field}", self.name), part)))
    }

    /// Puts that of `a` and `b` in `r` that one thread would have found in all iterations of both.
    fn joined(&self) -> String {
        let n = &self.name;
        let (better, later) = (if self.largest { ">" } else { "<" }, if self.last { ">" } else { "<" });
        let second = format!(
            "b.{n}_found != 0 && (a.{n}_found == 0 || b.{n}_0 {better} a.{n}_0 || (b.{n}_0 == a.{n}_0 && b.{n}_at {later} a.{n}_at))"
        );
        let copy = |from: char| {
            self.parts().map(|(field, _)| format!("r.{field} = {from}.{field}; ")).collect::<String>()
        };
        format!("if ({second}) {{ {}}} else {{ {}}}", copy('b'), copy('a'))
    }
}

impl Body<'_, '_> {
    /// Makes this the body of a kernel for teams.
    pub(crate) fn begin_team(&mut self) {
        let uses = array_uses(self.w.kernel);
        let turn = self.name("turn");
        self.team = Some(Team { uses, turn, turns: false, shared: String::new(), nests: 0 });
        self.within = Within::Around;
    }

    /// Puts the declarations before the kernel's statements.
    pub(crate) fn end_team(&mut self) {
        let Some(team) = self.team.take() else { return };
        let mut head = team.shared;
        if team.turns {
            let _ = writeln!(head, "    u32 {} = 0u;", team.turn);
        }
        self.out.text.insert_str(0, &head);
    }

    fn threads(&self) -> u32 {
        self.w.schedule.block.iter().product()
    }

    /// All threads of the team get here before any goes on, and see what the others have written.
    pub(crate) fn barrier(&mut self) {
        let line = match self.w.syntax.dialect {
            Dialect::Cuda => "__syncthreads();",
            Dialect::OpenCl => "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
        };
        // Directly after another barrier it would order nothing.
        if !self.out.text.trim_end().ends_with(line) {
            self.out.line(line);
        }
    }

    /// A store around the nests: by thread 0.
    pub(crate) fn store_once(&mut self, array: ArrayId, line: &str) {
        let of = self.team.as_ref().map(|t| t.uses[array.index()]).unwrap_or_default();
        if of.read_around {
            self.barrier();
        }
        let id = self.w.syntax.thread_id(0);
        self.out.line(format!("if ({id} == 0) {line}"));
        if of.read_around || of.in_nests {
            self.barrier();
        }
    }

    /// The threads of the team run a nest.
    pub(crate) fn team_nest(&mut self, inner: &Inner) {
        let loops = loops_of(inner);
        if loops.is_empty() {
            return;
        }
        if self.must_wait_before(inner) {
            self.barrier();
        }
        self.out.open("{");
        // If the evaluation of the bounds fails, all threads fail.
        let ranges = self.ranges(&loops);
        if self.ranges_read_what_it_writes(inner, &loops) {
            self.barrier();
        }
        let nest_threads = self.nest_threads(inner);
        let threads_around = std::mem::replace(&mut self.nest_threads, nest_threads);
        let items = self.begin_items(inner);
        let searches = self.begin_searches(inner);
        let (failed, end) = (self.name("failed"), self.name("nest_end"));
        let nest = Leave::Nest { failed: failed.clone(), end: end.clone() };
        let outside = std::mem::replace(&mut self.leave, nest);
        let start = self.out.text.len();
        self.within = Within::Inside;
        let share = self.deal(&loops, &ranges, items.iter().any(|i| i.reducer.is_ordered()));
        self.within = Within::Around;
        self.leave = outside;
        let text = self.out.text.split_off(start);
        let fails = text.contains(&format!("goto {end};"));
        if fails {
            self.out.line(format!("bool {failed} = false;"));
        }
        self.out.text.push_str(&text);
        if fails {
            self.out.line(format!("{end}:;"));
        }
        let nest_threads = std::mem::replace(&mut self.nest_threads, threads_around);
        let who = match share {
            Some(share) => format!("({} - 1) / {share}", ranges.count),
            None => {
                let threads = nest_threads.unwrap_or_else(|| format!("{}u", self.threads()));
                format!("({} - 1) % {threads}", ranges.count)
            }
        };
        let items = Items { reduced: items, searches };
        self.exchange(inner, &items, (&ranges.count, &who), fails.then_some(failed));
        self.out.close("}");
    }

    /// The nest writes what the threads read around nests: none may begin while another has yet to read.
    fn must_wait_before(&self, inner: &Inner) -> bool {
        let Some(team) = &self.team else { return false };
        let mut wait = false;
        visit::each_stmt(&inner.body, &mut |stmt| {
            if let Stmt::Assign { place: Place { base: Base::Array(a), .. }, .. } = stmt {
                wait |= team.uses[a.index()].read_around;
            }
        });
        // What writes by other means is known by the array alone.
        wait || team.uses.iter().any(|u| u.read_around && u.written_unseen)
    }

    /// The ranges are read from what the nest writes: none may begin while another has yet to read them.
    fn ranges_read_what_it_writes(&self, inner: &Inner, loops: &[NestLoop<'_>]) -> bool {
        let Some(team) = &self.team else { return false };
        let mut written: BTreeSet<ArrayId> = team
            .uses
            .iter()
            .enumerate()
            .filter(|(_, u)| u.written_unseen)
            .map(|(a, _)| ArrayId::new(a))
            .collect();
        visit::each_stmt(&inner.body, &mut |stmt| {
            if let Stmt::Assign { place: Place { base: Base::Array(a), .. }, .. } = stmt {
                written.insert(*a);
            }
        });
        let mut reads = false;
        let mut ask = |root| {
            visit::each_expr(&self.code.code, root, &mut |e| match &self.code.code.exprs[e.index()].expr {
                Expr::Load(Place { base: Base::Array(a), .. }) => reads |= written.contains(a),
                Expr::Borrow(_) | Expr::Slice { .. } => reads |= !written.is_empty(),
                _ => {}
            });
        };
        loops.iter().for_each(|l| visit::of_range(l.range, &mut ask));
        reads
    }

    /// Evaluates the ranges of the loops that are dealt to threads, and the product of their trip counts.
    fn ranges(&mut self, loops: &[NestLoop<'_>]) -> Ranges {
        let flat = self.flat(loops);
        let mut of = Vec::new();
        for l in &loops[..flat] {
            let prim = self.w.types.prim(self.code.local_ty[l.var.index()]).unwrap_or(Prim::Usize);
            self.narrow_var(l.var, l.range);
            of.push((prim, self.counted(l.range, prim)));
        }
        // An unsigned variable of 32 bits counts up to 2^31: the number of the next iteration fits, too.
        let short = flat == 1 && self.narrow[loops[0].var.index()] && !of[0].0.is_signed();
        let c = if short { "u32" } else { "u64" };
        let count = self.name("nest_count");
        let product: Vec<_> = of.iter().map(|(_, r)| r.count.as_str()).collect();
        self.out.line(format!("const {c} {count} = ({c})({});", product.join(" * ")));
        Ranges { of, count, c }
    }

    /// The name of the number of threads that a nest is dealt to, where it is fewer than there may be.
    fn nest_threads(&mut self, inner: &Inner) -> Option<String> {
        if inner.threads.is_none() && inner.when.is_none() {
            return None;
        }
        let (name, threads) = (self.name("nest_threads"), self.threads());
        let mut count = format!("{threads}u");
        if let Some(wanted) = inner.threads {
            // Fewer than one makes no sense, and none would run nothing.
            let text = self.settled(wanted);
            count = format!("{text} < 1 ? 1u : {text} < {threads} ? (u32){text} : {threads}u");
        }
        if let Some(when) = inner.when {
            let text = self.settled(when);
            count = format!("{text} ? ({count}) : 1u");
        }
        self.out.line(format!("const u32 {name} = {count};"));
        Some(name)
    }

    /// The loops of a nest, dealt to the threads: one by one, or, where the order counts, in one run for each, whose
    /// length is given back.
    fn deal(&mut self, loops: &[NestLoop<'_>], ranges: &Ranges, ordered: bool) -> Option<String> {
        let Ranges { of, count, c } = ranges;
        let (k, id) = (self.name("k"), self.w.syntax.thread_id(0));
        let (all, step) = match &self.nest_threads {
            Some(nest_threads) => (format!("{id} < {nest_threads} ? {count} : 0"), nest_threads.clone()),
            None => (count.clone(), format!("{}u", self.threads())),
        };
        let mut end = all;
        if self.nest_threads.is_some() && !ordered {
            let name = self.name("end");
            self.out.line(format!("const {c} {name} = {end};"));
            end = name;
        }
        let mut share = None;
        if ordered {
            // No thread begins beyond the end: sums with the share's length can't wrap.
            let (run, from, to) = (self.name("share"), self.name("from"), self.name("to"));
            self.out.line(format!("const {c} {run} = {count} / {step} + ({count} % {step} != 0 ? 1u : 0u);"));
            let begins = match &self.nest_threads {
                Some(nest_threads) => {
                    format!("{id} < {nest_threads} && {run} != 0 && {id} < {count} / {run} + 1u")
                }
                None => format!("{run} != 0 && {id} < {count} / {run} + 1u"),
            };
            self.out.line(format!("const {c} {from} = {begins} ? ({c}){id} * {run} : {count};"));
            self.out.line(format!("const {c} {to} = {count} - {from} < {run} ? {count} : {from} + {run};"));
            self.out.open(format!("for ({c} {k} = {from}; {k} < {to}; {k}++) {{"));
            share = Some(run);
        } else {
            // Counted one by one: compilers unroll no loop whose counter may wrap.
            let (iteration, iterations) = (self.name("iteration"), self.name("iterations"));
            self.out.line(format!(
                "const {c} {iterations} = {id} < {end} ? ({c})(({end} - 1 - {id}) / {step}) + 1 : 0;"
            ));
            self.out.line("#pragma unroll 4");
            self.out.open(format!("for ({c} {iteration} = 0; {iteration} < {iterations}; {iteration}++) {{"));
            self.out.line(format!("const {c} {k} = ({c}){id} + {iteration} * {step};"));
        }
        let mut rest = k;
        for (d, (l, (prim, range))) in loops.iter().zip(of).enumerate().rev() {
            let mut at = rest.clone();
            if d > 0 {
                at = self.name("k");
                let outer = self.name("rest");
                self.out.line(format!("const {c} {at} = {rest} % {};", range.count));
                self.out.line(format!("const {c} {outer} = {rest} / {};", range.count));
                rest = outer;
            }
            self.nest_variable(l, *prim, range, &at);
        }
        let flat = of.len();
        let NestLoop { label, body, .. } = loops[flat - 1];
        self.frames.push(Frame { label, is_loop: true, exit: None, next: None });
        loops[..flat].iter().for_each(|l| self.enter_loop(l.var));
        self.loop_body(body);
        self.leave_loops(flat);
        self.frames.pop();
        self.out.close("}");
        share
    }

    /// Declares the variable of iteration `at` of a loop.
    pub(crate) fn nest_variable(&mut self, l: &NestLoop<'_>, prim: Prim, range: &Counted, at: &str) {
        let narrow = self.narrow[l.var.index()];
        let t = if narrow { "i32" } else { c_name(prim) };
        let w = if narrow || prim.size() < 8 { "u32" } else { "u64" };
        let name = self.locals[l.var.index()].clone();
        let value = if l.range.adaptors.is_empty() {
            format!("({w}){} + ({w}){at}", range.first)
        } else {
            format!("({w}){} + ({w}){at} * ({w}){}", range.first, range.step)
        };
        self.out.line(format!("const {t} {name} = ({t})({value});"));
    }

    /// How many loops, from the outermost, have ranges that are the same in all iterations of the nest.
    fn flat(&self, loops: &[NestLoop<'_>]) -> usize {
        let depends = |range: &Range| {
            let mut found = false;
            visit::of_range(range, &mut |e| {
                visit::each_expr(&self.code.code, e, &mut |e| {
                    if let Expr::Load(Place { base: Base::Local(l), .. }) =
                        &self.code.code.exprs[e.index()].expr
                    {
                        found |= loops.iter().any(|of| of.var == *l);
                    }
                });
            });
            found
        };
        if loops[1..].iter().any(|l| depends(l.range)) { 1 } else { loops.len() }
    }

    /// Whether the variable of a loop is declared with 32 bits, as for sequential loops.
    pub(crate) fn narrow_var(&mut self, var: LocalId, range: &Range) {
        let prim = self.w.types.prim(self.code.local_ty[var.index()]).unwrap_or(Prim::Usize);
        let simple = matches!(range.adaptors.as_slice(), [] | [Adaptor::Rev]) && !range.inclusive;
        let fixed = !self.code.code.locals[var.index()].mutable;
        self.narrow[var.index()] = self.w.schedule.index32 && prim.size() == 8 && simple && fixed;
    }

    /// The barrier after a nest, and what all threads learn there.
    fn exchange(&mut self, inner: &Inner, items: &Items, (count, who): (&str, &str), failed: Option<String>) {
        let lasts: Vec<_> = inner
            .lasts
            .iter()
            .filter(|l| !self.w.types.is_empty(self.code.local_ty[l.local.index()]))
            .copied()
            .collect();
        let has_items = !items.reduced.is_empty() || !items.searches.is_empty() || failed.is_some();
        if !has_items && lasts.is_empty() {
            return self.barrier();
        }
        let id = self.w.syntax.thread_id(0);
        let turn = self.next_turn();
        let mut kept = Vec::new();
        for last in &lasts {
            let ty = self.code.local_ty[last.local.index()];
            let c = self.w.value_type(ty);
            let memory = self.shared_memory("last", &c, 2);
            let local = self.locals[last.local.index()].clone();
            self.out.line(format!("if ({count} != 0 && {id} == {who}) {memory}[{turn}] = {local};"));
            kept.push((memory, self.locals[last.target.index()].clone()));
        }
        let mut any_failed = None;
        if has_items {
            any_failed = self.combine_all(items, failed, &turn);
        } else {
            self.barrier();
        }
        for (memory, target) in kept {
            self.out.line(format!("if ({count} != 0) {target} = {memory}[{turn}];"));
        }
        self.out.line(format!("{turn} ^= 1u;"));
        if let Some(failed) = any_failed {
            let leave = self.leave();
            self.out.line(format!("if ({failed}) {leave}"));
        }
    }

    /// The name of what says which half of the shared memory is next.
    fn next_turn(&mut self) -> String {
        let team = self.team.as_mut().expect("in a kernel for teams");
        team.turns = true;
        team.turn.clone()
    }

    /// Shared memory of a kernel.
    fn shared_memory(&mut self, wish: &str, c: &str, count: u32) -> String {
        let name = self.name(wish);
        let shared = self.w.syntax.shared;
        let team = self.team.as_mut().expect("in a kernel for teams");
        let _ = writeln!(team.shared, "    {shared}{c} {name}[{count}];");
        name
    }

    /// Combines the threads' values of all items. Gives what says that a thread has failed.
    fn combine_all(&mut self, items: &Items, failed: Option<String>, turn: &str) -> Option<String> {
        // Lanes exchange what is far apart: not in order.
        let ordered = items.reduced.iter().any(|i| i.reducer.is_ordered());
        let warps = self.by_warps() && !ordered;
        let slots = if warps { self.threads() / 32 } else { self.threads() };
        let exchange = self.functions_of(
            items,
            failed,
            slots,
            match (self.w.syntax.dialect, ordered) {
                (Dialect::OpenCl, true) => "ordered",
                _ if warps => "warps",
                _ => "tree",
            },
        );
        let Exchange { prefix, memory, failed } = exchange;
        let mine = self.name("mine");
        self.out.line(format!("{prefix}_items {mine};"));
        for (i, item) in items.reduced.iter().enumerate() {
            self.out.line(format!("{mine}.v{i} = {};", item.local));
        }
        for (field, part) in items.searches.iter().flat_map(Searched::parts) {
            self.out.line(format!("{mine}.{field} = {};", part.local));
        }
        if let Some(failed) = &failed {
            self.out.line(format!("{mine}.failed = {failed} ? 1u : 0u;"));
        }
        self.out.line(format!("{mine} = {prefix}_all({mine}, {memory} + {turn} * {slots}u);"));
        for (i, item) in items.reduced.iter().enumerate() {
            let truth = matches!(item.reducer, Reducer::Builtin(_, Prim::Bool));
            let all = if truth { format!("({mine}.v{i} != 0)") } else { format!("{mine}.v{i}") };
            let sum = self.combine(&item.reducer, &item.target, &all, "&cx");
            self.out.line(format!("{} = {};", item.target, bare(&sum)));
        }
        for search in &items.searches {
            self.out.open(format!("if ({mine}.{}_found != 0) {{", search.name));
            for (field, part) in search.parts() {
                if let Some(target) = &part.target {
                    let truth = if part.truth { " != 0" } else { "" };
                    self.out.line(format!("{target} = {mine}.{field}{truth};"));
                }
            }
            self.out.close("}");
        }
        failed.map(|_| format!("{mine}.failed != 0u"))
    }

    fn by_warps(&self) -> bool {
        self.w.syntax.dialect == Dialect::Cuda && self.threads().is_multiple_of(32)
    }

    /// Declares the copies of a nest's searches.
    fn begin_searches(&mut self, inner: &Inner) -> Vec<Searched> {
        let mut all = Vec::new();
        for (n, search) in inner.searches.iter().enumerate() {
            let mut part = |local: LocalId, target: Option<LocalId>| {
                let ty = self.code.local_ty[local.index()];
                let name = |of: LocalId| self.locals[of.index()].clone();
                let (local, target) = (name(local), target.map(name));
                let (c, stored) = (self.w.value_type(ty), self.w.memory_type(ty));
                self.out.line(format!("{c} {local} = {};", target.as_deref().unwrap_or("0")));
                Part { local, target, stored, truth: self.w.types.prim(ty) == Some(Prim::Bool) }
            };
            let items = search.items.iter().map(|(local, target)| part(*local, Some(*target))).collect();
            let (found, at) = (part(search.found, None), part(search.at, None));
            let (largest, last) = (search.largest, search.last);
            all.push(Searched { name: format!("s{n}"), items, found, at, largest, last });
        }
        all
    }

    /// The type of the items of a nest and the functions that combine them.
    fn functions_of(&mut self, items: &Items, failed: Option<String>, slots: u32, way: &str) -> Exchange {
        let s = self.w.syntax;
        let team = self.team.as_mut().expect("in a kernel for teams");
        team.nests += 1;
        let prefix = format!("team{}", team.nests);
        for name in ["items", "both", "down", "all"] {
            self.w.helpers.written(format!("{prefix}_{name}"));
        }
        let (mut fields, mut joined, mut shuffled) = (String::new(), String::new(), String::new());
        for (i, item) in items.reduced.iter().enumerate() {
            let c = &item.stored;
            let _ = write!(fields, " {c} v{i};");
            let both = self.combine(&item.reducer, &format!("a.v{i}"), &format!("b.v{i}"), "&cx");
            match &item.reducer {
                Reducer::Builtin(_, prim) => {
                    let wide = if prim.size() < 4 { "(int)" } else { "" };
                    let _ = write!(joined, " r.v{i} = ({c}){both};");
                    let lane = format!("__shfl_down_sync(0xffffffffu, {wide}a.v{i}, d)");
                    let _ = write!(shuffled, " r.v{i} = ({c}){lane};");
                }
                Reducer::Declared { .. } => {
                    let _ = write!(joined, " r.v{i} = {};", bare(&both));
                }
            }
        }
        for search in &items.searches {
            let _ = write!(joined, " {}", search.joined());
            for (field, part) in search.parts() {
                let _ = write!(fields, " {} {field};", part.stored);
                let wide = if part.truth || part.stored.ends_with('8') || part.stored.ends_with("16") {
                    "(int)"
                } else {
                    ""
                };
                let lane = format!("__shfl_down_sync(0xffffffffu, {wide}a.{field}, d)");
                let _ = write!(shuffled, " r.{field} = ({}){lane};", part.stored);
            }
        }
        if failed.is_some() {
            fields.push_str(" u32 failed;");
            joined.push_str(" r.failed = a.failed | b.failed;");
            shuffled.push_str(" r.failed = __shfl_down_sync(0xffffffffu, a.failed, d);");
        }
        let helper = s.helper;
        let t = format!("{prefix}_items");
        let mut text = format!(
            "{}\n\
             {helper}{t} {prefix}_both({t} a, {t} b) {{ {t} r;{joined} return r; }}\n",
            self.w.items_type(&fields, &t)
        );
        let file = if s.dialect == Dialect::Cuda { CUDA } else { OPENCL };
        if way == "warps" {
            let _ =
                writeln!(text, "{helper}{t} {prefix}_down({t} a, u32 d) {{ {t} r;{shuffled} return r; }}");
        }
        let piece = super::super::helpers::find(file, way).unwrap_or_default();
        let piece = piece.replace("TEAM", &prefix).replace("SLOTS", &format!("{slots}u"));
        let _ = writeln!(text, "{piece}");
        self.w.late.push_str(&text);
        let memory = self.shared_memory(&format!("{prefix}_memory"), &t, 2 * slots);
        Exchange { prefix, memory, failed }
    }
}

const CUDA: &str = include_str!("../../../templates/team.cuh");
const OPENCL: &str = include_str!("../../../templates/team.cl");
