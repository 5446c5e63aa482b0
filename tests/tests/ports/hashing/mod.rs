//! Hashing: hash functions, checksums, hash tables, filters and sketches.
mod bloom;
mod crc_slices;
mod cuckoo;
mod hashes;
mod hll;
mod jenkins;
mod murmur3;
mod simhash_shingles;
mod siphash;
mod siphash_table;
mod xxh64;
