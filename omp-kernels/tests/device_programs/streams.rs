//! Rows that are computed element by element, under a loop with a directive.
use crate::case::{Case, chosen};
use kernel_samples::build::{Desc, F32, F64, Region, U8, USIZE, X, count, int};
use kernel_samples::nests::Nest;
use omp_ir::analysis::plan::Iterations;
use omp_kernels::program::Keep;
use omp_kernels::schedule::recipes::Numbers;
use omp_kernels::schedule::{Pins, Strategy};
use proptest::prelude::*;

/// What an iteration does with its element.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Element {
    /// `y = x - c`, with an element of `x` and one of `c` for each column.
    Centred,
    /// `y = y * c`, with one of `c` for each row.
    InPlace,
    /// `if x > c { y = x }`
    Chosen,
    /// `y = x - c`, with the next element of `x`.
    Shifted,
    /// `y = x - c; z = y * c;`
    Two,
}

/// Rows of so many elements.
fn rows_of(ty: Desc, [layers, rows, columns]: [u64; 3], element: Element) -> Nest {
    let mut r = Region::new("rows_of_elements");
    let (x, c, y) = (r.array("x", ty), r.array("c", ty), r.array("y", ty));
    let z = (element == Element::Two).then(|| r.array("z", ty));
    let [l, m, n] = ["l", "m", "n"].map(|name| r.scalar(name, &USIZE));
    let outer = r.dim("i", int(0)..l.clone());
    let number = |i: X, j: X| i * &n + j;
    let body = |r: &mut Region, i: X, j: X| {
        let at = number(i.clone(), j.clone());
        match element {
            Element::Centred => r.set(y.at(&at), x.at(&at) - c.at(&j)),
            Element::Two => {
                r.set(y.at(&at), x.at(&at) - c.at(&j));
                r.set(z.as_ref().expect("it has two").at(&at), y.at(&at) * c.at(&j));
            }
            Element::InPlace => r.set(y.at(&at), y.at(&at) * c.at(&i)),
            Element::Shifted => r.set(y.at(&at), x.at(&at + int(1)) - c.at(&j)),
            Element::Chosen => {
                let v = r.let_("v", x.at(&at));
                r.if_(v.gt(c.at(&j)), |r| r.set(y.at(&at), &v));
            }
        }
    };
    if layers == 1 {
        // One loop with a directive, and one inside.
        r.for_("j", count(0, n.clone()), |r, j, _| body(r, outer.clone(), j));
    } else {
        r.for_("k", count(0, m.clone()), |r, k, _| {
            r.for_("j", count(0, n.clone()), |r, j, _| body(r, &outer * &m + k.clone(), j));
        });
    }
    let outermost = if layers == 1 { rows } else { layers };
    let all = layers * rows * columns;
    Nest {
        region: r,
        first: 0,
        dims: vec![outermost],
        scalars: [outermost, rows, columns].map(i128::from).to_vec(),
        lens: [all + 1, columns.max(layers * rows), all].into_iter().chain(z.map(|_| all)).collect(),
    }
}

const ELEMENTS: [Element; 5] =
    [Element::Centred, Element::InPlace, Element::Chosen, Element::Shifted, Element::Two];

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// With and without neighbours that one access moves, in tiles that end between two of them or elsewhere.
    #[test]
    fn rows_of_elements_keep_their_bytes(
        sizes in (2u64..40, 2u64..70),
        layers in 1u64..4,
        whole in any::<bool>(),
        element in 0..ELEMENTS.len(),
        (across, down, places) in (0u32..4, 0u32..3, 1u32..5),
        double in any::<bool>(),
    ) {
        let (rows, columns) = sizes;
        let ty: Desc = if double { &F64 } else { &F32 };
        let most = if double { 2 } else { 4 };
        let columns: u64 = if whole { columns.next_multiple_of(4) } else { columns };
        let case = Case::new(rows_of(ty, [layers, rows, columns], ELEMENTS[element]));
        let vector = if whole { most } else { 1 };
        let across = 8 << across;
        let mut tiles = vec![[1; 3]; if layers == 1 { 2 } else { 3 }];
        let (slow, fast) = match (tiles.len(), case.facts().nest_of(Iterations::Interchanged)) {
            (3, Some(_)) => (2, 1),
            (all, _) => (all - 2, all - 1),
        };
        tiles[fast] = [across, vector, vector];
        tiles[slow] = [(32 / across.min(32)) << down, places, 1];
        case.check(&Numbers::of(tiles, across.min(32)));
    }
}

#[test]
fn rows_have_neighbouring_threads() {
    let recipe = |ty: Desc, sizes: [u64; 3], element: Element| {
        let (strategy, text) = chosen(&Case::new(rows_of(ty, sizes, element)), Pins::default());
        match strategy {
            Strategy::Recipe(recipe) => (recipe, text),
            other => panic!("{sizes:?} {element:?}: {}", other.summary()),
        }
    };
    for (n, extents) in [(8, [128, 8]), (20, [32, 32]), (64, [16, 64]), (1000, [8, 128]), (1 << 20, [8, 128])]
    {
        let (recipe, text) = recipe(&F32, [1, (1 << 24) / n, n], Element::Centred);
        assert_eq!((recipe.extents(), recipe.store), (extents.to_vec(), 4), "{n}");
        assert!(text.contains("wide_f32_4"), "rows of {n}: {text}");
        assert!(recipe.accesses.iter().all(|access| access.keep == Keep::Direct));
    }
    // Rows begin anywhere, or their elements are shifted, or stored on a condition: a thread has several rows instead.
    for (n, element) in
        [(31, Element::Centred), (32, Element::Shifted), (32, Element::Chosen), (33, Element::InPlace)]
    {
        let (recipe, _) = recipe(&F32, [1, 1 << 18, n], element);
        assert_eq!(recipe.store, 1, "{n} {element:?}");
        assert_eq!(recipe.tiles.tiles[0].registers, 4, "{n} {element:?}");
    }
    let (bytes, _) = recipe(&U8, [1, 1 << 14, 48], Element::Centred);
    assert_eq!(bytes.store, 16);
    let (_, text) = recipe(&F32, [1, 1 << 14, 48], Element::Two);
    assert_eq!(text.matches("*(wide_f32_4*)").count(), 2, "both stores are wide: {text}");
    // How many rows there are is no part of the text, nor how long they are, if they are long.
    let rows = |n: u64| recipe(&F32, [1, n, 20], Element::InPlace);
    let long = |n: u64| recipe(&F32, [1, 1 << 12, n], Element::Shifted);
    assert_eq!((rows(1 << 15), long(1000)), (rows(1 << 16), long(1500)));
    let pins = Pins { block: Some([32, 4, 1]), ..Pins::default() };
    let (strategy, _) = chosen(&Case::new(rows_of(&F32, [1, 1 << 14, 8], Element::Centred)), pins);
    assert!(matches!(strategy, Strategy::Recipe(recipe) if recipe.extents() == [4, 128]));
}

#[test]
fn loads_stand_before_stores() {
    let (strategy, text) =
        chosen(&Case::new(rows_of(&F32, [1, 1 << 18, 31], Element::InPlace)), Pins::default());
    assert!(matches!(strategy, Strategy::Recipe(_)));
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let stores = |line: &&str| line.starts_with("y[");
    let last = lines.iter().rposition(|line| line.contains(" = y[")).expect("a load");
    let first = lines.iter().position(stores).expect("a store");
    assert!(last < first && lines.iter().filter(|line| stores(line)).count() == 1, "{text}");
}
