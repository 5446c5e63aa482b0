//! The functions of an item, and the parameters of a function.
use syn::{FnArg, ImplItem, ImplItemFn, ItemImpl, PatType, Signature};

/// The functions and methods of an `impl`.
pub fn functions(item: &ItemImpl) -> impl Iterator<Item = &ImplItemFn> {
    item.items.iter().filter_map(|item| match item {
        ImplItem::Fn(f) => Some(f),
        _ => None,
    })
}

/// The parameters without the receiver.
pub fn typed_inputs(sig: &Signature) -> impl Iterator<Item = &PatType> {
    sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(typed) => Some(typed),
        FnArg::Receiver(_) => None,
    })
}
