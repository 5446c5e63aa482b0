// Sums of floats that come out the same in whatever order they are added: an accumulator of an element is an integer as
// wide as the format's range, in words of 64 bits whose places are fewer bits apart than words are wide, so that
// additions carry nothing. Word `w` of element `e` is `words[w * n + e]`; the last word has flags for what is no number (1, 2, 4)
// and, with `flag`, for the addition of anything else than -0.0 (8).
// `@` stands for a float's type and the distance of words: `f32_8`.

//@ hot_word
// Adds a value to what the block keeps of a word in shared memory: which words, then the lower and the upper halves of
// their values. A slot belongs to the first word that is looked up in it, which is likely to be one with many updates, if there
// are such. No word of an accumulator has number 0.
static __device__ __forceinline__ bool hot_word(u32* hot, u32 word, i64 value) {
    // The hash depends on the block, so that different words collide in different blocks.
    const u32 slot = (word * (2654435761u + blockIdx.x * 2246822518u)) >> 16 & (HOT_WORDS - 1u);
    u32 has = *(volatile u32*)&hot[slot];
    if (has == 0u) {
        has = atomicCAS(&hot[slot], 0u, word);
        if (has == 0u) has = word;
    }
    if (has != word) return false;
    const u32 low = (u32)(u64)value, old = atomicAdd(&hot[HOT_WORDS + slot], low);
    const u32 high = (u32)((u64)value >> 32) + (old + low < low ? 1u : 0u);
    if (high != 0u) atomicAdd(&hot[2u * HOT_WORDS + slot], high);
    return true;
}

//@ add_word
// Adds a signed part of a value to a word. Lanes with the same word add up among themselves first: they may be at updates
// of different arrays. All words of a kernel are in one piece of memory, less than 32 GiB, so that 32 bits identify a word.
static __device__ __forceinline__ void add_word(u64* words, u32 at, u32 part, bool minus, u64* all, u32* hot) {
    const u32 word = (u32)(u64)(&words[at] - all);
    i64 value = minus ? -(i64)part : (i64)part;
#if __CUDA_ARCH__ >= 800
    const u32 lane = threadIdx.x % 32u;
    u32 here = __activemask();
    for (;;) {
        const u32 first = (u32)__ffs((int)here) - 1u;
        const u32 same = __ballot_sync(here, __shfl_sync(here, word, (int)first) == word);
        if (__popc(same) < 4) break;
        if (same >> lane & 1u) {
            const i32 low = (i32)(part & 0xffffu), high = (i32)(part >> 16);
            const i32 lows = __reduce_add_sync(same, minus ? -low : low);
            const i32 highs = __reduce_add_sync(same, minus ? -high : high);
            if (lane != first) return;
            value = (i64)highs * 65536 + (i64)lows;
            break;
        }
        here &= ~same;
    }
#endif
#if HOT_WORDS
    if (hot_word(hot, word, value)) return;
#endif
    atomicAdd(&words[at], (u64)value);
}

//@ f32
// What a value is made of: significand and place, or what is no number.
static __device__ __forceinline__ bool parts_of_f32(u64* words, u32 flags, f32 x, bool flag, u64* significand, u32* place, bool* minus) {
    const u32 bits = (u32)__float_as_int(x), exponent = bits >> 23 & 0xffu, fraction = bits & 0x7fffffu;
    *minus = bits >> 31 != 0u;
    if (flag && bits != 0x80000000u) atomicOr(&words[flags], 8ull);
    if (exponent == 0xffu) {
        atomicOr(&words[flags], fraction != 0u ? 4ull : *minus ? 2ull : 1ull);
        return false;
    }
    *place = exponent == 0u ? 0u : exponent - 1u;
    *significand = exponent == 0u ? fraction : fraction | 0x800000u;
    return *significand != 0u;
}

