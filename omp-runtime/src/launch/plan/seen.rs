//! Cached verdicts of inspections that read data, for later launches with the same numbers.
//!
//! The verdict of such an inspection depends on the numbers of the launch and on the elements that it reads. If it reads none, it holds for
//! the numbers. Otherwise a copy of the arrays that it has read is kept, and a later launch compares them byte by byte: that takes a
//! tenth of an inspection, and is as certain. (A hash of them would not be certain: a collision would be a data race.)
//!
//! If arrays change from launch to launch, comparisons and copies are useless. So after each consecutive change, a
//! growing number of launches is not inspected.
use crate::data::section::Mapped;
use crate::host::loops::parallel;
use crate::host::loops::schedule::Schedule;
use crate::launch::site::lock;
use omp_ir::desc::TypeDesc;
use std::mem::MaybeUninit;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize};
use std::sync::{Arc, Mutex};

/// What inspections with the numbers of a launch have found.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Iterations access different elements whatever the arrays' values: the number of arrays with scattered writes, plus one. 0: unknown.
    always: AtomicU32,
    /// Contents of arrays with which iterations access different elements.
    contents: Mutex<Vec<Arc<Contents>>>,
    /// The number of consecutive launches with arrays at unknown addresses.
    strange: AtomicU32,
}

/// What is known before an inspection.
#[derive(Debug)]
pub(crate) enum Recalled {
    /// Iterations access different elements; the number of arrays with scattered writes.
    Apart(u32),
    /// Arrays, or their places, changed before the last launches, too, and are neither compared nor kept.
    Changing,
    /// Nothing is known. The contents at the same addresses, if there are some, are replaced.
    Unknown(Option<Arc<Contents>>),
}

/// Copies of arrays, with their numbers in the region and their addresses.
#[derive(Debug)]
pub(crate) struct Contents {
    copies: Vec<(usize, u128, Box<[u8]>)>,
    /// As in [`Recalled::Apart`].
    scattered: u32,
    /// The number of consecutive launches with other contents.
    changes: AtomicU32,
    /// The number of launches that will not compare.
    resting: AtomicU32,
}

/// The most sets of addresses with copies, such as those of the colours of a mesh.
const PLACES: usize = 64;
/// After so many consecutive launches with arrays at unknown addresses, only one in as many launches compares.
const STRANGE: u32 = 2 * PLACES as u32;
/// Bytes of all copies of the program, and how many there may be.
static KEPT: AtomicUsize = AtomicUsize::new(0);
const MOST_KEPT: usize = 1 << 28;
/// So many bytes are compared at a time; threads share more.
const PIECE: usize = 1 << 18;

impl Seen {
    /// What is known of arrays as they are now.
    ///
    /// # Safety
    /// The borrows behind the arrays last, and no other code writes those that inspections read.
    pub unsafe fn recall(&self, arrays: &[Mapped], threads: usize) -> Recalled {
        if let Some(scattered) = self.always.load(Relaxed).checked_sub(1) {
            return Recalled::Apart(scattered);
        }
        let found = lock(&self.contents).iter().find(|contents| contents.stood_in(arrays)).map(Arc::clone);
        let Some(contents) = found else {
            // Places that change with each launch are like contents that do.
            let before = self.strange.fetch_add(1, Relaxed);
            let rests = before >= STRANGE && !before.is_multiple_of(STRANGE);
            return if rests { Recalled::Changing } else { Recalled::Unknown(None) };
        };
        if contents.resting.fetch_update(Relaxed, Relaxed, |n| n.checked_sub(1)).is_ok() {
            return Recalled::Changing;
        }
        // SAFETY: by the caller.
        if unsafe { contents.are_in(arrays, threads) } {
            contents.changes.store(0, Relaxed);
            self.strange.store(0, Relaxed);
            Recalled::Apart(contents.scattered)
        } else {
            Recalled::Unknown(Some(contents))
        }
    }

