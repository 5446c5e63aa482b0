//! Guards, which replace the data of tasks until the wait.
//!
//! A guard holds the only borrow of its data (or a shared borrow, if the data is only read), as a pointer. All references are
//! derived from the pointer when they are needed, so a task that writes through the pointer invalidates no reference.
//!
//! A guard must be dropped at the end of its borrow, because the drop waits. So an `unsafe` function makes it, in a variable that
//! no token of the user names. User code gets a reference to the guard, of an unsized type ([`Kept`]): the reference can be
//! forgotten or moved like any other, and can't be used to swap two guards.
use super::scope::{TaskScope, raise};
use crate::data::HostArray;
use crate::error::Error;
use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

/// What a task does with the data of a guard.
#[derive(Debug, Clone, Copy)]
pub struct Used {
    /// The guard's number in its scope.
    pub(crate) guard: usize,
    /// It may change it.
    pub(crate) writes: bool,
    /// The data's memory, through the guard's borrow.
    pub(crate) root: *mut MaybeUninit<u8>,
    /// How much it is.
    pub(crate) bytes: usize,
}

/// Something that tasks use.
pub trait Guarded {
    /// For a task, or for a wait.
    fn used(&self, writes: bool) -> Used;
}

/// The tail of a guard as it is made.
pub type Made = [(); 0];

/// The tail of a guard behind a reference: it has no size that is known, and can't be swapped, replaced or taken.
pub type Kept = [()];

macro_rules! guarded {
    ($($guard:ident)*) => { $(
        impl<T, K: ?Sized> Guarded for $guard<'_, '_, T, K> {
            fn used(&self, writes: bool) -> Used {
                Used { guard: self.number, writes, root: self.root.cast(), bytes: self.len * size_of::<T>() }
            }
        }

        impl<T, K: ?Sized> $guard<'_, '_, T, K> {
            /// Waits for the tasks that change it, or (`writes`) for all that use it.
            ///
            /// # Panics
            /// With the text of their first failure.
            #[track_caller]
            pub fn wait(&self, writes: bool) {
                raise(self.try_wait(writes));
            }

            /// Waits for the tasks that change it, or (`writes`) for all that use it.
            ///
            /// # Errors
            /// Their first failure.
            pub fn try_wait(&self, writes: bool) -> Result<(), Error> {
                self.tasks.try_settle(&[self.used(writes)])
            }

            /// Its address, length and the size of an element.
            #[must_use]
            pub fn extent(&self) -> (usize, usize, usize) {
                (self.root.addr(), self.len, size_of::<T>())
            }
        }

        impl<T, K: ?Sized> Drop for $guard<'_, '_, T, K> {
            fn drop(&mut self) {
                self.tasks.touch(self.number, true, true);
                self.tasks.gone(self.number);
            }
        }

        impl<T, K: ?Sized> fmt::Debug for $guard<'_, '_, T, K> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({})", stringify!($guard), self.number)
            }
        }
    )* };
}
guarded!(TaskArray TaskShared TaskValue);

/// Ends a guard: waits.
pub fn ended<G>(_: G) {}

/// The value of guarded names in the trial expansion of a macro that takes them. It has no uses.
pub struct OmpE0407UsedByTasks;

/// An array that tasks or the host change.
pub struct TaskArray<'t, 'a, T, K: ?Sized = Kept> {
    tasks: &'t TaskScope,
    number: usize,
    root: *mut T,
    len: usize,
    borrow: PhantomData<&'a mut [T]>,
    _kept: K,
}

impl<'t, 'a, T> TaskArray<'t, 'a, T, Made> {
    /// Takes the borrow.
    ///
    /// # Safety
    /// The guard is dropped before the borrow ends: it is not forgotten.
    #[must_use]
    pub unsafe fn new(tasks: &'t TaskScope, array: &'a mut [T]) -> Self {
        let (root, len) = (array.as_mut_ptr(), array.len());
        Self { tasks, number: tasks.guard(), root, len, borrow: PhantomData, _kept: [] }
    }
}

