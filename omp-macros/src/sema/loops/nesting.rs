//! Directives inside a region: which are allowed.
use super::canonical_loop;
use crate::ast::{Directive, DirectiveKind, InnerLoop, Mode, Spelling};
use crate::diag::{Code, Sink};
use crate::marks::{self, NestId};
use crate::parse::{attributes, directive, loop_nest, standalone};
use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Block, Expr, ExprForLoop, Stmt};

/// A scan goes along one loop of its nest, and the others run in parallel, so `collapse` says nothing more about a nest of so many loops.
pub fn without_collapse_of_scan(f: &ExprForLoop, directive: &mut Directive) {
    let clauses = &mut directive.clauses;
    let is_scan = directive.kind == DirectiveKind::Scan
        || !clauses.scans.is_empty()
        || clauses.reductions.iter().any(|r| r.inscan);
    let Some(collapse) = clauses.collapse.as_ref().filter(|c| is_scan && c.value > 0) else { return };
    let inner = (1..collapse.value).try_fold(f, |f, _| loop_nest::only_loop(&f.body));
    if inner.is_some() {
        clauses.collapse = None;
    }
}

/// Reads the directives inside a region and takes them off. Those of inner loops are returned: their loops bear a
/// [`NestId`] instead.
pub fn inside_region(region: &mut ExprForLoop, outer: &str, sink: &mut Sink) -> Vec<Directive> {
    let mut inner = Inside { outer, sink, found: Vec::new() };
    inner.visit_block_mut(&mut region.body);
    inner.found
}

/// The inner loops of a region whose loops are counted, by number; `None` when something was reported.
pub fn inner_loops(
    region: &ExprForLoop,
    directives: Vec<Directive>,
    sink: &mut Sink,
) -> Option<Vec<InnerLoop>> {
    struct Loops<'ast>(Vec<&'ast ExprForLoop>);
    impl<'ast> Visit<'ast> for Loops<'ast> {
        fn visit_expr_for_loop(&mut self, f: &'ast ExprForLoop) {
            self.0.extend(number(&f.attrs).map(|_| f));
            visit::visit_expr_for_loop(self, f);
        }
    }
    let mut marked = Loops(Vec::new());
    marked.visit_block(&region.body);
    let mut found = Vec::new();
    for (n, directive) in directives.into_iter().enumerate() {
        let nest = *marked.0.iter().find(|f| number(&f.attrs) == Some(n))?;
        let (loops, _) = canonical_loop::nest(nest, &directive, sink)?;
        found.push(InnerLoop { directive, loops, nest: nest.clone() });
    }
    Some(found)
}

/// The number of an inner loop with a directive.
pub fn number(attrs: &[Attribute]) -> Option<usize> {
    marks::marked(attrs).map(|NestId(n)| n)
}

/// Puts the marks of inner loops on those of another copy of the same body.
pub fn mark(marked: &Block, copy: &mut Block) {
    struct Marks(Vec<Option<NestId>>);
    impl<'ast> Visit<'ast> for Marks {
        fn visit_expr_for_loop(&mut self, f: &'ast ExprForLoop) {
            self.0.push(marks::marked(&f.attrs));
            visit::visit_expr_for_loop(self, f);
        }
    }
    struct Put(std::vec::IntoIter<Option<NestId>>);
    impl VisitMut for Put {
        fn visit_expr_for_loop_mut(&mut self, f: &mut ExprForLoop) {
            f.attrs.extend(self.0.next().flatten().map(|id| marks::mark(&id, Span::mixed_site())));
            visit_mut::visit_expr_for_loop_mut(self, f);
        }
    }
    let mut marks = Marks(Vec::new());
    marks.visit_block(marked);
    Put(marks.0.into_iter()).visit_block_mut(copy);
}

struct Inside<'a> {
    outer: &'a str,
    sink: &'a mut Sink,
    found: Vec<Directive>,
}

