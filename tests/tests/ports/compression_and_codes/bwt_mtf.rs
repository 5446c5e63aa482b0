//! Burrows–Wheeler blocks: rotations ranked by counting, move to front, inverse by last-to-first, entropy.
use omp_tests::twice;
twice! {
    const B: usize = 24;

    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Block { bytes: [u8; B], primary: usize }

    #[omp::declare_target]
    fn less(text: &[u8; B], mut i: usize, mut j: usize) -> bool {
        let (a, b) = (i, j);
        for _ in 0..B {
            if text[i] != text[j] { return text[i] < text[j]; }
            i = if i + 1 == B { 0 } else { i + 1 };
            j = if j + 1 == B { 0 } else { j + 1 };
        }
        a < b
    }

    #[omp::declare_target]
    fn transform(text: &[u8; B]) -> Block {
        let mut order: [usize; B] = std::array::from_fn(|i| i);
        for i in 1..B {
            let x = order[i];
            let mut j = i;
            while j > 0 && less(text, x, order[j - 1]) {
                order[j] = order[j - 1];
                j -= 1;
            }
            order[j] = x;
        }
        let primary = order.iter().position(|&i| i == 0).unwrap();
        Block { bytes: order.map(|i| text[(i + B - 1) % B]), primary }
    }

    #[omp::declare_target]
    fn inverse(block: &Block) -> [u8; B] {
        let mut counts = [0usize; 256];
        let mut rank = [0usize; B];
        for (r, &b) in rank.iter_mut().zip(&block.bytes) {
            *r = counts[b as usize];
            counts[b as usize] += 1;
        }
        let mut total = 0;
        for c in counts.iter_mut() {
            let n = std::mem::replace(c, total);
            total += n;
        }
        let mut out = [0; B];
        let mut at = block.primary;
        for o in out.iter_mut().rev() {
            let b = block.bytes[at];
            *o = b;
            at = counts[b as usize] + rank[at];
        }
        out
    }

    #[derive(Clone, Copy, omp::Device)]
    pub struct Alphabet([u8; 256]);
    #[omp::declare_target]
    impl Alphabet {
        fn new() -> Self {
            let mut a = [0u8; 256];
            (0..=255u8).zip(a.iter_mut()).for_each(|(i, x)| *x = i);
            Self(a)
        }
        fn front(&mut self, at: usize) -> u8 {
            let b = self.0[at];
            self.0.copy_within(0..at, 1);
            self.0[0] = b;
            b
        }
    }

    #[omp::declare_target]
    fn move_to_front(bytes: &mut [u8]) {
        let mut alphabet = Alphabet::new();
        for b in bytes {
            let at = alphabet.0.iter().position(|x| x == b).unwrap();
            alphabet.front(at);
            *b = at as u8;
        }
    }

    #[omp::declare_target]
    fn undo(ranks: &mut [u8; B]) {
        let mut alphabet = Alphabet::new();
        for r in ranks.iter_mut() { *r = alphabet.front(usize::from(*r)); }
    }

    pub fn run(blocks: usize) -> (Vec<Block>, bool, Vec<u32>) {
        let texts: Vec<[u8; B]> = (0..blocks).map(|k| std::array::from_fn(|i| b"banana bandana"[(i * (k + 1)) % 14])).collect();
        let mut packed = vec![Block { bytes: [0; B], primary: 0 }; blocks];
        #[omp::target]
        for (text, block) in texts.iter().zip(&mut packed) {
            let mut b = transform(text);
            move_to_front(&mut b.bytes);
            *block = b;
        }
        let mut back = vec![[0u8; B]; blocks];
        #[omp::target]
        for i in 0..blocks {
            let mut b = packed[i];
            undo(&mut b.bytes);
            back[i] = inverse(&b);
        }
        let mut histogram = vec![0u32; 256];
        #[omp::target(reduction(+: histogram))]
        for block in &packed {
            for &b in &block.bytes { histogram[b as usize] += 1; }
        }
        (packed, back == texts, histogram)
    }
}
port!(bwt_mtf: crate::Shown::of([0, 1, 9].map(run)));
