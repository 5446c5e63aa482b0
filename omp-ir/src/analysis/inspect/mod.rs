//! Inspection: if no formula excludes a conflict between two accesses, the subscripts of all iterations are computed.
//!
//! The survey is the part of the kernel that computes subscripts. Its loops run here, with the numbers of a launch. A table
//! (`table`) records which iteration has accessed each element. Subscripts and conditions are computed for many points at a time
//! (`program`), on several threads if there are any ([`Executor`]).
//!
//! The inspection follows both branches of a condition on data, and runs loops that data may end early to their end. If no two
//! iterations conflict, they never do. If two iterations conflict whatever the data, that is a race. Otherwise data decides, and
//! the launch has to check each access, as under `disjoint`.
//!
//! A subscript out of bounds counts as no access: the region fails there by a check of its own.
//!
//! If subscripts are read from arrays that the loop does not write ([`Memory`]), the verdict holds for this launch alone.
//! [`inspect_data`] finds it with a bit for each element and thread (`table`). That costs less than the words of a table,
//! but can't distinguish an iteration's own access from that of another one. So its verdict is either "no conflict" or unknown.
mod program;
mod table;
mod walk;

use super::form::{NodeId, Op};
use super::plan::DimValues;
use super::survey::{InnerNest, LoopVar, Step, Survey};
use crate::desc::Prim;
use crate::ids::ArrayId;
use crate::kernel::{Kernel, Ty};
use program::{Data, Numbers};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use table::{AccessKind, MOST, Marks, Nested, Table};
use walk::{Hit, Job, Pass, Runner, Sink, Stream, lead, streams};

/// Runs the parts of an inspection, on one thread or several.
pub trait Executor: Sync {
    /// How many parts run at the same time.
    fn threads(&self) -> usize;

    /// Calls `part` with each number below `parts`, and returns when all calls have.
    fn run(&self, parts: usize, part: &(dyn Fn(usize) + Sync));
}

/// The calling thread.
#[derive(Debug, Clone, Copy)]
pub struct Alone;

impl Executor for Alone {
    fn threads(&self) -> usize {
        1
    }

    fn run(&self, parts: usize, part: &(dyn Fn(usize) + Sync)) {
        (0..parts).for_each(part);
    }
}

/// Numbers in the elements of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element {
    /// The array.
    pub array: ArrayId,
    /// The offset of the number in an element, in bytes.
    pub offset: usize,
    /// Its type: an integer, `bool` or `char`.
    pub ty: Prim,
}

/// The arrays that a loop does not write.
pub trait Memory: Sync + std::fmt::Debug {
    /// Reads the numbers in the elements `at` of an array into `values`, as 64 bits that are sign- or zero-extended from the
    /// type, and says in `known` which of the elements there are. Gives whether all are.
    fn load(&self, from: Element, at: &[u64], to: (&mut [u64], &mut [bool])) -> bool;
}

/// What an inspection needs to know.
#[derive(Debug, Clone, Copy)]
pub(super) struct Question<'a> {
    pub survey: &'a Survey,
    pub syms: &'a [Option<i128>],
    pub dims: &'a [Option<DimValues>],
    /// An upper bound of the trip count of every parallel loop.
    pub counts: &'a [u64],
    /// By touch: the lengths after its first subscript, of all that may follow; `None` where they are not known.
    pub shapes: &'a [Option<Vec<u64>>],
    pub nest: Option<&'a InnerNest>,
    /// The elements of the array that count.
    pub section: (u64, u64),
}

/// The result of an inspection of some accesses of one array.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Found {
    /// No two iterations conflict.
    Apart,
    /// Two iterations conflict, whatever the data.
    Conflict(Box<Conflict>),
    /// Two iterations may conflict, depending on the data.
    Perhaps,
    /// A subscript is not understood.
    NotUnderstood,
    /// There is more to look at than was allowed.
    TooMuch,
}

/// Two accesses of one element in different iterations, of which at least one writes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Conflict {
    /// One that writes, and the other.
    pub touches: (usize, usize),
    /// The values of the loop variables in both iterations.
    pub iterations: Vec<(String, i128, i128)>,
    /// The first subscript.
    pub element: i128,
}

/// An access to inspect.
#[derive(Debug, Clone, PartialEq)]
struct Inspected {
    touch: usize,
    deed: AccessKind,
    /// The lengths that its subscripts index, the section's first; as many levels as any access has.
    lens: Vec<u64>,
}

