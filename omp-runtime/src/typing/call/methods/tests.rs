//! Every name is a method of kernels, and every method of kernels has a name.
use super::*;
use crate::typing::device::Device;
use omp_ir::desc::{Prim, TypeDesc};
use omp_ir::kernel::Ty;
use omp_ir::method::Method;
use std::collections::BTreeSet;

const PREFIX: &str = "omp_E0709_declare_target_";

fn check(names: &[(&str, usize)], on: &[Prim]) {
    for (name, arity) in names {
        let name = name.strip_prefix(PREFIX).unwrap();
        for p in on {
            assert!(Method::parse(name, &Ty::Prim(*p), *arity).is_some(), "{name} of {}", p.name());
        }
    }
}

#[test]
fn every_name_here_is_a_method_of_kernels() {
    check(INTEGER, &[Prim::I32, Prim::U64, Prim::U128]);
    check(INT, &[Prim::I32, Prim::U64]);
    check(REFERENCES, &[Prim::I32, Prim::U64]);
    check(SIGNED, &[Prim::I8]);
    check(UNSIGNED, &[Prim::Usize]);
    check(FLOAT, &[Prim::F32, Prim::F64]);
    check(BYTE, &[Prim::U8, Prim::Char]);
    let TypeDesc::Enum(order) = <Ordering as Device>::DESC else { unreachable!("it is an enum") };
    for (name, arity) in ORDER {
        let name = name.strip_prefix(PREFIX).unwrap();
        assert!(Method::parse(name, &Ty::Enum(order), *arity).is_some(), "{name}");
    }
}

#[test]
fn every_name_may_be_undeclared() {
    let undeclared: BTreeSet<(&str, usize)> =
        UNDECLARED.iter().flat_map(|(names, args)| names.iter().map(|n| (*n, args.len() + 1))).collect();
    for list in [INTEGER, INT, SIGNED, UNSIGNED, FLOAT, BYTE, ORDER, REFERENCES] {
        for one in list {
            assert!(undeclared.contains(one), "{one:?}");
        }
    }
}

/// The macros name the trait of a number's method by what integers have.
#[test]
fn integers_of_one_sign_have_their_own_lists() {
    let name = |(name, arity): &(&'static str, usize)| (name.strip_prefix(PREFIX).unwrap(), *arity);
    for (name, arity) in SIGNED.iter().map(name) {
        assert!(Method::parse(name, &Ty::Prim(Prim::U32), arity).is_none(), "{name}");
    }
    for (name, arity) in UNSIGNED.iter().map(name) {
        assert!(Method::parse(name, &Ty::Prim(Prim::I32), arity).is_none(), "{name}");
    }
}

#[test]
fn every_arithmetic_method_of_kernels_has_a_name_here() {
    let here = |lists: &[&[(&'static str, usize)]]| -> BTreeSet<&'static str> {
        lists.iter().flat_map(|l| l.iter()).map(|(n, _)| n.strip_prefix(PREFIX).unwrap()).collect()
    };
    let ints = here(&[INTEGER, INT, SIGNED, UNSIGNED]);
    let ops = "add sub mul div rem div_euclid rem_euclid neg shl shr pow abs add_unsigned sub_unsigned add_signed sub_signed signed_diff";
    for op in ops.split(' ') {
        for mode in ["wrapping", "saturating", "checked", "overflowing", "strict"] {
            let name = format!("{mode}_{op}");
            for p in [Prim::I16, Prim::U16] {
                let known = (1..=2).any(|n| Method::parse(&name, &Ty::Prim(p), n).is_some());
                assert!(!known || ints.contains(name.as_str()), "{name} of {}", p.name());
            }
        }
    }
}

#[test]
#[allow(clippy::diverging_sub_expression, clippy::unnecessary_literal_unwrap)]
fn calls_resolve_as_the_real_ones_do() {
    if std::hint::black_box(false) {
        let x = Vec::from([1u8, 2]);
        let _: f32 = 1.5f32.omp_E0709_declare_target_mul_add(2.0, 3.0, &Call::new());
        let _: u32 = (-3i32).omp_E0709_declare_target_abs_diff(4, &Call::new());
        let _: Option<i8> = 3i8.omp_E0709_declare_target_checked_pow(2, &Call::new());
        let _: usize =
            x.omp_E0709_declare_target_len(&Call::new()) + [1; 3].omp_E0709_declare_target_len(&Call::new());
        let _: f32 = f32::omp_E0709_declare_target_from_bits(7, &Call::new());
        let _: u16 = Some(3).omp_E0709_declare_target_unwrap_or(4, &Call::new());
        let _: i64 = <i64 as IntegerMethods<_>>::omp_E0709_declare_target_max(3, 4, &Call::new());
        let k = [1, 2];
        k.omp_E0709_declare_target_swap(0, 1, &Call::new());
        let shared = &x[0];
        let _: &u8 = shared.omp_E0709_declare_target_min(&4, &Call::new());
    }
}
