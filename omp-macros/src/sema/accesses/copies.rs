//! Error messages of the analysis of private copies, and which errors can be checked while the region runs instead.
use crate::ast::DirectiveKind;
use crate::diag::{Code, Sink};
use crate::lower::generated_names::Made;
use crate::lower::region::copies::{Own, lists};
use crate::lower::region::update_forms::Paths;
use crate::marks::{marked, unmarked};
use crate::parse::tokens::source::as_written;
use crate::sema::CheckedRegion;
use crate::sema::reduction::updates;
use crate::sema::reduction::updates::symbol;
use crate::sema::syntax::place;
use omp_ir::flow::definite_assignment::{Answer, Read, Verdict, Write};
use omp_ir::flow::spans::At;
use omp_ir::flow::update_form::{Form, Operator, Update};
use omp_ir::ids::{AccessId, LocalId, SrcId};
use omp_ir::template::{Base, Code as Body, ReduceOp};
use proc_macro2::{LineColumn, Span, TokenStream};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::Expr;
use syn::visit::{self, Visit};

/// A copy with a flag for each element, or one for all of it.
pub struct Checked {
    /// The variable.
    pub place: Expr,
    /// The name in messages.
    pub key: String,
    /// The clause.
    pub clause: &'static str,
    /// The number of the inner nest whose iterations have it, and how many loops that has.
    pub nest: Option<(usize, usize)>,
    /// How many subscripts lead to an element. With none, the flag says whether the last iteration assigns the copy that it leaves.
    pub depth: usize,
    /// The last of them where elements are assigned, or read by an iteration that may not have assigned them.
    pub subscripts: HashMap<AccessId, Touch>,
    /// Elements are swapped by an iteration that may not have assigned them.
    pub swaps: bool,
}

/// The access to an element.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Touch {
    /// They have to be assigned.
    Read,
    /// They are assigned.
    Write,
}

/// Reports each copy once, at the first read of what an earlier iteration assigned. `Err`: the keys of such.
pub fn judge(
    region: &CheckedRegion,
    own: &[Own],
    answer: &Answer,
    (code, spans, paths): (&Body, &[Span], &Paths),
    sink: &mut Sink,
) -> Result<Vec<Checked>, Vec<String>> {
    if own.is_empty() {
        return Ok(Vec::new());
    }
    let heard = sink.len();
    let mut raced = Vec::new();
    let words = Words { places: Places::of(&region.body), spans, code, paths };
    let checkable: HashMap<LocalId, Checked> =
        own.iter().filter_map(|o| Some((o.local, checkable(region, o, answer, &words)?))).collect();
    let (mut checked, mut flagged) = (Vec::new(), Vec::new());
    for o in own {
        let clauses = o.clauses(region);
        flagged.extend(words.last(region, o, answer, sink));
        // If the copy that this one starts from is checked, its iteration has assigned the elements that it reads.
        let through = |read: &Read| {
            read.through.filter(|copy| checkable.contains_key(copy)).is_some_and(|copy| {
                let same = |r: &&Read| r.of == Base::Local(copy) && r.expr == read.expr;
                answer.reads.iter().find(same).is_some_and(|r| matches!(r.verdict, Verdict::Unknown(_)))
            })
        };
        let doubts: Vec<&Read> = answer
            .reads
            .iter()
            .filter(|r| r.of == Base::Local(o.local) && r.verdict != Verdict::Proved && !through(r))
            .collect();
        let refuted =
            |read: &&&Read| matches!(read.verdict, Verdict::Refuted(_)) || !checkable.contains_key(&o.local);
        if let Some(read) = doubts.iter().find(refuted) {
            let named = lists(clauses).into_iter();
            for (clause, _) in named.filter(|(_, items)| items.iter().any(|i| i.key == o.item.key)) {
                words.report(read, &answer.writes, &place::item_key(&o.item), clause, sink);
            }
            raced.push(o.item.key.clone());
        } else if !doubts.is_empty() {
            checked.push(o.local);
        }
    }
    if sink.len() > heard {
        return Err(raced);
    }
    let mut checkable = checkable;
    let checked = checked.into_iter().filter_map(|local| checkable.remove(&local));
    Ok(checked.chain(flagged).collect())
}