/// The most elements that a table has.
const MOST_ELEMENTS: u64 = 1 << 29;

/// Inspects all iterations for conflicts between these accesses of one array. `pairs`: the accesses that must not conflict. `budget`:
/// how many points may be inspected; the function subtracts those that it has inspected.
pub(super) fn inspect(
    ask: Question<'_>,
    array: ArrayId,
    pairs: &[(usize, usize)],
    budget: &AtomicU64,
    executor: &dyn Executor,
) -> Found {
    let counted = counted(ask);
    let job = match job(ask, &counted, None) {
        Ok(job) => job,
        Err(found) => return found,
    };
    let mut perhaps = false;
    for inspected in tables(ask, array, pairs) {
        let Some(inspected) = inspected else { return Found::NotUnderstood };
        match table(job, &inspected, budget, executor) {
            Found::Apart => {}
            Found::Perhaps => perhaps = true,
            found => return found,
        }
    }
    if perhaps { Found::Perhaps } else { Found::Apart }
}

/// What a pass over all iterations looks at; an error if there can't be one.
fn job<'a>(ask: Question<'a>, counted: &'a [bool], data: Option<Data<'a>>) -> Result<Job<'a>, Found> {
    let numbers = Numbers { forms: &ask.survey.forms, syms: ask.syms, counted, data };
    let own = ask.nest.map_or(&[][..], |nest| &nest.vars);
    let known = (0..ask.survey.dims).chain(own.iter().map(|v| v.index())).all(|v| counted[v]);
    if !known || lead(ask.dims) == 0 {
        return Err(Found::NotUnderstood);
    }
    let total = ask.counts.iter().try_fold(1u64, |n, c| n.checked_mul(*c));
    if ask.nest.is_none() && total.is_none_or(|n| n > MOST) {
        return Err(Found::TooMuch);
    }
    Ok(Job {
        survey: ask.survey,
        numbers,
        nest: ask.nest,
        dims: ask.dims,
        counts: ask.counts,
        certain: false,
        low: ask.section.0,
    })
}

/// Whether these touches of one array keep apart with what arrays hold now. `loads`: by load of the survey, what is read. `scattered`
/// becomes true if iterations that follow one another mostly write elements that are far apart.
pub(super) fn inspect_data(
    ask: Question<'_>,
    (array, pairs): (ArrayId, &[(usize, usize)]),
    (memory, loads): (&dyn Memory, &[Option<Element>]),
    (budget, scattered): (&AtomicU64, &mut bool),
    executor: &dyn Executor,
) -> Found {
    let counted = counted(ask);
    let job = match job(ask, &counted, Some(Data { memory, loads })) {
        Ok(job) => job,
        Err(found) => return found,
    };
    for inspected in tables(ask, array, pairs) {
        let Some(inspected) = inspected else { return Found::NotUnderstood };
        match marked(job, &inspected, (budget, scattered), executor) {
            Found::Apart => {}
            found => return found,
        }
    }
    Found::Apart
}

/// Marks, of all threads, that one thread looks through.
const FEW_MARKS: u64 = 1 << 22;

