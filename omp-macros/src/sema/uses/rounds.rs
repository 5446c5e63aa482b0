//! Loops of a body, and which elements the places in them are.
use super::elements::{self, At, Counted, Part, Range, Sum};
use super::forms::surely_runs;
use super::walk::{Bound, Frame, Walk};
use super::{How, Written, join};
use crate::sema::combine::constant;
use crate::sema::place::{self, Place, Step};
use crate::sema::updates::{self, comparison, conjuncts};
use std::collections::{BTreeSet, HashSet};
use syn::visit::Visit;
use syn::{BinOp, Expr, ExprForLoop, ExprWhile, Pat, RangeLimits, Token};

/// What walking through a loop a second time starts from again.
struct State {
    found: usize,
    written: Written,
    ended: Written,
    frames: Vec<Frame>,
    next_loop: usize,
    next_name: usize,
    mutable: HashSet<String>,
}

impl Walk {
    fn state(&self) -> State {
        State {
            found: self.found.len(),
            written: self.written.clone(),
            ended: self.ended.clone(),
            frames: self.frames.clone(),
            next_loop: self.next_loop,
            next_name: self.next_name,
            mutable: self.mutable.clone(),
        }
    }

    fn again(&mut self, state: State) {
        self.found.truncate(state.found);
        self.written = state.written;
        self.ended = state.ended;
        self.frames = state.frames;
        (self.next_loop, self.next_name) = (state.next_loop, state.next_name);
        self.mutable = state.mutable;
    }

    /// A loop of any kind.
    pub(super) fn any_loop(&mut self, e: &Expr) {
        match e {
            Expr::While(l) => self.loop_(e, |w| w.while_loop(l)),
            Expr::ForLoop(l) => self.for_loop(l, e),
            Expr::Loop(l) => self.loop_(e, |w| {
                w.written = w.in_loop(l.label.as_ref(), |w| w.visit_block(&l.body)).exits;
            }),
            _ => unreachable!("called with a loop"),
        }
    }

    fn while_loop(&mut self, l: &ExprWhile) {
        self.scoped(|w| {
            let (mut left, mut before) = (None, None);
            let frame = w.in_loop(l.label.as_ref(), |w| {
                w.visit_expr(&l.cond);
                // The condition may leave the loop, too: `'a: while { if c { break 'a } … } {}`.
                left = w.frames.last().and_then(|f| f.exits.clone());
                before.clone_from(&w.written);
                w.where_(&l.cond, true, |w| w.visit_block(&l.body));
            });
            let rounds = frame.ends(w.written.take());
            w.behind_loop(before, rounds, (None, 0), false);
            w.written = join(w.written.take(), left);
        });
    }

    fn for_loop(&mut self, l: &ExprForLoop, e: &Expr) {
        self.visit_expr(&l.expr);
        let nest = self.nest(&l.attrs);
        nest.into_iter().for_each(|n| self.start_nest(n));
        let before = self.written.clone();
        let counted = self.counted(l).filter(|_| self.tracks_any());
        let mut left = false;
        self.loop_(e, |w| {
            let each = counted.as_ref().filter(|c| c.every).map(|c| w.each_round(l, c));
            (w.written, left) = w.round(l, counted.as_ref(), each.unwrap_or_default());
        });
        let rounds = self.written.take();
        // A `break` leaves rounds out.
        let all = counted.as_ref().filter(|_| !left);
        let start = counted.as_ref().map_or(0, |c| c.start);
        self.behind_loop(before, rounds, (all, start), surely_runs(&l.expr));
        nest.into_iter().for_each(|n| self.end_nest(n));
    }

    /// What each round of a loop assigns. Where the loops around are walked through again, it is what they found at first, when
    /// they knew less: so that loops in loops are not walked through ever more often.
    fn each_round(&mut self, l: &ExprForLoop, counted: &Counted) -> Vec<Vec<Part>> {
        if let Some(known) = self.each.get(&counted.start) {
            return known.clone();
        }
        let state = self.state();
        let rounds = self.round(l, Some(counted), vec![]).0;
        self.again(state);
        let rounds: Vec<_> = rounds.map(|set| set.elements).unwrap_or_default().into_iter().collect();
        self.each.insert(counted.start, rounds.clone());
        rounds
    }

