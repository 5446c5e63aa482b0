//! The present table of a device: the host memory that data directives have mapped.
//!
//! An entry has the address, the length and the *type* of its data. Addresses are numbers here and are never dereferenced: every
//! copy has a borrow of its own. So an entry of memory that was freed and reallocated either does not match (an error) or has
//! old values of the right type; no copy accesses freed memory.
//!
//! * A lookup matches if it lies in one entry of its type, on an element's boundary, or in several entries that share their
//!   memory, without a gap. Any other overlap with entries is an error, which shows the table.
//! * A lookup that *only reads* ignores entries of other threads that no kernel has written, because the host's copy has the same
//!   values. A plain region makes a copy of its own, and a data directive an additional entry. (Other entries are disjoint in
//!   host addresses.) No thread waits for another.
//! * An entry has a [`Hold`] for each reference of a directive, with its thread and range. The entry goes with its last hold.
//!   `delete` drops the holds of its thread; those of other threads stay. The device memory goes with the last [`Arc`], so work
//!   under way keeps the memory that it uses.
//! * Directives of one device are serialised ([`Table::turn`]), so an entry is visible only with its contents. Lookups of regions
//!   wait for no transfer.
use super::array::{Elem, RawArray};
use super::block::Block;
use super::section::Mapped;
use crate::device::Dev;
use crate::error::{Error, Lookup, Mapping, Place, PresentRow, Wanted};
use crate::launch::site::lock;
use rangemap::RangeSet;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::ThreadId;

/// Host memory with a copy on the device.
///
/// Its values are not there from the start: `map(from)` and `map(alloc)` begin without. What a region touches before
/// anything was copied or written there, it copies first, from its own borrow of the host's array. So the device never
/// reads uninitialised memory, and only what has a value comes back.
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
    /// The first element, counted in the array that was mapped.
    first: u64,
    block: Arc<Block>,
    /// A kernel has written to it.
    written: AtomicBool,
    /// All of it has values; otherwise `filled` has the ranges with values.
    full: AtomicBool,
    /// The host addresses whose bytes hold values on the device: the host's, or a kernel's.
    filled: Mutex<RangeSet<u128>>,
}

impl Entry {
    /// For the section of `mapped`, without values.
    #[must_use]
    pub fn new(variable: &str, place: &'static Place, mapped: &Mapped, block: Arc<Block>) -> Self {
        let (lo, hi) = range(mapped);
        Self {
            variable: variable.to_owned(),
            place,
            elem: *mapped.array.holds(),
            lo,
            bytes: hi - lo,
            first: mapped.section.0,
            block,
            written: AtomicBool::new(false),
            full: AtomicBool::new(lo == hi),
            filled: Mutex::default(),
        }
    }

    /// The first host address and the one after the last.
    #[must_use]
    pub fn range(&self) -> (u128, u128) {
        (self.lo, self.hi())
    }

    fn hi(&self) -> u128 {
        self.lo + self.bytes
    }

    /// What of a range of addresses is its own; where `lo >= hi`, nothing is.
    #[must_use]
    pub fn clip(&self, lo: u128, hi: u128) -> (u128, u128) {
        (lo.max(self.lo), hi.min(self.hi()))
    }

    /// Its memory.
    #[must_use]
    pub fn block(&self) -> &Arc<Block> {
        &self.block
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

    /// These addresses got the host's values, or a kernel's. What is not its own is left out.
    pub fn fill(&self, lo: u128, hi: u128) {
        if self.full.load(Ordering::Acquire) {
            return;
        }
        let (lo, hi) = self.clip(lo, hi);
        if lo >= hi {
            return;
        }
        let mut filled = lock(&self.filled);
        filled.insert(lo..hi);
        if filled.gaps(&(self.lo..self.hi())).next().is_none() {
            self.full.store(true, Ordering::Release);
        }
    }

    /// Which of these addresses are its own and have no values.
    #[must_use]
    pub fn missing(&self, lo: u128, hi: u128) -> Vec<(u128, u128)> {
        if self.full.load(Ordering::Acquire) {
            return Vec::new();
        }
        let (lo, hi) = self.clip(lo, hi);
        if lo >= hi {
            return Vec::new();
        }
        lock(&self.filled).gaps(&(lo..hi)).map(|r| (r.start, r.end)).collect()
    }

    /// Which of these addresses are its own and have values.
    #[must_use]
    pub fn filled(&self, lo: u128, hi: u128) -> Vec<(u128, u128)> {
        let (lo, hi) = self.clip(lo, hi);
        if lo >= hi {
            return Vec::new();
        }
        lock(&self.filled).overlapping(&(lo..hi)).map(|r| (r.start.max(lo), r.end.min(hi))).collect()
    }

    /// Its elements, for messages.
    #[must_use]
    pub fn mapping(&self) -> Mapping {
        let size = self.elem.size.max(1) as u128;
        let elements = (self.first, self.first + (self.bytes / size) as u64);
        Mapping { variable: self.variable.clone(), elements, bytes: self.bytes as u64 }
    }

    fn row(&self, references: u64) -> PresentRow {
        PresentRow {
            variable: self.variable.clone(),
            elements: self.mapping().elements,
            of: self.elem.name,
            addresses: self.range(),
            references,
            place: self.place,
        }
    }
}

/// Where a section is present: in one entry, or in several that share their memory.
#[derive(Debug, Clone)]
pub struct Presence {
    first: Arc<Entry>,
    more: Vec<Arc<Entry>>,
}

impl Presence {
    /// In one entry.
    #[must_use]
    pub fn of(entry: Arc<Entry>) -> Self {
        Self { first: entry, more: Vec::new() }
    }

