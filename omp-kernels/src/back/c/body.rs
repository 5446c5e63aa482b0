//! The state of the emitter while it writes one body: scopes, labels, names, and what a failure does.
use super::names::Namer;
use super::strategy::team::Team;
use super::types::Space;
use super::writer::Writer;
use crate::back::Arg;
use omp_ir::analysis::plan::Iterations;
use omp_ir::ids::{AccessId, ArrayId, ExprId, FnId, LabelId, LocalId, TyId};
use omp_ir::kernel::{Ty, TypedCode};
use omp_ir::template::{LocalKind, Stmt};
use omp_ir::visit;
use std::collections::{BTreeMap, HashMap};

/// Lines at a depth.
#[derive(Debug, Default)]
pub(crate) struct Text {
    pub text: String,
    pub depth: usize,
}

impl Text {
    /// One line.
    pub(crate) fn line(&mut self, line: impl AsRef<str>) {
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    /// A line that opens a block.
    pub(crate) fn open(&mut self, line: impl AsRef<str>) {
        self.line(line);
        self.depth += 1;
    }

    /// A line that closes a block.
    pub(crate) fn close(&mut self, line: impl AsRef<str>) {
        self.depth -= 1;
        self.line(line);
    }
}

/// A loop or labelled block around the statement that is being written.
#[derive(Debug)]
pub(crate) struct Frame {
    pub label: LabelId,
    /// C's `break` and `continue` mean it when it is the innermost one of this kind.
    pub is_loop: bool,
    /// Labels after it and at the end of its body, if something jumps there.
    pub exit: Option<String>,
    pub next: Option<String>,
}

/// How a body is left early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Leave {
    /// The kernel returns.
    Kernel,
    /// The iteration ends, but the thread goes on: others wait for it.
    Iteration,
    /// The statement does not end the thread: threads wait for each other at barriers, and later results are dropped.
    Deferred,
    /// The function returns; `None` for `()`.
    Function(Option<TyId>),
    /// The thread is done with a nest, and says so.
    Nest { failed: String, end: String },
}

/// What a thread does after a failure in loops that it runs by itself: the rest of them is not needed.
#[derive(Debug, Clone)]
pub(crate) enum Stop {
    /// It goes on after them, at this label.
    Jump(String),
    /// It sets this flag, and goes on.
    Flag(String),
}

/// Where statements stand with regard to the nests of a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Within {
    /// There are no teams: each thread for itself.
    Alone,
    /// All threads of the team run them alike.
    Around,
    /// In a nest: each thread has iterations of its own.
    Inside,
}

/// One body.
pub(crate) struct Body<'w, 'k> {
    pub w: &'w mut Writer<'k>,
    pub code: &'k TypedCode,
    pub function: Option<FnId>,
    names: Namer,
    /// Names of the locals.
    pub locals: Vec<String>,
    /// Where the memory of a slice variable is.
    pub spaces: Vec<Space>,
    /// Locals of 64 bits that are declared with 32.
    pub narrow: Vec<bool>,
    /// Subscripts of mapped arrays that stand in registers.
    pub registers: HashMap<AccessId, String>,
    /// Parts of mapped arrays that stand in shared memory: the thread's elements.
    pub parts: HashMap<ArrayId, String>,
    /// Subscripts that one earlier check covers.
    pub fitting: Vec<AccessId>,
    /// In a loop that loads speculatively, before its checks: the flag, and the subscripts that set it.
    pub speculation: Option<(String, Vec<AccessId>)>,
    /// There: the variables that hold subscripts, with 0 for those that are out of bounds.
    pub clamped: BTreeMap<AccessId, String>,
    /// The thread's own elements of arrays that are reduced.
    pub own: HashMap<ArrayId, String>,
    /// Arrays whose elements threads share: statements that update one do it atomically.
    pub atomics: Vec<ArrayId>,
    /// Those of which a block keeps some elements.
    pub hot: Vec<super::strategy::reduction::atomic_privatisation::Hot>,
    /// Those whose sums are integers in the device's memory.
    pub accumulators: Vec<super::strategy::reduction::accumulators::Of>,
    /// Updates of their elements that are left for after the iteration.
    pub sites: Vec<super::strategy::reduction::in_flight::Site>,
    pub out: Text,
    pub frames: Vec<Frame>,
    pub within: Within,
    /// How many threads the nest around is dealt to, if not all of the team.
    pub nest_threads: Option<String>,
    /// Several iterations are being written.
    pub jam: Option<super::strategy::unroll_and_jam::UnrollAndJam>,
    /// Of a kernel for teams.
    pub team: Option<Team>,
    /// What a failure does, and the label that ends an iteration, when something jumps there.
    pub leave: Leave,
    pub next: Option<String>,
    /// What a failure does in loops that a thread runs by itself, in addition to ending the iteration.
    pub stop: Option<Stop>,
    /// Bounds of a parallel loop are being written, in a loop around the iteration.
    pub before_iteration: bool,
    /// Failures go through a context (`cx`), because functions fail or arithmetic does.
    pub context: bool,
    /// Arithmetic is checked.
    pub checked: bool,
    /// Iterations outside of a program's interior are being written.
    pub at_border: bool,
    /// The last statement may have set the context's flag.
    pub fallible: bool,
    /// The variable that holds the iteration's number plus one.
    pub number: Option<String>,
    /// The expressions that give the parallel variables' values, for the record of a failure.
    pub vars: Vec<String>,
    /// The variables of the loops around, in the body.
    pub turns: Vec<LocalId>,
    /// The variables of nests that are unrolled with all loops inside (`stmt/unrolling.rs`).
    pub unrolled: Vec<LocalId>,
    args: Vec<(Arg, String)>,
}

