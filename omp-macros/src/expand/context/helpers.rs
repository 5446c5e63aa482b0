//! Device functions in the same item as a region. The race analysis sees their bodies when the region is compiled; it
//! sees those of other items at the launch.
use crate::diag::Sink;
use crate::expand::item::attributes_below::may_change;
use crate::expand::methods::Methods;
use crate::lower::{self, Around, LoweredFn, Typing};
use crate::parse::directive;
use omp_ir::analysis::race::Functions;
use omp_ir::ids::FnId;
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Item, ItemFn, ItemMacro, ItemUse, Stmt, StmtMacro};

/// Free functions, found by their names alone.
#[derive(Clone, Default)]
pub struct Helpers(Rc<Vec<ItemFn>>);

impl Helpers {
    /// The device functions of a module.
    pub fn of_module(items: &[Item], methods: &Methods) -> Self {
        let mut names = Names::default();
        let functions = items.iter().filter_map(|item| match item {
            Item::Fn(f) => Some(f),
            _ => None,
        });
        let functions: Vec<&ItemFn> = functions.collect();
        names.0.extend(functions.iter().map(|f| f.sig.ident.to_string()));
        let inlined = |f: &ItemFn| {
            let (mut f, mut sink) = (f.clone(), Sink::new());
            *f.block = methods.in_function(&f.sig, &f.block, &mut sink);
            // Errors in it are reported where it is expanded.
            drop(sink.into_tokens());
            f
        };
        Self(Rc::new(functions.into_iter().filter(|f| names.declares(f)).map(inlined).collect()))
    }

    /// The device functions that a function's body sees, with those in the body. An import of the body may hide any of them.
    pub fn in_function(&self, body: &Block) -> Self {
        let mut names = Names::default();
        let mut imports = Imports(false);
        imports.visit_block(body);
        if imports.0 {
            return Self::default();
        }
        names.visit_block(body);
        let hidden = |f: &&ItemFn| names.0.iter().any(|name| f.sig.ident == *name);
        let own = body.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Item(Item::Fn(f)) if names.declares(f) => Some(f),
            _ => None,
        });
        let own: Vec<&ItemFn> = own.collect();
        if own.is_empty() && names.0.is_empty() {
            return self.clone();
        }
        Self(Rc::new(self.0.iter().filter(|f| !hidden(f)).chain(own).cloned().collect()))
    }

    /// The device functions that a region calls, directly or not.
    pub fn called_by(&self, region: &Typing) -> Functions {
        let mut lowered: Vec<(&ItemFn, LoweredFn)> = Vec::new();
        let mut failed: Vec<&ItemFn> = Vec::new();
        let mut called: Vec<&ItemFn> = self.named(region).into_iter().map(|(_, f)| f).collect();
        while let Some(f) = called.pop() {
            let is = |other: &ItemFn| std::ptr::eq(f, other);
            if lowered.iter().any(|(other, _)| is(other)) || failed.iter().any(|other| is(other)) {
                continue;
            }
            // Errors in it are reported where it is expanded.
            let mut sink = Sink::new();
            let body = lower::lower_fn(&f.sig, &f.block, &Around::default(), &mut sink);
            drop(sink.into_tokens());
            match body {
                Ok(body) => {
                    called.extend(self.named(&body.typing).into_iter().map(|(_, f)| f));
                    lowered.push((f, body));
                }
                Err(()) => failed.push(f),
            }
        }
        let calls = |typing: &Typing| {
            let mut calls = vec![None; typing.calls.len()];
            for (call, f) in self.named(typing) {
                let at = lowered.iter().position(|(other, _)| std::ptr::eq(*other, f));
                calls[call] = at.map(FnId::new);
            }
            calls
        };
        let bodies = lowered.iter().map(|(_, f)| (f.template.clone(), calls(&f.typing))).collect();
        Functions { calls: calls(region), bodies }
    }

    /// The calls by a name, and what they call.
    fn named(&self, typing: &Typing) -> Vec<(usize, &ItemFn)> {
        let found = typing.named.iter().filter_map(|(call, n)| {
            let name = typing.functions[*n].path.get_ident()?;
            Some((call.index(), self.0.iter().find(|f| f.sig.ident == *name)?))
        });
        found.collect()
    }
}

/// The names of functions.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    /// Whether a function is the only one of its name, and a device function.
    fn declares(&self, f: &ItemFn) -> bool {
        let is = |attr: &Attribute| {
            directive::family(attr.path())
                .is_some_and(|(_, name)| name == "declare_target" || name == "routine")
        };
        let conditional = |attr: &Attribute| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr");
        self.0.iter().filter(|name| f.sig.ident == *name).count() == 1
            && f.attrs.iter().any(is)
            && !f.attrs.iter().any(conditional)
            && !may_change(&f.attrs)
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item_fn(&mut self, f: &'ast ItemFn) {
        self.0.push(f.sig.ident.to_string());
        visit::visit_item_fn(self, f);
    }
}

/// Whether there is something that gives names, or a macro that may.
struct Imports(bool);

impl<'ast> Visit<'ast> for Imports {
    fn visit_item_use(&mut self, _: &'ast ItemUse) {
        self.0 = true;
    }

    fn visit_item_macro(&mut self, _: &'ast ItemMacro) {
        self.0 = true;
    }

    fn visit_stmt_macro(&mut self, m: &'ast StmtMacro) {
        self.0 |= directive::family(&m.mac.path).is_none();
    }
}
