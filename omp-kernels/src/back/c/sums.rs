//! Sums of floats that long loops add to one by one: beside such a sum stands what rounding has made it too large by, and
//! the next number is the smaller for it (Kahan's sum). Its error is at most 2u·Σ|x|, but for a part of the order of n·u²,
//! however many numbers there are.
//!
//! That is for elements of reduced arrays, which one thread may add to in all of its iterations, for what an iteration's
//! own loops add up, and for the sums of chunks. In a chunk, neighbours are added up as they stand.
//!
//! What an inner nest adds to in place has such a number for each of its updates, and, for elements, the address of the one
//! that it belongs to: of an element that an update comes back to from another, it would know nothing any more. So, where the
//! nest's iterations go from element to element, each element has its number: at the same place in other memory, of the
//! device for a mapped array ([`Arg::Lows`]), beside the variable for one of the iteration. An element of an array is one
//! iteration's of the region, and nests of it may come back to the element after it was assigned. A number that is too large
//! for what rounding can have taken from the sum is of an older one, and not regarded; else it is small enough for the bound.
use super::body::{Body, Within};
use super::expr::bare;
use super::helpers::c_name;
use super::literal;
use super::operator::Item;
use super::types::Space;
use crate::back::Dialect;
use crate::ir::desc::Prim;
use crate::ir::ids::LocalId;
use crate::ir::ids::TyId;
use crate::ir::kernel::{Reducer, Ty};
use crate::ir::template::{Base, Block, FpMode, InPlace, Inner, LocalKind, Place, Projection, Stmt};
use crate::ir::visit;
use crate::schedule::Strategy;

/// A sum that a body's statements add to.
#[derive(Debug, Clone)]
pub(crate) struct Sum {
    pub base: Base,
    /// It is one of a nest that adds to it in place.
    pub part: Option<Part>,
    pub prim: Prim,
    /// Where the number that it is too large by stands.
    pub low: Low,
    /// The address space of both.
    pub space: &'static str,
}

/// The update of a nest that a sum belongs to.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    /// What it stores to.
    place: Place,
    of: InPlace,
}

/// Where a sum's other number stands.
#[derive(Debug, Clone)]
pub(crate) enum Low {
    /// A variable.
    Local(String),
    /// A variable, beside another for the address of the element that it belongs to.
    Of { low: String, at: String },
    /// So many numbers behind the sum.
    Behind(String),
    /// At the same place in other memory: beside an array, or in this variable.
    Beside(Option<String>),
}

impl Body<'_, '_> {
    /// The statement that adds `value` to the sum at `sum`; both are lvalues, as is `low`.
    pub(crate) fn add_exactly(&mut self, prim: Prim, space: &str, [sum, low, value]: [&str; 3]) -> String {
        let name = self.adder(prim, space, space);
        format!("{name}(&{sum}, &{low}, {value});")
    }

    /// The function that does it, by the address spaces of the sum and of the number beside it.
    fn adder(&mut self, prim: Prim, space: &str, beside: &str) -> String {
        let c = c_name(prim);
        let name = match space.trim().trim_start_matches('_') {
            "" => format!("add_exactly_{c}"),
            of if space == beside => format!("add_exactly_{of}_{c}"),
            of => format!("add_exactly_to_{of}_{c}"),
        };
        let helper = self.w.syntax.helper;
        let (fp, dialect) = (self.w.kernel.template.fp, self.w.syntax.dialect);
        let (bits, u, sign) = match prim.size() {
            4 => ("u32", "u", 31),
            _ => ("u64", "ull", 63),
        };
        let (of_x, of_more) = (self.to_bits(prim, "x"), self.to_bits(prim, "more"));
        // The host doesn't see what adds nothing.
        let nothing = match fp {
            FpMode::Strict => format!("    if ({of_x} == ({bits})1 << {sign}) return;\n"),
            FpMode::Contract | FpMode::Fast => String::new(),
        };
        // Beyond infinity there is nothing to make up for. A compiler that may reorder sums, and knows of no infinity, is
        // not told what it would need for that.
        let (volatile, finite) = match (fp, dialect) {
            (FpMode::Fast, Dialect::OpenCl) => {
                let mask = if prim.size() == 4 { "0x7f800000" } else { "0x7ff0000000000000" };
                ("volatile ", format!("({of_more} & {mask}{u}) != {mask}{u}"))
            }
            _ => ("", format!("more - more == ({c})0")),
        };
        self.w.helpers.add(&name, || {
            format!(
                "{helper}void {name}({space}{c}* sum, {beside}{c}* low, {c} x) {{\n{nothing}    \
                 const {volatile}{c} y = x - *low;\n    const {volatile}{c} all = *sum + y;\n    \
                 const {volatile}{c} part = all - *sum;\n    const {c} more = part - y;\n    \
                 *low = {finite} ? more : ({c})0;\n    *sum = all;\n}}\n"
            )
        });
        name
    }

