//! Receivers of method calls in the typing copy: rustc infers their types, and the runtime decides by the types whether
//! the host calls another method than the copy (`typing/call/probe.rs` of the runtime).
use super::of_some_number;
use super::undeclared::undeclared_module;
use crate::lower::Probe;
use crate::lower::cx::{Lower, hidden};
use crate::lower::expr::literal::is_untyped;
use crate::lower::expr::{parenthesised, wrapped};
use crate::lower::generated_names::Made;
use crate::lower::region::capture::Captured;
use crate::lower::region::head::chain_key;
use crate::lower::{Caught, What};
use crate::marks::unmarked;
use crate::parse::tokens::leaves::group;
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::search;
use omp_ir::method::Method;
use proc_macro2::Delimiter;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use syn::visit_mut::VisitMut;

/// The host's own call of a method, in the copy.
pub(super) struct Hosts {
    call: syn::ExprMethodCall,
    /// What catches the type of the result.
    pub result: Caught,
    /// Nothing is done with its result.
    statement: bool,
    /// The type of the result does not depend on what is done with it.
    sure: bool,
    /// The receiver is captured, and its type may be one of the host's.
    captured: bool,
    /// The first and the last token of the receiver.
    at: (Span, Span),
    /// Statements before the hidden call, and after it.
    around: [TokenStream; 2],
    /// The hidden call comes first: rustc infers a number's type from it, if the host's code doesn't fix the type before.
    hidden_first: bool,
}

/// An argument as the user has written it.
pub(super) enum Written {
    /// A number, whose type is the parameter's, and the slot of its type.
    Literal(Box<syn::Expr>, Option<Caught>),
    /// An operator on what may stand in the copy twice. The host's own call has it as it is.
    Operator(Box<syn::Expr>),
    /// An argument that may be evaluated twice in the typing copy.
    Twice,
    /// An argument with calls: a copy of it at each depth would make a program of exponential size. The spans are its first and last token's.
    Calls(Span, Span),
}

impl Written {
    pub(super) fn of(e: &syn::Expr) -> Self {
        if is_untyped(e) {
            Self::Literal(Box::new(e.clone()), None)
        } else if !calls_nothing(e) {
            let (start, end) = crate::diag::ends(&e.to_token_stream());
            Self::Calls(start, end)
        } else if matches!(strip(e), syn::Expr::Binary(_) | syn::Expr::Cast(_) | syn::Expr::Unary(_)) {
            Self::Operator(Box::new(unmarked(e)))
        } else {
            Self::Twice
        }
    }
}

fn calls_nothing(e: &syn::Expr) -> bool {
    !search::any(e, |e| {
        !matches!(
            e,
            syn::Expr::Path(_)
                | syn::Expr::Lit(_)
                | syn::Expr::Field(_)
                | syn::Expr::Index(_)
                | syn::Expr::Paren(_)
                | syn::Expr::Group(_)
                | syn::Expr::Reference(_)
                | syn::Expr::Unary(_)
                | syn::Expr::Binary(_)
                | syn::Expr::Cast(_)
                | syn::Expr::Range(_)
        )
    })
}

/// Whether the hidden method of this name takes its arguments one by one, as the user's does: built-in methods, and what may be one.
/// Other methods take a tuple of them, so that rustc compares arguments with parameters in the host's own call alone. `args`: with the receiver.
pub(crate) fn takes_each(name: &str, args: usize) -> bool {
    let name = name.trim_start_matches("r#");
    let operator = args > 0 && super::operator_by_name(name, args - 1).is_some();
    operator || Method::is_name(name, args) || OTHERS.contains(&(name, args))
}

/// Methods of `Ordering`, of std's conversions and of num-traits that the runtime has under hidden names, and their arguments with the receiver.
#[rustfmt::skip]
const OTHERS: &[(&str, usize)] = &[
    ("into", 1), ("try_into", 1), ("is_eq", 1), ("is_ne", 1), ("is_lt", 1), ("is_le", 1), ("is_gt", 1), ("is_ge", 1), ("reverse", 1), ("then", 2),
    ("as_", 1), ("to_i8", 1), ("to_i16", 1), ("to_i32", 1), ("to_i64", 1), ("to_isize", 1), ("to_u8", 1), ("to_u16", 1), ("to_u32", 1),
    ("to_u64", 1), ("to_usize", 1), ("to_f32", 1), ("to_f64", 1),
];

/// Whether the host's own call of this method stands in the copy. The results of operators' and conversions' names depend on what the arguments
/// become.
pub(super) fn has_hosts(name: &str, args: usize) -> bool {
    name != "into" && name != "try_into" && super::operator_by_name(name, args).is_none()
}

