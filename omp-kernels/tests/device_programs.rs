//! Device programs give the bytes of the nest, before and after each step.
use kernel_samples::build::{Desc, F32, F64, I32, U8};
use kernel_samples::nests::{
    Border, Nest, Part, Style, batch, bordered, complex_product, conditional, convolution, convolution_of,
    filter, integers, matrix_times_vector, nearest, normalised, product, row_loops, rows_before,
    spread_filter, transposition, triangle, triangular,
};
use omp_ir::analysis::plan::{DimValues, Iterations, LaunchFacts};
use omp_ir::interp::Memory;
use omp_ir::kernel::Kernel;
use omp_ir::template::FpMode;
use omp_kernels::interp;
use omp_kernels::program::recipe::Recipe;
use omp_kernels::program::steps::Pipeline;
use omp_kernels::program::{At, lower, run};
use omp_kernels::schedule::recipes::{Numbers, with_numbers};
use omp_kernels::schedule::{self, DeviceClass, DeviceKind, Pins, Request};
use omp_kernels::valid::{KernelInfo, finalise};
use proptest::prelude::*;

/// A nest, typed.
struct Case {
    nest: Nest,
    kernel: Kernel,
    info: KernelInfo,
}

fn device() -> DeviceClass {
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
    fn new(nest: Nest) -> Self {
        Self::checked(nest, false)
    }

    /// Integer arithmetic is checked for overflow, as in debug builds, or not.
    fn checked(nest: Nest, overflow_checks: bool) -> Self {
        let (template, types) = nest.region.clone().finish();
        let (kernel, info) = finalise(template, types, overflow_checks).expect("it is well typed");
        Self { nest, kernel, info }
    }

    fn facts(&self) -> LaunchFacts {
        self.nest.facts(&self.info.plan)
    }

    fn recipe(&self, device: &DeviceClass, facts: &LaunchFacts, numbers: &Numbers) -> Option<Recipe> {
        let request = Request {
            pins: Pins::default(),
            extents: &self.nest.lens,
            facts,
            device,
            num_teams: None,
            thread_limit: None,
            alignment: &vec![16; self.nest.lens.len()],
            specialised: false,
            reasons: None,
        };
        let orders = [Iterations::Interchanged, Iterations::All];
        orders.into_iter().find_map(|of| with_numbers(&self.kernel, &request, of, numbers))
    }

    /// As [`Self::check`], of rows that stay on the chip; gives whether the step is legal.
    fn check_rows(&self, numbers: &Numbers) -> bool {
        let facts = self.facts();
        let recipe = self.recipe(&device(), &facts, numbers);
        let legal = recipe.is_some_and(|recipe| recipe.rows.is_some() && recipe.build(&self.kernel).is_ok());
        if legal {
            self.check(numbers);
        }
        legal
    }

    fn memory(&self, numbers: &Numbers) -> Memory {
        match numbers.matrix > 0 {
            true => self.nest.memory_of_exact_products(&self.kernel),
            false => self.nest.memory(&self.kernel),
        }
    }

    /// The naive program and that after each step give the bytes of the loop, or fail where it fails. Gives the operators that
    /// the program checks for overflow.
    fn check(&self, numbers: &Numbers) -> usize {
        self.check_on(device(), numbers)
    }

    /// As [`Self::check`], of the interior of a nest: the other iterations run by the kernel's body.
    fn check_inside(&self, numbers: &Numbers) -> bool {
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

    fn check_on(&self, device: DeviceClass, numbers: &Numbers) -> usize {
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
                // Which of several failures is the first, the order tells.
                (Err(why), Some(_)) if why.ends_with("with overflow") => continue,
                (got, want) => panic!("after step {n}: {got:?} in place of {want:?}\n{made}"),
            }
            assert!(got.arrays == want.arrays, "after step {n} results differ\n{made}");
        }
        recipe.checked.len()
    }
}

fn numbers(tiles: [[u32; 3]; 2], depth: u32, pipeline: Pipeline) -> Numbers {
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
        resident: 1,
    }
}

#[test]
fn windows_over_bytes_keep_their_bytes() {
    let case = Case::new(convolution_of(&U8, &F32, [37, 45], 5));
    for direct in [false, true] {
        case.check(&Numbers {
            tiles: vec![[4, 4, 4], [8, 4, 4]],
            lanes: 8,
            band: 1,
            depth: None,
            matrix: 0,
            pipeline: Pipeline::Registers,
            stage_all: false,
            direct,
            rows: 0,
            resident: 1,
        });
    }
}

/// Rows that begin at other multiples of elements than accesses do, in tiles that are whole and in some that are not.
#[test]
fn windows_load_rows_of_any_length() {
    for (tiles, rows) in
        [([[4, 4, 4], [8, 4, 4]], 16), ([[4, 2, 2], [8, 4, 4]], 8), ([[4, 1, 1], [8, 8, 8]], 4)]
    {
        for (columns, taps) in [(64, 1), (32, 2), (32, 3), (64, 4), (64, 5), (61, 3), (31, 2)] {
            let case = Case::new(convolution_of(&F32, &F32, [rows, columns], taps));
            let numbers = Numbers { direct: true, depth: None, band: 1, ..numbers(tiles, 1, Pipeline::None) };
            case.check(&numbers);
        }
    }
}

