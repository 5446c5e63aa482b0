//! A typed nest, the check of its recipes step by step, and the recipe that a large device chooses.
use kernel_samples::nests::Nest;
use omp_ir::analysis::plan::{DimValues, Iterations, LaunchFacts};
use omp_ir::interp::Memory;
use omp_ir::kernel::Kernel;
use omp_kernels::interp;
use omp_kernels::program::recipe::Recipe;
use omp_kernels::program::steps::Pipeline;
use omp_kernels::program::{At, lower, run};
use omp_kernels::schedule::recipes::{Numbers, with_numbers};
use omp_kernels::schedule::{self, DeviceClass, DeviceKind, Pins, Request};
use omp_kernels::valid::{KernelInfo, finalise};
use proptest::prelude::*;

/// A nest, typed.
pub struct Case {
    pub nest: Nest,
    pub kernel: Kernel,
    pub info: KernelInfo,
}

pub fn device() -> DeviceClass {
    DeviceClass {
        kind: DeviceKind::Cuda,
        units: 132,
        max_block: 1024,
        warp: 32,
        shared_bytes: 49152,
        arch: 90,
        f64: true,
        atomics64: true,
    }
}

impl Case {
    pub fn new(nest: Nest) -> Self {
        Self::checked(nest, false)
    }

    /// Integer arithmetic is checked for overflow, as in debug builds, or not.
    pub fn checked(nest: Nest, overflow_checks: bool) -> Self {
        let (template, types) = nest.region.clone().finish();
        let (kernel, info) = finalise(template, types, overflow_checks).expect("it is well typed");
        Self { nest, kernel, info }
    }

    pub fn facts(&self) -> LaunchFacts {
        self.nest.facts(&self.info.plan)
    }

    pub fn recipe(&self, device: &DeviceClass, facts: &LaunchFacts, numbers: &Numbers) -> Option<Recipe> {
        let request = Request {
            pins: Pins::default(),
            extents: &self.nest.lens,
            facts,
            device,
            num_teams: None,
            thread_limit: None,
            alignment: &vec![16; self.nest.lens.len()],
            specialised: false,
            parts: true,
            reasons: None,
        };
        // (Cores have no chunks, which coalesced loops are for.)
        let orders: &[_] = match device.kind {
            DeviceKind::OpenClCpu => &[Iterations::Interchanged, Iterations::All],
            DeviceKind::Cuda | DeviceKind::OpenClGpu => {
                &[Iterations::Interchanged, Iterations::Coalesced, Iterations::All]
            }
        };
        orders.iter().copied().find_map(|of| with_numbers(&self.kernel, &request, of, numbers))
    }

    /// As [`Self::check`], of rows that stay on the chip; gives whether the step is legal.
    pub fn check_rows(&self, numbers: &Numbers) -> bool {
        let facts = self.facts();
        let recipe = self.recipe(&device(), &facts, numbers);
        let legal = recipe.is_some_and(|recipe| recipe.rows.is_some() && recipe.build(&self.kernel).is_ok());
        if legal {
            self.check(numbers);
        }
        legal
    }

    /// As [`Self::check`], of chunks whose independent iterations replicas share; gives why that is not legal.
    pub fn check_replicas(&self, numbers: &Numbers) -> Result<(), String> {
        let recipe = self.recipe(&device(), &self.facts(), numbers).ok_or("no recipe")?;
        recipe.build(&self.kernel)?;
        self.check(numbers);
        Ok(())
    }

    pub fn memory(&self, numbers: &Numbers) -> Memory {
        match numbers.matrix > 0 {
            true => self.nest.memory_of_exact_products(&self.kernel),
            false => self.nest.memory(&self.kernel),
        }
    }

    /// The naive program and that after each step give the bytes of the loop, or fail where it fails. Gives the operators that
    /// the program checks for overflow.
    pub fn check(&self, numbers: &Numbers) -> usize {
        self.check_on(device(), numbers)
    }

