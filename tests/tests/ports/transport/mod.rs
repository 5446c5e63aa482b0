//! Transport of neutrons and photons: Monte Carlo, cross sections, discrete ordinates.
mod hash_grid_xs;
mod kripke;
mod mc_transport;
mod neutral;
mod photons;
mod quicksilver;
mod quicksilver_mc;
mod rs_poles;
mod rsbench;
mod simplemoc;
mod slab_transport;
mod snap_like;
mod snap_sweep;
mod sweep3d;
mod xs_lookup;
mod xsbench;
mod xsbench_lookups;