    /// Keeps the contents of the arrays that were `read` (by number in the region), with which iterations access different elements, and
    /// the number of arrays with scattered writes. `instead`: the contents that these replace.
    ///
    /// # Safety
    /// As for [`Self::recall`]; the types are those of the arrays.
    pub unsafe fn keep(
        &self,
        (arrays, types): (&[Mapped], &[Option<&TypeDesc>]),
        (read, scattered): (&[usize], u32),
        instead: Option<&Arc<Contents>>,
    ) {
        if read.is_empty() {
            return self.always.store(scattered + 1, Relaxed);
        }
        let changes = instead.map_or(0, |before| before.changes.load(Relaxed) + 1);
        if let Some(before) = instead {
            lock(&self.contents).retain(|contents| !Arc::ptr_eq(contents, before));
        }
        // SAFETY: by the caller.
        let Some(contents) = (unsafe { Contents::copied((arrays, types), (read, scattered), changes) })
        else {
            return;
        };
        let mut all = lock(&self.contents);
        if all.len() >= PLACES {
            all.remove(0);
        }
        all.push(Arc::new(contents));
    }
}

/// The bytes of an array, none of which is padding.
///
/// # Safety
/// The borrow behind it lasts for `'a`, no other code writes it meanwhile, and values of its type have no padding.
unsafe fn bytes<'a>(mapped: &Mapped) -> &'a [u8] {
    // SAFETY: by the caller.
    let bytes: &'a [MaybeUninit<u8>] = unsafe { mapped.array.bytes(0, mapped.array.len() as u64) };
    // SAFETY: every byte is one of a number, by the caller.
    unsafe { std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len()) }
}

impl Contents {
    /// Copies; `None` if some array can't be compared, or if it is too large.
    ///
    /// # Safety
    /// As for [`Seen::keep`].
    unsafe fn copied(
        (arrays, types): (&[Mapped], &[Option<&TypeDesc>]),
        (read, scattered): (&[usize], u32),
        changes: u32,
    ) -> Option<Self> {
        let mut all = 0usize;
        for &k in read {
            let array = &arrays.get(k)?.array;
            types.get(k)?.filter(|ty| ty.is_dense() && ty.size() == Some(array.elem()))?;
            all = all.checked_add(array.bytes_of(0, array.len() as u64))?;
        }
        let fits = |kept: usize| kept.checked_add(all).filter(|kept| *kept <= MOST_KEPT);
        KEPT.fetch_update(Relaxed, Relaxed, fits).ok()?;
        let copy = |&k: &usize| {
            let mapped = &arrays[k];
            // SAFETY: by the caller; the type has no padding (checked).
            (k, mapped.array.address(0), unsafe { bytes(mapped) }.into())
        };
        let resting = AtomicU32::new((2 << changes.min(4)) - 2);
        let changes = AtomicU32::new(changes);
        Some(Self { copies: read.iter().map(copy).collect(), scattered, changes, resting })
    }

    /// Whether they were copied from arrays in these places.
    fn stood_in(&self, arrays: &[Mapped]) -> bool {
        self.copies.iter().all(|(k, address, copy)| {
            let array = &arrays[*k].array;
            array.address(0) == *address && array.bytes_of(0, array.len() as u64) == copy.len()
        })
    }

    /// Whether arrays hold the same.
    ///
    /// # Safety
    /// As for [`Seen::recall`].
    unsafe fn are_in(&self, arrays: &[Mapped], threads: usize) -> bool {
        self.copies.iter().all(|(k, _, copy)| {
            // SAFETY: by the caller; the copy was made of a type without padding, which is that of the region's array.
            let now = unsafe { bytes(&arrays[*k]) };
            now.len() == copy.len() && equal(now, copy, threads)
        })
    }
}

impl Drop for Contents {
    fn drop(&mut self) {
        KEPT.fetch_sub(self.copies.iter().map(|(_, _, copy)| copy.len()).sum(), Relaxed);
    }
}

