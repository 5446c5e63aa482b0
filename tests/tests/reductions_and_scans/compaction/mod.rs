//! Scans that count what they store.
mod counted_bodies;
mod counted_branches;
mod matched;
mod matched_variants;
mod places;
