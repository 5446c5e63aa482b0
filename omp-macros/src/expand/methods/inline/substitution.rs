//! The body of a function in the place of a call: which names stand for its parameters, and which names it has here.
use super::body::{self, Body, Bound, Why, range_of};
use super::borrowing::with_own_parameters;
use super::calls::as_path;
use super::expressions::{FindChanging, is_pure, made, receiver, whole};
use super::iterated::{Iterated, PassedOn};
use super::type_parameters::TypeParameters;
use super::{Inline, RECEIVER, closures, members, tried};
use crate::expand::methods::items::Items;
use crate::expand::methods::values::Ty;
use crate::expand::methods::{Method, behind_parens, modules, sums, templates, tuple_lets, words};
use crate::iterate::{hidden, moved, parentheses, substituted};
use crate::parse::tokens::source::as_written;
use crate::parse::tokens::source::{CLOSURE_ARGUMENT, OF_CHAIN};
use crate::sema::syntax::forms::strip;
use crate::sema::syntax::names::bound_in;
use crate::sema::syntax::{place, search, shadowing};
use crate::visits::{self, Node};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use syn::parse::Parser;
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::visit_mut::VisitMut;
use syn::{Block, Expr, FnArg, GenericParam, Pat, ReturnType, Signature, Stmt, Type};

/// How deep methods may call each other.
const DEPTH: usize = 16;

/// A reference to the receiver of such a method ([`RECEIVER`]), which has the method's type. (No parameter of a user's has such a name.)
const CHECKED: &str = "__omp_closure_0receiver";

/// What stands for the parameters of an inlined function.
#[derive(Default)]
struct Arguments<'s> {
    /// The places that stand for parameters wherever these are named.
    places: HashMap<String, TokenStream>,
    /// The parameters among these that are references.
    passed_on: PassedOn,
    /// The receiver's type, if a statement has to check it.
    checked: Option<(&'s Type, Span)>,
    /// The parameters that are variables of the body, and their values.
    params: Vec<(Pat, &'s Type)>,
    args: Vec<Expr>,
    closures: Vec<Closure>,
    iterators: Vec<(syn::PatIdent, Expr)>,
}

/// A closure that is an argument.
struct Closure {
    /// The parameter.
    name: String,
    variable: Ident,
    binding: Stmt,
    /// It has `&mut` parameters: a call lends what they are given; a variable would take it.
    lends: bool,
}

impl Arguments<'_> {
    /// Gives other names to variables of a body that hide a parameter, and hides fields that are named like one.
    fn brought_apart(&mut self, block: &mut Block, sig: &Signature, bound: &mut Bound) {
        let variables = |name: &&String| bound.own.contains(*name) || self.places.contains_key(*name);
        let both: HashSet<String> = bound.members.iter().filter(variables).cloned().collect();
        let mut hide = members::Hide(&both);
        hide.visit_block_mut(block);
        self.params.iter_mut().for_each(|(pat, _)| hide.visit_pat_mut(pat));
        Iterated::of(sig, &self.places).visit_block_mut(block);
        let iterates = |name: &String| self.iterators.iter().any(|(p, _)| p.ident == name.as_str());
        // `let shear = shear();` of a closure that is called so.
        let rebound = if self.closures.is_empty() { HashSet::new() } else { bound_in(block) };
        let calls = |name: &String| rebound.contains(name) && self.closures.iter().any(|c| c.name == *name);
        let hides = |name: &&String| self.places.contains_key(*name) || iterates(name) || calls(name);
        let hiding: HashSet<String> = bound.own.iter().filter(hides).cloned().collect();
        if !hiding.is_empty() {
            let taken = words(block.to_token_stream());
            shadowing::renamed(block, &hiding, &taken);
            bound.own.clear();
            self.params.iter().for_each(|(pat, _)| bound.visit_pat(pat));
            bound.own.extend(self.closures.iter().map(|c| c.name.clone()));
            bound.visit_block(block);
        }
        bound.own.extend(self.iterators.iter().map(|(p, _)| p.ident.to_string()));
        self.passed_on.visit_block_mut(block);
    }
}