/// Whether bytes are equal.
fn equal(one: &[u8], other: &[u8], threads: usize) -> bool {
    if one.len() <= 2 * PIECE || threads == 1 {
        return one == other;
    }
    let differ = AtomicBool::new(false);
    let pieces = |from: u64, to: u64| {
        for at in from..to {
            let at = at as usize * PIECE;
            let end = (at + PIECE).min(one.len());
            if !differ.load(Relaxed) && one[at..end] != other[at..end] {
                differ.store(true, Relaxed);
            }
        }
    };
    parallel::for_each(Schedule::Dynamic(1), one.len().div_ceil(PIECE) as u64, threads, &pieces);
    !differ.into_inner()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::array::HostArray;
    use omp_ir::desc::Prim;

    const WORD: Option<&TypeDesc> = Some(&TypeDesc::Prim(Prim::U32));

    fn recall(seen: &Seen, arrays: &[Mapped]) -> Recalled {
        // SAFETY: the arrays live on, and no code writes them.
        unsafe { seen.recall(arrays, 2) }
    }

    fn keep(seen: &Seen, arrays: &[Mapped], read: &[usize], instead: Option<&Arc<Contents>>) {
        // SAFETY: as above; they are of 32 bits.
        unsafe { seen.keep((arrays, &[WORD; 2]), (read, 3), instead) };
    }

    fn mapped(array: &[u32]) -> Mapped {
        Mapped::whole(HostArray::read(array).raw())
    }

    #[test]
    fn only_what_was_read_counts_and_all_of_it() {
        let seen = Seen::default();
        let n = if cfg!(miri) { 3 } else { 3 * PIECE / 4 + 1 };
        let (mut x, mut y) = (vec![5u32; n], vec![7u32; 2]);
        assert!(matches!(recall(&seen, &[mapped(&x), mapped(&y)]), Recalled::Unknown(None)));
        keep(&seen, &[mapped(&x), mapped(&y)], &[0], None);
        y[0] = 8;
        assert!(matches!(recall(&seen, &[mapped(&x), mapped(&y)]), Recalled::Apart(3)));
        // Each piece is compared.
        for at in [0, n / 2, n - 1] {
            x[at] = 4;
            assert!(matches!(recall(&seen, &[mapped(&x), mapped(&y)]), Recalled::Unknown(Some(_))), "{at}");
            x[at] = 5;
            assert!(matches!(recall(&seen, &[mapped(&x), mapped(&y)]), Recalled::Apart(3)), "{at}");
        }
        // The same contents elsewhere are others.
        let other = x.clone();
        assert!(matches!(recall(&seen, &[mapped(&other), mapped(&y)]), Recalled::Unknown(None)));
        // A verdict that read no array holds for all values of the arrays.
        keep(&seen, &[mapped(&x), mapped(&y)], &[], None);
        assert!(matches!(recall(&seen, &[mapped(&y), mapped(&other)]), Recalled::Apart(3)));
    }

    #[test]
    fn arrays_that_change_rest() {
        let seen = Seen::default();
        let mut x = vec![0u32; 4];
        keep(&seen, &[mapped(&x)], &[0], None);
        let mut rests = Vec::new();
        for turn in 1..9 {
            x[1] = turn;
            let mut rested = 0;
            let before = loop {
                match recall(&seen, &[mapped(&x)]) {
                    Recalled::Changing => rested += 1,
                    Recalled::Unknown(before) => break before,
                    Recalled::Apart(_) => panic!("it has changed"),
                }
            };
            rests.push(rested);
            keep(&seen, &[mapped(&x)], &[0], before.as_ref());
        }
        assert_eq!(rests, [0, 2, 6, 14, 30, 30, 30, 30]);
        while matches!(recall(&seen, &[mapped(&x)]), Recalled::Changing) {}
        assert!(matches!(recall(&seen, &[mapped(&x)]), Recalled::Apart(3)));
        // It has lasted, so the next change is the first one.
        x[0] = 1;
        let Recalled::Unknown(before) = recall(&seen, &[mapped(&x)]) else { panic!("it has changed") };
        keep(&seen, &[mapped(&x)], &[0], before.as_ref());
        x[0] = 2;
        assert!(matches!(recall(&seen, &[mapped(&x)]), Recalled::Changing));
    }

    #[test]
    fn what_has_padding_or_no_room_is_not_kept() {
        let seen = Seen::default();
        let x = [1u32; 3];
        let arrays = [mapped(&x), mapped(&x)];
        // SAFETY: as above.
        unsafe { seen.keep((&arrays, &[WORD, None]), (&[0, 1], 0), None) };
        assert!(matches!(recall(&seen, &arrays), Recalled::Unknown(None)));
        let places: Vec<[u32; 1]> = (0..PLACES as u32 + 1).map(|k| [k]).collect();
        for place in &places {
            keep(&seen, &[mapped(place)], &[0], None);
        }
        assert!(matches!(recall(&seen, &[mapped(&places[0])]), Recalled::Unknown(None)));
        assert!(
            places[1..].iter().all(|place| matches!(recall(&seen, &[mapped(place)]), Recalled::Apart(3)))
        );
        let strange: Vec<u32> = vec![0; 3 * STRANGE as usize];
        let looked =
            strange.chunks(1).filter(|place| matches!(recall(&seen, &[mapped(place)]), Recalled::Unknown(_)));
        assert_eq!(looked.count(), STRANGE as usize + 2);
    }
}
