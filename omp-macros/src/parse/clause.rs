//! Clauses: a [table] of all there are, and one reader for each shape of argument.
mod openacc;
mod reduction;
pub mod table;

use self::reduction::{operator, reduction};
use self::table::{CLAUSES, Clause, Takes};
use super::item::{self, Text};
use super::tokens::synonyms;
use super::{missing, split_colon, split_commas};
use crate::ast::{
    Clauses, Default, Depend, DependKind, Evaluated, Given, Item, MapClause, MapWord, Number,
    ReductionClause, ScheduleKind, Spanned, Spelling,
};
use crate::diag::{Code, Diagnostic, Sink, nearest};
use omp_ir::template::FpMode;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use std::collections::HashMap;
use syn::Expr;
use syn::parse::Parser;

/// Directives that take the same clauses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClauseSet {
    Target,
    ParallelFor,
    Simd,
    Scan,
    TargetData,
    TargetEnterData,
    TargetExitData,
    TargetUpdate,
    Taskwait,
    TaskGroup,
    /// It has words, not clauses.
    Atomic,
    /// It stands on an item.
    None,
    AccParallel,
    AccParallelLoop,
    AccKernels,
    AccKernelsLoop,
    AccSerial,
    AccSerialLoop,
    AccLoop,
    AccData,
    AccHostData,
    AccEnterData,
    AccExitData,
    AccUpdate,
    AccWait,
    AccInit,
    AccSet,
    AccDeclare,
}

impl ClauseSet {
    /// The standard whose directives these are.
    pub fn spelling(self) -> Spelling {
        match self {
            Self::Target
            | Self::ParallelFor
            | Self::Simd
            | Self::Scan
            | Self::TargetData
            | Self::TargetEnterData
            | Self::TargetExitData
            | Self::TargetUpdate
            | Self::Taskwait
            | Self::TaskGroup
            | Self::Atomic
            | Self::None => Spelling::OpenMp,
            Self::AccParallel
            | Self::AccParallelLoop
            | Self::AccKernels
            | Self::AccKernelsLoop
            | Self::AccSerial
            | Self::AccSerialLoop
            | Self::AccLoop
            | Self::AccData
            | Self::AccHostData
            | Self::AccEnterData
            | Self::AccExitData
            | Self::AccUpdate
            | Self::AccWait
            | Self::AccInit
            | Self::AccSet
            | Self::AccDeclare => Spelling::OpenAcc,
        }
    }
}

/// The words of long names.
const PARTS: &[&str] = &["teams", "distribute", "parallel", "for", "loop", "simd", "data"];

