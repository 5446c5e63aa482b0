//! Variant calling: aligned reads with CIGAR strings are piled up on the reference, genotypes are called at each position, and
//! the variants are kept in order.
use omp_tests::on_every_device;

const BASES: usize = 4;
const MIN_DEPTH: u32 = 6;
const MIN_QUALITY: u8 = 10;
const MIN_LOD: f64 = 2.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
#[repr(u8)]
enum Cigar {
    Match(u16),
    Insertion(u16),
    Deletion(u16),
    SoftClip(u16),
}

#[derive(Clone, Copy, Debug, omp::Device)]
struct Read {
    /// Where the first aligned base is on the reference.
    position: u32,
    /// Parts of the arrays of bases and of operations.
    first_base: u32,
    first_op: u32,
    ops: u16,
    mapping_quality: u8,
    reverse: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, omp::Device)]
#[repr(u8)]
enum Genotype {
    #[default]
    Reference,
    Heterozygous,
    Homozygous,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, omp::Device)]
struct Variant {
    position: u32,
    reference: u8,
    alternative: u8,
    genotype: Genotype,
    lod: f64,
}

/// Counts for each position and base, and others for each position.
#[derive(Clone, Debug, PartialEq)]
struct Pileup {
    counts: Vec<u32>,
    quality: Vec<u32>,
    forward: Vec<u32>,
    deletions: Vec<u32>,
}

impl Pileup {
    fn new(n: usize) -> Self {
        Pileup {
            counts: vec![0; n * BASES],
            quality: vec![0; n * BASES],
            forward: vec![0; n],
            deletions: vec![0; n],
        }
    }
}

struct Alignments {
    reads: Vec<Read>,
    cigar: Vec<Cigar>,
    bases: Vec<u8>,
    quals: Vec<u8>,
}

#[omp::offload]
impl Pileup {
    fn add(&mut self, a: &Alignments) {
        #[omp::target(name("pileup"))]
        for read in a.reads.iter() {
            if read.mapping_quality < 20 {
                continue;
            }
            let mut at = read.position as usize;
            let mut base = read.first_base as usize;
            let ops = &a.cigar[read.first_op as usize..][..read.ops as usize];
            for op in ops {
                match *op {
                    Cigar::SoftClip(n) | Cigar::Insertion(n) => base += n as usize,
                    Cigar::Deletion(n) => {
                        for k in 0..n as usize {
                            #[omp::atomic]
                            self.deletions[at + k] += 1;
                        }
                        at += n as usize;
                    }
                    Cigar::Match(n) => {
                        for k in 0..n as usize {
                            let q = a.quals[base + k].min(read.mapping_quality);
                            if q < MIN_QUALITY {
                                continue;
                            }
                            let slot = (at + k) * BASES + a.bases[base + k] as usize;
                            #[omp::atomic]
                            self.counts[slot] += 1;
                            #[omp::atomic]
                            self.quality[slot] += q as u32;
                            if !read.reverse {
                                #[omp::atomic]
                                self.forward[at + k] += 1;
                            }
                        }
                        at += n as usize;
                        base += n as usize;
                    }
                }
            }
        }
    }

    fn call(&self, reference: &[u8]) -> Vec<Variant> {
        let mut variants = vec![Variant::default(); reference.len()];
        let mut found = 0;
        #[omp::target(name("call"))]
        for p in 0..reference.len() {
            let here = p * BASES..(p + 1) * BASES;
            let call = genotype(&self.counts[here.clone()], &self.quality[here], reference[p]);
            if let Some((alternative, genotype, lod)) = call {
                variants[found] =
                    Variant { position: p as u32, reference: reference[p], alternative, genotype, lod };
                found += 1;
            }
        }
        variants.truncate(found);
        variants
    }
}

/// The most likely genotype, if it isn't the reference's: the other base, and the log10 of the odds.
#[omp::declare_target]
fn genotype(counts: &[u32], quality: &[u32], reference: u8) -> Option<(u8, Genotype, f64)> {
    let depth: u32 = counts.iter().sum();
    if depth < MIN_DEPTH {
        return None;
    }
    let alternative =
        (0..BASES as u8).filter(|&b| b != reference).max_by_key(|&b| (quality[b as usize], b))?;
    let (r, a) = (reference as usize, alternative as usize);
    if counts[a] == 0 {
        return None;
    }
    let error = |b: usize| -> f64 {
        match counts[b] {
            0 => 0.01,
            n => 10f64.powf(-0.1 * quality[b] as f64 / n as f64),
        }
    };
    let (er, ea) = (error(r), error(a));
    let (nr, na) = (counts[r] as f64, counts[a] as f64);
    let likelihoods = [
        nr * (1.0 - er).log10() + na * (ea / 3.0).log10(),
        (nr + na) * 0.5f64.log10() - 3.0,
        na * (1.0 - ea).log10() + nr * (er / 3.0).log10() - 3.3,
    ];
    let (best, score) =
        likelihoods.iter().copied().enumerate().reduce(|x, y| if y.1 > x.1 { y } else { x })?;
    let lod = score - likelihoods[0];
    let kind = match best {
        1 => Genotype::Heterozygous,
        2 => Genotype::Homozygous,
        _ => return None,
    };
    (lod >= MIN_LOD).then_some((alternative, kind, lod))
}

#[omp::offload]
fn coverage(forward: &[u32], counts: &[u32]) -> (u32, u64, u32) {
    let (mut deepest, mut bases, mut one_sided) = (0u32, 0u64, 0);
    #[omp::target(reduction(max: deepest), reduction(+: bases, one_sided))]
    for (f, here) in forward.iter().zip(counts.chunks_exact(BASES)) {
        let depth = here.iter().sum::<u32>();
        deepest = deepest.max(depth);
        bases += depth as u64;
        if depth >= MIN_DEPTH && (*f == 0 || *f == depth) {
            one_sided += 1;
        }
    }
    (deepest, bases, one_sided)
}

