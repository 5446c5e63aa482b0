//! Shadowed names at the exits of a data region (E0410).
//!
//! The code at an exit passes the region's data by its name. No borrow protects the name, because the host may use the
//! data inside the region. If the name means another variable at an exit, the code would pass that one.
use crate::diag::{Code, Sink};
use crate::expand::regions::Directives;
use crate::expand::tasks::scoped::{Act, Names, Scoped};
use crate::sema::syntax::place;
use proc_macro2::Span;
use std::collections::HashMap;
use syn::{Block, Expr};

/// Reports them in a function whose directives are placeholders.
pub fn check(body: &Block, found: &Directives, sink: &mut Sink) {
    let mut act = Shadowed { found, meant: HashMap::new(), seen: Vec::new() };
    Scoped::new(&mut act).statements(&mut body.stmts.clone());
    for Seen { data, name: base, at } in act.seen {
        let item = mapped(found, data).into_iter().find(|(name, _)| *name == base);
        let mapped = item.map_or(found.data[data].directive.span, |(_, span)| span);
        sink.error(
            Code::Shadowed,
            at.unwrap_or(mapped),
            format!("another `{base}` is in scope where this region is left, by `return`, `?`, `break` or `continue`, or where something fails under `try`"),
        )
        .note(None, "the end of the region names its data")
        .help(format!("give the other one, inside of the region, another name than `{base}`"));
    }
}

/// The variables that a region's data is reached by.
fn mapped(found: &Directives, n: usize) -> Vec<(String, Span)> {
    let maps = found.data[n].directive.clauses.maps.iter().flat_map(|m| &m.items);
    maps.filter_map(|item| Some((place::of(&item.place)?.base, item.span))).collect()
}

/// Which variable a name means, by its binding.
type Meant = Option<(usize, usize)>;

struct Shadowed<'f> {
    found: &'f Directives,
    /// The meanings of the names of a region's data at its start.
    meant: HashMap<usize, Vec<(String, Meant)>>,
    /// Regions that are left where a name means something else.
    seen: Vec<Seen>,
}

struct Seen {
    data: usize,
    name: String,
    /// The other variable.
    at: Option<Span>,
}

impl Shadowed<'_> {
    /// The open data regions that are left where a directive fails.
    fn may_fail(&self, number: &dyn Fn(&str) -> Option<usize>) -> Vec<usize> {
        let Directives { regions, data, waits, groups, in_order: _, wrong: _ } = self.found;
        let of = |list: &[usize], try_: bool| if try_ { list.to_vec() } else { Vec::new() };
        if let Some(n) = number("__omp_region_") {
            of(&regions[n].around.scopes, regions[n].context.try_)
        } else if let Some(n) = number("__omp_data_") {
            of(&data[n].scopes, data[n].context.try_)
        } else if let Some(n) = number("__omp_wait_") {
            of(&waits[n].scopes, waits[n].context.try_)
        } else if let Some(n) = number("__omp_ungroup_") {
            of(&groups[n].scopes, groups[n].context.try_)
        } else {
            Vec::new()
        }
    }

    /// A region is left here.
    fn left(&mut self, n: usize, names: &Names) {
        let changed = self.meant.get(&n).into_iter().flatten().filter(|(name, b)| names.binding(name) != *b);
        for (name, _) in changed {
            if !self.seen.iter().any(|seen| seen.data == n && seen.name == *name) {
                self.seen.push(Seen { data: n, name: name.clone(), at: names.bound_at(name) });
            }
        }
    }
}

impl Act for Shadowed<'_> {
    fn expr(&mut self, e: &mut Expr, names: &Names) -> bool {
        let Expr::Path(p) = e else { return false };
        let Some(name) = p.path.get_ident().map(ToString::to_string) else { return false };
        let number = |prefix: &str| name.strip_prefix(prefix)?.parse::<usize>().ok();
        for n in self.may_fail(&number) {
            self.left(n, names);
        }
        if let Some(n) = number("__omp_data_") {
            let meant = mapped(self.found, n).into_iter().map(|(name, _)| {
                let binding = names.binding(&name);
                (name, binding)
            });
            self.meant.insert(n, meant.collect());
        } else if let Some(n) = number("__omp_leave_") {
            self.left(n, names);
        }
        true
    }
}