impl<'w, 'k> Body<'w, 'k> {
    /// The kernel's body.
    pub(crate) fn of_kernel(w: &'w mut Writer<'k>) -> Self {
        let kernel = w.kernel;
        let context = w.needs_context();
        let mut body = Self::new(w, &kernel.body, None);
        body.context = context;
        body.name_args();
        body.name_locals();
        body
    }

    /// The body of a device function. The address spaces are those of its slice and `&mut` parameters, in order.
    pub(crate) fn of_function(w: &'w mut Writer<'k>, id: FnId, spaces: &[Space]) -> Self {
        let f = &w.kernel.fns[id.index()];
        let context = w.functions.can_fail(id);
        let mut body = Self::new(w, &f.body, Some(id));
        body.context = context;
        body.leave = Leave::Function((!body.w.types.is_empty(f.ret)).then_some(f.ret));
        let params = f.template.params.iter().copied();
        let pointers: Vec<_> = params.filter(|&p| body.is_slice(p) || body.is_ref(p)).collect();
        for (param, &space) in pointers.into_iter().zip(spaces) {
            body.spaces[param.index()] = space;
        }
        body.name_locals();
        body
    }

    fn new(w: &'w mut Writer<'k>, code: &'k TypedCode, function: Option<FnId>) -> Self {
        let count = code.code.locals.len();
        let names = w.globals.clone();
        let checked = code.overflow_checks;
        Self {
            w,
            code,
            function,
            names,
            locals: Vec::new(),
            spaces: vec![Space::Global; count],
            narrow: vec![false; count],
            registers: HashMap::new(),
            parts: HashMap::new(),
            fitting: Vec::new(),
            speculation: None,
            clamped: BTreeMap::new(),
            own: HashMap::new(),
            hot: Vec::new(),
            accumulators: Vec::new(),
            sites: Vec::new(),
            atomics: Vec::new(),
            out: Text { text: String::new(), depth: 1 },
            frames: Vec::new(),
            within: Within::Alone,
            nest_threads: None,
            jam: None,
            team: None,
            leave: Leave::Kernel,
            next: None,
            stop: None,
            before_iteration: false,
            context: false,
            checked,
            at_border: false,
            fallible: false,
            number: None,
            vars: Vec::new(),
            turns: Vec::new(),
            unrolled: Vec::new(),
            args: Vec::new(),
        }
    }

    /// Writes loops that a thread runs by itself, in which no other one waits for it: the first failure ends them.
    pub(crate) fn by_itself(&mut self, loops: impl FnOnce(&mut Self)) {
        let label = self.name("stopped");
        let start = self.out.text.len();
        let outside = self.stop.replace(Stop::Jump(label.clone()));
        loops(self);
        self.stop = outside;
        if self.out.text[start..].contains(&format!("goto {label};")) {
            self.out.line(format!("{label}:;"));
        }
    }

