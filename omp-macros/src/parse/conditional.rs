//! `#[cfg(…)]` in code that a directive analyses. The macros see all tokens, but rustc removes those whose condition
//! does not hold: a region could be proved safe by a statement that the host and the typing copy don't have. A macro
//! can't evaluate the condition, so it is refused in loops and target blocks, next to directives, and in device
//! functions. Elsewhere in a function it is allowed.
use super::tokens::source::is_inlined;
use super::{attributes, directive, standalone};
use crate::ast::DirectiveKind;
use crate::diag::{Code, Sink};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, Item, Macro, Signature, Stmt};

/// Looks through the body of a function with directives. `all`: it has one of its own, which its loop takes over.
pub fn in_function(body: &Block, all: bool, sink: &mut Sink) {
    Reserved { sink, inlined: false }.visit_block(body);
    Conditional { sink, inside: all }.visit_block(body);
}

/// Looks through a device function, in which bodies may stand in the place of calls.
pub fn in_device_function(sig: &Signature, body: &Block, sink: &mut Sink) {
    Reserved { sink, inlined: true }.visit_block(body);
    let mut look = Conditional { sink, inside: true };
    look.visit_signature(sig);
    look.visit_block(body);
}

/// Refuses the library's own names: later phases and proofs rely on them as marks.
struct Reserved<'s> {
    sink: &'s mut Sink,
    /// Closure arguments of functions have names.
    inlined: bool,
}

impl Reserved<'_> {
    fn in_tokens(&mut self, tokens: TokenStream) {
        for tree in tokens {
            match tree {
                TokenTree::Ident(name) => self.visit_ident(&name),
                TokenTree::Group(g) => self.in_tokens(g.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reserved<'_> {
    fn visit_ident(&mut self, name: &'ast Ident) {
        let text = name.to_string();
        if text.starts_with("__omp_") && !(self.inlined && is_inlined(&text)) {
            let message = format!("`{name}` is a name of the library's own");
            self.sink
                .error_at(Code::UnsupportedExpr, name, message)
                .help("another name: one without `__omp_`");
        }
    }

    fn visit_macro(&mut self, m: &'ast Macro) {
        self.in_tokens(m.tokens.clone());
    }

    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        self.in_tokens(attr.meta.to_token_stream());
    }
}

struct Conditional<'s> {
    sink: &'s mut Sink,
    /// All that stands here has a meaning for the macros.
    inside: bool,
}

impl Conditional<'_> {
    fn refuse(&mut self, attr: &Attribute) {
        let path = attr.path();
        if !path.is_ident("cfg") && !path.is_ident("cfg_attr") {
            return;
        }
        let name = path.get_ident().map(ToString::to_string).unwrap_or_default();
        let message = format!("`#[{name}(…)]` in a region: a directive can't see whether the code remains");
        let help = "test it in the body, `if cfg!(…) { … }`, or put the attribute on the function";
        self.sink.error_at(Code::Conditional, attr, message).help(help);
    }
}

impl<'ast> Visit<'ast> for Conditional<'_> {
    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        if self.inside {
            self.refuse(attr);
        }
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        match stmt {
            Stmt::Macro(m) if !self.inside && standalone::name_of(&m.mac).is_some() => {
                m.attrs.iter().for_each(|a| self.refuse(a));
            }
            _ => visit::visit_stmt(self, stmt),
        }
    }

    fn visit_expr(&mut self, e: &'ast Expr) {
        let directives = attributes::take(&mut e.clone());
        if self.inside || directives.is_empty() {
            return visit::visit_expr(self, e);
        }
        let around = |a: &Attribute| {
            let kind =
                directive::family(a.path()).and_then(|(spelling, name)| directive::kind_of(spelling, &name));
            matches!(kind, Some(DirectiveKind::TargetData | DirectiveKind::TaskGroup))
        };
        if directives.iter().all(around) {
            attributes::all(e).iter().for_each(|a| self.refuse(a));
            visit::visit_expr(self, e);
        } else {
            self.inside = true;
            visit::visit_expr(self, e);
            self.inside = false;
        }
    }

    /// Items are functions of their own.
    fn visit_item(&mut self, item: &'ast Item) {
        if self.inside {
            visit::visit_item(self, item);
        }
    }
}
