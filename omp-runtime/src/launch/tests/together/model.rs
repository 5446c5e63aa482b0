//! The model: the program run serially.
use crate::data::directive::work::DataMap;

pub(super) const N: usize = 8;

/// What a directive or a task found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    NotPresent,
    Misfit,
}

/// What stands on the device of an array.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    id: usize,
    lo: usize,
    hi: usize,
    references: u64,
    /// What has a value there.
    device: [Option<f32>; N],
    written: bool,
}

/// What a lookup found, by position.
enum Sought {
    Here(usize),
    Absent,
    Misfit,
}

#[derive(Debug, Clone)]
pub(super) struct Model {
    pub host: [[f32; N]; 3],
    pub slice: [f32; N],
    rows: [Vec<Row>; 3],
    made: usize,
}

/// An array and elements of it.
pub(super) type Part = (usize, usize, usize);

/// Data of a region: the part, its map, and the row that it holds.
pub(super) type Held = (Part, DataMap, Option<usize>);

impl Model {
    pub fn new(host: [[f32; N]; 3]) -> Self {
        Self { host, slice: [0.5; N], rows: [const { Vec::new() }; 3], made: 0 }
    }

    /// Its table: arrays, sections and references, by address.
    pub fn table(&self) -> Vec<(usize, usize, usize, u64)> {
        let rows = self.rows.iter().enumerate();
        let mut all: Vec<_> =
            rows.flat_map(|(k, rows)| rows.iter().map(move |r| (k, r.lo, r.hi, r.references))).collect();
        all.sort_unstable();
        all
    }

    fn find(&self, (k, lo, hi): Part) -> Sought {
        let mut near = (0..self.rows[k].len()).filter(|r| {
            let row = &self.rows[k][*r];
            lo < hi && row.lo < hi && lo < row.hi
        });
        let Some(first) = near.next() else { return Sought::Absent };
        let row = &self.rows[k][first];
        if row.lo <= lo && hi <= row.hi { Sought::Here(first) } else { Sought::Misfit }
    }

    fn new_row(&mut self, (_, lo, hi): Part) -> Row {
        self.made += 1;
        Row { id: self.made, lo, hi, references: 1, device: [None; N], written: false }
    }

    /// `enter`, or the start of a region.
    pub fn enter(&mut self, part: Part, map: DataMap) -> Result<Option<usize>, Wrong> {
        let (k, lo, hi) = part;
        if lo == hi {
            return Ok(None);
        }
        let at = match self.find(part) {
            Sought::Misfit => return Err(Wrong::Misfit),
            Sought::Here(at) => {
                self.rows[k][at].references += 1;
                at
            }
            Sought::Absent => {
                let mut row = self.new_row(part);
                if map.sends() {
                    (lo..hi).for_each(|i| row.device[i] = Some(self.host[k][i]));
                }
                self.rows[k].push(row);
                self.rows[k].len() - 1
            }
        };
        Ok(Some(self.rows[k][at].id))
    }

    fn bring_back(&mut self, (k, lo, hi): Part, at: usize) {
        for i in lo..hi {
            if let Some(value) = self.rows[k][at].device[i] {
                self.host[k][i] = value;
            }
        }
    }

    fn release(&mut self, k: usize, at: usize) {
        self.rows[k][at].references -= 1;
        if self.rows[k][at].references == 0 {
            self.rows[k].remove(at);
        }
    }

    fn sought(&self, part: Part) -> Result<Option<usize>, Wrong> {
        match self.find(part) {
            _ if part.1 == part.2 => Ok(None),
            Sought::Here(at) => Ok(Some(at)),
            Sought::Absent => Err(Wrong::NotPresent),
            Sought::Misfit => Err(Wrong::Misfit),
        }
    }

    pub fn exit(&mut self, part: Part, map: DataMap) -> Result<(), Wrong> {
        let Some(at) = self.sought(part)? else { return Ok(()) };
        if map.brings_back() && self.rows[part.0][at].references == 1 {
            self.bring_back(part, at);
        }
        match map {
            DataMap::Delete => drop(self.rows[part.0].remove(at)),
            _ => self.release(part.0, at),
        }
        Ok(())
    }

