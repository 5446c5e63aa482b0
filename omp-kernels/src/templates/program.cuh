// What device programs need in CUDA C++.

// Loads registers from an address in shared memory. Between a load and a store of the same element, which may be written in
// C++, programs have a barrier, and the compiler moves neither accesses to memory nor volatile statements across that. It
// keeps the stores although nothing in C++ reads the elements: the address is converted to a number that is an operand of
// assembly, so whatever else runs, such as the threads after the barrier, may read there. A clobber of memory
// would order the loads against the stores of other elements too.
#ifndef SHARED_LOADS
#define LOADS_OF_2(type, word, letter)                                                                                  \
    static __device__ __forceinline__ void load_shared(u32 at, type& a) {                                               \
        asm volatile("ld.shared." word " %0, [%1];" : "=" letter(a) : "r"(at));                                         \
    }                                                                                                                   \
    static __device__ __forceinline__ void load_shared(u32 at, type& a, type& b) {                                      \
        asm volatile("ld.shared.v2." word " {%0, %1}, [%2];" : "=" letter(a), "=" letter(b) : "r"(at));                 \
    }
#define LOADS_OF_4(type, word, letter)                                                                                  \
    LOADS_OF_2(type, word, letter)                                                                                      \
    static __device__ __forceinline__ void load_shared(u32 at, type& a, type& b, type& c, type& d) {                    \
        asm volatile("ld.shared.v4." word " {%0, %1, %2, %3}, [%4];"                                                    \
                     : "=" letter(a), "=" letter(b), "=" letter(c), "=" letter(d)                                       \
                     : "r"(at));                                                                                        \
    }
LOADS_OF_4(f32, "f32", "f")
LOADS_OF_4(i32, "s32", "r")
LOADS_OF_4(u32, "u32", "r")
LOADS_OF_2(f64, "f64", "d")
LOADS_OF_2(i64, "s64", "l")
LOADS_OF_2(u64, "u64", "l")
#undef LOADS_OF_2
#undef LOADS_OF_4
#endif

#ifndef ASYNC_COPIES
// Copies to an address in shared memory.
template <int BYTES> static __device__ __forceinline__ void move_async(u32 to, const void* from) {
#if __CUDA_ARCH__ >= 800
    const u64 global = (u64)__cvta_generic_to_global(from);
    if (BYTES == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(to), "l"(global) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" : : "r"(to), "l"(global), "n"(BYTES) : "memory");
    }
#else
    u32* const shared = (u32*)__cvta_shared_to_generic(to);
    for (int k = 0; k < BYTES / 4; k++) shared[k] = ((const u32*)from)[k];
#endif
}

static __device__ __forceinline__ void moves_end(void) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

#if __CUDA_ARCH__ >= 800
#define moves_wait(n) asm volatile("cp.async.wait_group %0;" : : "n"(n) : "memory")
#else
#define moves_wait(n) (void)0
#endif

// The four terms are added one after the other, each product and sum rounded once, as by `fma`. The first is for devices of
// compute capability 8.0, the second for 9.0 and later ones.
static __device__ __forceinline__ void multiply_matrices(f64* first, f64* second, f64 row, f64 column) {
#if __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(*first), "+d"(*second)
                 : "d"(row), "d"(column));
#else
    __trap();
#endif
}

static __device__ __forceinline__ void multiply_matrices(
    f64* first, f64* second, f64* third, f64* fourth, f64 row, f64 other, f64 column
) {
#if __CUDA_ARCH__ >= 900
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+d"(*first), "+d"(*second), "+d"(*third), "+d"(*fourth)
                 : "d"(row), "d"(other), "d"(column));
#else
    __trap();
#endif
}
#endif