/// How a copy can be checked: one of an array, of which each element is assigned as a whole.
fn checkable(region: &CheckedRegion, own: &Own, answer: &Answer, words: &Words<'_>) -> Option<Checked> {
    let clauses = own.clauses(region);
    let named = |(_, items): &(&str, &[crate::ast::Item])| items.iter().any(|i| i.key == own.item.key);
    let clause = lists(clauses).into_iter().rev().find(named)?.0;
    // Elements of a `firstprivate` array that an iteration has not assigned have the values from before the loop.
    let starts = clauses.firstprivate.iter().any(|i| i.key == own.item.key);
    let aside = region.around.task.is_some() || region.directive.kind == DirectiveKind::Simd;
    if starts || region.scan.is_some() || aside && !region.lasts.is_empty() {
        return None;
    }
    let (place, key) = (own.item.place.clone(), place::item_key(&own.item));
    let elements = |at: &[At]| at.iter().take_while(|step| matches!(step, At::Elements(_))).count();
    let writes: Vec<&Write> = answer.writes.iter().filter(|w| w.of == Base::Local(own.local)).collect();
    let depth = writes.iter().map(|w| w.at.len()).max().filter(|depth| (1..=2).contains(depth))?;
    let whole = |w: &&Write| w.at.is_empty() && !w.lent;
    if !writes.iter().all(|w| whole(w) || elements(&w.at) == depth && w.at.len() == depth) {
        return None;
    }
    let (mut subscripts, mut swaps) = (HashMap::new(), false);
    for write in writes.iter().filter(|w| !w.at.is_empty()) {
        match write.access.filter(|a| words.places.found.contains_key(a)) {
            Some(access) => subscripts.insert(access, Touch::Write),
            None if words.swaps(write.access?, &key) => None,
            None => return None,
        };
    }
    let doubts =
        answer.reads.iter().filter(|r| r.of == Base::Local(own.local) && r.verdict != Verdict::Proved);
    for read in doubts {
        let access = read.access.filter(|_| elements(&read.at) >= depth)?;
        match words.places.found.get(&access) {
            Some(place) => {
                subscripts.insert(subscript(place, depth)?, Touch::Read);
            }
            None if depth == 1 && words.swaps(access, &key) => swaps = true,
            None => return None,
        }
    }
    let nest = own.nest.map(|n| (n, region.inner[n].loops.len()));
    Some(Checked { place, key, clause, nest, depth, subscripts, swaps })
}

/// Subscript number `depth` of a place.
fn subscript(place: &Expr, depth: usize) -> Option<AccessId> {
    subscripts(place).into_iter().rev().nth(depth - 1)?
}

/// The numbers of a place's subscripts, the last one first.
fn subscripts(mut place: &Expr) -> Vec<Option<AccessId>> {
    let mut all = Vec::new();
    loop {
        match place {
            Expr::Index(x) => {
                all.push(marked(&x.attrs));
                place = &x.expr;
            }
            Expr::Field(f) => place = &f.base,
            Expr::Paren(p) => place = &p.expr,
            Expr::Group(g) => place = &g.expr,
            Expr::Unary(u) => place = &u.expr,
            _ => return all,
        }
    }
}

struct Words<'a> {
    places: Places,
    spans: &'a [Span],
    code: &'a Body,
    paths: &'a Paths,
}