/// Parses the clauses of a directive. Wrong ones are reported and left out.
pub fn clauses(kin: ClauseSet, directive: &str, tokens: TokenStream, sink: &mut Sink) -> Clauses {
    let mut out = Clauses::default();
    let mut seen: HashMap<&'static str, Span> = HashMap::new();
    let mut joined = (directive.to_owned(), None);
    let mut by_type: Vec<openacc::OfTypes> = Vec::new();
    for part in split_commas(tokens) {
        if kin == ClauseSet::AccWait && waited_for(&part) {
            openacc::queue(&mut out, part, sink);
            continue;
        }
        let Some((name, span, parens)) = head(directive, part, sink) else { continue };
        let long = matches!(kin, ClauseSet::Target | ClauseSet::ParallelFor);
        if parens.is_none() && long && PARTS.contains(&name.as_str()) {
            joined = (format!("{}_{name}", joined.0), joined.1.or(Some(span)));
            continue;
        }
        let Some(clause) = known(kin, directive, &name, span, sink) else { continue };
        if let Some(first) = seen.insert(clause.name, span)
            && !clause.many
        {
            sink.error(Code::ClauseTwice, span, format!("`{name}` is given twice on one `{directive}`"))
                .note(Some(first), "the first one is here")
                .help(format!("leave one `{name}`"));
            continue;
        }
        let args = match (parens, clause.takes.parentheses()) {
            (Some(parens), Some(true) | None) => Some(parens.stream()),
            (None, Some(false) | None) => None,
            (Some(parens), Some(false)) => {
                sink.error(Code::MalformedClause, parens.span(), format!("`{name}` takes no argument"))
                    .help(format!("write `{name}`"));
                continue;
            }
            (None, Some(true)) => {
                sink.error(Code::MalformedClause, span, format!("`{name}` needs an argument"))
                    .help(format!("write `{name}(…)`"));
                continue;
            }
        };
        if matches!(clause.takes, Takes::DeviceTypes) {
            by_type.extend(openacc::device_types(&name, span, args.unwrap_or_default(), &by_type, sink));
            seen.retain(|name, _| !openacc::may_differ(name));
            continue;
        }
        let out = match by_type.last_mut() {
            Some(group) if openacc::differs(clause, directive, span, args.is_none(), sink) => {
                &mut group.clauses
            }
            Some(_) => continue,
            None => &mut out,
        };
        let read = Reader { clause, directive, span, out: &mut *out }.read(args, sink);
        out.given.extend(read.map(|span| Given { name: clause.name, of: clause.of, span }));
    }
    if let (long, Some(span)) = joined {
        sink.error(Code::UnknownClause, span, "a part of a directive's name is in the place of a clause")
            .help(
                match [long.clone(), format!("{long}_for")]
                    .iter()
                    .find(|name| super::directive::kind_of(Spelling::OpenMp, name).is_some())
                {
                    Some(name) => format!("write one name: `#[omp::{name}(…)]`"),
                    None => format!("write `#[omp::{directive}(…)]` without it"),
                },
            );
    }
    if kin.spelling() == Spelling::OpenAcc {
        openacc::choose(&mut out, by_type, sink);
        openacc::joined(&mut out, sink);
    }
    out
}

/// Whether a part of `acc::wait!(…)` is the number of a queue, not a clause.
fn waited_for(part: &TokenStream) -> bool {
    let first = part.clone().into_iter().next();
    !matches!(first, Some(TokenTree::Ident(name)) if CLAUSES.iter().any(|c| name == c.name && c.on.contains(&ClauseSet::AccWait)))
}

/// `name` or `name(…)`.
fn head(directive: &str, part: TokenStream, sink: &mut Sink) -> Option<(String, Span, Option<Group>)> {
    let mut trees = part.into_iter();
    let (name, span) = match trees.next() {
        Some(TokenTree::Ident(i)) => (i.to_string(), i.span()),
        other => {
            let span = other.as_ref().map_or_else(Span::call_site, TokenTree::span);
            let what = other.map_or_else(|| "nothing between two commas".into(), |t| format!("`{t}`"));
            sink.error(
                Code::MalformedDirective,
                span,
                format!("expected a clause of `{directive}`, found {what}"),
            )
            .help("clauses are `name` or `name(…)`, separated by commas");
            return None;
        }
    };
    let group = match trees.next() {
        Some(TokenTree::Group(g)) if g.delimiter() == Delimiter::Parenthesis => Some(g),
        None => None,
        Some(other) => {
            sink.error(
                Code::MalformedDirective,
                other.span(),
                format!("unexpected `{other}` after `{name}`"),
            )
            .help(format!("write `{name}(…)`, with commas between clauses"));
            return None;
        }
    };
    if let Some(more) = trees.next() {
        sink.error(Code::MalformedDirective, more.span(), format!("unexpected `{more}` after `{name}(…)`"))
            .help("separate clauses by commas");
        return None;
    }
    Some((name, span, group))
}

