//! Climate and earth: weather, radiation, oceans, shallow water, earthquakes, soils, terrain, geodesy.
mod aidw;
mod convex_grid;
mod d8_flow;
#[rustfmt::skip] // as its author wrote it
mod erosion;
mod geodesy;
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
