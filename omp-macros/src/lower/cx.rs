//! The state of a lowering: arenas, slots, scopes, the statement that is being written, and the errors found.
use super::generated_names::Made;
use super::region::capture::Captured;
use super::{CallBinding, CallKind, Caught, Typing, What};
use crate::ast::InnerLoop;
use crate::diag::{Code as DiagCode, Kind, Sink};
use crate::sema::syntax::forms::strip;
use omp_ir::ids::{AccessId, ArrayId, ConstId, ExprId, LabelId, LocalId, SlotId, SrcId};
use omp_ir::template::{
    Access, Base, Block, CallParam, Code, ConstParam, Expr, ExprNode, Local, LocalKind, Operator, Place,
    Projection, Src, Stmt,
};
use proc_macro2::{Ident, LineColumn, Span, TokenStream};
use quote::{quote, quote_spanned};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// A value, or `None` where the expression never ends (or was reported).
pub(super) type Value = Option<ExprId>;
/// Whether control comes to the end of what was lowered.
pub(super) type Flow = Option<()>;

/// What a name means in a scope.
#[derive(Clone)]
pub(super) enum Name {
    /// A variable of the body.
    Local(LocalId),
    /// A const of the body, by the name of its copy among the declarations.
    Const(Ident),
    /// `let p = &mut x[i]`: another name of a place, whose subscripts have been computed.
    Alias(Place),
}

/// A loop or labelled block that is being lowered.
pub(super) struct Target {
    /// `'name`, without the quote.
    pub name: Option<String>,
    /// Its kind, and its label in the template.
    pub kind: TargetKind,
    /// The variable that holds the value of `break`.
    pub result: Option<LocalId>,
}

/// The targets of `break` and `continue`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TargetKind {
    /// A sequential loop.
    Loop(LabelId),
    /// A labelled block.
    Block(LabelId),
    /// A parallel loop; `true` for the innermost, whose `continue` ends the iteration.
    Parallel(bool),
    /// A loop of an inner nest with a directive; `true` for its innermost, which can be continued.
    Inner(LabelId, bool),
}

/// Something that the user has to change.
pub(super) struct Problem {
    code: DiagCode,
    span: Span,
    end: Span,
    message: String,
    help: String,
    kind: Kind,
}

impl Problem {
    /// Moves it to the sink, with another help if there is one.
    fn report(&self, help: Option<&str>, sink: &mut Sink) {
        let d = match self.kind {
            Kind::Later => sink.later(self.code, self.span, self.message.clone()),
            Kind::OfRustc => sink.of_rustc(self.code, self.span, self.message.clone()),
            Kind::Wrong => sink.error_between(self.code, (self.span, self.end), self.message.clone()),
        };
        let help = help.unwrap_or(&self.help);
        if !help.is_empty() {
            d.help(help);
        }
    }
}