impl Words<'_> {
    /// Checks that the last iteration leaves the values of the serial loop in a copy: every iteration assigns all parts that any iteration
    /// assigns. If iterations assign all of the copy or nothing, a flag records whether the last one does.
    fn last(&self, region: &CheckedRegion, own: &Own, answer: &Answer, sink: &mut Sink) -> Option<Checked> {
        let item = own.clauses(region).lastprivate.iter().find(|item| item.key == own.item.key)?;
        let key = place::item_key(item);
        let mut writes = answer.writes.iter().filter(|w| w.of == Base::Local(own.local)).peekable();
        if own.nest.is_some_and(|n| region.inner[n].directive.kind != DirectiveKind::ParallelFor) {
            return None;
        }
        if own.nest.is_none() && writes.peek().is_none() {
            let message = format!("`{key}` is `lastprivate`, but no iteration assigns it");
            let note = "after the loop, the variable has the value that the last iteration assigned";
            sink.error_at(Code::LastUnassigned, &item.place, message)
                .note(None, note)
                .help(format!("assign `{key}` in the body, or take it out of the clause"));
            return None;
        }
        if answer.kept.iter().all(|read| read.of != Base::Local(own.local) || read.verdict == Verdict::Proved)
        {
            return None;
        }
        let first = writes.peek().and_then(|w| self.place(w.access, w.src));
        let whole = |w: &Write| w.at.is_empty() && !w.lent && self.assigns(w.src);
        if own.nest.is_none() && writes.all(whole) {
            let (place, subscripts) = (item.place.clone(), HashMap::new());
            return Some(Checked {
                place,
                key,
                clause: "lastprivate",
                nest: None,
                depth: 0,
                subscripts,
                swaps: false,
            });
        }
        let at =
            first.map_or_else(|| item.place.to_token_stream(), |place| unmarked(place).to_token_stream());
        let message = format!(
            "race: `{key}` is `lastprivate`, but not every iteration assigns the same parts of it: parts that the last iteration does not assign have values of earlier ones"
        );
        sink.error_at(Code::ScalarRace, at, message)
            .note(Some(item.span), "the clause is here")
            .help(format!("assign all of `{key}` in every iteration, or the same parts without conditions"));
        None
    }

    /// Whether an assignment of a variable begins here.
    fn assigns(&self, src: SrcId) -> bool {
        let at = start(self.spans[src.index()].start());
        self.places.assigned.contains(&at)
    }

    fn report(&self, read: &Read, writes: &[Write], key: &str, clause: &str, sink: &mut Sink) {
        let (Verdict::Refuted(write) | Verdict::Unknown(write)) = read.verdict else { return };
        let write = &writes[write];
        let element = read.at.iter().any(|step| matches!(step, At::Elements(_)));
        let place = self.place(read.access, read.src);
        let fields = read.at.iter().take_while(|s| matches!(s, At::Name(_))).map(|s| match s {
            At::Name(name) => format!(".{name}"),
            At::Elements(_) => String::new(),
        });
        let read_key = format!("{key}{}", fields.collect::<String>());
        let tokens = place.map_or_else(TokenStream::new, |place| unmarked(place).to_token_stream());
        let message = format!(
            "race: `{}` is `{clause}`, but this reads what an earlier iteration assigned",
            if element { key } else { &read_key }
        );
        let error = match place {
            Some(_) => sink.error_at(Code::ScalarRace, &tokens, message),
            None => sink.error(Code::ScalarRace, self.spans[read.src.index()], message),
        };
        error.note(
            None,
            "in the serial loop, an iteration reads the value of an earlier one (a loop-carried dependence)",
        );
        let at = self.spans[read.src.index()].start();
        let looks_like = place.filter(|_| !element);
        let looks_like = looks_like.and_then(|_| self.paths.looks_like(self.code, self.spans, read.of, at));
        let part = match self.place(write.access, write.src) {
            Some(part) => as_written(&unmarked(part)),
            None => key.to_owned(),
        };
        match looks_like {
            Some(op) => {
                let symbol = symbol(op);
                error.help(format!("if the loop accumulates it, write `reduction({symbol}: {read_key})`"))
            }
            None if element => {
                error.help(format!(
                    "assign the elements of `{key}` before they are read in each iteration; for a new array in each, declare it in the body: `let mut {key} = [0; 4];`"
                ))
            }
            None if read.at == write.at => {
                error.help(format!("assign `{read_key}` before it is read in each iteration"))
            }
            None => error.help(format!(
                "assign `{part}`, which is a part of the value that is read here, or all of `{key}`, before this in each iteration"
            )),
        };
    }

    /// Whether a subscript is one of `array.swap(i, j)`, which stands for it.
    fn swaps(&self, access: AccessId, array: &str) -> bool {
        let method = self.code.accesses[access.index()].bracket;
        let at = start(self.spans[method.index()].start());
        self.places.swaps.get(&at).is_some_and(|receiver| receiver == array)
    }

    /// The place as it stands in the body.
    fn place(&self, access: Option<AccessId>, src: SrcId) -> Option<&Expr> {
        self.places.place(access, self.spans[src.index()])
    }
}

