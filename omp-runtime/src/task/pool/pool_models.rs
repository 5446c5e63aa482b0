//! Models of the thread pool, in thousands of interleavings. They look for a task that runs twice, too early, or although a
//! predecessor has failed, for a lost wake-up, and for a wait that never ends. Shuttle reports deadlocks.
use super::pool_tasks::{PoolTasks, Work};
use super::sync_models::{Pool, model as in_pool};
use crate::task::graph::{Access, Graph, TaskId};
use shuttle::rand::Rng;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// What is known of a task while its scope runs.
struct ModelTask {
    id: TaskId,
    before: Vec<usize>,
    /// 0: not begun, 1: at work, 2: done.
    state: AtomicU32,
    fails: bool,
    /// It runs although what it follows has failed.
    ends: bool,
}

/// Whether something that a task follows has failed.
fn spoilt(all: &[Arc<ModelTask>], before: &[usize]) -> bool {
    before.iter().any(|b| all[*b].fails || spoilt(all, &all[*b].before))
}

/// Random tasks on three cells, waits in between, and what must hold.
fn tasks_and_waits() {
    let mut rng = shuttle::rand::thread_rng();
    let mut graph = Graph::new();
    let pool = PoolTasks::default();
    let mut known: Vec<Arc<ModelTask>> = Vec::new();
    let mut ended_tasks = Vec::new();
    for _ in 0..rng.gen_range(1..6usize) {
        let accesses: Vec<Access<u8>> = (0..3u8)
            .filter_map(|space| {
                let how = rng.gen_range(0..3u32);
                (how > 0).then_some(Access { space, range: 0..1, writes: how == 2 })
            })
            .collect();
        let (id, before) = graph.add(&accesses);
        let at = |b: &TaskId| known.iter().position(|k| k.id == *b).expect("it is known");
        let own = ModelTask {
            id,
            before: before.iter().map(at).collect(),
            state: AtomicU32::new(0),
            fails: rng.gen_range(0..5u32) == 0,
            ends: rng.gen_range(0..3u32) == 0,
        };
        let own = Arc::new(own);
        known.push(Arc::clone(&own));
        let others = known.clone();
        let ends = own.ends;
        let work = move |void: bool| {
            assert_eq!(own.state.swap(1, Ordering::Relaxed), 0, "it runs once");
            assert_eq!(void, spoilt(&others, &own.before), "it gets the failures");
            for b in &own.before {
                let state = others[*b].state.load(Ordering::Relaxed);
                let ran = others[*b].ends || !spoilt(&others, &others[*b].before);
                assert_eq!(state, if ran { 2 } else { 0 }, "what it follows is done");
            }
            shuttle::thread::yield_now();
            own.state.store(2, Ordering::Relaxed);
            (!own.fails, own.fails)
        };
        let work = if ends { Work::End(Box::new(work)) } else { Work::Run(Box::new(move || work(false))) };
        pool.add(id, &before, false, work);
        if rng.gen_range(0..4u32) == 0 {
            wait(&pool, &mut graph, &known, rng.gen_range(0..known.len()), &mut ended_tasks);
        }
    }
    for k in 0..known.len() {
        wait(&pool, &mut graph, &known, k, &mut ended_tasks);
    }
    for (k, known) in known.iter().enumerate() {
        let ran = known.state.load(Ordering::Relaxed) == 2;
        assert_eq!(ran, ended_tasks.contains(&(k, true)), "the waiting thread learns whether it ran");
        assert!(pool.has_ended(known.id));
    }
}

/// As a scope does: those before first, in the order of the program.
fn wait(
    pool: &PoolTasks<bool>,
    graph: &mut Graph<u8>,
    known: &[Arc<ModelTask>],
    k: usize,
    ended_tasks: &mut Vec<(usize, bool)>,
) {
    if ended_tasks.iter().any(|(other, _)| *other == k) {
        return;
    }
    known[k].before.iter().for_each(|b| wait(pool, graph, known, *b, ended_tasks));
    let ended = pool.wait(known[k].id);
    assert!(ended.is_none_or(|failed| failed == known[k].fails));
    graph.retire(known[k].id);
    ended_tasks.push((k, ended.is_some()));
}

#[test]
fn threads_enough() {
    in_pool(Pool::Any, 1000, tasks_and_waits);
}

#[test]
fn the_only_thread_waits() {
    in_pool(Pool::Ours, 500, tasks_and_waits);
}

#[test]
fn one_thread_in_addition_to_the_one_that_waits() {
    in_pool(Pool::One, 500, tasks_and_waits);
}