    /// What is read of such a sum. Nothing but its updates read it: there, it stands for what changes nothing, and what comes
    /// of an update is what is to be added.
    pub(crate) fn nothing_yet(&self, place: &Place, ty: TyId) -> Option<String> {
        let of = |part: &Part| part.of.holds(place) && self.w.types.prim(ty).is_some_and(Prim::is_float);
        let sum = self.sums.iter().find(|s| s.base == place.base && s.part.as_ref().is_none_or(of))?;
        let prim = if sum.part.is_some() { self.w.types.prim(ty)? } else { sum.prim };
        Some(literal::float(self.w.syntax, prim, -0.0))
    }

    /// The sum that a statement adds to.
    fn sum_of(&self, place: &Place) -> Option<&Sum> {
        let this = |s: &&Sum| s.base == place.base && s.part.as_ref().is_none_or(|p| p.place == *place);
        self.sums.iter().find(this)
    }

    /// Adds to a sum that stands with another number beside it, if that is what statements begin with. Gives how many it took.
    pub(crate) fn exact_update(&mut self, stmts: &[Stmt]) -> Option<usize> {
        let [Stmt::Assign { place, value, .. }, ..] = stmts else { return None };
        let Sum { prim, low, space, .. } = self.sum_of(place)?.clone();
        let value = self.settled(*value);
        let sum = self.place(place).text;
        if std::mem::take(&mut self.fallible) {
            self.settle_subscripts(place);
        }
        let line = match low {
            Low::Local(low) => self.add_exactly(prim, space, [&sum, &low, bare(&value)]),
            Low::Behind(distance) => {
                let low = format!("(&{sum})[{distance}]");
                self.add_exactly(prim, space, [&sum, &low, bare(&value)])
            }
            Low::Of { low, at } => {
                let (adder, c) = (self.adder(prim, space, ""), c_name(prim));
                let element = self.name("element");
                format!(
                    "{{ {space}{c}* const {element} = &{sum}; \
                     if ({element} != {at}) {{ {at} = {element}; {low} = 0; }} \
                     {adder}({element}, &{low}, {}); }}",
                    bare(&value)
                )
            }
            Low::Beside(variable) => {
                let (adder, low) = (self.adder_beside(prim, space), self.beside(place, variable));
                format!("{adder}(&{sum}, &{low}, {});", bare(&value))
            }
        };
        match place.base {
            // All threads of the team are here, and it is to be added once.
            Base::Array(array) if self.within == Within::Around => self.store_once(array, &line),
            Base::Array(_) | Base::Local(_) | Base::Scalar(_) | Base::Const(_) => self.out.line(line),
        }
        Some(1)
    }

    /// Where the number beside a sum stands.
    fn beside(&mut self, place: &Place, variable: Option<String>) -> String {
        match (place.base, variable) {
            (Base::Local(local), Some(low)) => {
                let name = std::mem::replace(&mut self.locals[local.index()], low);
                let text = self.place(place).text;
                self.locals[local.index()] = name;
                text
            }
            (Base::Array(array), _) => {
                let outside = self.lows.replace(array);
                let text = self.place(place).text;
                self.lows = outside;
                text
            }
            (Base::Local(_) | Base::Scalar(_) | Base::Const(_), _) => self.place(place).text,
        }
    }

    /// The function that adds to a sum with such a number, which may be one of an older sum.
    fn adder_beside(&mut self, prim: Prim, space: &str) -> String {
        let (adder, c, helper) = (self.adder(prim, space, space), c_name(prim), self.w.syntax.helper);
        let name = adder.replacen("add_exactly", "add_beside", 1);
        let most = literal::float(
            self.w.syntax,
            prim,
            MOST_TAKEN * if prim.size() == 4 { f64::from(f32::EPSILON) } else { f64::EPSILON },
        );
        self.w.helpers.add(&name, || {
            format!(
                "{helper}void {name}({space}{c}* sum, {space}{c}* low, {c} x) {{\n    \
                 if (!(fabs(*low) <= fabs(*sum) * {most})) *low = 0;\n    {adder}(sum, low, x);\n}}\n"
            )
        });
        name
    }

