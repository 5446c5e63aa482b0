// What device programs need in CUDA C++.

// Memory of which the launch says how much there is.
#ifndef SHARED_MEMORY
#define SHARED_MEMORY(name, bytes) extern __shared__ __align__(16) u8 name[]
#endif

#ifndef ASYNC_COPIES
template <int BYTES> static __device__ __forceinline__ void move_async(void* to, const void* from) {
#if __CUDA_ARCH__ >= 800
    const u32 shared = (u32)__cvta_generic_to_shared(to);
    const u64 global = (u64)__cvta_generic_to_global(from);
    if (BYTES == 16) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" : : "r"(shared), "l"(global) : "memory");
    } else {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" : : "r"(shared), "l"(global), "n"(BYTES) : "memory");
    }
#else
    for (int k = 0; k < BYTES / 4; k++) ((u32*)to)[k] = ((const u32*)from)[k];
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
