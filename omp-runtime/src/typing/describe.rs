//! Collects the types of a region, and those of the device functions that it reaches, each once.
use super::call::{Call, DeviceFn, NotDeclared, type_id};
use super::device::{Konst, Value};
use super::operator::{HasDeviceOp, HasUnaryOp, OpSlot};
use omp_ir::desc::TypeDesc;
use omp_ir::ids::FnId;
use omp_ir::kernel::{Callee, CodeTypes, ConstValue, DeclaredOperator, RegionTypes};
use omp_ir::template::{FnTemplate, KernelTemplate, NamedUpdate};
use omp_kernels::valid::misnamed;
use std::any::{TypeId, type_name};
use std::mem::MaybeUninit;

/// Collects the answers of one region and of the device functions that it reaches.
///
/// Generated code calls [`array`](Self::array), [`slot`](Self::slot), [`konst`](Self::konst) and
/// [`call`](Self::call) in the order of the template's ids. At its first call, a function is described by its companion, into a frame
/// of its own; later calls only refer to it, so recursion ends.
#[derive(Debug)]
pub struct Describe {
    arrays: Vec<Option<&'static TypeDesc>>,
    /// The body that answers now belong to.
    current: Frame,
    /// Functions that are described or being described, by [`FnId`].
    known: Vec<TypeId>,
    /// Those described, by [`FnId`].
    fns: Vec<Option<(FnTemplate, CodeTypes)>>,
    /// The first guard that failed.
    fault: Option<String>,
}

#[derive(Debug, Default)]
struct Frame {
    template: Option<FnTemplate>,
    types: CodeTypes,
}

/// A const or static: `(&&KonstW(&TABLE)).omp_konst(cx)`. It is total, so that a type that is none of a device's is one
/// error: that of the typing copy.
pub struct KonstW<'a, T: ?Sized>(pub &'a T);

shows_name!([T: ?Sized] KonstW<'_, T>, "KonstW");

/// Of a device type.
pub trait TellKonst1 {
    /// Describes the value.
    fn omp_konst(&self, cx: &mut Describe);
}

/// Of any other.
pub trait TellKonst0 {
    /// Refuses the region.
    fn omp_konst(&self, cx: &mut Describe);
}

impl<T: Konst> TellKonst1 for &KonstW<'_, T> {
    fn omp_konst(&self, cx: &mut Describe) {
        cx.konst(self.0.held());
    }
}

impl<T: ?Sized> TellKonst0 for KonstW<'_, T> {
    fn omp_konst(&self, cx: &mut Describe) {
        cx.fault(|| format!("a const of `{}`, which is no `omp::Device`", type_name::<T>()));
    }
}

impl Describe {
    /// Starts with the body of a region in `file`.
    #[must_use]
    pub fn region(file: &'static str) -> Self {
        let mut current = Frame::default();
        current.types.file = file;
        Self { arrays: Vec::new(), current, known: Vec::new(), fns: Vec::new(), fault: None }
    }

    /// The element type of the next array.
    pub fn array(&mut self, desc: Option<&'static TypeDesc>) {
        if desc.and_then(TypeDesc::size) == Some(0) {
            self.fault.get_or_insert_with(|| "elements of size zero can't be mapped".to_string());
        }
        self.arrays.push(desc);
    }

    /// The type of the next slot.
    pub fn slot(&mut self, desc: Option<&'static TypeDesc>) {
        self.current.types.slots.push(desc);
    }

    /// The value of the next const or static.
    pub fn konst<T: Value>(&mut self, value: &T) {
        self.current.types.consts.push(ConstValue { ty: T::DESC, bytes: konst_bytes(value) });
    }

    /// The callee of the next call.
    pub fn call<M: DeviceFn, F, K>(&mut self, _: &Call<M, F, K>) {
        let callee = if M::BUILTIN {
            self.genuine::<F>(M::genuine(), type_name::<M>());
            M::describe(self);
            Callee::Builtin
        } else {
            self.function::<M, F>()
        };
        if type_id::<K>() != TypeId::of::<()>() && !M::METHOD {
            self.fault(|| format!("`{}` is no device method, but stands for one", type_name::<M>()));
        }
        self.current.types.calls.push(callee);
    }

