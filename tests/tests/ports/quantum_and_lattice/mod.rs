//! Quantum mechanics and lattices: orbitals, wave packets, qubits, spins, gauge fields.
mod bspline_vgh;
mod hartree_fock;
mod ising;
mod ising_heatbath;
mod mps;
mod spin_chain;
mod statevector;
mod su2_overrelax;
mod su3;
mod trotter_suzuki;
mod vmc_helium;
mod wilson_dslash;
