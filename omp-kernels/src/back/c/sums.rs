//! Sums of floats that long loops add to one by one: beside such a sum stands what rounding has made it too large by, and
//! the next number is the smaller for it (Kahan's sum). Its error is at most 2u·Σ|x|, but for a part of the order of n·u²,
//! however many numbers there are.
//!
//! That is for elements of reduced arrays, which one thread may add to in all of its iterations, for what an iteration's
//! own loops add up, and for the sums of chunks. In a chunk, neighbours are added up as they stand.
use super::body::Body;
use super::expr::bare;
use super::helpers::c_name;
use super::literal;
use super::operator::Item;
use crate::ir::desc::Prim;
use crate::ir::ids::{ExprId, LocalId};
use crate::ir::kernel::{Reducer, TypedCode};
use crate::ir::template::{Base, BinOp, Block, Expr, Stmt};
use crate::ir::visit;

/// A sum that a body's statements add to.
#[derive(Debug, Clone)]
pub(crate) struct Sum {
    pub base: Base,
    pub prim: Prim,
    /// Where the number that it is too large by stands.
    pub low: Low,
    /// The address space of both.
    pub space: &'static str,
}

/// Where a sum's other number stands.
#[derive(Debug, Clone)]
pub(crate) enum Low {
    /// A variable.
    Local(String),
    /// So many numbers behind the sum.
    Behind(String),
}

impl Body<'_, '_> {
    /// The statement that adds `value` to the sum at `sum`; both are lvalues, as is `low`.
    pub(crate) fn add_exactly(&mut self, prim: Prim, space: &str, [sum, low, value]: [&str; 3]) -> String {
        let c = c_name(prim);
        let name = match space.trim().trim_start_matches('_') {
            "" => format!("add_exactly_{c}"),
            space => format!("add_exactly_{space}_{c}"),
        };
        let helper = self.w.syntax.helper;
        self.w.helpers.add(&name, || {
            // Beyond infinity there is nothing to make up for.
            format!(
                "{helper}void {name}({space}{c}* sum, {space}{c}* low, {c} x) {{\n    \
                 const {c} y = x - *low;\n    const {c} all = *sum + y;\n    const {c} more = (all - *sum) - y;\n    \
                 *low = more - more == ({c})0 ? more : ({c})0;\n    *sum = all;\n}}\n"
            )
        });
        format!("{name}(&{sum}, &{low}, {value});")
    }

    /// Adds to a sum that stands with another number beside it, if that is what statements begin with. Gives how many it took.
    pub(crate) fn exact_update(&mut self, stmts: &[Stmt]) -> Option<usize> {
        let [Stmt::Assign { place, value, .. }, ..] = stmts else { return None };
        let Sum { base, prim, low, space } = self.sums.iter().find(|s| s.base == place.base)?.clone();
        if !adds(self.code, *value, base) {
            return None;
        }
        let nothing = literal::float(self.w.syntax, prim, -0.0);
        let outside = self.instead.replace((base, nothing));
        let value = self.settled(*value);
        self.instead = outside;
        let sum = self.place(place).text;
        if std::mem::take(&mut self.fallible) {
            self.settle_subscripts(place);
        }
        let low = match low {
            Low::Local(name) => name,
            Low::Behind(distance) => format!("(&{sum})[{distance}]"),
        };
        let line = self.add_exactly(prim, space, [&sum, &low, bare(&value)]);
        self.out.line(line);
        Some(1)
    }

    /// Gives items that loops of an iteration add to a number beside them, which stands wherever they do.
    pub(crate) fn watch_loops(&mut self, items: &mut [(usize, Item)]) {
        for (k, item) in items {
            let local = self.w.kernel.template.reductions[*k].local();
            if let (Some(prim), Some(local)) = (float_sum(&item.reducer), local)
                && in_loop(&self.code.code.block, local)
            {
                let low = self.name(&format!("{}_low", item.local));
                let (base, low) = (Base::Local(local), item.low.insert(low).clone());
                self.sums.push(Sum { base, prim, low: Low::Local(low), space: "" });
            }
        }
    }

    /// Declares the number beside a sum of copies, where it is one of floats. Gives its name.
    pub(crate) fn begin_sum(&mut self, reducer: &Reducer) -> String {
        let low = self.name("low");
        if let Some(prim) = float_sum(reducer) {
            self.out.line(format!("{} {low} = 0;", c_name(prim)));
        }
        low
    }

    /// Combines a copy with those before it.
    pub(crate) fn add_copy(&mut self, reducer: &Reducer, [all, low, copy]: [&str; 3]) {
        let line = match float_sum(reducer) {
            Some(prim) => self.add_exactly(prim, "", [all, low, copy]),
            None => {
                let both = self.combine(reducer, all, copy, "&cx");
                format!("{all} = {};", bare(&both))
            }
        };
        self.out.line(line);
    }

    /// Declares the variables of an item.
    pub(crate) fn declare_item(&mut self, item: &Item) {
        self.out.line(format!("{} {} = {};", item.ty, item.local, item.start));
        if let Some(low) = &item.low {
            self.out.line(format!("{} {low} = 0;", item.ty));
        }
    }
}

/// The type of a sum of floats.
pub(crate) fn float_sum(reducer: &Reducer) -> Option<Prim> {
    match reducer {
        Reducer::Builtin(_, prim) if reducer.is_float_sum() => Some(*prim),
        Reducer::Builtin(..) | Reducer::Declared { .. } => None,
    }
}

/// Whether a value is what stands at `base`, and something else added to it or taken from it.
fn adds(code: &TypedCode, value: ExprId, base: Base) -> bool {
    let mentions = |e: ExprId| {
        let mut found = false;
        visit::each_expr(&code.code, e, &mut |e| {
            found |= matches!(&code.code.exprs[e.index()].expr, Expr::Load(p) if p.base == base);
        });
        found
    };
    match &code.code.exprs[value.index()].expr {
        Expr::Load(place) => place.base == base,
        Expr::Binary(BinOp::Add, a, b) => {
            (adds(code, *a, base) && !mentions(*b)) || (adds(code, *b, base) && !mentions(*a))
        }
        Expr::Binary(BinOp::Sub, a, b) => adds(code, *a, base) && !mentions(*b),
        _ => false,
    }
}

/// Whether a loop of the body assigns the variable.
fn in_loop(block: &Block, local: LocalId) -> bool {
    let mut found = false;
    visit::each_stmt(block, &mut |stmt| {
        if let Stmt::For { body, .. } | Stmt::Loop { body, .. } = stmt {
            visit::each_stmt(body, &mut |stmt| {
                found |= matches!(stmt, Stmt::Assign { place, .. } if place.base == Base::Local(local));
            });
        }
    });
    found
}