    /// As [`Self::check`], of the interior of a nest: the other iterations run by the kernel's body.
    pub fn check_inside(&self, numbers: &Numbers) -> bool {
        let facts = self.facts();
        let Some(interior) = &facts.interior else { return false };
        let request = Request {
            pins: Pins::default(),
            extents: &self.nest.lens,
            facts: &facts,
            device: &device(),
            num_teams: None,
            thread_limit: None,
            alignment: &vec![16; self.nest.lens.len()],
            specialised: false,
            parts: true,
            reasons: None,
        };
        let Some(recipe) = with_numbers(&self.kernel, &request, Iterations::Interior, numbers) else {
            panic!("no recipe: {interior:?}")
        };
        let mut want = self.memory(numbers);
        interp::run(&self.kernel, &self.info, &mut want).expect("nothing fails");
        let mut begun = self.memory(numbers);
        let whole = begun.dims.clone();
        for (d, start) in interior.starts.iter().enumerate() {
            let inner = &interior.nest.loops[d];
            let all = whole[d].expect("its values are known");
            let end = start + inner.count;
            for (first, count) in [(0, *start), (end, all.count - end)] {
                let part = |l: usize| match l.cmp(&d) {
                    std::cmp::Ordering::Less => interior.nest.loops[l],
                    std::cmp::Ordering::Equal => {
                        DimValues { first: all.first + i128::from(first) * all.step, step: all.step, count }
                    }
                    std::cmp::Ordering::Greater => whole[l].expect("its values are known"),
                };
                begun.dims = (0..whole.len()).map(|l| Some(part(l))).collect();
                interp::run(&self.kernel, &self.info, &mut begun).expect("nothing fails");
            }
        }
        begun.dims = whole;
        let made = recipe.kernel(&self.kernel).expect("it has these iterations");
        let mut program = lower(&made, &recipe)
            .unwrap_or_else(|why| panic!("{why}\n{}", omp_ir::print::kernel(&made.template)));
        let terms = run::terms(&program, &interior.nest);
        for (n, step) in std::iter::once(None).chain(recipe.steps().iter().map(Some)).enumerate() {
            if let Some(step) = step {
                step(&mut program, &made).unwrap_or_else(|why| panic!("step {n}: {why}\n{program}"));
            }
            let mut got = begun.clone();
            run::run(&program, &made, &terms, &mut got)
                .unwrap_or_else(|why| panic!("step {n}: {why}\n{program}"));
            assert!(got.arrays == want.arrays, "after step {n} results differ\n{program}");
        }
        true
    }

    pub fn check_on(&self, device: DeviceClass, numbers: &Numbers) -> usize {
        let facts = self.facts();
        let Some(recipe) = self.recipe(&device, &facts, numbers) else {
            panic!("no recipe: {:?}", facts.nest)
        };
        let mut want = self.memory(numbers);
        let failure = interp::run(&self.kernel, &self.info, &mut want).err();
        let kernel = recipe.kernel(&self.kernel).expect("it has these iterations");
        let mut made = lower(&kernel, &recipe).expect("it is a nest");
        let numbered = facts.nest_of(recipe.iterations).expect("it has a recipe");
        let terms = run::terms(&made, numbered);
        for (n, step) in std::iter::once(None).chain(recipe.steps().iter().map(Some)).enumerate() {
            if let Some(step) = step {
                step(&mut made, &kernel).unwrap_or_else(|why| panic!("step {n}: {why}\n{made}"));
            }
            let mut got = self.memory(numbers);
            match (run::run(&made, &kernel, &terms, &mut got), &failure) {
                (Ok(()), None) => {}
                // The order of statements decides which of several failures is the first.
                (Err(why), Some(_)) if why.ends_with("with overflow") => continue,
                (got, want) => panic!("after step {n}: {got:?} in place of {want:?}\n{made}"),
            }
            assert!(got.arrays == want.arrays, "after step {n} results differ\n{made}");
        }
        recipe.checked.len()
    }
}