impl Lower {
    /// The call of the user's own method, whose errors are rustc's: the hidden method is looked for only if the host finds its
    /// method. `written`: its arguments.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn hosts_method(
        &mut self,
        m: &mut syn::ExprMethodCall,
        method: &Ident,
        written: Vec<Written>,
        callee: syn::Expr,
        at: (Span, Span),
        statement: bool,
        sure: bool,
        captured: bool,
        hidden_first: bool,
    ) -> Hosts {
        let span = hidden(method.span());
        let each = takes_each(&method.to_string(), written.len() + 1);
        let tuple = (!each).then(|| self.caught_in_call(Made::Parameters, span));
        let [mut before, mut after] = [TokenStream::new(), TokenStream::new()];
        let mut call = m.clone();
        call.method = method.clone();
        let mut parameters = Vec::new();
        for (k, (own, written)) in call.args.iter_mut().zip(written).enumerate() {
            let mut literal = None;
            let stands = own.clone();
            let argument = self.caught_in_call(Made::Linked, span);
            match written {
                Written::Literal(written, slot) => {
                    *own = *written;
                    literal = slot;
                }
                Written::Operator(written) => *own = *written,
                Written::Twice => {}
                Written::Calls(start, end) => {
                    let value = quote_spanned!(hidden(start)=> #argument.value(),);
                    *own = syn::Expr::Verbatim(first_of(value, start, end));
                }
            }
            before.extend(quote_spanned!(span=> #argument.see(&(#stands));));
            let parameter = if tuple.is_some() {
                let parameter = Caught::new(self.fresh(Made::Linked, span), What::Known);
                let k = proc_macro2::Literal::usize_unsuffixed(k);
                after.extend(quote_spanned!(span=> let #parameter = &(&&::omp::__private::ParameterW::<_, #k>(#tuple)).omp_parameter();));
                parameter
            } else {
                let parameter = self.caught_in_call(Made::Linked, span);
                parameters.push(quote_spanned!(span=> #parameter.value()));
                parameter
            };
            // The slot of a literal has the parameter's type, or the literal's own if the parameter fixes none.
            let of = literal.as_ref().unwrap_or(&argument);
            after.extend(quote_spanned!(span=> (&&&::omp::__private::LinkW(#parameter, #of)).omp_link();));
            if literal.is_some() {
                after.extend(quote_spanned!(span=> (&&&::omp::__private::LinkW(#argument, #of)).omp_link();));
            }
        }
        parameters.extend(tuple.map(|tuple| quote_spanned!(span=> #tuple.value())));
        m.args = parameters.into_iter().map(syn::Expr::Verbatim).collect();
        m.args.push(callee);
        let result = self.caught_in_call(Made::Caught, span);
        Hosts {
            call,
            result,
            statement,
            sure: statement || sure,
            captured,
            at,
            around: [before, after],
            hidden_first,
        }
    }

    /// What catches a type in a call.
    fn caught_in_call(&mut self, kind: Made, span: Span) -> Caught {
        let name = self.fresh(kind, span);
        self.caught(name, What::Receiver)
    }

    /// Has the receiver of a call seen: the host may find another method than the copy (`typing/call/probe.rs` of the runtime).
    pub(in crate::lower) fn probe(
        &mut self,
        e: &mut syn::Expr,
        place: bool,
        method: &Ident,
        args: usize,
        call: &Caught,
    ) {
        self.probe_found(e, place, method, args, call, None);
    }

    /// The same, with the host's own call before the hidden one.
    pub(super) fn probe_found(
        &mut self,
        e: &mut syn::Expr,
        place: bool,
        method: &Ident,
        args: usize,
        call: &Caught,
        hosts: Option<Hosts>,
    ) {
        let syn::Expr::MethodCall(m) = &mut *e else { unreachable!("called with a method call") };
        // References have as many conversions as values: if there is one more, the host's call is ambiguous, too.
        if method == "into" || method == "try_into" {
            return;
        }
        let n = self.typing.probes.len();
        let span = hidden(method.span());
        let receiver = self.caught(Made::Receiver.name(n, span), What::Receiver);
        let seen = match hosts {
            None if place => {
                let mut place = (*m.receiver).clone();
                AnyElement(&receiver).visit_expr_mut(&mut place);
                let is_array = |captured: &Captured| {
                    chain_key(&m.receiver).is_some_and(|key| captured.array_id(&key).is_some())
                };
                // rustc reports a value that is no container where it is captured.
                let outside = self.is_outside(&m.receiver);
                let seen = if outside && self.captured.as_ref().is_some_and(is_array) {
                    quote_spanned!(span=> (&&::omp::__private::Contained(&#place)).omp_contained())
                } else {
                    quote_spanned!(span=> &#place)
                };
                wrapped(quote_spanned!(span=> #receiver.see(#seen); #m), span)
            }
            None => {
                // A value, which is made once. (Not in a block: what the call borrows lives as long as in the user's own.)
                let value = std::mem::replace(&mut *m.receiver, syn::parse_quote!(_));
                let value = strip(&value);
                *m.receiver = syn::Expr::Verbatim(quote_spanned!(span=> #receiver.pass(#value)));
                syn::Expr::MethodCall(m.clone())
            }
            Some(Hosts { call: mut own, result, statement, sure, captured, at, around, hidden_first }) => {
                let value = std::mem::replace(&mut *m.receiver, syn::parse_quote!(_));
                let made = quote_spanned!(span=> #receiver.see(&#value););
                let place = if captured {
                    quote_spanned!(span=> (&&&#receiver).omp_place())
                } else if sure {
                    quote_spanned!(span=> (&#receiver).omp_peel_if(#result))
                } else {
                    quote_spanned!(span=> (&#receiver).omp_peel())
                };
                *m.receiver = syn::Expr::Verbatim(if of_some_number(&method.to_string(), args + 1) {
                    quote_spanned!(span=> (*::omp::__private::methods::Own::of(#place)))
                } else {
                    quote_spanned!(span=> (*#place))
                });
                let [value, found] = ["__value", "__found"].map(|name| Ident::new(name, span));
                let [before, after] = around;
                // (Only here: by a path, the stand-in for an undeclared method would rank as a trait's declared one.)
                let undeclared = match undeclared_module(&method.to_string(), args) {
                    _ if Method::is_name(&method.to_string(), args + 1) => {
                        quote_spanned!(span=> use ::omp::__private::methods::UndeclaredMethods as _;)
                    }
                    module => quote_spanned!(span=> use #module::Undeclared as _;),
                };
                let called = quote_spanned!(span=> let #found = { #undeclared #m }; #after);
                // (The host's result comes first: its use may fix its type.)
                let whole = if statement {
                    if hidden_first { TokenStream::new() } else { called.clone() }
                } else if hidden_first {
                    quote_spanned!(span=> if false { #value } else { #found })
                } else {
                    quote_spanned!(span=> if false { #value } else { #called #found })
                };
                let once = quote_spanned!(span=> #made #before);
                let (first, once) = if hidden_first {
                    (quote_spanned!(span=> #once #called), TokenStream::new())
                } else {
                    (TokenStream::new(), once)
                };
                // (Not in a block: what the calls borrow lives as long as in the user's own.)
                let place = first_of(quote_spanned!(span=> { #once #receiver.place() },), at.0, at.1);
                let place = group(Delimiter::Parenthesis, quote_spanned!(span=> *#place), at.0);
                *own.receiver = syn::Expr::Verbatim(place.into());
                let both = quote_spanned! {span=>
                    match #own {
                        #value => {
                            #result.see(&#value);
                            #whole
                        }
                    }
                };
                if hidden_first {
                    wrapped(quote_spanned!(span=> #first #both), span)
                } else {
                    parenthesised(both)
                }
            }
        };
        *e = seen;
        let call = call.clone();
        self.typing.probes.push(Probe { receiver, call, method: method.clone(), args });
    }
}

/// `(value,).0`, which rustc shows as what begins and ends at tokens of the user's.
pub(in crate::lower) fn first_of(value: TokenStream, start: Span, end: Span) -> TokenStream {
    let tuple = group(Delimiter::Parenthesis, value, start);
    let mut zero = proc_macro2::Literal::usize_unsuffixed(0);
    zero.set_span(end);
    quote_spanned!(end=> #tuple.#zero)
}

/// Puts an index without a value for each that is more than a name or a number: which element it is is nothing to the
/// type, and an index that stands there twice at each depth makes a program of exponential size.
struct AnyElement<'a>(&'a Caught);

impl VisitMut for AnyElement<'_> {
    fn visit_expr_index_mut(&mut self, x: &mut syn::ExprIndex) {
        self.visit_expr_mut(&mut x.expr);
        let (receiver, span) = (self.0, self.0.name().span());
        match strip(&x.index) {
            syn::Expr::Path(_) | syn::Expr::Lit(_) => {}
            // Parts are of one type, whatever their bounds.
            syn::Expr::Range(_) => *x.index = syn::parse_quote_spanned!(span=> ..),
            _ => *x.index = syn::Expr::Verbatim(quote_spanned!(span=> #receiver.index())),
        }
    }
}
