//! Compression and codes: run lengths, integers, entropy coders, matches, time series; codes that correct errors; Base64.
mod base64;
mod bitpack;
mod bwt_mtf;
mod erasure_code;
mod fpc;
mod golomb_rice;
mod gorilla;
mod huffman_table;
mod ldpc;
mod lz4;
mod lz_search;
mod lzss;
mod rans;
mod run_lengths;
mod varint;
mod zigzag_deltas;