//@ f64
static __device__ __forceinline__ bool parts_of_f64(u64* words, u32 flags, f64 x, bool flag, u64* significand, u32* place, bool* minus) {
    const u64 bits = (u64)__double_as_longlong(x), fraction = bits & 0xfffffffffffffull;
    const u32 exponent = (u32)(bits >> 52) & 0x7ffu;
    *minus = bits >> 63 != 0u;
    if (flag && bits != 0x8000000000000000ull) atomicOr(&words[flags], 8ull);
    if (exponent == 0x7ffu) {
        atomicOr(&words[flags], fraction != 0u ? 4ull : *minus ? 2ull : 1ull);
        return false;
    }
    *place = exponent == 0u ? 0u : exponent - 1u;
    *significand = exponent == 0u ? fraction : fraction | 0x10000000000000ull;
    return *significand != 0u;
}

//@ f32_8
static __device__ __forceinline__ void accumulate_f32_8(u64* words, u32 n, u32 e, f32 x, bool flag, u64* all, u32* hot) {
    u64 significand;
    u32 place;
    bool minus;
    if (!parts_of_f32(words, FLAGS_f32_8 * n + e, x, flag, &significand, &place, &minus)) return;
    // 24 bits, moved by 7 at most.
    add_word(words, place / 8u * n + e, (u32)significand << place % 8u, minus, all, hot);
}

//@ f32_32
static __device__ __forceinline__ void accumulate_f32_32(u64* words, u32 n, u32 e, f32 x, bool flag, u64* all, u32* hot) {
    u64 significand;
    u32 place;
    bool minus;
    if (!parts_of_f32(words, FLAGS_f32_32 * n + e, x, flag, &significand, &place, &minus)) return;
    const u64 moved = significand << place % 32u;
    const u32 at = place / 32u * n + e;
    if ((u32)moved != 0u) add_word(words, at, (u32)moved, minus, all, hot);
    if (moved >> 32 != 0u) add_word(words, at + n, (u32)(moved >> 32), minus, all, hot);
}

//@ f64_32
static __device__ __forceinline__ void accumulate_f64_32(u64* words, u32 n, u32 e, f64 x, bool flag, u64* all, u32* hot) {
    u64 significand;
    u32 place;
    bool minus;
    if (!parts_of_f64(words, FLAGS_f64_32 * n + e, x, flag, &significand, &place, &minus)) return;
    const u32 by = place % 32u, at = place / 32u * n + e;
    const u64 moved = significand << by;
    const u32 last = by == 0u ? 0u : (u32)(significand >> (64u - by));
    if ((u32)moved != 0u) add_word(words, at, (u32)moved, minus, all, hot);
    if (moved >> 32 != 0u) add_word(words, at + n, (u32)(moved >> 32), minus, all, hot);
    if (last != 0u) add_word(words, at + 2u * n, last, minus, all, hot);
}

//@ total
// What an accumulator holds, in f64: the carries are made up for, first to see whether the sum is negative, then with all
// words turned if it is, so that nothing cancels; each word is exact as an f64 then, and the sum of them off by little
// more than its last bit.
static __device__ __forceinline__ f64 accumulated_@(const u64* words, u64 n) {
    const u64 flags = words[FLAGS_@ * n] & 7ull;
    if (flags != 0u) {
        const u64 bits = flags == 1u ? 0x7ff0000000000000ull : flags == 2u ? 0xfff0000000000000ull : 0x7ff8000000000000ull;
        return __longlong_as_double((long long)bits);
    }
    i64 carry = 0;
    for (u32 w = 0; w < FLAGS_@; w++) carry = (carry + (i64)words[w * n]) >> SPACING_@;
    const bool minus = carry < 0;
    f64 total = 0.0, unit = LEAST_@;
    carry = 0;
    for (u32 w = 0; w < FLAGS_@; w++) {
        const i64 word = (i64)words[w * n];
        carry += minus ? -word : word;
        total += (f64)(carry & ((1ll << SPACING_@) - 1)) * unit;
        carry >>= SPACING_@;
        unit *= (f64)(1ll << SPACING_@);
    }
    if (carry != 0) total += (f64)carry * unit;
    return minus ? -total : total;
}
