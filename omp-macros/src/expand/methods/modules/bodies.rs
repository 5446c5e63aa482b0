//! Bodies of another module's functions and methods, with paths in the place of names that the importing module lacks.
use super::Modules;
use super::paths::Put;
use super::resolve::{Meaning, Path, declared};
use crate::expand::methods::{name_of, words};
use crate::parse::std_macros::takes_expressions;
use crate::sema::syntax::names::bound_in;
use omp_ir::method::Method;
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Block, ImplItem, Item, Signature, Stmt, Visibility};

/// Methods of iterators, options and slices.
const ADAPTORS: [&str; 36] = [
    "iter",
    "iter_mut",
    "into_iter",
    "map",
    "filter",
    "enumerate",
    "zip",
    "rev",
    "skip",
    "take",
    "step_by",
    "chain",
    "fold",
    "sum",
    "product",
    "count",
    "any",
    "all",
    "find",
    "position",
    "min_by",
    "max_by",
    "min_by_key",
    "max_by_key",
    "copied",
    "cloned",
    "flatten",
    "flat_map",
    "filter_map",
    "take_while",
    "skip_while",
    "windows",
    "chunks",
    "len",
    "then_some",
    "then",
];

/// What the names of another module's items mean in the importing one.
pub(super) struct Meanings<'a> {
    pub(super) modules: &'a Modules<'a>,
    pub(super) module: &'a [String],
    /// The macros of both modules.
    pub(super) macros: [&'a HashSet<String>; 2],
    /// The fields that the importing module does not see.
    pub(super) private: HashSet<String>,
}

