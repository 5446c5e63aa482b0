//! HeCBench lif, izhikevich and gillespie: spiking neurons with delays and refractory times, reactions by chance.
use omp_tests::{Values, twice};
twice! {
    #[derive(Clone, Copy, Debug, PartialEq, omp::Device)]
    pub struct Neuron { v: f32, u: f32, refractory: u16, last_spike: Option<u32> }

    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(u8)]
    #[derive(omp::Device)]
    pub enum Model {
        Lif { tau: f32, threshold: f32, reset: f32 },
        Izhikevich { a: f32, b: f32, c: f32, d: f32 },
    }

    pub struct Network { neurons: Vec<Neuron>, weights: Vec<f32>, targets: Vec<u32>, offsets: Vec<usize>, spikes: Vec<bool>, time: u32 }

    impl Network {
        pub fn new(n: usize, seed: u64) -> Self {
            let mut v = Values(seed);
            let neurons = (0..n).map(|_| Neuron { v: -65.0 + (v.bits() % 20) as f32, u: -13.0, refractory: 0, last_spike: None }).collect();
            let offsets: Vec<usize> = (0..=n).map(|i| i * 4).collect();
            let targets = (0..4 * n).map(|_| v.bits() % n as u32).collect();
            let weights = (0..4 * n).map(|_| (v.bits() % 64) as f32 / 4.0).collect();
            Self { neurons, weights, targets, offsets, spikes: vec![false; n], time: 0 }
        }

        fn inputs(&self, i: usize) -> impl Iterator<Item = (u32, f32)> + '_ {
            let range = self.offsets[i]..self.offsets[i + 1];
            self.targets[range.clone()].iter().copied().zip(self.weights[range].iter().copied())
        }

        pub fn step(&mut self, model: Model, drive: f32) -> usize {
            let now = self.time;
            let mut current = vec![drive; self.neurons.len()];
            #[omp::target]
            for (i, c) in current.iter_mut().enumerate() {
                *c += self.inputs(i).filter(|&(from, _)| self.spikes[from as usize]).map(|(_, w)| w).sum::<f32>();
            }
            let mut fired = 0;
            #[omp::target(reduction(+: fired))]
            for ((n, spike), i) in self.neurons.iter_mut().zip(self.spikes.iter_mut()).zip(&current) {
                *spike = match model {
                    Model::Lif { tau, threshold, reset } => {
                        if n.refractory > 0 {
                            n.refractory -= 1;
                            false
                        } else {
                            n.v += (-65.0 - n.v + i) / tau;
                            let fire = n.v > threshold;
                            if fire { n.v = reset; n.refractory = 3; }
                            fire
                        }
                    }
                    Model::Izhikevich { a, b, c, d } => {
                        for _ in 0..2 {
                            n.v += 0.5 * (0.04 * n.v * n.v + 5.0 * n.v + 140.0 - n.u + i);
                        }
                        n.u += a * (b * n.v - n.u);
                        let fire = n.v >= 30.0;
                        if fire { n.v = c; n.u += d; }
                        fire
                    }
                };
                if *spike {
                    n.last_spike = Some(now);
                    fired += 1;
                }
            }
            self.time += 1;
            fired
        }
    }

    pub fn run() -> (Vec<usize>, Vec<u32>) {
        let mut counts = Vec::new();
        let mut net = Network::new(50, 3);
        for _ in 0..12 { counts.push(net.step(Model::Lif { tau: 10.0, threshold: -50.0, reset: -65.0 }, 20.25)); }
        (counts, net.neurons.iter().map(|n| n.last_spike.unwrap_or(u32::MAX)).collect())
    }
}
port!(spiking: run());
