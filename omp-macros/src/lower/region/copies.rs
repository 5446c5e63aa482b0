//! Reports the results of the analysis of private copies (definite assignment): an iteration that reads before it
//! assigns is an error, or is left to checks at run time.
use super::draft::Draft;
use crate::ast::{Clauses, Item};
use crate::diag::Sink;
use crate::lower::Ident;
use crate::lower::cx::Lower;
use crate::sema::CheckedRegion;
use crate::sema::accesses::copies;
use crate::sema::syntax::place;
use crate::sema::syntax::place::Step;
use omp_ir::flow::affine::{Atom, Sum};
use omp_ir::flow::definite_assignment::{self, Answer, Copy, Question, Verdict};
use omp_ir::flow::effects;
use omp_ir::flow::spans::At;
use omp_ir::ids::LocalId;
use omp_ir::template::{Base, Code, Local, LocalKind, Stmt};
use proc_macro2::{Span, TokenStream};

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
    pub fn clauses<'r>(&self, region: &'r CheckedRegion) -> &'r Clauses {
        self.nest.map_or(&region.directive.clauses, |n| &region.inner[n].directive.clauses)
    }
}

/// The copies of a region and its inner nests.
pub(in crate::lower) struct Copies {
    all: Vec<Own>,
    /// The parts of the copies that iterations assign before they read them.
    pub answer: Answer,
}

impl Copies {
    pub fn of(region: &CheckedRegion, lower: &Lower) -> Self {
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
        let answer = decide(region, lower, &lower.code, &copies, false);
        Self { all, answer }
    }

    /// Reports what is certainly not assigned; gives the copies whose elements are checked while the region runs.
    pub fn judge(
        self,
        region: &CheckedRegion,
        lower: &Lower,
        sink: &mut Sink,
    ) -> Result<Vec<copies::Checked>, Vec<String>> {
        copies::judge(region, &self.all, &self.answer, (&lower.code, &lower.spans, &lower.paths), sink)
    }
}

/// Runs the analysis on the code of a region, or of a nest in it.
fn decide(region: &CheckedRegion, lower: &Lower, code: &Code, copies: &[Copy], shared: bool) -> Answer {
    let captured = lower.captured.as_ref().expect("regions capture");
    definite_assignment::decide(&Question {
        code,
        scan: region.scan.as_ref().and_then(|_| omp_ir::template::Scan::of(&code.block)),
        copies,
        shared,
        length: &|base, depth| {
            let name = match base {
                Base::Local(local) => &code.locals[local.index()].name,
                Base::Array(array) => &captured.arrays[array.index()].name,
                Base::Scalar(_) | Base::Const(_) => return None,
            };
            let known = region.context.lengths.iter().find(|(array, _)| array == name);
            match (known.and_then(|(_, lengths)| lengths.get(depth)), base) {
                (Some(length), _) => Some(match length.parse() {
                    Ok(number) => Sum::number(number),
                    Err(_) => Sum::atom(match lower.const_of(length) {
                        Some(id) => Atom::Const(id),
                        None => Atom::Named(length.clone()),
                    }),
                }),
                (None, Base::Array(array)) if depth == 0 => Some(Sum::atom(Atom::Len(array))),
                (None, _) => (depth == 0).then(|| Sum::atom(Atom::Named(format!("{name}.len()")))),
            }
        },
        usizes: &lower.usizes,
        keeps: &|stmt| match stmt {
            Stmt::Assign { place, .. } => match place.base {
                Base::Array(a) => region.keeps(&captured.captures.arrays[a.index()].key),
                _ => false,
            },
            _ => false,
        },
    })
}

/// A read of a captured variable, or of an iteration's copy of one.
pub struct CapturedRead {
    /// The variable and fields.
    pub path: Vec<Step>,
    /// The tokens of the read, as the user wrote them.
    pub tokens: TokenStream,
    /// The iteration has assigned all of it before.
    pub certain: bool,
    /// No iteration assigns any of it.
    pub unassigned: bool,
    /// The iteration has assigned nothing of it before, on any path or on the one that is taken first.
    pub before: bool,
    /// It is of a mapped array.
    pub array: bool,
}

/// The first read of a captured variable, or of an array that is a part of it, before an iteration assigns that. (The numbers of a struct
/// whose arrays are mapped are passed by value.)
pub fn read_before_assigned(draft: &Draft, key: &str) -> Option<TokenStream> {
    let path = place::key_path(key);
    let of = |read: &CapturedRead| read.path == path || read.array && read.path.starts_with(&path);
    let mut reads = captured_reads(&draft.region, &draft.lower).into_iter();
    reads.find(|read| read.before && of(read)).map(|read| read.tokens)
}

/// The reads of captured variables, of copies and of reduction items, in program order.
pub(in crate::lower) fn captured_reads(region: &CheckedRegion, lower: &Lower) -> Vec<CapturedRead> {
    let own = |kind: &LocalKind| matches!(kind, LocalKind::Private(_) | LocalKind::Reduction);
    reads(region, lower, &lower.code, &|_, l| own(&l.kind))
}

/// Whether iterations read a variable that they share, and whether they have assigned it before: of each read, in program order.
/// `nest`: the inner nest whose iterations are meant.
pub fn assigned_before_reads(draft: &Draft, nest: Option<usize>, key: &str) -> Vec<bool> {
    let Draft { region, lower, .. } = draft;
    let path = place::key_path(key);
    let mut code = lower.code.clone();
    if let Some(nest) = nest {
        let Some((inner, _)) = draft.nest(nest) else { return Vec::new() };
        code.block = inner.body.clone();
    }
    let bound = effects::bound_in(&code.block);
    let around = |id: LocalId, l: &Local| {
        !bound.contains(&id) && place::meet(&place::key_path(&l.name), &path).is_some()
    };
    let all = reads(region, lower, &code, &around).into_iter();
    all.filter(|read| read.path.starts_with(&path)).map(|read| read.certain).collect()
}

fn reads(
    region: &CheckedRegion,
    lower: &Lower,
    code: &Code,
    is_followed: &dyn Fn(LocalId, &Local) -> bool,
) -> Vec<CapturedRead> {
    let locals = code.locals.iter().enumerate().map(|(n, l)| (LocalId::new(n), l));
    let followed = locals.filter(|(id, l)| is_followed(*id, l));
    let copies: Vec<Copy> = followed.map(|(local, _)| Copy { local, of: None, last: false }).collect();
    let places = copies::Places::of(&region.body);
    let answer = decide(region, lower, code, &copies, true);
    let all = answer.reads.into_iter().map(|read| {
        let mut path = place::key_path(lower.name_of(read.of).trim_start_matches('*'));
        path.extend(read.at.iter().map_while(|at| match at {
            At::Name(name) => Some(Step::Name(name.clone())),
            At::Elements(_) => None,
        }));
        CapturedRead {
            path,
            tokens: places.tokens(read.access, lower.spans[read.src.index()]),
            certain: read.certain,
            unassigned: read.unassigned,
            before: !read.lent && (read.unassigned || matches!(read.verdict, Verdict::Refuted(_))),
            array: matches!(read.of, Base::Array(_)),
        }
    });
    all.collect()
}

/// The clauses that make copies, by name.
pub fn lists(c: &Clauses) -> [(&'static str, &[Item]); 3] {
    [("private", &c.private), ("firstprivate", &c.firstprivate), ("lastprivate", &c.lastprivate)]
}

/// The name of the flag that a check keeps for a copy.
pub fn hidden(name: &str, n: usize, span: Span) -> Ident {
    Ident::new(&format!("__omp_{name}{n}"), Span::mixed_site().located_at(span))
}
