// Integers as Rust has them, for CUDA C++ and OpenCL C.
//
// Each piece below a `//@` line is a helper that is instantiated when it is needed, with these words replaced:
//   T        the type; U, S the unsigned and signed type of its width; L the 64-bit type of its signedness
//   W        the unsigned type in which it is computed: 32 bits at least, so that nothing is promoted to int
//   BITS LOWEST HIGHEST SIGNED    its width, bounds, and whether it is signed
//   FN       qualifiers of a helper; POPC32 … the dialect's intrinsics
// A name that ends in _T (_U, _S) is the helper of that name for that type.
//
// over_*: the low bits of the result, and whether it did not fit.

// NVRTC (13.0) takes the sum's own comparison, `r < a`, for the end of a loop over `b`, and the loop for one of a single
// iteration.
//@ over_add_T
FN T over_add_T(T a, T b, bool* over) {
    const T r = (T)((W)a + (W)b);
    *over = SIGNED ? ((a ^ r) & (b ^ r)) < 0 : (U)b > (U)~a;
    return r;
}

//@ over_sub_T
FN T over_sub_T(T a, T b, bool* over) {
    const T r = (T)((W)a - (W)b);
    *over = SIGNED ? ((a ^ b) & (a ^ r)) < 0 : (U)a < (U)b;
    return r;
}

//@ high_T
FN T high_T(T a, T b) {
#if BITS < 32
    return SIGNED ? (T)(((i32)a * (i32)b) >> BITS) : (T)(((u32)a * (u32)b) >> BITS);
#endif
#if BITS == 32
    return (T)(((L)a * (L)b) >> BITS);
#endif
#if BITS == 64
    return (T)HIGH64(a, b);
#endif
}

//@ over_mul_T
FN T over_mul_T(T a, T b, bool* over) {
#if BITS == 128
    const u64 a1 = (u64)(a >> 64), b1 = (u64)(b >> 64);
    const T low = (T)(u64)a * (u64)b;
    const T middle = (T)a1 * (u64)b + (T)b1 * (u64)a;
    const T r = low + (middle << 64);
    *over = (a1 != 0 && b1 != 0) || (middle >> 64) != 0 || r < low;
    return r;
#else
    const T r = (T)((W)a * (W)b);
    *over = high_T(a, b) != (SIGNED ? (T)(r >> (BITS - 1)) : (T)0);
    return r;
#endif
}

//@ quotient_T
// Of 128 bits. No divisor is zero.
FN T quotient_T(T a, T b) {
    if ((u64)(a >> 64) == 0 && (u64)(b >> 64) == 0) return (T)((u64)a / (u64)b);
    T q = 0, r = 0;
    for (u32 i = BITS - leading_zeros_T(a); i > 0; i--) {
        const bool over = (r >> (BITS - 1)) != 0;
        r = (r << 1) | ((a >> (i - 1)) & 1);
        if (over || r >= b) {
            r -= b;
            q |= (T)1 << (i - 1);
        }
    }
    return q;
}

//@ remainder_T
FN T remainder_T(T a, T b) { return a - quotient_T(a, b) * b; }

//@ over_div_T
FN T over_div_T(T a, T b, bool* over) {
    if (SIGNED && a == LOWEST && b == (T)-1) {
        *over = true;
        return a;
    }
    *over = b == 0;
    return b == 0 ? (T)0 : (T)(a / b);
}

//@ over_rem_T
FN T over_rem_T(T a, T b, bool* over) {
    if (SIGNED && a == LOWEST && b == (T)-1) {
        *over = true;
        return 0;
    }
    *over = b == 0;
    return b == 0 ? (T)0 : (T)(a % b);
}

//@ over_div_euclid_T
FN T over_div_euclid_T(T a, T b, bool* over) {
    const T q = over_div_T(a, b, over);
    if (!SIGNED || *over || (T)(a % b) >= 0) return q;
    return b > 0 ? (T)(q - 1) : (T)(q + 1);
}

//@ over_rem_euclid_T
FN T over_rem_euclid_T(T a, T b, bool* over) {
    const T r = over_rem_T(a, b, over);
    if (!SIGNED || r >= 0) return r;
    return b < 0 ? (T)((W)r - (W)b) : (T)(r + b);
}

// NVIDIA's ptxas (13.0, and that of driver 580, for sm_90) compares wrongly what is kept above zero: with `m = max(max(a, b), 0)` or
// `max(min(a, b), 0)`, `m == b` tells whether `m == a`. It does so for signed numbers of 32 bits. It does not recognise the comparison in a
// difference of bits that the compiler before it does not see.
//@ same_T
FN bool same_T(T a, T b) {
    U r = (U)a ^ (U)b;
    HIDE_R
    return r == 0u;
}

