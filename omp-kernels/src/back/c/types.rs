//! Types: names and definitions, made when first used.
//!
//! A type has two spellings: of a *value* (`bool` is `bool`) and in *memory* (`bool` is `u8`, so that a byte is
//! read and written). They convert into each other silently. Structs stand in rustc's order of offsets with their
//! padding spelled out; fixed arrays are structs around an array, so that they can be assigned and returned.
use super::expr::literal;
use super::helpers::{c_name, signed, unsigned};
use super::names::Namer;
use super::writer::read_int;
use crate::back::Dialect;
use crate::back::syntax::Syntax;
use crate::schedule::aligned_to;
use omp_ir::desc::{DataDesc, EnumDesc, FieldDesc, OptionLayout, Prim, StructDesc};
use omp_ir::ids::TyId;
use omp_ir::kernel::{Ty, Types};
use std::collections::HashMap;
use std::fmt::Write as _;

/// The address space of a slice's or place's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Space {
    /// A mapped array.
    Global,
    /// A local variable.
    Private,
    /// A table.
    Constant,
}

/// A struct as it is emitted.
#[derive(Debug, Clone)]
pub(crate) struct StructNames {
    /// By field in the order of declaration; `None` for those of size zero.
    pub fields: Vec<Option<String>>,
}

/// The types of a source.
#[derive(Debug)]
pub(crate) struct TypeTable<'k> {
    types: &'k Types,
    syntax: &'static Syntax,
    names: HashMap<TyId, String>,
    structs: HashMap<TyId, StructNames>,
    slices: HashMap<(TyId, Space), String>,
    vectors: HashMap<(TyId, u32), String>,
    makers: HashMap<TyId, String>,
    /// The definitions so far.
    pub text: String,
}

impl<'k> TypeTable<'k> {
    pub(crate) fn new(types: &'k Types, syntax: &'static Syntax) -> Self {
        Self {
            types,
            syntax,
            names: HashMap::new(),
            structs: HashMap::new(),
            slices: HashMap::new(),
            vectors: HashMap::new(),
            makers: HashMap::new(),
            text: String::new(),
        }
    }

