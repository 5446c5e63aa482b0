//! Databases: joins, groups, window functions, indexes, scans of columns, parsing of records.
mod bptree;
mod geo_join;
mod group_by;
mod hash_join;
mod iso_dates;
mod merge_join;
mod parse_fixed;
mod protobuf;
mod roaring;
mod sessions;
mod window_functions;
mod zone_maps;