    /// The next operator, between types that are known.
    pub fn operator<O, A: HasDeviceOp<O, B>, B>(&mut self, _: &OpSlot<O, A, B>) {
        let callee = self.callee::<A::Callee>();
        self.current.types.calls.push(callee);
    }

    /// The next operator of one operand, of a type that is known.
    pub fn unary_operator<O, A: HasUnaryOp<O>>(&mut self, _: &OpSlot<O, A, ()>) {
        let callee = self.callee::<A::Callee>();
        self.current.types.calls.push(callee);
    }

    /// The next operator, between types that may be type parameters.
    pub fn operator_behind(&mut self, callee: Callee) {
        self.current.types.calls.push(callee);
    }

    /// A function that is called. It is described at its first call.
    pub fn callee<M: DeviceFn>(&mut self) -> Callee {
        if let Some(callee) = M::found(self) {
            callee
        } else if M::BUILTIN {
            M::describe(self);
            Callee::Builtin
        } else {
            self.function::<M, ()>()
        }
    }

    /// The region can't go to a device.
    pub fn fault(&mut self, why: impl FnOnce() -> String) {
        self.fault.get_or_insert_with(why);
    }

    /// The next reduction item's operator is built in, or none at all.
    pub fn builtin_operator(&mut self) {
        self.current.types.operators.push(None);
    }

    /// The next reduction item's operator is the function that `call` caught.
    pub fn declared_function<M: DeviceFn, F>(&mut self, _: &Call<M, F>, identity: Option<ConstValue>) {
        let callee = self.function::<M, F>();
        self.declared_operator(Some(callee), identity);
    }

    /// The next reduction item's operator is this function.
    /// (Without one, or a value of it, its type is no device type, as rustc says where it is declared.)
    pub fn declared_operator(&mut self, callee: Option<Callee>, identity: Option<ConstValue>) {
        let declared = match (callee, identity) {
            (Some(Callee::Fn(function)), Some(identity)) => Some(DeclaredOperator { function, identity }),
            _ => None,
        };
        self.current.types.operators.push(declared);
    }

    /// The function item `F` that is called by a path has to be the declared one. (`()`: of a method, or any.)
    pub(crate) fn genuine<F>(&mut self, declared: TypeId, name: &str) {
        let none = TypeId::of::<()>();
        if type_id::<F>() != declared && type_id::<F>() != none && declared != none {
            self.fault.get_or_insert_with(|| {
                format!(
                    "the function that is called, `{}`, is not the device function that was declared under its name, `{name}`: \
                     rename one of them or call it by its path",
                    type_name::<F>(),
                )
            });
        }
    }

    fn function<M: DeviceFn, F>(&mut self) -> Callee {
        // For functions that never return, no bound can check that they are declared.
        if type_id::<M>() == type_id::<NotDeclared>() {
            self.fault.get_or_insert_with(|| {
                let name = type_name::<F>();
                format!("`{name}` is no device function: put `#[omp::declare_target]` on it, or say `panic!`")
            });
        }
        if type_id::<F>() != M::genuine() && type_id::<F>() != TypeId::of::<()>() {
            self.fault.get_or_insert_with(|| {
                format!(
                    "the function that is called, `{}`, is not the device function that was declared under its name, `{}`: \
                     rename one of them or call it by its path",
                    type_name::<F>(),
                    type_name::<M>(),
                )
            });
        }
        let key = type_id::<M>();
        if let Some(i) = self.known.iter().position(|k| *k == key) {
            return Callee::Fn(FnId::new(i));
        }
        let id = self.known.len();
        self.known.push(key);
        self.fns.push(None);
        let caller = std::mem::take(&mut self.current);
        M::describe(self);
        let described = std::mem::replace(&mut self.current, caller);
        if let Some(template) = described.template {
            self.fns[id] = Some((template, described.types));
        } else {
            self.fault.get_or_insert_with(|| format!("`{}` is no device function", type_name::<M>()));
        }
        Callee::Fn(FnId::new(id))
    }

