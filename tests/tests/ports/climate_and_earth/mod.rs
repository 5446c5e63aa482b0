//! Climate and earth: weather, radiation, oceans, shallow water, earthquakes, soils, terrain, geodesy.
#[rustfmt::skip] // as its author wrote it
mod aidw;
mod catchment;
mod convex_grid;
mod d8_flow;
mod erosion;
mod geodesy;
mod microphysics;
mod miniweather;
mod ocean_columns;
mod quadkeys;
mod seismic;
mod shallow_mesh;
mod shallow_water;
mod swim;
mod tsunami;
mod two_stream;
mod two_stream_radiation;
mod van_genuchten;
