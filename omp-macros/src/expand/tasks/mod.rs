//! Guards of tasks: which data the tasks of a function use, and where the guards of that data begin and end.
//!
//! A guard is made in the block that binds the data's name (for parameters, in the function's block), just before the
//! outermost statement there that contains a task on the data. It ends at a `taskwait!` of that block, or with the
//! block. It holds the only borrow, so rustc refuses to move, grow or return the data. Users can't write its name, so
//! it can't be used or forgotten; for that reason no task may be in a closure that moves its captures.
//!
//! If an inner block waits for all the tasks that it begins (by its own `taskwait!` after its last task, or by a
//! group), the guard is in that block. So between the iterations of a loop around it, no guard holds the data, and it
//! can be swapped.
//!
//! If tasks and host only read the data, its guard holds a shared borrow, and nothing is renamed.
mod find;
mod heads;
mod rename;
pub mod scoped;
pub mod tail;
mod used;
mod user_macros;
mod whole;

pub use rename::{Does, does, indexes, mentions, only_elements, renamed, span_of, tokens};

use super::context::std_macros;
use super::context::std_macros::Questions;
use crate::diag::{Code, Sink};
use crate::expand::regions::{Directives, placeholder_name};
use crate::glue;
use crate::lower::Lowered;
use crate::parse::tokens::leaves::put;
use crate::sema::syntax::place;
use crate::sema::syntax::place::item_key;
use find::{Free, FreeUse, InClosures, Waiting, groups_in, renewals, starts_group};
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens as _, format_ident, quote_spanned};
use scoped::{Scoped, names_of};
use std::collections::HashMap;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, FnArg, Label, Signature, Stmt};
use used::{of_data, of_region};

/// The kind of data that a guard holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardKind {
    Array,
    /// A variable that tasks reduce or map.
    Scalar,
}

/// A guard.
#[derive(Clone)]
pub struct Guard {
    pub n: usize,
    /// The block that it is made in.
    block: usize,
    pub kind: GuardKind,
    /// It holds an exclusive borrow.
    pub mutable: bool,
    /// The variable: the place's first name.
    pub base: String,
    pub key: String,
    pub place: Expr,
    /// The place is written `*x`.
    pub deref: bool,
    /// While it is in force, the variable comes to refer to something else.
    pub renewed: bool,
    /// The span of the first mention.
    pub span: Span,
}

impl Guard {
    /// The variable that user code is given in its place, pointing at a use: a reference to a guard that the host or a task
    /// may change.
    pub fn name(&self, at: Span) -> Ident {
        format_ident!("__{}_until_taskwait{}", self.word(), self.n, span = Span::mixed_site().located_at(at))
    }

    /// Its own variable, which stands in no tokens made from the user's: what can name it can forget it.
    pub fn own(&self, at: Span) -> Ident {
        format_ident!("__{}_used_by_tasks{}", self.word(), self.n, span = Span::mixed_site().located_at(at))
    }

    /// The place's name, as it is in what rustc says of borrows.
    fn word(&self) -> String {
        self.key.replace("r#", "").replace('.', "_").to_lowercase()
    }

    /// The guard, for generated code.
    pub fn guard(&self, at: Span) -> TokenStream {
        if self.mutable {
            let name = self.name(at);
            quote_spanned!(name.span()=> *#name)
        } else {
            self.own(at).into_token_stream()
        }
    }

    /// The variable that has the array's length.
    pub fn length(&self) -> Ident {
        format_ident!("__length{}", self.n, span = Span::mixed_site())
    }

    /// The final spelling of its names, as macros like `dbg!` and `assert!` print them: `y`, `y_len`. They are generated names all the same,
    /// other variables than the user's of this spelling.
    fn shown(&self) -> Option<[(String, String); 2]> {
        let base = self.base.trim_start_matches("r#");
        let plain = self.key == self.base && base != "self" && !base.starts_with('_');
        plain.then(|| {
            let at = Span::call_site();
            [
                (self.name(at).to_string(), self.base.clone()),
                (self.length().to_string(), format!("{base}_len")),
            ]
        })
    }
}

/// The guards in force, by the name of the placeholder of a region or directive.
#[derive(Default)]
pub struct Env(HashMap<String, Vec<Guard>>);

impl Env {
    pub fn region(&self, n: usize) -> &[Guard] {
        self.at(&placeholder_name(n))
    }

