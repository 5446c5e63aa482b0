//! The present table of a device: which host memory stands in its memory because a data directive put it there.
//!
//! An entry remembers the address, the length and the *type* of what it holds. Addresses are numbers here and never
//! dereferenced: whoever copies brings a borrow of its own. So memory that was freed while entered, and used again, is
//! at worst an entry that does not fit (an error) or an old value of the right type; no copy goes astray.
//!
//! * Entries are disjoint in host addresses. A lookup fits when all of it lies in one entry of its type, on an
//!   element's boundary. What overlaps entries in any other way is an error, which shows the table.
//! * A row counts the references of directives. When the last is dropped, or by `delete`, the row goes; the device
//!   memory goes with the last [`Arc`], so work under way keeps what it uses.
//! * Directives of one device take turns ([`Table::turn`]), so that an entry is seen only with its contents. Lookups of
//!   regions wait for no transfer.
use super::array::{Elem, RawArray};
use super::section::Mapped;
use crate::backend::erased::DynBuffer;
use crate::device::Dev;
use crate::error::{Error, Lookup, Mapping, Place, PresentRow};
use crate::launch::site::lock;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Host memory that stands on the device.
#[derive(Debug)]
pub struct Entry {
    /// As the user wrote it.
    pub variable: String,
    /// Of the directive that made it.
    pub place: &'static Place,
    elem: Elem,
    /// The address of the first byte.
    lo: u128,
    bytes: u128,
    /// Which element of the array that was mapped stands first.
    first: u64,
    /// The device memory.
    pub buffer: DynBuffer,
    /// A kernel has written to it.
    written: AtomicBool,
    /// It holds values: the host's, or a kernel's.
    filled: AtomicBool,
}

impl Entry {
    /// For the section of `mapped`; what stands in `buffer` is its contents if it is `filled`.
    #[must_use]
    pub fn new(
        variable: &str,
        place: &'static Place,
        mapped: &Mapped,
        buffer: DynBuffer,
        filled: bool,
    ) -> Self {
        let (lo, hi) = range(mapped);
        Self {
            variable: variable.to_owned(),
            place,
            elem: *mapped.array.holds(),
            lo,
            bytes: hi - lo,
            first: mapped.section.0,
            buffer,
            written: AtomicBool::new(false),
            filled: AtomicBool::new(filled),
        }
    }

    fn hi(&self) -> u128 {
        self.lo + self.bytes
    }

    /// How far behind the start of the buffer element `i` of an array stands, in bytes.
    ///
    /// # Panics
    /// When it stands before it.
    #[must_use]
    pub fn offset(&self, array: &RawArray, i: u64) -> usize {
        let bytes = array.address(i).checked_sub(self.lo).expect("the entry holds the element");
        usize::try_from(bytes).expect("device memory is no larger than the host's")
    }

    /// The element of an array, maybe before its first, that stands at the start of the buffer.
    #[must_use]
    pub fn origin(&self, array: &RawArray) -> i64 {
        let elem = array.elem() as u128;
        let (array, elements) =
            (array.address(0), |bytes: u128| i64::try_from(bytes / elem).unwrap_or(i64::MAX));
        if array >= self.lo { -elements(array - self.lo) } else { elements(self.lo - array) }
    }

    /// All its elements as those of an array, if that has them.
    #[must_use]
    pub fn elements_of(&self, array: &RawArray) -> Option<(u64, u64)> {
        let elem = array.elem() as u128;
        let lo = self.lo.checked_sub(array.address(0))?;
        let hi = lo + self.bytes;
        let inside = self.hi() <= array.address(array.len() as u64);
        (inside && self.elem == *array.holds() && lo.is_multiple_of(elem))
            .then(|| ((lo / elem) as u64, (hi / elem) as u64))
    }

    /// Whether it is exactly this section.
    #[must_use]
    pub fn is(&self, mapped: &Mapped) -> bool {
        (self.lo, self.hi()) == range(mapped) && self.elem == *mapped.array.holds()
    }

    /// A kernel is about to write to it.
    pub fn write(&self) {
        self.written.store(true, Ordering::Relaxed);
    }

    /// A kernel has written to it.
    #[must_use]
    pub fn is_written(&self) -> bool {
        self.written.load(Ordering::Relaxed)
    }

    /// It got the host's values, or a kernel has written all of it.
    pub fn fill(&self) {
        self.filled.store(true, Ordering::Relaxed);
    }

    /// It holds values.
    #[must_use]
    pub fn is_filled(&self) -> bool {
        self.filled.load(Ordering::Relaxed)
    }

    /// Its elements, for messages.
    #[must_use]
    pub fn mapping(&self) -> Mapping {
        let size = self.elem.size.max(1) as u128;
        let elements = (self.first, self.first + (self.bytes / size) as u64);
        Mapping { variable: self.variable.clone(), elements, bytes: self.bytes as u64 }
    }

    fn row(&self, references: u64) -> PresentRow {
        let size = self.elem.size.max(1) as u128;
        PresentRow {
            variable: self.variable.clone(),
            elements: (self.first, self.first + (self.bytes / size) as u64),
            of: self.elem.name,
            addresses: (self.lo, self.hi()),
            references,
            place: self.place,
        }
    }
}

