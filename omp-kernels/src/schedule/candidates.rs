//! The schedules that a search tries in place of the default schedule.
//!
//! A [`Choice`] is a proposal: the open numbers of a recipe, or numbers that clauses could fix. It is plain data with a
//! text form. The text may come from a file of unknown origin, so [`choose_as`] checks that the choice is legal for the
//! launch: the steps of a recipe refuse illegal numbers, and clauses take precedence.
use super::choose::{tiled, untiled};
use super::explain::reasons::About;
use super::recipes::{self, Numbers};
use super::survey::survey;
use super::{DeviceKind, Pins, Request, Schedule, Strategy, choose};
use crate::program::steps::Pipeline;
use crate::valid::KernelInfo;
use omp_ir::kernel::Kernel;
use std::fmt;
use std::str::FromStr;

/// A proposal for a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Choice {
    /// What [`choose`] chooses.
    Default,
    /// A recipe with these numbers.
    Tiles(Numbers),
    /// No device program; these numbers, where no clause fixes them.
    Plain(Pins),
}

/// A choice, and the schedule that it gives for this launch.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The proposal.
    pub choice: Choice,
    /// What comes of it.
    pub schedule: Schedule,
}

/// Threads of blocks to try, by axis.
const BLOCKS: [[u32; 3]; 11] = [
    [128, 1, 1],
    [512, 1, 1],
    [64, 1, 1],
    [32, 8, 1],
    [32, 4, 1],
    [64, 4, 1],
    [16, 16, 1],
    [256, 1, 1],
    [64, 8, 1],
    [32, 16, 1],
    [1024, 1, 1],
];

/// How often to unroll, or how many iterations to have in flight.
const UNROLL: [u32; 4] = [2, 4, 8, 1];

/// The most threads of a block, iterations and elements that a choice may name.
const MOST_UNROLL: u32 = 16;
const MOST_VECTOR: u32 = 16;

/// The schedule of a choice; `None` if this launch can't have it. The choice may come from anywhere.
#[must_use]
pub fn choose_as(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    choice: &Choice,
) -> Option<Schedule> {
    match choice {
        Choice::Default => Some(choose(kernel, info, request)),
        Choice::Tiles(numbers) => {
            searched(request, choice);
            recipes::admitted(kernel, request, &survey(kernel, info), numbers)
                .map(|recipe| tiled(recipe, request))
        }
        Choice::Plain(pins) => {
            let pins = merged(request, pins)?;
            searched(request, choice);
            Some(untiled(kernel, info, &Request { pins, ..request.clone() }, &survey(kernel, info)))
        }
    }
}

fn searched(request: &Request<'_>, choice: &Choice) {
    request.why(About::Searched, || {
        format!("a search (OMP_TUNE) measured `{choice}` to be faster than the model's choice")
    });
}

/// The user's numbers, and the proposed ones where there are none.
fn merged(request: &Request<'_>, proposed: &Pins) -> Option<Pins> {
    let Pins { block, tile, unroll, vector, chunk, team_chunk } = *proposed;
    let most = u64::from(request.device.max_block);
    let fits = |block: [u32; 3]| {
        let threads = block.iter().fold(1u64, |all, n| all.saturating_mul(u64::from(*n)));
        (1..=most).contains(&threads) && block[2] <= 64
    };
    let sane = block.is_none_or(fits)
        && unroll.is_none_or(|n| (1..=MOST_UNROLL).contains(&n))
        && vector.is_none_or(|n| (1..=MOST_VECTOR).contains(&n))
        && (tile, chunk, team_chunk) == (None, None, None);
    let user = request.pins;
    let block = if user.tile.is_some() { None } else { block };
    sane.then_some(Pins {
        block: user.block.or(block),
        unroll: user.unroll.or(unroll),
        vector: user.vector.or(vector),
        ..user
    })
}

