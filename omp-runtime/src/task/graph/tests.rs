//! The graph compared with a model that compares each task with all before it.
use super::{Access, Graph, TaskId};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// All tasks, and which are retired.
#[derive(Default)]
struct Model {
    tasks: Vec<(TaskId, Vec<Access<u8>>)>,
    retired: BTreeSet<TaskId>,
    edges: HashMap<TaskId, Vec<TaskId>>,
}

fn conflict(a: &Access<u8>, b: &Access<u8>) -> bool {
    let overlap = a.range.start < b.range.end && b.range.start < a.range.end;
    a.space == b.space && overlap && !a.range.is_empty() && !b.range.is_empty() && (a.writes || b.writes)
}

impl Model {
    fn conflicting(&self, accesses: &[Access<u8>]) -> BTreeSet<TaskId> {
        let live = self.tasks.iter().filter(|(task, _)| !self.retired.contains(task));
        let overlap = |other: &[Access<u8>]| accesses.iter().any(|a| other.iter().any(|b| conflict(a, b)));
        live.filter(|(_, other)| overlap(other)).map(|(task, _)| *task).collect()
    }

    /// The last that writes there and is not retired; a later one that is would have waited for it.
    fn writer(&self, space: u8, at: u64) -> Option<TaskId> {
        let here = |a: &Access<u8>| a.space == space && a.writes && a.range.contains(&at);
        let (task, _) = self.tasks.iter().rev().find(|(_, accesses)| accesses.iter().any(here))?;
        (!self.retired.contains(task)).then_some(*task)
    }

    /// Where something may begin or end.
    fn places(&self, access: &Access<u8>) -> BTreeSet<u64> {
        let all = self.tasks.iter().flat_map(|(_, accesses)| accesses).chain([access]);
        all.flat_map(|a| [a.range.start, a.range.end, a.range.end.saturating_sub(1)]).collect()
    }

    /// The transitive closure of the tasks that these wait for, with themselves.
    fn closure(&self, from: &[TaskId]) -> BTreeSet<TaskId> {
        let (mut all, mut next) = (BTreeSet::new(), from.to_vec());
        while let Some(task) = next.pop() {
            if !self.retired.contains(&task) && all.insert(task) {
                next.extend(self.edges.get(&task).into_iter().flatten());
            }
        }
        all
    }

    /// Everything that conflicts is waited for, nothing else is, and no edge is needless.
    fn judge(&self, conflicting: &BTreeSet<TaskId>, before: &[TaskId]) -> Result<(), String> {
        let all = self.closure(before);
        if let Some(task) = conflicting.iter().find(|task| !all.contains(task)) {
            return Err(format!("{task:?} is not waited for, only {before:?}"));
        }
        if let Some(task) = before.iter().find(|task| !conflicting.contains(task)) {
            return Err(format!("{task:?} does not conflict"));
        }
        for task in before {
            let others: Vec<_> = before.iter().copied().filter(|other| other != task).collect();
            if self.closure(&others).contains(task) {
                return Err(format!("{task:?} of {before:?} is needless"));
            }
        }
        Ok(())
    }
}

#[derive(Debug, Clone)]
enum Op {
    Add(Vec<Access<u8>>),
    /// Which of the tasks without live predecessors.
    Retire(usize),
    Ask(Access<u8>),
    Writers(Access<u8>),
}

fn access(length: u64) -> impl Strategy<Value = Access<u8>> {
    let range = (0..length, 0..=length).prop_map(|(a, b)| a.min(b)..a.max(b));
    (0..2u8, range, prop::bool::weighted(0.4)).prop_map(|(space, range, writes)| Access {
        space,
        range,
        writes,
    })
}

fn op(length: u64) -> impl Strategy<Value = Op> {
    prop_oneof![
        5 => prop::collection::vec(access(length), 1..4).prop_map(Op::Add),
        4 => (0..8usize).prop_map(Op::Retire),
        1 => access(length).prop_map(Op::Ask),
        1 => access(length).prop_map(Op::Writers),
    ]
}

/// Many short adjacent ranges: spaces are cleaned.
fn small(length: u64) -> impl Strategy<Value = Op> {
    let access = move || {
        (0..length, 1..3u64, prop::bool::weighted(0.8)).prop_map(|(start, count, writes)| Access {
            space: 0,
            range: start..start + count,
            writes,
        })
    };
    prop_oneof![
        8 => access().prop_map(|access| Op::Add(vec![access])),
        1 => (0..8usize).prop_map(Op::Retire),
        1 => access().prop_map(Op::Ask),
        1 => access().prop_map(Op::Writers),
    ]
}