fn start(at: LineColumn) -> (usize, usize) {
    (at.line, at.column)
}

/// The places of a body, each as a whole: `a[i].x`.
#[derive(Default)]
pub struct Places {
    /// By subscript.
    found: HashMap<AccessId, Expr>,
    /// By where they begin.
    at: HashMap<(usize, usize), Expr>,
    /// The arrays of `array.swap(i, j)`, by where the method's name begins.
    swaps: HashMap<(usize, usize), String>,
    /// The assignments, by where what they assign begins.
    updates: HashMap<(usize, usize), Expr>,
    /// The `if` or `match` around one of them alone that may compare with what it assigns.
    choices: HashMap<(usize, usize), Expr>,
    /// The starts of assignments to variables and fields.
    assigned: HashSet<(usize, usize)>,
}

impl Places {
    pub fn of(body: &syn::Block) -> Self {
        let mut places = Self::default();
        places.visit_block(body);
        places
    }

    /// The assignment in which this is, or, by its form, the `if` or `match` that compares what it assigns.
    pub fn statement(&self, span: Span, form: Option<&Form>) -> Option<Expr> {
        let at = start(span.start());
        let ends = |e: &Expr| crate::diag::ends(&e.to_token_stream()).1.end();
        let around = self.updates.iter().filter(|(begin, e)| **begin <= at && at < start(ends(e)));
        let (begin, assignment) = around.max_by_key(|(begin, _)| **begin)?;
        let compares = matches!(
            form,
            Some(Form::Update(Update { by: Operator::Builtin(ReduceOp::Max | ReduceOp::Min), .. }))
        );
        Some(unmarked(self.choices.get(begin).filter(|_| compares).unwrap_or(assignment)))
    }

    /// The tokens of a place, as the user wrote it, by its last subscript or by where it begins.
    pub fn tokens(&self, access: Option<AccessId>, span: Span) -> TokenStream {
        match self.place(access, span) {
            Some(place) => unmarked(place).to_token_stream(),
            None => proc_macro2::Ident::new("place", span).to_token_stream(),
        }
    }

    fn place(&self, access: Option<AccessId>, span: Span) -> Option<&Expr> {
        let by_access = access.and_then(|a| self.found.get(&a));
        by_access.or_else(|| self.at.get(&start(span.start())))
    }
}

impl<'ast> Visit<'ast> for Places {
    fn visit_expr(&mut self, e: &'ast Expr) {
        let begin = |e: &Expr| {
            let first = e
                .to_token_stream()
                .into_iter()
                .find(|t| !matches!(t, proc_macro2::TokenTree::Punct(p) if p.as_char() == '#'));
            first.map(|t| start(t.span().start()))
        };
        if let Expr::Assign(a) = e
            && place::scalar_key(&a.left).is_some()
            && let Some(at) = begin(&a.left)
        {
            self.assigned.insert(at);
        }
        // Parts of an assignment of several places are no statements of the user's.
        let part = matches!(e, Expr::Assign(a) if Made::Stored.is(&a.right));
        if let Some(target) = updates::target(e).filter(|_| !part)
            && let Some(at) = begin(&unmarked(target))
        {
            self.updates.entry(at).or_insert_with(|| e.clone());
        }
        if let Some(target) = updates::chosen(e).and_then(updates::target)
            && let Some(at) = begin(&unmarked(target))
        {
            self.choices.insert(at, e.clone());
        }
        if let Expr::MethodCall(m) = e
            && m.method == "swap"
            && let Some(array) = place::scalar_key(&m.receiver)
        {
            self.swaps.insert(start(m.method.span().start()), array);
        }
        if place::of(e).is_some() {
            if let Some(at) = begin(&unmarked(e)) {
                self.at.entry(at).or_insert_with(|| e.clone());
            }
            for access in subscripts(e).into_iter().flatten() {
                self.found.entry(access).or_insert_with(|| e.clone());
            }
        }
        visit::visit_expr(self, e);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}