pub fn numbers(tiles: [[u32; 3]; 2], depth: u32, pipeline: Pipeline) -> Numbers {
    Numbers {
        tiles: tiles.to_vec(),
        lanes: 8,
        band: 2,
        depth: Some(depth),
        matrix: 0,
        pipeline,
        stage_all: false,
        direct: false,
        rows: 0,
        replicas: 1,
        resident: 1,
    }
}

pub const PIPELINES: [Pipeline; 3] = [Pipeline::None, Pipeline::Registers, Pipeline::Asynchronous(2)];

pub fn pipelines() -> impl Strategy<Value = Pipeline> {
    prop_oneof![
        Just(Pipeline::None),
        Just(Pipeline::Registers),
        Just(Pipeline::Asynchronous(2)),
        Just(Pipeline::Asynchronous(3)),
    ]
}

/// The blocks of a recipe: those of its program, and of an interior those that run the other iterations.
pub fn blocks(case: &Case, facts: &LaunchFacts, recipe: &Recipe) -> u64 {
    let (made, nest) = (recipe.build(&case.kernel), facts.nest_of(recipe.iterations));
    let (made, nest) = (made.expect("it is legal"), nest.expect("it has a nest"));
    let terms = run::terms(&made, nest);
    let at = At { vars: &[], terms: &terms, block: 0, thread: 0 };
    let inside = u64::try_from(made.grid.eval(&at).expect("its numbers are known")).expect("blocks");
    let all = |counts: &mut dyn Iterator<Item = u64>| counts.product::<u64>();
    let whole = all(&mut facts.dims.iter().map(|dim| dim.count));
    let inner = all(&mut nest.loops[..facts.dims.len()].iter().map(|l| l.count));
    match recipe.iterations {
        Iterations::Interior => inside + (whole - inner).div_ceil(made.threads.into()),
        Iterations::All | Iterations::Interchanged | Iterations::Coalesced => inside,
    }
}

/// The schedule and source that a launch on a large device has.
pub fn chosen(case: &Case, pins: Pins) -> (schedule::Strategy, String) {
    let chosen = chosen_on(&device(), case, pins);
    (chosen.strategy, chosen.text)
}

/// What a launch has, and why it has no tiles.
pub struct Chosen {
    pub strategy: schedule::Strategy,
    pub text: String,
    pub no_tiles: Option<String>,
}

/// The same on any device.
pub fn chosen_on(device: &DeviceClass, case: &Case, pins: Pins) -> Chosen {
    use omp_kernels::back::{Dialect, emit};
    let (facts, reasons) = (case.facts(), schedule::Reasons::default());
    let request = Request {
        pins,
        extents: &case.nest.lens,
        facts: &facts,
        device,
        num_teams: None,
        thread_limit: None,
        alignment: &vec![16; case.nest.lens.len()],
        specialised: true,
        parts: true,
        reasons: Some(&reasons),
    };
    let schedule = schedule::choose(&case.kernel, &case.info, &request);
    let dialect = match device.kind {
        DeviceKind::Cuda => Dialect::Cuda,
        DeviceKind::OpenClCpu | DeviceKind::OpenClGpu => Dialect::OpenCl,
    };
    let source = emit(&case.kernel, &case.info, &schedule, dialect).expect("the dialect can say it");
    if let schedule::Strategy::Recipe(recipe) = &schedule.strategy {
        let grid = schedule::geometry(&schedule, &case.kernel, &request).grid;
        assert_eq!(u64::from(grid[0]), blocks(case, &facts, recipe), "{}", schedule.strategy.summary());
    }
    for step in schedule::explain::steps(&schedule, &case.kernel, &reasons) {
        assert!(step.why.is_some(), "no reason is recorded: {step:?}");
    }
    let no_tiles = reasons.of(schedule::About::Without("tiles"));
    Chosen { strategy: schedule.strategy, text: source.text, no_tiles }
}
