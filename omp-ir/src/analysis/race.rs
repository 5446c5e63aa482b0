//! Races between the iterations of a region's parallel loops, as far as macro time can decide.
//!
//! The index forms of each pair of accesses are evaluated by brute force in small iteration spaces, for several choices of the
//! sizes. If two iterations conflict for every choice, that is a race. If they conflict only because an index or a condition
//! can't be analysed, nothing can be proved. In all other cases the launch decides with its numbers ([`super::plan`]); it never
//! takes the absence of a finding here for a proof.
use super::form::{Arith, NodeId, Op, Sym, SymId};
use super::numbers::{ANYTHING, Interval};
use super::points::{Overlap, Points, Space, overlap, points};
pub use super::survey::Functions;
use super::survey::{CtxKind, InnerNest, LoopVar, Step, Survey, Touch, Untyped};
use super::value::WIDE;
use super::walk::survey;
use crate::ids::{AccessId, ArrayId, LocalId, SrcId};
use crate::template::{KernelTemplate, Level};
use std::cell::Cell;
use std::collections::BTreeSet;

/// The values of data that any type of integers has, `bool` among them.
const OF_SMALL_TYPES: Interval = (0, 1);

/// Stands for the subscript of a touch that has none.
pub const NO_ACCESS: AccessId = AccessId(u32::MAX);

/// What macro time knows of the conflicts through one array.
#[derive(Debug, Clone, PartialEq)]
pub struct RaceFinding {
    /// The array.
    pub array: ArrayId,
    /// A write: its first subscript. (That of the other access if it has none, as an array that is passed whole to a
    /// function; [`NO_ACCESS`] if neither has one.)
    pub first: AccessId,
    /// The other access (may be the same).
    pub second: AccessId,
    /// Its places, for the message.
    pub places: (SrcId, SrcId),
    /// The inner nest whose iterations conflict; `None`: those of the region's parallel loops.
    pub nest: Option<(Level, SrcId)>,
    /// Verdict.
    pub verdict: RaceVerdict,
}

/// The ladder.
#[derive(Debug, Clone, PartialEq)]
pub enum RaceVerdict {
    /// Two iterations access one element whatever the sizes: a compile error that shows this example.
    Refuted(Witness),
    /// Nothing can be proved (an index that is loaded, called, …): a compile error that names `disjoint`.
    Unknown {
        /// Why, in a few words: "the index is read from `to`".
        reason: String,
        /// Nothing is known against it, so the run may check it: only the bounds of loops are unknown, and they are read from memory, as
        /// those of sparse rows are; or iterations keep apart if data is small, as in `h[i * 64 + x[i] as usize]`, and types may say so.
        checked: bool,
    },
}

/// An example of two iterations that conflict.
#[derive(Debug, Clone, PartialEq)]
pub struct Witness {
    /// Values of the parallel loop variables in one iteration and the other, by dimension: `("i", 0, 1)`.
    pub iterations: Vec<(String, i128, i128)>,
    /// The subscripts of the element that both access: `[3]` or `[1][2]`.
    pub element: Vec<i128>,
    /// Sizes that were assumed for the example: `("n", 4)`.
    pub assuming: Vec<(String, i128)>,
    /// Both write (write/write), or one reads.
    pub both_write: bool,
}

/// Every pair of accesses through a written array that is refuted or unknown. Pairs that are proved, or that the
/// launch decides, are not listed, nor are pairs with the same subscripts as one that is. Arrays under
/// `trust_disjoint` or `check_disjoint` are left out, and those whose elements are reduced. What depends on functions
/// other than these is left to the launch.
#[must_use]
pub fn at_compile_time(template: &KernelTemplate, functions: &Functions) -> Vec<RaceFinding> {
    let survey = survey(template, &template.code, Untyped::among(functions));
    let mut findings = Vec::new();
    for nest in std::iter::once(None).chain(survey.inners.iter().map(Some)) {
        find(template, &survey, nest, &mut findings);
    }
    findings
}

