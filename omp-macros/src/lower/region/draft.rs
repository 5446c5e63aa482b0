//! Drafts: regions as far as they can be lowered, for the rules on dataflow, which run before lowering reports anything.
use super::head;
use super::update_forms::{Place, builtin};
use crate::ast::Item;
use crate::diag::Sink;
use crate::lower::cx::Lower;
use crate::marks::marked;
use crate::sema::CheckedRegion;
use crate::sema::accesses::copies::Places;
use omp_ir::flow::counters::{self, Counter};
use omp_ir::flow::dependence::{self, Relation, Written};
use omp_ir::flow::recurrence::{self, Carried, Root, Wrong};
use omp_ir::flow::slices;
use omp_ir::flow::update_form::{Form, Use};
use omp_ir::ids::{AccessId, LocalId, SrcId};
use omp_ir::template::{self, Inner, LocalKind, Projection, ReduceOp, Stmt};
use omp_ir::visit;
use proc_macro2::{LineColumn, Span};
use std::cell::OnceCell;
use std::ops::Deref;
use syn::Expr;

/// A draft that is made when a rule needs it.
pub struct LazyDraft<'r> {
    of: &'r CheckedRegion,
    made: OnceCell<Draft>,
}

impl Deref for LazyDraft<'_> {
    type Target = Draft;

    fn deref(&self) -> &Draft {
        self.made.get_or_init(|| Draft::of(self.of))
    }
}

impl LazyDraft<'_> {
    /// Errors since `heard` are echoes of what could not be lowered, if something could not: reports that instead.
    pub fn explain(self, heard: usize, sink: &mut Sink) {
        let Some(mut draft) = self.made.into_inner() else { return };
        if sink.len() > heard && !draft.is_whole() {
            sink.take_since(heard);
            draft.lower.report(sink);
        }
    }
}

/// A region as far as it could be lowered, for the rules about its body. What lowering itself has to report, it reports when
/// they are kept.
pub struct Draft {
    /// The region, with its subscripts numbered.
    pub region: CheckedRegion,
    pub(super) lower: Lower,
    /// The variables of its loops.
    vars: Vec<LocalId>,
    places: Places,
}