/// The state of one lowering.
pub(super) struct Lower {
    /// Parameters that a device function can't write: neither `mut` nor behind `&mut`.
    pub fixed: HashSet<LocalId>,
    /// Variables of patterns that are not `mut`: copies of parts, through which nothing can be changed.
    pub copies: HashSet<LocalId>,
    /// `mut` parameters of `&mut` types, which may refer to another place later.
    pub rebound: HashSet<LocalId>,
    pub code: Code,
    pub spans: Vec<Span>,
    pub typing: Typing,
    pub scopes: Vec<HashMap<String, Name>>,
    /// How many of them, from the outermost, are around a nest with a directive, in whose body this is.
    pub around_nest: usize,
    pub targets: Vec<Target>,
    /// All labels of the function around.
    pub function_labels: Vec<String>,
    /// Methods, with the number of their arguments, that have a fallback.
    pub fallback_methods: HashSet<(String, usize)>,
    /// The hidden companions of associated functions that may lack a declaration, where they are called first, by their paths.
    pub undeclared_paths: HashMap<String, syn::ExprPath>,
    /// Arrays of which rustc has resolved `len`, or (`true`) `is_empty`.
    pub measured: HashSet<(Base, bool)>,
    /// The first call of each method that may lack a declaration, by [`Lower::called_on`] of its receiver.
    pub undeclared_methods: HashMap<String, Span>,
    /// The paths of `Some` and `None` for which a check that they are `Option`'s was emitted.
    pub of_options: HashSet<String>,
    /// The variables for the values of the branches that are being lowered, and the slots of the literals among them.
    pub branches: Vec<(LocalId, Option<(SlotId, Caught)>)>,
    /// The pattern that is lowered need not fit.
    pub variants: bool,
    /// Operators whose hidden methods are in scope.
    pub operators_by_name: HashSet<&'static str>,
    /// Variables that were assigned a number or a `bool` when they were declared.
    pub numbers: HashSet<LocalId>,
    /// Variables that were made by `[…]`: arrays for sure.
    pub array_locals: HashSet<LocalId>,
    /// The copies of the inner nest that is being lowered, and those of all that were assigned.
    pub copied_here: Vec<super::region::inner::Copy>,
    pub copied: Vec<omp_ir::flow::liveness::Copied>,
    /// Slots that the tokens call `usize`.
    pub usizes: HashSet<SlotId>,
    /// The functions that are called by their paths.
    pub paths: super::region::update_forms::Paths,
    /// By inner nest: its number, its directive, and its reduction items.
    pub nest_items: Vec<(usize, SrcId, Vec<Option<super::region::update_forms::Place>>)>,
    /// The copies of all inner nests.
    pub nest_copies: Vec<super::region::copies::Own>,
    /// The number of the inner nest that is being lowered.
    pub nest: usize,
    /// Loops of the region with directives of their own.
    pub inners: Rc<Vec<InnerLoop>>,
    /// Their reductions are combined in the order of the iterations.
    pub fixed_order: bool,
    /// Variables whose declaration was reported.
    pub faulty: HashSet<LocalId>,
    /// The captured values; `None` in a device function.
    pub captured: Option<Captured>,
    /// Checks of the typing copy that stand before everything else.
    pub checks: TokenStream,
    /// The captured arrays whose containers the typing copy inspects: the name that stands for each there, and its place.
    pub containers: Vec<(ArrayId, Caught, syn::Expr)>,
    /// The old value of the atomic update that is being lowered.
    pub updated: Option<LocalId>,
    /// Types may be type parameters: operators that rustc can't resolve here are resolved at launch.
    pub lenient: bool,
    /// The type parameters in scope.
    pub generics: Vec<String>,
    /// `Self` is a type without parameters.
    pub concrete_self: bool,
    /// Rests of arrays: `rest @ ..`.
    pub rests: HashSet<LocalId>,
    /// The result of a function that returns no reference, and its type: a slice that it gets is an array.
    pub result_by_value: Option<(LocalId, SlotId)>,
    /// Types that are checked elsewhere to be device types.
    pub checked_types: HashSet<String>,
    /// The calls of `iter` and `iter_mut` in what the user wrote.
    pub iterated: Vec<syn::ExprMethodCall>,
    /// Inside an index expression, whose operators are those of integers.
    pub in_index: u32,
    /// The start of the parentheses around the operator that is lowered next.
    pub parens: Option<SrcId>,
    /// Subscripts that are tuples were reported.
    pub tuple_indices: bool,
    pub blocks: Vec<Vec<Stmt>>,
    /// The starts of the statements of the region's body in its block; `None` in the blocks within.
    pub parts: Option<Vec<usize>>,
    problems: Vec<Problem>,
    consts: HashMap<String, ConstId>,
    labels: u32,
    fresh: usize,
}