/// The findings among the iterations of the region, or of an inner nest.
fn find(
    template: &KernelTemplate,
    survey: &Survey,
    nest: Option<&InnerNest>,
    findings: &mut Vec<RaceFinding>,
) {
    type Pair<'s> = (ArrayId, Option<LocalId>, &'s [Step], &'s [Step]);
    let mut seen: Vec<Pair<'_>> = Vec::new();
    let inside = |t: &Touch| !t.first && nest.is_none_or(|nest| survey.is_in(t.ctx, nest));
    for (i, a) in survey.touches.iter().enumerate().filter(|(_, t)| inside(t)) {
        let trusted =
            template.trust_disjoint.contains(&a.array) || template.check_disjoint.contains(&a.array);
        let reduced = nest.is_some_and(|nest| nest.reduces.contains(&a.array));
        if trusted || reduced || template.reduces(a.array) {
            continue;
        }
        for b in survey.touches[i..].iter().filter(|b| Survey::are_compared(nest, a, b) && inside(b)) {
            let (a, b) = if a.write { (a, b) } else { (b, a) };
            let key = (a.array, a.part, a.path.as_slice(), b.path.as_slice());
            if !a.write
                || (a.atomic && b.atomic)
                || seen.contains(&key)
                || seen.contains(&(key.0, key.1, key.3, key.2))
            {
                continue;
            }
            if let Some(verdict) = judge(survey, nest, a, b) {
                seen.push(key);
                let either = a.access.or(b.access).unwrap_or(NO_ACCESS);
                findings.push(RaceFinding {
                    array: a.array,
                    first: a.access.unwrap_or(either),
                    second: b.access.unwrap_or(either),
                    places: (a.src, b.src),
                    nest: nest.map(|n| (n.level, n.src)),
                    verdict,
                });
            }
        }
    }
}

/// Fields with different names on the way keep two touches apart whatever the subscripts.
pub(crate) fn apart_by_field(a: &[Step], b: &[Step]) -> bool {
    a.iter().zip(b).any(|(x, y)| matches!((x, y), (Step::Field(f), Step::Field(g)) if f != g))
}

/// What the choices of sizes say of a pair.
#[derive(Debug)]
struct Meeting {
    /// The first one, and the sizes.
    example: (Overlap, Vec<Option<i128>>),
    /// Two iterations surely meet, for each choice.
    certain: bool,
    later: bool,
}

/// Whether the accesses of different iterations may meet whatever the sizes, if data is in a range.
fn meeting(
    survey: &Survey,
    nest: Option<&InnerNest>,
    (a, b): (&Touch, &Touch),
    used: &Used,
    data: Interval,
) -> Option<Meeting> {
    let mut usable = 0;
    let mut later = false;
    let mut certain = true;
    let mut example: Option<(Overlap, Vec<Option<i128>>)> = None;
    for Choice { syms, small } in valuations(survey, used) {
        let depth = survey.dims + survey.chain(a.ctx).len().max(survey.chain(b.ctx).len());
        let per_loop = [0, 8, 6, 6, 5, 4].get(depth).copied().unwrap_or(3);
        let space = Space { nest, syms: &syms, dims: &[], per_loop, points: 300, data };
        let at_a = points(survey, a, space);
        if at_a.iterations < 2 {
            continue; // nothing runs in parallel here
        }
        let at_b = points(survey, b, space);
        if small && (at_a.points.is_empty() || at_b.points.is_empty()) {
            continue; // what is not reached keeps apart, but that says nothing
        }
        usable += 1;
        later |= at_a.later || at_b.later;
        // Types may determine the bounds, and with them the subscripts.
        let all_given = |p: &Points| p.points.iter().all(|p| p.subscripts.iter().all(Option::is_some));
        if at_a.pretended && !(all_given(&at_a) && all_given(&at_b)) {
            return None;
        }
        let overlap = overlap(&at_a.points, &at_b.points)?;
        certain &= overlap.certain;
        if example.is_none() {
            example = Some((overlap, syms));
        }
    }
    // One choice of the sizes proves something only if there is no other.
    let example = example.filter(|_| usable > 1 || used.all.is_empty())?;
    Some(Meeting { example, certain, later })
}

/// The verdict on a pair; `None`: the launch decides.
fn judge(survey: &Survey, nest: Option<&InnerNest>, a: &Touch, b: &Touch) -> Option<RaceVerdict> {
    if apart_by_field(&a.path, &b.path) {
        return None;
    }
    let used = used_symbols(survey, a, b);
    let Meeting { example: (overlap, syms), certain, later } =
        meeting(survey, nest, (a, b), &used, ANYTHING)?;
    if !certain && awaits_functions(survey, a, b) {
        return None;
    }
    if let Some(reason) = a.at_most.as_ref().or(b.at_most.as_ref()) {
        return Some(RaceVerdict::Unknown { reason: reason.clone(), checked: false });
    }
    // The launch decides what depends on numbers alone.
    if !certain && later && [a, b].into_iter().all(|t| is_of_numbers(survey, t)) {
        return None;
    }
    if !certain {
        let unknown = || "it is under a condition that can't be analysed".into();
        let checked = of_rows(survey, a, b) || meeting(survey, nest, (a, b), &used, OF_SMALL_TYPES).is_none();
        return Some(RaceVerdict::Unknown { reason: reason(survey, a, b).unwrap_or_else(unknown), checked });
    }
    let name = |d: usize| survey.vars[nest.map_or(d, |nest| nest.vars[d].index())].name.clone();
    let both = overlap.first.iter().zip(&overlap.second).enumerate();
    Some(RaceVerdict::Refuted(Witness {
        iterations: both.map(|(d, (x, y))| (name(d), *x, *y)).collect(),
        element: overlap.element.into_iter().flatten().collect(),
        assuming: used
            .all
            .iter()
            .filter_map(|s| Some((survey.forms.syms[s.index()].1.clone(), syms[s.index()]?)))
            .collect(),
        both_write: a.write && b.write,
    }))
}

