//! The derives: `omp::Device` (layouts of device types) and `omp::Mapper` (the arrays of a struct).
pub(super) mod derived;
pub mod device;
pub mod mapper;

use crate::diag::{Code, Sink};
use proc_macro2::TokenStream;
use syn::DeriveInput;

/// The item under a derive.
fn input(item: TokenStream, sink: &mut Sink) -> Option<DeriveInput> {
    match syn::parse2(item) {
        Ok(input) => Some(input),
        Err(e) => {
            sink.syntax(Code::DeriveDevice, &e);
            None
        }
    }
}
