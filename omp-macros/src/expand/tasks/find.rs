//! Finds the tasks in a function's statements: the outer variables that they use, the groups and closures around them,
//! and the blocks that wait for them.
use super::scoped::{Act, Names, Scoped};
use super::{Ends, GuardKind, Plan, Use, Uses, body_of_group};
use crate::ast::Task;
use crate::expand::regions::Directives;
use crate::sema::syntax::place::{covers, each_target, scalar_key};
use proc_macro2::Span;
use syn::spanned::Spanned as _;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, Stmt};

/// The placeholders that stand in groups of a statement.
pub(super) fn groups_in(stmt: &Stmt) -> Vec<String> {
    struct Groups {
        open: usize,
        inside: Vec<String>,
    }
    impl VisitMut for Groups {
        fn visit_block_mut(&mut self, block: &mut Block) {
            let group = starts_group(block);
            self.open += usize::from(group);
            visit_mut::visit_block_mut(self, block);
            self.open -= usize::from(group);
        }
        fn visit_expr_path_mut(&mut self, p: &mut syn::ExprPath) {
            if let (true, Some(name)) = (self.open > 0, p.path.get_ident()) {
                self.inside.push(name.to_string());
            }
        }
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    let mut groups = Groups { open: 0, inside: vec![] };
    groups.visit_stmt_mut(&mut stmt.clone());
    groups.inside
}

/// A block that was made around a group: its first statement is the group's start.
pub(super) fn starts_group(block: &Block) -> bool {
    let Some(Stmt::Expr(Expr::Path(p), _)) = block.stmts.first() else { return false };
    p.path.get_ident().is_some_and(|i| i.to_string().starts_with("__omp_group_"))
}

/// A use of what is not bound on the way.
pub(super) struct FreeUse {
    pub found: Use,
    /// A group around it waits for it.
    pub grouped: bool,
    /// The placeholder.
    pub at: String,
}

/// Finds such uses.
pub(super) struct Free<'a> {
    pub uses: &'a Uses,
    pub tasks: bool,
    pub found: Vec<FreeUse>,
    pub grouped: Vec<String>,
}

impl Act for Free<'_> {
    fn expr(&mut self, e: &mut Expr, names: &Names) -> bool {
        let Expr::Path(p) = e else { return false };
        let Some(name) = p.path.get_ident().map(ToString::to_string) else { return false };
        for u in self.uses.get(&name).into_iter().flatten() {
            let free = u.base().is_some_and(|b| !names.bound(&b));
            if free && (u.task || !self.tasks) {
                let grouped = self.grouped.contains(&name);
                self.found.push(FreeUse { found: u.clone(), grouped, at: name.clone() });
            }
        }
        true
    }
}

/// Assignments to a variable that tasks use, or to a value that it is a part of. If the variable is a reference, rustc accepts them: the
/// guard borrows what the reference refers to.
pub(super) fn renewals(stmts: &[Stmt], found: &Use) -> Vec<Span> {
    let mut act = Renewals { found, base: found.base().unwrap_or_default(), at: Vec::new() };
    let mut copy = stmts.to_vec();
    Scoped::new(&mut act).statements(&mut copy);
    act.at
}

struct Renewals<'u> {
    found: &'u Use,
    base: String,
    at: Vec<Span>,
}

impl Act for Renewals<'_> {
    fn expr(&mut self, e: &mut Expr, names: &Names) -> bool {
        if let (Expr::Assign(a), false) = (&*e, names.bound(&self.base)) {
            each_target(&a.left, &mut |place| self.target(place));
        }
        false
    }
}

impl Renewals<'_> {
    fn target(&mut self, e: &Expr) {
        if !matches!(e, Expr::Path(_) | Expr::Field(_)) {
            return;
        }
        let key = scalar_key(e).unwrap_or_default();
        // A variable's own value is the guard's.
        let value = self.found.kind == GuardKind::Scalar && key == self.found.key;
        if covers(&key, &self.found.key) && !value {
            self.at.push(e.span());
        }
    }
}

/// Finds tasks in closures.
pub(super) struct InClosures<'a> {
    pub uses: &'a Uses,
    pub found: &'a Directives,
    pub wrong: Vec<Span>,
}

impl Act for InClosures<'_> {
    fn expr(&mut self, e: &mut Expr, names: &Names) -> bool {
        let (Expr::Path(p), true) = (&*e, names.in_closure()) else { return false };
        let Some(name) = p.path.get_ident().map(ToString::to_string) else { return false };
        let task = self.uses.get(&name).is_some_and(|list| list.iter().any(|u| u.task));
        let region = name.strip_prefix("__omp_region_").and_then(|n| n.parse::<usize>().ok());
        let alone = region.is_some_and(|n| self.found.regions[n].around.task == Some(Task::Own));
        if task || alone {
            let data = name.strip_prefix("__omp_data_").and_then(|n| n.parse::<usize>().ok());
            let span = match (region, data) {
                (Some(n), _) => self.found.regions[n].directive.span,
                (_, Some(n)) => self.found.data[n].directive.span,
                _ => return true,
            };
            self.wrong.push(span);
        }
        true
    }
}

/// Takes the blocks out that wait for their tasks on some data.
pub(super) struct Waiting<'p, 'a> {
    pub plan: &'p Plan<'a>,
    pub found: &'p Use,
}

impl VisitMut for Waiting<'_, '_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        if self.plan.waits(block, self.found, Ends::Goes) {
            block.stmts.clear();
        } else {
            visit_mut::visit_block_mut(self, block);
        }
    }

    fn visit_expr_block_mut(&mut self, b: &mut syn::ExprBlock) {
        if starts_group(&b.block) {
            let bodies = b.block.stmts.iter_mut().filter_map(body_of_group);
            bodies
                .filter(|body| self.plan.waits(body, self.found, Ends::Waits))
                .for_each(|b| b.stmts.clear());
        }
        self.visit_block_mut(&mut b.block);
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