/// Whether what is touched depends on numbers alone.
fn is_of_numbers(survey: &Survey, touch: &Touch) -> bool {
    let mut known = true;
    for step in &touch.path {
        if let Step::Index(n) = step {
            survey.depends(*n, &mut |_, node| known &= !matches!(node.op, Op::Opaque(_)));
        }
    }
    known
}

/// Whether a launch, which sees the bodies of all functions, may prove that two accesses are disjoint: data decides no subscript, and
/// a function decides something.
fn awaits_functions(survey: &Survey, a: &Touch, b: &Touch) -> bool {
    let (of_functions, of_data) = (Cell::new(false), Cell::new(false));
    let mut look = |n: NodeId, node: super::form::Node| {
        if let Op::Opaque(_) = node.op {
            if survey.forms.is_later(n) { &of_functions } else { &of_data }.set(true);
        }
    };
    for step in a.path.iter().chain(&b.path) {
        if let Step::Index(n) = step {
            survey.depends(*n, &mut look);
        }
    }
    if of_functions.get() || of_data.get() || a.at_most.is_some() || b.at_most.is_some() {
        return of_functions.get() && !of_data.get();
    }
    for ctx in survey.chain(a.ctx).into_iter().chain(survey.chain(b.ctx)) {
        match survey.ctx(ctx).kind {
            CtxKind::Cond { cond, .. } => survey.depends(cond, &mut look),
            CtxKind::Loop { var, cut: _ } => {
                let LoopVar { lo, hi, .. } = survey.vars[var.index()];
                survey.depends(lo, &mut look);
                survey.depends(hi, &mut look);
            }
            CtxKind::Root | CtxKind::Opaque { .. } => {}
        }
    }
    of_functions.get()
}

/// Whether all that is unknown of two touches is in the bounds of loops, which are read from memory: `for k in start[i]..start[i + 1]`.
fn of_rows(survey: &Survey, a: &Touch, b: &Touch) -> bool {
    let (mut plain, mut loaded, mut other) = (true, false, false);
    for step in a.path.iter().chain(&b.path) {
        let Step::Index(n) = step else { continue };
        survey.forms.visit(*n, &mut |_, node| plain &= !matches!(node.op, Op::Opaque(_)));
        survey.depends(*n, &mut |_, node| {
            if let Op::Opaque(at) = node.op {
                let read = survey.forms.reasons[at as usize].text.starts_with("it is read from");
                *if read { &mut loaded } else { &mut other } = true;
            }
        });
    }
    plain && loaded && !other
}

/// Whether all that is unknown of two touches is numbers of 128 bits.
pub(super) fn is_wide(survey: &Survey, a: &Touch, b: &Touch) -> bool {
    let (mut wide, mut other) = (false, a.at_most.is_some() || b.at_most.is_some());
    for step in a.path.iter().chain(&b.path) {
        let Step::Index(n) = step else { continue };
        survey.depends(*n, &mut |_, node| {
            if let Op::Opaque(at) = node.op {
                *if survey.forms.reasons[at as usize].text == WIDE { &mut wide } else { &mut other } = true;
            }
        });
    }
    wide && !other
}