impl<T, K: ?Sized> TaskArray<'_, '_, T, K> {
    /// The number of elements: no task changes it.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "generated code has no use for it")]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// For a task that may change it.
    #[must_use]
    pub const fn task_write(&mut self) -> HostArray<'_, T> {
        HostArray::rooted(self.root, self.len, true)
    }

    /// For a task that reads it.
    #[must_use]
    pub const fn task_read(&self) -> HostArray<'_, T> {
        HostArray::rooted(self.root, self.len, false)
    }

    /// The stand-in for the array while a task is launched: other tasks may be writing its elements, so there is no reference to them.
    #[must_use]
    pub const fn task_type(&mut self) -> &[Untouched<T>] {
        // SAFETY: elements without a size take no memory.
        unsafe { std::slice::from_raw_parts(NonNull::dangling().as_ptr(), self.len) }
    }

    /// The type of its elements.
    #[must_use]
    pub const fn task_elem(&self) -> PhantomData<T> {
        PhantomData
    }
}

/// An element that must not be read: tasks may be writing it. A slice of these has the length of the array, and of its
/// methods those of a slice before any trait's of the user's: it is found at the type of the variable itself.
pub struct Untouched<T>(PhantomData<fn() -> T>);

shows_name!([T] Untouched<T>, "Untouched");

/// The array that [`TaskArray::task_type`] stands for, for code that never runs.
///
/// # Panics
/// Always.
#[must_use]
#[allow(clippy::mut_from_ref, reason = "it gives none")]
pub fn task_never<T>(_: &[Untouched<T>]) -> &mut [T] {
    unreachable!("a typing copy does not run")
}

impl<T, K: ?Sized> Deref for TaskArray<'_, '_, T, K> {
    type Target = [T];

    #[track_caller]
    fn deref(&self) -> &[T] {
        self.tasks.touch(self.number, false, false);
        // SAFETY: the guard's borrow; no task is under way that will write it, and one that may needs the guard
        // exclusively.
        unsafe { std::slice::from_raw_parts(self.root, self.len) }
    }
}

impl<T, K: ?Sized> DerefMut for TaskArray<'_, '_, T, K> {
    #[track_caller]
    fn deref_mut(&mut self) -> &mut [T] {
        self.tasks.touch(self.number, true, false);
        // SAFETY: as in `deref`.
        unsafe { std::slice::from_raw_parts_mut(self.root, self.len) }
    }
}

/// An array that no code changes while tasks read it: the host may go on reading it by its own name.
pub struct TaskShared<'t, 'a, T, K: ?Sized = Kept> {
    tasks: &'t TaskScope,
    number: usize,
    /// Never written through.
    root: *mut T,
    len: usize,
    borrow: PhantomData<&'a [T]>,
    _kept: K,
}

impl<'t, 'a, T> TaskShared<'t, 'a, T, Made> {
    /// Takes the borrow.
    ///
    /// # Safety
    /// The guard is dropped before the borrow ends: it is not forgotten.
    #[must_use]
    pub unsafe fn new(tasks: &'t TaskScope, array: &'a [T]) -> Self {
        let (root, len) = (array.as_ptr().cast_mut(), array.len());
        Self { tasks, number: tasks.guard(), root, len, borrow: PhantomData, _kept: [] }
    }
}

/// A variable that tasks reduce or map.
pub struct TaskValue<'t, 'a, T, K: ?Sized = Kept> {
    tasks: &'t TaskScope,
    number: usize,
    root: *mut T,
    len: usize,
    /// A copy of what it held at first.
    first: MaybeUninit<T>,
    borrow: PhantomData<&'a mut T>,
    _kept: K,
}

