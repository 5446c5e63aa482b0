//! IMA ADPCM blocks, Goertzel banks, YIN pitch, companding.
use omp_tests::twice;
twice! {
    const STEPS: [i16; 89] = {
        let mut t = [0i16; 89];
        let mut v = 7.0f64;
        let mut i = 0;
        while i < 89 {
            t[i] = if v > 32767.0 { 32767 } else { v as i16 };
            v *= 1.1;
            i += 1;
        }
        t
    };
    const INDEX: [i8; 16] = [-1, -1, -1, -1, 2, 4, 6, 8, -1, -1, -1, -1, 2, 4, 6, 8];

    #[derive(Clone, Copy, Debug, Default, omp::Device)]
    struct Adpcm {
        predictor: i32,
        index: i8,
    }

    #[omp::declare_target]
    impl Adpcm {
        fn step(&self) -> i32 {
            STEPS[self.index as usize] as i32
        }
        fn decode(&mut self, nibble: u8) -> i16 {
            let step = self.step();
            let mut diff = step >> 3;
            for bit in 0..3 {
                if nibble & (4 >> bit) != 0 {
                    diff += step >> bit;
                }
            }
            self.predictor += if nibble & 8 != 0 { -diff } else { diff };
            self.predictor = self.predictor.clamp(i16::MIN.into(), i16::MAX.into());
            self.index = (self.index + INDEX[nibble as usize]).clamp(0, 88);
            self.predictor as i16
        }
        fn encode(&mut self, sample: i16) -> u8 {
            let mut diff = i32::from(sample) - self.predictor;
            let mut nibble = 0;
            if diff < 0 {
                nibble = 8;
                diff = -diff;
            }
            let mut step = self.step();
            let mut mask = 4;
            while mask > 0 {
                if diff >= step {
                    nibble |= mask;
                    diff -= step;
                }
                step >>= 1;
                mask >>= 1;
            }
            self.decode(nibble);
            nibble
        }
    }

    const BLOCK: usize = 32;

    #[omp::offload]
    fn encode(pcm: &[i16], out: &mut [u8]) {
        #[omp::target]
        for (samples, bytes) in pcm.chunks(BLOCK).zip(out.chunks_mut(BLOCK / 2)) {
            let mut coder = Adpcm { predictor: samples[0] as i32, ..Default::default() };
            for (byte, pair) in bytes.iter_mut().zip(samples.chunks(2)) {
                let lo = coder.encode(pair[0]);
                let hi = pair.get(1).map_or(0, |&s| coder.encode(s));
                *byte = hi << 4 | lo;
            }
        }
    }

    #[omp::offload]
    fn decode(bytes: &[u8], first: &[i16], pcm: &mut [i16]) {
        #[omp::target]
        for (b, samples) in pcm.chunks_mut(BLOCK).enumerate() {
            let mut coder = Adpcm { predictor: first[b].into(), index: 0 };
            let data = &bytes[b * BLOCK / 2..];
            for (i, s) in samples.iter_mut().enumerate() {
                let byte = data[i / 2];
                *s = coder.decode(if i & 1 == 0 { byte & 15 } else { byte >> 4 });
            }
        }
    }

    #[omp::offload]
    fn goertzel(frames: &[i16], size: usize, tones: &[f32], rate: f32) -> Vec<f32> {
        let mut power = vec![0.0; frames.len() / size * tones.len()];
        #[omp::target(collapse(2))]
        for f in 0..frames.len() / size {
            for (t, &tone) in tones.iter().enumerate() {
                let coeff = 2.0 * (std::f32::consts::TAU * tone / rate).cos();
                let (s1, s2) = frames[f * size..(f + 1) * size]
                    .iter()
                    .fold((0.0, 0.0), |(s1, s2), &x| (x as f32 / 32768.0 + coeff * s1 - s2, s1));
                power[f * tones.len() + t] = s1 * s1 + s2 * s2 - coeff * s1 * s2;
            }
        }
        power
    }

    #[omp::offload]
    fn yin(frames: &[i16], size: usize, rate: f32, threshold: f32, pitch: &mut [Option<f32>]) {
        #[omp::target]
        for (frame, pitch) in frames.chunks_exact(size).zip(pitch) {
            let half = size / 2;
            let mut running = 0.0;
            let mut previous = 1.0;
            *pitch = None;
            for tau in 1..half {
                let d: f32 = frame[..half].iter().zip(&frame[tau..]).map(|(&a, &b)| { let e = (a as f32 - b as f32) / 32768.0; e * e }).sum();
                running += d;
                let normalised = if running > 0.0 { d * tau as f32 / running } else { 1.0 };
                if previous < threshold && normalised > previous {
                    *pitch = Some(rate / (tau - 1) as f32);
                    break;
                }
                previous = normalised;
            }
        }
    }

    #[omp::declare_target]
    fn mu_law(x: i16) -> u8 {
        const BIAS: i32 = 0x84;
        let sign = if x < 0 { 0x80 } else { 0 };
        let magnitude = (x.unsigned_abs() as i32).min(32635) + BIAS;
        let exponent = (0..8).rev().find(|e| magnitude & (0x80 << e) != 0).unwrap_or(0);
        let mantissa = (magnitude >> (exponent + 3)) & 0xf;
        !(sign | (exponent << 4) as u8 | mantissa as u8)
    }

    #[omp::offload]
    fn compand(pcm: &[i16], out: &mut [u8]) {
        #[omp::target]
        for (o, &s) in out.iter_mut().zip(pcm) {
            *o = mu_law(s);
        }
    }

    pub fn run(n: usize) -> (Vec<u8>, Vec<i16>, Vec<f32>, Vec<Option<f32>>, Vec<u8>) {
        let pcm: Vec<i16> = (0..n).map(|i| (((i as f64) * 0.13).sin() * 9000.0 + ((i as f64) * 0.31).sin() * 4000.0) as i16).collect();
        let mut bytes = vec![0; n.div_ceil(BLOCK) * BLOCK / 2];
        encode(&pcm, &mut bytes);
        let first: Vec<i16> = pcm.chunks(BLOCK).map(|c| c[0]).collect();
        let mut back = vec![0; n];
        decode(&bytes, &first, &mut back);
        let g = goertzel(&pcm, 64, &[697.0, 770.0, 852.0], 8000.0);
        let mut pitch = vec![None; n / 128];
        yin(&pcm, 128, 8000.0, 0.2, &mut pitch);
        let mut c = vec![0; n];
        compand(&pcm, &mut c);
        (bytes, back, g, pitch, c)
    }
}
port!(adpcm: [0, 1, 201, 1000].map(|n| crate::Shown::of(run(n))));