    pub fn data(&self, n: usize) -> &[Guard] {
        self.at(&format!("__omp_data_{n}"))
    }

    pub fn wait(&self, n: usize) -> &[Guard] {
        self.at(&format!("__omp_wait_{n}"))
    }

    fn at(&self, name: &str) -> &[Guard] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// The final spelling of the names of guards. If two blocks have guards of one name, one could hide the other from generated code: those
    /// keep their generated names.
    fn shown(&self) -> HashMap<String, String> {
        let mut shown: HashMap<String, String> = HashMap::new();
        let mut blocks: HashMap<String, Option<usize>> = HashMap::new();
        for guard in self.0.values().flatten() {
            for (own, name) in guard.shown().into_iter().flatten() {
                let block = blocks.entry(name.clone()).or_insert(Some(guard.block));
                *block = block.filter(|block| *block == guard.block);
                shown.insert(own, name);
            }
        }
        shown.retain(|_, name| blocks[name].is_some());
        shown
    }
}

/// The label of a target block that is a task.
pub fn label(n: usize) -> Label {
    let name = syn::Lifetime { apostrophe: Span::mixed_site(), ident: label_name(n) };
    Label { name, colon_token: Default::default() }
}

/// A target block that is a task.
fn is_task_block(b: &syn::ExprBlock) -> bool {
    b.label.as_ref().is_some_and(|l| l.name.ident.to_string().starts_with("__task_block"))
}

fn label_name(n: usize) -> Ident {
    format_ident!("__task_block{n}", span = Span::mixed_site())
}

/// Whether anything in a function has to do with tasks.
pub fn any(found: &Directives) -> bool {
    let data = found.data.iter().any(|d| d.directive.clauses.nowait.is_some());
    data || !found.waits.is_empty()
        || !found.groups.is_empty()
        || found.regions.iter().any(|r| r.around.task.is_some())
}

/// Something that a region or directive does with guarded data.
#[derive(Clone)]
struct Use {
    key: String,
    place: Expr,
    kind: GuardKind,
    writes: bool,
    /// It belongs to a task.
    task: bool,
    span: Span,
}

impl Use {
    fn base(&self) -> Option<String> {
        place::of(&self.place).map(|p| p.base)
    }
}

/// The code that replaces the placeholders.
type Uses = HashMap<String, Vec<Use>>;

/// Makes the guards of a function, whose body still has its placeholders, and renames what host code does with their
/// data.
pub fn plan(
    sig: &Signature,
    body: &mut Block,
    found: &Directives,
    lowered: &[Lowered],
    questions: &mut Questions,
    sink: &mut Sink,
) -> Env {
    let mut uses = Uses::new();
    for (n, (region, lowered)) in found.regions.iter().zip(lowered).enumerate() {
        uses.insert(placeholder_name(n), of_region(region, lowered));
    }
    for (n, data) in found.data.iter().enumerate() {
        uses.insert(format!("__omp_data_{n}"), of_data(data, false));
        uses.insert(format!("__omp_leave_{n}"), of_data(data, true));
    }
    let local = std_macros::local_macros(body);
    let mut plan = Plan {
        uses,
        found,
        lowered,
        local,
        env: Env::default(),
        made: 0,
        blocks: 0,
        visible: Vec::new(),
        in_task: false,
        questions,
        sink,
    };
    plan.places(body);
    let mut params: Vec<String> = Vec::new();
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(_) => params.push("self".to_owned()),
            FnArg::Typed(arg) => params.extend(names_of(&arg.pat)),
        }
    }
    plan.block(body, params, Ends::Waits);
    heads::check(found, lowered, &plan.env, plan.sink);
    plan.env
}

/// Whether the end of a block waits for tasks on the block's variables.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// The end waits for them: of a function, of a group.
    Waits,
    /// It waits for those on what it binds itself: of a target block that is a task, and what is in it.
    Drops,
    Goes,
}

struct Plan<'a> {
    uses: Uses,
    found: &'a Directives,
    lowered: &'a [Lowered],
    /// The names and the tokens of the function's `macro_rules!`.
    local: Vec<(String, TokenStream)>,
    env: Env,
    made: usize,
    blocks: usize,
    /// The names that the blocks around bind.
    visible: Vec<String>,
    /// A target block is around that is a task.
    in_task: bool,
    /// About macros that are given what is renamed, or may give its name to something else.
    questions: &'a mut Questions,
    sink: &'a mut Sink,
}

