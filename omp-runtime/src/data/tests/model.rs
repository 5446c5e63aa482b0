//! The model: the contents of the present table, of device memory and of host memory after each step.
use crate::data::directive::work::{DataMap, Map};
use crate::error::Error;

/// How a directive went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Went {
    Well,
    NotPresent,
    Misfit,
    /// The device failed.
    Fault,
}

pub(super) fn went<T>(result: &Result<T, Error>) -> Went {
    match result {
        Ok(_) => Went::Well,
        Err(Error::NotPresent { .. }) => Went::NotPresent,
        Err(Error::PartlyPresent { .. } | Error::OtherType { .. }) => Went::Misfit,
        Err(Error::OutOfMemory { .. } | Error::Transfer { .. }) => Went::Fault,
        Err(other) => panic!("{other}"),
    }
}

/// A section of one of the arrays, seen as `u32` or `i32`. Those of one array in a directive are adjacent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub array: usize,
    pub signed: bool,
    pub lo: usize,
    pub hi: usize,
    pub map: Map,
}

#[derive(Debug, Clone)]
pub(super) struct Row {
    pub id: usize,
    pub array: usize,
    pub signed: bool,
    pub lo: usize,
    pub hi: usize,
    pub references: u64,
    /// What has a value there.
    pub device: Vec<Option<u32>>,
    pub written: bool,
}

/// Device memory: which elements of which array it has room for.
#[derive(Debug, Clone, Copy)]
struct Block {
    array: usize,
    lo: usize,
    hi: usize,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Model {
    pub host: [Vec<u32>; 2],
    pub rows: Vec<Row>,
    blocks: Vec<Block>,
    /// By a row's id.
    block_of: Vec<usize>,
}

/// By part: the rows' ids that it holds.
pub(super) type Held = Vec<Vec<usize>>;

pub(super) enum Sought {
    /// The positions of the rows.
    Here(Vec<usize>),
    Absent,
    Misfit,
}

/// By part: the rows that count for it. Sections of one array have one reference count.
fn counted(parts: &[Part], held: &[Vec<usize>]) -> Held {
    let before =
        |k: usize, id: &usize| (0..k).any(|j| parts[j].array == parts[k].array && held[j].contains(id));
    (0..held.len()).map(|k| held[k].iter().copied().filter(|id| !before(k, id)).collect()).collect()
}

impl Model {
    pub fn find(&self, p: &Part) -> Sought {
        if p.lo == p.hi {
            return Sought::Absent;
        }
        let near: Vec<usize> = (0..self.rows.len())
            .filter(|r| {
                let r = &self.rows[*r];
                r.array == p.array && r.lo < p.hi && p.lo < r.hi
            })
            .collect();
        let Some(first) = near.first() else { return Sought::Absent };
        let block = self.block_of[self.rows[*first].id];
        let fits = |r: &usize| self.rows[*r].signed == p.signed && self.block_of[self.rows[*r].id] == block;
        let covered = |i: usize| near.iter().any(|r| (self.rows[*r].lo..self.rows[*r].hi).contains(&i));
        if near.iter().all(fits) && (p.lo..p.hi).all(covered) { Sought::Here(near) } else { Sought::Misfit }
    }

    fn row(&self, id: usize) -> Option<usize> {
        self.rows.iter().position(|r| r.id == id)
    }

    /// After a step that failed: what memory there was, for ids that are in use.
    pub fn keep_memory(&mut self, known: Self) {
        (self.blocks, self.block_of) = (known.blocks, known.block_of);
    }

    /// How much memory these rows and those of the table take.
    pub fn buffers(&self, held: impl Iterator<Item = usize>) -> usize {
        let mut blocks: Vec<usize> =
            held.chain(self.rows.iter().map(|r| r.id)).map(|id| self.block_of[id]).collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks.len()
    }

    /// What of a row a part names.
    fn overlap(&self, r: usize, p: &Part) -> std::ops::Range<usize> {
        self.rows[r].lo.max(p.lo)..self.rows[r].hi.min(p.hi)
    }

    fn send(&mut self, r: usize, p: &Part) {
        for i in self.overlap(r, p) {
            let row = &mut self.rows[r];
            row.device[i - row.lo] = Some(self.host[p.array][i]);
        }
    }

    fn bring_back(&mut self, r: usize, p: &Part) {
        for i in self.overlap(r, p) {
            let row = &self.rows[r];
            if let Some(value) = row.device[i - row.lo] {
                self.host[p.array][i] = value;
            }
        }
    }

    /// What a kernel is about to touch has values.
    pub fn complete(&mut self, p: &Part) {
        let Sought::Here(rows) = self.find(p) else { panic!("it is there") };
        for r in rows {
            for i in self.overlap(r, p) {
                let row = &mut self.rows[r];
                row.device[i - row.lo].get_or_insert(self.host[p.array][i]);
            }
        }
    }

    /// A kernel writes an element.
    pub fn store(&mut self, array: usize, i: usize, value: u32) {
        let row = self.rows.iter_mut().find(|r| r.array == array && (r.lo..r.hi).contains(&i));
        let row = row.expect("it is there");
        row.device[i - row.lo] = Some(value);
    }