impl Draft {
    /// Lowers a region when it is needed.
    pub fn lazy(region: &CheckedRegion) -> LazyDraft<'_> {
        LazyDraft { of: region, made: OnceCell::new() }
    }

    /// Lowers a region.
    pub fn of(region: &CheckedRegion) -> Self {
        let mut region = region.clone();
        let number = crate::lower::number(&mut region);
        let (lower, dims) = head::run(&region, number);
        let places = Places::of(&region.body);
        Self { region, lower, vars: dims.iter().map(|dim| dim.var).collect(), places }
    }

    /// Whether all of the body is there.
    pub fn is_whole(&self) -> bool {
        !self.lower.lacks_something()
    }

    /// Reports the early exits from the region's parallel loops. `help`: another help for the one at this position.
    pub fn report_early_exits(&self, help: &mut dyn FnMut(LineColumn) -> Option<String>, sink: &mut Sink) {
        self.lower.report_early_exits(help, sink);
    }

    /// The statement that assigns what begins here, in this form.
    pub fn statement(&self, src: SrcId, form: &Form) -> Option<Expr> {
        self.statement_at(self.lower.spans[src.index()], Some(form))
    }

    /// The same, by the statement's position.
    pub fn statement_at(&self, span: Span, form: Option<&Form>) -> Option<Expr> {
        self.places.statement(span, form)
    }

    /// The place of a use, by its last subscript or by where it begins.
    pub fn tokens(&self, access: Option<AccessId>, src: SrcId) -> proc_macro2::TokenStream {
        self.places.tokens(access, self.lower.spans[src.index()])
    }

    /// The uses of an item of the region.
    pub fn uses(&self, item: &Item) -> Vec<Use> {
        let code = &self.lower.code;
        let place = self.lower.item_place(&item.key);
        place.map(|place| self.lower.paths.uses(code, &code.block, &place)).unwrap_or_default()
    }

    /// The uses of an item of an inner nest, by its position among the nest's; nothing where lowering refuses the item.
    pub fn uses_in_nest(&self, nest: usize, item: usize) -> Option<Vec<Use>> {
        let (inner, items) = self.nest(nest)?;
        Some(self.lower.paths.uses(&self.lower.code, &inner.body, items.get(item)?.as_ref()?))
    }

    /// An inner nest, as far as it could be lowered, and the places of its reduction items.
    pub(super) fn nest(&self, nest: usize) -> Option<(&Inner, &[Option<Place>])> {
        let (_, src, items) = self.lower.nest_items.iter().find(|(n, ..)| *n == nest)?;
        let mut found = None;
        visit::each_stmt(&self.lower.code.block, &mut |stmt| {
            if let Stmt::Inner(inner) = stmt
                && inner.src == *src
            {
                found.get_or_insert(inner);
            }
        });
        Some((found?, items))
    }

    /// The arrays that are declared in the loop around an inner nest, of which the nest writes elements. (A slice is a part of a
    /// mapped array. What the nest copies is each iteration's own.)
    pub fn written_in_nest(&self, nest: usize) -> Vec<Written> {
        let code = &self.lower.code;
        let Some((inner, items)) = self.nest(nest) else { return Vec::new() };
        let parts = slices::arrays(code);
        let mut written = dependence::written_elements(code, inner);
        written.retain_mut(|of| {
            let Some(local) = of.root.base.local() else { return false };
            of.own |= inner.lasts.iter().any(|last| last.local == local);
            let reduced = items
                .iter()
                .flatten()
                .any(|(base, fields)| *base == of.root.base && of.root.fields.starts_with(fields));
            let kind = code.locals[local.index()].kind;
            !reduced
                && !parts.contains_key(&local)
                && !matches!(kind, LocalKind::Private(_) | LocalKind::Reduction)
        });
        written
    }

    /// What the body does with a variable of this name that it assigns, or the inner nest of this number.
    pub fn counter(&self, nest: Option<usize>, key: &str) -> Option<Counter> {
        let code = &self.lower.code;
        let block = match nest {
            Some(nest) => &self.nest(nest)?.0.body,
            None => &code.block,
        };
        let mut root = None;
        visit::each_stmt(block, &mut |stmt| {
            if let Stmt::Assign { place, .. } = stmt
                && let of = Root::of(place)
                && of.fields.len() == place.projections.len()
                && self.name(&of) == key
            {
                root = Some(of);
            }
        });
        Some(counters::counter(code, block, &root?))
    }

    /// How an assignment of a variable makes the new value of the old one, by where it begins.
    pub fn form_at(&self, at: Span) -> Option<Form> {
        let (code, spans) = (&self.lower.code, &self.lower.spans);
        let is_here = |src: SrcId| spans[src.index()].start() == at.start();
        let mut of = None;
        visit::each_stmt(&code.block, &mut |stmt| {
            if let Stmt::Assign { place, src, .. } = stmt
                && is_here(*src)
            {
                of.get_or_insert(place.base);
            }
        });
        let uses = self.lower.paths.uses(code, &code.block, &(of?, Vec::new()));
        uses.iter().filter(|u| is_here(u.src)).find_map(Use::form).cloned()
    }

    /// The reduction that an assignment of a variable looks like.
    pub fn looks_like(&self, at: Span) -> Option<ReduceOp> {
        builtin(&self.form_at(at)?)
    }

    /// The relation of a read place to a written one, both marked, along the loop of this number and step.
    pub fn relation(&self, (number, step): (usize, i128), written: &Expr, read: &Expr) -> Relation {
        let places = self.place_of(written).zip(self.place_of(read));
        let (Some(var), Some((written, read))) = (self.vars.get(number), places) else {
            return Relation::Unknown;
        };
        let (code, paths) = (&self.lower.code, &self.lower.paths);
        let question = dependence::Question {
            code,
            block: &code.block,
            usizes: &self.lower.usizes,
            same: &|a, b| paths.same(code, a, b),
            ty: &|slot| paths.first_of_type(slot),
            var: *var,
            step,
        };
        dependence::relation(&question, written, read)
    }

    /// The place in the template, by its last subscript.
    fn place_of(&self, place: &Expr) -> Option<&template::Place> {
        let access = last_subscript(place)?;
        let last = |place: &template::Place| {
            place.projections.iter().rev().find_map(|p| match p {
                Projection::Index { access, .. } => Some(*access),
                Projection::Field(_) | Projection::Payload => None,
            })
        };
        let code = &self.lower.code;
        let mut found: Vec<&template::Place> = Vec::new();
        visit::each_stmt(&code.block, &mut |stmt| {
            if let Stmt::Assign { place, .. } | Stmt::Atomic { place, .. } = stmt {
                found.push(place);
            }
            visit::of_stmt(stmt, &mut |root| {
                visit::each_expr(code, root, &mut |e| {
                    found.extend(slices::place_of(&code.exprs[e.index()].expr));
                });
            });
        });
        // A pattern names parts of it.
        found.into_iter().filter(|p| last(p) == Some(access)).min_by_key(|p| p.projections.len())
    }

    /// Which statements of a region's body a scan runs to add up: see [`recurrence`]. `fits`: whether a form is an update by
    /// the operator of the item of this number.
    pub fn folds(
        &self,
        items: &[&Item],
        fits: &dyn Fn(usize, &Form) -> bool,
    ) -> Result<Vec<bool>, (usize, Wrong)> {
        let (code, starts) = (&self.lower.code, self.lower.parts.as_deref().unwrap_or_default());
        let stmts = &code.block.0;
        let ends = starts.iter().skip(1).copied().chain([stmts.len()]);
        let parts: Vec<&[Stmt]> = starts.iter().zip(ends).map(|(start, end)| &stmts[*start..end]).collect();
        let places: Vec<Place> = items.iter().filter_map(|item| self.lower.item_place(&item.key)).collect();
        let uses: Vec<Vec<Use>> =
            places.iter().map(|place| self.lower.paths.uses(code, &code.block, place)).collect();
        let fits: Vec<_> = (0..items.len()).map(|n| move |form: &Form| fits(n, form)).collect();
        let carried = places
            .into_iter()
            .zip(&uses)
            .zip(&fits)
            .map(|(((base, fields), uses), fits)| Carried { root: Root { base, fields }, uses, fits });
        let carried: Vec<Carried<'_>> = carried.collect();
        recurrence::folds(&recurrence::Question { code, parts: &parts, carried: &carried })
    }

    /// The user's name for a variable or array.
    pub fn name(&self, root: &Root) -> String {
        let base = self.lower.name_of(root.base).to_owned();
        root.fields.iter().fold(base, |name, field| name + "." + field)
    }
}

