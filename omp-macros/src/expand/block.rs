//! Target blocks (`target` on a block): the data stays on the device, and the loops run there one after the other.
//!
//! The block becomes a data region ([`super::data_region::exits`]) around three kinds of statements:
//!
//! * A loop with a directive is a region that finds its data there.
//! * A statement that does not touch mapped arrays runs on the host: scalars, and loops and conditions around loops with
//!   directives.
//! * Another statement that touches mapped arrays is a region of one iteration. Scalars that it assigns, and values that
//!   the host needs (of a `let`, of a condition), come back in an array of one element.
mod bounds;
mod hosted;
mod inherited;
mod single;
mod whole;

use super::data_region::exits;
use super::openacc::{self, InOrder};
use super::regions::Search;
use super::tasks;
use crate::ast::{
    Clauses, Default, Directive, DirectiveKind, Item, Level, MapClause, MapWord, Mode, Spelling,
};
use crate::diag::{Code, Sink};
use crate::parse::clause::table::Of;
use crate::parse::{attributes, directive, standalone};
use crate::sema::loops::nesting;
use crate::sema::reduction::updates::is_assignment;
use crate::sema::syntax::forms::{is_constructor, strip};
use crate::sema::syntax::names::{self, Names};
use crate::sema::syntax::place;
use crate::sema::syntax::place::{covers, item_key};
use crate::sema::syntax::search;
use crate::sema::syntax::uses;
use crate::sema::syntax::uses::{How, Use};
use proc_macro2::Span;
use syn::spanned::Spanned as _;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, Local, Stmt};

/// An array of the block.
struct Array {
    place: Expr,
    key: String,
    written: Option<proc_macro2::TokenStream>,
}

/// The properties that all loops of a block share.
pub(super) struct Surroundings {
    /// The number of its data region.
    n: usize,
    arrays: Vec<String>,
    names: Vec<String>,
    /// The block's own directive, for the loops in it.
    span: Span,
    /// How its loops without directives run.
    mode: Mode,
    fresh: usize,
}

impl Surroundings {
    /// The number of the data region.
    pub fn number(&self) -> usize {
        self.n
    }
}