impl Inside<'_> {
    /// A loop whose iterations run at the same time.
    fn inner_loop(&mut self, directive: Directive, f: &mut ExprForLoop) {
        f.attrs.push(marks::mark(&NestId(self.found.len()), Span::mixed_site()));
        self.found.push(directive);
    }

    fn directive(&mut self, attr: &Attribute, on: &mut Expr) {
        let Some(found) = directive::parse(attr, self.sink) else { return };
        let (name, outer) = (&found.name, self.outer);
        match found.kind {
            DirectiveKind::Target | DirectiveKind::TargetData => {
                let error = self.sink.error(
                    Code::Misplaced,
                    found.span,
                    format!("`{name}` inside a `{outer}` region"),
                );
                if found.kind == DirectiveKind::Target {
                    let inner = match found.spelling {
                        Spelling::OpenMp => "omp::parallel_for",
                        Spelling::OpenAcc => "acc::loop_",
                    };
                    error.help(format!("the loop runs in parallel already: an inner loop may be `#[{inner}]`, or have no directive"));
                } else {
                    error.help("put the data region around the target region");
                }
            }
            // Macros, which have no statement.
            DirectiveKind::TargetEnterData
            | DirectiveKind::TargetExitData
            | DirectiveKind::TargetUpdate
            | DirectiveKind::Taskwait
            | DirectiveKind::TaskGroup
            | DirectiveKind::Devices => {
                self.sink
                    .error(Code::Misplaced, found.span, format!("`{name}` inside a `{outer}` region"))
                    .help("tasks are whole regions: put the group around them");
            }
            // `loop_(auto)`: the threads of a team have enough to do, so what is not promised runs in order.
            DirectiveKind::ParallelFor if found.mode == Mode::Proved => {}
            DirectiveKind::ParallelFor | DirectiveKind::Simd => {
                if let Expr::ForLoop(f) = on {
                    self.inner_loop(found, f);
                } else {
                    not_a_loop(&found.name, found.span, on, self.sink);
                }
            }
            DirectiveKind::Scan => {
                if let Expr::ForLoop(_) = on {
                    let words =
                        attr.meta.require_list().map(|list| list.tokens.to_string()).unwrap_or_default();
                    let operator = words.split(',').next().unwrap_or_default().trim();
                    self.sink
                        .error(Code::Misplaced, found.span, format!("`{name}` inside a `{outer}` region"))
                        .help(format!(
                            "name it on the region: `scan({operator}: s)` among the clauses of `{outer}`; put `let mut s = …;` right before this loop"
                        ));
                } else {
                    not_a_loop(&found.name, found.span, on, self.sink);
                }
            }
            DirectiveKind::Atomic => {
                crate::sema::accesses::atomic::on_statement(attr, on, self.sink);
            }
        }
    }
}

/// Reports a loop directive on something that is no `for`.
pub fn not_a_loop(name: &str, span: Span, on: &Expr, sink: &mut Sink) {
    let what = match on {
        Expr::While(_) => "a `while`: its iterations cannot be counted before it runs",
        Expr::Loop(_) => "a `loop`: its iterations cannot be counted before it runs",
        Expr::Block(_) => "a block",
        Expr::If(_) => "an `if`",
        Expr::Match(_) => "a `match`",
        _ => "a statement",
    };
    sink.error(Code::NotALoop, span, format!("`{name}` on {what}"))
        .help("put it on a counted loop: `for i in a..b`");
}

/// Reports a directive on a `let`.
pub fn on_let(name: &str, kind: DirectiveKind, span: Span, sink: &mut Sink) {
    let help = match kind {
        DirectiveKind::Atomic => "in the body of a parallel loop, `atomic(read)` may be on `let v = x[i];`",
        DirectiveKind::TargetData
        | DirectiveKind::TargetEnterData
        | DirectiveKind::TargetExitData
        | DirectiveKind::TargetUpdate
        | DirectiveKind::Taskwait
        | DirectiveKind::TaskGroup
        | DirectiveKind::Devices => "put it on a block or a loop",
        DirectiveKind::Target | DirectiveKind::ParallelFor | DirectiveKind::Simd | DirectiveKind::Scan => {
            "put it on a counted loop: `for i in a..b`"
        }
    };
    sink.error(Code::NotALoop, span, format!("`{name}` on a `let`")).help(help);
}

impl VisitMut for Inside<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        block.stmts.retain_mut(|stmt| match stmt {
            Stmt::Macro(m) if standalone::name_of(&m.mac).is_some() => {
                inside_macro(&m.mac, self.outer, self.sink);
                false
            }
            _ => {
                self.visit_stmt_mut(stmt);
                true
            }
        });
    }

    fn visit_local_mut(&mut self, l: &mut syn::Local) {
        for attr in attributes::take_from(&mut l.attrs) {
            match directive::parse(&attr, self.sink) {
                Some(found) if found.kind == DirectiveKind::Atomic => {
                    crate::sema::accesses::atomic::on_let(&attr, l, self.sink);
                }
                Some(found) => on_let(&found.name, found.kind, found.span, self.sink),
                None => {}
            }
        }
        visit_mut::visit_local_mut(self, l);
    }

    fn visit_expr_mut(&mut self, e: &mut Expr) {
        if let Expr::Macro(m) = e
            && standalone::name_of(&m.mac).is_some()
        {
            inside_macro(&m.mac, self.outer, self.sink);
            *e = syn::parse_quote!(());
        }
        let taken = attributes::take(e);
        // Inner loops come first, so that they are without directives when the loop around them is checked.
        visit_mut::visit_expr_mut(self, e);
        for attr in taken {
            self.directive(&attr, e);
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Stand-alone directives are of the host, but for `scan!`.
pub fn inside_macro(mac: &syn::Macro, outer: &str, sink: &mut Sink) {
    let name = standalone::name_of(mac).unwrap_or_default();
    let spelling = directive::family(&mac.path).map_or(Spelling::OpenMp, |(spelling, _)| spelling);
    if directive::standalone_of(spelling, &name).is_some() {
        let span = mac.path.segments.last().map_or_else(Span::call_site, |s| s.ident.span());
        sink.error(Code::Misplaced, span, format!("`{name}!` inside a `{outer}` region"))
            .help("data moves and tasks are waited for between regions: move it before or after the loop");
    } else {
        let _ = standalone::parse(mac, sink);
    }
}