impl Meanings<'_> {
    /// The names that need a path, with it; or one that can't have its meaning here. `bound`: those that the text binds itself.
    fn paths(
        &self,
        names: HashSet<String>,
        bound: &HashSet<String>,
    ) -> Result<HashMap<String, Path>, String> {
        let mut paths = HashMap::new();
        for name in names {
            if self.macros.iter().any(|macros| macros.contains(&name)) {
                return Err(name);
            }
            use Meaning::{None, Path, Unknown};
            match (self.modules.meaning(self.module, &name), self.modules.meaning(&[], &name)) {
                (None, None) => {}
                (Path(there), Path(here)) if self.modules.are_same(&there, &here) => {}
                (None, _) if bound.contains(&name) => {}
                // (A variable, whatever globs have.)
                (Unknown, None | Unknown)
                    if bound.contains(&name) && name.starts_with(char::is_lowercase) => {}
                (Path(there), _) if !bound.contains(&name) && self.modules.is_shown(&there) => {
                    paths.insert(name, there);
                }
                _ => return Err(name),
            }
        }
        Ok(paths)
    }

    /// The item, if all names in what gives its type mean the same here.
    pub(super) fn unchanged(&self, item: &Item, ty: TokenStream) -> Vec<Item> {
        let alike =
            self.paths(words(ty).into_iter().collect(), &HashSet::new()).is_ok_and(|paths| paths.is_empty());
        if alike { vec![item.clone()] } else { Vec::new() }
    }

    /// Whether no type named in a declaration with these parameters means something else here.
    pub(super) fn types_alike(&self, tokens: TokenStream, generics: &syn::Generics) -> bool {
        let params: HashSet<String> = crate::expand::context::names(generics).collect();
        let is_type = |word: &String| word.starts_with(char::is_uppercase) && !params.contains(word);
        let types = words(tokens).into_iter().filter(is_type);
        types.into_iter().all(|word| {
            match (self.modules.meaning(&[], &word), self.modules.meaning(self.module, &word)) {
                (Meaning::None, _) => true,
                (Meaning::Path(here), Meaning::Path(there)) => self.modules.are_same(&here, &there),
                _ => false,
            }
        })
    }

    /// A function whose names have their paths. If it has one that means nothing here, it has a body that says so.
    pub(super) fn function(
        &self,
        sig: &Signature,
        block: &Block,
        generics: &HashSet<String>,
    ) -> (Signature, Block) {
        let (mut sig, mut block) = (sig.clone(), block.clone());
        let params = sig.generics.params.iter().filter_map(|p| match p {
            syn::GenericParam::Type(t) => Some(t.ident.to_string()),
            syn::GenericParam::Const(c) => Some(c.ident.to_string()),
            syn::GenericParam::Lifetime(_) => None,
        });
        let generics: HashSet<String> = params.chain(generics.iter().cloned()).collect();
        let mut bound = bound_in(&block);
        let mut names = NamesIn::default();
        names.visit_signature(&sig);
        names.visit_block(&block);
        // Parameters are in front of whatever globs have.
        names.of_paths.retain(|name| !generics.contains(name));
        bound.extend(generics);
        // Items of its own have the names that they have.
        bound.extend(names.items.iter().cloned());
        for input in &sig.inputs {
            if let syn::FnArg::Typed(arg) = input {
                bound.extend(crate::sema::syntax::names::bound(&arg.pat));
            }
        }
        let private = names.members.iter().find(|name| self.private.contains(*name)).cloned();
        let paths = match private.or_else(|| names.unknown.clone()).or_else(|| self.other_method(&names)) {
            Some(name) => Err(name),
            None => self.paths(names.of_paths, &bound).and_then(|paths| {
                // (What a text names can't get a path.)
                match names.in_texts.iter().find(|name| paths.contains_key(*name)) {
                    Some(name) => Err(name.clone()),
                    None => Ok(paths),
                }
            }),
        };
        match paths {
            Ok(paths) => {
                let mut put = Put { paths: &paths, module: self.module };
                put.visit_signature_mut(&mut sig);
                put.visit_block_mut(&mut block);
            }
            Err(name) => {
                let private = self.private.contains(&name);
                block = syn::parse_quote!({ __omp_not_here!(#name, #private) });
            }
        }
        (sig, block)
    }

    /// Whether std has a method of this name, or a type of the module.
    fn is_inherent(&self, name: &str) -> bool {
        let items = self.modules.items(self.module).unwrap_or_default();
        let of_module = |item: &Item| match item {
            Item::Impl(i) if i.trait_.is_none() => {
                i.items.iter().any(|item| matches!(item, ImplItem::Fn(f) if f.sig.ident == name))
            }
            _ => false,
        };
        (1..5).any(|args| Method::is_name(name, args))
            || ADAPTORS.contains(&name)
            || items.iter().any(of_module)
    }

    /// A method that a body calls and that another trait may have here.
    fn other_method(&self, names: &NamesIn) -> Option<String> {
        let (theirs, own) = (self.modules.traits(self.module), self.modules.traits(&[]));
        let other = |name: &&String| theirs.by_method.get(*name) != own.by_method.get(*name);
        // Either module may have a trait of its own.
        let any = names.methods.iter().any(|name| !self.is_inherent(name));
        if any && !own.unknown.is_subset(&theirs.unknown) {
            let unlike = theirs.unknown.iter().find(|path| !own.unknown.contains(*path));
            if let Some(name) = unlike.and_then(|path| path.last()) {
                return Some(name.clone());
            }
        }
        names.methods.iter().find(other).cloned()
    }

    /// A type with its `impl`s in its module.
    pub(super) fn with_impls(&self, ty: &Item, name: &str, path: Option<&Path>, from: &[Item]) -> Vec<Item> {
        let mut found = vec![ty.clone()];
        for item in from {
            let Item::Impl(i) = item else { continue };
            if name_of(&i.self_ty).as_deref() != Some(name) {
                continue;
            }
            let generics = crate::expand::context::names(&i.generics).collect();
            let mut own = i.clone();
            own.items = std::mem::take(&mut own.items)
                .into_iter()
                .filter_map(|item| match item {
                    ImplItem::Fn(f) => {
                        // (A body in the place of a call may call private methods, whose bodies stand in the place of these calls.)
                        let (sig, block) = self.function(&f.sig, &f.block, &generics);
                        Some(ImplItem::Fn(syn::ImplItemFn { sig, block, ..f }))
                    }
                    ImplItem::Type(mut t) => {
                        let names = words(t.ty.to_token_stream());
                        let names = names.into_iter().filter(|name| !generics.contains(name)).collect();
                        Put { paths: &self.paths(names, &generics).ok()?, module: self.module }
                            .visit_type_mut(&mut t.ty);
                        Some(ImplItem::Type(t))
                    }
                    _ => None,
                })
                .collect();
            if let Some(path) = path {
                // In parentheses, it is the type of its last name: see `name_of`.
                let paths = HashMap::from([(name.to_owned(), path.clone())]);
                Put { paths: &paths, module: self.module }.visit_type_mut(&mut own.self_ty);
                let ty = &own.self_ty;
                *own.self_ty = syn::parse_quote!((#ty));
            }
            if path.is_none() {
                // As what is imported by its name: see `tier`.
                let elem = own.self_ty;
                own.self_ty = Box::new(syn::Type::Group(syn::TypeGroup {
                    attrs: Vec::new(),
                    group_token: Default::default(),
                    elem,
                }));
            }
            found.push(Item::Impl(own));
        }
        found
    }
}

/// The names in a body.
#[derive(Default)]
struct NamesIn {
    /// Those that paths begin with.
    of_paths: HashSet<String>,
    members: Vec<String>,
    methods: HashSet<String>,
    /// Items of its own.
    items: HashSet<String>,
    /// Those that texts of macros name.
    in_texts: HashSet<String>,
    /// A macro, an import or a path of which nothing is known.
    unknown: Option<String>,
}

impl NamesIn {
    fn in_tokens(&mut self, tokens: TokenStream) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                TokenTree::Ident(name) => {
                    let name = name.to_string();
                    let path = matches!(tokens.peek(), Some(TokenTree::Punct(p)) if p.as_char() == ':');
                    if name == "super" || name == "crate" || name == "self" && path {
                        self.unknown = Some(name.clone());
                    }
                    self.members.push(name.clone());
                    self.methods.insert(name.clone());
                    self.of_paths.insert(name);
                }
                TokenTree::Group(g) => self.in_tokens(g.stream()),
                TokenTree::Literal(l) => {
                    let text = l.to_string();
                    let parts = text.split('{').skip(1).filter_map(|part| part.split(['}', ':']).next());
                    let names = parts.map(str::trim).filter(|name| syn::parse_str::<Ident>(name).is_ok());
                    let names: Vec<String> = names.map(str::to_owned).collect();
                    self.of_paths.extend(names.iter().cloned());
                    self.in_texts.extend(names);
                }
                TokenTree::Punct(_) => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for NamesIn {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let first = path.segments[0].ident.to_string();
        if path.leading_colon.is_none() && first != "super" && first != "self" && first != "crate" {
            self.of_paths.insert(first);
        }
        // `T::method(x)`, `Type::method`
        if let Some(last) = path.segments.iter().skip(1).next_back() {
            self.methods.insert(last.ident.to_string());
        }
        visit::visit_path(self, path);
    }
    fn visit_expr_path(&mut self, p: &'ast syn::ExprPath) {
        if p.qself.is_some() {
            self.unknown = Some(p.path.to_token_stream().to_string());
        }
        visit::visit_expr_path(self, p);
    }
    fn visit_pat_ident(&mut self, p: &'ast syn::PatIdent) {
        self.of_paths.insert(p.ident.to_string());
        visit::visit_pat_ident(self, p);
    }
    fn visit_field_value(&mut self, f: &'ast syn::FieldValue) {
        // (A path can't stand in `S { x }`.)
        if f.colon_token.is_none() {
            self.in_texts.insert(f.member.to_token_stream().to_string());
        }
        visit::visit_field_value(self, f);
    }
    fn visit_member(&mut self, member: &'ast syn::Member) {
        self.members.push(member.to_token_stream().to_string());
    }
    fn visit_expr_method_call(&mut self, m: &'ast syn::ExprMethodCall) {
        self.methods.insert(m.method.to_string());
        visit::visit_expr_method_call(self, m);
    }
    fn visit_item(&mut self, item: &'ast Item) {
        match (item, declared(item)) {
            (_, Some((name, _))) => {
                self.items.insert(name.to_string());
            }
            (Item::Use(u), None) => self.unknown = Some(u.tree.to_token_stream().to_string()),
            _ => {}
        }
        visit::visit_item(self, item);
    }
    fn visit_macro(&mut self, m: &'ast syn::Macro) {
        // (What `file!` and its like give depends on where they stand.)
        let panics = ["unreachable", "todo", "unimplemented"].iter().any(|name| m.path.is_ident(name));
        match m.path.get_ident() {
            Some(_) if panics || takes_expressions(m) => {}
            _ if m.path.segments[0].ident == "omp" => {}
            _ => self.unknown = Some(m.path.to_token_stream().to_string()),
        }
        self.in_tokens(m.tokens.clone());
    }
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_visibility(&mut self, _: &'ast Visibility) {}
}

/// Why an item of another module has no body here, and what to do.
pub(in crate::expand::methods) fn not_here(block: &Block) -> Option<(String, String)> {
    let mac = match &block.stmts[..] {
        [Stmt::Macro(m)] => &m.mac,
        [Stmt::Expr(syn::Expr::Macro(m), _)] => &m.mac,
        _ => return None,
    };
    if !mac.path.is_ident("__omp_not_here") {
        return None;
    }
    let parser = syn::punctuated::Punctuated::<syn::Lit, syn::Token![,]>::parse_terminated;
    let [syn::Lit::Str(name), syn::Lit::Bool(private)] =
        &mac.parse_body_with(parser).ok()?.into_iter().collect::<Vec<_>>()[..]
    else {
        return None;
    };
    let name = name.value();
    Some(if private.value {
        (
            format!("the field `{name}`, which it uses, is private to its module"),
            format!("write `pub(crate)` before the field `{name}`"),
        )
    } else {
        (
            format!("`{name}`, which it names, is not visible here, or something else has that name here"),
            format!("make `{name}` visible here, `pub(crate)`, or give what has its name another one"),
        )
    })
}