/// The statements of a block in which a guard is in force.
struct Segment {
    guard: Guard,
    first: usize,
    last: usize,
    /// It ends after the last statement, a `taskwait!`.
    waited: bool,
}

impl Plan<'_> {
    /// Tasks may not stand in closures: what holds a guard could be forgotten.
    fn places(&mut self, body: &mut Block) {
        let mut act = InClosures { uses: &self.uses, found: self.found, wrong: vec![] };
        Scoped::new(&mut act).visit_block_mut(&mut body.clone());
        for span in act.wrong {
            self.sink
                .error(Code::Misplaced, span, "a task in a closure or `async` block")
                .help("put the task in a function of its own and call that");
        }
    }

    /// How the blocks end that are looked at.
    fn ends(&self) -> Ends {
        if self.in_task { Ends::Drops } else { Ends::Goes }
    }

    /// A block in which these names are bound from its start.
    fn block(&mut self, block: &mut Block, bound: Vec<String>, ends: Ends) {
        let outside = self.visible.len();
        self.blocks += 1;
        let segments = self.segments(block, bound.clone(), ends);
        self.visible.extend(bound);
        self.visible.extend(block.stmts.iter().flat_map(names_of_local));
        let (mut one, mut called) = (Vec::with_capacity(segments.len()), Vec::with_capacity(segments.len()));
        let mut checks: Vec<(usize, Stmt)> = Vec::new();
        for segment in &segments {
            let stmts = &mut block.stmts[segment.first..=segment.last];
            let mut named: Vec<Span> = stmts
                .iter()
                .flat_map(|s| self.free(s, false))
                .filter_map(|u| (u.found.key == segment.guard.key).then(|| span_of(&u.found.place)))
                .collect();
            let renamed = rename::statements(&segment.guard, &mut self.env, &mut *stmts);
            checks.extend(self.check_macros(segment, stmts));
            named.extend(renamed.named);
            called.push(self.called(&segment.guard, renamed.methods));
            let heard = self.sink.len();
            user_macros::check(
                &segment.guard,
                &mut block.stmts[segment.first..=segment.last],
                &self.local,
                self.sink,
            );
            if self.sink.len() == heard {
                whole::check(&segment.guard, &block.stmts[segment.first..=segment.last], self.sink);
            }
            one.push(glue::task::task_names::one_variable(&segment.guard, &named));
        }
        let mut inside = Inside { plan: self };
        block.stmts.iter_mut().for_each(|s| inside.visit_stmt_mut(s));
        self.visible.truncate(outside);
        if segments.is_empty() {
            return;
        }
        let mut out = Vec::with_capacity(block.stmts.len() + 2 * segments.len());
        for (i, stmt) in std::mem::take(&mut block.stmts).into_iter().enumerate() {
            let made = segments.iter().zip(&mut one).zip(&called).filter(|((s, _), _)| s.first == i);
            out.extend(made.flat_map(|((s, one), called)| {
                one.take().into_iter().chain([glue::task::guard(&s.guard, called)])
            }));
            out.extend(checks.iter().filter(|(at, _)| *at == i).map(|(_, question)| question.clone()));
            out.push(stmt);
            // The last first: a scope keeps nothing of guards that go in the order of variables.
            let over = segments.iter().rev().filter(|s| s.waited && s.last == i);
            let wait = wait_of(&out[out.len() - 1]).map(|n| self.found.waits[n].directive.span);
            out.extend(over.map(|s| glue::task::end(&s.guard, wait.unwrap_or_else(Span::call_site))));
        }
        block.stmts = out;
    }

    /// The methods of slices that are called of a guard's array: by host code, and where directives are evaluated.
    fn called(&mut self, guard: &Guard, mut methods: Vec<Ident>) -> Vec<Ident> {
        if guard.mutable && guard.kind == GuardKind::Array {
            let heads = heads::called(guard, self.found, self.lowered, &self.env);
            heads::check_methods(guard, &heads, self.sink);
            methods.extend(heads.into_iter().filter(rename::is_of_slices));
        }
        methods
    }

    /// Checks the macros whose tokens mention a guard or its data. Returns the checks, each with the number of the statement that it
    /// precedes.
    fn check_macros(&mut self, segment: &Segment, stmts: &mut [Stmt]) -> Vec<(usize, Stmt)> {
        let guard = &segment.guard;
        if !guard.mutable {
            return Vec::new();
        }
        let name = guard.name(Span::call_site()).to_string();
        let means = |word: &str| word == guard.base || word == name;
        let checks = self.questions.statements(stmts, &|m| std_macros::mentions(m, &means), self.sink);
        checks.into_iter().map(|(i, question)| (segment.first + i, question)).collect()
    }

    /// The guards of what a block binds.
    fn segments(&mut self, block: &Block, mut bound: Vec<String>, ends: Ends) -> Vec<Segment> {
        // By key: the statements that have tasks on it.
        let mut keys: Vec<(Use, Vec<(usize, bool)>)> = Vec::new();
        let mut waits: Vec<(usize, usize)> = Vec::new();
        let patterns = bound.clone();
        for (i, stmt) in block.stmts.iter().enumerate() {
            waits.extend(wait_of(stmt).map(|n| (i, n)));
            for FreeUse { found, grouped, at: name } in self.free(stmt, true) {
                let Some(base) = found.base() else { continue };
                let meant = if bound.contains(&base) {
                    !self.waited_inside(stmt, &found)
                } else {
                    let guarded = self.env.at(&name).iter().any(|g| g.key == found.key);
                    self.visible.contains(&base) && !guarded && self.waits(block, &found, ends)
                };
                if !meant {
                    continue;
                }
                match keys.iter_mut().find(|(u, _)| u.key == found.key) {
                    Some((known, at)) => {
                        known.writes |= found.writes;
                        at.push((i, grouped));
                    }
                    None => keys.push((found, vec![(i, grouped)])),
                }
            }
            // A new variable of an old name: what was bound before is out of sight.
            bound.extend(names_of_local(stmt));
        }
        let mut segments: Vec<Segment> = Vec::new();
        for (found, at) in keys {
            if ends == Ends::Goes && found.base().is_some_and(|b| bound.contains(&b)) {
                let of_pattern = found.base().is_some_and(|b| patterns.contains(&b));
                self.lives(&found, &at, (&waits, of_pattern));
            }
            let mut next = 0;
            for (i, _) in at {
                if i < next {
                    continue;
                }
                let full = |(_, n): &&(usize, usize)| self.found.waits[*n].is_full();
                let wait = waits.iter().filter(full).find(|(w, _)| *w > i);
                let end = block.stmts.len() - 1;
                let shadow = shadowed(&block.stmts, i, &found).unwrap_or(end);
                let last = wait.map_or(shadow, |(w, _)| (*w).min(shadow));
                let waited = wait.is_some_and(|(w, _)| *w == last);
                segments.push(self.segment(&found, &block.stmts, i, last, waited));
                next = last + 1;
            }
        }
        segments.sort_by_key(|s| s.first);
        segments
    }

    fn segment(&mut self, found: &Use, stmts: &[Stmt], first: usize, last: usize, waited: bool) -> Segment {
        let part = &stmts[first..=last];
        let by_directives = part
            .iter()
            .flat_map(|s| self.free(s, false))
            .any(|u| u.found.writes && place::covers(&found.key, &u.found.key));
        let mutable = found.kind == GuardKind::Scalar
            || found.writes
            || by_directives
            || rename::changes(part, &found.key);
        let deref = matches!(&found.place, Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)));
        let renewed = renewals(part, found);
        if let (true, Some(at)) = (mutable, renewed.first()) {
            self.renews(found, *at);
        }
        let guard = Guard {
            n: self.made,
            block: self.blocks,
            kind: found.kind,
            mutable,
            base: found.base().unwrap_or_default(),
            key: found.key.clone(),
            place: found.place.clone(),
            deref,
            renewed: !renewed.is_empty(),
            span: found.span,
        };
        self.made += 1;
        Segment { guard, first, last, waited }
    }

    /// Reports an assignment to a variable whose name stands for the data that it held or referred to before.
    fn renews(&mut self, found: &Use, at: Span) {
        let key = &found.key;
        self.sink
            .error(
                Code::TaskData,
                at,
                format!("`{key}` is assigned here, while tasks may still use its data"),
            )
            .note(Some(found.span), "by this task")
            .help("write `omp::taskwait!();` before it, in the same block, or give the other data a name of its own");
    }

    /// Data that goes before its tasks are waited for. `of_pattern`: a loop or a `match` binds it.
    fn lives(&mut self, found: &Use, at: &[(usize, bool)], (waits, of_pattern): (&[(usize, usize)], bool)) {
        let Some((last, _)) = at.iter().rev().find(|(_, grouped)| !grouped) else { return };
        let names = |n: usize| {
            let depend = &self.found.waits[n].directive.clauses.depend;
            self.found.waits[n].is_full()
                || depend.iter().flat_map(|d| &d.items).any(|i| item_key(i) == found.key)
        };
        if waits.iter().any(|(i, n)| i > last && names(*n)) {
            return;
        }
        let key = &found.key;
        let message = format!(
            "`{key}` does not live long enough: its block ends before the task that uses it is waited for"
        );
        let help = if of_pattern {
            "write `omp::taskwait!();` at the end of the block; tasks on rows overlap if the rows are sections of one array, `y[i * m + j]` with `i` of the loop around the task"
        } else {
            "declare it before the block, or write `omp::taskwait!();` at the end of the block that declares it"
        };
        self.sink
            .error(Code::TaskData, found.span, message)
            .note(None, "a task may run until the next `taskwait!` of the function or its end")
            .help(help);
    }

    /// Whether a block that does not bind some data waits for all of its tasks on it: after the last of them, or at its
    /// end.
    fn waits(&self, block: &Block, found: &Use, ends: Ends) -> bool {
        let base = found.base();
        let binds = block.stmts.iter().flat_map(names_of_local).any(|name| Some(name) == base);
        let uses = |stmt: &Stmt| self.free(stmt, true).iter().any(|u| u.found.key == found.key);
        let Some(last) = block.stmts.iter().rposition(uses) else { return false };
        let full = |stmt: &Stmt| wait_of(stmt).is_some_and(|n| self.found.waits[n].is_full());
        let waits = ends == Ends::Waits || block.stmts[last..].iter().any(full);
        !binds && waits && !self.is_left_inside(block, found)
    }

    /// Whether a data region that has the data and begins outside of a block may be left inside of it: by a `return` and its like, or
    /// under `try` where something fails. Its end borrows the data, and no guard but one that it speaks of may hold that.
    fn is_left_inside(&self, block: &Block, found: &Use) -> bool {
        let all: Vec<FreeUse> = block.stmts.iter().flat_map(|s| self.free(s, false)).collect();
        let number = |name: &str, prefix: &str| name.strip_prefix(prefix)?.parse::<usize>().ok();
        let outside = |n: usize| {
            let begins = format!("__omp_data_{n}");
            let has = of_data(&self.found.data[n], true).iter().any(|u| u.key == found.key);
            has && !all.iter().any(|u| u.at == begins)
        };
        all.iter().any(|u| {
            let fails = match (number(&u.at, "__omp_region_"), number(&u.at, "__omp_data_")) {
                (Some(n), _) => {
                    let region = &self.found.regions[n];
                    (region.context.try_, region.around.scopes.as_slice())
                }
                (_, Some(n)) => (self.found.data[n].context.try_, self.found.data[n].scopes.as_slice()),
                _ => (false, [].as_slice()),
            };
            let leaves = number(&u.at, "__omp_leave_").is_some_and(outside);
            leaves || fails.0 && fails.1.iter().any(|n| outside(*n))
        })
    }

    /// Whether blocks inside of a statement wait for all of its tasks on some data.
    fn waited_inside(&self, stmt: &Stmt, found: &Use) -> bool {
        let mut copy = stmt.clone();
        let mut emptied = Waiting { plan: self, found };
        emptied.visit_stmt_mut(&mut copy);
        !self.free(&copy, true).iter().any(|u| u.found.key == found.key)
    }

    /// The uses in a statement of data that it does not bind itself. With `tasks`, those of tasks only.
    fn free(&self, stmt: &Stmt, tasks: bool) -> Vec<FreeUse> {
        let mut act = Free { uses: &self.uses, tasks, found: vec![], grouped: groups_in(stmt) };
        let mut copy = stmt.clone();
        Scoped::new(&mut act).statements([&mut copy]);
        act.found
    }
}

