//! Variables whose declared types no device has (of std, behind `&mut`, or behind two `&`), where a body uses them.
//!
//! rustc would report each use of such a variable and each of its methods. This check reports the variable once, if the
//! function has only one variable of the name, so that its type is certain. All other cases are left to rustc.
use crate::diag::{Code, Sink};
use crate::sema::CheckedRegion;
use crate::sema::clauses::immutable::{bindings, bindings_in};
use crate::sema::syntax::search;
use crate::sema::syntax::std_names;
use crate::sema::syntax::types;
use crate::sema::syntax::types::element;
use proc_macro2::{Ident, TokenStream};
use quote::ToTokens;
use std::collections::HashMap;
use syn::{Block, Expr, FnArg, Pat, Signature, Type};

/// The problem with a type, and the help.
struct Why {
    what: String,
    help: String,
}

/// Reports the first use of each in a region.
pub fn check(sig: &Signature, body: &Block, region: &CheckedRegion, sink: &mut Sink) {
    let mut known = HashMap::new();
    for input in &sig.inputs {
        if let FnArg::Typed(arg) = input
            && let Pat::Ident(p) = &*arg.pat
            && let name = p.ident.to_string()
            && let Some(why) = of_host(&name, &arg.ty).or_else(|| behind(&p.ident, &arg.ty, &region.body))
            && bindings(&name, sig, body) + bindings_in(&name, &region.body) == 1
        {
            known.insert(name, why);
        }
    }
    if known.is_empty() {
        return;
    }
    for name in named(&region.body, &known) {
        let why = &known[&name.to_string()];
        let message = format!("`{name}` is {}: it can't be used on a device", why.what);
        sink.error(Code::UnsupportedType, name.span(), message).help(&why.help);
    }
}

/// A value behind `&mut`, two `&` or a pointer of std's of which a method is called. An array has other methods there, also one by the
/// name of an alias.
fn behind(variable: &Ident, ty: &Type, body: &Block) -> Option<Why> {
    if of_std(ty, POINTERS).is_some()
        && argument(ty).is_some_and(|of| matches!(of, Type::Path(_)) && !is_holder(of))
    {
        return has_own_method(body, variable).then(|| Why {
            what: format!("a `{}`, no value or `&` to one", type_text(ty)),
            help: format!("copy the value before the loop: `let {variable} = *{variable};`"),
        });
    }
    let Type::Reference(outer) = ty else { return None };
    let (mut inner, mut stars) = (&*outer.elem, String::from("*"));
    while let Type::Reference(r) = inner {
        (inner, stars) = (&r.elem, stars + "*");
    }
    if is_holder(inner) || outer.mutability.is_none() && stars == "*" {
        return None;
    }
    has_own_method(body, variable).then(|| Why {
        what: format!("a `{}`, no value or `&` to one", type_text(ty)),
        help: format!("copy the value before the loop: `let {variable} = {stars}{variable};`"),
    })
}

/// Whether a type has arrays' methods, judged by its tokens.
fn is_holder(ty: &Type) -> bool {
    last(ty).is_none_or(|name| HOLDERS.iter().any(|holder| name == holder))
}

/// Types that have arrays' methods.
const HOLDERS: &[&str] = &["Vec", "Box", "Rc", "Arc", "Cow", "DeviceSlice", "DeviceView", "DeviceViewMut"];

/// Methods of arrays, by what their names begin with.
const OF_ARRAYS: &[&str] = &[
    "len",
    "is_empty",
    "swap",
    "iter",
    "into_iter",
    "chunk",
    "rchunk",
    "window",
    "get",
    "first",
    "last",
    "split",
    "as_",
    "to_vec",
    "clone",
    "copy_",
    "contains",
    "fill",
    "reverse",
    "rotate",
    "sort",
    "partition",
    "binary_search",
    "concat",
    "starts",
    "ends",
];

/// Whether a method that no array has is called on a variable.
fn has_own_method(body: &Block, variable: &Ident) -> bool {
    search::any(body, |e| {
        let Expr::MethodCall(m) = e else { return false };
        let method = m.method.to_string();
        matches!(&*m.receiver, Expr::Path(p) if p.path.is_ident(variable))
            && !OF_ARRAYS.iter().any(|name| method.starts_with(name))
    })
}

