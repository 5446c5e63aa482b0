//! Speculative loads: sequential loops that load before their checks. If a check may end the thread, compilers don't load values of
//! later iterations before it, and a loop over loaded bounds and subscripts waits for memory at each of its checks.
//!
//! So a loop that changes only variables is emitted twice. The first copy has no exits: a subscript that is out of
//! bounds is replaced by 0, as the variable that it is or in one of its own, and a flag is set. (Subscripts that are the loop's variable, also widened, are checked by
//! the loop's bounds, which decide whether the first copy runs.) If the flag is set, the variables get their values
//! from before the loop back, and the second copy runs: the loop with its checks, which fails where the program does,
//! with its message.
//!
//! That is legal because the first copy stores nothing, and every element that it loads exists. Loops over arrays of
//! which element 0 may be missing (sections, parts of present memory) are not emitted so, nor are loops in which a proof
//! is about a variable of the loop, because 0 in its place is not what was proved. The first copy terminates, because the
//! loop's variable subscripts some array.
use crate::back::c::body::{Body, Within};
use crate::back::c::expr::bare;
use crate::valid::may_overflow;
use omp_ir::desc::Prim;
use omp_ir::ids::{AccessId, ExprId, LabelId, LocalId};
use omp_ir::kernel::{Callee, Ty};
use omp_ir::template::{Base, Block, Check, Expr, LocalKind, Place, Range, Stmt};
use omp_ir::visit;
use std::collections::BTreeSet;

/// The facts of a loop that the speculative copy needs.
#[derive(Default)]
struct Speculation {
    /// Subscripts that are the loop's variable, with the arrays.
    whole: Vec<(AccessId, Place)>,
    /// Other subscripts, with the arrays.
    loaded: Vec<(AccessId, Place)>,
    /// The variables from around the loop that it changes.
    changed: BTreeSet<LocalId>,
    /// Some array has an element for each iteration.
    ends: bool,
}

impl Body<'_, '_> {
    /// Writes a counted loop: twice, if that allows speculative loads.
    pub(crate) fn counted_or_speculative(
        &mut self,
        label: LabelId,
        var: LocalId,
        range: &Range,
        body: &Block,
    ) {
        let Some(found) = self.speculation_of(var, range, body) else {
            return self.counted_loop(label, var, range, body);
        };
        let hi = range.hi.map(|e| self.expr(e)).unwrap_or_default();
        let mut fails = Vec::new();
        for (_, base) in &found.whole {
            let placed = self.place(base);
            fails.push(format!("(u64){hi} > (u64){}", self.length(&placed)));
        }
        for (_, base) in &found.loaded {
            let placed = self.place(base);
            fails.push(format!("{} == 0", self.length(&placed)));
        }
        fails.sort_unstable();
        fails.dedup();
        let wrong = self.name("wrong");
        self.out.open("{");
        self.out.line(format!("bool {wrong} = {};", fails.join(" || ")));
        let mut before = Vec::new();
        for local in &found.changed {
            let name = self.locals[local.index()].clone();
            let c = self.w.value_type(self.code.local_ty[local.index()]);
            let kept = self.name(&format!("{name}_before"));
            self.out.line(format!("const {c} {kept} = {name};"));
            before.push(format!("{name} = {kept};"));
        }
        self.out.open(format!("if (!{wrong}) {{"));
        let fitting = self.fitting.len();
        self.fitting.extend(found.whole.iter().map(|(access, _)| *access));
        self.speculation = Some((wrong.clone(), found.loaded.iter().map(|(access, _)| *access).collect()));
        self.counted_loop(label, var, range, body);
        self.speculation = None;
        self.clamped.clear();
        self.fitting.truncate(fitting);
        self.out.close("}");
        self.out.open(format!("if ({wrong}) {{"));
        before.iter().for_each(|line| self.out.line(line));
        self.counted_loop(label, var, range, body);
        self.out.close("}");
        self.out.close("}");
    }

    /// Writes the check of a subscript in the first copy; `false` if it is not in one.
    pub(crate) fn check_speculatively(&mut self, access: AccessId, base: &Place, index: ExprId) -> bool {
        let Some((wrong, _)) = self.speculation.clone().filter(|(_, loaded)| loaded.contains(&access)) else {
            return false;
        };
        let placed = self.place(base);
        let Some(variable) = self.variable(index) else {
            let (len, index, at) = (self.length(&placed), self.expr(index), self.name("at"));
            self.out.line(format!("u64 {at} = {};", bare(&index)));
            self.out.line(format!("if ({at} >= {len}) {{ {wrong} = true; {at} = 0; }}"));
            self.clamped.insert(access, at);
            return true;
        };
        let (len, index, variable) =
            (self.length(&placed), self.expr(index), self.locals[variable.index()].clone());
        self.out.line(format!("if ({} >= {len}) {{ {wrong} = true; {variable} = 0; }}", bare(&index)));
        true
    }