    /// The entries.
    pub fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        std::iter::once(&self.first).chain(&self.more)
    }

    /// Their memory.
    #[must_use]
    pub fn block(&self) -> &Arc<Block> {
        &self.first.block
    }

    /// Both, if they share their memory.
    #[must_use]
    pub fn and(mut self, other: &Self) -> Option<Self> {
        let same = Arc::ptr_eq(self.block(), other.block());
        for entry in other.entries() {
            if !self.entries().any(|e| Arc::ptr_eq(e, entry)) {
                self.more.push(Arc::clone(entry));
            }
        }
        same.then_some(self)
    }

    /// Which of these addresses have no values.
    pub fn missing(&self, lo: u128, hi: u128) -> impl Iterator<Item = (&Arc<Entry>, (u128, u128))> {
        self.entries().flat_map(move |e| e.missing(lo, hi).into_iter().map(move |r| (e, r)))
    }

    /// The element of an array, maybe before its first one, at the start of the memory.
    #[must_use]
    pub fn origin(&self, array: &RawArray) -> i64 {
        let elem = array.elem() as u128;
        let elements = |bytes: u128| i64::try_from(bytes / elem).unwrap_or(i64::MAX);
        let (array, block) = (array.address(0), self.block().start());
        if array >= block { -elements(array - block) } else { elements(block - array) }
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
        let (device, lookup) = (device.label(), lookup_of(device, variable, mapped, Wanted::Map));
        match self {
            Self::Partly => Error::PartlyPresent { place, device, lookup },
            Self::OtherType => Error::OtherType { place, device, lookup },
        }
    }
}

/// What is looked up, with the table.
pub fn lookup_of(device: &Dev, variable: &str, mapped: &Mapped, wanted: Wanted) -> Box<Lookup> {
    let table = device.present.list();
    let rows = table.iter().map(|row| row.addresses.0..row.addresses.1);
    let there: RangeSet<u128> = rows.filter(|r| !r.is_empty()).collect();
    let (lo, hi) = range(mapped);
    let (first, size) = (mapped.array.address(0), mapped.array.elem().max(1) as u128);
    let element = |address: u128| ((address - first) / size) as u64;
    let all = lo..hi;
    let gaps = there.gaps(&all).filter(|gap| !gap.is_empty());
    let missing = gaps.map(|r| (element(r.start), element(r.end))).collect();
    Box::new(Lookup {
        variable: variable.to_owned(),
        elements: mapped.section,
        of: mapped.array.holds().name,
        addresses: range(mapped),
        missing,
        device: device.label(),
        wanted,
        table,
    })
}

/// What a lookup found.
#[derive(Debug, Clone)]
pub enum Found {
    /// All of it.
    Here(Presence),
    /// Nothing. No elements are never there, and never needed.
    Absent,
    /// Something else.
    Misfit(Misfit),
}

