//! Locals of the typing copy that catch what rustc infers: types, callees, operators.
use super::cx::hidden;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// A local that catches something. As tokens, it is an expression for the typing copy: a reference to the type of the runtime that has
/// the methods which catch and tell.
///
/// It is declared as `let __s0 = &raw const *&[];`, about which rustc has nothing to prove, and each use is `slot(__s0)`. Two other
/// declarations would make rustc's time grow with the square of the body's length. `&Slot::new()` leaves the obligation that the unknown
/// type is well-formed, and rustc looks at all pending obligations after each expression. A reference has a lifetime, and for each local
/// whose type has one the borrow checker looks at all statements.
#[derive(Debug, Clone)]
pub struct Caught {
    name: Ident,
    what: What,
}

/// What a local catches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The type of an expression.
    Slot,
    /// The type of a mapped array's elements.
    Array,
    /// The type of a receiver, argument or result.
    Receiver,
    /// The callee of a call.
    Call,
    /// The operands of the operator of this name.
    Operator(&'static str),
    /// Nothing that is unknown where it is declared.
    Known,
}

impl Caught {
    /// `name` is declared with the others ([`Caught::declared`]); one that is `Known` is declared by its maker.
    pub fn new(name: Ident, what: What) -> Self {
        Self { name, what }
    }

    /// The local's name, where something else is bound to it.
    pub fn name(&self) -> &Ident {
        &self.name
    }

    /// The same at another place of the user's.
    pub fn at(&self, span: Span) -> Self {
        Self { name: Ident::new(&self.name.to_string(), hidden(span)), what: self.what }
    }

    /// The declaration after the copy of what the host's threads share, as they can't share pointers.
    pub fn shared(&self) -> TokenStream {
        let name = &self.name;
        quote!(let #name = ::omp::__private::shared(#name);)
    }

    /// The declaration, which stands before the copy.
    pub fn declared(&self) -> TokenStream {
        let name = &self.name;
        quote!(let #name = &raw const *&[];)
    }
}

impl ToTokens for Caught {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let (name, span) = (&self.name, self.name.span());
        tokens.extend(match self.what {
            What::Slot => quote_spanned!(span=> ::omp::__private::slot(#name)),
            What::Array => quote_spanned!(span=> ::omp::__private::array(#name)),
            What::Receiver => quote_spanned!(span=> ::omp::__private::receiver(#name)),
            What::Call => quote_spanned!(span=> ::omp::__private::call(#name)),
            What::Operator(tag) => {
                let tag = Ident::new(tag, span);
                quote_spanned!(span=> ::omp::__private::operator::<::omp::__private::ops::#tag, _, _>(#name))
            }
            What::Known => quote_spanned!(span=> #name),
        });
    }
}