/// The variables that a call borrows by `&mut`.
fn lent(sig: &Signature, this: Option<&Expr>, given: &[Expr]) -> Vec<String> {
    let exclusive = |input: &FnArg| match input {
        FnArg::Receiver(r) => matches!(r.kind, syn::ReceiverKind::Reference(_, _, Some(_))),
        FnArg::Typed(param) => {
            matches!(behind_parens(&param.ty), Type::Reference(r) if r.mutability.is_some())
        }
    };
    let all = sig.inputs.iter().zip(this.into_iter().chain(given));
    let lent = all.filter(|(input, _)| exclusive(input));
    lent.filter_map(|(_, e)| place::root(crate::sema::syntax::forms::behind_references(e)))
        .map(ToString::to_string)
        .collect()
}

impl Inline<'_> {
    /// The body, and the type of the value that it gives; `None` of a place.
    pub(super) fn stands(
        &mut self,
        method: &Method,
        of: Option<(&Expr, &str)>,
        given: &[Expr],
        at: &Ident,
    ) -> Result<(Body, Option<TokenStream>), Why> {
        let with_own = with_own_parameters(method, &self.methods.structs);
        let method = with_own.as_ref().unwrap_or(method);
        let known = of.and_then(|(_, name)| self.methods.values.find(name));
        let with_lengths = known.map(|of| with_lengths(&method.function.block, &of.lengths(&method.ty)));
        let (sig, block) = (&method.function.sig, with_lengths.as_ref().unwrap_or(&method.function.block));
        if let Some((what, help)) = modules::not_here(block) {
            return Err(Why::new(what, help));
        }
        let hoisted = std::mem::take(&mut self.hoisted)
            || templates::gives_an_iterator(sig)
            || templates::takes_an_iterator(sig);
        let name = of.map(|(_, name)| name);
        let own_name = (method.ty.to_token_stream().to_string(), sig.ident.to_string());
        let generic = self.generic_arguments(method, of.map(|(this, _)| this), given);
        let template = hoisted || templates::is(sig) || self.methods.has_atomics(block);
        self.suits(sig, name, given.len(), (&generic, template))?;
        if self.inside.contains(&own_name) {
            return Err(Why::new(
                "it calls itself",
                "write a loop, with an array as its stack if it needs one",
            ));
        }
        self.copies_steady(sig, of.map(|(this, _)| this), given)?;
        let own = usize::from(name.is_some());
        let mut bound = Bound::default();
        bound.visit_block(block);
        let mut arguments = self.arguments(sig.inputs.iter().skip(own).zip(given), &mut bound);
        arguments.places.extend(of.map(|(this, _)| ("self".to_owned(), receiver(this))));
        let typed = TypeParameters::of(sig, own, given);
        self.evaluable(&arguments, &typed, given)?;
        let is = |this: &Option<String>, name| this.as_deref() == Some(name);
        let same = name.is_none_or(|name| is(&self.methods.this, name) || is(&self.methods.owner, name));
        // (Another value of the struct may have other arguments for its parameters.)
        let of_self = |(this, _): (&Expr, &str)| {
            place::root(this).is_some_and(|root| root == "self") || self.declared_type(this, 0).is_some()
        };
        let same = same && (method.generics.is_empty() || of.is_none_or(of_self));
        let foreign = |word: &String| {
            let own = method.generics.contains(word) && !(same && self.context.generics.contains(word))
                || typed.names.contains(word);
            own && !generic.contains_key(word)
        };
        let mut block = block.clone();
        tuple_lets::Apart.visit_block_mut(&mut block);
        tried::tried_parts(&mut block, sig);
        if templates::gives_an_iterator(sig) {
            borrow_instead(&mut block);
        }
        sums::called(&mut block, Some(sig), self.methods);
        arguments.brought_apart(&mut block, sig, &mut bound);
        let text = words(block.to_token_stream());
        self.means_the_same(method, &text, (&bound, &arguments.places, &generic), same)?;
        let mut renames = self.renames(&arguments, &bound, &text, hoisted, at.span());
        if !same {
            renames.insert("Self".to_owned(), substituted(as_path(&method.ty), &generic));
        }
        renames.extend(generic.clone());
        let Arguments { places, checked, params, args, closures, iterators, .. } = arguments;
        let elsewhere = self.methods.elsewhere;
        let here = |tokens: TokenStream| if elsewhere { moved(tokens, at.span()) } else { tokens };
        let renamed = |tokens: TokenStream| substituted(here(tokens), &renames);
        let parse = || Why::new("it can't be read", "write what it does in its place");
        let replaced = substituted(renamed(block.to_token_stream()), &places);
        let mut block: Block = members::shown(syn::parse2(replaced).map_err(|_| parse())?);
        let mut names = bound_in(&block);
        let mut made_before: Vec<Stmt> = Vec::new();
        let mut links = typed.links(&method.generics, &here);
        let params = params.into_iter().map(|(pat, ty)| {
            let pat = renamed(pat.to_token_stream());
            let pat = match Pat::parse_single.parse2(pat.clone()) {
                Ok(shown) => members::shown_in(shown).into_token_stream(),
                Err(_) => pat,
            };
            names.extend(words(pat.clone()));
            links.parameter(ty, &pat);
            let ty = renamed(typed.inferred(ty).into_token_stream());
            let named = words(ty.clone());
            if named.iter().any(|w| foreign(w) || w == "impl") { pat } else { quote!(#pat: #ty) }
        });
        let params: Vec<TokenStream> = params.collect();
        if let Some((ty, span)) = checked {
            let (reference, place) = (hidden(CHECKED, span), &places[RECEIVER]);
            let ty = renamed(ty.to_token_stream());
            made_before.push(syn::parse_quote_spanned!(span=> let #reference: &#ty = &#place;));
        }
        made_before.extend(links.stmts);
        names.extend(iterators.iter().map(|(p, _)| p.ident.to_string()));
        let mut items = Items::default();
        items.visit_block(&block);
        names.extend(items.words);
        let closures: Vec<Stmt> = closures
            .into_iter()
            .filter(|closure| {
                closure.lends || items.all || !closures::in_place(&mut block, &closure.binding, &names)
            })
            .map(|closure| closure.binding)
            .collect();
        for (pat, mut items) in iterators {
            self.visit_expr_mut(&mut items);
            let (before, items) = body::of_chain(&items).unwrap_or((Vec::new(), items));
            let pat = renamed(pat.to_token_stream());
            made_before.extend(before);
            made_before.push(syn::parse_quote!(let #pat = #items;));
        }
        // (A name that it has now hides nothing.)
        let hides = bound.own.iter().filter(|name| !renames.contains_key(*name)).cloned().collect();
        self.inside.push(own_name);
        self.walk_body(&mut block, sig, name, bound.own, hides);
        self.inside.pop();
        block.stmts.splice(..0, made_before);
        let result = match &sig.output {
            ReturnType::Type(_, ty) if matches!(behind_parens(ty), Type::Reference(_)) => None,
            ReturnType::Type(_, ty) => {
                let ty = renamed(ty.to_token_stream());
                Some(if words(ty.clone()).iter().any(foreign) { quote!() } else { quote!(-> #ty) })
            }
            ReturnType::Default => Some(quote!()),
        };
        let changing = self.changing.clone();
        let writes = sig.inputs.iter().any(|input| {
            matches!(input, FnArg::Typed(arg) if templates::reference_to_array(&arg.ty) == Some(true))
        });
        // (In the closure that the body is, what it changes is borrowed before the arguments are evaluated.)
        let lent = lent(sig, of.map(|(this, _)| this), given);
        let uses = |arg: &Expr| words(arg.to_token_stream()).iter().any(|word| lent.contains(word));
        let arguments_first =
            !method.generics.is_empty() && templates::takes_closures(sig) || writes || args.iter().any(uses);
        Ok((Body { block, params, args, closures, changing, arguments_first, span: at.span() }, result))
    }

    /// What stands for each parameter; `bound` gets the names of those that are variables of the body.
    fn arguments<'s>(
        &self,
        inputs: impl Iterator<Item = (&'s FnArg, &'s Expr)>,
        bound: &mut Bound,
    ) -> Arguments<'s> {
        let mut to = Arguments::default();
        for (input, arg) in inputs {
            let FnArg::Typed(param) = input else { continue };
            let place = whole(&param.ty, arg).or_else(|| self.whole_struct(&param.ty, arg));
            if let (Pat::Ident(p), Some(place)) = (&*param.pat, place) {
                if PassedOn::is_given(&param.ty, arg) {
                    to.passed_on.0.insert(p.ident.to_string());
                }
                to.places.insert(p.ident.to_string(), place);
                // Tokens need not show the receiver's type. A reference of the method's type makes rustc check it; what is changed is
                // borrowed by the body.
                if let (Type::Reference(r), true) = (&*param.ty, p.ident == RECEIVER) {
                    if r.mutability.is_some() {
                        to.checked = Some((&*r.elem, arg.span()));
                    } else {
                        let checked = hidden(CHECKED, arg.span());
                        to.params.push((syn::parse_quote!(#checked), &*param.ty));
                        to.args.push(arg.clone());
                    }
                }
                continue;
            }
            if let (Pat::Ident(p), Some(of)) = (&*param.pat, templates::of_closure(&param.ty)) {
                let variable = Ident::new(
                    &format!("{CLOSURE_ARGUMENT}{}", p.ident),
                    Span::mixed_site().located_at(arg.span()),
                );
                let lends = of
                    .inputs
                    .iter()
                    .any(|input| matches!(&input.ty, Type::Reference(r) if r.mutability.is_some()));
                let binding = self.closure(&variable, of, arg);
                bound.own.insert(p.ident.to_string());
                to.closures.push(Closure { name: p.ident.to_string(), variable, binding, lends });
                continue;
            }
            if let (Pat::Ident(p), true) = (&*param.pat, templates::is_an_iterator(&param.ty)) {
                let mut items = arg.clone();
                if let Some(item) = templates::number_of_taken(&param.ty) {
                    body::of_type(&mut items, &item);
                }
                to.iterators.push((p.clone(), items));
                continue;
            }
            bound.visit_pat(&param.pat);
            to.params.push(((*param.pat).clone(), &*param.ty));
            let range = templates::is_range(&param.ty).then(|| range_of(arg, &self.changing)).flatten();
            to.args.push(range.unwrap_or_else(|| arg.clone()));
        }
        to
    }

    /// Whether no call changes what it takes a copy of: the place of `r` in `r.go_on(r)` stands for the copy.
    fn copies_steady(&self, sig: &Signature, this: Option<&Expr>, given: &[Expr]) -> Result<(), Why> {
        let mutable = |ty: &Type| matches!(behind_parens(ty), Type::Reference(r) if r.mutability.is_some());
        let changes = |input: &FnArg| match input {
            FnArg::Receiver(r) => matches!(r.kind, syn::ReceiverKind::Reference(_, _, Some(_))),
            FnArg::Typed(param) => mutable(&param.ty),
        };
        let all: Vec<(&FnArg, &Expr)> = sig.inputs.iter().zip(this.into_iter().chain(given)).collect();
        let root = |e: &Expr| match strip(e) {
            Expr::Reference(r) => place::root(&r.expr).map(ToString::to_string),
            e => place::root(e).map(ToString::to_string),
        };
        let changed: Vec<String> =
            all.iter().filter(|(i, _)| changes(i)).filter_map(|(_, e)| root(e)).collect();
        let copied = all.iter().find(|(input, arg)| match input {
            FnArg::Typed(param) => {
                self.whole_struct(&param.ty, arg).is_some()
                    && root(arg).is_some_and(|root| changed.contains(&root))
            }
            FnArg::Receiver(r) => {
                matches!(r.kind, syn::ReceiverKind::Value)
                    && root(arg).is_some_and(|root| changed.contains(&root))
            }
        });
        match copied {
            Some((_, arg)) => Err(Why::new(
                format!("it takes a copy of `{}`, which it changes", as_written(&arg.to_token_stream())),
                "give the copy a name before the call",
            )),
            None => Ok(()),
        }
    }

    /// Whether the arguments may be evaluated where the body stands.
    fn evaluable(&self, to: &Arguments, typed: &TypeParameters, given: &[Expr]) -> Result<(), Why> {
        let mut params = to.params.iter().zip(&to.args);
        if let Some((param, _)) = params.find(|((_, ty), arg)| typed.needs_type(ty, arg)) {
            return Err(Why::new(
                format!("a number stands for its parameter of type `{}`", param.1.to_token_stream()),
                "write the number's type: `200u8`",
            ));
        }
        let pure = || to.args.iter().all(|arg| is_pure(arg, &self.changing));
        let moves = |arg: &Expr| matches!(arg, Expr::Closure(c) if c.capture.is_some());
        if given.iter().any(moves) && !pure() {
            return Err(Why::new(
                "a closure among the arguments captures values that other arguments may change",
                "give the other arguments names before the call",
            ));
        }
        // An iterator is made where the body begins.
        if !to.iterators.is_empty()
            && (!pure() || to.iterators.iter().any(|(_, items)| search::leaves(items)))
        {
            return Err(Why::new(
                "it takes an iterator, and its arguments do more than to give values",
                "give the other arguments, and what `?` gives, names before the call",
            ));
        }
        Ok(())
    }

    /// Other names for what the body would otherwise confuse with names at the call.
    fn renames(
        &mut self,
        to: &Arguments,
        bound: &Bound,
        text: &[String],
        hoisted: bool,
        span: Span,
    ) -> HashMap<String, TokenStream> {
        let mut renames: HashMap<String, TokenStream> = HashMap::new();
        let parted: HashSet<String> = self.parts.iter().map(|part| part.of.clone()).collect();
        for root in to.places.values().flat_map(|place| words(place.clone())).chain(parted) {
            if bound.own.contains(&root) {
                let mut other = format!("{root}_");
                while text.contains(&other) {
                    other.push('_');
                }
                renames.insert(root, Ident::new(&other, span).to_token_stream());
            }
        }
        renames.extend(to.closures.iter().map(|c| (c.name.clone(), c.variable.to_token_stream())));
        if hoisted {
            // The consumer of the items stands in the same block, and may name variables of the caller.
            self.chains += 1;
            for name in bound.own.iter().filter(|name| !to.closures.iter().any(|c| c.name == **name)) {
                // (Underscores in the middle of a name are none of snake case.)
                let short = name.trim_start_matches('_');
                let before = match name.len() - short.len() {
                    0 => String::new(),
                    n => format!("_u{n}"),
                };
                let own = Ident::new(&format!("{OF_CHAIN}{}{before}_{short}", self.chains), span);
                renames.insert(name.clone(), own.into_token_stream());
            }
        }
        renames
    }

    /// Walks through a body, with its own names and the types of its parameters.
    fn walk_body(
        &mut self,
        block: &mut Block,
        sig: &Signature,
        name: Option<&str>,
        own: HashSet<String>,
        hides: Vec<String>,
    ) {
        self.depth += 1;
        let mut changing = FindChanging(HashSet::new());
        sig.inputs.iter().for_each(|input| changing.visit_fn_arg(input));
        changing.visit_block(block);
        Rc::make_mut(&mut self.changing).extend(changing.0);
        let known = self.known.clone();
        self.known.retain(|name, _| !hides.contains(name));
        let writing = std::mem::replace(&mut self.writing, false);
        self.around.push(own);
        self.types.enter();
        sig.inputs.iter().for_each(|input| {
            if let FnArg::Typed(arg) = input {
                self.types.bind(&arg.pat, Ty::of(&arg.ty, name));
            }
        });
        self.visit_block_mut(block);
        self.types.leave();
        self.around.pop();
        self.writing = writing;
        self.known = known;
        self.depth -= 1;
    }

    /// Whether a function can be inlined by its signature, for a call with so many arguments; `name`: the type that it is a method of.
    fn suits(
        &self,
        sig: &Signature,
        name: Option<&str>,
        given: usize,
        (generic, template): (&HashMap<String, TokenStream>, bool),
    ) -> Result<(), Why> {
        // (What borrows and is moved is not used again.)
        let copies = |name: &str| self.methods.find(name).is_some_and(|s| s.copies || s.borrows);
        let leaves_it = matches!(sig.receiver(), Some(r) if match r.kind {
            syn::ReceiverKind::Reference(..) => true,
            syn::ReceiverKind::Value => {
                r.mutability.is_none()
                    && name.is_some_and(|name| copies(name) || self.methods.values.find(name).is_some())
            }
            _ => false,
        });
        if name.is_some() && !leaves_it {
            return Err(Why::new("it takes `self` by value", "let it take `&self`"));
        }
        if sig.inputs.len() != given + usize::from(name.is_some()) {
            return Err(Why::new("it has other parameters", "give it its arguments"));
        }
        let unknown = |p: &GenericParam| match p {
            GenericParam::Lifetime(_) => false,
            GenericParam::Type(t) => !generic.contains_key(&t.ident.to_string()),
            GenericParam::Const(c) => !generic.contains_key(&c.ident.to_string()),
        };
        if sig.generics.params.iter().any(unknown) && !template {
            return Err(Why::new("it is generic", "write it for the types that it is used with"));
        }
        if self.depth >= DEPTH {
            return Err(Why::new("it calls itself", "write a loop"));
        }
        Ok(())
    }

    /// Whether the names in a body that are none of its own mean the same at the call. `same`: the call is in the same struct's `impl`.
    fn means_the_same(
        &self,
        method: &Method,
        text: &[String],
        (bound, places, generic): (&Bound, &HashMap<String, TokenStream>, &HashMap<String, TokenStream>),
        same: bool,
    ) -> Result<(), Why> {
        let given = |word: &String| generic.contains_key(word);
        let foreign = |word: &String| {
            method.generics.contains(word) && !given(word) && !(same && self.context.generics.contains(word))
        };
        let of_self = |word: &String| word == "Self" && !same && !method.generics.iter().all(given);
        if let Some(other) = text.iter().find(|w| foreign(w) || of_self(w)) {
            return Err(Why::new(
                format!("it names `{other}`, which is no type here"),
                "write what it does in its place",
            ));
        }
        let hidden = |word: &&String| {
            let own = [&method.generics, &method.given].into_iter().any(|names| names.contains(*word));
            if given(word) {
                return false;
            }
            let generic = self.context.generics.contains(*word) && !own;
            !bound.own.contains(*word) && (generic || self.variables.items.contains(*word))
        };
        if let Some(other) = text.iter().find(hidden) {
            return Err(Why::new(
                format!("`{other}` is another item there than in this function"),
                "give the item of the function another name",
            ));
        }
        // A name that is no variable of the method's own is an item.
        if let Some(taken) = bound.free.iter().find(|w| {
            let variable =
                self.context.names.contains(w) || self.around.iter().any(|names| names.contains(*w));
            !places.contains_key(*w) && !bound.own.contains(*w) && variable
        }) {
            return Err(Why::new(
                format!("it names an item `{taken}`, and here that is a variable"),
                format!("give the variable another name: `{taken}_here`"),
            ));
        }
        Ok(())
    }
}

/// In the place of its call, a body of an iterator is where its variables are: its `move` closures need no copies of them, unless one
/// changes its copy.
fn borrow_instead(block: &mut Block) {
    let is_mutable = |node: Node<'_>| matches!(node, Node::Pat(Pat::Ident(p)) if p.mutability.is_some());
    if !visits::any(block, is_mutable) {
        visits::change_into(block, |e| {
            let Expr::Closure(c) = e else { return true };
            // (What is in it may need its parameters.)
            c.capture = None;
            false
        });
    }
}

/// A body in which lengths of arrays stand in the place of const parameters.
fn with_lengths(block: &Block, lengths: &[(String, TokenStream)]) -> Block {
    struct Put<'l>(&'l [(String, TokenStream)]);
    impl VisitMut for Put<'_> {
        fn visit_expr_mut(&mut self, e: &mut Expr) {
            let length = match &*e {
                Expr::Path(p) => {
                    self.0.iter().find(|(name, _)| p.path.is_ident(name)).map(|(_, length)| length.clone())
                }
                _ => None,
            };
            match length {
                Some(length) => *e = made(parentheses(length)),
                None => syn::visit_mut::visit_expr_mut(self, e),
            }
        }
        // Lengths in types are consts.
        fn visit_type_mut(&mut self, _: &mut Type) {}
        fn visit_expr_repeat_mut(&mut self, r: &mut syn::ExprRepeat) {
            self.visit_expr_mut(&mut r.expr);
        }
        fn visit_item_mut(&mut self, _: &mut syn::Item) {}
    }
    let mut block = block.clone();
    if !lengths.is_empty() {
        Put(lengths).visit_block_mut(&mut block);
    }
    block
}