/// Why a conflict is not certain.
pub(super) fn reason(survey: &Survey, a: &Touch, b: &Touch) -> Option<String> {
    let opaque = |n: NodeId, through_bounds: bool| {
        let mut found = None;
        let mut look = |_, node: super::form::Node| {
            if let Op::Opaque(at) = node.op {
                found = Some(survey.forms.reasons[at as usize].text.clone());
            }
        };
        if through_bounds {
            survey.depends(n, &mut look);
        } else {
            survey.forms.visit(n, &mut look);
        }
        found
    };
    let said = |subject: &str, reason: String| match reason.strip_prefix("it ") {
        Some(rest) => format!("{subject} {rest}"),
        None => reason,
    };
    for through_bounds in [false, true] {
        for step in a.path.iter().chain(&b.path) {
            if let Step::Index(n) = step
                && let Some(reason) = opaque(*n, through_bounds)
            {
                let subject = if through_bounds { "the bound of a loop around it" } else { "the index" };
                return Some(said(subject, reason));
            }
        }
    }
    for ctx in survey.chain(a.ctx).into_iter().chain(survey.chain(b.ctx)) {
        match &survey.ctx(ctx).kind {
            CtxKind::Opaque { reason } => return Some(format!("it is reached {reason}")),
            CtxKind::Cond { cond, .. } => {
                if let Some(reason) = opaque(*cond, true) {
                    let chosen = a.chosen || b.chosen;
                    let subject = if chosen {
                        "the condition that chooses the index"
                    } else {
                        "the condition around it"
                    };
                    return Some(said(subject, reason));
                }
            }
            CtxKind::Loop { var, cut: _ } => {
                let LoopVar { lo, hi, .. } = survey.vars[var.index()];
                if let Some(reason) = opaque(lo, true).or_else(|| opaque(hi, true)) {
                    return Some(said("the bound of a loop around it", reason));
                }
            }
            CtxKind::Root => {}
        }
    }
    None
}

/// The symbols that matter to a pair.
struct Used {
    all: BTreeSet<SymId>,
    /// Those in subscripts and loop bounds; the others stand in conditions only.
    core: BTreeSet<SymId>,
    /// Those in loop bounds.
    bounds: BTreeSet<SymId>,
    /// Those that are themselves the bound of a loop: how long it is.
    lengths: BTreeSet<SymId>,
    /// The largest literal in a loop bound.
    literal: i128,
    /// A subscript has an operator of bits.
    bits: bool,
}

fn used_symbols(survey: &Survey, a: &Touch, b: &Touch) -> Used {
    let mut used = Used {
        all: BTreeSet::new(),
        core: BTreeSet::new(),
        bounds: BTreeSet::new(),
        lengths: BTreeSet::new(),
        literal: 0,
        bits: false,
    };
    let mut loops: Vec<usize> = (0..survey.dims).collect();
    let (mut nodes, mut conditions): (Vec<NodeId>, Vec<NodeId>) = Default::default();
    for touch in [a, b] {
        nodes.extend(touch.path.iter().filter_map(|s| match s {
            Step::Index(n) => Some(*n),
            Step::Field(_) => None,
        }));
        for ctx in survey.chain(touch.ctx) {
            match &survey.ctx(ctx).kind {
                CtxKind::Loop { var, cut: _ } => loops.push(var.index()),
                CtxKind::Cond { cond, .. } => survey.forms.comparisons(*cond, &mut conditions),
                CtxKind::Root | CtxKind::Opaque { .. } => {}
            }
        }
    }
    let mut bits = false;
    let mut all = |nodes: Vec<NodeId>, into: &mut BTreeSet<SymId>| {
        for n in nodes {
            survey.depends(n, &mut |_, node| match node.op {
                Op::Sym(s) => {
                    into.insert(s);
                }
                Op::Bin(Arith::And | Arith::Or | Arith::Xor | Arith::Shl | Arith::Shr, ..) => bits = true,
                _ => {}
            });
        }
    };
    all(nodes, &mut used.core);
    // A condition that decides nothing is no evidence, nor are its symbols.
    conditions.retain(|cond| {
        let mut known = true;
        survey.depends(*cond, &mut |_, node| known &= !matches!(node.op, Op::Opaque(_)));
        known
    });
    all(conditions, &mut used.all);
    used.bits = bits;
    for v in loops {
        let var = &survey.vars[v];
        for n in [var.lo, var.hi] {
            if let Op::Sym(s) = survey.forms.get(n).op {
                used.lengths.insert(s);
            }
            survey.depends(n, &mut |_, node| match node.op {
                Op::Sym(s) => {
                    used.core.insert(s);
                    used.bounds.insert(s);
                }
                Op::Const(c) if (0..1_000_000).contains(&c) => used.literal = used.literal.max(c),
                _ => {}
            });
        }
    }
    used.all.extend(&used.core);
    used
}

/// A choice of the symbols' values.
#[derive(Debug, Clone)]
struct Choice {
    syms: Vec<Option<i128>>,
    /// Some are 0 or 1, so that loops and conditions may be empty.
    small: bool,
}