/// What to try for a launch, in the order of the model: the default first. All of them are legal, and no two are the same.
#[must_use]
pub fn candidates(kernel: &Kernel, info: &KernelInfo, request: &Request<'_>) -> Vec<Candidate> {
    let survey = survey(kernel, info);
    let mut list = List { kernel, info, request, found: Vec::new() };
    list.add(Choice::Default);
    let tiled = recipes::proposed(kernel, request, &survey);
    if !tiled.is_empty() {
        for (numbers, _) in tiled {
            list.add(Choice::Tiles(numbers));
        }
        list.add(Choice::Plain(Pins::default()));
        return list.found;
    }
    let none = Pins::default();
    let unrolled = |n: &u32| Choice::Plain(Pins { unroll: Some(*n), ..none });
    let in_blocks = |block: &[u32; 3]| Choice::Plain(Pins { block: Some(*block), ..none });
    let flat = kernel.template.dims.len() == 1;
    let cpu = request.device.kind == DeviceKind::OpenClCpu;
    let blocks = BLOCKS.iter().filter(|block| !flat || block[1] == 1);
    UNROLL.iter().take(2).for_each(|n| list.add(unrolled(n)));
    blocks.take(if cpu { 3 } else { BLOCKS.len() }).for_each(|block| list.add(in_blocks(block)));
    UNROLL.iter().skip(2).for_each(|n| list.add(unrolled(n)));
    [2, 1].iter().for_each(|n| list.add(Choice::Plain(Pins { vector: Some(*n), ..none })));
    list.found
}

/// What differs from a choice in one step. All of them are legal, and no two are the same.
#[must_use]
pub fn neighbours(
    kernel: &Kernel,
    info: &KernelInfo,
    request: &Request<'_>,
    of: &Candidate,
) -> Vec<Candidate> {
    let mut list = List { kernel, info, request, found: vec![of.clone()] };
    match &of.choice {
        // The model's own: its numbers are those of the first proposal.
        Choice::Default => match recipes::proposed(kernel, request, &survey(kernel, info))
            .into_iter()
            .next()
            .filter(|_| matches!(of.schedule.strategy, Strategy::Recipe(_)))
        {
            Some((numbers, _)) => near(&numbers).into_iter().for_each(|n| list.add(Choice::Tiles(n))),
            None => {
                let block = Some(of.schedule.block);
                // (A number would take the place of `unroll_short`.)
                let unroll = of.schedule.unroll.filter(|_| !of.schedule.unroll_short);
                let pins = Pins { block, unroll, ..Pins::default() };
                near_pins(&pins).into_iter().for_each(|pins| list.add(Choice::Plain(pins)));
            }
        },
        Choice::Tiles(numbers) => near(numbers).into_iter().for_each(|n| list.add(Choice::Tiles(n))),
        Choice::Plain(pins) => {
            let pins = Pins { block: pins.block.or(Some(of.schedule.block)), ..*pins };
            near_pins(&pins).into_iter().for_each(|pins| list.add(Choice::Plain(pins)));
        }
    }
    list.found.remove(0);
    list.found
}

/// Candidates without repetition.
struct List<'a> {
    kernel: &'a Kernel,
    info: &'a KernelInfo,
    request: &'a Request<'a>,
    found: Vec<Candidate>,
}

impl List<'_> {
    fn add(&mut self, choice: Choice) {
        let Some(schedule) = choose_as(self.kernel, self.info, self.request, &choice) else { return };
        if self.found.iter().all(|other| other.schedule != schedule) {
            self.found.push(Candidate { choice, schedule });
        }
    }
}

/// Half and twice.
fn around(n: u32) -> impl Iterator<Item = u32> {
    [n.saturating_mul(2), n / 2].into_iter().filter(|n| *n > 0)
}