impl Lower {
    pub fn new(captured: Option<Captured>, accesses: usize) -> Self {
        let mut lower = Self {
            code: Code::default(),
            spans: Vec::new(),
            typing: Typing::default(),
            scopes: vec![HashMap::new()],
            around_nest: 0,
            targets: Vec::new(),
            function_labels: Vec::new(),
            fallback_methods: HashSet::new(),
            undeclared_paths: HashMap::new(),
            measured: HashSet::new(),
            numbers: HashSet::new(),
            undeclared_methods: HashMap::new(),
            of_options: HashSet::new(),
            branches: Vec::new(),
            variants: false,
            operators_by_name: HashSet::new(),
            array_locals: HashSet::new(),
            copied_here: Vec::new(),
            copied: Vec::new(),
            usizes: HashSet::new(),
            paths: Default::default(),
            nest_items: Vec::new(),
            nest_copies: Vec::new(),
            nest: 0,
            inners: Rc::default(),
            fixed_order: false,
            faulty: HashSet::new(),
            fixed: HashSet::new(),
            copies: HashSet::new(),
            rebound: HashSet::new(),
            captured,
            checks: TokenStream::new(),
            containers: Vec::new(),
            updated: None,
            lenient: false,
            generics: Vec::new(),
            concrete_self: false,
            rests: HashSet::new(),
            result_by_value: None,
            checked_types: HashSet::new(),
            iterated: Vec::new(),
            in_index: 0,
            parens: None,
            tuple_indices: false,
            parts: None,
            blocks: vec![Vec::new()],
            problems: Vec::new(),
            consts: HashMap::new(),
            labels: 0,
            fresh: 0,
        };
        let src = lower.src(Span::call_site());
        lower.code.accesses = (0..accesses)
            .map(|_| Access { name: String::new(), write: false, read: false, src, bracket: src })
            .collect();
        lower
    }

    // ------------------------------------------------------------------------------------------ problems

    /// Reports what the user has to change.
    pub fn error(&mut self, code: DiagCode, span: Span, message: impl Into<String>, help: impl Into<String>) {
        self.problem(code, (span, span), message.into(), help.into(), Kind::Wrong);
    }

    /// Reports it at everything from the first to the last of some tokens.
    pub fn error_at(
        &mut self,
        code: DiagCode,
        at: &impl quote::ToTokens,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.problem(
            code,
            crate::diag::ends(&at.to_token_stream()),
            message.into(),
            help.into(),
            Kind::Wrong,
        );
    }

    fn problem(&mut self, code: DiagCode, at: (Span, Span), message: String, help: String, kind: Kind) {
        let (span, end) = at;
        self.problems.push(Problem { code, span, end, message, help, kind });
    }

    /// Reports what the language has and this version has not.
    pub fn later(&mut self, span: Span, what: impl Into<String>, help: impl Into<String>) {
        self.problem(DiagCode::FormLater, (span, span), what.into(), help.into(), Kind::Later);
    }

    /// Stops at what is surely an error of rustc's in the serial form, too ([`Sink::of_rustc`]).
    pub fn of_rustc(&mut self, code: DiagCode, span: Span, message: impl Into<String>) {
        self.problem(code, (span, span), message.into(), String::new(), Kind::OfRustc);
    }

    pub fn has_problems(&self) -> bool {
        !self.problems.is_empty()
    }

    /// Whether something was left out: what is assigned is in the template.
    pub fn lacks_something(&self) -> bool {
        self.problems.iter().any(|p| p.code != DiagCode::ScalarRace)
    }

    /// Moves the errors to the sink; returns whether there were any.
    pub fn report(&mut self, sink: &mut Sink) -> bool {
        self.problems.iter().for_each(|p| p.report(None, sink));
        !std::mem::take(&mut self.problems).is_empty()
    }

    /// Reports the early exits from parallel loops. `help`: another help for the one at this position.
    pub fn report_early_exits(&self, help: &mut dyn FnMut(LineColumn) -> Option<String>, sink: &mut Sink) {
        for p in self.problems.iter().filter(|p| p.code == DiagCode::LeavesLoop) {
            p.report(help(p.span.start()).as_deref(), sink);
        }
    }

    // ------------------------------------------------------------------------------------------ arenas

    /// The id of a place in the source.
    pub fn src(&mut self, span: Span) -> SrcId {
        let at = span.start();
        let src = Src { line: at.line as u32, column: at.column as u32 + 1 };
        let known = self.code.srcs.iter().rposition(|s| *s == src);
        SrcId::new(known.unwrap_or_else(|| {
            self.code.srcs.push(src);
            self.spans.push(span);
            self.code.srcs.len() - 1
        }))
    }

    pub fn expr(&mut self, expr: Expr, src: SrcId) -> ExprId {
        self.code.exprs.push(ExprNode { expr, src });
        ExprId::new(self.code.exprs.len() - 1)
    }

    pub fn local(&mut self, name: &str, kind: LocalKind, slot: Option<SlotId>, mutable: bool) -> LocalId {
        self.code.locals.push(Local { name: name.to_string(), kind, slot, mutable });
        LocalId::new(self.code.locals.len() - 1)
    }

