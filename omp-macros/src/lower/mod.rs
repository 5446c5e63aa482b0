//! Rust statements and expressions → the kernel template, together with the *typing copy*: the same tokens with slots
//! in them. One traversal makes both, so that slot `n` of the template is `__sn` of the copy.
//!
//! # What the typing copy calls
//!
//! All names are items of `::omp::__private`, or locals that [`Typing::decls`] declares:
//!
//! | tokens | meaning |
//! |---|---|
//! | `__sN.see(&place);` | `fn see(&self, _: &T) where T: Device`: captured scalars, reduction items |
//! | `__sN.see_any(&local);` | `fn see_any(&self, _: &T)`: locals, patterns, loop variables, parameters |
//! | `__sN.see_elem(&param);` | `fn see_elem<C: ?Sized + Mapped<Elem = T>>(&self, _: &C)`: element type of a slice parameter |
//! | `__sN.any()` | `fn any(&self) -> T where T: Device`: arguments of primitives' methods |
//! | `__sN.lit(5)` | `fn lit(&self, v: T) -> T where T: Device`: unsuffixed literals, negation inside |
//! | `__sN.ty(expr)` | `fn ty(&self, v: T) -> T where T: Device`: aggregates and casts |
//! | `__sN.pass(expr)` | `fn pass(&self, v: T) -> T`, no bound: results of calls, subjects of `match` |
//! | `let __sN: *const [Slot<TYPE>; 0] = &[];` | parameters that are patterns, return types |
//! | `let _: &Slot<TYPE> = __sN;` | `size_of::<TYPE>()` |
//! | `__aN.see(&place);` | pins a mapped array to the exact standard types (trait `Mapped`) |
//! | `let y = __aN.shadow(&y);` | `fn shadow<C>(&self, _: &C) -> &mut [T]`: a written variable |
//! | `recv.omp_E0709_declare_target_NAME(args, &__cN)` | a method: of a primitive, slice or of a `declare_target` impl. Before it stands the host's own call, whose error is the only one |
//! | `TYPE::omp_E0709_declare_target_NAME(args, &__cN)` | an associated function |
//! | `__cN.l(a) + __cN.r(b)`, `__cN.only(-a)` | an operator that may be of a user's type |
//! | `({ let __omp_fK = DeviceFunctionK; DeviceFunctionK::bind(__cN, __omp_fK); __omp_fK(args) })` | a free function, one of [`Typing::functions`] |
mod call;
mod caught;
mod cx;
mod expr;
mod function;
pub(crate) mod generated_names;
mod macros;
mod names;
mod pattern;
pub mod region;
mod stmt;
#[cfg(test)]
mod tests;

use crate::diag::Sink;
use crate::marks;
use crate::sema::CheckedRegion;
use omp_ir::ids::{AccessId, CallId};
use omp_ir::template::{FnTemplate, KernelTemplate};
use proc_macro2::{Ident, LineColumn, Span, TokenStream};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;

pub use call::mem::in_mem;
pub(crate) use call::probe::takes_each;
pub use call::{hidden_name, number_trait, operator_by_name, primitive};
pub(crate) use caught::{Caught, What};
pub use function::{Around, lower_fn};
pub use macros::{named_in, pattern_of_matches};
pub use pattern::consts_in_patterns;
pub use region::head::shown;
pub(crate) use stmt::control::is_range;

/// Rewrites the macros of a region's body and of its serial form to what they mean. Comes before everything that reads
/// the body.
pub fn desugar(region: &mut crate::ast::Region) {
    region.macros = macros::desugar(&mut region.body);
    call::bool_methods::whens(&mut region.body);
    macros::desugar(&mut region.serial.body);
}