/// Numbers that differ in one step.
fn near(of: &Numbers) -> Vec<Numbers> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Numbers)| {
        let mut numbers = of.clone();
        change(&mut numbers);
        all.push(numbers);
    };
    for l in 0..of.tiles.len() {
        let [threads, places, vector] = of.tiles[l];
        let mut tile = |threads: u32, places: u32| {
            let vector = if places.is_multiple_of(vector) { vector } else { 1 };
            add(&|n| n.tiles[l] = [threads, places, vector]);
        };
        around(threads).for_each(|threads| tile(threads, places));
        around(places).for_each(|places| tile(threads, places));
        tile(threads * 2, places / 2);
        tile(threads / 2, places * 2);
        around(vector).for_each(|vector| add(&|n| n.tiles[l][2] = vector));
        // Threads of one loop for those of another.
        for other in (0..of.tiles.len()).filter(|other| *other != l) {
            add(&|n| {
                n.tiles[l][0] *= 2;
                n.tiles[other][0] /= 2;
            });
            add(&|n| {
                n.tiles[l][1] *= 2;
                n.tiles[other][1] /= 2;
                n.tiles[other][2] = n.tiles[other][2].min(n.tiles[other][1]).max(1);
            });
        }
    }
    if let Some(depth) = of.depth {
        let depths = around(depth).chain([depth + 4, depth.saturating_sub(4)]);
        depths.filter(|d| *d > 0).for_each(|depth| add(&|n| n.depth = Some(depth)));
    }
    if let Pipeline::Asynchronous(stages) = of.pipeline {
        [stages + 1, stages.saturating_sub(1)]
            .iter()
            .for_each(|stages| add(&|n| n.pipeline = Pipeline::Asynchronous(*stages)));
    } else {
        let others =
            [Pipeline::Asynchronous(2), Pipeline::Asynchronous(3), Pipeline::None, Pipeline::Registers];
        others.iter().filter(|p| **p != of.pipeline).for_each(|pipeline| add(&|n| n.pipeline = *pipeline));
    }
    [of.resident + 1, of.resident.saturating_sub(1)]
        .iter()
        .filter(|n| **n > 0)
        .for_each(|resident| add(&|n| n.resident = *resident));
    around(of.lanes).for_each(|lanes| add(&|n| n.lanes = lanes));
    around(of.band).for_each(|band| add(&|n| n.band = band));
    around(of.replicas).for_each(|replicas| add(&|n| n.replicas = replicas));
    add(&|n| n.direct = !n.direct);
    all
}

/// The same of what clauses fix.
fn near_pins(of: &Pins) -> Vec<Pins> {
    let mut all = Vec::new();
    if let Some(block) = of.block {
        for axis in 0..2 {
            for n in around(block[axis]) {
                let mut block = block;
                block[axis] = n;
                all.push(Pins { block: Some(block), ..*of });
            }
        }
    }
    match of.unroll {
        Some(unroll) => all.extend(around(unroll).map(|n| Pins { unroll: Some(n), ..*of })),
        None => all.extend([2, 4, 8, 1].map(|n| Pins { unroll: Some(n), ..*of })),
    }
    match of.vector {
        Some(vector) => all.extend(around(vector).map(|n| Pins { vector: Some(n), ..*of })),
        None => all.extend([2, 1].map(|n| Pins { vector: Some(n), ..*of })),
    }
    all
}

/// `default`, `tiles 16x8x4 16x4x4 lanes 8 band 8 depth 16 matrix 0 stages 3 stage-all 0 direct 0 resident 2`, or `plain block 32x8x1 unroll 4`.
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::Tiles(numbers) => {
                let Numbers {
                    tiles,
                    lanes,
                    band,
                    depth,
                    matrix,
                    pipeline,
                    stage_all,
                    direct,
                    rows,
                    replicas,
                    resident,
                } = numbers;
                f.write_str("tiles")?;
                tiles.iter().try_for_each(|[t, r, v]| write!(f, " {t}x{r}x{v}"))?;
                write!(f, " lanes {lanes} band {band}")?;
                depth.map_or(Ok(()), |depth| write!(f, " depth {depth}"))?;
                match pipeline {
                    Pipeline::None => {}
                    Pipeline::Registers => f.write_str(" stages 1")?,
                    Pipeline::Asynchronous(n) => write!(f, " stages {n}")?,
                }
                let [stage_all, direct] = [stage_all, direct].map(|flag| u32::from(*flag));
                write!(f, " matrix {matrix} stage-all {stage_all} direct {direct}")?;
                if *rows > 0 {
                    write!(f, " rows {rows}")?;
                }
                if *replicas > 1 {
                    write!(f, " replicas {replicas}")?;
                }
                write!(f, " resident {resident}")
            }
            Self::Plain(pins) => {
                f.write_str("plain")?;
                let Pins { block, tile: _, unroll, vector, chunk: _, team_chunk: _ } = pins;
                block.map_or(Ok(()), |[x, y, z]| write!(f, " block {x}x{y}x{z}"))?;
                unroll.map_or(Ok(()), |n| write!(f, " unroll {n}"))?;
                vector.map_or(Ok(()), |n| write!(f, " vector {n}"))
            }
        }
    }
}

