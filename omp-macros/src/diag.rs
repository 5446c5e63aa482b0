//! Diagnostics: a sink that collects the errors of an item, and the catalogue of their codes.
//!
//! Stable Rust gives a macro one way to report: `compile_error!` at a span. A diagnostic is therefore one text,
//! `what was found [omp::E0201]`, followed by `note:` and `help:` lines.
//!
//! There are three kinds. [`Sink::error`] is for mistakes; [`Sink::later`] for correct code that is not implemented yet.
//! The second kind is shown only if there is none of the first, so that a mistake is reported before a limit.
//! [`Sink::of_rustc`] is for mistakes that rustc reports in the serial form: it stops the expansion, and its own text is
//! shown only if rustc finds nothing.
use crate::parse::tokens::leaves::group;
use proc_macro2::{Delimiter, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;

/// Declares [`Code`]: each variant has a number that never changes, a title, and one or two sentences about it; the book has a page.
macro_rules! codes {
    ($($(#[doc = $doc:expr])+ $name:ident = $number:literal, $title:literal;)*) => {
        /// What an error is about. The numbers are stable: `omp::E0201`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, clippy::enum_variant_names, dead_code)] // `UnsafeCode` is code; rustc reports `ReductionType`
        pub enum Code { $($(#[doc = $doc])+ $name = $number,)* }

        impl Code {
            /// The number after `omp::E`.
            pub const fn number(self) -> u32 {
                self as u32
            }
        }

        #[cfg(test)]
        impl Code {
            /// All of them, by number.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The heading of its page in the book.
            pub const fn title(self) -> &'static str {
                match self { $(Self::$name => $title,)* }
            }

            /// What the error means.
            pub const fn explanation(self) -> &'static str {
                match self { $(Self::$name => concat!($($doc, "\n",)+),)* }
            }
        }
    };
}

codes! {
    /// The last segment of an `omp::…` path names no directive. Directives are recognised by the last two segments
    /// of their path, `omp::target`.
    UnknownDirective = 101, "unknown directive";
    /// Stable Rust has no attribute macros on statements. `#[omp::offload]` on the function, method, `impl` or `mod`
    /// around a directive enables it.
    OutsideOffload = 102, "directive outside an offload item";
    /// The directive has no meaning in this place: a target region inside another one, an update inside a region,
    /// a directive for items on a statement.
    Misplaced = 103, "directive where it cannot be";
    /// The parentheses of the directive don't contain a list of clauses.
    MalformedDirective = 104, "malformed directive";
    /// `#[omp::offload]` goes on functions, methods, `impl` blocks and inline modules; the function must not be
    /// `async` or `const`.
    OffloadItem = 105, "offload on an item that cannot have it";
    /// The short form, a directive on a function, needs a body with exactly one outermost `for`.
    ShortForm = 106, "short form without exactly one outermost loop";
    /// A parallel loop is a `for` over a range or an array, whose iterations are counted before it runs. `while`, `loop` and
    /// blocks are not.
    NotALoop = 107, "directive on something other than a counted loop";
    /// `#[omp::atomic]` stands on one update of one place: `x[i] += e`, `x[i] = x[i].max(e)` and similar. A plain
    /// store needs `#[omp::atomic(write)]`, a plain load `#[omp::atomic(read)]`.
    NotAnUpdate = 108, "atomic on a statement that is no update";

    /// The directive language has no clause of this name.
    UnknownClause = 201, "unknown clause";
    /// The clause stands once on a directive. Clauses that list variables (`map`, `private`, `reduction`, …) may stand several
    /// times.
    ClauseTwice = 202, "clause given twice";
    /// Two clauses of the directive contradict each other.
    Contradiction = 203, "clauses that contradict each other";
    /// The directive does not take this clause.
    ClauseNotAllowed = 204, "clause not allowed on this directive";
    /// The parentheses of the clause don't contain what the clause takes.
    MalformedClause = 205, "malformed clause";
    /// A constant in a clause is out of range: `collapse(0)`, `num_teams(-1)`.
    OutOfRange = 206, "constant out of range";
    /// Only tasks have dependences, and without `nowait` there is no task.
    DependWithoutNowait = 207, "depend without nowait";
    /// The word before the colon of a `map` is not a map type, or this directive does not take it.
    MapType = 208, "map type not known or not allowed here";
    /// A section is `x[lo..hi]`, `x[..n]`, `x[lo..]` or, as in OpenMP, `x[lo:len]`, `x[:n]`.
    MalformedSection = 209, "malformed section";
    /// A scalar has no elements to choose from.
    SectionOfScalar = 210, "section of a scalar";

    /// A parallel loop is `for i in a..b` or `a..=b` over integers, with `.rev()`, `.step_by(s)` and `.enumerate()`, or
    /// `for v in x.iter()` or `x.iter_mut()` over an array, with adaptors that keep the number of iterations known.
    NotCanonical = 301, "loop that is not canonical";
    /// `collapse(n)` needs n nested loops. Each inner loop has to be the only statement of the loop around it.
    CollapseTooDeep = 302, "collapse deeper than the nest";
    /// There is a statement between two loops that `collapse` makes one loop.
    NotPerfect = 303, "nest that is not perfect";
    /// The iterations of a parallel loop are counted before it runs, so its body must not change its bounds.
    BoundChanged = 304, "bound of a parallel loop changed in its body";
    /// The iterations of a parallel loop run at the same time, so no iteration can end the loop or the function.
    LeavesLoop = 305, "break, return or ? out of a parallel loop";
    /// Under `collapse`, bounds of inner loops may depend on outer variables only as `a*i + b`.
    BoundNotAffine = 306, "inner bound that is not affine";

    /// A variable is `private`, `firstprivate`, `lastprivate`, `shared` or reduced, but only one of these.
    /// The loop variable of a parallel loop can't be in such a clause: each iteration has its own.
    TwoSharingClauses = 401, "variable in two data-sharing clauses";
    /// `map(to: …)` copies nothing back, so the values that the body writes would be lost.
    WrittenUnderTo = 402, "item mapped to but written";
    /// `map(from: …)` copies nothing to the device, so the body would read values that are not there.
    ReadUnderFrom = 403, "item mapped from but read before written";
    /// Under `default(none)` each variable that the loop uses has to be named in a clause.
    DefaultNone = 404, "name missing under default(none)";
    /// An array may be in only one `map` of a directive.
    MappedTwice = 405, "array mapped twice";
    /// Each iteration has its own copy of a `private` or `firstprivate` variable, and the copies are gone after the
    /// loop. Without the directive, the variable would then have the value that the last iteration assigned.
    StalePrivate = 406, "private variable read after the loop";

    /// A task may run until the next `taskwait!` of its function, or until the function's end. The data that it uses has
    /// to live as long: a variable of an inner block needs a `taskwait!` at the end of that block, or a `taskgroup`.
    TaskData = 407, "task data that does not live long enough";
    /// From the first task on an array until the wait, the array's name refers to a guard. Uses of the whole array (moving
    /// it, growing it, printing it, calling a method of its own type) have to come after the wait.
    TaskWhole = 408, "task data used as a whole before the wait";
    /// The loop never assigns the `lastprivate` variable, so there is no last value.
    LastUnassigned = 409, "lastprivate variable never assigned";
    /// At each exit of a data region, generated code names the region's data. A `return`, `?`, `break` or `continue` out of
    /// the region must not be in a place where the name means another variable.
    Shadowed = 410, "name of mapped data shadowed at an exit of its region";

    /// The built-in reduction operators are `+ * - max min & | ^ && ||`.
    UnknownOperator = 501, "unknown reduction operator";
    /// The body updates a reduction variable by another operator than that of the clause.
    OtherOperator = 502, "reduction item not updated by its operator";
    /// Inside the loop, each thread has a partial value of a reduction variable. Reading or overwriting it has no meaning
    /// before the loop ends.
    ReductionUse = 503, "reduction item read or stored between updates";
    /// The loop never updates the reduction variable.
    ReductionUnused = 504, "reduction item never updated";
    /// The type of the variable does not have the clause's operator. Only rustc knows types, so the text of this error is
    /// in attributes of the runtime's traits.
    ReductionType = 505, "operator that the item's type does not have";

    /// A `scan` carries a value from one iteration to the next by its operator: `y[i] = y[i - 1] ⊕ e`, or
    /// `s = s ⊕ e; y[i] = s`. There must be no other dependence between iterations.
    ScanPattern = 506, "scan pattern not found";
    /// Variables in `reduction`, `scan` and `lastprivate` are assigned, so they have to be declared `mut`.
    NotMutable = 507, "item of a clause that is not `mut`";

    /// All iterations share a captured scalar, and they run at the same time.
    ScalarRace = 601, "race by an assigned scalar";
    /// Two iterations touch the same element of an array, and one of them writes it.
    ArrayRace = 602, "race through an array";
    /// The compiler can't prove that different iterations touch different elements.
    ArrayRaceUnknown = 603, "possible race through an array";

    /// Devices don't support the expression.
    UnsupportedExpr = 701, "unsupported expression";
    /// A body may use only the macros of assertions, of panics, and `matches!`.
    UnsupportedMacro = 702, "unsupported macro";
    /// Devices have no heap.
    HeapAllocation = 703, "heap allocation in a body";
    /// A body may call a closure or pass it to an adaptor. A closure as a value is host code.
    Closure = 704, "closure used as a value";
    /// Device code cannot wait for the host.
    Await = 705, "await in a body";
    /// Bodies are safe Rust, without inline assembly.
    UnsafeCode = 706, "unsafe block or assembly in a body";
    /// Devices don't support the pattern.
    UnsupportedPattern = 707, "unsupported pattern";
    /// A body may use a mapped array in a subscript, in a slice, as the receiver of a method, and as an argument.
    WholeArray = 708, "mapped array used as a whole";
    /// The function, method or operator has no `#[omp::declare_target]`.
    HostCall = 709, "call of a function that is not a device function";
    /// A body may contain no items except consts and functions that are not generic.
    ItemInBody = 710, "item that a body cannot have";
    /// Variables of a body have these types: the primitives except `i128`, tuples, fixed arrays and `#[derive(omp::Device)]` types.
    UnsupportedType = 711, "type not usable on a device";
    /// Devices don't support the statement.
    UnsupportedStmt = 712, "unsupported statement";
    /// References to locals and elements can't be stored in other values.
    Reference = 713, "reference stored in a value";
    /// No device type has this literal: text, bytes, a C string.
    UnsupportedLiteral = 714, "unsupported literal";
    /// Variables that a `macro_rules!` declares are different from variables of the same name that it receives. Directives
    /// identify variables by their names, and can't tell the two apart. Only rustc sees the difference.
    TwoVariables = 715, "two variables of one name";
    /// A directive analyses all tokens of its loop or block, but rustc removes code under a `#[cfg(…)]` that does not hold.
    Conditional = 716, "conditional compilation in a region";
    /// Directives recognise the macros of std by their names: `println!("{}", y[0])` reads an element. A macro of the same
    /// name may do anything with its arguments.
    OtherMacro = 717, "macro with the name of a std macro";

    /// `#[omp::declare_target]` goes on functions, `impl` blocks, traits, and `static` or `const` tables.
    DeclareTargetItem = 801, "declare_target on an item that cannot have it";
    /// A device function can't have this signature.
    DeviceSignature = 802, "signature that a device function cannot have";
    /// `omp::Device` is derived for `Copy` structs of device types, for field-less enums, and for enums with data under the representation of an integer.
    DeriveDevice = 803, "type that cannot derive omp::Device";

    /// The language has this form of loop, item or expression, but this version does not implement it.
    FormLater = 903, "form not implemented yet";
}

/// One error: its text is complete when the sink is drained.
#[derive(Debug)]
pub struct Diagnostic {
    code: Code,
    message: String,
    start: Span,
    end: Span,
    notes: Vec<String>,
    helps: Vec<String>,
    kind: Kind,
}

/// Who reports it, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Wrong,
    Later,
    /// rustc does.
    OfRustc,
}

impl Diagnostic {
    /// Adds a fact; a second place is named by its line (or column, on the same line), as stable errors have one
    /// span.
    pub fn note(&mut self, span: Option<Span>, text: impl Into<String>) -> &mut Self {
        let text = text.into();
        let line = self.start.start().line;
        self.notes.push(match span.map(|s| s.start()) {
            Some(at) if at.line != line => format!("line {}: {text}", at.line),
            Some(at) => format!("column {}: {text}", at.column + 1),
            None => text,
        });
        self
    }

    /// Adds a correction.
    pub fn help(&mut self, text: impl Into<String>) -> &mut Self {
        self.helps.push(text.into());
        self
    }

    /// The code of the error.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The message and the notes.
    pub fn found(&self) -> (&str, &[String]) {
        (&self.message, &self.notes)
    }

    /// The whole text.
    pub fn text(&self) -> String {
        let mut text = format!("{} [omp::E{:04}]", self.message, self.code.number());
        for (kind, lines) in [("note", &self.notes), ("help", &self.helps)] {
            for line in lines {
                text.push_str(&format!("\n  {kind}: {line}"));
            }
        }
        users_names(&text)
    }

    /// `compile_error! { "…" }` of `core` at its place.
    fn to_tokens(&self) -> TokenStream {
        let punct = |c, spacing, span| {
            let mut p = Punct::new(c, spacing);
            p.set_span(span);
            TokenTree::Punct(p)
        };
        let path = ["omp", "__private", "core", "compile_error"].into_iter().flat_map(|segment| {
            [
                punct(':', Spacing::Joint, self.start),
                punct(':', Spacing::Alone, self.start),
                TokenTree::Ident(Ident::new(segment, self.start)),
            ]
        });
        let mut text = Literal::string(&self.text());
        text.set_span(self.end);
        let text = group(Delimiter::Brace, TokenTree::Literal(text).into(), self.end);
        path.chain([punct('!', Spacing::Alone, self.start), text]).collect()
    }
}

/// A text with the user's names in the place of those that stand for them: `x` for `__omp_x_2`.
fn users_names(text: &str) -> String {
    if text.contains("is a name of the library's own") {
        return text.to_owned();
    }
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("__omp_") {
        let (before, name) = rest.split_at(at);
        let end = name.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(name.len());
        let (name, after) = name.split_at(end);
        let stands_for = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let of_user = stands_for.strip_suffix('_').filter(|_| stands_for.len() < name.len());
        out.push_str(before);
        out.push_str(of_user.and_then(|own| own.strip_prefix("__omp_")).unwrap_or(name));
        rest = after;
    }
    out + rest
}

/// Collects the errors of an item. Must be drained by [`Sink::into_tokens`]: an error that is dropped would be a
/// mistake that compiles.
#[derive(Debug, Default)]
pub struct Sink {
    found: Vec<Diagnostic>,
    drained: bool,
}

impl Sink {
    /// An empty sink.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports what is wrong, at one token.
    pub fn error(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.push(code, span, span, message.into(), Kind::Wrong)
    }

    /// Reports what is wrong, at everything from the first to the last of some tokens.
    pub fn error_at(&mut self, code: Code, at: impl ToTokens, message: impl Into<String>) -> &mut Diagnostic {
        let (start, end) = ends(&at.to_token_stream());
        self.push(code, start, end, message.into(), Kind::Wrong)
    }

    /// Reports what is wrong, from one token to another.
    pub fn error_between(
        &mut self,
        code: Code,
        (start, end): (Span, Span),
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.push(code, start, end, message.into(), Kind::Wrong)
    }

    /// Reports what is right but not implemented yet: shown only if there is no error. The message is the name of
    /// the thing; " is not implemented yet" is added.
    pub fn later(&mut self, code: Code, span: Span, what: impl Into<String>) -> &mut Diagnostic {
        let message = format!("{} is not implemented yet", what.into());
        self.push(code, span, span, message, Kind::Later)
    }

    /// Stops the expansion for what is surely an error of rustc's in the serial form, too.
    pub fn of_rustc(&mut self, code: Code, span: Span, message: impl Into<String>) -> &mut Diagnostic {
        self.push(code, span, span, message.into(), Kind::OfRustc)
    }

    /// Statements for a serial form that rustc refuses. If rustc does not, they fail when the function is compiled: nothing wrong gets through.
    pub fn left_to_rustc(&mut self) -> TokenStream {
        let (left, found): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.found).into_iter().partition(|d| d.kind == Kind::OfRustc);
        self.found = found;
        let texts = left.iter().map(Diagnostic::text);
        texts.map(|text| refused(&text)).collect()
    }

    /// Takes over what `syn` could not read.
    pub fn syntax(&mut self, code: Code, error: &syn::Error) -> &mut Diagnostic {
        let span = error.span();
        self.push(code, span, span, error.to_string(), Kind::Wrong)
    }

    fn push(&mut self, code: Code, start: Span, end: Span, message: String, kind: Kind) -> &mut Diagnostic {
        self.found.push(Diagnostic { code, message, start, end, notes: vec![], helps: vec![], kind });
        self.found.last_mut().expect("just pushed")
    }

    /// Takes back what was reported after a number of others.
    pub fn take_since(&mut self, heard: usize) -> Vec<Diagnostic> {
        self.found.split_off(heard)
    }

    /// Whether something is wrong (things for later do not count).
    pub fn has_errors(&self) -> bool {
        self.found.iter().any(|d| d.kind != Kind::Later)
    }

    /// Whether something was reported at one of these tokens: what else is wrong with them is its echo.
    pub fn has_error_in(&self, at: impl ToTokens) -> bool {
        let (start, end) = ends(&at.to_token_stream());
        self.found.iter().any(|d| {
            let place = d.start.start();
            start.start() <= place && place < end.end()
        })
    }

    /// Whether anything was reported.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How many things were reported.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// All errors, in the order of the source, as items or statements.
    pub fn into_tokens(mut self) -> TokenStream {
        self.take().iter().map(Diagnostic::to_tokens).collect()
    }

    /// Forgets what was reported on trial; whether there was an error.
    pub fn forget(mut self) -> bool {
        self.drained = true;
        self.has_errors()
    }

    /// What is to be shown.
    fn take(&mut self) -> Vec<Diagnostic> {
        self.drained = true;
        let wrong = self.found.iter().any(|d| d.kind == Kind::Wrong);
        let mut shown: Vec<_> =
            std::mem::take(&mut self.found).into_iter().filter(|d| !wrong || d.kind == Kind::Wrong).collect();
        shown.sort_by_key(|d| (d.start.start().line, d.start.start().column));
        shown
    }

    /// The texts, for tests.
    #[cfg(test)]
    pub fn into_texts(mut self) -> Vec<String> {
        self.take().iter().map(Diagnostic::text).collect()
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        if !self.drained && !self.found.is_empty() && !std::thread::panicking() {
            panic!("diagnostics were dropped: {:?}", self.found);
        }
    }
}

/// What does not compile where it is compiled to code: rustc gets there only if it finds no error before.
pub fn refused(text: &str) -> TokenStream {
    quote::quote_spanned!(Span::mixed_site()=> const { if true { ::omp::__private::core::panic!(#text) } };)
}

/// Where the first token of an expression stands, which is where errors in it are shown. The other tokens are not printed.
pub fn begin(e: &syn::Expr) -> Span {
    use syn::Expr;
    let (attrs, first) = match e {
        Expr::Binary(b) => (&b.attrs, &b.left),
        Expr::Assign(a) => (&a.attrs, &a.left),
        Expr::Index(i) => (&i.attrs, &i.expr),
        Expr::Field(f) => (&f.attrs, &f.base),
        Expr::Cast(c) => (&c.attrs, &c.expr),
        Expr::MethodCall(m) => (&m.attrs, &m.receiver),
        Expr::Call(c) => (&c.attrs, &c.func),
        _ => return own_begin(e).unwrap_or_else(|| e.span()),
    };
    if attrs.is_empty() { begin(first) } else { e.span() }
}

/// The first token of an expression that begins with one of its own.
fn own_begin(e: &syn::Expr) -> Option<Span> {
    use syn::Expr;
    let (attrs, span) = match e {
        Expr::Path(p) => match (&p.qself, p.path.leading_colon, p.path.segments.first()) {
            (None, Some(colon), _) => (&p.attrs, colon.spans[0]),
            (None, None, Some(first)) => (&p.attrs, first.ident.span()),
            _ => return None,
        },
        Expr::Lit(l) => (&l.attrs, l.lit.span()),
        Expr::Unary(u) => (&u.attrs, u.op.span()),
        Expr::Reference(r) => (&r.attrs, r.and_token.span),
        Expr::Paren(p) => (&p.attrs, p.paren_token.span.join()),
        Expr::Tuple(t) => (&t.attrs, t.paren_token.span.join()),
        Expr::Block(b) if b.label.is_none() => (&b.attrs, b.block.brace_token.span.join()),
        Expr::If(i) => (&i.attrs, i.if_token.span),
        Expr::Match(m) => (&m.attrs, m.match_token.span),
        Expr::ForLoop(f) if f.label.is_none() => (&f.attrs, f.for_token.span),
        Expr::While(w) if w.label.is_none() => (&w.attrs, w.while_token.span),
        _ => return None,
    };
    attrs.is_empty().then_some(span)
}

/// The spans of the first and last token that the user wrote: others stand where the attribute does.
pub fn ends(tokens: &TokenStream) -> (Span, Span) {
    let made = Span::call_site().start();
    let spans: Vec<Span> = tokens.clone().into_iter().map(|t| t.span()).collect();
    let own = |span: &&Span| span.start() != made;
    let first = spans.iter().find(own).or(spans.first()).copied().unwrap_or_else(Span::call_site);
    let last = spans.iter().rfind(own).copied().unwrap_or(first);
    (first, if last.end() < first.end() { first } else { last })
}

/// The name in `known` nearest to `found`, if it is near enough to be meant.
pub fn nearest<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    let limit = (found.len() / 3).clamp(1, 4);
    known
        .iter()
        .map(|k| (strsim::osa_distance(found, k), *k))
        .filter(|(d, _)| *d <= limit)
        .min()
        .map(|(_, k)| k)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_the_users_names() {
        assert_eq!(users_names("`y[__omp_x_2 + __omp_at1]`, `__omp_my_k_13`"), "`y[x + __omp_at1]`, `my_k`");
    }

    #[test]
    fn codes_are_unique_and_explained() {
        let mut numbers: Vec<_> = Code::ALL.iter().map(|c| c.number()).collect();
        numbers.dedup();
        assert_eq!(numbers.len(), Code::ALL.len());
        assert!(numbers.is_sorted());
        for code in Code::ALL {
            assert!(!code.title().is_empty() && code.explanation().trim().ends_with('.'), "{code:?}");
        }
    }

    #[test]
    fn texts_have_code_notes_and_helps() {
        let mut sink = Sink::new();
        sink.error(Code::UnknownClause, Span::call_site(), "unknown clause `reducton`")
            .note(None, "clauses are words")
            .help("write `reduction`");
        let texts = sink.into_texts();
        assert_eq!(
            texts,
            ["unknown clause `reducton` [omp::E0201]\n  note: clauses are words\n  help: write `reduction`"]
        );
    }

    #[test]
    fn things_for_later_give_way_to_errors() {
        let mut sink = Sink::new();
        sink.later(Code::FormLater, Span::call_site(), "a section of the elements of `x`");
        assert!(!sink.has_errors() && !sink.is_empty());
        sink.error(Code::ClauseTwice, Span::call_site(), "twice");
        assert_eq!(sink.into_texts(), ["twice [omp::E0202]"]);
    }

    #[test]
    #[should_panic(expected = "diagnostics were dropped")]
    fn an_undrained_sink_panics() {
        let mut sink = Sink::new();
        sink.error(Code::UnknownClause, Span::call_site(), "lost");
    }

    #[test]
    fn nearest_names() {
        let known = ["reduction", "private", "parallel_for", "map"];
        assert_eq!(nearest("reducton", &known), Some("reduction"));
        assert_eq!(nearest("paralel_for", &known), Some("parallel_for"));
        assert_eq!(nearest("mpa", &known), Some("map"));
        assert_eq!(nearest("schedule", &known), None);
    }
}