    /// A new name in this body.
    pub(crate) fn name(&mut self, wish: &str) -> String {
        loop {
            let name = self.names.name(wish);
            if !self.w.globals.has(&name) {
                self.w.all.take(&name);
                return name;
            }
        }
    }

    fn name_args(&mut self) {
        let arrays = &self.w.kernel.template.arrays;
        let scalars = &self.w.kernel.template.scalars;
        let dims = &self.w.kernel.template.dims;
        for arg in self.w.all_args() {
            let var = |d: u32| &self.code.code.locals[dims[d as usize].var.index()].name;
            let wish = match arg {
                Arg::Array(a) => arrays[a.index()].name.clone(),
                Arg::Len(a) => format!("{}_len", arrays[a.index()].name),
                Arg::Origin(a) => format!("{}_origin", arrays[a.index()].name),
                Arg::SectionLo(a) => format!("{}_lo", arrays[a.index()].name),
                Arg::SectionHi(a) => format!("{}_hi", arrays[a.index()].name),
                Arg::Scalar(s) => scalars[s.index()].name.clone(),
                Arg::DimFirst(d) => format!("{}_first", var(d)),
                Arg::DimStep(d) => format!("{}_step", var(d)),
                Arg::DimCount(d) => format!("{}_count", var(d)),
                Arg::Claims(a) => format!("{}_claims", arrays[a.index()].name),
                Arg::DigitFirst(d) => format!("{}_digit_first", var(d)),
                Arg::DigitStep(d) => format!("{}_digit_step", var(d)),
                Arg::DigitCount(d) => format!("{}_digit_count", var(d)),
                Arg::Term(Iterations::Interior, term) => format!("inner_{}", self.w.term_name(term)),
                Arg::Term(_, term) => self.w.term_name(term),
                Arg::InsideStart(d) => format!("inner_{}_start", var(d)),
                Arg::Status => "status".to_owned(),
                Arg::Total => "total".to_owned(),
                Arg::Partials => "partials".to_owned(),
                Arg::Copies => "copies".to_owned(),
                Arg::Tiles => "tiles".to_owned(),
                Arg::Phase => "phase".to_owned(),
                Arg::Ticket => "ticket".to_owned(),
                Arg::Result => "result".to_owned(),
            };
            let name = self.name(&wish);
            self.args.push((arg, format!("-{name}")));
        }
    }

    fn name_locals(&mut self) {
        for local in &self.code.code.locals {
            let name = self.name(&local.name);
            self.locals.push(name);
        }
    }

    /// The name of a kernel argument, which is thereby used.
    pub(crate) fn arg(&mut self, arg: Arg) -> String {
        let (_, name) = self.args.iter_mut().find(|(a, _)| *a == arg).expect("every argument has a name");
        if let Some(used) = name.strip_prefix('-') {
            *name = used.to_owned();
        }
        name.clone()
    }

    /// The arguments that were used, in order.
    pub(crate) fn used_args(&self) -> Vec<(Arg, String)> {
        self.args.iter().filter(|(_, name)| !name.starts_with('-')).cloned().collect()
    }

    /// The type of an expression.
    pub(crate) fn ty(&self, e: ExprId) -> TyId {
        self.code.expr_ty[e.index()]
    }

    /// A `&mut` parameter.
    pub(crate) fn is_ref(&self, local: LocalId) -> bool {
        self.code.code.locals[local.index()].kind == LocalKind::Ref
    }

    /// A local whose type is a slice.
    pub(crate) fn is_slice(&self, local: LocalId) -> bool {
        matches!(self.w.types.get(self.code.local_ty[local.index()]), Ty::Slice(_))
    }
}

/// The device functions that a body calls.
pub(crate) fn visit_calls(code: &TypedCode) -> impl Iterator<Item = FnId> {
    use omp_ir::kernel::Callee;
    use omp_ir::template::Expr;
    let mut out = Vec::new();
    visit::each_live_expr(&code.code, &mut |e| {
        if let Expr::Call { call, args: _ } = &code.code.exprs[e.index()].expr
            && let Callee::Fn(id) = code.calls[call.index()]
        {
            out.push(id);
        }
    });
    out.into_iter()
}

/// The statements of a body, in program order.
pub(crate) fn statements(code: &TypedCode) -> Vec<&Stmt> {
    let mut out = Vec::new();
    visit::each_stmt(&code.code.block, &mut |stmt| out.push(stmt));
    out
}