#[test]
fn interiors_keep_their_bytes() {
    for border in Border::ALL {
        let case = Case::new(bordered(&F32, &F32, &[20, 42], 3, border));
        let tiles = [[4, 2, 2], [8, 4, 4]];
        let numbers = Numbers { depth: None, band: 1, ..numbers(tiles, 1, Pipeline::None) };
        assert!(case.check_inside(&numbers), "{border:?} has an interior");
        // Tiles that are cut off, of rows that begin between multiples of an access.
        let case = Case::new(bordered(&F32, &F32, &[17, 56], 3, border));
        assert!(case.check_inside(&Numbers { direct: true, ..numbers }), "{border:?} has an interior");
    }
    for border in [Border::LeftOut, Border::Periodic] {
        let case = Case::new(bordered(&F32, &F32, &[12, 20, 40], 2, border));
        let tiles = vec![[1, 4, 4], [4, 2, 2], [8, 4, 4]];
        let of_box = Numbers { tiles, depth: None, band: 1, ..numbers([[1; 3]; 2], 1, Pipeline::None) };
        assert!(case.check_inside(&of_box), "{border:?} has an interior in three dimensions");
        let case = Case::new(bordered(&F64, &F64, &[150], 7, border));
        let numbers = Numbers {
            tiles: vec![[32, 4, 4]],
            lanes: 32,
            depth: None,
            band: 1,
            ..numbers([[1; 3]; 2], 1, Pipeline::None)
        };
        assert!(case.check_inside(&numbers), "{border:?} has an interior in one dimension");
    }
}

#[test]
fn a_product_keeps_its_bytes() {
    let case = Case::new(product(&F32, [20, 36, 19], [false; 2], Style::Local, false));
    assert_eq!(case.check(&numbers([[4, 4, 4], [8, 4, 4]], 8, Pipeline::Registers)), 0);
}

/// The loop along rows stands in the one of the terms: they are interchanged.
#[test]
fn interchanged_loops_keep_their_bytes() {
    for (sizes, transposed) in [([20, 36, 19], false), ([33, 41, 8], true)] {
        for debug in [false, true] {
            let case = Case::checked(product(&F32, sizes, [transposed; 2], Style::Outward, debug), debug);
            case.check(&numbers([[4, 4, 4], [8, 4, 4]], 8, Pipeline::Registers));
        }
    }
    for part in [Part::Lower, Part::StrictUpper, Part::Left] {
        let case = Case::new(triangle(&F32, [45, 16], part, Style::Outward, false));
        case.check(&numbers([[4, 4, 4], [8, 4, 4]], 8, Pipeline::Asynchronous(2)));
    }
}

/// The loop of the terms has limits, which other iterations of a block have otherwise.
#[test]
fn sums_with_limits_keep_their_bytes() {
    let mut n = 0;
    for part in Part::ALL {
        for style in [Style::Local, Style::Scaled] {
            for (side, columns) in [(33, 40), (45, 0)] {
                let case = Case::checked(triangular(&F32, [side, columns], part, style), side == 33);
                let tiles = numbers([[4, 4, 4], [8, 4, 4]], 4, PIPELINES[n % 3]);
                let rows = Numbers { tiles: vec![[32, 1, 1]], lanes: 32, stage_all: true, ..tiles.clone() };
                case.check(if columns > 0 { &tiles } else { &rows });
                n += 1;
            }
        }
    }
    let chosen = |columns: u64| {
        chosen(
            &Case::checked(triangular(&F32, [2048, columns], Part::Lower, Style::Local), true),
            Pins::default(),
        )
    };
    for columns in [2048, 0] {
        let (strategy, _) = chosen(columns);
        assert!(matches!(strategy, schedule::Strategy::Recipe(_)), "{}", strategy.summary());
    }
}

/// Of random loops over rows, most are distributed.
#[test]
fn most_loops_over_rows_are_distributed() {
    let (mut legal, mut all, mut refused) = (0, 0, std::collections::BTreeMap::new());
    for first in 0..15 {
        for second in 0..15 {
            let case =
                Case::new(row_loops(&F32, [u64::from(first % 3), 20, 40, 41], &[first, second, 4, 2, 5]));
            let tiles = if first % 3 == 0 { vec![[64, 1, 1]] } else { vec![[1; 3], [64, 1, 1]] };
            let numbers = Numbers { rows: 8, ..Numbers::of(tiles, 32) };
            all += 1;
            match case
                .recipe(&device(), &case.facts(), &numbers)
                .map(|recipe| (recipe.rows.is_some(), recipe.build(&case.kernel)))
            {
                Some((true, Ok(_))) => legal += 1,
                other => {
                    let why = format!("{:?}", other.map(|(rows, made)| (rows, made.err())));
                    *refused.entry(why).or_insert(0) += 1;
                }
            }
        }
    }
    assert!(legal * 10 > all * 9, "{legal} of {all}: {refused:?}");
}

/// Rows that several loops go through stay in shared memory.
#[test]
fn rows_keep_their_bytes() {
    for (rows, columns, of) in [(70, 67, 4), (64, 300, 16), (5, 64, 2), (33, 1, 8), (32, 32, 32), (9, 515, 2)]
    {
        let case = Case::checked(normalised(&F32, [rows, columns], false), rows == 64);
        case.check(&Numbers { rows: of, ..Numbers::of(vec![[if of > 4 { 256 } else { 64 }, 1, 1]], 32) });
    }
    for (rows, columns) in [(64, 64), (64, 640), (97, 531), (1000, 4096), (1 << 14, 1024), (1 << 18, 64)] {
        let (strategy, text) = chosen(&Case::new(normalised(&F32, [rows, columns], false)), Pins::default());
        let schedule::Strategy::Recipe(recipe) = &strategy else { panic!("{}", strategy.summary()) };
        assert!(
            recipe.rows.is_some() && text.contains("__syncthreads"),
            "{rows} x {columns}: {}",
            strategy.summary()
        );
    }
}

