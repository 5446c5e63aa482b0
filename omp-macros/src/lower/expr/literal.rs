//! Literals. rustc infers the type of a literal without suffix. The negation belongs to the literal: `-128` is one
//! literal.
use crate::diag::Code as DiagCode;
use crate::lower::cx::{Lower, Value};
use crate::sema::syntax::forms::strip;
use omp_ir::desc::Prim;
use omp_ir::template::{Expr, TyRef};
use quote::quote_spanned;
use syn::spanned::Spanned;

/// The primitive of this name.
pub(in crate::lower) fn prim(name: &str) -> Option<Prim> {
    Some(match name {
        "bool" => Prim::Bool,
        "char" => Prim::Char,
        "i8" => Prim::I8,
        "i16" => Prim::I16,
        "i32" => Prim::I32,
        "i64" => Prim::I64,
        "isize" => Prim::Isize,
        "u8" => Prim::U8,
        "u16" => Prim::U16,
        "u32" => Prim::U32,
        "u64" => Prim::U64,
        "usize" => Prim::Usize,
        "f32" => Prim::F32,
        "f64" => Prim::F64,
        "u128" => Prim::U128,
        _ => return None,
    })
}

impl Lower {
    /// `5`, `-5`, `0.5f32`, `true`, `b'a'`.
    pub fn literal(&mut self, e: &mut syn::Expr) -> Value {
        let span = e.span();
        let plain = e.clone();
        let ty = if is_untyped(e) { Some(TyRef::Slot(self.query(e, "lit", span))) } else { None };
        self.literal_of(&plain, ty)
    }