    /// The template of the function that is described now, in `file`, whose crate may check arithmetic for overflow.
    pub fn template(&mut self, bytes: &'static [u8], file: &'static str, overflow_checks: bool) {
        match FnTemplate::from_bytes(bytes) {
            Ok(template) => self.current.template = Some(template),
            Err(e) => {
                self.fault.get_or_insert_with(|| format!("a device function of {file} can't be read: {e}"));
            }
        }
        self.current.types.file = file;
        self.current.types.overflow_checks = Some(overflow_checks);
    }

    /// The same of a template that is made here.
    pub(crate) fn made(&mut self, template: FnTemplate) {
        self.current.template = Some(template);
        self.current.types.file = file!();
    }

    /// The update of a reduction item by a method or operator that may compute something else than its name says.
    #[must_use]
    pub(crate) fn misnamed_update(&self, template: &KernelTemplate) -> Option<NamedUpdate> {
        misnamed(template, &self.current.types, |f| {
            self.fns.get(f.index())?.as_ref().map(|(f, types)| (f, types))
        })
    }

    /// What was described.
    ///
    /// # Errors
    /// Why the region can't go to a device: the function called is not the one declared, or its template is not of
    /// this version.
    pub fn finish(self) -> Result<RegionTypes, String> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let fns =
            self.fns.into_iter().collect::<Option<Vec<_>>>().ok_or("a device function was not described")?;
        Ok(RegionTypes { arrays: self.arrays, code: self.current.types, fns })
    }
}

/// The bytes of a value as rustc lays them out, padding zeroed. Empty for types without a layout.
#[must_use]
pub fn konst_bytes<T: Value>(value: &T) -> Vec<u8> {
    let Some(size) = T::DESC.size() else { return Vec::new() };
    let mut bytes = vec![0; size];
    // SAFETY: `T: Value` with a size is a device type, so `DESC` describes where its initialised bytes are, all of them
    // inside `size_of::<T>()`.
    unsafe { copy_fields(T::DESC, (&raw const *value).cast(), &mut bytes) };
    bytes
}

/// The bytes of values that stand one after the other, padding zeroed.
///
/// # Safety
/// `from` holds values of the type that `desc` describes.
pub(crate) unsafe fn initialised_bytes(desc: &TypeDesc, from: &[MaybeUninit<u8>]) -> Vec<u8> {
    let mut bytes = vec![0; from.len()];
    let Some(size) = desc.size().filter(|size| *size > 0) else { return bytes };
    for (from, to) in from.chunks_exact(size).zip(bytes.chunks_exact_mut(size)) {
        // SAFETY: a value of the type, by the caller.
        unsafe { copy_fields(desc, from.as_ptr().cast(), to) };
    }
    bytes
}

/// Copies the bytes that are not padding.
///
/// # Safety
/// `from` points to a value of the type that `desc` describes.
unsafe fn copy_fields(desc: &TypeDesc, from: *const u8, to: &mut [u8]) {
    match desc {
        TypeDesc::Unit => {}
        TypeDesc::Option(o) => {
            let (Some(layout), Some(size)) = (o.layout, o.of.size()) else { return };
            let (decider, prim) = layout.decider();
            // SAFETY: what tells `None` from `Some` is initialised, all of it (`Device` of `Option` has tried it).
            unsafe {
                std::ptr::copy_nonoverlapping(from.add(decider), to[decider..].as_mut_ptr(), prim.size());
            };
            if layout.is_some(to) {
                let at = layout.value_at();
                // SAFETY: a `Some` has its value there.
                unsafe { copy_fields(o.of, from.add(at), &mut to[at..at + size]) };
            }
        }
        TypeDesc::Prim(p) => {
            // SAFETY: a primitive's bytes are all initialised.
            unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), p.size().min(to.len())) };
        }
        TypeDesc::Enum(e) => {
            // SAFETY: so are those of a field-less enum.
            unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), e.size.min(to.len())) };
        }
        TypeDesc::Data(d) => {
            // SAFETY: the tag is initialised.
            unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), d.tag.size().min(to.len())) };
            let Some(variant) = d.stands(to) else { return };
            for f in d.variants[variant].fields.fields {
                let end = f.offset + f.ty.size().unwrap_or(0);
                // SAFETY: the field of the variant that stands there starts at its offset inside the enum.
                unsafe { copy_fields(f.ty, from.add(f.offset), &mut to[f.offset..end]) };
            }
        }
        TypeDesc::Array { elem, len } => {
            let size = elem.size().unwrap_or(0);
            for i in 0..*len {
                // SAFETY: element `i` starts at `i * size` inside the array.
                unsafe { copy_fields(elem, from.add(i * size), &mut to[i * size..(i + 1) * size]) };
            }
        }
        TypeDesc::Struct(s) => {
            for f in s.fields {
                let end = f.offset + f.ty.size().unwrap_or(0);
                // SAFETY: the field starts at its offset inside the struct.
                unsafe { copy_fields(f.ty, from.add(f.offset), &mut to[f.offset..end]) };
            }
        }
    }
}

