//! `reproducible`: the same bits on every device.
mod any_geometry;
mod reproducible_forms;
