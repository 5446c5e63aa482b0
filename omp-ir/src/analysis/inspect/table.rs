//! The table of accesses: one word for each element, which names the iteration that has accessed it, as in the tables of
//! `disjoint`.
use std::sync::atomic::{AtomicU32, Ordering};

/// The kind of an access, as far as two accesses may conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AccessKind {
    /// Conflicts with writes and atomic accesses of other iterations.
    Read,
    /// Conflicts with all accesses of other iterations.
    Write,
    /// Conflicts with all accesses of other iterations except atomic ones.
    Atomic,
}

/// Iterations have the numbers below this.
pub(super) const MOST: u64 = (1 << 30) - 2;

/// A word is 0, or a number and one, shifted by two, and a state.
const OTHER: u32 = 0;
const READ: u32 = 1;
/// Others have read it as well.
const SHARED: u32 = 2;
const WRITTEN: u32 = 3;
/// Many have done what is [`AccessKind::Atomic`].
const MANY: u32 = ((1 << 30) - 1) << 2;

/// The word after a touch; `None` if another iteration is in the way.
#[inline]
fn after(word: u32, number: u32, deed: AccessKind) -> Option<u32> {
    let mine = (number + 1) << 2;
    let (own, state) = (word & !3 == mine, word & 3);
    match deed {
        AccessKind::Write if word == 0 || own && state != SHARED => Some(mine | WRITTEN),
        AccessKind::Write => None,
        AccessKind::Read if word == 0 => Some(mine | READ),
        AccessKind::Read => match state {
            SHARED => Some(word),
            READ => Some(if own { word } else { word & !3 | SHARED }),
            OTHER if own => Some(mine | WRITTEN),
            WRITTEN if own => Some(word),
            _ => None,
        },
        AccessKind::Atomic if word == 0 => Some(mine | OTHER),
        AccessKind::Atomic => match state {
            OTHER => Some(if own { word } else { MANY }),
            READ if own => Some(mine | WRITTEN),
            WRITTEN if own => Some(word),
            _ => None,
        },
    }
}

/// A table that several threads fill.
#[derive(Debug)]
pub(super) struct Table {
    words: Vec<AtomicU32>,
    /// One thread fills it.
    alone: bool,
}

impl Table {
    pub(super) fn new(elements: usize, alone: bool) -> Self {
        // Collecting in place keeps the zeroed pages: the system provides a page at the first access to it.
        Self { words: vec![0; elements].into_iter().map(AtomicU32::new).collect(), alone }
    }

    /// Records an access; `false` if it conflicts with one of another iteration.
    #[inline]
    pub(super) fn touch(&self, at: usize, number: u64, deed: AccessKind) -> bool {
        let (cell, number) = (&self.words[at], number as u32);
        let mut word = cell.load(Ordering::Relaxed);
        loop {
            let Some(next) = after(word, number, deed) else { return false };
            if next == word {
                return true;
            }
            if self.alone {
                cell.store(next, Ordering::Relaxed);
                return true;
            }
            match cell.compare_exchange_weak(word, next, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(now) => word = now,
            }
        }
    }
}

/// A bit for each element that one thread has marked. Neighbouring elements are spread over the eight words of a cache line: iterations
/// mostly access one element after the other, and a word that was just written is slow to read.
#[derive(Debug)]
pub(super) struct Marks(Vec<u64>);

/// The word of an element, and its bit.
#[inline(always)]
const fn bit_of(at: u64) -> (usize, u32) {
    ((at / 512 * 8 + at % 8) as usize, (at / 8 % 64) as u32)
}

impl Marks {
    pub(super) fn new(elements: usize) -> Self {
        Self(vec![0; elements.div_ceil(512) * 8])
    }

    /// Marks the elements from each of the places on that count, so many of them; `false` if one was marked before.
    pub(super) fn mark(&mut self, places: &[u64], counts: &[bool], width: u64) -> bool {
        let Some(last) = self.0.len().checked_sub(1) else { return true };
        let mut before = 0;
        for more in 0..width {
            for (place, counts) in places.iter().zip(counts) {
                // Without a branch: what does not count marks nothing, wherever that is.
                let at = place.wrapping_add(more);
                let (word, bit) = bit_of(at);
                let (word, bit) = (&mut self.0[word.min(last)], u64::from(*counts) << bit);
                before |= *word & bit;
                *word |= bit;
            }
        }
        before == 0
    }

    /// Marks the elements `low..low + len` among these; `false` if one was marked before.
    pub(super) fn mark_each(&mut self, elements: &[u64], (low, len): (u64, u64)) -> bool {
        let mut before = 0;
        for element in elements {
            let at = element.wrapping_sub(low);
            // The region's own check finds subscripts out of bounds.
            let (word, bit) = bit_of(at);
            if at < len
                && let Some(word) = self.0.get_mut(word)
            {
                before |= *word & 1 << bit;
                *word |= 1 << bit;
            }
        }
        before == 0
    }

    /// Whether a thread has marked the element.
    pub(super) fn is_marked(all: &[Self], at: u64) -> bool {
        let (word, bit) = bit_of(at);
        all.iter().any(|marks| marks.0[word] >> bit & 1 != 0)
    }

    /// Whether two threads have marked one element, of part `part` of `parts`.
    pub(super) fn conflict(all: &[Self], (part, parts): (usize, usize)) -> bool {
        let len = all.first().map_or(0, |marks| marks.0.len());
        (len * part / parts..len * (part + 1) / parts).any(|at| {
            let mut before = 0;
            all.iter().any(|marks| {
                let marked = before & marks.0[at] != 0;
                before |= marks.0[at];
                marked
            })
        })
    }
}

/// A table for one iteration of the region after the other, in each of which an inner nest's iterations are compared.
#[derive(Debug)]
pub(super) struct Nested {
    /// Which iteration the word is of, and the word.
    words: Vec<(u64, u64, u32)>,
}

impl Nested {
    pub(super) fn new(elements: usize) -> Self {
        Self { words: vec![(0, 0, 0); elements] }
    }

    /// As [`Table::touch`]; entries of another `epoch` don't count.
    #[inline]
    pub(super) fn touch(&mut self, at: usize, epoch: u64, number: u64, deed: AccessKind) -> bool {
        let (of, holder, word) = &mut self.words[at];
        if *of != epoch {
            (*of, *holder, *word) = (epoch, number, 0);
        }
        // The holder is number 0 of the word, everybody else number 1.
        let own = if *word == 0 { 0 } else { u32::from(*holder != number) };
        match after(*word, own, deed) {
            Some(next) => {
                *word = next;
                true
            }
            None => false,
        }
    }
}
