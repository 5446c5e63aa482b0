//! Finite and spectral elements, discontinuous Galerkin methods, meshes, peridynamics.
mod dg_advection;
mod fem;
mod fem_quad4;
mod fem_tet4;
mod laghos_mass;
mod mesh_view;
mod mfem_sum_factorisation;
mod minife_assembly;
mod nekbone;
mod peridynamics;
mod spectral_element;