/// A collection or text of std, or an array whose elements are one, `Vec`s or pointers.
fn of_host(variable: &str, ty: &Type) -> Option<Why> {
    if let Some(name) = owner(ty) {
        let help = match name {
            "str" | "String" => format!("use its bytes: `let bytes = {variable}.as_bytes();` before the loop"),
            "Cell" => format!("read it before the loop: `let {variable} = {variable}.get();`"),
            "RefCell" => format!("borrow what is in it before the loop: `let {variable} = &*{variable}.borrow();`"),
            "Mutex" => format!("lock it before the loop: `let {variable} = &*{variable}.lock().unwrap();`"),
            "RangeInclusive" => format!("take its ends before the loop, `let (first, last) = (*{variable}.start(), *{variable}.end());`, and write `first..=last`"),
            "RwLock" => format!("lock it before the loop: `let {variable} = &*{variable}.read().unwrap();`"),
            _ => "copy what the loop needs to an array before it; mapped containers are `&[T]`, `&mut [T]`, `Vec<T>`, `Box<[T]>` and `[T; N]` where `T: omp::Device`".into(),
        };
        return Some(Why { what: format!("a `{name}`"), help });
    }
    let element = element(ty)?;
    let text = type_text(element);
    if let Some(name) = owner(element) {
        let help = match name {
            "str" | "String" => "put all bytes into one array, and where each text begins into another",
            _ => "copy the values to one array before the loop",
        };
        return Some(Why { what: format!("an array of `{text}`"), help: help.into() });
    }
    if of_std(element, &["Vec"]).is_some() {
        let help = format!(
            "keep all rows in one array: `let flat = {variable}.concat();` before the loop, and `flat[i * width + j]` in it (where rows differ in length, where each begins in another array)"
        );
        return Some(Why { what: format!("an array of `{text}`"), help });
    }
    if of_std(element, POINTERS).is_some() {
        let help = "keep the values themselves in an array, those of each type in one of their own: a device has no trait objects, and no address of the host's";
        return Some(Why { what: format!("an array of `{text}`"), help: help.into() });
    }
    None
}

/// Types of std that hold an address.
const POINTERS: &[&str] = &["Box", "Rc", "Arc"];

/// The name of a type of std that devices don't have, behind references.
fn owner(ty: &Type) -> Option<&'static str> {
    const OWNERS: &[&str] = &[
        "str",
        "String",
        "HashMap",
        "HashSet",
        "BTreeMap",
        "BTreeSet",
        "BinaryHeap",
        "VecDeque",
        "LinkedList",
        "Cell",
        "RefCell",
        "Mutex",
        "RwLock",
        "RangeInclusive",
    ];
    if let Type::Reference(r) = ty {
        return owner(&r.elem);
    }
    of_std(ty, OWNERS)
}

/// Which of these types of std a type is.
fn of_std(ty: &Type, names: &[&'static str]) -> Option<&'static str> {
    let name = last(ty)?;
    let found = names.iter().find(|std| name == **std)?;
    matches!(ty, Type::Path(p) if std_names::is_std(&p.path)).then_some(*found)
}

/// `T` of `Option<T>`.
fn argument(ty: &Type) -> Option<&Type> {
    let Type::Path(p) = ty else { return None };
    types::argument(p.path.segments.last()?)
}

fn last(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(p) if p.qself.is_none() => p.path.segments.last().map(|s| &s.ident),
        _ => None,
    }
}

/// A type as one writes it.
fn type_text(ty: &Type) -> String {
    let tokens: TokenStream = ty.to_token_stream();
    tokens
        .to_string()
        .replace(" <", "<")
        .replace("< ", "<")
        .replace(" >", ">")
        .replace("& ", "&")
        .replace(" ,", ",")
}

/// The variables of these that some code names, each where it stands first.
fn named<'a>(code: &'a (impl search::Code + ?Sized), known: &HashMap<String, Why>) -> Vec<&'a Ident> {
    let mut found: Vec<&Ident> = Vec::new();
    search::each(code, |e| {
        if let Expr::Path(p) = e
            && let Some(name) = p.path.get_ident()
            && known.contains_key(&name.to_string())
            && !found.contains(&name)
        {
            found.push(name);
        }
    });
    found
}