/// The clause's row, if there is one and the directive takes it.
fn known(
    kin: ClauseSet,
    directive: &str,
    name: &str,
    span: Span,
    sink: &mut Sink,
) -> Option<&'static Clause> {
    let spelling = kin.spelling();
    let takes = |c: &&Clause| c.on.contains(&kin) && !lacks(directive, c);
    if let Some(clause) = CLAUSES.iter().filter(takes).find(|c| c.name == name) {
        return Some(clause);
    }
    if let Some(help) = missing::instead_of_clause(spelling, name, directive) {
        let standard = spelling.standard();
        sink.error(
            Code::UnknownClause,
            span,
            format!("{standard}'s `{name}` is no clause of `{directive}` here"),
        )
        .help(help);
        return None;
    }
    let mut names: Vec<_> = CLAUSES.iter().filter(takes).map(|c| c.name).collect();
    names.dedup();
    if !CLAUSES.iter().any(|c| c.name == name && c.is_of(spelling)) {
        let error = sink.error(Code::UnknownClause, span, format!("unknown clause `{name}`"));
        let meant = match spelling {
            Spelling::OpenMp => synonyms::clause(name),
            Spelling::OpenAcc => synonyms::of_openacc(name),
        };
        match meant.or_else(|| nearest(name, &names)) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help(format!("`{directive}` takes {}", listed(&names))),
        };
        return None;
    }
    let error = sink.error(Code::ClauseNotAllowed, span, format!("`{directive}` takes no `{name}` clause"));
    if name == "map" {
        error.help("data is mapped by the region: put the `map` on the `target` around this loop");
    } else if names.is_empty() {
        error.help(format!("`{directive}` takes no clauses"));
    } else {
        error.help(format!("`{directive}` takes {}", listed(&names)));
    }
    None
}

/// Whether the part that a clause belongs to is missing in a long name: `num_teams` in `target_parallel_for`. `target`
/// alone is all of them.
fn lacks(directive: &str, clause: &Clause) -> bool {
    directive.starts_with("target_")
        && clause.part.is_some_and(|part| !directive.split('_').any(|p| p == part))
}

