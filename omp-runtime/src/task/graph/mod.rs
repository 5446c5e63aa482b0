//! The order of tasks: the earlier tasks that a task has to wait for.
//!
//! Tasks are added in program order, each with its footprint: ranges of some space (an array, a list of `depend`s, host
//! addresses), read or written. Two tasks conflict if their ranges overlap and one of them writes; the later one then
//! runs after the earlier one. A task that has ended is retired, and no later task waits for it.
//!
//! Each space is a map of disjoint segments. A segment has the last task that wrote it and the tasks that have read it since. A
//! later task depends on no others there, because those wait for the earlier ones. After a write, a range is one segment, so each of
//! the segments that it removes was paid for by the task that cut it: an operation costs the logarithm of the number of segments,
//! the predecessors that it finds, and the segments that it removes. Readers are a list that shares its tail with those of the
//! neighbours, so cutting a segment costs constant time. Segments with only retired tasks are removed, at the latest when they
//! are half of all.
//!
//! Predecessors that another predecessor waits for are left out, as far as a short search finds them, because each edge costs an
//! event.
pub(super) mod queue_assignment;
pub mod queues;
#[cfg(test)]
mod tests;

use super::scope::id_map::IdMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::Arc;

/// A task, by its place in the order of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TaskId(u64);

impl TaskId {
    /// How many were made from an earlier one on until this.
    pub(super) fn since(self, earlier: Self) -> Option<u64> {
        self.0.checked_sub(earlier.0)
    }

    /// A task for tests.
    #[cfg(test)]
    pub(super) const fn number(n: u64) -> Self {
        Self(n)
    }
}

/// The tasks that a task follows.
pub type Before = SmallVec<[TaskId; 2]>;

/// A hasher for numbers that are not chosen by an attacker: tasks are counted, spaces are few.
#[derive(Debug, Clone, Copy, Default)]
pub struct Quick(u64);

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|b| self.write_u64(u64::from(*b)));
    }

    fn write_u64(&mut self, n: u64) {
        // The upper bits are the tag that distinguishes entries, the lower ones choose the bucket.
        self.0 = (self.0.rotate_left(5) ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }

    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }

    fn write_isize(&mut self, n: isize) {
        self.write_u64(n as u64);
    }
}

/// By tasks, or by spaces.
pub type Quickly = BuildHasherDefault<Quick>;

/// An access of a task to a space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access<K> {
    /// The space.
    pub space: K,
    /// Where in it.
    pub range: Range<u64>,
    /// Whether it is written, or read only.
    pub writes: bool,
}

/// A list that shares its tail.
#[derive(Debug, Clone, Default)]
struct Readers(Option<Arc<(TaskId, Readers)>>);

impl Readers {
    fn with(self, task: TaskId) -> Self {
        Self(Some(Arc::new((task, self))))
    }

    fn first(&self) -> Option<TaskId> {
        self.0.as_ref().map(|node| node.0)
    }

    fn iter(&self) -> impl Iterator<Item = TaskId> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let node = rest.0.as_ref()?;
            rest = &node.1;
            Some(node.0)
        })
    }

    /// Whether it is the same list. `false` if a short comparison does not show it.
    fn is(&self, other: &Self) -> bool {
        const SHORT: usize = 8;
        let (mut mine, mut theirs) = (self, other);
        for _ in 0..SHORT {
            match (&mine.0, &theirs.0) {
                (None, None) => return true,
                (Some(a), Some(b)) if Arc::ptr_eq(a, b) => return true,
                (Some(a), Some(b)) if a.0 == b.0 => (mine, theirs) = (&a.1, &b.1),
                _ => return false,
            }
        }
        false
    }
}

impl Drop for Readers {
    /// One after another: thousands of readers must not be thousands of calls.
    fn drop(&mut self) {
        let mut rest = self.0.take();
        while let Some(node) = rest {
            rest = Arc::into_inner(node).and_then(|(_, mut tail)| tail.0.take());
        }
    }
}

