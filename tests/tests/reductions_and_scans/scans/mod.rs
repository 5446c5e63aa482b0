//! Scans: places, shapes, tiles, along rows, with reductions beside them.
mod carrying;
mod generic_scans;
mod hidden_names;
mod row_scans;
mod scan_places;
mod scan_statements;
mod scan_tiles;
mod scans_beside;