    pub fn label(&mut self) -> LabelId {
        self.labels += 1;
        LabelId(self.labels - 1)
    }

    /// An access that no subscript of the source stands for, such as those of `swap`.
    pub fn new_access(&mut self, src: SrcId) -> AccessId {
        self.code.accesses.push(Access { name: String::new(), write: false, read: false, src, bracket: src });
        AccessId::new(self.code.accesses.len() - 1)
    }

    /// The value of a variable.
    pub fn load(&mut self, local: LocalId, src: SrcId) -> ExprId {
        self.expr(Expr::Load(Place::from(Base::Local(local))), src)
    }

    /// A second node of the same shape: every expression has one place in the tree.
    pub fn copy(&mut self, id: ExprId) -> ExprId {
        let ExprNode { expr, src } = self.code.exprs[id.index()].clone();
        let operator = self.code.operators.iter().find(|o| o.expr == id).copied();
        let expr = match expr {
            Expr::Load(p) => Expr::Load(self.copy_place(&p)),
            Expr::Borrow(p) => Expr::Borrow(self.copy_place(&p)),
            Expr::Len(p) => Expr::Len(self.copy_place(&p)),
            Expr::Slice { base, lo, hi, access, mutable } => Expr::Slice {
                base: self.copy_place(&base),
                lo: lo.map(|e| self.copy(e)),
                hi: hi.map(|e| self.copy(e)),
                access,
                mutable,
            },
            Expr::Unary(op, a) => Expr::Unary(op, self.copy(a)),
            Expr::Binary(op, a, b) => {
                let a = self.copy(a);
                Expr::Binary(op, a, self.copy(b))
            }
            Expr::Cast { value, ty } => Expr::Cast { value: self.copy(value), ty },
            Expr::Call { call, args } => {
                Expr::Call { call, args: args.iter().map(|a| self.copy(*a)).collect() }
            }
            Expr::Struct { slot, name, fields, rest } => Expr::Struct {
                slot,
                name,
                fields: fields.into_iter().map(|(n, v)| (n, self.copy(v))).collect(),
                rest: rest.map(|e| self.copy(e)),
            },
            Expr::Array { slot, elems } => {
                Expr::Array { slot, elems: elems.iter().map(|a| self.copy(*a)).collect() }
            }
            Expr::Repeat { slot, value } => Expr::Repeat { slot, value: self.copy(value) },
            Expr::Some { slot, value } => Expr::Some { slot, value: self.copy(value) },
            Expr::IsSome(e) => Expr::IsSome(self.copy(e)),
            leaf @ (Expr::Unit
            | Expr::Int { .. }
            | Expr::Float { .. }
            | Expr::Bool(_)
            | Expr::None { .. }
            | Expr::Thread(_)
            | Expr::SizeOf { .. }) => leaf,
        };
        let copy = self.expr(expr, src);
        if let Some(operator) = operator {
            self.code.operators.push(Operator { expr: copy, ..operator });
        }
        copy
    }

    pub fn copy_place(&mut self, place: &Place) -> Place {
        let projections = place.projections.iter().map(|p| match p {
            Projection::Index { index, access } => {
                Projection::Index { index: self.copy(*index), access: *access }
            }
            Projection::Field(_) | Projection::Payload => p.clone(),
        });
        Place { base: place.base, projections: projections.collect() }
    }

    // ------------------------------------------------------------------------------------------ statements

    pub fn push(&mut self, stmt: Stmt) {
        self.blocks.last_mut().expect("a block is open").push(stmt);
    }

    /// The statements that `f` writes, as a block of their own.
    pub fn nested<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> (Block, R) {
        self.blocks.push(Vec::new());
        let r = f(self);
        (Block(self.blocks.pop().expect("just pushed")), r)
    }

    /// Appends the statements of a block.
    pub fn extend(&mut self, block: Block) {
        self.blocks.last_mut().expect("a block is open").extend(block.0);
    }

    /// The position of the next statement.
    pub fn mark(&self) -> usize {
        self.blocks.last().expect("a block is open").len()
    }

    /// Gives a value a name of its own, here.
    pub fn temp(&mut self, hint: &str, value: ExprId) -> ExprId {
        let at = self.mark();
        self.temp_at(hint, value, at)
    }

