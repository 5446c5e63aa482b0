//! Scans: places, shapes, tiles, along rows, together with reductions.
mod carrying;
mod generic_scans;
mod hidden_names;
mod row_scans;
mod scan_places;
mod scan_statements;
mod scan_tiles;
mod scans_beside;
