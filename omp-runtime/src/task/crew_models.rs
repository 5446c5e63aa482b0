//! Models of the crew: the same source with shuttle's locks and threads, which are run in thousands of interleavings.
//! What is looked for: a task that runs twice, too early, or although what it follows has failed; a wake-up that is lost;
//! a wait that never ends. Shuttle tells deadlocks.
#[allow(clippy::duplicate_mod, reason = "the same source with other locks")]
#[path = "crew.rs"]
mod crew;

mod graph {
    pub use crate::task::graph::TaskId;
}

/// What stands for the pool, and for how its threads wait.
mod sync {
    pub(super) use shuttle::sync::{Condvar, Mutex, MutexGuard};
    pub(super) use std::sync::Arc;
    use std::sync::PoisonError;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Threads of the pool.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(super) enum Pool {
        /// As many as there is work.
        Any,
        /// They are all busy with something that never ends.
        Stuck,
        /// One, and it is the one that waits.
        Ours,
    }

    pub(super) static POOL: AtomicUsize = AtomicUsize::new(0);

    fn is(pool: Pool) -> bool {
        POOL.load(Ordering::Relaxed) == pool as usize
    }

    type Work = Box<dyn FnOnce() + Send>;

    shuttle::thread_local! {
        /// Of the only thread.
        static QUEUE: std::cell::RefCell<Vec<Work>> = std::cell::RefCell::default();
    }

    pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
        mutex.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn spawn(work: impl FnOnce() + Send + 'static) {
        if is(Pool::Any) {
            drop(shuttle::thread::spawn(work));
        } else if is(Pool::Ours) {
            QUEUE.with(|queue| queue.borrow_mut().push(Box::new(work)));
        }
    }

    pub(super) fn nap<T>(ended: &Condvar, guard: MutexGuard<'_, T>) {
        if !is(Pool::Ours) {
            drop(ended.wait(guard).unwrap_or_else(PoisonError::into_inner));
            return;
        }
        drop(guard);
        match QUEUE.with(|queue| queue.borrow_mut().pop()) {
            Some(work) => work(),
            None => panic!("the only thread waits for nothing"),
        }
    }
}

use crate::task::graph::{Access, Graph, TaskId};
use crew::Crew;
use shuttle::rand::Rng;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use sync::Pool;

/// The models share what stands for the pool.
static ONE: Mutex<()> = Mutex::new(());

fn in_pool(pool: Pool, rounds: usize, model: impl Fn() + Send + Sync + Clone + 'static) {
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    sync::POOL.store(pool as usize, Ordering::Relaxed);
    shuttle::check_random(model.clone(), rounds);
    // The others have one thread.
    if pool == Pool::Any {
        shuttle::check_pct(model, rounds, 3);
    }
}

/// What is known of a task while its scope runs.
struct Known {
    id: TaskId,
    before: Vec<usize>,
    /// 0: not begun, 1: at work, 2: done.
    state: AtomicU32,
    fails: bool,
}

/// Random tasks on three cells, waits in between, and what must hold.
fn tasks_and_waits() {
    let mut rng = shuttle::rand::thread_rng();
    let mut graph = Graph::new();
    let crew = Crew::default();
    let mut known: Vec<Arc<Known>> = Vec::new();
    let mut told = Vec::new();
    for _ in 0..rng.gen_range(1..6usize) {
        let accesses: Vec<Access<u8>> = (0..3u8)
            .filter_map(|space| {
                let how = rng.gen_range(0..3u32);
                (how > 0).then_some(Access { space, range: 0..1, writes: how == 2 })
            })
            .collect();
        let (id, before) = graph.add(&accesses);
        let at = |b: &TaskId| known.iter().position(|k| k.id == *b).expect("it is known");
        let own = Known {
            id,
            before: before.iter().map(at).collect(),
            state: AtomicU32::new(0),
            fails: rng.gen_range(0..5u32) == 0,
        };
        let own = Arc::new(own);
        known.push(Arc::clone(&own));
        let others = known.clone();
        let work = move || {
            assert_eq!(own.state.swap(1, Ordering::Relaxed), 0, "it runs once");
            for b in &own.before {
                assert_eq!(others[*b].state.load(Ordering::Relaxed), 2, "what it follows is done");
                assert!(!others[*b].fails, "and has not failed");
            }
            shuttle::thread::yield_now();
            own.state.store(2, Ordering::Relaxed);
            (!own.fails, own.fails)
        };
        crew.add(id, &before, Box::new(work));
        if rng.gen_range(0..4u32) == 0 {
            wait(&crew, &mut graph, &known, rng.gen_range(0..known.len()), &mut told);
        }
    }
    for k in 0..known.len() {
        wait(&crew, &mut graph, &known, k, &mut told);
    }
    for (k, known) in known.iter().enumerate() {
        let ran = known.state.load(Ordering::Relaxed) == 2;
        assert_eq!(ran, told.contains(&(k, true)), "whoever waits is told whether it ran");
        assert!(crew.has_ended(known.id));
    }
}

/// As a scope does: those before first, in the order of the program.
fn wait(
    crew: &Crew<bool>,
    graph: &mut Graph<u8>,
    known: &[Arc<Known>],
    k: usize,
    told: &mut Vec<(usize, bool)>,
) {
    if told.iter().any(|(other, _)| *other == k) {
        return;
    }
    known[k].before.iter().for_each(|b| wait(crew, graph, known, *b, told));
    let ended = crew.wait(known[k].id);
    assert!(ended.is_none_or(|failed| failed == known[k].fails));
    graph.retire(known[k].id);
    told.push((k, ended.is_some()));
}

#[test]
fn threads_enough() {
    in_pool(Pool::Any, 1000, tasks_and_waits);
}

#[test]
fn a_pool_that_does_nothing() {
    in_pool(Pool::Stuck, 500, tasks_and_waits);
}

#[test]
fn the_only_thread_waits() {
    in_pool(Pool::Ours, 500, tasks_and_waits);
}

/// A task waits for tasks of a scope of its own, on the pool's only thread and with many.
#[test]
fn scopes_inside_of_tasks() {
    fn model() {
        let (mut outer, crew) = (Graph::new(), Crew::default());
        let access = |writes| [Access { space: 0u8, range: 0..1, writes }];
        let tasks: Vec<TaskId> = (0..3)
            .map(|k| {
                let (id, before) = outer.add(&access(k == 1));
                let work = || {
                    let (mut graph, crew) = (Graph::new(), Crew::default());
                    let (first, none) = graph.add(&[Access { space: 0u8, range: 0..1, writes: true }]);
                    crew.add(first, &none, Box::new(|| (true, 1)));
                    let (second, before) = graph.add(&[Access { space: 0u8, range: 0..1, writes: false }]);
                    crew.add(second, &before, Box::new(|| (true, 2)));
                    let sum = crew.wait(first).unwrap_or(0) + crew.wait(second).unwrap_or(0);
                    (true, sum)
                };
                crew.add(id, &before, Box::new(work));
                id
            })
            .collect();
        let sum: i32 = tasks.iter().filter_map(|id| crew.wait(*id)).sum();
        assert_eq!(sum, 9);
    }
    in_pool(Pool::Any, 500, model);
    in_pool(Pool::Stuck, 200, model);
    in_pool(Pool::Ours, 200, model);
}