/// The last accesses to a part of a space.
#[derive(Debug, Clone)]
struct Segment {
    end: u64,
    writer: Option<TaskId>,
    /// Since then; the last one first. Retired ones stay until the list is gone through.
    readers: Readers,
    /// How many they are, and how many of them were not retired when that was last looked at.
    count: (usize, usize),
}

impl Segment {
    fn same(&self, other: &Self) -> bool {
        self.writer == other.writer && self.readers.is(&other.readers)
    }
}

/// Spaces are cleaned when they have more segments than this, and twice as many as after the last time.
const FEW: usize = 64;

/// The same of spaces.
const MANY: usize = 8;

/// Tasks that a search for needless edges looks at.
const SEARCH: usize = 64;

/// A space: its segments by their starts. No live task accesses what no segment covers.
#[derive(Debug, Default)]
struct Space {
    segments: BTreeMap<u64, Segment>,
    /// How many there were after the last cleaning.
    cleaned: usize,
}

type Living = IdMap<Before>;

impl Space {
    /// Cuts the segment that has `at` inside.
    fn cut(&mut self, at: u64) {
        let Some((_, segment)) = self.segments.range_mut(..at).next_back() else { return };
        if segment.end > at {
            let rest = segment.clone();
            segment.end = at;
            self.segments.insert(at, rest);
        }
    }

    /// Adds those to `found` that a use of the range has to wait for.
    fn find(&self, range: &Range<u64>, writes: bool, living: &Living, found: &mut Vec<TaskId>) {
        if let Some(segment) = self.segments.get(&range.start).filter(|s| s.end >= range.end) {
            return segment.find(writes, living, found);
        }
        let before = self.segments.range(..=range.start).next_back().map_or(range.start, |(start, _)| *start);
        for (start, segment) in self.segments.range(before..range.end) {
            if segment.end > range.start && *start < range.end {
                segment.find(writes, living, found);
            }
        }
    }

    /// The parts of a range that tasks under way write, and the last that does.
    fn writers(&self, range: &Range<u64>, living: &Living, found: &mut Vec<(Range<u64>, TaskId)>) {
        let before = self.segments.range(..=range.start).next_back().map_or(range.start, |(start, _)| *start);
        for (start, segment) in self.segments.range(before..range.end) {
            let part = (*start).max(range.start)..segment.end.min(range.end);
            let Some(writer) = segment.writer.filter(|task| living.contains(*task)) else { continue };
            match found.last_mut() {
                _ if part.is_empty() => {}
                Some((last, task)) if last.end == part.start && *task == writer => last.end = part.end,
                _ => found.push((part, writer)),
            }
        }
    }

    fn write(&mut self, range: &Range<u64>, task: TaskId) {
        // Usually it is the range of an earlier write.
        if let Some(segment) = self.segments.get_mut(&range.start).filter(|s| s.end == range.end) {
            segment.writer = Some(task);
            segment.readers = Readers::default();
            segment.count = (0, 0);
            return;
        }
        self.cut(range.start);
        self.cut(range.end);
        let gone: Vec<u64> = self.segments.range(range.clone()).map(|(start, _)| *start).collect();
        gone.iter().for_each(|start| drop(self.segments.remove(start)));
        let segment =
            Segment { end: range.end, writer: Some(task), readers: Readers::default(), count: (0, 0) };
        self.segments.insert(range.start, segment);
    }

    fn read(&mut self, range: &Range<u64>, task: TaskId, living: &Living) {
        self.cut(range.start);
        self.cut(range.end);
        let inside: Vec<u64> = self.segments.range(range.clone()).map(|(start, _)| *start).collect();
        let mut at = range.start;
        let nothing =
            |end| Segment { end, writer: None, readers: Readers::default().with(task), count: (1, 1) };
        for start in inside {
            if at < start {
                self.put(at, nothing(start));
            }
            let Some(mut segment) = self.segments.remove(&start) else { continue };
            if segment.readers.first() != Some(task) {
                segment.add_reader(task, living);
            }
            at = segment.end;
            self.put(start, segment);
        }
        if at < range.end {
            self.put(at, nothing(range.end));
        }
    }