fn run(ops: Vec<Op>) -> Result<(), String> {
    let (mut graph, mut model) = (Graph::new(), Model::default());
    for op in ops {
        match op {
            Op::Add(accesses) => {
                let conflicting = model.conflicting(&accesses);
                let (task, before) = graph.add(&accesses);
                model.judge(&conflicting, &before)?;
                model.edges.insert(task, before.to_vec());
                model.tasks.push((task, accesses));
            }
            Op::Retire(which) => {
                let ready = model.tasks.iter().map(|(task, _)| *task).filter(|task| {
                    !model.retired.contains(task) && model.closure(&model.edges[task]).is_empty()
                });
                let Some(task) = ready.take(which + 1).last() else { continue };
                graph.retire(task);
                model.retired.insert(task);
            }
            Op::Ask(access) => {
                let conflicting = model.conflicting(std::slice::from_ref(&access));
                let found = graph.using(&access.space, &access.range, access.writes);
                model.judge(&conflicting, &found)?;
            }
            Op::Writers(access) => {
                let found = graph.writers(&access.space, &access.range);
                let of = |at: u64| found.iter().find(|(part, _)| part.contains(&at)).map(|(_, task)| *task);
                let wrong =
                    |at: &u64| access.range.contains(at) && of(*at) != model.writer(access.space, *at);
                if let Some(at) = model.places(&access).into_iter().find(wrong) {
                    return Err(format!("{found:?} of {access:?} are not right at {at}"));
                }
            }
        }
        let living: BTreeSet<TaskId> = graph.living().collect();
        let expected = model.tasks.iter().map(|(task, _)| *task).filter(|t| !model.retired.contains(t));
        if living != expected.collect() {
            return Err(format!("{living:?} live"));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    /// A hundred thousand operations and more, in sequences of up to sixty.
    #[test]
    fn it_orders_as_the_model_does(ops in prop::collection::vec(op(12), 1..60)) {
        run(ops).map_err(TestCaseError::fail)?;
    }

    #[test]
    fn long_ranges_too(ops in prop::collection::vec(op(1 << 40), 1..40)) {
        run(ops).map_err(TestCaseError::fail)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_many_small_ones_too(ops in prop::collection::vec(small(200), 200..400)) {
        run(ops).map_err(TestCaseError::fail)?;
    }
}

#[test]
fn who_has_a_space_cleaned_is_not_forgotten() {
    let mut graph = Graph::new();
    let tasks: Vec<TaskId> = (0..1000).map(|at| graph.add(&[write(at..at + 1)]).0).collect();
    for (at, task) in (0..).zip(tasks) {
        assert_eq!(graph.using(&0, &(at..at + 1), false), [task]);
    }
}

fn write(range: Range<u64>) -> Access<u8> {
    Access { space: 0, range, writes: true }
}

fn read(range: Range<u64>) -> Access<u8> {
    Access { space: 0, range, writes: false }
}

#[test]
fn three_kernels() {
    let mut graph = Graph::new();
    let (a, none) = graph.add(&[write(0..10)]);
    let (b, also_none) = graph.add(&[write(10..20)]);
    let (c, both) = graph.add(&[read(0..20), write(20..30)]);
    assert_eq!((&*none, &*also_none, &*both), (&[][..], &[][..], &[b, a][..]));
    // After `c`, which waits for the others.
    assert_eq!(*graph.add(&[write(0..30)]).1, [c]);
    assert_eq!(graph.using(&1, &(0..30), true), []);
}

#[test]
fn readers_run_concurrently() {
    let mut graph = Graph::new();
    let (writer, _) = graph.add(&[write(0..100)]);
    let readers: Vec<_> = (0..10).map(|i| graph.add(&[read(i..i + 50)])).collect();
    assert!(readers.iter().all(|(_, before)| **before == [writer]));
    assert_eq!(graph.add(&[write(5..6)]).1.len(), 6);
}

/// Ten thousand tasks over one array, in blocks, as rings of halos, and all reading all: far from quadratic.
#[test]
fn many_tasks_cost_little() {
    let mut graph = Graph::new();
    for i in 0..10_000u64 {
        let block = i % 100;
        let (task, before) =
            graph.add(&[read(block * 10..block * 10 + 30), write(10_000 + block * 10..10_010 + block * 10)]);
        assert!(before.len() <= 3);
        if i >= 1000 {
            graph.retire(TaskId(task.0 - 1000));
        }
    }
    // No task retires: the list of readers grows.
    for i in 0..10_000u64 {
        graph.add(&[read(i % 7..1000 - i % 11)]);
    }
    assert!(graph.add(&[write(0..1000)]).1.len() >= 10_000);
    (0..10_000).for_each(|i| drop(graph.add(&[write(2000 + i..2002 + i)])));
    assert!(graph.spaces[0].1.segments.len() < 25_000);
    (0..graph.added).for_each(|i| graph.retire(TaskId(i)));
    assert!(graph.spaces.is_empty() && graph.living.is_empty());
}

/// A scope that lives long, some task of which always runs, does not grow.
#[test]
fn spaces_of_the_retired_are_forgotten() {
    let mut graph = Graph::new();
    let (_, none) = graph.add(&[Access { space: 0, range: 0..4, writes: true }]);
    assert!(none.is_empty());
    for space in 1..1000 {
        let (task, before) = graph.add(&[Access { space, range: 0..4, writes: true }]);
        assert!(before.is_empty());
        graph.retire(task);
    }
    assert!(graph.spaces.len() < 20, "{}", graph.spaces.len());
    assert_eq!(graph.add(&[Access { space: 0, range: 0..4, writes: false }]).1.len(), 1);
}

#[test]
fn what_is_retired_is_forgotten() {
    let mut graph = Graph::new();
    let mut last = graph.add(&[write(0..1)]).0;
    for i in 0..20_000u64 {
        let at = (i * 7919) % 1_000_003;
        let (task, _) = graph.add(&[write(at..at + 1), read(0..at)]);
        graph.retire(last);
        last = task;
    }
    assert!(graph.spaces.iter().map(|(_, s)| s.segments.len()).sum::<usize>() < 1000);
}
