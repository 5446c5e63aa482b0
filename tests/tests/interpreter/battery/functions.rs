//! Functions of the C library: a device has its own, within some units in the last place of the host's.
omp_tests::battery! {
    functions(16) on [f32 f64] with (T; n, a, b, at, s, y, z, r) {
        exponential [] { for i in 0..n { y[i] = b[i].exp(); } }
        logarithms [] { for i in 0..n { y[i] = b[i].ln(); z[i] = (b[i] + 8.0).log10(); } }
        binary_logarithm [] { for i in 0..n { y[i] = (b[i] + 2.0).log2(); z[i] = b[i].exp2(); } }
        sine [] { for i in 0..n { y[i] = b[i].sin(); } }
        cosine [] { for i in 0..n { y[i] = (b[i] * 0.1).cos(); } }
        tangent [] { for i in 0..n { y[i] = (b[i] * 0.1).tan(); } }
        inverse_sine [] { for i in 0..n { y[i] = (b[i] * 0.1).asin(); } }
        inverse_cosine [] { for i in 0..n { y[i] = (b[i] * 0.1).acos(); } }
        inverse_tangent [] { for i in 0..n { y[i] = b[i].atan(); z[i] = b[i].atan2(s); } }
        hyperbolic [] { for i in 0..n { y[i] = b[i].sinh(); z[i] = b[i].cosh(); } }
        hyperbolic_tangent [] { for i in 0..n { y[i] = (b[i] * 0.25).tanh(); } }
        power [] { for i in 0..n { y[i] = b[i].powf(1.5); } }
        integer_power [] { for i in 0..n { y[i] = b[i].powi(5); } }
        cube_root [] { for i in 0..n { y[i] = b[i].cbrt(); } }
        hypotenuse [] { for i in 0..n { y[i] = b[i].hypot(z[i]); } }
        gaussian [] { for i in 0..n { let v = b[i] * 0.5; y[i] = (-0.5 * v * v).exp() * 0.4; } }
        logistic [] { for i in 0..n { y[i] = 1.0 / (1.0 + (-b[i]).exp()); } }
        polar [] { for i in 0..n { let (p, q) = (b[i], z[i] * 0.1); y[i] = p * q.cos(); } }
    }
}
