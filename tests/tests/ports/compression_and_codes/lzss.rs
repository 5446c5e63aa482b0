//! Blocks packed by LZSS: a greedy search for matches, tokens as an enum, and unpacking with checks.
use omp_tests::twice;

twice! {
    const BLOCK: usize = 64;
    const MIN: usize = 3;
    const MAX: usize = 18;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Token { Literal(u8), Copy { distance: u8, length: u8 }, End }

    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Error { TooFar, TooLong, NoEnd }

    #[omp::declare_target]
    fn longest(block: &[u8], at: usize) -> Option<(usize, usize)> {
        let mut best = None;
        let mut best_len = MIN - 1;
        for start in 0..at {
            let len = block[start..].iter().zip(&block[at..]).take(MAX).take_while(|(a, b)| a == b).count();
            if len > best_len {
                best_len = len;
                best = Some((at - start, len));
            }
        }
        best
    }

    #[omp::declare_target]
    fn pack(block: &[u8], tokens: &mut [Token]) -> usize {
        let mut n = 0;
        let mut at = 0;
        while at < block.len() {
            let token = match longest(block, at) {
                Some((distance, length)) => { at += length; Token::Copy { distance: distance as u8, length: length as u8 } }
                None => { at += 1; Token::Literal(block[at - 1]) }
            };
            tokens[n] = token;
            n += 1;
        }
        tokens[n] = Token::End;
        n + 1
    }

    #[omp::declare_target]
    fn unpack(tokens: &[Token], out: &mut [u8]) -> Result<usize, Error> {
        let mut n = 0;
        for token in tokens {
            match *token {
                Token::End => return Ok(n),
                Token::Literal(b) => {
                    *out.get_mut(n).ok_or(Error::TooLong)? = b;
                    n += 1;
                }
                Token::Copy { distance, length } => {
                    let from = n.checked_sub(distance as usize).ok_or(Error::TooFar)?;
                    if n + length as usize > out.len() { return Err(Error::TooLong); }
                    for k in 0..length as usize { out[n + k] = out[from + k]; }
                    n += length as usize;
                }
            }
        }
        Err(Error::NoEnd)
    }

    pub fn pack_all(data: &[u8], tokens: &mut [Token], sizes: &mut [usize]) {
        #[omp::target]
        for (i, size) in sizes.iter_mut().enumerate() {
            let block = &data[i * BLOCK..(i + 1) * BLOCK];
            *size = pack(block, &mut tokens[i * (BLOCK + 1)..(i + 1) * (BLOCK + 1)]);
        }
    }
    pub fn unpack_all(tokens: &[Token], out: &mut [u8], status: &mut [i32]) {
        #[omp::target]
        for ((tokens, out), status) in tokens.chunks(BLOCK + 1).zip(out.chunks_mut(BLOCK)).zip(status.iter_mut()) {
            *status = match unpack(tokens, out) {
                Ok(n) => n as i32,
                Err(Error::TooFar) => -1,
                Err(e) => -2 - e as i32,
            };
        }
    }
    pub fn run() -> (Vec<usize>, Vec<u8>, Vec<i32>) {
        let data: Vec<u8> = (0..BLOCK * 8).map(|i| b"the quick brown the lazy quick dog "[(i * (1 + i / 200)) % 35]).collect();
        let mut tokens = vec![Token::End; 8 * (BLOCK + 1)];
        let mut sizes = vec![0; 8];
        pack_all(&data, &mut tokens, &mut sizes);
        tokens[BLOCK + 1] = Token::Copy { distance: 9, length: 3 };
        let mut out = vec![0; data.len()];
        let mut status = vec![0; 8];
        unpack_all(&tokens, &mut out, &mut status);
        (sizes, out, status)
    }
}
port!(lzss: run());
