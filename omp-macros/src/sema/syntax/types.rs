//! Forms of types that several phases look for.
use syn::{GenericArgument, PathArguments, PathSegment, Type};

/// Without parentheses, and the invisible groups around a macro's arguments.
pub fn behind_parens(ty: &Type) -> &Type {
    match ty {
        Type::Paren(p) => behind_parens(&p.elem),
        Type::Group(g) => behind_parens(&g.elem),
        ty => ty,
    }
}

/// Without these and references.
pub fn behind_references(ty: &Type) -> &Type {
    match behind_parens(ty) {
        Type::Reference(r) => behind_references(&r.elem),
        ty => ty,
    }
}

/// The element type of an array, slice or `Vec`, behind references and boxes.
pub fn element(ty: &Type) -> Option<&Type> {
    match behind_references(ty) {
        Type::Slice(s) => Some(&s.elem),
        Type::Array(a) => Some(&a.elem),
        Type::Path(p) => {
            let of = p.path.segments.last()?;
            match of.ident == "Box" {
                true => element(argument(of)?),
                false => argument(of).filter(|_| of.ident == "Vec"),
            }
        }
        _ => None,
    }
}

/// The first type among a segment's arguments: `T` of `Option<T>`.
pub fn argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(of) = &segment.arguments else { return None };
    of.args.iter().find_map(|arg| match arg {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
