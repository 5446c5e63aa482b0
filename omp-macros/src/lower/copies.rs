//! Reports the results of the analysis of private copies (definite assignment): an iteration that reads before it
//! assigns is an error, or is left to checks at run time.
use super::Ident;
use super::cx::Lower;
use crate::ast::{Clauses, Item, Region};
use crate::diag::Sink;
use crate::sema::copies;
use crate::sema::lastprivate::KEPT;
use omp_ir::flow::definite_assignment::{self, Answer, Copy, Question};
use omp_ir::flow::spans::{Atom, Sum};
use omp_ir::ids::LocalId;
use omp_ir::template::{Base, Stmt};

/// A copy that each iteration has of a variable.
pub struct Own {
    /// The variable as the clause names it.
    pub item: Item,
    /// The copy.
    pub local: LocalId,
    /// The number of the inner nest whose iterations have it.
    pub nest: Option<usize>,
    of: Option<LocalId>,
}

impl Own {
    pub fn of_nest(item: &Item, local: LocalId, of: Option<LocalId>, nest: usize) -> Self {
        Self { item: item.clone(), local, nest: Some(nest), of }
    }

    /// The clauses that name it.
    pub fn clauses<'r>(&self, region: &'r Region) -> &'r Clauses {
        self.nest.map_or(&region.directive.clauses, |n| &region.inner[n].directive.clauses)
    }
}

/// The copies of a region and its inner nests.
pub(super) struct Copies {
    all: Vec<Own>,
    /// What iterations assign of them before they read it.
    pub answer: Answer,
}

impl Copies {
    pub fn of(region: &Region, lower: &Lower) -> Self {
        let captured = lower.captured.as_ref().expect("regions capture");
        let items = lists(&region.directive.clauses).into_iter().flat_map(|(_, items)| items);
        let mut all: Vec<Own> = Vec::new();
        for item in items {
            if let Some(local) = captured.local(&item.key)
                && !all.iter().any(|o| o.local == local)
            {
                all.push(Own { item: item.clone(), local, nest: None, of: None });
            }
        }
        all.extend(lower.nest_copies.iter().map(|o| Own { item: o.item.clone(), ..*o }));
        if all.is_empty() {
            return Self { all, answer: Answer::default() };
        }
        let last = |o: &Own| o.clauses(region).lastprivate.iter().any(|item| item.key == o.item.key);
        let copies: Vec<Copy> =
            all.iter().map(|o| Copy { local: o.local, of: o.of, last: last(o) }).collect();
        let question = Question {
            code: &lower.code,
            scan: region.scan.as_ref().and_then(|_| omp_ir::template::Scan::of(&lower.code.block)),
            copies: &copies,
            length: &|local, depth| {
                let name = &lower.code.locals[local.index()].name;
                let known = region.context.lengths.iter().find(|(array, _)| array == name);
                match known.and_then(|(_, lengths)| lengths.get(depth)) {
                    Some(length) => Some(match length.parse() {
                        Ok(number) => Sum::number(number),
                        Err(_) => Sum::atom(match lower.const_of(length) {
                            Some(id) => Atom::Const(id),
                            None => Atom::Named(length.clone()),
                        }),
                    }),
                    None => (depth == 0).then(|| Sum::atom(Atom::Named(format!("{name}.len()")))),
                }
            },
            usizes: &lower.usizes,
            keeps: &|stmt| match stmt {
                Stmt::Assign { place, .. } => match place.base {
                    Base::Array(a) => captured.arrays[a.index()].name.starts_with(KEPT),
                    _ => false,
                },
                _ => false,
            },
        };
        let answer = definite_assignment::decide(&question);
        Self { all, answer }
    }

    /// Reports what is certainly not assigned; gives the copies whose elements are checked while the region runs.
    pub fn judge(self, region: &Region, lower: &Lower, sink: &mut Sink) -> Result<Vec<copies::Checked>, ()> {
        copies::judge(region, &self.all, &self.answer, (&lower.code, &lower.spans), sink)
    }
}

/// The clauses that make copies, by name.
pub fn lists(c: &Clauses) -> [(&'static str, &[Item]); 3] {
    [("private", &c.private), ("firstprivate", &c.firstprivate), ("lastprivate", &c.lastprivate)]
}

/// The name of what a check keeps beside a copy.
pub fn hidden(name: &str, n: usize, span: proc_macro2::Span) -> Ident {
    Ident::new(&format!("__omp_{name}{n}"), proc_macro2::Span::mixed_site().located_at(span))
}
