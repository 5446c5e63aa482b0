//! Ordinary differential equations: ensembles, stiff chemistry, reactions, cells and neurons.
mod bdf2_cells;
mod brusselator;
mod chem_kinetics;
mod dopri_ensemble;
mod myocyte;
mod ode_ensemble;
mod rk4;
mod rosenbrock;
mod s3d_rates;
mod spiking;