/// The statements of a group, in the block that was made around it.
fn body_of_group(stmt: &mut Stmt) -> Option<&mut Block> {
    match stmt {
        Stmt::Local(syn::Local { init: Some(init), .. }) => match &mut *init.expr {
            Expr::Block(b) => Some(&mut b.block),
            _ => None,
        },
        _ => None,
    }
}

fn names_of_local(stmt: &Stmt) -> Vec<String> {
    match stmt {
        Stmt::Local(l) => names_of(&l.pat),
        _ => Vec::new(),
    }
}

/// The statement after which a block's name means another variable.
fn shadowed(stmts: &[Stmt], from: usize, found: &Use) -> Option<usize> {
    let base = found.base()?;
    stmts.iter().enumerate().skip(from).find_map(|(i, s)| match s {
        Stmt::Local(l) if names_of(&l.pat).contains(&base) => Some(i),
        _ => None,
    })
}

/// The number of a `taskwait!` that is a statement.
fn wait_of(stmt: &Stmt) -> Option<usize> {
    let Stmt::Expr(Expr::Path(p), _) = stmt else { return None };
    p.path.get_ident()?.to_string().strip_prefix("__omp_wait_")?.parse().ok()
}

/// Goes on with the blocks inside.
struct Inside<'p, 'a> {
    plan: &'p mut Plan<'a>,
}

