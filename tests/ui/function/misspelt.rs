//! A method that is not there: one error, which is the host's.
#![allow(dead_code)]

#[derive(Clone, Copy, omp::Device)]
struct P {
    x: f32,
}

#[omp::declare_target]
impl P {
    fn norm(&self) -> f32 {
        self.x * self.x
    }

    fn step(&mut self) {
        self.x += 1.0;
    }
}

#[omp::declare_target]
trait Area {
    fn area(&self) -> f32;
}

#[omp::declare_target]
impl Area for P {
    fn area(&self) -> f32 {
        self.x
    }
}

#[omp::offload]
fn of_number(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].sqr();
    }
}

#[omp::offload]
fn of_integer(x: &[i32], y: &mut [i32]) {
    #[omp::target]
    for i in 0..y.len() {
        let v = x[i];
        y[i] = v.wraping_add(1);
    }
}

#[omp::offload]
fn of_struct(x: &[P], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].nrom();
    }
}

#[omp::offload]
fn as_a_statement(x: &mut [P]) {
    #[omp::target]
    for i in 0..x.len() {
        let mut p = x[i];
        p.steps();
        x[i] = p;
    }
}

#[omp::offload]
fn of_parameter<A: Area + omp::Device>(x: &[A], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i].aera();
    }
}

#[omp::offload]
fn of_array(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = x[i] + x.length() as f32;
    }
}

#[omp::declare_target]
fn in_a_device_function(x: f32) -> f32 {
    x.sqr() + 1.0
}

mod shapes {
    #[omp::declare_target]
    pub fn half(x: f32) -> f32 {
        x / 2.0
    }
}

#[omp::offload]
fn of_a_module(x: &[f32], y: &mut [f32]) {
    #[omp::target]
    for i in 0..y.len() {
        y[i] = shapes::hafl(x[i]);
    }
}

#[omp::declare_target]
impl P {
    fn without_a_receiver() -> f32 {
        self.x
    }
}

fn main() {}