/// Looks a section up among entries that overlap it.
fn judge<'a>(entries: impl Iterator<Item = &'a Arc<Entry>>, mapped: &Mapped) -> Found {
    let (lo, hi) = range(mapped);
    let mut found: Option<Option<Presence>> = None;
    let mut covered = 0;
    for entry in entries.filter(|e| lo < hi && e.lo < hi && lo < e.hi()) {
        let aligned = lo.abs_diff(entry.lo).is_multiple_of(entry.elem.size.max(1) as u128);
        if entry.elem != *mapped.array.holds() || !aligned {
            return Found::Misfit(Misfit::OtherType);
        }
        let this = Presence::of(Arc::clone(entry));
        // Those that are only read may overlap.
        if entry.lo <= lo && hi <= entry.hi() {
            return Found::Here(this);
        }
        covered += hi.min(entry.hi()) - lo.max(entry.lo);
        found = Some(match found {
            None => Some(this),
            Some(before) => before.and_then(|before| before.and(&this)),
        });
    }
    match found {
        None => Found::Absent,
        // Those that share memory are disjoint.
        Some(Some(presence)) if covered == hi - lo => Found::Here(presence),
        Some(_) => Found::Misfit(Misfit::Partly),
    }
}

/// Looks a section up in a list of entries.
#[must_use]
pub fn find_in(entries: &[Arc<Entry>], mapped: &Mapped) -> Found {
    judge(entries.iter(), mapped)
}

/// A reference of a directive to an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold {
    /// Who runs the directive.
    thread: ThreadId,
    /// The host addresses that it names.
    range: (u128, u128),
    /// It is a data region's, which counts on the entry to its end.
    structured: bool,
}

impl Hold {
    /// One of this thread's.
    #[must_use]
    pub fn here(range: (u128, u128), structured: bool) -> Self {
        Self { thread: std::thread::current().id(), range, structured }
    }

    fn is_in(&self, (lo, hi): (u128, u128)) -> bool {
        self.range.0 < hi && lo < self.range.1
    }
}

#[derive(Debug)]
struct Row {
    entry: Arc<Entry>,
    /// Whose directive made the entry.
    maker: ThreadId,
    holds: Vec<Hold>,
}

impl Row {
    /// An entry of other threads that overlaps `range`, and that has the values of the host's copy.
    fn is_foreign(&self, me: ThreadId, range: (u128, u128)) -> bool {
        let others = self.maker != me || self.holds.iter().any(|hold| hold.thread != me);
        let own = self.holds.iter().any(|hold| hold.thread == me && hold.is_in(range));
        others && !own && !self.entry.is_written()
    }

    /// Drops the hold that is most like this one.
    fn drop(&mut self, hold: &Hold) {
        let like: [&dyn Fn(&Hold) -> bool; 4] = [
            &|one| one == hold,
            &|one| one.thread == hold.thread && one.structured == hold.structured,
            &|one| one.structured == hold.structured,
            &|_| true,
        ];
        if let Some(at) = like.iter().find_map(|like| self.holds.iter().rposition(like)) {
            self.holds.remove(at);
        }
    }
}

#[derive(Debug, Default)]
struct Rows {
    /// By the address of their first byte. They are disjoint.
    all: BTreeMap<u128, Row>,
    /// Those that overlap others: each is of arrays that its directives only read.
    additional: Vec<Row>,
}

impl Rows {
    fn overlapping(&self, (lo, hi): (u128, u128)) -> impl Iterator<Item = &Row> {
        let before =
            self.all.range(..hi).rev().map(|(_, row)| row).take_while(move |row| lo < row.entry.hi());
        before.chain(self.additional.iter().filter(move |row| row.entry.lo < hi && lo < row.entry.hi()))
    }

    fn of(&mut self, entry: &Arc<Entry>) -> Option<&mut Row> {
        let same = |row: &&mut Row| Arc::ptr_eq(&row.entry, entry);
        self.all.get_mut(&entry.lo).filter(same).or_else(|| self.additional.iter_mut().find(same))
    }

    fn take(&mut self, entry: &Arc<Entry>) -> Option<Row> {
        if self.all.get(&entry.lo).is_some_and(|row| Arc::ptr_eq(&row.entry, entry)) {
            return self.all.remove(&entry.lo);
        }
        let at = self.additional.iter().position(|row| Arc::ptr_eq(&row.entry, entry))?;
        Some(self.additional.swap_remove(at))
    }
}