/// A panic in a task's own code is resumed in the thread that waits for the task, whichever thread ran it. The tasks after it do not
/// run.
#[test]
fn panics_go_on_in_who_waits() {
    fn model() {
        let (mut graph, pool) = (Graph::new(), PoolTasks::default());
        let mut next = || graph.add(&[Access { space: 0u8, range: 0..1, writes: true }]);
        let (first, none) = next();
        let panics = || -> (bool, bool) { std::panic::resume_unwind(Box::new("a mistake")) };
        pool.add(first, &none, false, Work::Run(Box::new(panics)));
        let (second, before) = next();
        pool.add(second, &before, false, Work::Run(Box::new(|| unreachable!("it follows a failure"))));
        let (third, before) = next();
        pool.add(third, &before, false, Work::End(Box::new(|void| (!void, void))));
        let waited = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| pool.wait(first)));
        let panic = waited.expect_err("it panics").downcast::<&str>();
        assert_eq!(*panic.expect("its text"), "a mistake");
        assert_eq!((pool.wait(second), pool.wait(third)), (None, Some(true)));
    }
    for pool in [Pool::Any, Pool::Ours, Pool::One] {
        in_pool(pool, 300, model);
    }
}

/// A task waits for tasks of a scope of its own, on the pool's only thread and with many.
#[test]
fn scopes_inside_of_tasks() {
    fn model() {
        let (mut outer, pool) = (Graph::new(), PoolTasks::default());
        let access = |writes| [Access { space: 0u8, range: 0..1, writes }];
        let tasks: Vec<TaskId> = (0..3)
            .map(|k| {
                let (id, before) = outer.add(&access(k == 1));
                let work = || {
                    let (mut graph, pool) = (Graph::new(), PoolTasks::default());
                    let (first, none) = graph.add(&[Access { space: 0u8, range: 0..1, writes: true }]);
                    pool.add(first, &none, false, Work::Run(Box::new(|| (true, 1))));
                    let (second, before) = graph.add(&[Access { space: 0u8, range: 0..1, writes: false }]);
                    pool.add(second, &before, false, Work::Run(Box::new(|| (true, 2))));
                    let sum = pool.wait(first).unwrap_or(0) + pool.wait(second).unwrap_or(0);
                    (true, sum)
                };
                pool.add(id, &before, false, Work::Run(Box::new(work)));
                id
            })
            .collect();
        let sum: i32 = tasks.iter().filter_map(|id| pool.wait(*id)).sum();
        assert_eq!(sum, 9);
    }
    in_pool(Pool::Any, 500, model);
    in_pool(Pool::Ours, 200, model);
}

/// Another thread waits for a task that it has a ticket of, while the scope does, does not yet, or has already.
#[test]
fn tickets_of_other_threads() {
    fn model() {
        let mut rng = shuttle::rand::thread_rng();
        let (mut graph, pool) = (Graph::new(), PoolTasks::default());
        let done = Arc::new(AtomicU32::new(0));
        let fails = rng.gen_range(0..4u32);
        let tasks: Vec<TaskId> = (0..3)
            .map(|k| {
                let (id, before) = graph.add(&[Access { space: 0u8, range: 0..1, writes: k != 1 }]);
                let done = Arc::clone(&done);
                let work = move || {
                    shuttle::thread::yield_now();
                    done.fetch_or(1 << k, Ordering::Relaxed);
                    (k != fails, k)
                };
                pool.add(id, &before, false, Work::Run(Box::new(work)));
                id
            })
            .collect();
        let at = rng.gen_range(0..3usize);
        let (ticket, seen) = (pool.ticket(tasks[at]), Arc::clone(&done));
        let early = rng.gen_range(0..2u32) == 0;
        let own = early.then(|| pool.wait(tasks[0]));
        let other = shuttle::thread::spawn(move || {
            ticket.wait();
            assert!(ticket.has_ended());
            let all = seen.load(Ordering::Relaxed);
            // What follows a failure does not run.
            let ran = (0..=at as u32).take_while(|k| fails >= *k).fold(0, |bits, k| bits | 1 << k);
            assert_eq!(all & ((2 << at) - 1), ran, "it has ended, and what it follows");
        });
        if rng.gen_range(0..2u32) == 0 {
            other.join().expect("it waits");
            tasks.iter().skip(usize::from(own.is_some())).for_each(|task| _ = pool.wait(*task));
        } else {
            tasks.iter().skip(usize::from(own.is_some())).for_each(|task| _ = pool.wait(*task));
            other.join().expect("it waits");
        }
    }
    for pool in [Pool::Any, Pool::One] {
        in_pool(pool, 300, model);
    }
}