/// Marks what is written by a bit for each thread, and looks whether any element has two, or one and is read.
fn marked(
    job: Job<'_>,
    inspected: &[Inspected],
    (budget, scattered): (&AtomicU64, &mut bool),
    executor: &dyn Executor,
) -> Found {
    let Some(lens) = inspected.first().map(|a| &a.lens) else { return Found::Apart };
    let total = leading(job);
    // If the loop accesses a small part of the array, the marks cost more than the loop.
    let most = MOST_ELEMENTS.min(total.saturating_mul(64));
    let elements = lens.iter().try_fold(1u64, |n, l| n.checked_mul(*l)).filter(|n| *n <= most);
    let Some(elements) = elements else { return Found::TooMuch };
    let touch = |a: &Inspected| &job.survey.touches[a.touch];
    // The iteration has touched the same place before, or does so after that.
    let is_covered = |a: &Inspected, by: &Inspected| {
        touch(a).path == touch(by).path && job.survey.is_inside(touch(a).ctx, touch(by).ctx)
    };
    let (mut writes, mut reads): (Vec<Inspected>, Vec<Inspected>) = (Vec::new(), Vec::new());
    for one in inspected {
        match one.deed {
            AccessKind::Atomic => return Found::Perhaps,
            AccessKind::Write if writes.iter().any(|w| is_covered(one, w)) => {}
            AccessKind::Write => {
                writes.retain(|w| !is_covered(w, one));
                writes.push(one.clone());
            }
            AccessKind::Read => reads.push(one.clone()),
        }
    }
    reads.retain(|r| !writes.iter().any(|w| is_covered(r, w)));
    let (Some(marking), Some(looking)) = (streams(job, &writes), streams(job, &reads)) else {
        return Found::NotUnderstood;
    };
    let parts = (executor.threads().max(1) as u64).min(total).max(1);
    let end = |part: usize| (u128::from(total) * part as u128 / u128::from(parts)) as u64;
    let pass = Pass::new(job, false, budget);
    let all = Mutex::new(Vec::new());
    executor.run(parts as usize, &|part| {
        let mut marks = Marks::new(elements as usize);
        Runner::new(&pass, marking.clone(), &writes, Sink::Marks(&mut marks)).run(end(part), end(part + 1));
        all.lock().unwrap_or_else(PoisonError::into_inner).push(marks);
    });
    let all = all.into_inner().unwrap_or_else(PoisonError::into_inner);
    if !pass.over.load(Ordering::Relaxed) && all.len() > 1 {
        let meet = |(part, parts): (usize, usize)| {
            if Marks::conflict(&all, (part, parts)) {
                pass.conflict.store(true, Ordering::Relaxed);
                pass.over.store(true, Ordering::Relaxed);
            }
        };
        // Before others could have come, few words are looked through.
        if elements.saturating_mul(parts) < FEW_MARKS {
            meet((0, 1));
        } else {
            executor.run(parts as usize, &|part| meet((part, parts as usize)));
        }
    }
    if !pass.over.load(Ordering::Relaxed) && !reads.is_empty() {
        executor.run(parts as usize, &|part| {
            Runner::new(&pass, looking.clone(), &reads, Sink::Marked(&all)).run(end(part), end(part + 1));
        });
    }
    *scattered |= pass.far.into_inner() > pass.near.into_inner();
    match (pass.conflict.into_inner(), pass.short.into_inner()) {
        (false, false) => Found::Apart,
        (true, _) => Found::Perhaps,
        (false, true) => Found::TooMuch,
    }
}

/// By load of the survey: what is read; `None` for what has no place of its own.
pub(super) fn elements(kernel: &Kernel, survey: &Survey) -> Vec<Option<Element>> {
    let element = |load: &super::form::Load| {
        let (mut ty, mut offset) = (*kernel.array_ty.get(load.array.index())?, 0);
        for field in &load.fields {
            let Ty::Struct(desc, types) = kernel.types.get(ty) else { return None };
            let at = desc.position(field)?;
            offset += desc.fields[at].offset;
            ty = types[at];
        }
        Some(Element {
            array: load.array,
            offset,
            ty: kernel.types.prim(ty).filter(|p| !p.is_float() && *p != Prim::U128)?,
        })
    };
    survey.forms.loads.iter().map(element).collect()
}

/// By variable: whether the bounds of its loop are understood.
fn counted(ask: Question<'_>) -> Vec<bool> {
    let mut counted = vec![false; ask.survey.vars.len()];
    for (v, LoopVar { lo, hi, adaptors, .. }) in ask.survey.vars.iter().enumerate() {
        let steps = adaptors.iter().filter_map(|a| match a {
            super::survey::Adapt::Rev => None,
            super::survey::Adapt::By(step) => Some(*step),
        });
        let numbers = Numbers { forms: &ask.survey.forms, syms: ask.syms, counted: &counted, data: None };
        // What takes a loop to compute, is not computed for a bound.
        let computed = |n: NodeId| {
            let mut found = false;
            ask.survey.forms.visit(n, &mut |_, n| found |= matches!(n.op, Op::Carried(..) | Op::After(..)));
            found
        };
        let known = |n: NodeId| numbers.understands(n) && !computed(n);
        let given = ask.dims.get(v).is_some_and(Option::is_some);
        counted[v] = given || [*lo, *hi].into_iter().chain(steps).all(known);
    }
    counted
}