    fn speculation_of(&self, var: LocalId, range: &Range, body: &Block) -> Option<Speculation> {
        let alone = match self.within {
            Within::Alone => self.team.is_none() && self.jam.is_none(),
            Within::Around => false,
            Within::Inside => true,
        };
        let plain = range.adaptors.is_empty() && !range.inclusive && self.function.is_none();
        if !alone || !plain || self.speculation.is_some() {
            return None;
        }
        let (mut found, mut own) = (Speculation::default(), BTreeSet::new());
        self.look(body, var, &mut own, &mut found)?;
        // A negative start would be a large subscript.
        let unsigned = |e: ExprId| self.w.types.prim(self.ty(e)).is_some_and(|prim| !prim.is_signed());
        let counts = found.whole.is_empty() || range.hi.is_some_and(unsigned);
        let ends = range.lo.iter().chain(&range.hi).all(|e| self.is_total(*e));
        let some = !found.whole.is_empty() || !found.loaded.is_empty();
        (some && counts && ends && found.ends).then_some(found)
    }

    /// Looks at the statements of a loop; `None` if they do more than to load and to compute variables.
    fn look(
        &self,
        block: &Block,
        var: LocalId,
        own: &mut BTreeSet<LocalId>,
        found: &mut Speculation,
    ) -> Option<()> {
        for stmt in &block.0 {
            let mut total = true;
            if !matches!(stmt, Stmt::Check { .. }) {
                visit::of_stmt(stmt, &mut |e| total &= self.is_total(e));
            }
            match stmt {
                Stmt::Let { local, .. } => {
                    own.insert(*local);
                    total &= self.is_number(*local);
                }
                Stmt::Assign { place, .. } => match (place.base, place.projections.as_slice()) {
                    (Base::Local(local), []) if self.is_number(local) => {
                        if !own.contains(&local) {
                            found.changed.insert(local);
                        }
                    }
                    _ => return None,
                },
                Stmt::If { cond: _, then, els } => {
                    self.look(then, var, own, found)?;
                    self.look(els, var, own, found)?;
                }
                Stmt::Check { check: Check::Bounds { access, base, index }, .. } => {
                    if self.is_checked(*access) {
                        let Base::Array(array) = base.base else { return None };
                        if !base.projections.is_empty() || self.is_shifted(array) {
                            return None;
                        }
                        match self.variable(*index) {
                            Some(local) if local == var => {
                                found.ends = true;
                                found.whole.push((*access, base.clone()));
                            }
                            Some(local) if own.contains(&local) => found.loaded.push((*access, base.clone())),
                            None if self.is_total(*index) => found.loaded.push((*access, base.clone())),
                            _ => return None,
                        }
                    } else if self.variable(*index) == Some(var) {
                        found.ends = true;
                    } else if self.mentions(*index, own) || self.mentions(*index, &found.changed) {
                        return None;
                    }
                }
                _ => return None,
            }
            if !total {
                return None;
            }
        }
        Some(())
    }

    /// A variable of the code's own that is a number.
    fn is_number(&self, local: LocalId) -> bool {
        let kind = self.code.code.locals[local.index()].kind;
        matches!(kind, LocalKind::User | LocalKind::Temp)
            && matches!(self.w.types.get(self.code.local_ty[local.index()]), Ty::Prim(_))
    }

    /// Whether an expression has one of these variables.
    fn mentions(&self, root: ExprId, locals: &BTreeSet<LocalId>) -> bool {
        let mut found = false;
        visit::each_expr(&self.code.code, root, &mut |e| {
            let expr = &self.code.code.exprs[e.index()].expr;
            found |=
                matches!(expr, Expr::Load(Place { base: Base::Local(local), .. }) if locals.contains(local));
        });
        found
    }

    /// The variable that a subscript is, also if its type has to be made that of subscripts: that keeps the number, or makes
    /// a negative one larger than any length.
    fn variable(&self, e: ExprId) -> Option<LocalId> {
        let expr = |e: ExprId| &self.code.code.exprs[e.index()].expr;
        let of = match expr(e) {
            Expr::Cast { value, .. } if self.w.types.prim(self.ty(*value)).is_some_and(Prim::is_int) => {
                *value
            }
            _ => e,
        };
        match expr(of) {
            Expr::Load(Place { base: Base::Local(local), projections }) if projections.is_empty() => {
                Some(*local)
            }
            _ => None,
        }
    }

    /// Evaluating it can't fail.
    fn is_total(&self, root: ExprId) -> bool {
        let mut total = true;
        visit::each_expr(&self.code.code, root, &mut |e| {
            total &= !(self.checked && may_overflow(self.w.kernel, self.code, e));
            total &= match &self.code.code.exprs[e.index()].expr {
                Expr::Call { call, .. } => self.code.calls[call.index()] == Callee::Builtin,
                Expr::Slice { .. } | Expr::Borrow(_) => false,
                _ => true,
            };
        });
        total
    }
}