/// The identity of a declared reduction: `(&NeutralW(&value)).omp_neutral_value()`.
pub struct NeutralW<'a, T>(pub &'a T);

shows_name!([T] NeutralW<'_, T>, "NeutralW");

/// A value of a device type.
pub trait Neutral1 {
    /// The value.
    fn omp_neutral_value(&self) -> Option<ConstValue>;
}

/// Another one, which is reported elsewhere.
pub trait Neutral0 {
    /// None.
    fn omp_neutral_value(&self) -> Option<ConstValue>;
}

impl<T: Value> Neutral1 for NeutralW<'_, T> {
    fn omp_neutral_value(&self) -> Option<ConstValue> {
        Some(ConstValue { ty: T::DESC, bytes: konst_bytes(self.0) })
    }
}

impl<T> Neutral0 for &NeutralW<'_, T> {
    fn omp_neutral_value(&self) -> Option<ConstValue> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typing::call::{Builtin, id_of};
    use omp_ir::template::Code;
    use std::sync::LazyLock;

    fn fib(n: u32) -> u32 {
        if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
    }

    #[allow(non_camel_case_types)]
    struct Fib;

    static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
        FnTemplate { name: "fib".into(), params: vec![], ret: None, code: Code::default() }.to_bytes()
    });

    impl Fib {
        fn bind<F: Fn(u32) -> u32>(_: &Call<Self, F>, f: F) -> F {
            f
        }
    }

    // SAFETY: no template, or that of the function.
    unsafe impl DeviceFn for Fib {
        fn genuine() -> TypeId {
            id_of(&fib)
        }
        fn describe(cx: &mut Describe) {
            let call = Call::new();
            if false {
                Fib::bind(&call, fib);
            }
            cx.template(&BYTES, "a.rs", false);
            cx.slot(Some(<u32 as Value>::DESC));
            cx.call(&call);
        }
    }

    #[test]
    fn recursion_is_described_once() {
        let (call, method) = (Call::new(), Call::<Builtin>::new());
        Fib::bind(&call, fib);
        let mut cx = Describe::region("main.rs");
        cx.call(&call);
        cx.call(&method);
        cx.call(&call);
        let types = cx.finish().unwrap();
        assert_eq!(types.code.calls, [Callee::Fn(FnId(0)), Callee::Builtin, Callee::Fn(FnId(0))]);
        assert_eq!(types.fns.len(), 1);
        assert_eq!(types.fns[0].1.calls, [Callee::Fn(FnId(0))]);
        assert_eq!((types.code.file, types.fns[0].1.file), ("main.rs", "a.rs"));
    }

    #[test]
    fn another_function_of_the_name_is_refused() {
        fn other(n: u32) -> u32 {
            n
        }
        let call = Call::new();
        Fib::bind(&call, other);
        let mut cx = Describe::region("main.rs");
        cx.call(&call);
        let fault = cx.finish().unwrap_err();
        assert!(fault.contains("other") && fault.contains("not the device function"), "{fault}");
    }

    #[test]
    fn padding_of_consts_is_zero() {
        let bytes = konst_bytes(&(0x11u8, 0x2233_4455u32));
        assert_eq!(bytes.len(), 8);
        assert_eq!(bytes.iter().filter(|b| **b == 0).count(), 3);
        assert_eq!(konst_bytes(&[[1u16, 2], [3, 4]]), [1, 0, 2, 0, 3, 0, 4, 0]);
    }
}