    pub fn temp_at(&mut self, hint: &str, value: ExprId, at: usize) -> ExprId {
        let src = self.code.exprs[value.index()].src;
        let kind = if self.is_slice(value) { LocalKind::Slice } else { LocalKind::Temp };
        let local = self.local(hint, kind, None, false);
        let block = self.blocks.last_mut().expect("a block is open");
        block.insert(at, Stmt::Let { local, init: Some(value) });
        self.load(local, src)
    }

    /// No statement changes its value: literals, captured scalars, lengths, variables that are set once.
    pub fn is_stable(&self, id: ExprId) -> bool {
        match &self.code.exprs[id.index()].expr {
            Expr::Load(p) => self.is_stable_place(p),
            Expr::Unary(_, a) | Expr::Cast { value: a, .. } | Expr::IsSome(a) => self.is_stable(*a),
            Expr::Binary(_, a, b) => self.is_stable(*a) && self.is_stable(*b),
            Expr::Unit
            | Expr::Int { .. }
            | Expr::Float { .. }
            | Expr::Bool(_)
            | Expr::Len(_)
            | Expr::Borrow(_)
            | Expr::None { .. }
            | Expr::Thread(_)
            | Expr::SizeOf { .. } => true,
            Expr::Slice { lo, hi, .. } => [lo, hi].into_iter().flatten().all(|e| self.is_stable(*e)),
            Expr::Call { .. }
            | Expr::Struct { .. }
            | Expr::Array { .. }
            | Expr::Repeat { .. }
            | Expr::Some { .. } => false,
        }
    }

    /// An unused value is computed all the same: its operators may overflow.
    pub fn unused(&mut self, v: ExprId) {
        let mut from = v;
        while let Expr::Cast { value: inner, .. } = self.code.exprs[from.index()].expr {
            from = inner;
        }
        let operator = matches!(self.code.exprs[from.index()].expr, Expr::Unary(..) | Expr::Binary(..));
        if operator || !self.is_stable(v) {
            self.temp("unused", v);
        }
    }

    fn is_stable_place(&self, place: &Place) -> bool {
        let indices = place.projections.iter().all(|p| match p {
            Projection::Index { index, .. } => self.is_stable(*index),
            Projection::Field(_) | Projection::Payload => true,
        });
        indices
            && match place.base {
                Base::Array(_) => false,
                Base::Scalar(_) | Base::Const(_) => true,
                Base::Local(l) => {
                    let l = &self.code.locals[l.index()];
                    !l.mutable
                        && matches!(
                            l.kind,
                            LocalKind::User | LocalKind::Temp | LocalKind::Loop | LocalKind::Slice
                        )
                }
            }
    }

    // ------------------------------------------------------------------------------------------ questions to rustc

    /// Declares what catches something.
    pub fn caught(&mut self, name: Ident, what: What) -> Caught {
        let caught = Caught::new(name, what);
        self.typing.decls.extend(caught.declared());
        caught
    }

    /// A new slot: its id, and what catches the type, with the span of the expression that is queried.
    pub fn slot(&mut self, span: Span) -> (SlotId, Caught) {
        let id = self.bare_slot();
        let slot = &self.typing.slots[id.index()];
        self.typing.decls.extend(slot.declared());
        (id, slot.at(span))
    }

