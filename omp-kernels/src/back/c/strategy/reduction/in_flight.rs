//! Unrolled, several iterations of a lane in flight: elements whose subscripts are the loop variable plus a constant are
//! loaded for all of them at the same time, and each iteration keeps the operands of its updates in registers.
use super::ordered::Copies;
use crate::back::Arg;
use crate::back::c::body::Body;
use crate::back::c::strategy::vector::Lane;
use omp_ir::analysis::patterns::updates;
use omp_ir::ids::{AccessId, ArrayId};
use omp_ir::kernel::Reducer;

/// An update of an element, whose operand an iteration records.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    pub access: AccessId,
    /// Which element, with what, and whether at all; by the number of the iteration in flight.
    pub key: String,
    pub value: String,
    pub any: String,
    /// The number's name, and where elements are counted from.
    pub u: String,
    pub base: String,
    /// The type of a value, and what it starts from; nothing: the element.
    pub ty: String,
    pub start: Option<String>,
}

/// Declares the records of the updates of so many iterations: for each update, the place that it belongs to, and the names. `own`:
/// whether an update by this operator starts from the element.
pub(super) fn sites(
    body: &mut Body<'_, '_>,
    places: &[Copies],
    (u, count): (&str, u32),
    own: impl Fn(&Reducer) -> bool,
) -> Vec<(usize, Site)> {
    let arrays: Vec<ArrayId> = places.iter().map(|p| p.array).collect();
    let found = updates::sites(body.code, &arrays).unwrap_or_default();
    let mut sites = Vec::new();
    for (array, access) in found {
        let Some(place) = places.iter().position(|p| p.array == array) else { continue };
        let Copies { reducer, ty, shift, .. } = &places[place];
        let start = (!own(reducer)).then(|| body.reducer_identity(reducer));
        let [key, value, any] = ["key", "value", "any"].map(|name| body.name(name));
        body.out.line(format!("u32 {key}[{count}];"));
        body.out.line(format!("{ty} {value}[{count}];"));
        body.out.line(format!("bool {any}[{count}];"));
        let base = body.own.get(&array).cloned().unwrap_or_default();
        let (base, u, ty) = (format!("({base} + ({shift}))"), u.to_owned(), ty.clone());
        sites.push((place, Site { access, key, value, any, u, base, ty, start }));
    }
    sites
}

/// The iterations of a lane that are in flight.
pub(super) struct InFlight<'a> {
    /// How many.
    pub count: u32,
    /// The name of their number.
    pub u: &'a str,
    /// The name of the iteration, and its declaration.
    pub t: &'a str,
    pub number: &'a str,
    /// The condition that all of them exist for all lanes, and the end of the iterations that do.
    pub whole: &'a str,
    pub end: &'a str,
}

impl InFlight<'_> {
    /// Opens a loop over their numbers.
    fn each(&self, body: &mut Body<'_, '_>) {
        body.out.line("#pragma unroll");
        body.out.open(format!("for (u32 {u} = 0; {u} < {}u; {u}++) {{", self.count, u = self.u));
    }

    /// Writes the iterations, which record their operands at these sites.
    pub fn write(&self, body: &mut Body<'_, '_>, lanes: &[Lane], sites: &[(usize, Site)]) {
        let Self { u, t, number, whole, end, .. } = self;
        let c = body.counter();
        self.each(body);
        for (_, site) in sites {
            body.out.line(format!("{}[{u}] = false;", site.any));
        }
        body.out.close("}");
        body.sites = sites.iter().map(|(_, site)| site.clone()).collect();
        if !lanes.is_empty() {
            // All loads of a whole step are issued before its iterations.
            body.out.open(format!("if ({whole}) {{"));
            let loaded = self.load(body, lanes);
            for (of, name) in lanes.iter().zip(&loaded) {
                for (access, _) in &of.accesses {
                    body.registers.insert(*access, format!("{name}[{u}]"));
                }
            }
            self.each(body);
            body.out.line(*number);
            body.declare_dims_from(&format!("({c}){t}"));
            body.iteration();
            body.out.close("}");
            body.registers.clear();
            body.out.close("} else {");
            body.out.depth += 1;
        }
        self.each(body);
        body.out.line(*number);
        // A loop of at most one iteration, so that `continue` ends it.
        body.out.open(format!("for (bool run = {t} < {end}; run; run = false) {{"));
        body.declare_dims_from(&format!("({c}){t}"));
        body.iteration();
        body.out.close("}");
        body.out.close("}");
        if !lanes.is_empty() {
            body.out.close("}");
        }
        body.sites.clear();
        body.atomics.clear();
    }

    /// Loads what the iterations read in step with the loop variable. Returns the names of the registers.
    fn load(&self, body: &mut Body<'_, '_>, lanes: &[Lane]) -> Vec<String> {
        let Self { count, u, t, number, .. } = self;
        let first = body.arg(Arg::DimFirst(0));
        let mut names = Vec::new();
        for lane in lanes {
            let name = body.name(&format!("{}_v", body.w.kernel.template.arrays[lane.array.index()].name));
            let elem = body.w.memory_type(body.w.kernel.array_ty[lane.array.index()]);
            body.out.line(format!("{elem} {name}[{count}];"));
            names.push(name);
        }
        self.each(body);
        body.out.line(*number);
        for (lane, name) in lanes.iter().zip(&names) {
            let start = body.global(lane.array);
            body.out.line(format!("{name}[{u}] = {start}[{first} + (i64){t} + ({})];", lane.shift));
        }
        body.out.close("}");
        names
    }
}