/// Lowers a region. Marks the subscripts of its body with their ids. `reads`: also lists what it reads of captured variables.
///
/// # Errors
/// When something was reported to the sink.
pub fn lower_region(region: &mut CheckedRegion, reads: bool, sink: &mut Sink) -> Result<Lowered, ()> {
    let accesses = number(region);
    let (mut lower, mut dims) = region::head::run(region, accesses);
    lower.known_arrays(&region.directive.clauses);
    let copies = region::copies::Copies::of(region, &lower);
    lower.lost_copies_read(&copies.answer);
    if lower.report(sink) {
        return Err(());
    }
    let checked = match copies.judge(region, &lower, sink) {
        Ok(checked) => checked,
        Err(raced) => {
            // A read after the loop is right once the race is removed.
            region.lost.retain(|item| !raced.contains(&item.key));
            return Err(());
        }
    };
    let reads = if reads { region::copies::captured_reads(region, &lower) } else { Vec::new() };
    if !checked.is_empty() {
        region::checked::insert(region, &checked);
        let uses = lower.captured.map(|captured| captured.uses).unwrap_or_default();
        (lower, dims) = region::head::once(region, accesses, uses);
        if lower.report(sink) {
            return Err(());
        }
    }
    let mut consts = ConstsByName(&lower.typing.hoisted, &lower.typing.lengths);
    consts.visit_block_mut(&mut region.body);
    consts.visit_expr_for_loop_mut(&mut region.serial);
    let (names, stds) = (names::of_region(region), macros::are_std(&region.macros));
    let copy = &lower.typing.copy;
    lower.typing.copy = marks::without_marks(quote::quote!(#names #stds #copy));
    let checked = checked.iter().any(|copy| copy.depth > 0);
    Ok(Lowered { reads, checked, ..region::head::finish(region, lower, dims) })
}

/// Gives consts of the host's loops the values of those under names of their own: traits are in scope in these loops that have methods of
/// arrays, and no method of a trait is `const`.
struct ConstsByName<'a>(&'a [(LineColumn, Ident)], &'a [(LineColumn, String, Ident)]);

impl ConstsByName<'_> {
    fn length(&self, length: &mut syn::Expr) {
        let (at, text) = (length.span().start(), length.to_token_stream().to_string());
        if let Some((.., name)) = self.1.iter().find(|(place, of, _)| *place == at && *of == text) {
            *length = syn::parse_quote!(#name);
        }
    }
}

impl VisitMut for ConstsByName<'_> {
    fn visit_expr_repeat_mut(&mut self, r: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut r.expr);
        self.length(&mut r.len);
    }

    fn visit_type_array_mut(&mut self, a: &mut syn::TypeArray) {
        self.visit_type_mut(&mut a.elem);
        self.length(&mut a.len);
    }

    fn visit_item_const_mut(&mut self, c: &mut syn::ItemConst) {
        let at = c.ident.span().start();
        let mut own = self.0.iter().filter(|(place, _)| *place == at);
        if let (Some((_, name)), None) = (own.next(), own.next())
            && matches!(&*c.expr, syn::Expr::MethodCall(_) | syn::Expr::Binary(_) | syn::Expr::Cast(_))
        {
            *c.expr = syn::parse_quote!(#name);
        }
    }
}

/// Numbers the subscripts of a region's body; gives how many there are.
fn number(region: &mut CheckedRegion) -> usize {
    stmt::destructure::destructure(&mut region.body);
    let mut number = Number(0);
    number.visit_block_mut(&mut region.body);
    number.0
}

/// Numbers subscripts in the order of the source.
struct Number(usize);

impl VisitMut for Number {
    fn visit_expr_index_mut(&mut self, x: &mut syn::ExprIndex) {
        syn::visit_mut::visit_expr_index_mut(self, x);
        // The attribute comes first, so its place is the expression's in all messages.
        let span = marks::unmarked(&x.expr).span();
        x.attrs.push(marks::mark(&AccessId::new(self.0), span));
        self.0 += 1;
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// A region, lowered.
pub struct Lowered {
    /// The template: what the kernel is made from.
    pub template: KernelTemplate,
    /// Questions to rustc, numbered as in the template.
    pub typing: Typing,
    /// The captured values, numbered as in the template.
    pub captures: Captures,
    /// The user's span of each `SrcId`.
    pub spans: Vec<Span>,
    /// The functions that are called by their paths.
    pub paths: region::update_forms::Paths,
    /// The reads of captured variables, if they were requested.
    pub reads: Vec<region::copies::CapturedRead>,
    /// Its body checks at run time whether an iteration has assigned what it reads of private arrays.
    pub checked: bool,
    /// Private fields that the host may read under another name of the struct: its type has to show that there is none.
    pub owners: Vec<crate::ast::Item>,
}

/// A device function, lowered.
pub struct LoweredFn {
    /// The template.
    pub template: FnTemplate,
    /// Questions to rustc. [`Typing::copy`] is the inside of the function's block: it expects the parameters to be
    /// bound by their own patterns, and `return` to leave with the function's type.
    pub typing: Typing,
}

/// The questions to rustc.
#[derive(Default)]
pub struct Typing {
    /// `__sN`, by `SlotId`.
    pub slots: Vec<Caught>,
    /// `__aN`, by `ArrayId`.
    pub arrays: Vec<Caught>,
    /// Expressions that the host evaluates, by `ConstId`: `cx.konst(&EXPR)`. They are consts and statics for sure (the
    /// copy checks it), visible where [`Self::decls`] are.
    pub consts: Vec<syn::Expr>,
    /// By `CallId`.
    pub calls: Vec<CallBinding>,
    /// Checks after the typing copy, where all types are inferred.
    pub late: TokenStream,
    /// Functions that are called by a path.
    pub functions: Vec<Function>,
    /// The calls of these, and the function's number.
    pub named: Vec<(CallId, usize)>,
    /// Calls of methods by their name.
    pub probes: Vec<Probe>,
    /// By reduction item: the type of its operator, and the slot or array that catches the type of its values.
    pub operators: Vec<(TokenStream, Caught)>,
    /// `use path as name;` of declared reductions, for the inner scope.
    pub uses: Vec<TokenStream>,
    /// Fallback types of the same names, for the scope around it.
    pub fallbacks: std::collections::BTreeMap<(String, usize), TokenStream>,
    /// Complete statements that declare all that catches something. Goes where that is to be seen.
    pub decls: TokenStream,
    /// Consts of the body, under names of their own.
    pub items: TokenStream,
    /// These names, and where the body's own stand.
    pub hoisted: Vec<(LineColumn, Ident)>,
    /// Lengths of arrays that are consts under these names: where they stand, and their text.
    pub lengths: Vec<(LineColumn, String, Ident)>,
    /// The statements of the typing copy, to be put inside `if false { … }` with lints off.
    pub copy: TokenStream,
}

/// A function that is called by its path.
pub struct Function {
    /// Without generic arguments.
    pub path: syn::Path,
    /// `DeviceFunctionK`: what the path is in the copy.
    pub companion: Ident,
    /// The number of arguments.
    pub args: usize,
    /// A module and a name in it: the name is looked for at each call (`lower/call/mod.rs`), where there is no import that could fail.
    pub at_calls: bool,
}

/// A call of a method, which the host may find elsewhere.
pub struct Probe {
    /// What catches the receiver's type.
    pub receiver: Caught,
    /// What catches the hidden method's marker.
    pub call: Caught,
    /// The method as the user named it.
    pub method: Ident,
    /// The number of arguments without the receiver.
    pub args: usize,
}

/// A call or operator that rustc resolves.
pub struct CallBinding {
    /// `__cN`.
    pub caught: Caught,
    /// What it is.
    pub kind: CallKind,
    /// The name that catches the result of the host's own call of a method.
    pub result: Option<Caught>,
}

/// What rustc resolves for a [`CallBinding`].
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    /// `Call`: which function.
    Function,
    /// `Call`, of `T::default()` or `T::from(x)` where `T` may be a type parameter.
    Named,
    /// `OpSlot`: whose operator, between types that rustc knows.
    Operator,
    /// As `Operator`, of one operand.
    Unary,
    /// As `Operator`, where types may be type parameters.
    OperatorBehind,
}

/// The values that a region captures from the function around it.
#[derive(Default)]
pub struct Captures {
    /// By `ArrayId`.
    pub arrays: Vec<CapturedArray>,
    /// By `ScalarId`.
    pub scalars: Vec<CapturedScalar>,
    /// By position in `KernelTemplate::reductions`.
    pub reductions: Vec<CapturedReduction>,
}

/// A mapped array.
pub struct CapturedArray {
    /// The place as the user wrote it first: `x`, `self.cells`.
    pub place: syn::Expr,
    /// The place without spaces.
    pub key: String,
    /// The body stores through it.
    pub written: bool,
    /// The body loads from it.
    pub read: bool,
    /// It is passed (whole or in part) to a function, or sliced.
    pub passed: bool,
    /// The body has an element of it.
    pub subscripted: bool,
    /// It is a written variable of which the body sees elements and length only.
    pub shadowed: bool,
    /// The sections of its `map`.
    pub sections: Vec<crate::ast::Section>,
    /// They are one, of `depend` instead.
    pub declared: bool,
    /// The span of the first mention: the `map`'s item, or the body's use.
    pub span: Span,
    /// A scalar that is accessed atomically: an array of one element outside of the body.
    pub scalar: bool,
    /// The scalar, by `ScalarId`, that holds it if its type is no array.
    pub or_scalar: Option<usize>,
}

impl CapturedArray {
    /// The name that stands for `&mut [T]` in the copy and in the serial loop.
    pub fn shadowed(&self) -> Option<&Ident> {
        match &self.place {
            syn::Expr::Path(p) if self.shadowed => p.path.get_ident(),
            _ => None,
        }
    }
}

/// A value passed by copy.
pub struct CapturedScalar {
    /// The place as the user wrote it first: `a`, `self.gain`, `*factor`.
    pub place: syn::Expr,
    /// The place without spaces.
    pub key: String,
    /// It stands in `private`, or in `firstprivate` (the body may assign its copy).
    pub private: bool,
    /// An array is captured as well, for the case that this is one: only the type decides.
    pub either: bool,
}

/// A reduction item.
pub struct CapturedReduction {
    /// The place: `sum`, `self.total`.
    pub place: syn::Expr,
    /// The place without spaces.
    pub key: String,
    /// The type that stands for the operator.
    pub op: TokenStream,
    /// The array whose elements are reduced, by `ArrayId`.
    pub array: Option<usize>,
    /// It has the same bits on every backend.
    pub reproducible: bool,
    /// An element that a scan carries on, under this key as its name: nothing comes back but the array.
    pub carried: bool,
    /// The type in a scan's directive.
    pub ty: Option<syn::Type>,
    /// The span of the item in the clause.
    pub span: Span,
}