/// Of rows away from a border, blocks are those of the interior.
#[test]
fn rows_away_from_a_border_keep_their_bytes() {
    for (rows, columns, of) in [(70, 67, 4), (68, 33, 16), (41, 70, 8)] {
        let case = Case::new(rows_before(&F32, [rows, columns]));
        assert!(case.check_inside(&Numbers { rows: of, ..Numbers::of(vec![[64, 1, 1]], 32) }));
    }
    for (rows, columns) in [(16388, 1024), (16388, 531), (4100, 256), (1025, 64)] {
        let (strategy, _) = chosen(&Case::new(rows_before(&F32, [rows, columns])), Pins::default());
        let schedule::Strategy::Recipe(recipe) = &strategy else { panic!("{}", strategy.summary()) };
        assert!(recipe.rows.is_some() && recipe.iterations == Iterations::Interior, "{}", strategy.summary());
    }
}

/// A sequential loop around a sum runs several iterations together, unless one needs what another leaves.
#[test]
fn comparisons_keep_their_bytes() {
    let all = [([70, 8, 9], 2), ([64, 6, 16], 1), ([33, 7, 8], 2), ([40, 32, 11], 1)];
    for (n, (sizes, places)) in all.into_iter().enumerate() {
        let case = Case::checked(nearest(&F32, sizes, false), places == 2);
        let of = numbers([[1; 3]; 2], 4, PIPELINES[n % 3]);
        case.check(&Numbers { tiles: vec![[32, places, 1]], lanes: 32, band: 1, stage_all: true, ..of });
    }
    let none = Pins::default();
    let (strategy, _) = chosen(&Case::checked(nearest(&F32, [1 << 16, 64, 32], false), true), none);
    assert!(matches!(&strategy, schedule::Strategy::Recipe(recipe) if recipe.jammed == Some((1, 16))));
    let (strategy, _) = chosen(&Case::new(nearest(&F32, [1 << 16, 64, 32], true)), none);
    assert!(!matches!(&strategy, schedule::Strategy::Recipe(_)), "{}", strategy.summary());
}

const PIPELINES: [Pipeline; 3] = [Pipeline::None, Pipeline::Registers, Pipeline::Asynchronous(2)];

/// Tiles of the box around a triangle, of which iterations outside store nothing.
#[test]
fn triangles_keep_their_bytes() {
    let ([down, across], mut n) = ([[4, 4, 4], [8, 4, 4]], 0);
    for part in Part::ALL {
        for style in [Style::Local, Style::Inner, Style::Scaled] {
            let side = [33, 64][n % 2];
            let case = Case::checked(triangle(&F32, [side, 9], part, style, false), side == 33);
            case.check(&numbers([down, across], 4, PIPELINES[n % 3]));
            n += 1;
        }
        n += 1;
    }
    let case = Case::new(triangle(&F32, [45, 16], Part::StrictUpper, Style::Local, true));
    case.check(&numbers([down, across], 8, Pipeline::Registers));
}

/// The blocks of a recipe: those of its program, and of an interior those that run the other iterations.
fn blocks(case: &Case, facts: &LaunchFacts, recipe: &Recipe) -> u64 {
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
        Iterations::All | Iterations::Interchanged => inside,
    }
}

/// The schedule and source that a launch on a large device has.
fn chosen(case: &Case, pins: Pins) -> (schedule::Strategy, String) {
    use omp_kernels::back::{Dialect, emit};
    let (facts, reasons) = (case.facts(), schedule::Reasons::default());
    let request = Request {
        pins,
        extents: &case.nest.lens,
        facts: &facts,
        device: &device(),
        num_teams: None,
        thread_limit: None,
        alignment: &vec![16; case.nest.lens.len()],
        specialised: true,
        reasons: Some(&reasons),
    };
    let schedule = schedule::choose(&case.kernel, &case.info, &request);
    let source = emit(&case.kernel, &case.info, &schedule, Dialect::Cuda).expect("CUDA can say it");
    if let schedule::Strategy::Recipe(recipe) = &schedule.strategy {
        let grid = schedule::geometry(&schedule, &case.kernel, &request).grid;
        assert_eq!(u64::from(grid[0]), blocks(case, &facts, recipe), "{}", schedule.strategy.summary());
    }
    for step in schedule::explain::steps(&schedule, &case.kernel, &reasons) {
        assert!(step.why.is_some(), "no reason is recorded: {step:?}");
    }
    (schedule.strategy, source.text)
}

#[test]
fn large_nests_run_in_tiles_with_the_same_text_in_debug_builds() {
    let none = Pins::default();
    let nests = [
        product(&F32, [4096; 3], [false; 2], Style::Local, false),
        product(&F64, [1000, 3000, 500], [true, false], Style::Inner, false),
        product(&F32, [2048; 3], [false, true], Style::Scaled, true),
        product(&F32, [2048; 3], [false, false], Style::Outward, false),
        conditional(&F32, [1024; 3]),
        matrix_times_vector(&F32, [16384; 2], false),
        convolution(&F32, [4096; 2], 5),
        filter(&F32, 1 << 24, 63),
        transposition(&F32, [8192; 2]),
    ];
    for nest in nests {
        let (debug, text) = chosen(&Case::checked(nest.clone(), true), none);
        assert!(matches!(debug, schedule::Strategy::Recipe(_)), "{}", debug.summary());
        assert_eq!((debug, text), chosen(&Case::new(nest), none));
    }
    for part in [Part::Lower, Part::StrictUpper, Part::Left] {
        for (style, mirrored) in [
            (Style::Local, false),
            (Style::Local, true),
            (Style::Scaled, false),
            (Style::Inner, false),
            (Style::Outward, false),
        ] {
            let (strategy, _) =
                chosen(&Case::checked(triangle(&F32, [2048; 2], part, style, mirrored), true), none);
            assert!(
                matches!(strategy, schedule::Strategy::Recipe(_)),
                "{part:?} {style:?}: {}",
                strategy.summary()
            );
        }
    }
    let (debug, text) = chosen(&Case::checked(integers([1024; 3], false), true), none);
    assert!(matches!(&debug, schedule::Strategy::Recipe(recipe) if recipe.checked.len() == 2));
    assert!(text.contains("mul_checked_i32") && text.contains("add_checked_i32"), "{text}");
    // Small nests are not worth tiles.
    let small = chosen(&Case::checked(integers([20; 3], false), true), none);
    assert!(!matches!(small.0, schedule::Strategy::Recipe(_)));
}