    /// A slot of a type that stands in the tokens.
    pub fn typed_slot(&mut self, ty: &syn::Type) -> SlotId {
        let id = self.bare_slot();
        let name = self.typing.slots[id.index()].name();
        self.typing.decls.extend(quote!(let #name: *const [::omp::__private::Slot<#ty>; 0] = &[];));
        id
    }

    fn bare_slot(&mut self) -> SlotId {
        let id = SlotId(self.code.slots);
        self.code.slots += 1;
        let name = Made::Slot.name(id.0 as usize, Span::mixed_site());
        self.typing.slots.push(Caught::new(name, What::Slot));
        id
    }

    /// Puts a slot's question around an expression of the copy.
    pub fn query(&mut self, e: &mut syn::Expr, method: &str, span: Span) -> SlotId {
        let (id, slot) = self.slot(span);
        let method = Ident::new(method, span);
        let inside = strip(e);
        *e = syn::Expr::Verbatim(quote_spanned!(span=> #slot.#method(#inside)));
        id
    }

    /// A statement of the typing copy that queries the type of a variable.
    pub fn query_local(&mut self, ident: &Ident) -> (SlotId, syn::Stmt) {
        let (id, slot) = self.slot(ident.span());
        let tokens = quote_spanned!(ident.span()=> #slot.see_any(&#ident));
        (id, syn::Stmt::Expr(syn::Expr::Verbatim(tokens), Some(syn::token::Semi::default())))
    }

    /// A call that rustc resolves: its id, and what catches the callee.
    pub fn call(
        &mut self,
        name: &str,
        span: Span,
        method: bool,
        ret: Option<SlotId>,
    ) -> (omp_ir::ids::CallId, Caught) {
        let id = omp_ir::ids::CallId::new(self.code.calls.len());
        // The user's name for it.
        let name = match name {
            "__omp_position" => "index",
            "__omp_position_mut" => "index_mut",
            name => name,
        };
        self.code.calls.push(CallParam { name: name.to_string(), method, ret });
        // With the call's place: where it is no device function, rustc points there.
        let caught = self.caught(Made::Call.name(id.0 as usize, span), What::Call);
        self.typing.calls.push(CallBinding {
            caught: caught.clone(),
            kind: CallKind::Function,
            result: None,
        });
        (id, caught)
    }

    /// The value of a const or static, as the user named it.
    pub fn konst(&mut self, name: &str, path: &syn::Expr) -> ConstId {
        if let Some(&id) = self.consts.get(&quote!(#path).to_string()) {
            return id;
        }
        let span = syn::spanned::Spanned::span(path);
        // In an inline const only consts, statics and const parameters can be named: a variable in capitals, whose
        // value would be evaluated once and kept, is an error here. (Not `const { &T::ONE }`: for all that rustc knows of a
        // type parameter, such a temporary could be changed.)
        self.checks.extend(quote_spanned!(span=> const { let _ = &#path; }));
        self.host_value(name, path)
    }

    /// The const that this is outside of the body. (Consts of the body are evaluated under names of their own.)
    pub fn const_of(&self, path: &str) -> Option<ConstId> {
        let plain = |text: &str| text.split_whitespace().collect::<String>();
        self.consts.iter().find(|(key, _)| plain(key) == plain(path)).map(|(_, id)| *id)
    }

    /// A value that the host evaluates once.
    pub fn host_value(&mut self, name: &str, path: &syn::Expr) -> ConstId {
        let key = quote!(#path).to_string();
        if let Some(&id) = self.consts.get(&key) {
            return id;
        }
        let span = syn::spanned::Spanned::span(path);
        let (slot, ident) = self.slot(span);
        self.checks.extend(quote_spanned!(span=> #ident.see_konst(&#path);));
        let id = ConstId::new(self.code.consts.len());
        self.code.consts.push(ConstParam { name: name.to_string(), slot });
        self.typing.consts.push(path.clone());
        self.consts.insert(key, id);
        id
    }

    /// A name that no user can write or shadow.
    pub fn fresh(&mut self, kind: Made, span: Span) -> Ident {
        self.fresh += 1;
        kind.name(self.fresh, span)
    }

    // ------------------------------------------------------------------------------------------ names

    /// Whether a variable is no iteration's own: of an inner nest's, or a copy that its clauses make.
    pub fn is_around_nest(&self, name: &str) -> bool {
        self.scopes.iter().rposition(|s| s.contains_key(name)).is_some_and(|at| at < self.around_nest)
    }

    /// What `name` means, if it is a name of the body.
    pub fn lookup(&self, name: &str) -> Option<&Name> {
        self.scopes.iter().rev().find_map(|s| s.get(name))
    }

    pub fn bind(&mut self, name: &str, local: LocalId) {
        self.scopes.last_mut().expect("a scope is open").insert(name.to_string(), Name::Local(local));
    }

    pub fn bind_name(&mut self, name: String, meaning: Name) {
        self.scopes.last_mut().expect("a scope is open").insert(name, meaning);
    }

    pub fn scoped<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        self.scopes.push(HashMap::new());
        let r = f(self);
        self.scopes.pop();
        r
    }
}

/// The user's place, but names that only the macros see.
pub(super) fn hidden(span: Span) -> Span {
    Span::mixed_site().located_at(span)
}