fn triple(word: &str) -> Option<[u32; 3]> {
    let mut parts = word.split('x').map(str::parse);
    let mut next = || parts.next()?.ok();
    let triple = [next()?, next()?, next()?];
    parts.next().is_none().then_some(triple)
}

/// The text of [`Display`](fmt::Display). That the numbers are legal is another matter: [`choose_as`].
impl FromStr for Choice {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut words = text.split_whitespace().peekable();
        let kind = words.next().ok_or(())?;
        let mut tiles = Vec::new();
        while let Some(tile) = words.peek().and_then(|word| triple(word)) {
            tiles.push(tile);
            words.next();
        }
        let (mut pins, mut numbers) = (Pins::default(), None);
        if kind == "tiles" {
            numbers = Some(Numbers::of(tiles, 32));
        } else if !tiles.is_empty() {
            return Err(());
        }
        while let Some(name) = words.next() {
            let value = words.next().ok_or(())?;
            let n = || value.parse::<u32>().map_err(|_| ());
            match (name, &mut numbers) {
                ("lanes", Some(numbers)) => numbers.lanes = n()?,
                ("band", Some(numbers)) => numbers.band = n()?,
                ("depth", Some(numbers)) => numbers.depth = Some(n()?),
                ("matrix", Some(numbers)) => numbers.matrix = n()?,
                ("stage-all", Some(numbers)) => numbers.stage_all = n()? != 0,
                ("direct", Some(numbers)) => numbers.direct = n()? != 0,
                ("rows", Some(numbers)) => numbers.rows = n()?,
                ("replicas", Some(numbers)) => numbers.replicas = n()?,
                ("resident", Some(numbers)) => numbers.resident = n()?,
                ("stages", Some(numbers)) => {
                    numbers.pipeline = match n()? {
                        0 => Pipeline::None,
                        1 => Pipeline::Registers,
                        n => Pipeline::Asynchronous(n),
                    }
                }
                ("block", None) => pins.block = Some(triple(value).ok_or(())?),
                ("unroll", None) => pins.unroll = Some(n()?),
                ("vector", None) => pins.vector = Some(n()?),
                _ => return Err(()),
            }
        }
        match (kind, numbers) {
            ("default", None) if pins == Pins::default() => Ok(Self::Default),
            ("plain", None) => Ok(Self::Plain(pins)),
            (_, Some(numbers)) => Ok(Self::Tiles(numbers)),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_have_a_text() {
        for text in [
            "default",
            "plain",
            "plain block 32x8x1 unroll 4 vector 2",
            "tiles 16x8x4 16x4x4 lanes 8 band 8 depth 16 stages 3 matrix 0 stage-all 0 direct 0 resident 2",
            "tiles 64x16x16 lanes 32 band 1 matrix 0 stage-all 1 direct 1 resident 1",
            "tiles 256x1x1 lanes 32 band 1 matrix 0 stage-all 0 direct 0 rows 16 resident 3",
            "tiles 32x1x1 lanes 32 band 1 depth 64 stages 3 matrix 0 stage-all 1 direct 0 replicas 4 resident 1",
            "tiles 8x8x4 8x8x4 lanes 8 band 8 depth 12 stages 1 matrix 2 stage-all 0 direct 0 resident 3",
        ] {
            assert_eq!(text.parse::<Choice>().map(|c| c.to_string()).as_deref(), Ok(text));
        }
        for text in [
            "",
            "defaults",
            "default unroll 2",
            "plain lanes 3",
            "plain 1x1x1",
            "tiles 1x2 lanes",
            "tiles depth -1",
            "plain block 1x2",
            "plain unroll",
        ] {
            assert_eq!(text.parse::<Choice>(), Err(()), "{text}");
        }
    }
}