impl Search<'_> {
    /// A target block.
    pub(super) fn block(&mut self, mut directive: Directive, e: &mut Expr) {
        let Expr::Block(b) = &mut *e else { return };
        if directive.spelling == Spelling::OpenMp {
            clauses(&directive, self.sink);
        }
        openacc::prepare_block(&mut directive, &mut b.block, self.sink);
        let arrays = arrays(&b.block, self.context.names.clone(), &self.context.array_names);
        disjoint(&directive.clauses, &arrays, self.sink);
        map(&mut directive.clauses, &arrays, &self.context.array_names, self.sink);
        let (span, mode) = (directive.span, directive.mode);
        let once = bounds::of_clauses(self.found.data.len(), &mut directive.clauses);
        let n = self.data(directive);
        self.open(n);
        let outer = self.block.replace(Surroundings {
            n,
            arrays: arrays.into_iter().map(|a| a.key).collect(),
            names: self.context.names.clone(),
            span,
            mode,
            fresh: 0,
        });
        let task = self.found.data[n].directive.clauses.nowait.as_ref().map(|_| n);
        let outer_task = std::mem::replace(&mut self.task, task);
        let heard = self.sink.len();
        self.statements(&mut b.block);
        if let (Some(around), true) = (&self.block, self.sink.len() == heard) {
            hosted::check(&b.block, around, self.sink);
        }
        self.task = outer_task;
        self.block = outer;
        self.close();
        exits::wrap(n, false, e);
        if let (Some(_), Expr::Block(b)) = (task, &mut *e) {
            // A failure ends the block, and is reported by the wait.
            b.label = Some(tasks::label(n));
        }
        if !once.is_empty() {
            exits::after(once, e);
        }
    }

    fn around(&mut self) -> &mut Surroundings {
        self.block.as_mut().expect("a block is open")
    }

    /// Whether elements of the block's arrays are used.
    fn touches(&self, e: &Expr) -> bool {
        let Some(around) = &self.block else { return false };
        let array = |u: &Use| u.how != How::Len && around.arrays.iter().any(|a| covers(a, &u.key));
        self.uses_of(e).iter().any(array) || hosted::hidden_in(e, &around.arrays)
    }

    fn uses_of(&self, e: &Expr) -> Vec<Use> {
        let stmts = vec![Stmt::Expr(e.clone(), Some(syn::token::Semi::default()))];
        let block = Block { brace_token: syn::token::Brace::default(), stmts };
        uses::of_block(&block, self.context.names.clone())
    }

    fn statements(&mut self, block: &mut Block) {
        self.within(None, |search| search.in_order(block));
    }

    fn in_order(&mut self, block: &mut Block) {
        let mut out = Vec::new();
        let mut run: Vec<Stmt> = Vec::new();
        let last = block.stmts.len().saturating_sub(1);
        for (k, mut stmt) in std::mem::take(&mut block.stmts).into_iter().enumerate() {
            if let Stmt::Expr(e, _) = &mut stmt
                && self.is_proved(e)
            {
                if !run.is_empty() {
                    out.push(self.sequence(std::mem::take(&mut run)));
                }
                out.push(stmt);
                continue;
            }
            let sequential = match &stmt {
                Stmt::Expr(e, semi) => {
                    let value = k == last && semi.is_none() && is_value(e);
                    !is_for_host(e) && self.touches(e) && !value
                }
                Stmt::Macro(m) if standalone::name_of(&m.mac).is_none() => {
                    let e = Expr::Macro(syn::ExprMacro { attrs: vec![], mac: m.mac.clone() });
                    self.touches(&e)
                }
                Stmt::Macro(_) | Stmt::Local(_) | Stmt::Item(_) => false,
            };
            if sequential {
                run.push(stmt);
                continue;
            }
            if !run.is_empty() {
                out.push(self.sequence(std::mem::take(&mut run)));
            }
            self.statement(&mut stmt);
            out.push(stmt);
        }
        if !run.is_empty() {
            out.push(self.sequence(run));
        }
        block.stmts = out;
    }

    /// Under `kernels`, makes a loop without a directive a region if nothing speaks against that.
    fn is_proved(&mut self, e: &mut Expr) -> bool {
        let Expr::ForLoop(f) = &mut *e else { return false };
        if openacc::without_seq(f, self.sink) {
            return false;
        }
        let span = f.for_token.span;
        if self.around().mode != Mode::Proved || is_for_host(e) || !self.touches(e) {
            return false;
        }
        let directive = Directive {
            kind: DirectiveKind::ParallelFor,
            spelling: Spelling::OpenAcc,
            mode: Mode::Proved,
            name: "kernels".to_owned(),
            span,
            clauses: Clauses::default(),
        };
        self.parallel_loop(directive, e)
    }

    /// A loop whose iterations run at the same time, on all of the device. Whether it is one now: in a mode in which that has to be
    /// proved it may stay as it is.
    fn parallel_loop(&mut self, mut directive: Directive, e: &mut Expr) -> bool {
        let Expr::ForLoop(f) = &mut *e else { return false };
        let proved = directive.mode == Mode::Proved;
        let used = self.uses_of(&Expr::ForLoop(f.clone()));
        self.inherit(&mut directive.clauses, &used);
        directive.kind = DirectiveKind::Target;
        if proved && let Some(why) = self.dependence(f, &directive) {
            self.found.in_order.push(InOrder::of(f, why));
            return false;
        }
        directive.mode = Mode::Parallel;
        let writes = |u: &Use| u.element && u.writes() && !u.is_atomic();
        let otherwise = (proved && used.iter().any(writes)).then(|| {
            let mut serial = Expr::ForLoop(f.clone());
            attributes::Strip.visit_expr_mut(&mut serial);
            serial
        });
        directive.clauses.yields = otherwise.is_some();
        let before = self.bounds(f);
        self.one(directive, e);
        if !before.is_empty() {
            exits::after(before, e);
        }
        if let Some(mut serial) = otherwise {
            self.in_one_thread(&mut serial, None);
            openacc::or_in_order(e, Some(serial));
        }
        true
    }

    fn statement(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Local(l) => self.binding(l),
            Stmt::Expr(e, _) => self.host(e),
            Stmt::Macro(m) if standalone::name_of(&m.mac).is_some() => {
                nesting::inside_macro(&m.mac, "target", self.sink);
                *stmt = Stmt::Expr(syn::parse_quote!(()), Some(syn::token::Semi::default()));
            }
            Stmt::Macro(_) | Stmt::Item(_) => {}
        }
    }

    fn binding(&mut self, l: &mut Local) {
        self.directives_on_let(l);
        if let Some(init) = &mut l.init {
            self.shadows(&l.pat, &init.expr);
            self.host(&mut init.expr);
            if let Some((_, diverge)) = &mut init.diverge {
                self.branch(diverge);
            }
        }
        self.ndarrays.visit_local(l, &self.bound);
        self.bound.extend(names::bound(&l.pat));
    }

    /// Reports a `let` that gives an array's name to a value of its own: what follows would go by the array.
    fn shadows(&mut self, pat: &syn::Pat, init: &Expr) {
        if matches!(init, Expr::Reference(_)) {
            return;
        }
        let arrays = self.around().arrays.clone();
        let idents = Names::of_pattern(pat).bound.into_iter().map(|p| &p.ident);
        for ident in idents.filter(|ident| arrays.iter().any(|a| **ident == *a)) {
            let message = format!(
                "`{ident}` is an array of this `target` block, and this `let` declares another variable of its name"
            );
            self.sink
                .error(Code::UnsupportedPattern, ident.span(), message)
                .help(format!("give the value a name of its own, such as `let {ident}_value = …;`"));
            self.wrong = true;
        }
    }

    /// An expression that the host evaluates; parts that need the device become regions.
    fn host(&mut self, e: &mut Expr) {
        let attrs = attributes::take_own(e);
        if !attrs.is_empty() {
            return self.directed_in_block(&attrs, e);
        }
        if !is_for_host(e) {
            match e {
                _ if !self.touches(e) => {}
                // `Some(a[0])`: the host's type, of the device's value.
                Expr::Call(c) if is_constructor(&c.func) => c.args.iter_mut().for_each(|arg| self.host(arg)),
                // No value of a device. That the host can't have it there is said at the end.
                Expr::Closure(_) | Expr::Async(_) | Expr::Reference(_) => {}
                _ if whole::gives_variant(e) => self.branches(e),
                _ => self.value(e),
            }
            return;
        }
        match e {
            Expr::Block(b) => self.statements(&mut b.block),
            Expr::ForLoop(f) => {
                match &mut *f.expr {
                    Expr::Range(r) => {
                        r.start.iter_mut().chain(&mut r.end).for_each(|bound| self.host(bound));
                    }
                    other => self.host(other),
                }
                self.within(Some(&f.pat), |search| search.statements(&mut f.body));
            }
            Expr::While(w) => self.within(None, |search| {
                search.condition(&mut w.cond);
                search.statements(&mut w.body);
            }),
            Expr::Loop(l) => self.statements(&mut l.body),
            Expr::If(i) => {
                self.within(None, |search| {
                    search.condition(&mut i.cond);
                    search.statements(&mut i.then_branch);
                });
                if let Some((_, els)) = &mut i.else_branch {
                    self.branch(els);
                }
            }
            Expr::Match(m) => self.arms(m, Self::branch),
            Expr::Paren(p) => self.host(&mut p.expr),
            Expr::Assign(_) => self.assignment(e),
            Expr::Binary(b) if is_assignment(&b.op) => self.assignment(e),
            Expr::Try(t) => self.host(&mut t.expr),
            Expr::Return(syn::ExprReturn { expr, .. }) | Expr::Break(syn::ExprBreak { expr, .. }) => {
                if let Some(value) = expr {
                    self.host(value);
                }
            }
            Expr::Continue(_) => {}
            other if !self.touches(other) => {}
            other => {
                let message = "a directive inside an expression of a `target` block";
                self.sink
                    .error_at(Code::Misplaced, &*other, message)
                    .help("put the loop on a line of its own, in the block or in a loop or condition of it");
            }
        }
    }

    /// An assignment whose value the host evaluates, as ways out or directives stand in it. To a mapped array the value is brought
    /// by a region.
    fn assignment(&mut self, e: &mut Expr) {
        let (place, value) = match e {
            Expr::Assign(a) => (&*a.left, &mut *a.right),
            Expr::Binary(b) => (&*b.left, &mut *b.right),
            _ => return,
        };
        let touches = self.touches(place);
        self.host(value);
        if !touches {
            return;
        }
        let name = self.kept(value.span());
        let value = std::mem::replace(value, syn::parse_quote!(#name));
        let store = Stmt::Expr(e.clone(), Some(syn::token::Semi::default()));
        let store = self.sequence(vec![store]);
        *e = exits::block(vec![exits::bind(syn::parse_quote!(let #name = ();), value), store]);
    }

    /// Visits an `else` or an arm.
    fn branch(&mut self, e: &mut Expr) {
        match e {
            Expr::Block(b) if b.attrs.is_empty() => self.statements(&mut b.block),
            _ if !is_for_host(e) && self.touches(e) && !is_value(e) => {
                self.in_one_thread(e, Some(syn::token::Semi::default()));
            }
            _ => self.host(e),
        }
    }

    fn condition(&mut self, e: &mut Expr) {
        match e {
            Expr::Let(l) => {
                self.host(&mut l.expr);
                self.bound.extend(names::bound(&l.pat));
            }
            // `if let … && …`: what stands on the right sees the names.
            Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) && (binds(&b.left) || binds(&b.right)) => {
                self.condition(&mut b.left);
                self.condition(&mut b.right);
            }
            other => self.host(other),
        }
    }

    /// A loop with a directive.
    fn directed_in_block(&mut self, attrs: &[syn::Attribute], e: &mut Expr) {
        self.heard = self.sink.len();
        let mut found: Vec<Directive> = attrs.iter().filter_map(|a| directive::parse(a, self.sink)).collect();
        if let [first, second, ..] = &found[..] {
            let message = format!("`{}` and `{}` on one statement", first.name, second.name);
            self.sink.error(Code::Contradiction, second.span, message).help("leave one directive on it");
        }
        let Some(mut directive) = (!found.is_empty()).then(|| found.swap_remove(0)) else { return };
        match (directive.kind, &mut *e) {
            (DirectiveKind::ParallelFor | DirectiveKind::Simd, Expr::ForLoop(_)) => {
                let asserted = directive.clauses.level(&[Level::Independent]).is_some();
                if self.around().mode == Mode::Proved && !asserted {
                    directive.mode = Mode::Proved;
                }
                if !self.parallel_loop(directive, e) {
                    attributes::Strip.visit_expr_mut(e);
                    self.in_one_thread(e, None);
                }
            }
            (DirectiveKind::ParallelFor | DirectiveKind::Simd, other) => {
                nesting::not_a_loop(&directive.name, directive.span, other, self.sink);
            }
            (DirectiveKind::Scan, _) => self.one(directive, e),
            (DirectiveKind::Atomic, _) => {
                // The block runs in one thread: there are no other threads.
                if self.touches(e) {
                    self.in_one_thread(e, Some(syn::token::Semi::default()));
                }
            }
            _ => {
                let (name, span) = (directive.name, directive.span);
                let (outer, inner) = match directive.spelling {
                    Spelling::OpenMp => ("target", "omp::parallel_for"),
                    Spelling::OpenAcc => ("parallel", "acc::loop_"),
                };
                self.sink.error(Code::Misplaced, span, format!("`{name}` inside a `{outer}` block")).help(
                    format!("the block's data is on the device already: loops in it take `#[{inner}]`"),
                );
            }
        }
    }
}

/// Whether a condition is a chain with a `let` in it.
fn binds(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(b) => matches!(b.op, syn::BinOp::And(_)) && (binds(&b.left) || binds(&b.right)),
        _ => false,
    }
}

/// Clauses that speak of a loop.
fn clauses(directive: &Directive, sink: &mut Sink) {
    let mut reported: Vec<&str> = Vec::new();
    for clause in directive.clauses.given.iter().filter(|clause| clause.of == Of::Loop) {
        let name = clause.name;
        if reported.contains(&name) {
            continue;
        }
        reported.push(name);
        sink.error(Code::ClauseNotAllowed, clause.span, format!("`{name}` on a `target` block")).help(
            format!(
                "it is a clause of loops: write `#[omp::parallel_for({name}(…))]` on the loop that it is for"
            ),
        );
    }
}

/// `disjoint` names arrays that loops of the block write.
fn disjoint(clauses: &Clauses, arrays: &[Array], sink: &mut Sink) {
    let written = |item: &Item| arrays.iter().any(|a| a.key == item.key && a.written.is_some());
    for item in clauses.disjoint.iter().filter(|i| !written(i)) {
        let message = format!("`{}` is in `disjoint`, but the block writes no array of this name", item.key);
        sink.error(Code::MalformedClause, item.span, message)
            .help("name arrays that loops of the block write by indices that nothing proves different");
    }
}

/// The arrays that a block takes from outside.
fn arrays(block: &Block, names: Vec<String>, declared: &[String]) -> Vec<Array> {
    let mut found: Vec<Array> = Vec::new();
    let all = uses::of_block(block, names);
    let iterated = iterated(block);
    for u in &all {
        let array = u.element || u.how == How::Len || declared.contains(&u.key);
        let by_iterator = iterated.iter().find(|(key, _)| *key == u.key);
        if !array && by_iterator.is_none() {
            continue;
        }
        let writes = u.writes() || by_iterator.is_some_and(|(_, writes)| *writes);
        let at = match found.iter().position(|a| a.key == u.key) {
            Some(at) => at,
            None => {
                let Ok(e) = syn::parse2::<Expr>(u.tokens.clone()) else { continue };
                found.push(Array { place: base(&e), key: u.key.clone(), written: None });
                found.len() - 1
            }
        };
        if writes {
            found[at].written.get_or_insert_with(|| u.tokens.clone());
        }
    }
    // Writes of the whole array count, too.
    for u in all.iter().filter(|u| u.writes()) {
        if let Some(array) = found.iter_mut().find(|a| a.key == u.key) {
            array.written.get_or_insert_with(|| u.tokens.clone());
        }
    }
    found
}

/// Places that methods of slices iterate or change, and whether they change them.
fn iterated(block: &Block) -> Vec<(String, bool)> {
    let mut list = Vec::new();
    search::each(block, |e| {
        let Expr::MethodCall(m) = e else { return };
        let writes = match m.method.to_string().as_str() {
            "iter_mut" | "swap" | "chunks_mut" | "chunks_exact_mut" => true,
            "iter" | "chunks" | "chunks_exact" | "windows" => false,
            _ => return,
        };
        list.extend(place::of(&m.receiver).map(|place| (place.key, writes)));
    });
    // Changes first, so that they are found.
    list.sort_by_key(|(_, writes)| !writes);
    list
}

/// The place before the first subscript.
fn base(e: &Expr) -> Expr {
    match strip(e) {
        Expr::Index(i) => base(&i.expr),
        Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => base(&u.expr),
        Expr::Field(f) if place::of(&f.base).is_some_and(|p| !p.subscripts.is_empty()) => base(&f.base),
        other => other.clone(),
    }
}

/// Maps each array once: as the clauses say, or as it is used.
fn map(clauses: &mut Clauses, arrays: &[Array], declared: &[String], sink: &mut Sink) {
    for map in &mut clauses.maps {
        let ty = map.ty;
        map.items.retain(|item| {
            let key = item_key(item);
            let array = arrays.iter().find(|a| a.key == key);
            if let (MapWord::To, Some(write)) = (ty, array.and_then(|a| a.written.as_ref())) {
                sink.error_at(
                    Code::WrittenUnderTo,
                    write,
                    format!("`{key}` is in `map(to: …)`, but the block writes it"),
                )
                .note(None, "`to` copies nothing back: the values written here would be lost")
                .help(format!("write `map(tofrom: {key})`"));
            }
            // Other scalars are the host's, which runs what stands between the loops.
            array.is_some() || !item.sections.is_empty() || declared.contains(&key)
        });
    }
    let named = clauses.maps.iter().flat_map(|m| &m.items).chain(&clauses.device_ptr);
    let named: Vec<String> = named.map(item_key).collect();
    let mut split = Vec::new();
    for map in &mut clauses.maps {
        // Arrays that are not written need not be copied back, nor be borrowed for that.
        let (kept, read) = std::mem::take(&mut map.items).into_iter().partition(|item: &Item| {
            let key = item_key(item);
            map.always || !map.ty.brings_back() || arrays.iter().any(|a| a.key == key && a.written.is_some())
        });
        map.items = kept;
        split.push(MapClause { ty: MapWord::To, always: false, present: map.present, items: read });
    }
    clauses.maps.append(&mut split);
    for array in arrays.iter().filter(|a| !named.contains(&a.key)) {
        let (place, key, span) = (array.place.clone(), array.key.clone(), array.place.span());
        let ty = if array.written.is_some() { MapWord::ToFrom } else { MapWord::To };
        let items = vec![Item { place, key, sections: vec![], span }];
        let present = clauses.has_default(Default::Present);
        clauses.maps.push(MapClause { ty, always: false, present, items });
    }
}

/// An expression at the end of a block that is its value, rather than a statement.
fn is_value(e: &Expr) -> bool {
    !matches!(
        e,
        Expr::ForLoop(_)
            | Expr::While(_)
            | Expr::Loop(_)
            | Expr::Assign(_)
            | Expr::If(_)
            | Expr::Block(_)
            | Expr::Match(_)
    ) && !matches!(e, Expr::Binary(b) if is_assignment(&b.op))
}

/// Whether the host has to run an expression: a directive stands in it, or a way out of it.
fn is_for_host(e: &Expr) -> bool {
    has_directive(e) || exits::leaves(e)
}

/// Whether a directive stands inside of an expression (or on it).
fn has_directive(e: &Expr) -> bool {
    struct Find(bool);
    impl VisitMut for Find {
        fn visit_attributes_mut(&mut self, attrs: &mut Vec<syn::Attribute>) {
            let loops =
                |a: &syn::Attribute| directive::family(a.path()).is_some_and(|(_, name)| name != "atomic");
            self.0 |= attrs.iter().any(loops);
        }

        fn visit_macro_mut(&mut self, m: &mut syn::Macro) {
            self.0 |= standalone::name_of(m).is_some();
        }

        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    let mut find = Find(false);
    VisitMut::visit_expr_mut(&mut find, &mut e.clone());
    find.0
}