/// `` `a`, `b` and `c` ``
pub fn listed(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|n| format!("`{n}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// A clause of which the name is read.
struct Reader<'a> {
    clause: &'static Clause,
    directive: &'a str,
    span: Span,
    out: &'a mut Clauses,
}

impl Reader<'_> {
    /// Reads what stands in the parentheses. Where the clause is at fault if it is in the wrong place; `None` if it was reported.
    fn read(mut self, args: Option<TokenStream>, sink: &mut Sink) -> Option<Span> {
        let (name, span) = (self.clause.name, self.span);
        let bare = args.is_none();
        let args = args.unwrap_or_default();
        match self.clause.takes {
            Takes::Map => self.out.maps.push(map(self.directive, span, args, sink)?),
            Takes::MapOf(ty) => {
                let map = openacc::map(name, ty, span, args, sink)?;
                let first = map.items.first()?.span;
                self.out.maps.push(map);
                return Some(first);
            }
            Takes::PresentItems => {
                let items = item::list(name, span, args, sink);
                let first = items.first()?.span;
                self.out.maps.push(MapClause { ty: MapWord::Alloc, always: false, present: true, items });
                return Some(first);
            }
            Takes::Items(slot) => {
                let items = item::list(name, span, args, sink);
                let first = items.first()?.span;
                slot(self.out).extend(items);
                return Some(first);
            }
            Takes::Reduction(slot) => {
                let read = reduction(name, span, args, sink)?;
                let at = read.span;
                slot(self.out).push(read);
                return Some(at);
            }
            Takes::Depend => self.out.depend.push(depend(span, args, sink)?),
            Takes::Nothing(slot) => *slot(self.out) = Some(Spanned { value: (), span }),
            Takes::MaybeNumber(Number::Unroll) if bare => self.out.unroll_fully = true,
            Takes::MaybeNumber(what) | Takes::List(what) if bare => self.evaluated(what, vec![]),
            Takes::Condition(what) if bare => self.evaluated(what, vec![syn::parse_quote!(true)]),
            Takes::Level(level, size) => {
                self.out.levels.push(Spanned { value: level, span });
                if let (Some(size), false) = (size, bare)
                    && let Some(value) = openacc::size(level, span, args, sink)?
                {
                    self.evaluated(size, vec![value]);
                }
            }
            Takes::List(what) => {
                let parts = split_commas(args).into_iter();
                let values: Option<Vec<Expr>> =
                    parts.map(|part| expression(name, span, openacc::queues(part), sink)).collect();
                self.evaluated(what, values?);
            }
            Takes::Tiles => openacc::tile(self.out, span, args, sink)?,
            // The rest of the clause is meant.
            Takes::DeviceTypes => {}
            Takes::DeviceType => self.out.device_type = Some(openacc::device_type(span, &args, sink)?),
            Takes::Number(what) | Takes::MaybeNumber(what) | Takes::Condition(what) => {
                let value = expression(name, span, args, sink)?;
                self.evaluated(what, vec![value]);
            }
            Takes::Numbers(what, most) => {
                let values = expressions(name, most, span, args, sink)?;
                self.evaluated(what, values);
            }
            Takes::Schedule(what, kinds) => self.schedule(what, kinds, args, sink)?,
            Takes::Loops => self.out.collapse = Some(collapse(span, args, sink)?),
            Takes::Default(spelling) => self.out.default = Some(default(spelling, span, &args, sink)?),
            Takes::DefaultMap => self.out.defaultmap = default_map(span, &args, sink)?,
            Takes::Fp => self.out.fp = Some(fp(span, &args, sink)?),
            Takes::Text => self.out.name = Some(label(span, args, sink)?),
            Takes::Promises => {
                unsafe_(self.out, args, sink);
                let named = self.out.trust_disjoint.first().or(self.out.unchecked.first());
                return Some(named.map_or(span, |item| item.span));
            }
        }
        Some(span)
    }

    fn evaluated(&mut self, what: Number, values: Vec<Expr>) {
        let (name, span) = (self.clause.name, self.span);
        self.out.evaluated.push(Evaluated { what, name, values, span });
    }

    /// `kind[, e]`
    fn schedule(&mut self, what: Number, kinds: usize, args: TokenStream, sink: &mut Sink) -> Option<()> {
        const ALL: &[(&str, ScheduleKind)] = &[
            ("static", ScheduleKind::Static),
            ("dynamic", ScheduleKind::Dynamic),
            ("guided", ScheduleKind::Guided),
            ("auto", ScheduleKind::Auto),
        ];
        let (name, span) = (self.clause.name, self.span);
        let mut parts = split_commas(args).into_iter();
        let kind = word(name, span, &parts.next().unwrap_or_default(), &ALL[..kinds], sink)?;
        if let Some(chunk) = parts.next() {
            let chunk = expression(name, span, chunk, sink)?;
            self.evaluated(what, vec![chunk]);
        }
        if what == Number::Chunk {
            self.out.schedule = Some(kind);
        }
        Some(())
    }
}

/// Map types as written.
const MAP_TYPES: &[(&str, MapWord)] = &[
    ("to", MapWord::To),
    ("from", MapWord::From),
    ("tofrom", MapWord::ToFrom),
    ("alloc", MapWord::Alloc),
    ("release", MapWord::Release),
    ("delete", MapWord::Delete),
];