    pub fn update(&mut self, part: Part, back: bool) -> Result<(), Wrong> {
        let (k, lo, hi) = part;
        let Some(at) = self.sought(part)? else { return Ok(()) };
        if back {
            self.bring_back(part, at);
        } else {
            (lo..hi).for_each(|i| self.rows[k][at].device[i] = Some(self.host[k][i]));
        }
        Ok(())
    }

    /// The end of a data region.
    pub fn leave(&mut self, (part, map, held): Held) -> Result<(), Wrong> {
        let Some(id) = held else { return Ok(()) };
        let Some(at) = self.rows[part.0].iter().position(|r| r.id == id) else {
            return Err(Wrong::NotPresent);
        };
        let row = &self.rows[part.0][at];
        if map.brings_back() && row.references == 1 && row.written {
            self.bring_back(part, at);
        }
        self.release(part.0, at);
        Ok(())
    }

    /// Where the first `n` elements of an array are: `None` on the host.
    pub fn home(&self, k: usize, n: usize) -> Result<Option<usize>, Wrong> {
        match self.find((k, 0, n)) {
            Sought::Here(at) => Ok(Some(at)),
            Sought::Absent => Ok(None),
            Sought::Misfit => Err(Wrong::Misfit),
        }
    }

    /// The same for another thread, which only reads: what no kernel has written to is not in its way.
    pub fn home_of_another(&self, k: usize, n: usize) -> Result<Option<usize>, Wrong> {
        let in_the_way = |row: &&Row| row.lo < n && 0 < row.hi;
        match self.home(k, n) {
            Err(Wrong::Misfit) if self.rows[k].iter().filter(in_the_way).all(|row| !row.written) => Ok(None),
            home => home,
        }
    }

    /// `y[..n] += a x[..n]` on the host.
    pub fn on_host(&mut self, (a, x, y, n): (f32, usize, usize, usize)) {
        (0..n).for_each(|i| self.host[y][i] += a * self.host[x][i]);
    }

    /// The same on the device.
    pub fn on_device(&mut self, (a, x, y, n): (f32, usize, usize, usize)) -> Result<(), Wrong> {
        let (of_x, of_y) = (self.home(x, n)?, self.home(y, n)?);
        let x: Vec<f32> = (0..n).map(|i| self.load(x, of_x, i)).collect();
        if let Some(at) = of_y.filter(|_| n > 0) {
            self.rows[y][at].written = true;
        }
        (0..n).for_each(|i| {
            let value = self.load(y, of_y, i) + a * x[i];
            self.store(y, of_y, i, value);
        });
        Ok(())
    }

    /// What the device sees of an element: what it has there, or (from now on) the host's.
    pub fn load(&mut self, k: usize, home: Option<usize>, i: usize) -> f32 {
        let host = self.host[k][i];
        home.map_or(host, |at| *self.rows[k][at].device[i].get_or_insert(host))
    }

    pub fn store(&mut self, k: usize, home: Option<usize>, i: usize, value: f32) {
        match home {
            Some(at) => {
                self.rows[k][at].device[i] = Some(value);
                self.rows[k][at].written = true;
            }
            None => self.host[k][i] = value,
        }
    }

    /// A target block on two whole arrays, the second of which is changed (`brings`: and comes back): its loops.
    pub fn block(
        &mut self,
        (x, y): (usize, usize),
        brings: bool,
        loops: &[(f32, usize)],
    ) -> Result<(), Wrong> {
        let own = [self.home(x, N)?.is_none(), self.home(y, N)?.is_none()];
        // What is not there the block has for itself.
        for (k, _) in [x, y].into_iter().zip(own).filter(|(_, own)| *own) {
            let row = self.new_row((k, 0, N));
            self.rows[k].push(row);
        }
        loops.iter().try_for_each(|&(a, n)| self.on_device((a, x, y, n)))?;
        for (k, _) in [x, y].into_iter().zip(own).filter(|(_, own)| *own) {
            let at = self.rows[k].len() - 1;
            if k == y && brings && self.rows[k][at].written {
                self.bring_back((k, 0, N), at);
            }
            self.rows[k].remove(at);
        }
        Ok(())
    }
}