    /// What is written where a round ends, each of which assigns what `each` tells, and whether one may be the last by `break`.
    fn round(&mut self, l: &ExprForLoop, counted: Option<&Counted>, each: Vec<Vec<Part>>) -> (Written, bool) {
        let mut left = false;
        let (known, later) = (self.ranges.len(), self.later.len());
        self.scoped(|w| {
            w.bind(&l.pat);
            let copies = w.nest(&l.attrs).map(|n| w.nests[n].copies.clone()).unwrap_or_default();
            copies.into_iter().for_each(|name| w.bind_name(name, true));
            if let Some(c) = counted {
                w.ranges.push(c.range.clone());
                if let Some(written) = &mut w.written {
                    written.elements.extend(each.iter().filter_map(|fact| c.ahead(fact)));
                }
                let same = each.into_iter().filter(|fact| !c.backwards && elements::is_older(fact, c.start));
                w.later.push((c.range.clone(), same.collect()));
            }
            let frame = w.in_loop(l.label.as_ref(), |w| w.visit_block(&l.body));
            left = frame.exits.is_some();
            w.written = frame.ends(w.written.take());
        });
        self.ranges.truncate(known);
        self.later.truncate(later);
        (self.written.take(), left)
    }

    /// Behind a loop: `before` it, and at the ends of its `rounds`. One that may have none is taken to write the paths
    /// that its rounds write at subscripts that are no numbers.
    fn behind_loop(
        &mut self,
        before: Written,
        rounds: Written,
        (counted, start): (Option<&Counted>, usize),
        runs: bool,
    ) {
        self.written = match (before, rounds) {
            (before, Some(rounds)) if runs || before.is_some() => {
                let of_rounds = |fact: &Vec<Part>| match counted {
                    Some(counted) => counted.behind(fact, runs),
                    None => (runs && elements::is_older(fact, start)).then(|| fact.clone()),
                };
                let assigned: BTreeSet<_> = rounds.elements.iter().filter_map(of_rounds).collect();
                let somewhere = |k: &Vec<Step>| k.iter().any(|step| matches!(step, Step::Somewhere(_)));
                let paths = rounds.paths.into_iter().filter(|k| runs || somewhere(k));
                let mut written = before.unwrap_or_default();
                written.elements.extend(assigned);
                written.paths.extend(paths);
                Some(written)
            }
            (_, None) if runs => None,
            (before, _) => before,
        };
    }

    /// The range that a loop counts through, where one name stands for its values.
    fn counted(&self, l: &ExprForLoop) -> Option<Counted> {
        let Pat::Ident(p) = &*l.pat else { return None };
        if p.mutability.is_some() || p.by_ref.is_some() || p.subpat.is_some() {
            return None;
        }
        let (mut e, mut every, mut backwards) = (&*l.expr, true, false);
        let range = loop {
            match updates::strip(e) {
                Expr::MethodCall(m) if m.method == "rev" => (e, backwards) = (&m.receiver, !backwards),
                Expr::MethodCall(m) if m.method == "step_by" => (e, every) = (&m.receiver, false),
                Expr::Range(r) => break r,
                _ => return None,
            }
        };
        let (lo, hi) = (self.bound(range.start.as_deref()?)?, self.bound(range.end.as_deref()?)?);
        let hi = match range.limits {
            RangeLimits::HalfOpen(_) => hi,
            // The last number of a type has none behind it.
            RangeLimits::Closed(_) if hi.is_bounded(&self.ranges) => hi.and(1, &Sum::number(1))?,
            RangeLimits::Closed(_) => Sum::name(format!("({hi})+1")),
        };
        let start = self.next_name;
        let range = Range { name: format!("{}#{start}", p.ident), lo, hi };
        Some(Counted { range, every, backwards, start })
    }

    /// A bound of a loop, whose type may be of few bits: a sum that could wrap is only the same as itself.
    fn bound(&self, e: &Expr) -> Option<Sum> {
        let sum = self.sum(e)?;
        let fits = sum.fits(&self.ranges);
        let plain = sum.constant().is_some() || sum.single().is_some() || fits;
        Some(if plain { sum } else { Sum::name(format!("({sum})")) })
    }