/// The matrix instruction is for single products; batches, also of `f64`, take the other tiles.
#[test]
fn batches_of_products_run_in_tiles() {
    for ty in [&F32, &F64] {
        let case = Case::new(batch(ty, 8, 512));
        let (strategy, text) = chosen(&case, Pins::default());
        let schedule::Strategy::Recipe(recipe) = strategy else { panic!("{}", strategy.summary()) };
        assert_eq!((recipe.matrix, recipe.tiles.tiles.len()), (0, 3));
        assert_eq!(recipe.tiles.tiles[0].extent(), 1, "a block is of one product");
        assert!(!text.contains("mma.sync") || !text.contains("multiply_matrices(&"), "{text}");
    }
    let small = Case::new(batch(&F64, 2, 20));
    let tile = |threads: u32| [threads, 2, 2];
    let numbers = numbers([tile(4), tile(8)], 4, Pipeline::Registers);
    small.check(&Numbers { tiles: vec![[1; 3], tile(4), tile(8)], ..numbers });
}

#[test]
fn clauses_set_the_numbers_of_recipes() {
    let case = Case::new(product(&F32, [4096; 3], [false; 2], Style::Local, false));
    let numbers = |pins: Pins| match chosen(&case, pins).0 {
        schedule::Strategy::Recipe(recipe) => {
            let tiles = recipe.tiles.tiles.iter().map(|t| [t.threads, t.extent(), t.vector]);
            (tiles.collect::<Vec<_>>(), recipe.chunks.first().map(|c| c.depth))
        }
        other => panic!("{}", other.summary()),
    };
    let (tiles, depth) = numbers(Pins { tile: Some([64, 128]), unroll: Some(16), ..Pins::default() });
    assert_eq!((tiles[0][1], tiles[1][1], depth), (64, 128, Some(16)));
    let (tiles, _) = numbers(Pins { block: Some([16, 8, 1]), vector: Some(2), ..Pins::default() });
    assert_eq!((tiles[0][0], tiles[1][0]), (8, 16));
    assert!(tiles.iter().all(|t| t[2] <= 2));
    // A block that no warps fit runs the plain kernel.
    let odd = chosen(&case, Pins { block: Some([7, 3, 1]), ..Pins::default() });
    assert!(!matches!(odd.0, schedule::Strategy::Recipe(_)));
}

