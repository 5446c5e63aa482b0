//! What stands for the data of tasks until somebody waits.
//!
//! A guard holds the only borrow of its data (or a shared one, of what is only read meanwhile). References that it gives
//! out borrow it in turn, and a task needs it for itself ([`TaskArray::task_write`]): so no reference from before a task
//! lives on beside the task's results.
use super::scope::{Tasks, raise};
use crate::error::Error;
use std::ops::{Deref, DerefMut};

/// Something that tasks use.
pub trait Guarded {
    /// The guard's number in its scope.
    fn number(&self) -> u64;
}

macro_rules! guarded {
    ($($guard:ident)*) => { $(
        impl<T> Guarded for $guard<'_, '_, T> {
            fn number(&self) -> u64 {
                self.number
            }
        }

        impl<T> $guard<'_, '_, T> {
            /// Waits for the tasks that change it, or (`write`) for all that use it.
            ///
            /// # Panics
            /// With the text of their first failure.
            #[track_caller]
            pub fn wait(&self, write: bool) {
                raise(self.try_wait(write));
            }

            /// Waits for the tasks that change it, or (`write`) for all that use it.
            ///
            /// # Errors
            /// Their first failure.
            pub fn try_wait(&self, write: bool) -> Result<(), Error> {
                self.tasks.try_settle(&[(self, write)])
            }
        }

        impl<T> Drop for $guard<'_, '_, T> {
            fn drop(&mut self) {
                self.tasks.touch(self.number, true, true);
            }
        }
    )* };
}
guarded!(TaskArray TaskShared TaskValue);

/// An array that tasks or the host change.
#[derive(Debug)]
pub struct TaskArray<'t, 'a, T> {
    tasks: &'t Tasks,
    number: u64,
    array: &'a mut [T],
}

impl<'t, 'a, T> TaskArray<'t, 'a, T> {
    /// Takes the borrow.
    #[must_use]
    pub fn new(tasks: &'t Tasks, array: &'a mut [T]) -> Self {
        Self { tasks, number: tasks.guard(), array }
    }

    /// The number of elements: no task changes it.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "generated code has no use for it")]
    pub const fn len(&self) -> usize {
        self.array.len()
    }

    /// For a task that may change it.
    #[must_use]
    pub const fn task_write(&mut self) -> &mut [T] {
        self.array
    }

    /// For a task that reads it.
    #[must_use]
    pub const fn task_read(&self) -> &[T] {
        self.array
    }
}

impl<T> Deref for TaskArray<'_, '_, T> {
    type Target = [T];

    #[track_caller]
    fn deref(&self) -> &[T] {
        self.tasks.touch(self.number, false, false);
        self.array
    }
}

impl<T> DerefMut for TaskArray<'_, '_, T> {
    #[track_caller]
    fn deref_mut(&mut self) -> &mut [T] {
        self.tasks.touch(self.number, true, false);
        self.array
    }
}

/// An array that nobody changes while tasks read it: the host may go on reading it by its own name.
#[derive(Debug)]
pub struct TaskShared<'t, 'a, T> {
    tasks: &'t Tasks,
    number: u64,
    #[allow(dead_code, reason = "held, so that nobody changes or frees it")]
    array: &'a [T],
}

impl<'t, 'a, T> TaskShared<'t, 'a, T> {
    /// Takes the borrow.
    #[must_use]
    pub fn new(tasks: &'t Tasks, array: &'a [T]) -> Self {
        Self { tasks, number: tasks.guard(), array }
    }
}

/// A variable that tasks reduce or map.
#[derive(Debug)]
pub struct TaskValue<'t, 'a, T> {
    tasks: &'t Tasks,
    number: u64,
    value: &'a mut T,
}

impl<'t, 'a, T> TaskValue<'t, 'a, T> {
    /// Takes the borrow.
    #[must_use]
    pub fn new(tasks: &'t Tasks, value: &'a mut T) -> Self {
        Self { tasks, number: tasks.guard(), value }
    }
}

impl<T: Copy> TaskValue<'_, '_, T> {
    /// For a task that starts from it.
    #[must_use]
    pub const fn task_value(&self) -> T {
        *self.value
    }

    /// What a task made of it.
    pub const fn task_put(&mut self, value: T) {
        *self.value = value;
    }
}

impl<T> Deref for TaskValue<'_, '_, T> {
    type Target = T;

    #[track_caller]
    fn deref(&self) -> &T {
        self.tasks.touch(self.number, false, false);
        self.value
    }
}

impl<T> DerefMut for TaskValue<'_, '_, T> {
    #[track_caller]
    fn deref_mut(&mut self) -> &mut T {
        self.tasks.touch(self.number, true, false);
        self.value
    }
}
