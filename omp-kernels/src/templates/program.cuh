// Asynchronous moves of device programs in CUDA C++.
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
#endif
