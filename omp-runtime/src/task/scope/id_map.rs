//! A map from task ids to records. Ids are given in order, and tasks mostly end in order, so the records are a queue, and a
//! record is found by its offset from the first.
use crate::task::graph::TaskId;
use std::collections::VecDeque;

/// Gaps up to this number are left alone.
const FEW: usize = 64;

/// A map from tasks.
#[derive(Debug)]
pub struct IdMap<T> {
    /// Ascending. The first and the last are there.
    slots: VecDeque<(TaskId, Option<T>)>,
    there: usize,
}

impl<T> Default for IdMap<T> {
    fn default() -> Self {
        Self { slots: VecDeque::new(), there: 0 }
    }
}

impl<T> IdMap<T> {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.there
    }

    /// There is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.there == 0
    }

    fn place(&self, task: TaskId) -> Option<usize> {
        let first = self.slots.front()?.0;
        let guess = usize::try_from(task.since(first)?).ok()?;
        match self.slots.get(guess) {
            Some((found, _)) if *found == task => Some(guess),
            // There are gaps: it is further in front.
            _ => self.slots.binary_search_by_key(&task, |slot| slot.0).ok(),
        }
    }

    /// What is known of a task.
    #[must_use]
    pub fn get(&self, task: TaskId) -> Option<&T> {
        self.slots[self.place(task)?].1.as_ref()
    }

    /// The same, to be changed.
    #[must_use]
    pub fn get_mut(&mut self, task: TaskId) -> Option<&mut T> {
        let place = self.place(task)?;
        self.slots[place].1.as_mut()
    }

    /// Whether anything is known of a task.
    #[must_use]
    pub fn contains(&self, task: TaskId) -> bool {
        self.get(task).is_some()
    }

    /// Adds a task after all others.
    pub fn insert(&mut self, task: TaskId, value: T) {
        debug_assert!(self.slots.back().is_none_or(|last| last.0 < task), "tasks come in order");
        self.slots.push_back((task, Some(value)));
        self.there += 1;
    }

    /// Takes a task out.
    pub fn remove(&mut self, task: TaskId) -> Option<T> {
        let place = self.place(task)?;
        let value = self.slots[place].1.take()?;
        self.there -= 1;
        while self.slots.pop_front_if(|slot| slot.1.is_none()).is_some() {}
        while self.slots.pop_back_if(|slot| slot.1.is_none()).is_some() {}
        // Each time it is gone through, so many were taken out before.
        if self.slots.len() > FEW + 2 * self.there {
            self.slots.retain(|slot| slot.1.is_some());
        }
        Some(value)
    }

    /// The first.
    #[must_use]
    pub fn first(&self) -> Option<(TaskId, &T)> {
        let (task, value) = self.slots.front()?;
        Some((*task, value.as_ref()?))
    }

    /// All, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (TaskId, &T)> {
        self.slots.iter().filter_map(|(task, value)| Some((*task, value.as_ref()?)))
    }

    /// All tasks, in order.
    pub fn tasks(&self) -> impl DoubleEndedIterator<Item = TaskId> {
        self.iter().map(|(task, _)| task)
    }

    /// Some of the values after the first one, from the last one on, each with about half as many before it as the one before.
    pub fn halves(&self) -> impl Iterator<Item = &T> {
        let mut count = self.slots.len();
        std::iter::from_fn(move || {
            let (place, value) = (1..count).rev().find_map(|at| Some((at, self.slots[at].1.as_ref()?)))?;
            count = place.div_ceil(2);
            Some(value)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::IdMap;
    use crate::task::graph::TaskId;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn it_is_a_map(steps in proptest::collection::vec((0u8..4, 0usize..400), 1..600)) {
            let (mut map, mut model) = (IdMap::default(), BTreeMap::new());
            let mut next = 0;
            for (kind, n) in steps {
                match kind {
                    0 | 1 => {
                        // Not every task is put there.
                        next += 1 + (n % 5) / 4;
                        map.insert(TaskId::number(next as u64), n);
                        model.insert(TaskId::number(next as u64), n);
                    }
                    _ => {
                        let task = match model.keys().nth(n / 2 % model.len().max(1)) {
                            Some(task) if kind == 2 => *task,
                            _ => TaskId::number((n % (next + 2)) as u64),
                        };
                        prop_assert_eq!(map.remove(task), model.remove(&task));
                    }
                }
                prop_assert_eq!(map.len(), model.len());
                let requested = TaskId::number(n as u64);
                prop_assert_eq!(map.get(requested), model.get(&requested));
                prop_assert!(map.tasks().eq(model.keys().copied()));
                prop_assert_eq!(map.first().map(|(task, _)| task), model.keys().next().copied());
                prop_assert!(map.halves().count() <= 2 + map.slots.len().max(2).ilog2() as usize);
                prop_assert_eq!(map.halves().next(), model.values().skip(1).next_back());
                prop_assert!(map.slots.len() <= 64 + 2 * map.len() + 1);
            }
        }
    }
}
