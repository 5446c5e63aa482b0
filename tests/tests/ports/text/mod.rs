//! Text: searches for patterns, edit distances, tries, encodings, JSON, expressions.
mod aho_corasick;
mod arithmetic_expressions;
mod bm25;
mod byte_pairs;
mod jaro_winkler;
mod levenshtein;
mod levenshtein_rows;
mod myers;
mod simd_json_scan;
mod simd_json_utf16;
mod text_searches;
mod token_sums;
mod trie_search;
mod utf8;
mod wildcard;
