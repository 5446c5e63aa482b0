//! Replaces calls of methods, and subscripts by an `Index`, by the bodies.
//!
//! * [`walk`]: finds the calls and subscripts; [`calls`] and [`subscripts`]: what they mean.
//! * [`substitution`]: the body in the place of a call; [`body`]: as a value, an iterator or a place.
//! * [`closures`], [`type_parameters`], [`iterated`], [`members`]: closure arguments, types, loops and fields of such a body.
//! * [`expressions`]: forms of expressions that decide how a body may replace a call.
//! * [`references`], [`parts`], [`borrowing`], [`slices`], [`tried`], [`own_iterators`]: values that a device has not as a whole.
mod body;
mod borrowing;
mod calls;
mod closures;
mod expressions;
mod generic_arguments;
mod iterated;
mod members;
mod own_iterators;
mod parts;
mod references;
mod slices;
mod subscripts;
mod substitution;
mod tried;
mod type_parameters;
mod walk;

use super::values::Types;
use super::{Method, Methods, Variables, found, templates};
use crate::ast::Context;
use crate::diag::{Code, Sink};
pub(super) use body::Bound;
use body::Why;
use expressions::Changing;
pub(super) use expressions::FindChanging;
pub(super) use generic_arguments::usizes;
use parts::Part;
use proc_macro2::Ident;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::Expr;

/// The receiver of a method that is inlined by its name.
const RECEIVER: &str = "__omp_closure_self";

pub(super) struct Inline<'a> {
    pub methods: &'a Methods,
    pub variables: &'a Variables,
    pub context: &'a Context,
    pub sink: &'a mut Sink,
    /// In a region: the names that it binds itself.
    pub region: Option<HashSet<String>>,
    /// In a region: the variables from outside. In a function there are none.
    pub outside: Option<Vec<String>>,
    pub depth: usize,
    /// In what is written: there `IndexMut` gives the place, elsewhere `Index`.
    pub writing: bool,
    /// What comes next is the receiver of a method that may change it.
    pub receiver: bool,
    pub found: bool,
    /// The structs that are subscripted by their own `Index`, and the array of each.
    pub arrays: Vec<(String, Expr)>,
    /// The bindings of the bodies around.
    pub around: Vec<HashSet<String>>,
    /// The types of device values.
    pub types: Types<'a>,
    /// How many calls gave iterators, and how many parts have names.
    pub chains: usize,
    /// The structs of variables, by their names.
    pub known: HashMap<String, String>,
    /// The parts of variables that have names of their own.
    pub parts: Vec<Part>,
    /// The statements of the next body stand before the statement of the call.
    pub hoisted: bool,
    /// The functions whose bodies are walked through.
    pub inside: Vec<(String, String)>,
    /// A call could not be replaced, which is reported.
    pub failed: bool,
    /// The next body may leave its caller.
    pub leaving: bool,
    /// The head of the region's loop comes next.
    pub head: bool,
    /// What calls may change something by.
    pub changing: Rc<Changing>,
    /// What the region writes.
    pub written: HashSet<String>,
    /// The arrays of whose elements iterations claim each.
    pub claimed: HashSet<String>,
}

impl<'a> Inline<'a> {
    fn reported(
        &mut self,
        method: &Method,
        of: Option<(&Expr, &str)>,
        args: &[Expr],
        at: &Ident,
    ) -> Option<Expr> {
        self.found = true;
        let found = self.body(method, of, args, at);
        self.or_reported(found, at)
    }

    /// The result, or an error at the call that says why it can't be inlined.
    fn or_reported<T>(&mut self, found: Result<T, Why>, at: &Ident) -> Option<T> {
        let Err(why) = &found else { return found.ok() };
        self.failed = true;
        self.sink
            .error_at(
                Code::UnsupportedExpr,
                at,
                format!("this call of `{at}` can't be inlined: {}", why.what),
            )
            .help(why.help.clone());
        None
    }

    /// The body in the place of the call.
    fn body(
        &mut self,
        method: &Method,
        of: Option<(&Expr, &str)>,
        args: &[Expr],
        at: &Ident,
    ) -> Result<Expr, Why> {
        if let Some(function) = found::copied(&method.function) {
            let copied = method.with(function);
            let value = self.body(&copied, of, args, at)?;
            if of.is_none() {
                return Ok(value);
            }
            let reference = match self.stands(method, of, args, at)? {
                (body, Some(result)) => body.value(&result)?,
                (body, None) => body.place()?,
            };
            let content = found::found_by(&method.function.sig).map_or(found::Content::Reference, |(c, _)| c);
            return Ok(found::found(&value, &reference, &content));
        }
        match self.stands(method, of, args, at)? {
            (body, Some(_)) if templates::gives_an_iterator(&method.function.sig) => {
                self.chains += 1;
                body.chain(templates::number_of_items(&method.function.sig).as_ref(), self.chains)
            }
            (body, Some(result)) => body.value(&result),
            (body, None) => body.place(),
        }
    }
}
