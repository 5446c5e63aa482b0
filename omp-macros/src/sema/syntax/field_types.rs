//! The types of structs' fields, as the source file declares them. It has to show for sure which struct a name means
//! ([`Names`](super::host_functions::Names)).
use super::host_functions::Names;
use crate::parse::tokens::file::SourceFile;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use std::collections::HashMap;
use syn::{Item, Type};

/// By struct and field, the text of the type.
type Fields = HashMap<String, HashMap<String, String>>;

/// The type of a field of a struct without parameters. `at` is in the file that declares the struct.
pub fn of_field(of: &Type, field: &Ident, at: Span) -> Option<Type> {
    let Type::Path(p) = of else { return None };
    let fields = SourceFile::of(at)?
        .shows(|text| syn::parse_file(text).map_or_else(|_| Fields::new(), |file| read(&file)));
    let text = fields.get(&p.path.get_ident()?.to_string())?.get(&field.to_string())?;
    syn::parse_str(text).ok()
}

fn read(file: &syn::File) -> Fields {
    let names = Names::of(file);
    let structs = file.items.iter().filter_map(|item| match item {
        Item::Struct(s) if names.is_once(&s.ident) && s.generics.params.is_empty() => Some(s),
        _ => None,
    });
    let typed = |f: &syn::Field| {
        // Under another configuration, the field may have another type.
        let always = !f.attrs.iter().any(|a| a.path().is_ident("cfg") || a.path().is_ident("cfg_attr"));
        Some((f.ident.as_ref()?.to_string(), f.ty.to_token_stream().to_string())).filter(|_| always)
    };
    structs.map(|s| (s.ident.to_string(), s.fields.iter().filter_map(typed).collect())).collect()
}