    /// Adds a segment. It is merged with the one before it, if that ends here and has the same tasks.
    fn put(&mut self, start: u64, segment: Segment) {
        if let Some((_, before)) = self.segments.range_mut(..start).next_back()
            && before.end == start
            && before.same(&segment)
        {
            before.end = segment.end;
            return;
        }
        self.segments.insert(start, segment);
    }

    /// Removes segments with only retired tasks, once there are many of them.
    fn clean(&mut self, living: &Living) {
        if self.segments.len() > FEW.max(2 * self.cleaned) {
            self.forget(living);
        }
    }

    fn forget(&mut self, living: &Living) {
        for (start, mut segment) in std::mem::take(&mut self.segments) {
            segment.forget(living);
            if segment.writer.is_some() || segment.readers.first().is_some() {
                self.put(start, segment);
            }
        }
        self.cleaned = self.segments.len();
    }
}

impl Segment {
    /// Adds those that a use of it has to wait for.
    fn find(&self, writes: bool, living: &Living, found: &mut Vec<TaskId>) {
        let writer = self.writer.filter(|task| living.contains(*task));
        if !writes {
            found.extend(writer);
            return;
        }
        let from = found.len();
        found.extend(self.readers.iter().filter(|task| living.contains(*task)));
        // Its readers wait for it.
        if found.len() == from {
            found.extend(writer);
        }
    }

    fn add_reader(&mut self, task: TaskId, living: &Living) {
        if self.count.0 > FEW.max(2 * self.count.1) {
            self.forget(living);
        }
        self.readers = std::mem::take(&mut self.readers).with(task);
        self.count.0 += 1;
    }

    fn forget(&mut self, living: &Living) {
        self.writer = self.writer.filter(|task| living.contains(*task));
        if self.readers.iter().all(|task| living.contains(task)) {
            self.count.1 = self.count.0;
            return;
        }
        let mut left: Vec<TaskId> = self.readers.iter().filter(|task| living.contains(*task)).collect();
        self.count = (left.len(), left.len());
        self.readers = Readers::default();
        while let Some(task) = left.pop() {
            self.readers = std::mem::take(&mut self.readers).with(task);
        }
    }
}

/// The order of the tasks of a scope.
#[derive(Debug)]
pub struct Graph<K> {
    /// They are few.
    spaces: Vec<(K, Space)>,
    /// How many there were after the last cleaning.
    cleaned: usize,
    /// The tasks that are not retired, and what each waits for.
    living: Living,
    added: u64,
    /// Empty; kept for its memory.
    found: Vec<TaskId>,
}

impl<K> Default for Graph<K> {
    fn default() -> Self {
        Self { spaces: Vec::new(), cleaned: 0, living: Living::default(), added: 0, found: Vec::new() }
    }
}