/// `[always,] [present,] type: items`, `type = items` or `items`.
fn map(directive: &str, span: Span, args: TokenStream, sink: &mut Sink) -> Option<MapClause> {
    let (head, items) = match split_colon(&args) {
        Some((head, items)) => (split_commas(head), items),
        None => (vec![], args),
    };
    let (mut always, mut present, mut ty) = (false, false, None);
    for word in head {
        let at = word.clone().into_iter().next().map_or(span, |t| t.span());
        match word.to_string().as_str() {
            "always" => always = true,
            "present" => present = true,
            other if ty.is_none() => ty = Some((other.to_owned(), at)),
            other => {
                sink.error(Code::MapType, at, format!("unexpected `{other}` in a `map`"))
                    .help("a map is `map([always,] [present,] type: items)`");
                return None;
            }
        }
    }
    let ty = match ty {
        None => match directive {
            "target_enter_data" => MapWord::To,
            "target_exit_data" => MapWord::From,
            _ => MapWord::ToFrom,
        },
        Some((word, at)) => map_type(directive, &word, at, sink)?,
    };
    Some(MapClause { ty, always, present, items: item::list("map", span, items, sink) })
}

/// The map types that a directive takes.
fn map_type(directive: &str, word: &str, at: Span, sink: &mut Sink) -> Option<MapWord> {
    let Some((_, ty)) = MAP_TYPES.iter().find(|(name, _)| *name == word) else {
        let names: Vec<_> = MAP_TYPES.iter().map(|(name, _)| *name).collect();
        let error = sink.error(Code::MapType, at, format!("unknown map type `{word}`"));
        let plain = word.replace([' ', '/', '_', '-'], "");
        if let Some(near) = synonyms::map_type(&plain).or_else(|| nearest(&plain, &names)) {
            error.help(format!("did you mean `{near}`?"));
        }
        error.help(
            "map types are `to`, `from`, `tofrom`, `alloc`, and, when data leaves, `release` and `delete`",
        );
        return None;
    };
    let (spelled, allowed, more) = match directive {
        "target_enter_data" => ("target_enter_data!", &["to", "alloc"][..], ""),
        "target_exit_data" => ("target_exit_data!", &["from", "release", "delete"][..], ""),
        _ => (
            directive,
            &["to", "from", "tofrom", "alloc"][..],
            "; `release` and `delete` belong to `target_exit_data!`",
        ),
    };
    if !allowed.contains(&word) {
        sink.error(Code::MapType, at, format!("`{spelled}` takes no map type `{word}`"))
            .help(format!("map types here are {}{more}", listed(allowed)));
        return None;
    }
    Some(*ty)
}

/// `op[, Type][, clauses]` of `#[omp::scan(…)]`. rustc compares the type with what the loop carries.
pub fn scan(directive: &str, span: Span, args: TokenStream, sink: &mut Sink) -> Clauses {
    let comma = |tree: &TokenTree| matches!(tree, TokenTree::Punct(p) if p.as_char() == ',');
    let mut trees = args.into_iter();
    let op: TokenStream = trees.by_ref().take_while(|tree| !comma(tree)).collect();
    let mut rest: TokenStream = trees.collect();
    let at = op.clone().into_iter().next().map_or(span, |t| t.span());
    let spelled = op.to_string().replace(' ', "");
    let mut trees = rest.clone().into_iter();
    let clause = match (trees.next(), trees.next()) {
        (Some(TokenTree::Ident(_)), Some(TokenTree::Group(g))) => g.delimiter() == Delimiter::Parenthesis,
        (Some(TokenTree::Ident(name)), next) => {
            next.is_none_or(|tree| comma(&tree)) && CLAUSES.iter().any(|c| name == c.name)
        }
        _ => false,
    };
    // A type may have commas of its own: `Matrix<f32, 3>`.
    let typed = |input: syn::parse::ParseStream<'_>| {
        let ty: syn::Type = input.parse()?;
        input.parse::<Option<syn::Token![,]>>()?;
        Ok((ty, input.parse::<TokenStream>()?))
    };
    let mut ty = None;
    if !clause && let Ok((found, behind)) = typed.parse2(rest.clone()) {
        (ty, rest) = (Some(found), behind);
    }
    let mut out = clauses(ClauseSet::Scan, directive, rest, sink);
    let op = if op.is_empty() {
        sink.error(Code::MalformedDirective, span, "a `scan` needs an operator")
            .help("write `#[omp::scan(+)]`; operators are `+ * max min & | ^ && ||` and declared reductions");
        None
    } else {
        operator(&spelled, &op, at, sink)
    };
    out.scans.extend(op.map(|op| ReductionClause {
        op,
        spelled,
        reproducible: false,
        inscan: true,
        ty,
        span: at,
        items: Vec::new(),
    }));
    out
}