// NVIDIA's ptxas (13.0) takes a negated 16-bit LOWEST for a positive number where it is widened to 64 bits, as if the
// negation could not wrap. A negation has many guises (`0 - a`, `a * -1`, `!a + 1`), so what is widened to 64 bits gets
// its sign by an instruction that moves bytes; and an empty asm keeps the compiler before ptxas from seeing that `r` is one.
//@ widened_T
FN L widened_T(T a) {
    i32 r;
    SIGN_R
    return (L)r;
}

// NVIDIA's compilers (13.0) compute a widened `!a` as `-a - 1`, with the widened `-a` if the code has that, too: as if it
// could not wrap. An empty asm keeps them from seeing what `r` is.
//@ not_T
FN T not_T(T a) {
    W r = ~(W)a;
    HIDE_R
    return (T)r;
}

//@ neg_T
FN T neg_T(T a) {
#if BITS < 32
    W r = (W)0 - (W)a;
    HIDE_R
    return (T)r;
#else
    return (T)((W)0 - (W)a);
#endif
}

//@ over_neg_T
FN T over_neg_T(T a, bool* over) {
    *over = SIGNED ? a == LOWEST : a != 0;
    return neg_T(a);
}

//@ over_abs_T
FN T over_abs_T(T a, bool* over) {
    *over = a == LOWEST;
    return a < 0 ? neg_T(a) : a;
}

//@ over_shl_T
FN T over_shl_T(T a, u32 n, bool* over) {
    *over = n >= BITS;
    return (T)((W)a << (n & (BITS - 1)));
}

//@ over_shr_T
FN T over_shr_T(T a, u32 n, bool* over) {
    *over = n >= BITS;
    return (T)(a >> (n & (BITS - 1)));
}

//@ unbounded_shl_T
FN T unbounded_shl_T(T a, u32 n) { return n < BITS ? (T)((W)a << n) : (T)0; }

//@ unbounded_shr_T
FN T unbounded_shr_T(T a, u32 n) { return n < BITS ? (T)(a >> n) : a < 0 ? (T)-1 : (T)0; }

//@ over_pow_T
FN T over_pow_T(T a, u32 n, bool* over) {
    T r = 1;
    bool o = false, any = false;
    for (;;) {
        if (n & 1u) {
            r = over_mul_T(r, a, &o);
            any = any || o;
        }
        n >>= 1;
        if (n == 0) break;
        a = over_mul_T(a, a, &o);
        any = any || o;
    }
    *over = any;
    return r;
}

//@ over_add_signed_T
FN T over_add_signed_T(T a, S b, bool* over) {
    const T r = (T)((W)a + (W)b);
    *over = b < 0 ? (U)((W)0 - (W)b) > (U)a : (U)b > (U)~a;
    return r;
}

//@ over_sub_signed_T
FN T over_sub_signed_T(T a, S b, bool* over) {
    const T r = (T)((W)a - (W)b);
    *over = b < 0 ? (U)((W)0 - (W)b) > (U)~a : (U)b > (U)a;
    return r;
}

//@ over_add_unsigned_T
FN T over_add_unsigned_T(T a, U b, bool* over) {
    const T r = (T)((W)a + (W)b);
    *over = b > (U)((W)HIGHEST - (W)a);
    return r;
}

//@ over_sub_unsigned_T
FN T over_sub_unsigned_T(T a, U b, bool* over) {
    const T r = (T)((W)a - (W)b);
    *over = b > (U)((W)a - (W)LOWEST);
    return r;
}

//@ over_signed_diff_T
FN S over_signed_diff_T(T a, T b, bool* over) {
    const S r = (S)((W)a - (W)b);
    *over = (a >= b) != (r >= 0);
    return r;
}

//@ pow_T
FN T pow_T(T a, u32 n) {
    W r = 1, x = (W)a;
    for (;;) {
        if (n & 1u) r *= x;
        n >>= 1;
        if (n == 0) return (T)r;
        x *= x;
    }
}

//@ abs_T
FN T abs_T(T a) { return a < 0 ? neg_T(a) : a; }

//@ abs_diff_T
FN U abs_diff_T(T a, T b) { return a < b ? (U)((W)b - (W)a) : (U)((W)a - (W)b); }

//@ signum_T
FN T signum_T(T a) { return (T)((a > 0) - (a < 0)); }

