// Floats as Rust has them, for CUDA C++ and OpenCL C. The words are those of int.h; a name that ends in _M is the
// math library's function of that name for T.

//@ signum_T
FN T signum_T(T x) { return x != x ? x : copysign_M((T)1, x); }

//@ clamp_T
FN T clamp_T(T x, T lo, T hi) { return x < lo ? lo : x > hi ? hi : x; }

//@ powi_T
FN T powi_T(T x, i32 n) {
    u32 m = n < 0 ? 0u - (u32)n : (u32)n;
    T r = (T)1;
    for (;;) {
        if (m & 1u) r *= x;
        m >>= 1;
        if (m == 0) break;
        x *= x;
    }
    return n < 0 ? (T)1 / r : r;
}

//@ div_euclid_T
FN T div_euclid_T(T x, T y) {
    const T q = trunc_M(x / y);
    if (fmod_M(x, y) < (T)0) return y > (T)0 ? q - (T)1 : q + (T)1;
    return q;
}

//@ rem_euclid_T
FN T rem_euclid_T(T x, T y) {
    const T r = fmod_M(x, y);
    return r < (T)0 ? r + fabs_M(y) : r;
}

//@ midpoint_T
FN T midpoint_T(T a, T b) {
    const T s = a + b;
    // What is finite is rounded once; else both halves are exact.
    return s - s == (T)0 ? s / (T)2 : a / (T)2 + b / (T)2;
}