    /// Gives items that loops of an iteration add to, or many of its statements, a number beside them, which stands
    /// wherever they do.
    pub(crate) fn watch_loops(&mut self, items: &mut [(usize, Item)]) {
        let most = MOST / neighbours(&self.w.schedule.strategy).max(1);
        for (k, item) in items {
            let local = self.w.kernel.template.reductions[*k].local();
            if let (Some(prim), Some(local)) = (float_sum(&item.reducer), local)
                && updates(&self.code.code.block, local) > most
            {
                let low = self.name(&format!("{}_low", item.local));
                let (base, low) = (Base::Local(local), item.low.insert(low).clone());
                self.sums.push(Sum { base, part: None, prim, low: Low::Local(low), space: "" });
            }
        }
    }

    /// Lets the sums of a nest that are updated where they are stand with a number beside them. Gives how many.
    pub(crate) fn begin_exact(&mut self, inner: &Inner) -> usize {
        let before = self.sums.len();
        for of in &inner.exact {
            for (place, prim) in self.updates_of(of, &inner.body) {
                if self.sum_of(&place).is_some() {
                    continue;
                }
                let ((name, space), c) = (self.what_is(of.base), c_name(prim));
                let beside = of.wanders.then(|| self.begin_beside(of.base, &name)).flatten();
                if let Some(low) = beside {
                    let part = Some(Part { place, of: of.clone() });
                    self.sums.push(Sum { base: of.base, part, prim, low, space });
                    continue;
                }
                let low = self.name(&format!("{name}_low"));
                self.out.line(format!("{c} {low} = 0;"));
                let low = if of.elements {
                    let at = self.name(&format!("{name}_at"));
                    self.out.line(format!("{space}{c}* {at} = 0;"));
                    Low::Of { low, at }
                } else {
                    Low::Local(low)
                };
                let part = Some(Part { place, of: of.clone() });
                self.sums.push(Sum { base: of.base, part, prim, low, space });
            }
        }
        self.sums.len() - before
    }

    /// The numbers beside the elements of what a nest adds to, all 0 for an iteration's variable.
    fn begin_beside(&mut self, base: Base, name: &str) -> Option<Low> {
        let same = |s: &&Sum| s.base == base && matches!(s.low, Low::Beside(_));
        if let Some(sum) = self.sums.iter().find(same) {
            return Some(sum.low.clone());
        }
        match base {
            Base::Array(_) => Some(Low::Beside(None)),
            Base::Local(local) if !self.is_slice(local) && !self.is_ref(local) => {
                let c = self.w.value_type(self.code.local_ty[local.index()]);
                let low = self.name(&format!("{name}_lows"));
                let nothing = match self.w.syntax.dialect {
                    Dialect::Cuda => "{}",
                    Dialect::OpenCl => "{0}",
                };
                self.out.line(format!("{c} {low} = {nothing};"));
                Some(Low::Beside(Some(low)))
            }
            Base::Local(_) | Base::Scalar(_) | Base::Const(_) => None,
        }
    }

    /// The name of what a nest adds to, and the address space that it is in.
    fn what_is(&self, base: Base) -> (String, &'static str) {
        let space = match base {
            Base::Local(local) => {
                let slice = matches!(self.w.types.get(self.code.local_ty[local.index()]), Ty::Slice(_));
                let refers = slice || self.code.code.locals[local.index()].kind == LocalKind::Ref;
                if refers { self.spaces[local.index()] } else { Space::Private }
            }
            Base::Array(_) => Space::Global,
            Base::Scalar(_) | Base::Const(_) => Space::Private,
        };
        let name = match base {
            Base::Local(local) => self.locals[local.index()].clone(),
            Base::Array(array) => self.w.kernel.template.arrays[array.index()].name.clone(),
            Base::Scalar(_) | Base::Const(_) => "sum".to_owned(),
        };
        (name, self.w.types.space(space))
    }