//@ min_T
FN T min_T(T a, T b) { return b < a ? b : a; }

//@ max_T
FN T max_T(T a, T b) { return a > b ? a : b; }

//@ clamp_T
FN T clamp_T(T a, T lo, T hi) { return a < lo ? lo : a > hi ? hi : a; }

//@ count_ones_T
FN u32 count_ones_T(T a) {
#if BITS < 64
    return (u32)POPC32((u32)(U)a);
#endif
#if BITS == 64
    return (u32)POPC64((u64)a);
#endif
#if BITS == 128
    return (u32)POPC64((u64)a) + (u32)POPC64((u64)(a >> 64));
#endif
}

//@ leading_zeros_T
FN u32 leading_zeros_T(T a) {
#if BITS < 64
    return (u32)CLZ32((u32)(U)a) - (32u - BITS);
#endif
#if BITS == 64
    return (u32)CLZ64((u64)a);
#endif
#if BITS == 128
    const u64 high = (u64)(a >> 64);
    return high != 0 ? (u32)CLZ64(high) : 64u + (u32)CLZ64((u64)a);
#endif
}

//@ trailing_zeros_T
FN u32 trailing_zeros_T(T a) { return count_ones_U((U)((U)~a & (U)((W)a - 1u))); }

//@ rotate_left_T
FN T rotate_left_T(T a, u32 n) {
    const W x = (W)(U)a;
    n &= BITS - 1;
    return (T)(U)((x << n) | (x >> ((BITS - n) & (BITS - 1))));
}

//@ rotate_right_T
FN T rotate_right_T(T a, u32 n) { return rotate_left_T(a, (BITS - (n & (BITS - 1))) & (BITS - 1)); }

//@ swap_bytes_T
FN T swap_bytes_T(T a) {
    u64 x = (u64)(U)a;
    x = ((x >> 8) & 0x00ff00ff00ff00ffUL) | ((x & 0x00ff00ff00ff00ffUL) << 8);
    x = ((x >> 16) & 0x0000ffff0000ffffUL) | ((x & 0x0000ffff0000ffffUL) << 16);
    x = (x >> 32) | (x << 32);
    return (T)(U)(x >> (64 - BITS));
}

//@ reverse_bits_T
FN T reverse_bits_T(T a) {
    u64 x = (u64)(U)swap_bytes_T(a);
    x = ((x >> 4) & 0x0f0f0f0f0f0f0f0fUL) | ((x & 0x0f0f0f0f0f0f0f0fUL) << 4);
    x = ((x >> 2) & 0x3333333333333333UL) | ((x & 0x3333333333333333UL) << 2);
    x = ((x >> 1) & 0x5555555555555555UL) | ((x & 0x5555555555555555UL) << 1);
    return (T)(U)x;
}

//@ isqrt_T
FN T isqrt_T(T a) {
    U x = (U)a, r = 0, bit = (U)((W)1 << (BITS - 2));
    while (bit > x) bit = (U)(bit >> 2);
    while (bit != 0) {
        if (x >= (U)((W)r + (W)bit)) {
            x = (U)(x - (U)((W)r + (W)bit));
            r = (U)((r >> 1) + bit);
        } else {
            r = (U)(r >> 1);
        }
        bit = (U)(bit >> 2);
    }
    return (T)r;
}

//@ ilog2_T
FN u32 ilog2_T(T a) { return (BITS - 1u) - leading_zeros_T(a); }

//@ ilog_T
FN u32 ilog_T(T a, T base) {
    u32 n = 0;
    if (base > 1)
        for (; a >= base; n++) a = (T)(a / base);
    return n;
}

//@ div_ceil_T
FN T div_ceil_T(T a, T b) { return b == 0 ? (T)0 : (T)(a / b + (a % b != 0)); }

//@ over_next_multiple_of_T
FN T over_next_multiple_of_T(T a, T b, bool* over) {
    *over = b == 0;
    if (b == 0 || a % b == 0) return a;
    return over_add_T(a, (T)(b - a % b), over);
}

//@ over_next_power_of_two_T
FN T over_next_power_of_two_T(T a, bool* over) {
    *over = false;
    if (a <= 1) return 1;
    const T below = (T)((W)HIGHEST >> leading_zeros_T((T)(a - 1)));
    *over = below == HIGHEST;
    return (T)((W)below + 1u);
}

//@ midpoint_T
FN T midpoint_T(T a, T b) {
    const T down = (T)(((a ^ b) >> 1) + (a & b));
    return down < 0 ? (T)(down + ((a ^ b) & 1)) : down;
}