impl<'t, 'a, T> TaskValue<'t, 'a, T, Made> {
    /// Takes the borrow.
    ///
    /// # Safety
    /// The guard is dropped before the borrow ends: it is not forgotten.
    #[must_use]
    pub unsafe fn new(tasks: &'t TaskScope, value: &'a mut T) -> Self {
        // SAFETY: `MaybeUninit` may hold any bytes; it is read for types that are `Copy`.
        let first = unsafe { std::ptr::from_ref(value).cast::<MaybeUninit<T>>().read() };
        let root: *mut T = value;
        Self { tasks, number: tasks.guard(), root, len: 1, first, borrow: PhantomData, _kept: [] }
    }
}

impl<T: Copy, K: ?Sized> TaskValue<'_, '_, T, K> {
    /// Its value.
    #[must_use]
    #[track_caller]
    pub fn task_value(&self) -> T {
        **self
    }

    /// A value, for code that uses only its type.
    #[must_use]
    pub const fn task_type(&self) -> T {
        // SAFETY: it was copied from a value.
        unsafe { self.first.assume_init() }
    }

    /// What a task made of it.
    pub const fn task_put(&mut self, value: T) {
        // SAFETY: the guard's borrow, and no reference is given out while the guard is borrowed exclusively.
        unsafe { *self.root = value }
    }

    /// For a task that may change it, as an array of one element.
    #[must_use]
    pub const fn task_write(&mut self) -> HostArray<'_, T> {
        HostArray::rooted(self.root, 1, true)
    }

    /// For a task that reads it, as an array of one element.
    #[must_use]
    pub const fn task_read(&self) -> HostArray<'_, T> {
        HostArray::rooted(self.root, 1, false)
    }

    /// For the end of a task.
    #[must_use]
    pub const fn slot(&mut self) -> Slot<T> {
        Slot(self.root)
    }
}

impl<T, K: ?Sized> Deref for TaskValue<'_, '_, T, K> {
    type Target = T;

    #[track_caller]
    fn deref(&self) -> &T {
        self.tasks.touch(self.number, false, false);
        // SAFETY: as for `TaskArray::deref`.
        unsafe { &*self.root }
    }
}

impl<T, K: ?Sized> DerefMut for TaskValue<'_, '_, T, K> {
    #[track_caller]
    fn deref_mut(&mut self) -> &mut T {
        self.tasks.touch(self.number, true, false);
        // SAFETY: as for `TaskArray::deref`.
        unsafe { &mut *self.root }
    }
}

/// A guarded variable, for a task that reduces it.
pub struct Slot<T>(*mut T);

// SAFETY: the code that uses the value ensures that no other code does.
unsafe impl<T: Send> Send for Slot<T> {}

impl<T> Clone for Slot<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Slot<T> {}

shows_name!([T] Slot<T>, "Slot");

impl<T: Copy> Slot<T> {
    /// What the variable holds.
    ///
    /// # Safety
    /// The guard that it is of lives, and no other code changes the variable meanwhile.
    #[must_use]
    pub const unsafe fn get(self) -> T {
        // SAFETY: by the caller.
        unsafe { *self.0 }
    }

    /// Puts a value into the variable.
    ///
    /// # Safety
    /// As for [`Self::change`].
    pub const unsafe fn put(self, value: T) {
        // SAFETY: by the caller.
        unsafe { *self.0 = value }
    }

    /// What changes the variable, with its type.
    pub const fn changing<F: FnOnce(&mut T)>(&self, change: F) -> F {
        change
    }

    /// Changes the variable.
    ///
    /// # Safety
    /// The guard that it is of lives, and no reference that the guard gave out does.
    pub unsafe fn change(self, change: impl FnOnce(&mut T)) {
        // SAFETY: by the caller.
        let mut value = unsafe { *self.0 };
        // User code may run here: it sees a copy.
        change(&mut value);
        // SAFETY: by the caller.
        unsafe { *self.0 = value };
    }
}