    /// The places that updates of a nest's sum of floats store to.
    fn updates_of(&self, of: &InPlace, block: &Block) -> Vec<(Place, Prim)> {
        let mut found = Vec::new();
        visit::each_stmt(block, &mut |stmt| {
            if let Stmt::Assign { place, value, .. } = stmt
                && of.holds(place)
                && let Some(prim) = self.w.types.prim(self.ty(*value)).filter(|p| p.is_float())
            {
                found.push((place.clone(), prim));
            }
        });
        found
    }

    /// Declares the number beside a sum of copies, where it is one of floats. Gives its name.
    pub(crate) fn begin_sum(&mut self, reducer: &Reducer) -> String {
        let low = self.name("low");
        if let Some(prim) = float_sum(reducer) {
            self.out.line(format!("{} {low} = 0;", c_name(prim)));
        }
        low
    }

    /// Combines a copy with those before it.
    pub(crate) fn add_copy(&mut self, reducer: &Reducer, [all, low, copy]: [&str; 3]) {
        let line = match float_sum(reducer) {
            Some(prim) => self.add_exactly(prim, "", [all, low, copy]),
            None => {
                let both = self.combine(reducer, all, copy, "&cx");
                format!("{all} = {};", bare(&both))
            }
        };
        self.out.line(line);
    }

    /// Declares the variables of an item.
    pub(crate) fn declare_item(&mut self, item: &Item) {
        self.out.line(format!("{} {} = {};", item.ty, item.local, item.start));
        if let Some(low) = &item.low {
            self.out.line(format!("{} {low} = 0;", item.ty));
        }
    }
}

impl InPlace {
    /// The place is one that stands for it.
    fn holds(&self, place: &Place) -> bool {
        let mut fields = self.fields.iter();
        let mut steps = place.projections.iter();
        let of_item = fields.all(|f| matches!(steps.next(), Some(Projection::Field(name)) if name == f));
        let rest = steps.as_slice();
        self.base == place.base && of_item && if self.elements { !rest.is_empty() } else { rest.is_empty() }
    }
}

/// The type of a sum of floats.
pub(crate) fn float_sum(reducer: &Reducer) -> Option<Prim> {
    match reducer {
        Reducer::Builtin(_, prim) if reducer.is_float_sum() => Some(*prim),
        Reducer::Builtin(..) | Reducer::Declared { .. } => None,
    }
}

/// How much rounding can have taken from a sum at most, in epsilons of it: one half where what was added is smaller than the
/// sum, else one and a half.
const MOST_TAKEN: f64 = 4.0;

/// How many numbers are added up as they stand.
const MOST: u32 = 64;

/// The iterations of a thread that are added up as they stand.
fn neighbours(strategy: &Strategy) -> u32 {
    match strategy {
        Strategy::Reduce { width, unroll, .. } => width * unroll,
        Strategy::Tiles { rows, wide } => rows * wide.as_ref().map_or(1, |w| w.columns),
        Strategy::Ordered { run, .. } => *run,
        Strategy::Linear
        | Strategy::Dealt { .. }
        | Strategy::Vector { .. }
        | Strategy::Grid { .. }
        | Strategy::Teams
        | Strategy::Bins { .. }
        | Strategy::Copies { .. }
        | Strategy::Accumulators { .. }
        | Strategy::Scan
        | Strategy::LookBack { .. }
        | Strategy::Rows { .. }
        | Strategy::Fixed { .. } => 1,
    }
}

/// How often an iteration assigns the variable at most; in a loop, any number of times.
fn updates(block: &Block, local: LocalId) -> u32 {
    block.0.iter().fold(0, |all, stmt| {
        let inside = |block: &Block| updates(block, local);
        let more = match stmt {
            Stmt::Assign { place, .. } => u32::from(place.base == Base::Local(local)),
            Stmt::If { then, els, .. } => inside(then).max(inside(els)),
            Stmt::Labelled { body, .. } => inside(body),
            Stmt::For { body, .. } | Stmt::Loop { body, .. } => inside(body).saturating_mul(u32::MAX),
            Stmt::Inner(inner) => inside(&inner.body),
            Stmt::Let { .. }
            | Stmt::Eval(_)
            | Stmt::Atomic { .. }
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return(_)
            | Stmt::Check { .. } => 0,
        };
        u32::saturating_add(all, more)
    })
}
