//! The iteration of inner loops in a failure record: the values of their variables, in addition to those of the
//! parallel loops.
//!
//! Nothing is recorded before a failure. The thread that takes the status record calls a function that adds the values,
//! and the number of the list of variables plus two (in `failed`; [`Source::inner`](crate::back::Source::inner) has the
//! lists). If failures are propagated by a context, the statement that ends the thread's work knows the variables. The flag's second
//! bit is set if this thread has the record (and is cleared if the thread goes on with another iteration).
use super::check::MAX_VARS;
use crate::back::c::body::{Body, Leave};
use crate::back::c::writer::Writer;
use crate::back::{Arg, Dialect};
use omp_ir::ids::LocalId;
use omp_ir::kernel::TypedCode;
use omp_ir::template::Stmt;
use std::fmt::Write as _;

impl Writer<'_> {
    /// Whether loops in the body have variables for failure records.
    pub(crate) fn records_iterations(&self) -> bool {
        let tells = |code: &TypedCode| {
            crate::back::c::body::statements(code)
                .iter()
                .any(|stmt| matches!(stmt, Stmt::For { var, .. } if is_named(code, *var)))
        };
        self.kernel.template.dims.len() < MAX_VARS && self.bodies().any(tells)
    }

    /// The number of a list of variables, as the record has it.
    fn inner_list(&mut self, vars: &[LocalId]) -> usize {
        let known = self.inner.iter().position(|list| list == vars);
        known.unwrap_or_else(|| {
            self.inner.push(vars.to_vec());
            self.inner.len() - 1
        }) + 2
    }

    /// The name of the function that adds so many values to the record.
    fn recorder(&mut self, values: usize) -> String {
        if let Some((_, name)) = self.tellers.iter().find(|(n, _)| *n == values) {
            return name.clone();
        }
        let name = self.global_name(&format!("record_iteration{values}"));
        self.tellers.push((values, name.clone()));
        name
    }

    /// The definitions of these functions.
    pub(crate) fn recorders_text(&self) -> String {
        let (global, dims) = (self.syntax.global, self.kernel.template.dims.len());
        // Other threads read the status at the same time.
        let (head, exchange) = match self.syntax.dialect {
            Dialect::Cuda => ("static __device__ __noinline__ void", "atomicExch"),
            Dialect::OpenCl => ("static void", "atomic_xchg"),
        };
        let mut text = String::new();
        for (values, name) in &self.tellers {
            let params: String = (0..*values).map(|i| format!(", i64 v{i}")).collect();
            let stores: String =
                (0..*values).map(|i| format!("    status->vars[{}] = v{i};\n", dims + i)).collect();
            let _ = write!(
                text,
                "\n{head} {name}({global}status_record* status, bool first, u32 list{params}) {{\n    \
                 if (!first) return;\n    {exchange}(&status->failed, list);\n{stores}}}\n"
            );
        }
        text
    }
}

impl Body<'_, '_> {
    /// The following statements are in a loop with this variable.
    pub(crate) fn enter_loop(&mut self, var: LocalId) {
        self.turns.push(var);
    }

    /// So much for these loops.
    pub(crate) fn leave_loops(&mut self, loops: usize) {
        self.turns.truncate(self.turns.len() - loops);
    }

    /// The call that adds the variables of the loops around to the record, if `first` is true.
    pub(crate) fn record_iteration(&mut self, first: &str) -> Option<String> {
        if self.function.is_some() {
            return None;
        }
        let room = MAX_VARS.saturating_sub(self.w.kernel.template.dims.len());
        let vars: Vec<LocalId> =
            self.turns.iter().copied().filter(|v| is_named(self.code, *v)).take(room).collect();
        if vars.is_empty() {
            return None;
        }
        let (list, recorder) = (self.w.inner_list(&vars), self.w.recorder(vars.len()));
        let status = if self.context { "cx.status".to_owned() } else { self.arg(Arg::Status) };
        let values: String = vars.iter().map(|v| format!(", (i64){}", self.locals[v.index()])).collect();
        Some(format!("{recorder}({status}, {first}, {list}u{values})"))
    }

    /// The call that takes the record, and adds the variables to it.
    pub(crate) fn with_iteration(&mut self, call: String) -> String {
        let text = self.record_iteration(&call).unwrap_or(call);
        format!("{text}; {}", self.forget())
    }

    /// The statements before the one that ends the thread's work if the context's flag is set.
    pub(crate) fn before_leaving(&mut self) -> String {
        let record = self.record_iteration("(cx.failed & 2u) != 0u");
        format!("{}{}", record.map(|call| format!("{call}; ")).unwrap_or_default(), self.forget())
    }

    /// The thread goes on, and may fail in another iteration: the record is this one's.
    pub(crate) fn forget(&self) -> &'static str {
        let again = matches!(self.leave, Leave::Iteration | Leave::Deferred) && self.function.is_none();
        if self.context && again && self.w.records_iterations() { "cx.failed = 1u; " } else { "" }
    }
}

/// The user has a name for it.
fn is_named(code: &TypedCode, var: LocalId) -> bool {
    let name = code.code.locals[var.index()].name.as_str();
    !name.starts_with('_')
}
