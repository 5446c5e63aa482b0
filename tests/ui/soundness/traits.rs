//! Hidden traits whose `impl`s are believed take the word `unsafe`.
#![allow(unused)]
use omp::__private::{self as p, Describe, TypeDesc, kind, ops};
use std::any::TypeId;

#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct Mine(u8);

impl p::Value for Mine {
    const DESC: &'static TypeDesc = <[u64; 1000] as omp::Device>::DESC;
}

impl p::DeviceFn for Mine {
    fn genuine() -> TypeId {
        TypeId::of::<()>()
    }
    fn describe(_: &mut Describe) {}
}

impl p::DeviceOp<ops::Add> for Mine {
    type Callee = Mine;
}

struct Other;

impl p::HasDeviceOp<ops::Add, Other> for Other {
    type Callee = Mine;
    fn is_found_by_name() -> bool {
        true
    }
}

impl p::HasFrom<Mine> for Other {
    type Callee = Mine;
}

impl p::HasDefault for Other {
    type Callee = Mine;
}

impl p::Comparable for Mine {}

impl p::HasOrder for Mine {}

impl p::EnumOperand for Mine {
    type Enum = std::cmp::Ordering;
}

impl p::Reads for Mine {}

impl p::Found for Mine {}

impl p::Pure for Mine {}

impl p::Mapped for Mine {
    type Elem = u8;
}

fn main() {}