    /// A literal that is an argument of a primitive's method, whose types follow from the receiver's. Whether the literal has the
    /// method's type is checked once, by the loop's own copies.
    pub fn literal_argument(&mut self, e: &mut syn::Expr) -> Value {
        let (span, plain) = (e.span(), e.clone());
        let (id, slot) = self.slot(span);
        *e = syn::Expr::Verbatim(quote_spanned!(span=> #slot.any()));
        self.literal_of(&plain, Some(TyRef::Slot(id)))
    }

    /// A number that is an argument of a function, where it stands as it is: whether it is of the parameter's type, rustc says of
    /// the call. Its slot has the parameter's type.
    pub fn bare_literal(&mut self, e: &syn::Expr) -> (Value, crate::lower::Caught) {
        let (id, slot) = self.slot(e.span());
        (self.literal_of(e, Some(TyRef::Slot(id))), slot)
    }

    /// `b"text"`, which stands for the array that it refers to.
    pub fn byte_string(&mut self, e: &mut syn::Expr) -> Value {
        let (span, src) = (e.span(), self.src(e.span()));
        let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::ByteStr(text), .. }) = e else {
            unreachable!("called with a byte string")
        };
        let byte = |b: u8| Expr::Int { value: b.into(), negative: false, ty: TyRef::Prim(Prim::U8) };
        let elems = text.value().into_iter().map(|b| self.expr(byte(b), src)).collect();
        let (slot, query) = self.slot(span);
        self.checks.extend(quote_spanned!(span=> #query.see(#text);));
        Some(self.expr(Expr::Array { slot, elems }, src))
    }

    /// The node of a literal of this type. `None`: its suffix names the type.
    pub fn literal_of(&mut self, e: &syn::Expr, ty: Option<TyRef>) -> Value {
        let src = self.src(e.span());
        let Some((mut negative, lit)) = number(e) else {
            let help = "numbers, `bool`s, characters and bytes `b'a'` can";
            self.error(
                DiagCode::UnsupportedLiteral,
                e.span(),
                "this literal can't be used on a device",
                help,
            );
            return None;
        };
        match lit {
            syn::Lit::Int(i) => {
                let ty = if i.suffix().is_empty() {
                    ty
                } else {
                    self.suffix(i.suffix(), i.span()).map(TyRef::Prim)
                }?;
                // In patterns `-1` is one literal.
                let digits = i.base10_digits().trim_start_matches('-');
                negative ^= digits.len() < i.base10_digits().len();
                if let TyRef::Prim(p) = ty
                    && p.is_float()
                {
                    let digits = digits.to_string();
                    return Some(self.expr(Expr::Float { digits, negative, ty }, src));
                }
                let Ok(value) = digits.parse::<u128>() else {
                    let help = "the largest type of a device has 64 bits";
                    self.error(DiagCode::UnsupportedLiteral, i.span(), "this number is too large", help);
                    return None;
                };
                Some(self.expr(Expr::Int { value, negative: negative && value != 0, ty }, src))
            }
            syn::Lit::Float(f) => {
                let ty = if f.suffix().is_empty() {
                    ty
                } else {
                    self.suffix(f.suffix(), f.span()).map(TyRef::Prim)
                }?;
                let digits = f.base10_digits().trim_start_matches('-').to_string();
                negative ^= digits.len() < f.base10_digits().len();
                Some(self.expr(Expr::Float { digits, negative, ty }, src))
            }
            syn::Lit::Bool(b) => Some(self.expr(Expr::Bool(b.value), src)),
            syn::Lit::Byte(b) => {
                let value = u128::from(b.value());
                Some(self.expr(Expr::Int { value, negative: false, ty: TyRef::Prim(Prim::U8) }, src))
            }
            syn::Lit::Char(c) => {
                let value = u32::from(c.value()).into();
                Some(self.expr(Expr::Int { value, negative: false, ty: TyRef::Prim(Prim::Char) }, src))
            }
            other => {
                self.error(
                    DiagCode::UnsupportedLiteral,
                    other.span(),
                    "text can't be used on a device",
                    "numbers, `bool`s, characters and bytes `b'a'` can, and arrays of bytes: `*b\"text\"`",
                );
                None
            }
        }
    }

    fn suffix(&mut self, suffix: &str, span: proc_macro2::Span) -> Option<Prim> {
        let known = prim(suffix);
        if known.is_none() {
            self.error(
                DiagCode::UnsupportedType,
                span,
                format!("`{suffix}` is no device type"),
                "use `u128`, or a type of at most 64 bits",
            );
        }
        known
    }

    /// Reports a primitive that no device has where it is written: rustc would say so of every expression of the type.
    pub fn fits(&mut self, ty: &syn::Type) -> Option<()> {
        const WIDE: &[&str] = &["i128", "f16", "f128"];
        match ty {
            syn::Type::Paren(p) => self.fits(&p.elem),
            syn::Type::Group(g) => self.fits(&g.elem),
            syn::Type::Array(a) => self.fits(&a.elem),
            syn::Type::Tuple(t) => t.elems.iter().try_for_each(|ty| self.fits(ty)),
            syn::Type::Path(p) => {
                let name = p.path.get_ident().map(ToString::to_string).unwrap_or_default();
                if p.qself.is_none() && WIDE.contains(&name.as_str()) {
                    self.suffix(&name, p.path.segments[0].ident.span())?;
                }
                Some(())
            }
            _ => Some(()),
        }
    }

    /// A literal under `as`: rustc gives an integer literal the type of the cast if that is an integer type (`i32`
    /// otherwise), and a float literal if that is a float type (`f64` otherwise).
    pub fn literal_under_cast(&mut self, e: &syn::Expr, target: TyRef, target_name: &str) -> Value {
        let float_target = matches!(target_name, "f32" | "f64");
        let int_target = prim(target_name).is_some_and(Prim::is_int);
        match number(e)? {
            (_, syn::Lit::Int(i)) if i.suffix().is_empty() => {
                let ty = if float_target { TyRef::Prim(Prim::I32) } else { target };
                self.literal_of(e, Some(ty))
            }
            (_, syn::Lit::Float(f)) if f.suffix().is_empty() => {
                let ty = if int_target { TyRef::Prim(Prim::F64) } else { target };
                self.literal_of(e, Some(ty))
            }
            _ => self.literal_of(e, None),
        }
    }
}

/// A number without a suffix: rustc finds its type.
pub(in crate::lower) fn is_untyped(e: &syn::Expr) -> bool {
    match number(e) {
        Some((_, syn::Lit::Int(i))) => i.suffix().is_empty(),
        Some((_, syn::Lit::Float(f))) => f.suffix().is_empty(),
        _ => false,
    }
}

/// The literal and whether it is negated.
fn number(e: &syn::Expr) -> Option<(bool, &syn::Lit)> {
    match strip(e) {
        syn::Expr::Lit(l) => Some((false, &l.lit)),
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)) => {
            let (negative, lit) = number(&u.expr)?;
            Some((!negative, lit))
        }
        _ => None,
    }
}