mod serial {
    use super::*;

    pub fn add(pile: &mut Pileup, a: &Alignments) {
        for read in a.reads.iter().filter(|r| r.mapping_quality >= 20) {
            let (mut at, mut base) = (read.position as usize, read.first_base as usize);
            for op in &a.cigar[read.first_op as usize..][..read.ops as usize] {
                match *op {
                    Cigar::SoftClip(n) | Cigar::Insertion(n) => base += n as usize,
                    Cigar::Deletion(n) => {
                        for k in 0..n as usize {
                            pile.deletions[at + k] += 1;
                        }
                        at += n as usize;
                    }
                    Cigar::Match(n) => {
                        for k in 0..n as usize {
                            let q = a.quals[base + k].min(read.mapping_quality);
                            if q < MIN_QUALITY {
                                continue;
                            }
                            let slot = (at + k) * BASES + a.bases[base + k] as usize;
                            pile.counts[slot] += 1;
                            pile.quality[slot] += q as u32;
                            if !read.reverse {
                                pile.forward[at + k] += 1;
                            }
                        }
                        at += n as usize;
                        base += n as usize;
                    }
                }
            }
        }
    }

    pub fn call(pile: &Pileup, reference: &[u8]) -> Vec<Variant> {
        let mut variants = Vec::new();
        for p in 0..reference.len() {
            let here = p * BASES..(p + 1) * BASES;
            let call = genotype(&pile.counts[here.clone()], &pile.quality[here], reference[p]);
            if let Some((alternative, genotype, lod)) = call {
                variants.push(Variant {
                    position: p as u32,
                    reference: reference[p],
                    alternative,
                    genotype,
                    lod,
                });
            }
        }
        variants
    }

    pub fn coverage(forward: &[u32], counts: &[u32]) -> (u32, u64, u32) {
        let (mut deepest, mut bases, mut one_sided) = (0u32, 0u64, 0);
        for (f, here) in forward.iter().zip(counts.chunks_exact(BASES)) {
            let depth = here.iter().sum::<u32>();
            deepest = deepest.max(depth);
            bases += depth as u64;
            if depth >= MIN_DEPTH && (*f == 0 || *f == depth) {
                one_sided += 1;
            }
        }
        (deepest, bases, one_sided)
    }
}

#[test]
fn results_are_those_of_plain_rust() {
    on_every_device(|d| {
        omp::set_default_device(d);
        let mut seed = 23u64;
        let mut below = |n: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % n
        };
        let n = 1500;
        let reference: Vec<u8> = (0..n).map(|_| below(4) as u8).collect();
        // Two chromosomes of the donor; every 61st position has a variant, every other one on both.
        let mut donor = [reference.clone(), reference.clone()];
        for (k, p) in (30..n).step_by(61).enumerate() {
            let other = (reference[p] + 1 + below(3) as u8) % 4;
            donor[0][p] = other;
            if k % 2 == 0 {
                donor[1][p] = other;
            }
        }
        let mut a = Alignments { reads: vec![], cigar: vec![], bases: vec![], quals: vec![] };
        for _ in 0..600 {
            let chromosome = below(2);
            let position = below(n - 70);
            let ops: &[Cigar] = match below(8) {
                0 => &[Cigar::SoftClip(5), Cigar::Match(45)],
                1 => &[Cigar::Match(20), Cigar::Deletion(2), Cigar::Match(30)],
                2 => &[Cigar::Match(25), Cigar::Insertion(1), Cigar::Match(24), Cigar::SoftClip(4)],
                _ => &[Cigar::Match(50)],
            };
            a.reads.push(Read {
                position: position as u32,
                first_base: a.bases.len() as u32,
                first_op: a.cigar.len() as u32,
                ops: ops.len() as u16,
                mapping_quality: 10 + below(50) as u8,
                reverse: below(2) == 1,
            });
            let mut at = position;
            for op in ops {
                let (length, aligned) = match *op {
                    Cigar::Match(k) => (k, true),
                    Cigar::Insertion(k) | Cigar::SoftClip(k) => (k, false),
                    Cigar::Deletion(k) => {
                        at += k as usize;
                        continue;
                    }
                };
                for _ in 0..length {
                    let right = aligned && below(200) != 0;
                    a.bases.push(if right { donor[chromosome][at] } else { below(4) as u8 });
                    a.quals.push(5 + below(36) as u8);
                    at += aligned as usize;
                }
            }
            a.cigar.extend_from_slice(ops);
        }

        let (mut pile, mut expected) = (Pileup::new(n), Pileup::new(n));
        pile.add(&a);
        serial::add(&mut expected, &a);
        assert_eq!(pile, expected);
        assert_eq!(
            coverage(&pile.forward, &pile.counts),
            serial::coverage(&expected.forward, &expected.counts)
        );

        let (variants, variants2) = (pile.call(&reference), serial::call(&expected, &reference));
        assert_eq!(variants.len(), variants2.len());
        for (a, b) in variants.iter().zip(&variants2) {
            assert_eq!((a.position, a.alternative, a.genotype), (b.position, b.alternative, b.genotype));
            assert!((a.lod - b.lod).abs() <= 1e-9 * b.lod.max(1.0), "{a:?} and {b:?}");
        }
        assert!(variants2.len() >= 10, "{} variants", variants2.len());
    });
}
