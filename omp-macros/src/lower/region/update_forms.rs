//! Update forms of reduction items, in a lowered body.
use super::capture::Captured;
use crate::ast::ReductionClause;
use crate::lower::cx::{Lower, Name};
use crate::lower::expr::literal::prim;
use crate::sema::accesses::copies::Places;
use crate::sema::syntax::forms::strip;
use omp_ir::flow::update_form::{self, Form, Kind, Operator, Question, Use};
use omp_ir::ids::{CallId, LocalId, SlotId};
use omp_ir::template::{Base, Block, Code, NamedUpdate, ReduceOp, Stmt};
use proc_macro2::{LineColumn, Span};
use quote::ToTokens;
use std::collections::{BTreeSet, HashMap};
use syn::Expr;

/// An item in the template: a variable or array, and the fields that lead from there.
pub(in crate::lower) type Place = (Base, Vec<String>);

/// The paths of functions and types, from the user's tokens.
#[derive(Default)]
pub struct Paths {
    /// The functions that are called by their paths. (Others are methods.)
    pub(in crate::lower) calls: HashMap<CallId, syn::ExprPath>,
    /// The types of casts and structs.
    pub(in crate::lower) types: HashMap<SlotId, String>,
}

impl Paths {
    /// The uses of an item in a block.
    pub fn uses(&self, code: &Code, block: &Block, (item, fields): &(Base, Vec<String>)) -> Vec<Use> {
        update_form::uses(&Question {
            code,
            block,
            item: *item,
            fields,
            library: &|call| self.calls.get(&call).is_none_or(of_library),
            same: &|a, b| self.same(code, a, b),
            ty: &|slot| self.first_of_type(slot),
        })
    }

    /// Whether two calls are of the same function.
    pub(super) fn same(&self, code: &Code, a: CallId, b: CallId) -> bool {
        let text = |call: &CallId| self.calls.get(call).map(|path| path.to_token_stream().to_string());
        text(&a) == text(&b) && code.calls[a.index()].name == code.calls[b.index()].name
    }

    /// The first slot that is certainly of the same type.
    pub(super) fn first_of_type(&self, slot: SlotId) -> SlotId {
        let text = self.types.get(&slot);
        let same = self.types.iter().filter(|(_, other)| text == Some(other)).map(|(slot, _)| *slot);
        same.min().unwrap_or(slot)
    }

    /// The built-in operator of an atomic update whose new value is one expression.
    pub fn atomic_operator(&self, code: &Code, old: LocalId, update: &Block) -> Option<ReduceOp> {
        // A comparison may decide otherwise between copies than between elements: it is a branch.
        let mut stmts = update.0.clone();
        let (Stmt::Assign { place, .. }, before) = stmts.split_last_mut()? else { return None };
        if !before.iter().all(|stmt| matches!(stmt, Stmt::Let { .. } | Stmt::Check { .. })) {
            return None;
        }
        place.base = Base::Local(old);
        match &self.uses(code, &Block(stmts), &(Base::Local(old), Vec::new()))[..] {
            [Use { kind: Kind::Assigned(form), .. }] => builtin(form),
            _ => None,
        }
    }

    /// The reduction that an assignment looks like, by where it begins.
    pub fn looks_like(&self, code: &Code, spans: &[Span], item: Base, at: LineColumn) -> Option<ReduceOp> {
        let uses = self.uses(code, &code.block, &(item, Vec::new()));
        uses.iter().filter(|u| spans[u.src.index()].start() == at).filter_map(Use::form).find_map(builtin)
    }
}

/// The built-in operator of an update.
pub fn builtin(form: &Form) -> Option<ReduceOp> {
    match form {
        Form::Update(update) if !update.effects => match update.by {
            Operator::Builtin(op) => Some(op),
            Operator::Calls(_) | Operator::Declared(_) => None,
        },
        _ => None,
    }
}

/// Whether a path names a function of the primitives or of `Ord`: `f64::max`, `std::cmp::max`. Others are the user's.
fn of_library(p: &syn::ExprPath) -> bool {
    let names: Vec<String> = p.path.segments.iter().map(|s| s.ident.to_string()).collect();
    p.qself.is_none()
        && match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [.., of, _] if of == "Ord" || prim(of).is_some() => true,
            [first, "cmp", _] => matches!(first, "std" | "core"),
            _ => false,
        }
}

/// What lowering needs to know about the updates of an item.
#[derive(Default)]
pub(super) struct Facts {
    /// Some update has the item on the right of the operator, or subtracts.
    pub turned: bool,
    /// Functions that update it under other paths than the clause's.
    pub names: Vec<syn::Path>,
    /// Updates that would store a NaN.
    pub unordered: Vec<Span>,
    /// Methods and operators by whose names updates were recognised.
    pub updates: BTreeSet<NamedUpdate>,
}

impl Lower {
    /// The user's name for a variable or array.
    pub(super) fn name_of(&self, base: Base) -> &str {
        let captures = &self.captured.as_ref().expect("regions capture").captures;
        match base {
            Base::Local(local) => &self.code.locals[local.index()].name,
            Base::Array(array) => &captures.arrays[array.index()].key,
            Base::Scalar(scalar) => &captures.scalars[scalar.index()].key,
            Base::Const(of) => &self.code.consts[of.index()].name,
        }
    }

    /// The place of a clause's item in the template.
    pub(super) fn item_place(&self, key: &str) -> Option<Place> {
        let captured = self.captured.as_ref()?;
        let of = |captured: &Captured, key: &str| {
            let local = captured.local(key).map(Base::Local);
            local.or_else(|| captured.array_id(key).map(Base::Array))
        };
        let names: Vec<&str> = key.split('.').collect();
        (1..=names.len()).rev().find_map(|n| {
            let fields = names[n..].iter().map(|name| (*name).to_owned()).collect();
            let base = match self.lookup(names[0]) {
                Some(Name::Local(local)) => (n == 1).then_some(Base::Local(*local)),
                Some(Name::Const(_) | Name::Alias(_)) => None,
                None => of(captured, &names[..n].join(".")),
            };
            Some((base?, fields))
        })
    }

    /// The facts about the updates of an item, by the analysis of their forms. `body`: the same block as the user wrote it.
    pub(super) fn facts(
        &self,
        clause: &ReductionClause,
        place: &Place,
        block: &Block,
        body: &syn::Block,
    ) -> Facts {
        let mut facts = Facts::default();
        let mut places = None;
        for u in self.paths.uses(&self.code, block, place) {
            let Some(form @ Form::Update(update)) = u.form() else { continue };
            facts.turned |= update.turned;
            facts.updates.extend(&update.names);
            if update.unordered {
                let places = places.get_or_insert_with(|| Places::of(body));
                let span = self.spans[u.src.index()];
                facts
                    .unordered
                    .push(places.statement(span, Some(form)).and_then(|s| choice(&s)).unwrap_or(span));
            }
            let Operator::Calls(calls) = &update.by else { continue };
            let paths = calls.iter().filter_map(|call| Some(&self.paths.calls.get(call)?.path));
            let other = |path: &&syn::Path| !matches!(&clause.op, crate::ast::ClauseOp::Declared(own) if own == *path);
            facts.names.extend(paths.filter(other).cloned());
        }
        facts
    }
}

/// The start of the `if` or `match` of an update.
fn choice(statement: &Expr) -> Option<Span> {
    match statement {
        Expr::If(i) => Some(i.if_token.span),
        Expr::Match(m) => Some(m.match_token.span),
        Expr::Assign(a) => choice(strip(&a.right)),
        _ => None,
    }
}