impl<K: Eq + Clone> Graph<K> {
    /// A graph without tasks.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn space(&self, key: &K) -> Option<&Space> {
        self.spaces.iter().find(|(of, _)| of == key).map(|(_, space)| space)
    }

    /// Adds a task; gives it, and the tasks that it has to wait for: the fewest that make it come after all that it
    /// conflicts with, as far as a short search finds. The last ones come first. Empty ranges access nothing.
    pub fn add(&mut self, accesses: &[Access<K>]) -> (TaskId, Before) {
        self.add_after(accesses, std::iter::empty())
    }

    /// The same, for a task that also follows those of `after`.
    pub fn add_after(
        &mut self,
        accesses: &[Access<K>],
        after: impl Iterator<Item = TaskId>,
    ) -> (TaskId, Before) {
        let task = TaskId(self.added);
        self.added += 1;
        let mut found = std::mem::take(&mut self.found);
        found.extend(after);
        for access in accesses.iter().filter(|a| !a.range.is_empty()) {
            if let Some(space) = self.space(&access.space) {
                space.find(&access.range, access.writes, &self.living, &mut found);
            }
        }
        self.shorten(&mut found);
        let before: Before = found.iter().copied().collect();
        found.clear();
        self.found = found;
        // The task is live before spaces are cleaned, which removes segments with only retired tasks.
        self.living.insert(task, before.clone());
        // Reads first: a range that is read and written counts as written.
        for writes in [false, true] {
            for access in accesses.iter().filter(|a| !a.range.is_empty() && a.writes == writes) {
                let at = match self.spaces.iter().position(|(of, _)| *of == access.space) {
                    Some(at) => at,
                    None => {
                        self.clean();
                        self.spaces.push((access.space.clone(), Space::default()));
                        self.spaces.len() - 1
                    }
                };
                let space = &mut self.spaces[at].1;
                if writes {
                    space.write(&access.range, task);
                } else {
                    space.read(&access.range, task, &self.living);
                }
                space.clean(&self.living);
            }
        }
        (task, before)
    }

    /// The tasks that a read (or a write) has to wait for: all that conflict with it, except those that another one of them waits for.
    #[must_use]
    pub fn using(&self, space: &K, range: &Range<u64>, writes: bool) -> Vec<TaskId> {
        let mut found = Vec::new();
        if let Some(space) = self.space(space).filter(|_| !range.is_empty()) {
            space.find(range, writes, &self.living, &mut found);
        }
        self.shorten(&mut found);
        found
    }

    /// The parts of a range that tasks write, in order, each with the last that does.
    #[must_use]
    pub fn writers(&self, space: &K, range: &Range<u64>) -> Vec<(Range<u64>, TaskId)> {
        let mut found = Vec::new();
        if let Some(space) = self.space(space).filter(|_| !range.is_empty()) {
            space.writers(range, &self.living, &mut found);
        }
        found
    }

    /// Forgets spaces that only retired tasks have touched, once there are many.
    fn clean(&mut self) {
        if self.spaces.len() <= MANY.max(2 * self.cleaned) {
            return;
        }
        let living = &self.living;
        self.spaces.retain_mut(|(_, space)| {
            space.forget(living);
            !space.segments.is_empty()
        });
        self.cleaned = self.spaces.len();
    }

    /// A task has finished. Those that it waited for have too.
    pub fn retire(&mut self, task: TaskId) {
        self.living.remove(task);
        if self.living.is_empty() {
            self.spaces.clear();
        }
    }

    /// The tasks that are not retired, in order.
    pub fn living(&self) -> impl Iterator<Item = TaskId> {
        self.living.tasks()
    }

    /// Removes duplicates, and those that others wait for; the last first.
    fn shorten(&self, tasks: &mut Vec<TaskId>) {
        tasks.sort_unstable_by(|a, b| b.cmp(a));
        tasks.dedup();
        let Some(&first) = tasks.last().filter(|_| tasks.len() > 1) else { return };
        let mut reached: Vec<TaskId> = Vec::new();
        let mut next = 0;
        let look = |task: &TaskId, reached: &mut Vec<TaskId>| {
            let before = self.living.get(*task).map_or(&[][..], |before| before);
            reached.extend(before.iter().filter(|b| **b >= first));
        };
        tasks.iter().take(SEARCH).for_each(|task| look(task, &mut reached));
        while next < reached.len() && next < SEARCH {
            let task = reached[next];
            if !reached[..next].contains(&task) {
                look(&task, &mut reached);
            }
            next += 1;
        }
        reached.sort_unstable();
        tasks.retain(|task| reached.binary_search(task).is_err());
    }
}