/// The last subscript of a marked place.
fn last_subscript(place: &Expr) -> Option<AccessId> {
    match place {
        Expr::Index(x) => marked(&x.attrs),
        // In tokens that were parsed again, the marks are on the whole expression.
        Expr::Field(f) => marked(&f.attrs).or_else(|| last_subscript(&f.base)),
        Expr::Paren(p) => marked(&p.attrs).or_else(|| last_subscript(&p.expr)),
        Expr::Group(g) => last_subscript(&g.expr),
        Expr::Unary(u) => last_subscript(&u.expr),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::tests::region;
    use omp_ir::flow::update_form::{Kind, Operator};

    /// The uses of `s` or `h` in a body, in words.
    fn forms(body: &str) -> String {
        let clause = if body.contains("h[") { "h" } else { "s" };
        let source = format!("#[omp::target(reduction(+: {clause}))] for i in 0..n {{ {body} }}");
        let mut region = region(&source, &["h", "x", "y"]);
        crate::lower::desugar(&mut region);
        let draft = Draft::of(&region);
        assert!(draft.is_whole(), "{body}");
        let item = &region.directive.clauses.reductions[0].items[0];
        let words = draft.uses(item).into_iter().map(|u| match u.kind {
            Kind::Read => "read".to_owned(),
            Kind::Lent => "lent".to_owned(),
            Kind::Assigned(Form::Update(u)) => {
                let by = match u.by {
                    Operator::Builtin(op) => format!("{op:?}"),
                    Operator::Calls(calls) => format!("{} calls", calls.len()),
                    Operator::Declared(name) => name,
                };
                let marks = [
                    (u.turned, " turned"),
                    (u.unordered, " unordered"),
                    (u.effects, " effects"),
                    (u.shortens, " shortens"),
                ];
                marks.iter().filter(|(is, _)| *is).fold(by, |text, (_, mark)| text + mark)
            }
            Kind::Assigned(form) => format!("{form:?}"),
        });
        words.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn uses_of_items() {
        let table = [
            ("s += x[i];", "Add"),
            ("s = s + x[i];", "Add"),
            ("s = s + x[i] - 1;", "Add turned"),
            ("s = x[i] - (2 - s);", "Add turned"),
            ("s = 1 - s;", "Other"),
            ("s = s + s;", "Repeated(Add)"),
            ("s = x[i] + (s + s * 2);", "Repeated(Add)"),
            ("s = x[i] * (s + s);", "Other"),
            ("s = s - s;", "Other"),
            ("s = s && (x[i] > 1 && s);", "Repeated(And)"),
            ("s += s;", "read, Add"),
            ("s = s.max(s);", "read, Max"),
            ("s = x[i] * s;", "Mul turned"),
            ("s = s.max(x[i]).max(2);", "Max"),
            ("s = std::cmp::min(x[i], s);", "Min turned"),
            ("s = min(x[i], s);", "Other"),
            ("s = f(s, x[i]);", "1 calls"),
            ("s = if x[i] > 2 { f(s, 1) } else { s };", "1 calls"),
            ("s = if x[i] > 2 { s + 1 } else { s };", "Add"),
            ("s = if x[i] > 2 { s + 1 } else { s * 2 };", "Other"),
            ("s = { let q = x[i]; q + s };", "Add turned"),
            ("if x[i] > s { s = x[i]; }", "Max"),
            ("if !(x[i] <= s) { s = x[i]; }", "Max unordered"),
            ("if s > x[i] {} else { s = x[i]; }", "Max unordered"),
            ("if g(x[i]) > 1 && x[i] < s { s = x[i]; }", "Min"),
            ("if f(x[i], 1) > s { s = f(x[i], 1); }", "Max"),
            ("s = if s > x[i] { s } else { x[i] };", "Max unordered"),
            ("let q = x[i]; if q > s && q < 9 { s = q; }", "Max"),
            ("if (if x[i] > 2 { x[i] } else { 2 }) > s { s = if x[i] > 2 { x[i] } else { 2 }; }", "Max"),
            (
                "s = if (if x[i] > 2 { x[i] } else { 2 }) > s { if x[i] > 2 { x[i] } else { 2 } } else { s };",
                "Max",
            ),
            ("if (x[i] as u8 as i64) > s { s = x[i] as u8 as i64; }", "Max"),
            ("if (x[i] as u8 as i64) > s { s = x[i] as u16 as i64; }", "read, Store"),
            ("if x[i].to::<u8>() > s { s = x[i].to::<u16>(); }", "read, Store"),
            ("continue; if x[i] > s { s = x[i]; }", ""),
            ("if k(&x[i..n]) > s { s = k(&x[i..n]); }", "Max"),
            ("if k([x[i], 2]) > s { s = k([x[i], 2]); }", "Max"),
            ("if x[i] > s { s = x[i] + 1; }", "read, Store"),
            ("if x[i] > s { s = x[i]; y[i] = 1; }", "read, Max effects"),
            ("if x[i] > s { s = x[i]; } else { y[i] = 1; }", "read, Max effects"),
            ("if x[i] > s { s = x[i]; } else if y[i] > s { s = y[i]; }", "read, Max effects, Max"),
            ("y[i] = if x[i] > s { s = x[i]; 1 } else { 2 };", "read, Max effects"),
            ("if s < 9 && x[i] > s { s = x[i]; }", "read, Max"),
            ("if x[i] > s { break_here(); s = x[i]; }", "read, Max effects"),
            ("y[i] = s; s += 1;", "read, Add"),
            ("s = 3;", "Store"),
            ("s = s;", "Keep"),
            ("s = s + { s += 1; 2 };", "read, Add, Elsewhere"),
            ("s = s && x[i] > 1;", "And"),
            ("s = s && g(x[i]) > 1;", "And"),
            ("s = g(x[i]) > 1 || s;", "Or turned"),
            ("s = s || { y[i] = 1; x[i] > 1 };", "Or shortens"),
            ("s = s && { let mut f = false; for k in 0..n { if x[k] > 1 { f = true; break; } } f };", "And"),
            ("s = s && { for k in 0..n { y[k] = 1; } x[i] > 1 };", "And shortens"),
            ("s = s && { if x[i] > 2 { continue; } x[i] > 1 };", "And shortens"),
            ("if x[i] > 1 { s = false; }", "Constant(false)"),
            ("if !s { s = x[i] > 1; }", "read, Store"),
            ("h[x[i]] += 1;", "Add"),
            ("h[x[i]] = h[x[i]] + 1;", "Add"),
            ("h[g(i)] = h[g(i)] + 1;", "Add"),
            ("h[x[i]] = h[y[i]] + 1;", "read, Elsewhere"),
            ("let mut k = x[i]; h[k] = h[k] + { k += 1; 1 };", "read, Elsewhere"),
            ("h[i] = if x[i] > 2 { h[i] + x[i] } else { h[i] };", "Add"),
            ("if x[i] > h[i % 4] { h[i % 4] = x[i]; }", "Max"),
            ("h[h[i]] += 1;", "read, Add"),
            ("h.swap(i, 1); h[i] += 1;", "read, read, Elsewhere, Elsewhere, Add"),
        ];
        let found = |body| format!("{body} // {}", forms(body));
        let wrong = table.into_iter().filter(|(body, words)| forms(body) != *words);
        assert_eq!(wrong.map(|(body, _)| found(body)).collect::<Vec<_>>(), Vec::<String>::new());
    }

    #[test]
    fn values_that_double() {
        let squares: String = (0..60).map(|n| format!("let v{} = v{n} * v{n};", n + 1)).collect();
        assert_eq!(forms(&format!("let v0 = x[i]; {squares} s += v60;")), "Add");
        assert_eq!(forms(&format!("let v0 = x[i]; {squares} if v60 > s {{ s = v60; }}")), "Max");
    }

    #[test]
    fn relations_of_elements() {
        use Relation::{Apart, Before, Same, Unknown};
        let table = [
            ("1..n", "", "y[i]", "y[i - 1]", Before),
            ("1..n", "", "y[i]", "y[i + 1]", Unknown),
            ("(1..n).rev()", "", "y[i]", "y[i + 1]", Before),
            ("(1..n).step_by(2)", "", "y[i]", "y[i - 2]", Before),
            ("1..n", "", "y[i].p", "y[i].q", Apart),
            ("1..n", "", "y[i].p", "y[i - 1].p", Before),
            ("1..n", "", "y[i].p", "y[i - 1]", Unknown),
            ("1..n", "", "y[i]", "y[i].p", Same),
            // Products are multiplied out.
            ("1..n", "let at = i * w + k;", "y[at]", "y[at - w]", Before),
            ("1..n", "", "y[(i + 1) * (w + 2)]", "y[i * w + 2 * i]", Before),
            ("1..n", "", "y[i * n - i * i]", "y[(i - 1) * n - (i - 1) * (i - 1)]", Before),
            // Equal values under other names, and values that differ.
            (
                "1..n",
                "let at = z[w]; let k = f(w + 1);",
                "y[z[w] + k + i]",
                "y[at + f(w + 1) + i - 1]",
                Before,
            ),
            ("1..n", "", "y[f(w) + i]", "y[f(w + 1) + i - 1]", Unknown),
            ("1..n", "w += 1;", "y[w + i]", "y[w + i - 1]", Unknown),
            ("1..n", "let k = z[i];", "y[k]", "y[k - 1]", Unknown),
            ("1..n", "", "y[z[i]]", "y[z[i - 1]]", Unknown),
            ("1..n", "", "y[i / 2]", "y[(i - 1) / 2]", Unknown),
            // Casts of the variable don't wrap; others are the same only as themselves.
            ("1..n", "", "y[i as usize]", "y[i as usize - 1]", Before),
            ("1..n", "", "y[i as usize]", "y[(i - 1) as usize]", Before),
            ("1..n", "", "y[(i + 5) as usize]", "y[i as usize + 4]", Unknown),
            ("1..n", "", "y[(i + 5) as usize]", "y[(i + 4) as usize]", Before),
            ("1..n", "", "y[(i * k) as usize]", "y[((i - 1) * k) as usize]", Before),
            // Each iteration has a row of its own.
            ("1..n", "let t = &mut y[i * w..];", "t[i]", "t[i - 1]", Unknown),
        ];
        for (head, lets, written, read, want) in table {
            let source = format!("#[omp::target] for i in {head} {{ {lets} {written} = {read}; }}");
            let region = region(&source, &["y", "z"]);
            let draft = Draft::lazy(&region);
            let Some(syn::Stmt::Expr(Expr::Assign(a), _)) = draft.region.body.stmts.last() else {
                panic!("{source}")
            };
            let step = if head.contains("rev") { -1 } else { 1 + i128::from(head.contains("step")) };
            assert_eq!(draft.relation((0, step), &a.left, &a.right), want, "{source}");
        }
    }

    /// What a body does with a variable, in words.
    fn counter(name: &str, body: &str) -> String {
        let source = format!("#[omp::target] for i in 0..w {{ {body} }}");
        let draft = Draft::of(&region(&source, &["x", "y"]));
        assert!(draft.is_whole(), "{body}");
        let Some(of) = draft.counter(None, name) else { return String::new() };
        let marks = [
            (of.counts_up, "up"),
            (of.places, "places"),
            (of.decides, "decides"),
            (of.uncounted.is_some(), "uncounted"),
        ];
        marks.into_iter().filter(|(is, _)| *is).map(|(_, mark)| mark).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn counters_of_stores() {
        let table = [
            ("if x[i] > 2 { y[n] = x[i]; n += 1; }", "up places"),
            ("if x[i] > 2 { y[g(n)] = x[i]; n += 2; }", "up places"),
            ("if x[i] > 2 { y[n] = x[i]; n = n + 1; }", "up places"),
            ("if x[i] > 2 { y[n] = x[i]; n = 1 + n; }", "up places"),
            ("y[n] = x[i]; if x[i] > 2 { n += 1; }", "up places uncounted"),
            ("y[n as usize] = x[i]; if x[i] > 2 { n += 1; }", "up places uncounted"),
            ("y[n + 1] = x[i]; if x[i] > 2 { n += 1; }", "up places"),
            ("y[n] += x[i]; if x[i] > 2 { n += 1; }", "up places"),
            ("y[n] = x[i]; n += 1;", "up places"),
            ("y[n] = x[i]; n += usize::from(x[i] > 2);", "places uncounted"),
            ("y[n] = x[i]; n += (x[i] > 2 && x[i + 1] > 2) as usize;", "places uncounted"),
            ("y[n] = x[i]; n += k;", "places"),
            ("y[n] = x[i]; if x[i] > 2 { n += 1; } else { n += 2; }", "up places"),
            ("y[n] = x[i]; match x[i] { 0 => {} 1 => n += 1, _ => n += 2 }", "up places uncounted"),
            ("y[n] = x[i]; if x[i] > 2 { continue; } n += 1;", "up places uncounted"),
            ("y[n] = x[i]; if x[i] > 2 {} else { n += 1; continue; } n += 1;", "up places"),
            ("y[n] = x[i]; for j in 0..3 { if x[j] > 2 { continue; } } n += 1;", "up places"),
            ("for j in 0..3 { y[n] = x[j]; if x[j] > 2 { continue; } n += 1; }", "up places uncounted"),
            ("if x[i] > 2 && n < limit { y[n] = x[i]; n += 1; }", "up places decides"),
            ("if x[i] > 2 { y[n] = x[i]; n += 1; } if x[i] > 9 { n = 0; }", "places"),
            ("y[i] = x[i]; n = i;", ""),
            ("y[i] = x[i];", ""),
        ];
        let wrong = table.into_iter().filter(|(body, words)| counter("n", body) != *words);
        let wrong = wrong.map(|(body, _)| format!("{body} // {}", counter("n", body)));
        assert_eq!(wrong.collect::<Vec<_>>(), Vec::<String>::new());
    }
}