/// `disjoint(y), unchecked(x), unchecked`
fn unsafe_(out: &mut Clauses, args: TokenStream, sink: &mut Sink) {
    for part in split_commas(args) {
        let Some((name, span, group)) = head("unsafe", part, sink) else { continue };
        match (name.as_str(), group) {
            ("disjoint", Some(g)) => {
                out.trust_disjoint.extend(item::list("disjoint", span, g.stream(), sink));
            }
            ("unchecked", Some(g)) => out.unchecked.extend(item::list("unchecked", span, g.stream(), sink)),
            ("unchecked", None) => out.unchecked_all = Some(Spanned { value: (), span }),
            _ => {
                let error =
                    sink.error(Code::MalformedClause, span, format!("`unsafe` has no promise `{name}`"));
                did_you_mean(error, &name, &["disjoint", "unchecked"])
                    .help("write `unsafe(disjoint(y))`, `unsafe(unchecked(x))` or `unsafe(unchecked)`");
            }
        }
    }
}

/// `in|out|inout: items`
fn depend(span: Span, args: TokenStream, sink: &mut Sink) -> Option<Depend> {
    let Some((kind, items)) = split_colon(&args) else {
        sink.error(Code::MalformedClause, span, "a `depend` needs a kind and a colon before its items")
            .help("write `depend(in: x)`, `depend(out: x)` or `depend(inout: x)`");
        return None;
    };
    let at = kind.clone().into_iter().next().map_or(span, |t| t.span());
    let kind = match kind.to_string().as_str() {
        "in" => DependKind::In,
        "out" => DependKind::Out,
        "inout" => DependKind::InOut,
        other => {
            let error =
                sink.error(Code::MalformedClause, at, format!("unknown kind of dependence `{other}`"));
            did_you_mean(error, other, &["in", "out", "inout"]).help("kinds are `in`, `out` and `inout`");
            return None;
        }
    };
    Some(Depend { kind, items: item::list("depend", span, items, sink), span })
}

/// Names the word that is nearly the one found.
fn did_you_mean<'e>(error: &'e mut Diagnostic, found: &str, known: &[&str]) -> &'e mut Diagnostic {
    match nearest(found, known) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error,
    }
}

/// One of a list of words.
fn word<T: Copy>(
    clause: &str,
    span: Span,
    args: &TokenStream,
    words: &[(&str, T)],
    sink: &mut Sink,
) -> Option<T> {
    let found = args.to_string();
    let hit = words.iter().find(|(w, _)| *w == found).map(|(_, value)| *value);
    if hit.is_none() {
        let at = args.clone().into_iter().next().map_or(span, |t| t.span());
        let names: Vec<_> = words.iter().map(|(w, _)| *w).collect();
        let error = sink.error(Code::MalformedClause, at, format!("`{clause}` takes no `{found}`"));
        did_you_mean(error, &found, &names).help(format!("it takes one of {}", listed(&names)));
    }
    hit
}

fn default(spelling: Spelling, span: Span, args: &TokenStream, sink: &mut Sink) -> Option<Spanned<Default>> {
    let words = match spelling {
        Spelling::OpenMp => [("none", Default::None), ("shared", Default::Shared)],
        Spelling::OpenAcc => [("none", Default::None), ("present", Default::Present)],
    };
    let value = word("default", span, args, &words, sink)?;
    Some(Spanned { value, span })
}