fn pipelines() -> impl Strategy<Value = Pipeline> {
    prop_oneof![
        Just(Pipeline::None),
        Just(Pipeline::Registers),
        Just(Pipeline::Asynchronous(2)),
        Just(Pipeline::Asynchronous(3)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn products_keep_their_bytes(
        rows in 1u64..20,
        columns in 1u64..30,
        depth in 4u64..14,
        (ta, tb, double) in (any::<bool>(), any::<bool>(), any::<bool>()),
        style in 0usize..3,
        (difference, debug) in (any::<bool>(), any::<bool>()),
        (slow, fast) in (0usize..3, 0usize..3),
        chunk in prop_oneof![Just(4u32), Just(3), Just(2)],
        pipeline in pipelines(),
    ) {
        let (round, whole) = (4 * (rows % 2) + 1, 4 * (columns % 3) + 1);
        let sizes = [rows.next_multiple_of(round), columns.next_multiple_of(whole), depth.next_multiple_of(round)];
        let ty: Desc = if double { &F64 } else { &F32 };
        let style = [Style::Local, Style::Inner, Style::Scaled][style];
        let case = Case::checked(product(ty, sizes, [ta, tb], style, difference), debug);
        let most = if double { 2 } else { 4 };
        let places = [[1, 1], [4, most], [2, 2]];
        let tile = |threads: u32, n: usize| [threads, places[n][0], places[n][1]];
        // The sizes show that no subscript overflows.
        assert_eq!(case.check(&numbers([tile(4, slow), tile(8, fast)], chunk, pipeline)), 0);
    }

    #[test]
    fn structs_and_calls_keep_their_bytes(
        (rows, columns, depth) in (1u64..20, 1u64..30, 4u64..14),
        debug in any::<bool>(),
        places in prop_oneof![Just([1u32, 1]), Just([2, 2]), Just([4, 4])],
        chunk in prop_oneof![Just(4u32), Just(3)],
        pipeline in pipelines(),
    ) {
        let case = Case::checked(complex_product([rows, columns, depth]), debug);
        let [n, v] = places;
        assert_eq!(case.check(&numbers([[4, n, v], [8, n, v]], chunk, pipeline)), 0);
    }

    #[test]
    fn conditions_keep_their_bytes(
        (rows, columns, depth) in (1u64..20, 1u64..30, 4u64..14),
        (debug, double) in (any::<bool>(), any::<bool>()),
        places in prop_oneof![Just([1u32, 1]), Just([2, 2])],
        chunk in prop_oneof![Just(4u32), Just(3)],
        pipeline in pipelines(),
    ) {
        let ty: Desc = if double { &F64 } else { &F32 };
        let case = Case::checked(conditional(ty, [rows, columns, depth]), debug);
        let [n, v] = places;
        assert_eq!(case.check(&numbers([[4, n, v], [8, n, v]], chunk, pipeline)), 0);
    }

    #[test]
    fn integers_keep_their_bytes_and_checks(
        (rows, columns, depth) in (1u64..20, 1u64..30, 4u64..14),
        (debug, overflows) in (any::<bool>(), any::<bool>()),
        pipeline in pipelines(),
    ) {
        let case = Case::checked(integers([rows, columns, depth], overflows), debug);
        let checked = case.check(&numbers([[4, 2, 2], [8, 4, 4]], 4, pipeline));
        assert_eq!(checked, if debug { 2 } else { 0 });
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    #[test]
    fn windows_with_borders_keep_their_bytes(
        (rows, columns) in (16u64..24, 40u64..60),
        taps in 1u64..5,
        border in 0..Border::ALL.len(),
        (bytes, direct, asynchronous) in (any::<bool>(), any::<bool>(), any::<bool>()),
        places in prop_oneof![Just([1u32, 1]), Just([2, 2]), Just([4, 4])],
        lines in 0usize..2,
    ) {
        let of: Desc = if bytes { &U8 } else { &F32 };
        let case = match lines {
            0 => Case::new(bordered(of, &F32, &[rows, columns], taps, Border::ALL[border])),
            _ => Case::new(bordered(of, &F32, &[columns * 3], taps, Border::ALL[border])),
        };
        let [n, v] = places;
        let tiles = if lines == 0 { vec![[4, n, v], [8, 4, 4]] } else { vec![[32, 4, 4]] };
        let lanes = if lines == 0 { 8 } else { 32 };
        let pipeline = if asynchronous { Pipeline::Asynchronous(2) } else { Pipeline::None };
        let numbers =
            Numbers { tiles, lanes, band: 1, depth: None, matrix: 0, pipeline, stage_all: false, direct, rows: 0, resident: 1 };
        // Windows of one element have no borders, and those of small arrays may have too large ones.
        let inside = case.check_inside(&numbers);
        prop_assert!(inside || taps == 1 || taps == 4);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5, ..ProptestConfig::default() })]

    #[test]
    fn matrices_keep_their_bytes(
        (rows, columns, depth) in (1u64..40, 1u64..40, 16u64..30),
        (ta, tb, whole) in (any::<bool>(), any::<bool>(), any::<bool>()),
        style in 0usize..3,
        (groups, slow, fast) in (1u32..3, 1u32..3, 1u32..3),
        chunk in prop_oneof![Just(4u32), Just(8), Just(16)],
        pipeline in pipelines(),
    ) {
        let by = if whole { 8 } else { 1 };
        let style = [Style::Local, Style::Inner, Style::Scaled][style];
        let case = Case::new(product(&F64, [rows, columns, depth].map(|n: u64| n.next_multiple_of(by)), [ta, tb], style, false));
        let mut numbers = numbers([[8 * slow, slow * groups, 1], [4 * fast, 2 * fast, 2]], chunk, pipeline);
        (numbers.lanes, numbers.matrix) = (4, groups);
        case.check(&numbers);
    }
}

/// What the matrix instruction does not do is refused.
#[test]
fn other_sums_than_products_are_refused() {
    let shape = [[8, 1, 1], [4, 2, 2]];
    let why = |nest: Nest, tiles: [[u32; 3]; 2], lanes: u32, strict: bool| {
        let mut case = Case::new(nest);
        if strict {
            case.kernel.template.fp = FpMode::Strict;
        }
        let numbers = Numbers { lanes, matrix: 1, ..numbers(tiles, 8, Pipeline::Registers) };
        let recipe = case.recipe(&device(), &case.facts(), &numbers).expect("it is a nest");
        recipe.build(&case.kernel).expect_err("it is refused")
    };
    let nest = |ty: Desc, distances: bool| product(ty, [32; 3], [false; 2], Style::Local, distances);
    let other = "a sum of something else than products";
    assert_eq!(why(nest(&F64, true), shape, 4, false), other);
    assert_eq!(why(nest(&F32, false), shape, 4, false), other);
    let lanes = "lanes or tiles that are not those of the matrix instruction";
    assert_eq!(why(nest(&F64, false), [[4, 1, 1], [8, 2, 2]], 8, false), lanes);
    assert_eq!(why(nest(&F64, false), [[8, 1, 1], [4, 2, 1]], 4, false), lanes);
    let strict = "`fp(strict)` rounds products before they are added";
    assert_eq!(why(nest(&F64, false), shape, 4, true), strict);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn sums_keep_their_bytes(
        (rows, columns) in (1u64..50, 8u64..40),
        (transposed, all) in (any::<bool>(), any::<bool>()),
        depth in prop_oneof![Just(4u32), Just(8), Just(3)],
        pipeline in pipelines(),
    ) {
        let case = Case::new(matrix_times_vector(&F32, [rows, columns.next_multiple_of(1 + 3 * (rows % 2))], transposed));
        let tiles = vec![[32, 1, 1]];
        case.check(&Numbers { tiles, lanes: 32, band: 1, depth: Some(depth), matrix: 0, pipeline, stage_all: all, direct: false, rows: 0, resident: 1 });
    }

    #[test]
    fn rows_that_are_stored_keep_their_bytes(
        (rows, columns) in (1u64..50, 8u64..40),
        transposed in any::<bool>(),
        depth in prop_oneof![Just(4u32), Just(8), Just(3)],
        pipeline in pipelines(),
    ) {
        let case = Case::new(normalised(&F32, [rows, columns.next_multiple_of(1 + 3 * (rows % 2))], transposed));
        let tiles = vec![[32, 1, 1]];
        case.check(&Numbers { tiles, lanes: 32, band: 1, depth: Some(depth), matrix: 0, pipeline, stage_all: true, direct: false, rows: 0, resident: 1 });
    }

    #[test]
    fn loops_over_rows_keep_their_bytes(
        (layers, rows, columns, more) in (0u64..4, 1u64..20, 1u64..70, 0u64..3),
        of in prop_oneof![Just(2u32), Just(4), Just(16), Just(8)],
        threads in prop_oneof![Just(64u32), Just(96)],
        choices in prop::collection::vec(any::<u8>(), 2..6),
    ) {
        let case = Case::new(row_loops(&F32, [layers, rows, columns, columns + more], &choices));
        let tiles = if layers == 0 { vec![[threads, 1, 1]] } else { vec![[1; 3], [threads, 1, 1]] };
        case.check_rows(&Numbers { rows: of, ..Numbers::of(tiles, 32) });
    }

    #[test]
    fn windows_keep_their_bytes(
        (rows, columns, taps) in (1u64..40, 1u64..50, 1u64..7),
        (down, across) in (prop_oneof![Just(4u32), Just(2)], prop_oneof![Just(4u32), Just(8)]),
        (asynchronous, direct) in (any::<bool>(), any::<bool>()),
        two in any::<bool>(),
        // Elements beyond the last that a filter reads.
        more in 0u64..5,
    ) {
        let pipeline = if asynchronous { Pipeline::Asynchronous(2) } else { Pipeline::Registers };
        let (tiles, nest) = match two {
            true => {
                let of: Desc = if columns % 2 == 0 { &F32 } else { &U8 };
                (vec![[4, down, down], [8, across, across]], convolution_of(of, &F32, [rows, columns], taps))
            }
            false => {
                let mut nest = filter(&F32, rows * columns, 3 * taps);
                nest.lens[1] += more;
                (vec![[32, across, across]], nest)
            }
        };
        let lanes = if two { 8 } else { 32 };
        Case::new(nest).check(&Numbers { tiles, lanes, band: 1, depth: None, matrix: 0, pipeline, stage_all: false, direct, rows: 0, resident: 1 });
    }

    #[test]
    fn windows_of_two_loops_keep_their_bytes(
        (len, rows, taps) in (1u64..200, 1u64..4, prop_oneof![1u64..9, 22u64..36]),
        weights in [0u64..5, 0u64..12, 1u64..4],
        reach in [1u64..8, 1u64..4],
        places in prop_oneof![Just(4u32), Just(8), Just(16), Just(2)],
        (asynchronous, double, cuda, checked) in (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
        direct in any::<bool>(),
    ) {
        let ty: Desc = match (checked, double) {
            (true, _) => &I32,
            (false, true) => &F64,
            (false, false) => &F32,
        };
        let case = Case::checked(spread_filter(ty, len, [rows, taps], weights, reach), checked);
        let pipeline = if asynchronous && cuda { Pipeline::Asynchronous(2) } else { Pipeline::None };
        let tiles = vec![[32, places, places]];
        let numbers =
            Numbers { tiles, lanes: 32, band: 1, depth: None, matrix: 0, pipeline, stage_all: false, direct, rows: 0, resident: 1 };
        case.check_on(if cuda { device() } else { DeviceClass { kind: DeviceKind::OpenClGpu, ..device() } }, &numbers);
    }

    #[test]
    fn permutations_keep_their_bytes(
        (rows, columns) in (1u64..60, 1u64..60),
        whole in any::<bool>(),
        double in any::<bool>(),
        asynchronous in any::<bool>(),
    ) {
        let by = if whole { 4 } else { 1 };
        let ty: Desc = if double { &F64 } else { &F32 };
        let v = if double { 2 } else { 4 };
        let case = Case::new(transposition(ty, [rows, columns].map(|n: u64| n.next_multiple_of(by))));
        let pipeline = if asynchronous { Pipeline::Asynchronous(2) } else { Pipeline::None };
        let tiles = vec![[8, 4, v], [8, 4, v]];
        case.check(&Numbers { tiles, lanes: 8, band: 1, depth: None, matrix: 0, pipeline, stage_all: false, direct: false, rows: 0, resident: 1 });
    }
}

/// A work for [`sources`]: its name, the nest, the peers' number of its kind, sizes, and numbers to try.
type Work = (String, Nest, u32, [u64; 3], Vec<(String, Numbers)>);

fn products_to_try(ty: Desc) -> Vec<(String, Numbers)> {
    let words = if std::ptr::eq(ty, &F64) { 2 } else { 1 };
    let shapes = [
        [8, 16, 8, 16],
        [8, 16, 16, 8],
        [16, 8, 8, 16],
        [16, 16, 8, 8],
        [8, 16, 8, 8],
        [16, 8, 8, 8],
        [8, 8, 8, 8],
        [16, 16, 4, 8],
        [16, 16, 4, 4],
    ];
    let ways = [(8, Pipeline::Registers), (16, Pipeline::Registers), (16, Pipeline::Asynchronous(2))];
    let mut all = Vec::new();
    for [down, across, ry, rx] in shapes {
        for (depth, pipeline) in ways {
            let registers = ry * rx * words + 64;
            if registers > 192 {
                continue;
            }
            let (v, resident) = (4 / words, (65536 / (registers * down * across)).clamp(1, 8));
            let tiles = vec![[down, ry, v], [across, rx, v]];
            let label = format!("{}x{}x{depth} r{ry}x{rx} {pipeline:?} mb{resident}", down * ry, across * rx);
            let numbers = Numbers {
                tiles,
                lanes: 8,
                band: 8,
                depth: Some(depth),
                matrix: 0,
                pipeline,
                stage_all: false,
                direct: false,
                rows: 0,
                resident,
            };
            all.push((label, numbers));
        }
    }
    for (depth, lanes, band, resident) in [
        (8, 4, 8, 2),
        (8, 16, 8, 2),
        (8, 8, 4, 2),
        (8, 8, 16, 2),
        (8, 8, 8, 1),
        (16, 4, 8, 2),
        (16, 8, 16, 2),
        (12, 8, 8, 2),
    ] {
        if words == 1 {
            let numbers = Numbers {
                tiles: vec![[8, 16, 4], [16, 8, 4]],
                lanes,
                band,
                depth: Some(depth),
                matrix: 0,
                pipeline: Pipeline::Registers,
                stage_all: false,
                direct: false,
                rows: 0,
                resident,
            };
            all.push((format!("128x128x{depth} r16x8 lanes {lanes} band {band} mb{resident}"), numbers));
        }
    }
    if words == 2 {
        let shapes = [
            [16, 8, 4, 16],
            [16, 8, 8, 8],
            [16, 16, 4, 8],
            [16, 8, 4, 8],
            [8, 8, 4, 8],
            [8, 16, 8, 8],
            [8, 8, 8, 8],
            [8, 8, 8, 16],
        ];
        for [down, across, ry, rx] in shapes {
            for (depth, stages) in [(16, 2), (16, 3), (16, 4), (32, 2), (8, 3), (8, 4)] {
                let resident = (65536 / ((ry * rx * words + 100) * down * across)).clamp(1, 8);
                let label =
                    format!("{}x{}x{depth} r{ry}x{rx} matrix {stages} mb{resident}", down * ry, across * rx);
                let numbers = Numbers {
                    tiles: vec![[down, ry, 1], [across, rx, 2]],
                    lanes: 4,
                    band: 8,
                    depth: Some(depth),
                    matrix: 2,
                    pipeline: Pipeline::Asynchronous(stages),
                    stage_all: false,
                    direct: false,
                    rows: 0,
                    resident,
                };
                all.push((label, numbers));
            }
        }
    }
    all
}

fn sums_to_try() -> Vec<(String, Numbers)> {
    let mut all = Vec::new();
    for threads in [32, 64, 128] {
        for depth in [16, 32, 64] {
            for stages in [2, 3, 4, 6] {
                let pipeline = Pipeline::Asynchronous(stages);
                let tiles = vec![[threads, 1, 1]];
                let numbers = Numbers {
                    tiles,
                    lanes: 32,
                    band: 1,
                    depth: Some(depth),
                    matrix: 0,
                    pipeline,
                    stage_all: true,
                    direct: false,
                    rows: 0,
                    resident: 1,
                };
                all.push((format!("{threads}x{depth} {stages}"), numbers));
            }
        }
    }
    all
}

fn permutations_to_try() -> Vec<(String, Numbers)> {
    let mut all = Vec::new();
    for [ty, tx, ry, rx, lanes] in [
        [16, 16, 4, 4, 16],
        [8, 16, 4, 4, 16],
        [8, 8, 4, 4, 8],
        [16, 16, 4, 4, 8],
        [32, 8, 4, 4, 8],
        [8, 32, 4, 4, 32],
        [8, 32, 4, 1, 32],
    ] {
        for pipeline in [Pipeline::None, Pipeline::Asynchronous(2)] {
            let tiles = vec![[tx, rx, rx], [ty, ry, ry]];
            let numbers = Numbers {
                tiles,
                lanes,
                band: 1,
                depth: None,
                matrix: 0,
                pipeline,
                stage_all: false,
                direct: false,
                rows: 0,
                resident: 1,
            };
            all.push((format!("{ty}x{tx} r{ry}x{rx} lanes {lanes} {pipeline:?}"), numbers));
        }
    }
    all
}

fn windows_to_try(two: bool) -> Vec<(String, Numbers)> {
    let mut all = Vec::new();
    let shapes: &[[u32; 4]] = if two {
        &[
            [4, 32, 4, 4],
            [2, 32, 4, 4],
            [8, 32, 4, 4],
            [8, 32, 2, 4],
            [8, 32, 2, 8],
            [4, 32, 4, 8],
            [8, 16, 4, 4],
            [8, 32, 1, 4],
            [4, 32, 2, 4],
            [16, 32, 4, 4],
            [8, 16, 2, 8],
            [4, 32, 3, 4],
            [8, 32, 5, 4],
        ]
    } else {
        &[
            [1, 128, 1, 8],
            [1, 256, 1, 8],
            [1, 128, 1, 16],
            [1, 64, 1, 8],
            [1, 64, 1, 16],
            [1, 128, 1, 12],
            [1, 128, 1, 4],
        ]
    };
    for [ty, tx, ry, rx] in shapes {
        for (pipeline, direct) in
            [(Pipeline::None, false), (Pipeline::Asynchronous(2), false), (Pipeline::None, true)]
        {
            let mut tiles = vec![[*ty, *ry, *ry], [*tx, *rx, *rx]];
            if !two {
                tiles.remove(0);
            }
            let numbers = Numbers {
                tiles,
                lanes: 32.min(*tx),
                band: 1,
                depth: None,
                matrix: 0,
                pipeline,
                stage_all: false,
                direct,
                rows: 0,
                resident: 1,
            };
            all.push((format!("{ty}x{tx} r{ry}x{rx} {pipeline:?} direct {direct}"), numbers));
        }
    }
    all
}

/// Sources of many numbers in one file for a real compiler: `OMP_KERNELS_DUMP` is the folder.
#[test]
#[ignore = "writes sources for real compilers"]
fn sources() {
    use omp_kernels::back::{Arg, Dialect, emit};
    use omp_kernels::schedule::{Schedule, Strategy as Way, choose, geometry};
    use std::fmt::Write as _;
    let folder = std::env::var("OMP_KERNELS_DUMP").expect("a folder");
    let mut works: Vec<Work> = Vec::new();
    let mut add_product =
        |name: &str, ty: Desc, sizes: [u64; 3], t: [bool; 2], style: Style, distances: bool| {
            let kind = if distances { 3 } else { u32::from(t[0]) + 2 * u32::from(t[1]) };
            works.push((
                name.to_owned(),
                product(ty, sizes, t, style, distances),
                kind,
                sizes,
                products_to_try(ty),
            ));
        };
    for n in [1024, 2048, 3000, 4096, 8192] {
        add_product(&format!("nn_{n}"), &F32, [n; 3], [false; 2], Style::Local, false);
    }
    add_product("tn_4096", &F32, [4096; 3], [true, false], Style::Local, false);
    add_product("nt_4096", &F32, [4096; 3], [false, true], Style::Local, false);
    add_product("dist_8192", &F32, [8192, 8192, 64], [false, true], Style::Local, true);
    add_product("dnn_4096", &F64, [4096; 3], [false; 2], Style::Local, false);
    for (name, t, kind) in [("gemv", false, 4), ("gemvt", true, 5)] {
        let nest = matrix_times_vector(&F32, [16384; 2], t);
        works.push((name.to_owned(), nest, kind, [16384, 1, 16384], sums_to_try()));
    }
    works.push((
        "transpose".to_owned(),
        transposition(&F32, [8192; 2]),
        6,
        [8192, 8192, 1],
        permutations_to_try(),
    ));
    for taps in [5, 11] {
        let nest = convolution(&F32, [8192; 2], taps);
        works.push((format!("conv{taps}"), nest, 7, [8192, 8192, taps], windows_to_try(true)));
    }
    let mut fir = filter(&F32, 1 << 26, 63);
    fir.lens[1] += 1026;
    works.push(("fir".to_owned(), fir, 8, [1 << 26, 1, 63], windows_to_try(false)));
    for (name, nest, kind, sizes, numbers) in works {
        let case = Case::new(nest);
        let facts = case.facts();
        let lens = &case.nest.lens;
        let request = Request {
            pins: Pins::default(),
            extents: lens,
            facts: &facts,
            device: &device(),
            num_teams: None,
            thread_limit: None,
            alignment: &vec![16; lens.len()],
            specialised: false,
            reasons: None,
        };
        let chosen = choose(&case.kernel, &case.info, &request);
        let mut schedules = vec![("chosen".to_owned(), chosen.clone())];
        if let Way::Recipe(recipe) = &chosen.strategy {
            println!("{name}: {:?} {:?} {:?}", recipe.tiles.tiles, recipe.chunks, recipe.pipeline);
        }
        for (label, numbers) in numbers {
            let Some(mut recipe) = case.recipe(&device(), &facts, &numbers) else { continue };
            match recipe.build(&case.kernel) {
                Ok(made) if made.shared_bytes() <= 227 << 10 => recipe.shared = made.dynamic_bytes(),
                Ok(_) => continue,
                Err(why) => {
                    println!("{name} {label}: {why}");
                    continue;
                }
            }
            let threads = numbers.tiles.iter().map(|t| t[0]).product();
            let strategy = Way::Recipe(Box::new(recipe));
            schedules.push((label, Schedule { strategy, block: [threads, 1, 1], ..chosen.clone() }));
        }
        let element = if name.starts_with("dnn") { "double" } else { "float" };
        for (part, schedules) in schedules.chunks(schedules.len().div_ceil(2)).enumerate() {
            let (mut text, mut table) = (String::new(), String::new());
            for (n, (label, schedule)) in schedules.iter().enumerate() {
                let source =
                    emit(&case.kernel, &case.info, schedule, Dialect::Cuda).expect("CUDA can say it");
                let made = geometry(schedule, &case.kernel, &request);
                let ([gx, gy, gz], shared) = (made.grid, made.shared);
                let [bx, by, bz] = schedule.block;
                let arg = |arg: &Arg| match arg {
                    Arg::Array(a) => ["a", "b", "c"][a.index()].to_owned(),
                    Arg::Term(_, t) => {
                        t.value(facts.nest.as_ref().expect("a nest")).expect("it is there").to_string()
                    }
                    Arg::Scalar(s) => case.nest.scalars[s.index()].to_string(),
                    Arg::DimCount(d) => case.nest.dims[*d as usize].to_string(),
                    Arg::Total => case.nest.dims.iter().product::<u64>().to_string(),
                    _ => "0".to_owned(),
                };
                let args: Vec<String> = source.args.iter().map(arg).collect();
                // One file a kernel for NVRTC, which compiles as the library does: the call before the text.
                let call = [
                    label.clone(),
                    format!("{} {gx} {bx} {shared}", source.entry),
                    args.join(" "),
                    format!("{element} {kind} {} {} {}", sizes[0], sizes[1], sizes[2]),
                ];
                let file = format!("{folder}/{name}-{part}-{n}.kernel");
                std::fs::write(file, format!("{}\n{}", call.join("\n"), source.text))
                    .expect("the folder is there");
                if label == "chosen" {
                    let call = format!("{} {gx} {bx} {shared} {}", source.entry, args.join(" "));
                    std::fs::write(format!("{folder}/{name}.args"), call).expect("the folder is there");
                    std::fs::write(format!("{folder}/{name}.text"), &source.text)
                        .expect("the folder is there");
                }
                let cuda = source.text.replace("extern \"C\" __global__", "__global__");
                let _ = writeln!(text, "namespace k{n} {{\n{cuda}\n}}");
                let entry = &source.entry;
                let _ = writeln!(
                    table,
                    "{{\"{label}\", (void*)k{n}::{entry}, {shared}, [](const T* a, T* b, T* c) {{ k{n}::{entry}<<<dim3({gx}, {gy}, {gz}), dim3({bx}, {by}, {bz}), {shared}>>>({}); }}}},",
                    args.join(", ")
                );
            }
            let [m, n, d] = sizes;
            let text = format!(
                "{text}\ntypedef {element} T;\n#define M {m}\n#define N {n}\n#define D {d}\n#define KIND {kind}\n#define WORK \"{name}\"\n#include \"main.cuh\"\nstatic K kernels[] = {{\n{table}}};\n#include \"run.cuh\"\n"
            );
            std::fs::write(format!("{folder}/{name}_{part}.cu"), text).expect("the folder is there");
        }
        println!("{name}: {}", schedules.len());
    }
}