/// Choices of the symbols' values. Those of symbols in subscripts and bounds do not depend on the conditions, so that
/// with a condition more there is never less without an overlap: for each of them, those in conditions have several.
fn valuations(survey: &Survey, used: &Used) -> Vec<Choice> {
    let core = of_sizes(survey, used);
    let conditions: Vec<SymId> = used.all.difference(&used.core).copied().collect();
    if conditions.is_empty() {
        return core;
    }
    let mut random = randoms();
    let several = |choice: Choice| (0..6).map(move |turn| (turn, choice.clone())).collect::<Vec<_>>();
    let mut set = |(turn, mut choice): (usize, Choice)| {
        for (k, s) in conditions.iter().enumerate() {
            choice.syms[s.index()] = Some(match turn {
                0..3 => random(2, 5),
                3 => 10i128.pow(1 + k.min(8) as u32),
                turn => turn as i128 - 4,
            });
        }
        choice.small |= turn > 3;
        choice
    };
    core.into_iter().flat_map(several).map(&mut set).collect()
}

/// A source of numbers in a range, the same each time.
fn randoms() -> impl FnMut(i128, i128) -> i128 {
    let mut state = 0x9E37_79B9_u64;
    move |from, to| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        from + i128::from(state >> 33) % (to - from + 1)
    }
}

/// Choices for subscripts and bounds, small ones first: like sizes, like sizes in every order, bounds that are a part of the
/// other sizes, and with all that is no loop bound far apart (strides, offsets).
fn of_sizes(survey: &Survey, used: &Used) -> Vec<Choice> {
    let count = survey.forms.syms.len();
    let fill = |f: &mut dyn FnMut(usize, SymId) -> i128| {
        let mut v = vec![Some(3); count];
        for (k, s) in used.core.iter().enumerate() {
            v[s.index()] = Some(f(k, *s));
        }
        v
    };
    if used.core.is_empty() {
        return vec![Choice { syms: fill(&mut |_, _| 0), small: false }];
    }
    let n = used.core.len();
    let mut out: Vec<_> = (2..=4).map(|c| fill(&mut |_, _| c)).collect();
    // A bound that the host evaluates may be half of what a row is long.
    let evaluated =
        |s: SymId| used.bounds.contains(&s) && matches!(survey.forms.syms[s.index()].0, Sym::Free(_));
    if used.core.iter().any(|s| evaluated(*s)) {
        // No larger: loops are walked through to their ends.
        out.push(fill(&mut |_, s| if evaluated(s) { 2 } else { 4 }));
    }
    let mut random = randoms();
    for _ in 0..20 {
        out.push(fill(&mut |_, _| random(2, 5)));
    }
    for turn in 0..n.min(6) {
        out.push(fill(&mut |k, _| 2 + ((k + turn) % n) as i128));
        out.push(fill(&mut |k, _| 2 + ((2 * n - 1 - k + turn) % n) as i128));
        let apart = |k: usize| 10i128.pow(1 + (k % n).min(8) as u32);
        out.push(fill(&mut |k, s| if used.bounds.contains(&s) { random(2, 4) } else { apart(k + turn) }));
        out.push(fill(&mut |k, s| {
            if used.bounds.contains(&s) { random(2, 4) } else { apart(2 * n - 1 - k + turn) }
        }));
    }
    if used.bits {
        // A mask is all ones, a factor before it odd, and a shift small.
        const OF_BITS: [i128; 3] = [0, 1, (1 << 20) - 1];
        let free: Vec<SymId> = used.core.difference(&used.bounds).copied().collect();
        for turn in 0..3usize.pow(free.len().min(4) as u32) {
            let digit = |k: usize| turn / 3usize.pow((k % 4) as u32) % 3;
            out.push(fill(&mut |_, s| match free.iter().position(|f| *f == s) {
                Some(k) => OF_BITS[digit(k)],
                None => random(2, 4),
            }));
        }
    }
    if used.literal > 1 {
        for by in 1..=4 {
            out.push(fill(&mut |_, s| {
                if used.bounds.contains(&s) { used.literal + by } else { random(2, 5) }
            }));
        }
    }
    // A block or a step may be 1, and so may what is added.
    let mut one = |one: &SymId| fill(&mut |_, s| if s == *one { 1 } else { random(2, 5) });
    let small: Vec<_> = used.core.difference(&used.lengths).map(&mut one).collect();
    let choice = |small: bool| move |syms| Choice { syms, small };
    out.into_iter().map(choice(false)).chain(small.into_iter().map(choice(true))).collect()
}