    pub fn load(&self, array: usize, i: usize) -> Option<u32> {
        let row = self.rows.iter().find(|r| r.array == array && (r.lo..r.hi).contains(&i))?;
        row.device[i - row.lo]
    }

    fn add(&mut self, parts: &[Part], held: &Held, p: &Part) -> usize {
        let of = || parts.iter().filter(|o| o.array == p.array && o.lo < o.hi);
        let lo = of().map(|o| o.lo).min().expect("there is one");
        let hi = of().map(|o| o.hi).max().expect("there is one");
        let known = parts.iter().zip(held).filter(|(o, _)| o.array == p.array).find_map(|(_, ids)| {
            let block = self.block_of[*ids.first()?];
            let b = self.blocks[block];
            (b.array == p.array && b.lo <= lo && hi <= b.hi).then_some(block)
        });
        let block = known.unwrap_or_else(|| {
            self.blocks.push(Block { array: p.array, lo, hi });
            self.blocks.len() - 1
        });
        let id = self.block_of.len();
        self.block_of.push(block);
        let Part { array, signed, lo, hi, .. } = *p;
        let device = vec![None; hi - lo];
        self.rows.push(Row { id, array, signed, lo, hi, references: 1, device, written: false });
        if p.map.ty.sends() {
            self.send(self.rows.len() - 1, p);
        }
        id
    }

    pub fn enter(&mut self, parts: &[Part]) -> (Went, Held) {
        let before = self.clone();
        let mut held = Held::new();
        for p in parts {
            let went = match self.find(p) {
                _ if p.lo == p.hi => {
                    held.push(vec![]);
                    continue;
                }
                Sought::Here(rows) => {
                    if p.map.always && p.map.ty.sends() {
                        rows.iter().for_each(|r| self.send(*r, p));
                    }
                    held.push(rows.iter().map(|r| self.rows[*r].id).collect());
                    for id in counted(parts, &held).pop().expect("the last") {
                        let r = self.row(id).expect("it is there");
                        self.rows[r].references += 1;
                    }
                    continue;
                }
                Sought::Absent if p.map.present => Went::NotPresent,
                Sought::Absent => {
                    held.push(vec![self.add(parts, &held, p)]);
                    continue;
                }
                Sought::Misfit => Went::Misfit,
            };
            // As it was, except what `always` has sent.
            let sent = std::mem::replace(self, before);
            self.block_of = sent.block_of;
            self.blocks = sent.blocks;
            for row in &mut self.rows {
                let same = sent.rows.iter().find(|r| r.id == row.id).expect("it was not taken out");
                row.device.clone_from(&same.device);
            }
            return (went, Vec::new());
        }
        (Went::Well, held)
    }

    fn release(&mut self, id: usize) {
        let Some(at) = self.row(id) else { return };
        self.rows[at].references -= 1;
        if self.rows[at].references == 0 {
            self.rows.remove(at);
        }
    }

    /// Drops what a directive holds.
    pub fn release_all(&mut self, parts: &[Part], held: &Held) {
        counted(parts, held).into_iter().flatten().for_each(|id| self.release(id));
    }

    pub fn leave(&mut self, parts: &[Part], held: &Held) -> Went {
        let mut went = Went::Well;
        for (p, ids) in parts.iter().zip(held) {
            for id in ids {
                let Some(r) = self.row(*id) else {
                    went = if went == Went::Well { Went::NotPresent } else { went };
                    break;
                };
                let last = self.rows[r].references == 1 && self.rows[r].written;
                if p.map.ty.brings_back() && (p.map.always || last) {
                    self.bring_back(r, p);
                }
            }
        }
        self.release_all(parts, held);
        went
    }

    /// All that these parts name, if all of it is there.
    fn find_all(&self, parts: &[Part]) -> Result<Held, Went> {
        let find = |p: &Part| match self.find(p) {
            _ if p.lo == p.hi => Ok(vec![]),
            Sought::Absent => Err(Went::NotPresent),
            Sought::Misfit => Err(Went::Misfit),
            Sought::Here(rows) => Ok(rows.into_iter().map(|r| self.rows[r].id).collect()),
        };
        parts.iter().map(find).collect()
    }

    /// Of parts of one array.
    pub fn exit(&mut self, parts: &[Part]) -> Went {
        let held = match self.find_all(parts) {
            Ok(held) => held,
            Err(went) => return went,
        };
        for (p, ids) in parts.iter().zip(&held) {
            for id in ids {
                let r = self.row(*id).expect("it is there");
                if p.map.ty.brings_back() && (p.map.always || self.rows[r].references == 1) {
                    self.bring_back(r, p);
                }
            }
        }
        for (p, ids) in parts.iter().zip(counted(parts, &held)) {
            for id in ids {
                match (p.map.ty, self.row(id)) {
                    (DataMap::Delete, Some(r)) => drop(self.rows.remove(r)),
                    _ => self.release(id),
                }
            }
        }
        Went::Well
    }

    pub fn update(&mut self, parts: &[Part]) -> Went {
        let held = match self.find_all(parts) {
            Ok(held) => held,
            Err(went) => return went,
        };
        for (p, ids) in parts.iter().zip(&held) {
            for id in ids {
                let r = self.row(*id).expect("it is there");
                if p.map.ty.brings_back() { self.bring_back(r, p) } else { self.send(r, p) }
            }
        }
        Went::Well
    }
}
