//! Programs as users have them, and random loop bodies: every device against plain Rust. Miri runs `small` alone, and sees no other.
#[cfg(not(miri))]
mod differential;
#[cfg(not(miri))]
mod everyday;
#[cfg(not(miri))]
mod habits;
#[cfg(not(miri))]
mod idioms;
#[cfg(not(miri))]
mod images;
#[cfg(not(miri))]
mod matrices;
#[cfg(not(miri))]
mod methods;
#[cfg(not(miri))]
mod methods_found;
mod random_bodies;
#[cfg(not(miri))]
mod simulations;
mod small;
#[cfg(not(miri))]
mod workloads;