impl VisitMut for Inside<'_, '_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        self.plan.block(block, vec![], self.plan.ends());
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        let ends = self.plan.ends();
        match e {
            Expr::Block(b) if is_task_block(b) => {
                let outer = std::mem::replace(&mut self.plan.in_task, true);
                self.visit_block_mut(&mut b.block);
                self.plan.in_task = outer;
            }
            Expr::ForLoop(l) => {
                self.visit_expr_mut(&mut l.expr);
                self.plan.block(&mut l.body, names_of(&l.pat), ends);
            }
            Expr::While(l) => {
                self.visit_expr_mut(&mut l.cond);
                let bound = scoped::names_of_condition(&l.cond);
                self.plan.block(&mut l.body, bound, ends);
            }
            Expr::If(i) => {
                self.visit_expr_mut(&mut i.cond);
                let bound = scoped::names_of_condition(&i.cond);
                self.plan.block(&mut i.then_branch, bound, ends);
                if let Some((_, els)) = &mut i.else_branch {
                    self.visit_expr_mut(els);
                }
            }
            Expr::Match(m) => {
                self.visit_expr_mut(&mut m.expr);
                for arm in &mut m.arms {
                    let bound = names_of(&arm.pat);
                    match &mut *arm.body {
                        Expr::Block(b) => self.plan.block(&mut b.block, bound, ends),
                        other => self.visit_expr_mut(other),
                    }
                }
            }
            // The block that a group was put in: what it holds is the user's statement, whose end waits.
            Expr::Block(b) if starts_group(&b.block) => {
                for stmt in &mut b.block.stmts {
                    self.of_group(stmt);
                }
            }
            _ => visit_mut::visit_expr_mut(self, e),
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

impl Inside<'_, '_> {
    fn of_group(&mut self, stmt: &mut Stmt) {
        match body_of_group(stmt) {
            Some(body) => self.plan.block(body, vec![], Ends::Waits),
            None => self.visit_stmt_mut(stmt),
        }
    }
}

/// The path of fields of a place, as tokens name it.
pub fn path(key: &str) -> Vec<String> {
    key.split('.').map(str::to_owned).collect()
}

/// Gives the guards in a function's body the names that users see.
pub fn show_names(body: &mut Block, env: &Env) {
    let names = env.shown();
    let shown = |ident: &Ident| {
        let name = names.get(&ident.to_string())?;
        let shown = match name.strip_prefix("r#") {
            Some(raw) => Ident::new_raw(raw, ident.span()),
            None => Ident::new(name, ident.span()),
        };
        Some(TokenTree::Ident(shown).into())
    };
    if !names.is_empty() {
        let tokens = body.stmts.iter().map(quote::ToTokens::to_token_stream).collect();
        body.stmts = vec![glue::task::verbatim(put(tokens, &shown))];
    }
}

/// Puts a function with tasks together: the tasks' scope around its body.
pub fn wrap(sig: &Signature, body: &mut Block, try_: bool) {
    let scope = glue::task::scope(try_);
    if !try_ {
        body.stmts.insert(0, scope);
        return;
    }
    let inner = std::mem::replace(body, Block { brace_token: Default::default(), stmts: vec![] });
    body.stmts = glue::task::around(scope, sig, &inner);
}
