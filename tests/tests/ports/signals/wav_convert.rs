//! Samples of several formats from bytes to floats and back, with dither; channels interleaved.
use omp_tests::twice;
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, Eq, omp::Device)]
    #[repr(u8)]
    pub enum Format { U8, S16Le, S24Be, F32 }

    #[omp::declare_target]
    impl Format {
        const fn size(self) -> usize {
            match self { Format::U8 => 1, Format::S16Le => 2, Format::S24Be => 3, Format::F32 => 4 }
        }
        fn decode(self, bytes: &[u8]) -> f32 {
            match (self, bytes) {
                (Format::U8, &[b]) => (f32::from(b) - 128.0) / 128.0,
                (Format::S16Le, &[a, b]) => i16::from_le_bytes([a, b]) as f32 / 32768.0,
                (Format::S24Be, &[a, b, c]) => (i32::from_be_bytes([a, b, c, 0]) >> 8) as f32 / 8_388_608.0,
                (Format::F32, bytes) => f32::from_le_bytes(bytes.try_into().unwrap()),
                _ => unreachable!("a sample has {} bytes", self.size()),
            }
        }
        fn encode(self, x: f32, bytes: &mut [u8]) {
            let x = x.clamp(-1.0, 1.0);
            match self {
                Format::U8 => bytes[0] = (x * 127.0 + 128.0).round() as u8,
                Format::S16Le => bytes.copy_from_slice(&((x * 32767.0) as i16).to_le_bytes()),
                Format::S24Be => bytes.copy_from_slice(&((x * 8_388_607.0) as i32).to_be_bytes()[1..]),
                Format::F32 => bytes.copy_from_slice(&x.to_le_bytes()),
            }
        }
    }

    #[omp::declare_target]
    const fn hash(mut x: u32) -> u32 {
        x ^= x >> 16;
        x = x.wrapping_mul(0x7feb_352d);
        x ^= x >> 15;
        x
    }

    fn to_floats(bytes: &[u8], format: Format, channels: usize) -> Vec<f32> {
        let frames = bytes.len() / (format.size() * channels);
        let mut planar = vec![0.0; frames * channels];
        #[omp::target]
        for (c, plane) in planar.chunks_exact_mut(frames).enumerate() {
            let samples = bytes.chunks_exact(format.size()).skip(c).step_by(channels);
            for (p, s) in plane.iter_mut().zip(samples) {
                *p = format.decode(s);
            }
        }
        planar
    }

    fn to_bytes(planar: &[f32], channels: usize, format: Format) -> Vec<u8> {
        let frames = planar.len() / channels;
        let size = format.size();
        let mut out = vec![0u8; planar.len() * size];
        #[omp::target]
        for (i, bytes) in out.chunks_exact_mut(size).enumerate() {
            let (frame, channel) = (i / channels, i % channels);
            let dither = match format {
                Format::F32 => 0.0,
                _ => (hash(i as u32) as f32 / u32::MAX as f32 - 0.5) / 65536.0,
            };
            format.encode(planar[channel * frames + frame] + dither, bytes);
        }
        out
    }

    pub fn run(frames: usize) -> Vec<(Vec<f32>, Vec<u8>)> {
        let wave: Vec<f32> = (0..frames * 2).map(|i| (i as f32 * 0.37).sin() * 0.9).collect();
        [Format::U8, Format::S16Le, Format::S24Be, Format::F32].iter().map(|&f| {
            let bytes = to_bytes(&wave, 2, f);
            let back = if frames == 0 { vec![] } else { to_floats(&bytes, f, 2) };
            (back, bytes)
        }).collect()
    }
}
port!(wav_convert: [0, 1, 50].map(run).to_vec());