/// The present table of one device.
#[derive(Debug, Default)]
pub struct Table {
    rows: Mutex<Rows>,
    /// How often entries came or went.
    version: AtomicU64,
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
        self.look(mapped, false)
    }

    /// Looks up a section that is only read: what other threads' directives have put in its way is not there.
    #[must_use]
    pub fn find_read(&self, mapped: &Mapped) -> Found {
        self.look(mapped, true)
    }

    /// Whether a kernel has written to an entry of these addresses.
    #[must_use]
    pub fn is_written(&self, range: (u128, u128)) -> bool {
        lock(&self.rows).overlapping(range).any(|row| row.entry.is_written())
    }

    fn look(&self, mapped: &Mapped, reads: bool) -> Found {
        let rows = lock(&self.rows);
        let range = range(mapped);
        if !rows.additional.is_empty() {
            // Several entries may have the section. A thread that holds one of them means that one.
            let me = std::thread::current().id();
            let own = |row: &&Row| row.holds.iter().any(|hold| hold.thread == me);
            let found = judge(rows.overlapping(range).filter(own).map(|row| &row.entry), mapped);
            if !matches!(found, Found::Absent) {
                return found;
            }
        }
        let found = judge(rows.overlapping(range).map(|row| &row.entry), mapped);
        if let (Found::Misfit(_), true) = (&found, reads) {
            let me = std::thread::current().id();
            if rows.overlapping(range).all(|row| row.is_foreign(me, range)) {
                return Found::Absent;
            }
        }
        found
    }

    /// Whether these entries, which were found in this table, are other threads' alone, as far as this section goes, and what
    /// the host's copy is.
    #[must_use]
    pub fn is_foreign(&self, presence: &Presence, mapped: &Mapped) -> bool {
        let (me, range) = (std::thread::current().id(), range(mapped));
        let mut rows = lock(&self.rows);
        presence.entries().all(|entry| match rows.of(entry) {
            Some(row) => row.is_foreign(me, range),
            // It has left the table since it was found: this thread's own could not.
            None => !entry.is_written(),
        })
    }

    /// Nothing is present.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let rows = lock(&self.rows);
        rows.all.is_empty() && rows.additional.is_empty()
    }

    /// What lookups find does not change while this does not.
    #[must_use]
    pub fn version(&self) -> u64 {
        // Of overlapping entries, lookups of different threads find different ones.
        if !lock(&self.rows).additional.is_empty() {
            self.version.fetch_add(1, Ordering::AcqRel);
        }
        self.version.load(Ordering::Acquire)
    }

    /// Publishes an entry with one reference. The caller has the turn, and has found only entries of other threads there.
    pub fn publish(&self, entry: Arc<Entry>, hold: Hold) {
        let mut rows = lock(&self.rows);
        let (lo, range) = (entry.lo, entry.range());
        let row = Row { entry, maker: hold.thread, holds: vec![hold] };
        if rows.overlapping(range).next().is_some() {
            rows.additional.push(row);
        } else {
            rows.all.insert(lo, row);
        }
        self.version.fetch_add(1, Ordering::AcqRel);
    }

    /// One reference more; `false` if the entry is not in the table any more.
    #[must_use]
    pub fn retain(&self, entry: &Arc<Entry>, hold: Hold) -> bool {
        lock(&self.rows).of(entry).map(|row| row.holds.push(hold)).is_some()
    }

    /// How many references there are; 0 if the entry is not in the table any more.
    #[must_use]
    pub fn references(&self, entry: &Arc<Entry>) -> u64 {
        lock(&self.rows).of(entry).map_or(0, |row| row.holds.len() as u64)
    }

    /// Drops a reference; with the last one, the entry is removed from the table. Nothing happens if it is not in the table. The caller
    /// has the turn, because a caller that has found the entry relies on it as long as it has the turn.
    pub fn release(&self, entry: &Arc<Entry>, hold: &Hold) {
        self.remove(entry, |row| row.drop(hold));
    }

    /// Drops all references that this thread has, or, if it has none, all but those of data regions; with the last one, the entry is
    /// removed from the table. The caller has the turn.
    pub fn delete(&self, entry: &Arc<Entry>) {
        let me = std::thread::current().id();
        self.remove(entry, |row| {
            let mine = row.holds.iter().any(|hold| hold.thread == me);
            row.holds.retain(|hold| if mine { hold.thread != me } else { hold.structured });
        });
    }

    /// Removes an entry from the table, if it is in it and has no holds after `change`.
    fn remove(&self, entry: &Arc<Entry>, change: impl FnOnce(&mut Row)) {
        let mut rows = lock(&self.rows);
        let Some(row) = rows.of(entry) else { return };
        change(row);
        if row.holds.is_empty() {
            self.version.fetch_add(1, Ordering::AcqRel);
            let row = rows.take(entry);
            // The memory is freed when the lock is not held.
            drop(rows);
            drop(row);
        }
    }

    /// The whole table, by address.
    #[must_use]
    pub fn list(&self) -> Vec<PresentRow> {
        let rows = lock(&self.rows);
        let mut all: Vec<&Row> = rows.all.values().chain(&rows.additional).collect();
        all.sort_by_key(|row| row.entry.lo);
        all.into_iter().map(|row| row.entry.row(row.holds.len() as u64)).collect()
    }
}
