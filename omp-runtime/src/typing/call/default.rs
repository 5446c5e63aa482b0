//! `T::default()`: zero of a primitive, or the declared function of a user's type.
//!
//! Its hidden companion `T::omp_E0709_declare_target_default(&__c0)` is found by the type, as a method's is. It exists for all types
//! that have `Default`, and [`DefaultOf`] finds the function of the type.
use super::probe::never;
use super::{Builtin, Call, DeviceFn, id_of};
use crate::typing::describe::Describe;
use crate::typing::device::Device;
use crate::typing::operator::{DeviceOp, OpKind, ops};
use omp_ir::desc::TypeDesc;
use std::any::TypeId;
use std::marker::PhantomData;

/// The hidden companion of `default`.
#[allow(non_snake_case, missing_docs)]
pub trait DefaultByName: Default {
    fn omp_E0709_declare_target_default(_: &Call<DefaultOf<Self>>) -> Self {
        never()
    }
}

impl<T: Default> DefaultByName for T {}

/// A type whose default value a device can make.
///
/// # Safety
/// [`Self::Callee`] is what `T::default` calls.
#[diagnostic::on_unimplemented(
    message = "`{Self}::default` is no device function [omp::E0709]",
    label = "called in a device region",
    note = "help: put `#[omp::declare_target]` on an `impl Default for {Self}` (`#[derive(Default)]` makes one without it)"
)]
pub unsafe trait HasDefault {
    /// The function's companion.
    type Callee: DeviceFn;
}

#[diagnostic::do_not_recommend]
// SAFETY: the callee is that of the operator `Default`, or built in.
unsafe impl<T: DeviceOp<ops::Default, ()>> HasDefault for T {
    type Callee = T::Callee;
}

macro_rules! prims {
    ($($t:ty)*) => { $(
        #[diagnostic::do_not_recommend]
        // SAFETY: the callee is that of the operator `Default`, or built in.
        unsafe impl HasDefault for $t {
            type Callee = Builtin;
        }
    )* };
}
prims!(bool char i8 i16 i32 i64 isize u8 u16 u32 u64 u128 usize f32 f64);

/// The companion of `T::default`.
pub struct DefaultOf<T>(PhantomData<fn() -> T>);

shows_name!([T] DefaultOf<T>, "DefaultOf");

// SAFETY: no template, or that of the function.
unsafe impl<T: HasDefault + Default> DeviceFn for DefaultOf<T> {
    const BUILTIN: bool = T::Callee::BUILTIN;

    fn genuine() -> TypeId {
        id_of(&<T as Default>::default)
    }

    fn describe(cx: &mut Describe) {
        T::Callee::describe(cx);
    }
}

/// Reads a call in generic code, where `T` may be a type parameter: `(&&NamedW(call)).omp_told(cx)`.
pub struct NamedW<'a, C>(pub &'a C);

shows_name!([C] NamedW<'_, C>, "NamedW");

/// The callee is known well enough.
pub trait TellNamed1 {
    /// Describes it.
    fn omp_told(&self, cx: &mut Describe);
}

/// The default of a type parameter: the launch looks at the type itself.
pub trait TellNamed0 {
    /// Describes it.
    fn omp_told(&self, cx: &mut Describe);
}

impl<M: DeviceFn, F, K> TellNamed1 for &NamedW<'_, Call<M, F, K>> {
    fn omp_told(&self, cx: &mut Describe) {
        cx.call(self.0);
    }
}

impl<T: Device + Default, F, K> TellNamed0 for NamedW<'_, Call<DefaultOf<T>, F, K>> {
    fn omp_told(&self, cx: &mut Describe) {
        let callee = T::operator(OpKind::Default, TypeId::of::<()>(), cx);
        cx.genuine::<F>(id_of(&<T as Default>::default), "Default::default");
        if callee.is_none() && !matches!(T::DESC, TypeDesc::Prim(_)) {
            cx.fault(|| {
                let ty = std::any::type_name::<T>();
                // An `impl` for a tuple or an array is std's alone.
                let of_user = match T::DESC {
                    TypeDesc::Struct(s) => !s.name.starts_with('('),
                    TypeDesc::Enum(_) => true,
                    _ => false,
                };
                if of_user {
                    format!(
                        "`default` of `{ty}` is no device function: put `#[omp::declare_target]` on an `impl Default for {ty}` (`#[derive(Default)]` makes one without it)"
                    )
                } else {
                    format!("`default` of `{ty}` is no device function: those of numbers, `bool`, `char` and declared structs and enums are")
                }
            });
        }
        cx.operator_behind(callee.unwrap_or(omp_ir::kernel::Callee::Builtin));
    }
}