/// The host addresses of a section.
#[must_use]
pub fn range(mapped: &Mapped) -> (u128, u128) {
    let (lo, hi) = mapped.section;
    (mapped.array.address(lo), mapped.array.address(hi))
}

/// Why a lookup found nothing to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misfit {
    /// Some of it is present, but not all, or not in one piece.
    Partly,
    /// It is present as elements of another type.
    OtherType,
}

impl Misfit {
    /// The error.
    #[must_use]
    pub fn error(self, place: &'static Place, device: &Dev, variable: &str, mapped: &Mapped) -> Error {
        let (device, lookup) = (device.label(), asked(device, variable, mapped));
        match self {
            Self::Partly => Error::PartlyPresent { place, device, lookup },
            Self::OtherType => Error::OtherType { place, device, lookup },
        }
    }
}

/// What is looked up, with the table.
pub fn asked(device: &Dev, variable: &str, mapped: &Mapped) -> Box<Lookup> {
    Box::new(Lookup {
        variable: variable.to_owned(),
        elements: mapped.section,
        of: mapped.array.holds().name,
        addresses: range(mapped),
        table: device.present.list(),
    })
}

/// What a lookup found.
#[derive(Debug, Clone)]
pub enum Found {
    /// All of it.
    Here(Arc<Entry>),
    /// Nothing. No elements are never there, and never needed.
    Absent,
    /// Something else.
    Misfit(Misfit),
}

/// Looks a section up among entries that overlap it.
fn judge<'a>(entries: impl Iterator<Item = &'a Arc<Entry>>, mapped: &Mapped) -> Found {
    let (lo, hi) = range(mapped);
    let mut found = Found::Absent;
    for entry in entries.filter(|e| lo < hi && e.lo < hi && lo < e.hi()) {
        let inside = entry.lo <= lo && hi <= entry.hi();
        let aligned = lo.abs_diff(entry.lo).is_multiple_of(entry.elem.size.max(1) as u128);
        found = if entry.elem != *mapped.array.holds() || !aligned {
            Found::Misfit(Misfit::OtherType)
        } else if inside {
            Found::Here(Arc::clone(entry))
        } else {
            Found::Misfit(Misfit::Partly)
        };
        if !matches!(found, Found::Misfit(Misfit::Partly)) {
            break;
        }
    }
    found
}

/// Looks a section up in a list of entries.
#[must_use]
pub fn find_in(entries: &[Arc<Entry>], mapped: &Mapped) -> Found {
    judge(entries.iter(), mapped)
}

#[derive(Debug)]
struct Row {
    entry: Arc<Entry>,
    references: u64,
}

/// The present table of one device.
#[derive(Debug, Default)]
pub struct Table {
    /// By the address of their first byte.
    rows: Mutex<BTreeMap<u128, Row>>,
    turn: Mutex<()>,
}

impl Table {
    /// Waits until no other directive is at work on this device.
    pub fn turn(&self) -> MutexGuard<'_, ()> {
        lock(&self.turn)
    }

    /// Looks a section up.
    #[must_use]
    pub fn find(&self, mapped: &Mapped) -> Found {
        let rows = lock(&self.rows);
        let hi = range(mapped).1;
        let lo = range(mapped).0;
        let before = rows.range(..hi).rev().map(|(_, row)| &row.entry);
        judge(before.take_while(|e| lo < e.hi()), mapped)
    }

    /// Nothing is present.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        lock(&self.rows).is_empty()
    }

    /// Publishes an entry with one reference. The caller has its turn, and found nothing there.
    pub fn publish(&self, entry: Arc<Entry>) {
        let before = lock(&self.rows).insert(entry.lo, Row { entry, references: 1 });
        debug_assert!(before.is_none(), "entries are disjoint");
    }

    /// One reference more; `false` if the entry is not in the table any more.
    #[must_use]
    pub fn retain(&self, entry: &Arc<Entry>) -> bool {
        self.with(entry, |row| row.references += 1).is_some()
    }

    /// How many references there are; 0 if the entry is not in the table any more.
    #[must_use]
    pub fn references(&self, entry: &Arc<Entry>) -> u64 {
        self.with(entry, |row| row.references).unwrap_or(0)
    }

    /// One reference less; the last takes the entry out of the table. Nothing happens if it is not in it.
    pub fn release(&self, entry: &Arc<Entry>) {
        if self.with(entry, |row| row.references -= 1).is_some() && self.references(entry) == 0 {
            self.delete(entry);
        }
    }

    /// Takes an entry out of the table, whatever its references.
    pub fn delete(&self, entry: &Arc<Entry>) {
        if self.with(entry, |_| ()).is_some() {
            // The memory is freed when the lock is not held.
            let row = lock(&self.rows).remove(&entry.lo);
            drop(row);
        }
    }

    fn with<R>(&self, entry: &Arc<Entry>, f: impl FnOnce(&mut Row) -> R) -> Option<R> {
        let mut rows = lock(&self.rows);
        rows.get_mut(&entry.lo).filter(|row| Arc::ptr_eq(&row.entry, entry)).map(f)
    }

    /// The whole table, by address.
    #[must_use]
    pub fn list(&self) -> Vec<PresentRow> {
        lock(&self.rows).values().map(|row| row.entry.row(row.references)).collect()
    }
}