/// The touches that are recorded in one table each time: fields of an element are places of their own, and so is what
/// atomic accesses keep apart from. `None`: some length is not known.
fn tables(ask: Question<'_>, array: ArrayId, pairs: &[(usize, usize)]) -> Vec<Option<Vec<Inspected>>> {
    let touches = &ask.survey.touches;
    let mut all: Vec<usize> = pairs.iter().flat_map(|(a, b)| [*a, *b]).collect();
    all.sort_unstable();
    all.dedup();
    let is_part = |whole: &[Step], part: &[Step]| {
        let same = |(a, b): (&Step, &Step)| match (a, b) {
            (Step::Index(_), Step::Index(_)) => true,
            (a, b) => a == b,
        };
        whole.len() <= part.len() && whole.iter().zip(part).all(same)
    };
    let path = |t: usize| touches[t].path.as_slice();
    // Places of which no touch takes a part.
    let mut leaves: Vec<usize> = Vec::new();
    for &t in &all {
        let inside = |o: &usize| is_part(path(t), path(*o)) && path(t).len() < path(*o).len();
        let known = leaves.iter().any(|l| is_part(path(*l), path(t)) && path(*l).len() == path(t).len());
        if !all.iter().any(inside) && !known {
            leaves.push(t);
        }
    }
    let mut out = Vec::new();
    for leaf in leaves {
        let within = |t: &usize| is_part(path(*t), path(leaf));
        let paired = |list: &[(usize, AccessKind)]| {
            pairs.iter().any(|(a, b)| list.iter().any(|l| l.0 == *a) && list.iter().any(|l| l.0 == *b))
        };
        let lens = ask.shapes[leaf].as_ref().map(|inner| {
            let first = ask.section.1.saturating_sub(ask.section.0);
            let levels = path(leaf).iter().filter(|s| matches!(s, Step::Index(_))).count();
            std::iter::once(first).chain(inner.iter().copied()).take(levels).collect::<Vec<u64>>()
        });
        let of = |plain: fn(bool) -> Option<AccessKind>, atomic: fn(bool) -> Option<AccessKind>| {
            let deed = |t: usize| (if touches[t].atomic { atomic } else { plain })(touches[t].write);
            all.iter().filter(|t| within(t)).filter_map(|t| Some((*t, deed(*t)?))).collect::<Vec<_>>()
        };
        let lists = [
            // Reads and writes; atomic writes and all others; atomic reads and writes.
            of(|write| Some(if write { AccessKind::Write } else { AccessKind::Read }), |_| None),
            of(|_| Some(AccessKind::Read), |write| write.then_some(AccessKind::Atomic)),
            of(|write| write.then_some(AccessKind::Read), |write| (!write).then_some(AccessKind::Atomic)),
        ];
        for (k, list) in lists.into_iter().enumerate() {
            let both = k == 0 || list.iter().any(|l| l.1 == AccessKind::Atomic);
            if !both || !paired(&list) {
                continue;
            }
            out.push(lens.as_ref().map(|lens| {
                let inspected = |(touch, deed)| Inspected { touch, deed, lens: lens.clone() };
                list.into_iter().map(inspected).collect()
            }));
        }
    }
    debug_assert!(all.iter().all(|t| touches[*t].array == array), "the touches are of one array");
    out
}

/// Fills one table.
fn table(job: Job<'_>, inspected: &[Inspected], budget: &AtomicU64, executor: &dyn Executor) -> Found {
    let Some(lens) = inspected.first().map(|a| &a.lens) else { return Found::Apart };
    let Some(elements) = lens.iter().try_fold(1u64, |n, l| n.checked_mul(*l)).filter(|n| *n <= MOST_ELEMENTS)
    else {
        return Found::TooMuch;
    };
    let Some(streams) = streams(job, inspected) else { return Found::NotUnderstood };
    if budget.load(Ordering::Relaxed) == 0 {
        return Found::TooMuch;
    }
    let first = Pass::new(job, false, budget);
    sweep(&first, &streams, inspected, elements, executor);
    match (first.conflict.into_inner(), first.short.into_inner()) {
        (false, false) => return Found::Apart,
        (false, true) => return Found::TooMuch,
        (true, _) => {}
    }
    if !streams.iter().all(|s| s.is_certain(job)) {
        let second = Pass::new(job, true, budget);
        sweep(&second, &streams, inspected, elements, executor);
        match (second.conflict.into_inner(), second.short.into_inner()) {
            (false, false) => return Found::Perhaps,
            (false, true) => return Found::TooMuch,
            (true, _) => {}
        }
    }
    // It is there: it takes as long as it takes.
    let unlimited = AtomicU64::new(u64::MAX);
    match witness(&Pass::new(job, true, &unlimited), &streams, inspected, elements) {
        Some(conflict) => Found::Conflict(Box::new(conflict)),
        None => Found::Perhaps,
    }
}