/// `behaviour[: category]`. The requested default; `None` if it is the default without the clause, too.
fn default_map(span: Span, args: &TokenStream, sink: &mut Sink) -> Option<Option<Spanned<Default>>> {
    let (behaviour, category) = match split_colon(args) {
        Some((behaviour, category)) => (behaviour.to_string(), category.to_string()),
        None => (args.to_string(), String::new()),
    };
    let value = match (behaviour.as_str(), category.as_str()) {
        ("none", "" | "all") => Some(Default::None),
        ("present", "" | "all" | "aggregate") => Some(Default::Present),
        ("default", "" | "all" | "aggregate" | "scalar")
        | ("firstprivate", "scalar")
        | ("tofrom", "aggregate") => None,
        _ => {
            sink.error(Code::MalformedClause, span, format!("`defaultmap` takes no `{args}`"))
                .note(None, "without a clause, a variable is mapped by its accesses in the body")
                .help("it takes one of `none`, `present`, `default`, `firstprivate: scalar` and `tofrom: aggregate`; name the data in a `map` for another type");
            return None;
        }
    };
    Some(value.map(|value| Spanned { value, span }))
}

fn fp(span: Span, args: &TokenStream, sink: &mut Sink) -> Option<Spanned<FpMode>> {
    let modes = [("strict", FpMode::Strict), ("contract", FpMode::Contract), ("fast", FpMode::Fast)];
    let value = word("fp", span, args, &modes, sink)?;
    Some(Spanned { value, span })
}

fn collapse(span: Span, args: TokenStream, sink: &mut Sink) -> Option<Spanned<u32>> {
    let text = args.to_string();
    match syn::parse2::<syn::LitInt>(args).and_then(|lit| lit.base10_parse::<u32>()) {
        Ok(value) => Some(Spanned { value, span }),
        Err(_) if text.starts_with("force") => {
            sink.error(Code::MalformedClause, span, "`collapse` takes no `force`")
                .note(None, "collapsed loops have to be perfectly nested: statements between them would run more often than written")
                .help("move the statements between the loops into the innermost one, and write `collapse(2)`");
            None
        }
        Err(_) => {
            let code = if text.starts_with('-') { Code::OutOfRange } else { Code::MalformedClause };
            sink.error(code, span, format!("`collapse({text})`: the number of loops is an integer from 1"))
                .help("write how many nested loops are one: `collapse(2)`");
            None
        }
    }
}

fn expression(name: &str, span: Span, args: TokenStream, sink: &mut Sink) -> Option<Expr> {
    match syn::parse2::<Expr>(args) {
        Ok(value) => Some(value),
        Err(e) => {
            sink.error(Code::MalformedClause, span, format!("`{name}` takes one expression: {e}"))
                .help(format!("write `{name}(expression)`"));
            None
        }
    }
}

/// At least one and at most `most` expressions.
fn expressions(name: &str, most: usize, span: Span, args: TokenStream, sink: &mut Sink) -> Option<Vec<Expr>> {
    let parts = split_commas(args);
    if parts.is_empty() || parts.len() > most {
        let example = ["32", "32, 4", "32, 4, 2"][..most].join(")`, `");
        sink.error(Code::MalformedClause, span, format!("`{name}` takes 1 to {most} integers"))
            .help(format!("write `{name}({})`", example.replace(")`, `", &format!(")`, `{name}("))));
        return None;
    }
    parts.into_iter().map(|part| expression(name, span, part, sink)).collect()
}

fn label(span: Span, args: TokenStream, sink: &mut Sink) -> Option<Spanned<String>> {
    match syn::parse2::<Text>(args) {
        Ok(Text(value)) => Some(Spanned { value, span }),
        Err(_) => {
            sink.error(Code::MalformedClause, span, "`name` takes a text")
                .help("write `name(\"diffusion step\")`");
            None
        }
    }
}

/// Whether two lists name the same place.
pub fn shares(a: &[Item], b: &[Item]) -> bool {
    a.iter().any(|x| b.iter().any(|y| x.key == y.key))
}
