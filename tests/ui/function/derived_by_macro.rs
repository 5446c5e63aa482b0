//! Orders that a struct's text in the file says nothing of: a macro makes the struct, or leaves out what it was given, or puts the fields
//! in another order; another struct of the name stands in the file; an order of the user's beside a derive that is switched off.
#![allow(unexpected_cfgs)]
use std::cmp::Ordering;
macro_rules! made {
    ($name:ident, $($derive:ident)*) => {
        #[derive(Clone, Copy, $($derive,)* omp::Device)]
        pub struct $name {
            pub a: u32,
            pub b: u32,
        }
    };
}
macro_rules! other_derive {
    (#[derive($($path:path),*)] pub struct $name:ident $fields:tt) => {
        #[derive(Clone, Copy, PartialEq, omp::Device)]
        pub struct $name $fields
    };
}
macro_rules! turned {
    (#[$derive:meta] pub struct $name:ident { $a:ident: $ta:ty, $b:ident: $tb:ty }) => {
        #[$derive]
        pub struct $name {
            $b: $tb,
            $a: $ta,
        }
    };
}
mod text {
    #[derive(Clone, Copy, PartialEq, PartialOrd, omp::Device)]
    pub struct Made {
        pub a: u32,
        pub b: u32,
    }
}
made!(Made, PartialEq);
impl PartialOrd for Made {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        other.b.partial_cmp(&self.b)
    }
}
other_derive! {
    #[derive(Clone, Copy, PartialEq, PartialOrd, omp::Device)]
    pub struct Left { a: u32, b: u32 }
}
impl PartialOrd for Left {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        other.b.partial_cmp(&self.b)
    }
}
turned! {
    #[derive(Clone, Copy, PartialEq, PartialOrd, omp::Device)]
    pub struct Turned { a: u32, b: u32 }
}
#[cfg_attr(any(), derive(PartialOrd))]
#[derive(Clone, Copy, PartialEq, omp::Device)]
struct Off {
    a: u32,
}
impl PartialOrd for Off {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        other.a.partial_cmp(&self.a)
    }
}
#[omp::offload]
fn run(made: &[Made], left: &[Left], turned: &[Turned], off: &[Off], text: &[text::Made], y: &mut [u32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = (made[i] < made[0]) as u32;
        y[i] += (left[i] < left[0]) as u32;
        y[i] += (turned[i] < turned[0]) as u32;
        y[i] += (off[i] < off[0]) as u32;
        y[i] += (text[i] < text[0]) as u32;
    }
}
fn main() {}