/// How many parts each thread gets, so that none waits long for the last.
const PARTS: u64 = 8;

/// All iterations, on all threads.
fn sweep(
    pass: &Pass<'_>,
    streams: &[Stream],
    inspected: &[Inspected],
    elements: u64,
    executor: &dyn Executor,
) {
    let total = leading(pass.job);
    let threads = executor.threads().max(1) as u64;
    // The iterations of an inner nest are compared in a table for each part.
    let parts = if pass.job.nest.is_some() { threads } else { threads * PARTS };
    let parts = if threads == 1 { 1 } else { parts.min(total).max(1) };
    let table = pass.job.nest.is_none().then(|| Table::new(elements as usize, threads == 1));
    executor.run(parts as usize, &|part| {
        let part = part as u64;
        let end = |part: u64| (u128::from(total) * u128::from(part) / u128::from(parts)) as u64;
        let sink = match &table {
            Some(table) => Sink::Table(table),
            None => Sink::Nested(Nested::new(elements as usize)),
        };
        Runner::new(pass, streams.to_vec(), inspected, sink).run(end(part), end(part + 1));
    });
}

/// How many iterations the leading loops have.
fn leading(job: Job<'_>) -> u64 {
    job.dims.iter().map_while(|d| *d).fold(1, |n, d| n.saturating_mul(d.count))
}

/// The first two accesses that conflict, in the order of the iterations.
fn witness(pass: &Pass<'_>, streams: &[Stream], inspected: &[Inspected], elements: u64) -> Option<Conflict> {
    let (total, table) = (leading(pass.job), Table::new(elements as usize, true));
    let first_sink = match pass.job.nest {
        None => Sink::Table(&table),
        Some(_) => Sink::Nested(Nested::new(elements as usize)),
    };
    let mut first = Runner::new(pass, streams.to_vec(), inspected, first_sink);
    first.run(0, total);
    let hit: Hit = first.hit?;
    pass.over.store(false, Ordering::Relaxed);
    let mut second = Runner::new(pass, streams.to_vec(), inspected, Sink::Search(hit));
    second.run(0, total);
    let other = second.hit?;
    let write = |h: &Hit| pass.job.survey.touches[h.touch].write;
    let values = |h: &Hit, around: &[Option<i128>]| h.iteration(pass.job, around.to_vec());
    let (one, two) = (values(&other, &second.around), values(&hit, &first.around));
    let iterations = one.into_iter().zip(two).map(|((name, a), (_, b))| (name, a, b)).collect();
    let touches = if write(&hit) { (hit.touch, other.touch) } else { (other.touch, hit.touch) };
    let inner: u64 = inspected.first()?.lens.iter().skip(1).product();
    let element = i128::from(hit.element / inner.max(1) + pass.job.low);
    Some(Conflict { touches, iterations, element })
}

/// By touch: the lengths of the fixed arrays after its first subscript.
pub(super) fn shapes(kernel: &Kernel, survey: &Survey) -> Vec<Option<Vec<u64>>> {
    let shape = |t: &super::survey::Touch| {
        let mut ty = *kernel.array_ty.get(t.array.index())?;
        let mut lens = Vec::new();
        for step in t.path.iter().skip(1) {
            while let Ty::Option(inner) = kernel.types.get(ty) {
                ty = *inner;
            }
            ty = match (step, kernel.types.get(ty)) {
                (Step::Index(_), Ty::Array(elem, n)) => {
                    lens.push(*n);
                    *elem
                }
                (Step::Field(f), Ty::Struct(desc, types)) => {
                    types[desc.position(survey.fields.get(*f as usize)?)?]
                }
                (Step::Index(_) | Step::Field(_), _) => return None,
            };
        }
        matches!(t.path.first(), Some(Step::Index(_))).then_some(lens)
    };
    survey.touches.iter().map(shape).collect()
}