    /// The value of an expression that is the same wherever it stands while its names have the values that they have.
    pub(super) fn sum(&self, e: &Expr) -> Option<Sum> {
        if let Some(n) = constant(e) {
            return Some(Sum::number(n));
        }
        match e {
            Expr::Paren(p) => self.sum(&p.expr),
            Expr::Group(g) => self.sum(&g.expr),
            Expr::Path(p) => self.name(&p.path.get_ident()?.to_string()),
            // Of a name alone that is known to be none below zero; others are only the same as themselves.
            Expr::Cast(c) if matches!(&*c.ty, syn::Type::Path(t) if t.path.is_ident("usize")) => {
                let sum = self.sum(&c.expr)?;
                let fits =
                    sum.single().is_some_and(|name| !name.starts_with('(')) && sum.is_positive(&self.ranges);
                Some(if fits { sum } else { Sum::name(format!("({sum} as usize)")) })
            }
            Expr::Field(_) => {
                let place = place::of(e).filter(|p| p.subscripts.is_empty() && self.captured(&p.base))?;
                self.name(&place.base).map(|_| Sum::name(place.key))
            }
            Expr::MethodCall(m) if m.method == "len" && m.args.is_empty() => {
                let place =
                    place::of(&m.receiver).filter(|p| p.subscripts.is_empty() && self.captured(&p.base))?;
                let known = self.lengths.iter().find(|(name, _)| *name == place.key);
                let known = known.and_then(|(_, all)| all.first().cloned());
                Some(known.unwrap_or_else(|| Sum::name(format!("{}.len()", place.key))))
            }
            Expr::MethodCall(m) if m.args.len() == 1 && (m.method == "min" || m.method == "max") => {
                let (a, b) = (self.sum(&m.receiver)?, self.sum(m.args.first()?)?);
                Some(Sum::name(format!("({a} {} {b})", m.method)))
            }
            Expr::Binary(b) => {
                let (left, right) = (self.sum(&b.left)?, self.sum(&b.right)?);
                match (&b.op, left.constant(), right.constant()) {
                    (BinOp::Add(_), ..) => left.and(1, &right),
                    (BinOp::Sub(_), ..) => left.and(-1, &right),
                    (BinOp::Mul(_), _, Some(n)) => Sum::default().and(n, &left),
                    (BinOp::Mul(_), Some(n), _) => Sum::default().and(n, &right),
                    (BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_), ..) => {
                        let op = &b.op;
                        Some(Sum::name(format!("({left} {} {right})", quote::quote!(#op))))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The value of a name that keeps it.
    fn name(&self, name: &str) -> Option<Sum> {
        match self.scopes.iter().rev().find_map(|scope| scope.get(name)) {
            Some(Bound { mutable: true, .. }) => None,
            Some(Bound { value: Some(value), .. }) => Some(value.clone()),
            Some(Bound { id, .. }) => Some(Sum::name(format!("{name}#{id}"))),
            None => {
                let carried = self.carried.iter().any(|own| own == name);
                (!carried && !self.copied.iter().any(|own| own == name)).then(|| Sum::name(name.to_owned()))
            }
        }
    }

    /// What a `let` names keeps its value, too.
    pub(super) fn valued(&mut self, l: &syn::Local, value: Option<Sum>) {
        let pat = match &l.pat {
            Pat::Type(t) => &*t.pat,
            pat => pat,
        };
        let Pat::Ident(p) = pat else { return };
        if let Some(bound) = self.scopes.last_mut().and_then(|scope| scope.get_mut(&p.ident.to_string())) {
            bound.value = value.filter(|_| p.by_ref.is_none() && p.subpat.is_none());
        }
    }

    /// Whether it is asked which elements of a variable are assigned.
    fn tracks(&self, base: &str) -> bool {
        self.all || self.copied.iter().any(|own| own == base)
    }

    pub(super) fn tracks_any(&self) -> bool {
        self.all || !self.copied.is_empty()
    }

    /// Of a place of which iterations have copies: the elements that it is, and what is assigned before.
    pub(super) fn exactly(&mut self, e: &Expr, place: &Place<'_>) -> (Vec<At>, Option<Vec<Vec<Part>>>) {
        if !self.tracks(&place.base) {
            return (vec![], None);
        }
        (self.steps(e, &place.base), self.assigned(&[Step::Name(place.base.clone())]))
    }

    /// What is assigned of the variable of a path.
    pub(super) fn assigned(&self, path: &[Step]) -> Option<Vec<Vec<Part>>> {
        let own = |fact: &&Vec<Part>| match (fact.first(), path.first()) {
            (Some(Part::Name(a)), Some(Step::Name(b))) => a == b,
            _ => false,
        };
        self.written.as_ref().map(|set| set.elements.iter().filter(own).cloned().collect())
    }

    fn steps(&mut self, e: &Expr, base: &str) -> Vec<At> {
        match e {
            Expr::Paren(p) => self.steps(&p.expr, base),
            Expr::Group(g) => self.steps(&g.expr, base),
            Expr::Unary(u) => self.steps(&u.expr, base),
            Expr::Field(f) => {
                let mut at = self.steps(&f.base, base);
                at.push(At::Name(match &f.member {
                    syn::Member::Named(name) => name.to_string(),
                    syn::Member::Unnamed(index) => index.index.to_string(),
                }));
                at
            }
            Expr::Index(i) => {
                let mut at = self.steps(&i.expr, base);
                at.push(At::Elements(self.span(&i.index)));
                at
            }
            _ => vec![At::Name(base.to_owned())],
        }
    }

    /// The elements that a subscript means.
    fn span(&mut self, index: &Expr) -> Option<(Sum, Sum)> {
        let one = Sum::number(1);
        match updates::strip(index) {
            Expr::Range(r) => {
                let lo = r.start.as_deref().map_or_else(|| Some(Sum::default()), |lo| self.sum(lo))?;
                let hi = self.sum(r.end.as_deref()?)?;
                let closed = matches!(r.limits, RangeLimits::Closed(_));
                Some((lo, if closed { hi.and(1, &one)? } else { hi }))
            }
            index => {
                let at = self.sum(index).or_else(|| self.remainder(index))?;
                let next = at.and(1, &one)?;
                Some((at, next))
            }
        }
    }

    /// Some remainder, of which it is only known by what.
    fn remainder(&mut self, index: &Expr) -> Option<Sum> {
        let Expr::Binary(syn::ExprBinary { op: BinOp::Rem(_), right, .. }) = index else { return None };
        self.sum(right).map(|_| Sum::name(format!("?#{}", self.fresh())))
    }

    /// What the variables of loops may be where a place stands, and the remainders that its subscripts are.
    pub(super) fn ranges_at(&self, place: &Place<'_>, at: &[At]) -> Vec<Range> {
        let spans =
            at.iter().filter_map(|step| if let At::Elements(span) = step { Some(span) } else { None });
        let remainders = place.subscripts.iter().zip(spans).filter_map(|(index, span)| {
            let Expr::Binary(syn::ExprBinary { op: BinOp::Rem(_), right, .. }) = updates::strip(index) else {
                return None;
            };
            // A subscript has a type without a sign.
            let name = span.as_ref()?.0.single()?.to_owned();
            Some(Range { name, lo: Sum::default(), hi: self.sum(right)? })
        });
        remainders.chain(self.ranges.iter().cloned()).collect()
    }

    /// `a.swap(i, j)` uses two elements: `from` is where its uses begin.
    pub(super) fn swapped(&mut self, from: usize, args: &syn::punctuated::Punctuated<Expr, Token![,]>) {
        let spans: Vec<_> = args.iter().map(|e| self.span(e)).collect();
        for k in from..self.found.len() {
            if self.found[k].how != How::Update || self.found[k].at.is_empty() {
                continue;
            }
            let mut second = self.found[k].clone();
            self.found[k].at.push(At::Elements(spans[0].clone()));
            second.at.push(At::Elements(spans[1].clone()));
            self.found.push(second);
        }
    }

    /// Where a condition holds, or does not: what it says of the variables of loops.
    pub(super) fn where_(&mut self, cond: &Expr, holds: bool, walk: impl FnOnce(&mut Self)) {
        let known = self.ranges.len();
        let mut all = Vec::new();
        if holds {
            conjuncts(cond, &mut all);
        } else if !matches!(updates::strip(cond), Expr::Binary(b) if matches!(b.op, BinOp::And(_))) {
            all.push(cond);
        }
        for c in all {
            let Some(narrower) = self.narrower(c, holds) else { continue };
            let before = |of: &Range| of.name == narrower.name && of.lo.is_below(&narrower.lo);
            let assigned = self.later.iter().filter(|(of, _)| before(of)).flat_map(|(_, all)| all.clone());
            if let Some(written) = &mut self.written {
                written.elements.extend(assigned);
            }
            self.ranges.push(narrower);
        }
        walk(self);
        self.ranges.truncate(known);
    }

    fn narrower(&self, cond: &Expr, holds: bool) -> Option<Range> {
        let Expr::Binary(b) = updates::strip(cond) else { return None };
        let of = |e: &Expr| {
            let sum = self.sum(e)?;
            self.ranges.iter().rev().find(|r| Some(&*r.name) == sum.single()).cloned()
        };
        let number = |e: &Expr| self.sum(e)?.constant();
        let from = |range: Range, lo: i128| {
            let narrower = range.lo.constant()? < lo;
            narrower.then(|| Range { lo: Sum::number(lo), ..range })
        };
        if matches!((&b.op, holds), (BinOp::Ne(_), true) | (BinOp::Eq(_), false)) {
            // What is not the first is behind it.
            let (range, n) = (of(&b.left)?, number(&b.right)?);
            return if range.lo.constant()? == n { from(range, n.checked_add(1)?) } else { None };
        }
        let (larger, smaller) = comparison(cond)?;
        let strict = matches!(b.op, BinOp::Gt(_) | BinOp::Lt(_)) == holds;
        let (larger, smaller) = if holds { (larger, smaller) } else { (smaller, larger) };
        if let (Some(range), Some(n)) = (of(larger), number(smaller)) {
            return from(range, n.checked_add(i128::from(strict))?);
        }
        let (range, n) = (of(smaller)?, number(larger)?);
        let hi = n.checked_add(i128::from(!strict))?;
        (range.hi.constant()? > hi).then(|| Range { hi: Sum::number(hi), ..range })
    }
}
