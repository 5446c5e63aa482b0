//! Stencils on grids: heat conduction, electromagnetic waves, level sets, phase fields.
mod adi;
mod adi_lines;
mod closure_stencils;
mod eikonal;
mod fdtd;
mod heat3d;
mod heat_adi_slices;
mod heat_boundaries;
mod hotspot;
mod hotspot3d;
mod levelset_reinit;
mod minighost;
mod ostencil;
mod phase_field;
