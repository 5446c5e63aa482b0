//! A field of no bytes: one error, at the field, also of a type with a parameter.
use std::marker::PhantomData;

#[derive(Clone, Copy, omp::Device)]
struct Metre<T> {
    v: f32,
    unit: PhantomData<T>,
}

fn main() {}
