//! Layer normalisation, forward and backward, in the manner of llm.c.
use omp_tests::{Values, twice};

twice! {
    #[derive(Clone, Copy)]
    pub struct Shape { b: usize, t: usize, c: usize }

    pub fn layernorm_forward(out: &mut [f32], mean: &mut [f32], rstd: &mut [f32], inp: &[f32], weight: &[f32], bias: &[f32], Shape { b, t, c }: Shape) {
        let eps = 1e-5f32;
        #[omp::target(collapse(2))]
        for bi in 0..b {
            for ti in 0..t {
                let x = &inp[bi * t * c + ti * c..][..c];
                let mut m = 0.0f32;
                for i in 0..c {
                    m += x[i];
                }
                m /= c as f32;
                let mut v = 0.0f32;
                for &xi in x {
                    let xshift = xi - m;
                    v += xshift * xshift;
                }
                v /= c as f32;
                let s = 1.0 / (v + eps).sqrt();
                let out_bt = &mut out[bi * t * c + ti * c..][..c];
                for i in 0..c {
                    let n = s * (x[i] - m);
                    out_bt[i] = n * weight[i] + bias[i];
                }
                mean[bi * t + ti] = m;
                rstd[bi * t + ti] = s;
            }
        }
    }

    pub struct Grads<'a> { dinp: &'a mut [f32], dweight: &'a mut [f32], dbias: &'a mut [f32] }

    pub fn layernorm_backward(g: Grads<'_>, dout: &[f32], inp: &[f32], weight: &[f32], mean: &[f32], rstd: &[f32], s: Shape) {
        let Shape { b, t, c } = s;
        let Grads { dinp, dweight, dbias } = g;
        #[omp::target(collapse(2), reduction(+: dweight, dbias))]
        for bi in 0..b {
            for ti in 0..t {
                let base = bi * t * c + ti * c;
                let dout_bt = &dout[base..base + c];
                let inp_bt = &inp[base..base + c];
                let mean_bt = mean[bi * t + ti];
                let rstd_bt = rstd[bi * t + ti];
                let mut dnorm_mean = 0.0f32;
                let mut dnorm_norm_mean = 0.0f32;
                for i in 0..c {
                    let norm_bti = (inp_bt[i] - mean_bt) * rstd_bt;
                    let dnorm_i = weight[i] * dout_bt[i];
                    dnorm_mean += dnorm_i;
                    dnorm_norm_mean += dnorm_i * norm_bti;
                }
                dnorm_mean /= c as f32;
                dnorm_norm_mean /= c as f32;
                for i in 0..c {
                    let norm_bti = (inp_bt[i] - mean_bt) * rstd_bt;
                    let dnorm_i = weight[i] * dout_bt[i];
                    dbias[i] += dout_bt[i];
                    dweight[i] += norm_bti * dout_bt[i];
                    let mut dval = 0.0;
                    dval += dnorm_i;
                    dval -= dnorm_mean;
                    dval -= norm_bti * dnorm_norm_mean;
                    dval *= rstd_bt;
                    dinp[base + i] += dval;
                }
            }
        }
    }

    pub fn run() -> (Vec<f32>, Vec<f32>, Vec<f32>, Vec<f32>) {
        let s = Shape { b: 3, t: 5, c: 16 };
        let mut v = Values(41);
        let mut values = |n: usize| (0..n).map(|_| v.bits() as f32 / 2e9 - 1.0).collect::<Vec<f32>>();
        let (inp, weight, bias, dout) = (values(240), values(16), values(16), values(240));
        let mut out = vec![0.0; 240];
        let (mut mean, mut rstd) = (vec![0.0; 15], vec![0.0; 15]);
        layernorm_forward(&mut out, &mut mean, &mut rstd, &inp, &weight, &bias, s);
        let (mut dinp, mut dweight, mut dbias) = (vec![0.0; 240], vec![0.0; 16], vec![0.0; 16]);
        let grads = Grads { dinp: &mut dinp, dweight: &mut dweight, dbias: &mut dbias };
        layernorm_backward(grads, &dout, &inp, &weight, &mean, &rstd, s);
        (out, dinp, dweight, dbias)
    }
}
port!(layernorm_grad: run());