    pub(crate) fn get(&self, ty: TyId) -> &'k Ty {
        self.types.get(ty)
    }

    pub(crate) fn prim(&self, ty: TyId) -> Option<Prim> {
        self.types.prim(ty)
    }

    /// The integer that a field-less enum is, or the primitive.
    pub(crate) fn scalar(&self, ty: TyId) -> Option<Prim> {
        match self.get(ty) {
            Ty::Prim(p) => Some(*p),
            Ty::Enum(e) => Some(enum_int(e)),
            Ty::Unit
            | Ty::Never
            | Ty::Array(..)
            | Ty::Struct(..)
            | Ty::Data(..)
            | Ty::Option(_)
            | Ty::Slice(_) => None,
        }
    }

    /// Nothing is stored for it.
    pub(crate) fn is_empty(&self, ty: TyId) -> bool {
        matches!(self.get(ty), Ty::Never) || self.types.size(ty) == Some(0)
    }

    /// Bytes in memory.
    pub(crate) fn size(&self, ty: TyId) -> Option<u64> {
        self.types.size(ty)
    }

    /// The type of a variable.
    pub(crate) fn value(&mut self, ty: TyId, names: &mut Namer) -> String {
        match self.types.get(ty) {
            Ty::Prim(Prim::Bool) => "bool".to_owned(),
            _ => self.memory(ty, names),
        }
    }

    /// The type of an array element or field.
    pub(crate) fn memory(&mut self, ty: TyId, names: &mut Namer) -> String {
        if let Some(name) = self.names.get(&ty) {
            return name.clone();
        }
        let name = match self.types.get(ty) {
            Ty::Unit | Ty::Never | Ty::Prim(Prim::Bool) => "u8".to_owned(),
            Ty::Prim(p) => c_name(*p).to_owned(),
            Ty::Enum(e) => c_name(enum_int(e)).to_owned(),
            Ty::Array(elem, len) => self.array(*elem, *len, names),
            Ty::Struct(desc, fields) => self.structure(ty, desc, fields, names),
            Ty::Data(desc, variants) => self.data(ty, desc, variants, names),
            Ty::Option(payload) => {
                let tag = match self.types.option(*payload) {
                    Some(OptionLayout::Tag(prim)) => format!("{} has; ", c_name(prim)),
                    Some(OptionLayout::Niche { .. }) => String::new(),
                    None => "u8 has; ".to_owned(),
                };
                let payload = self.memory(*payload, names);
                let name = names.name(&format!("option_{payload}"));
                let _ = writeln!(self.text, "typedef struct {{ {tag}{payload} value; }} {name};");
                if let (Dialect::Cuda, Some(size)) = (self.syntax.dialect, self.types.size(ty)) {
                    let _ = writeln!(
                        self.text,
                        "static_assert(sizeof({name}) == {size}, \"{name} is laid out as rustc does\");"
                    );
                }
                name
            }
            Ty::Slice(elem) => self.slice(*elem, Space::Global, names),
        };
        self.names.insert(ty, name.clone());
        name
    }

    fn array(&mut self, elem: TyId, len: u64, names: &mut Namer) -> String {
        let elem = self.memory(elem, names);
        let name = names.name(&format!("{elem}_x{len}"));
        let _ = writeln!(self.text, "typedef struct {{ {elem} v[{}]; }} {name};", len.max(1));
        name
    }

    fn structure(&mut self, ty: TyId, desc: &StructDesc, fields: &[TyId], names: &mut Namer) -> String {
        let mut inner = Namer::new(self.syntax);
        let field_names: Vec<_> = desc
            .fields
            .iter()
            .zip(fields)
            .map(|(field, &ty)| (!self.is_empty(ty)).then(|| inner.name(field.name)))
            .collect();
        let types: Vec<_> = fields.iter().map(|&ty| self.memory(ty, names)).collect();
        let wish = if desc.name.starts_with('(') { "tuple" } else { desc.name };
        let name = names.name(wish);
        let mut order: Vec<usize> = (0..fields.len()).filter(|&i| field_names[i].is_some()).collect();
        order.sort_by_key(|&i| desc.fields[i].offset);
        let mut body = String::new();
        let (mut at, mut natural, mut pads) = (0usize, 1, 0);
        for &i in &order {
            let field = &desc.fields[i];
            natural = natural.max(field.ty.align());
            let aligned = at.div_ceil(field.ty.align().max(1)) * field.ty.align().max(1);
            if field.offset > aligned {
                let _ =
                    writeln!(body, "    u8 {}[{}];", inner.name(&format!("pad{pads}")), field.offset - at);
                pads += 1;
            }
            let field_name = field_names[i].as_deref().unwrap_or_default();
            let _ = writeln!(body, "    {} {field_name};", types[i]);
            at = field.offset + field.ty.size().unwrap_or(0);
        }
        if order.is_empty() {
            body.push_str("    u8 nothing;\n");
        }
        let align = if desc.align > natural {
            format!("{} ", self.syntax.align.replace('#', &desc.align.to_string()))
        } else {
            String::new()
        };
        let _ = writeln!(self.text, "typedef struct {align}{{\n{body}}} {name};");
        if self.syntax.dialect == Dialect::Cuda && desc.size > 0 && !holds_option(fields, self.types) {
            let _ = writeln!(
                self.text,
                "static_assert(sizeof({name}) == {}, \"{name} is laid out as rustc does\");",
                desc.size
            );
        }
        self.structs.insert(ty, StructNames { fields: field_names });
        name
    }

    /// A union of the variants. Words come first: they initialise tables, and compilers that copy a union as its most aligned member
    /// don't copy bytes that are padding there but part of another variant.
    fn data(&mut self, ty: TyId, desc: &DataDesc, variants: &[TyId], names: &mut Namer) -> String {
        let mut inner = Namer::new(self.syntax);
        let (words, tag) = (inner.name("words"), inner.name("tag"));
        let word = word_of(desc);
        let (mut body, natural) = (String::new(), word.size());
        let _ = writeln!(
            body,
            "    {} {words}[{}];\n    {} {tag};",
            c_name(word),
            desc.size / natural,
            c_name(desc.tag)
        );
        let mut fields = vec![Some(tag)];
        for (variant, &fields_ty) in desc.variants.iter().zip(variants) {
            let field = (!variant.fields.fields.is_empty()).then(|| inner.name(variant.name));
            if let Some(field) = &field {
                let _ = writeln!(body, "    {} {field};", self.memory(fields_ty, names));
            }
            fields.push(field);
        }
        let align = if desc.align > natural {
            format!("{} ", self.syntax.align.replace('#', &desc.align.to_string()))
        } else {
            String::new()
        };
        let name = names.name(desc.name);
        let _ = writeln!(self.text, "typedef union {align}{{\n{body}}} {name};");
        if self.syntax.dialect == Dialect::Cuda {
            let _ = writeln!(
                self.text,
                "static_assert(sizeof({name}) == {}, \"{name} is laid out as rustc does\");",
                desc.size
            );
        }
        self.structs.insert(ty, StructNames { fields });
        name
    }

    /// The field names of a struct or tuple; of an enum with data, the tag and the variants.
    pub(crate) fn struct_names(&mut self, ty: TyId, names: &mut Namer) -> StructNames {
        self.memory(ty, names);
        self.structs[&ty].clone()
    }

    /// A slice: pointer and length.
    pub(crate) fn slice(&mut self, elem: TyId, space: Space, names: &mut Namer) -> String {
        if let Some(name) = self.slices.get(&(elem, space)) {
            return name.clone();
        }
        let c = self.memory(elem, names);
        let place = self.space(space);
        let wish = match (self.syntax.dialect, space) {
            (Dialect::Cuda, _) | (_, Space::Global) => format!("slice_{c}"),
            (_, Space::Private) => format!("private_slice_{c}"),
            (_, Space::Constant) => format!("constant_slice_{c}"),
        };
        let name = names.name(&wish);
        let _ = writeln!(self.text, "typedef struct {{ {place}const {c}* p; u64 len; }} {name};");
        self.slices.insert((elem, space), name.clone());
        if self.syntax.dialect == Dialect::Cuda {
            for other in [Space::Global, Space::Private, Space::Constant] {
                self.slices.insert((elem, other), name.clone());
            }
        }
        name
    }

    /// The address space of a pointer, followed by a space.
    pub(crate) fn space(&self, space: Space) -> &'static str {
        match space {
            Space::Global => self.syntax.global,
            Space::Private => "",
            Space::Constant => self.syntax.constant_space,
        }
    }

    /// `width` neighbouring elements that are moved by one access.
    pub(crate) fn vector(&mut self, elem: TyId, width: u32, names: &mut Namer) -> String {
        if let Some(name) = self.vectors.get(&(elem, width)) {
            return name.clone();
        }
        let c = self.memory(elem, names);
        let bytes = self.size(elem).unwrap_or(1) * u64::from(width);
        let name = names.name(&format!("wide_{c}_{width}"));
        let align = self.syntax.align.replace('#', &aligned_to(bytes).to_string());
        let text = match self.syntax.dialect {
            Dialect::Cuda => format!("typedef struct {align} {{ {c} v[{width}]; }} {name};"),
            Dialect::OpenCl => format!("typedef struct {{ {c} v[{width}]; }} {align} {name};"),
        };
        self.text.push_str(&text);
        self.text.push('\n');
        self.vectors.insert((elem, width), name.clone());
        name
    }

    /// Whether an `Option` of a type, given as text, is a `Some`.
    pub(crate) fn has(&mut self, payload: TyId, option: &str, names: &mut Namer) -> String {
        match self.niche(payload, names) {
            Some((part, none)) => format!("({option}{part} != {none})"),
            None => format!("{option}.has"),
        }
    }

    /// The part of an `Option` without a tag that tells `None` from `Some`, and its value in `None`.
    fn niche(&mut self, payload: TyId, names: &mut Namer) -> Option<(String, String)> {
        let Some(OptionLayout::Niche { offset, none, .. }) = self.types.option(payload) else { return None };
        let mut part = ".value".to_owned();
        let prim = self.integer_at(payload, offset, &mut part, names);
        Some((part, literal::int(self.syntax, prim, read_int(prim, &none.to_le_bytes()))))
    }

    /// The integer at an offset in a value, where rustc keeps a `None`; `part` becomes its name.
    fn integer_at(&mut self, ty: TyId, offset: usize, part: &mut String, names: &mut Namer) -> Prim {
        match self.types.get(ty) {
            Ty::Prim(p) => p.unsigned(),
            Ty::Enum(e) => enum_int(e),
            Ty::Array(elem, _) => {
                part.push_str(".v[0]");
                self.integer_at(*elem, offset, part, names)
            }
            Ty::Struct(desc, fields) => {
                let field_names = self.struct_names(ty, names).fields;
                let all = desc.fields.iter().zip(fields).zip(&field_names);
                let within =
                    |f: &FieldDesc| (f.offset..f.offset + f.ty.size().unwrap_or(0)).contains(&offset);
                for ((field, &ty), name) in all {
                    if let Some(name) = name.as_ref().filter(|_| within(field)) {
                        let _ = write!(part, ".{name}");
                        return self.integer_at(ty, offset - field.offset, part, names);
                    }
                }
                Prim::U8
            }
            Ty::Data(desc, _) => {
                let field_names = self.struct_names(ty, names).fields;
                let _ = write!(part, ".{}", field_names[0].as_deref().unwrap_or_default());
                desc.tag
            }
            Ty::Option(payload) => match self.types.option(*payload) {
                Some(OptionLayout::Niche { .. }) => {
                    part.push_str(".value");
                    self.integer_at(*payload, offset, part, names)
                }
                Some(OptionLayout::Tag(prim)) => {
                    part.push_str(".has");
                    prim
                }
                None => Prim::U8,
            },
            Ty::Unit | Ty::Never | Ty::Slice(_) => Prim::U8,
        }
    }

    /// The function that makes a struct, array or option of its parts.
    pub(crate) fn maker(&mut self, ty: TyId, names: &mut Namer) -> String {
        if let Some(name) = self.makers.get(&ty) {
            return name.clone();
        }
        let c = self.memory(ty, names);
        let name = names.name(&format!("make_{c}"));
        let (mut params, mut body) = (Vec::new(), String::new());
        match self.types.get(ty) {
            Ty::Struct(_, fields) => {
                let field_names = self.struct_names(ty, names);
                for (i, (&field, field_name)) in fields.iter().zip(&field_names.fields).enumerate() {
                    if let Some(field_name) = field_name {
                        params.push(format!("{} a{i}", self.value(field, names)));
                        let _ = write!(body, " r.{field_name} = a{i};");
                    }
                }
            }
            Ty::Array(elem, len) => {
                let elem = self.value(*elem, names);
                for i in 0..*len {
                    params.push(format!("{elem} a{i}"));
                    let _ = write!(body, " r.v[{i}] = a{i};");
                }
            }
            Ty::Option(payload) => {
                params.push(format!("bool has, {} value", self.value(*payload, names)));
                match self.niche(*payload, names) {
                    Some((part, none)) => {
                        let _ = write!(body, " r.value = value; if (!has) r{part} = {none};");
                    }
                    None => body.push_str(" r.has = has; r.value = value;"),
                }
            }
            Ty::Unit | Ty::Never | Ty::Prim(_) | Ty::Enum(_) | Ty::Data(..) | Ty::Slice(_) => {}
        }
        let helper = self.syntax.helper;
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let _ = writeln!(self.text, "{helper}{c} {name}({params}) {{ {c} r;{body} return r; }}");
        self.makers.insert(ty, name.clone());
        name
    }
}

fn holds_option(fields: &[TyId], types: &Types) -> bool {
    fields.iter().any(|&f| types.size(f).is_none())
}

/// The integer with the alignment of an enum with data, without what `align` adds.
pub(crate) fn word_of(desc: &DataDesc) -> Prim {
    match desc.variants.iter().map(|v| v.fields.align).fold(desc.tag.size(), usize::max) {
        1 => Prim::U8,
        2 => Prim::U16,
        4 => Prim::U32,
        _ => Prim::U64,
    }
}

/// The integer that holds an enum: signed if a discriminant is negative.
pub(crate) fn enum_int(desc: &EnumDesc) -> Prim {
    let of_size = match desc.size {
        1 => Prim::U8,
        2 => Prim::U16,
        4 => Prim::U32,
        _ => Prim::U64,
    };
    if desc.variants.iter().any(|(_, value, _)| *value < 0) { signed(of_size) } else { unsigned(of_size) }
}
