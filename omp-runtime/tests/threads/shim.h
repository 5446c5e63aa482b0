// CUDA C++ on the host's threads: a thread of the machine for each thread of a block, one block after the other. Built
// with ThreadSanitizer, so that two threads of a block that touch memory without a barrier between them are found.
//
// The program that includes it and a kernel reads arguments from a file and writes them back: `grid`, `block` and the
// number of arguments as 32 bits, then for each argument its length in 64 bits and its bytes.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

struct dim3 {
    unsigned x, y, z;
};
static thread_local dim3 threadIdx, blockIdx;
static dim3 blockDim, gridDim;
static pthread_barrier_t block_barrier, warp_barrier[32];
static unsigned long long shuffled[1024];

#define __device__
#define __global__
#define __constant__
#define __shared__ static
#define __restrict__
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline
#define __launch_bounds__(threads)
#define __align__(n) __attribute__((aligned(n)))

static inline void __syncthreads() { pthread_barrier_wait(&block_barrier); }
static inline void __syncwarp() { pthread_barrier_wait(&warp_barrier[threadIdx.x / 32]); }
static inline void __threadfence() { __sync_synchronize(); }

template <class T> static inline T __shfl_down_sync(unsigned, T value, unsigned distance) {
    const unsigned id = threadIdx.x;
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof value);
    shuffled[id] = bits;
    __syncwarp();
    if (id % 32 + distance < 32) {
        bits = shuffled[id + distance];
        memcpy(&value, &bits, sizeof value);
    }
    __syncwarp();
    return value;
}

static inline unsigned atomicCAS(unsigned* p, unsigned old, unsigned value) {
    __atomic_compare_exchange_n(p, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return old;
}
static inline unsigned atomicAdd(unsigned* p, unsigned value) { return __atomic_fetch_add(p, value, __ATOMIC_SEQ_CST); }

template <class To, class From> static inline To bits_of(From value) {
    To to;
    memcpy(&to, &value, sizeof to);
    return to;
}
static inline float __int_as_float(int i) { return bits_of<float>(i); }
static inline int __float_as_int(float f) { return bits_of<int>(f); }
static inline double __longlong_as_double(long long i) { return bits_of<double>(i); }
static inline long long __double_as_longlong(double f) { return bits_of<long long>(f); }
static inline int __clz(int v) { return v == 0 ? 32 : __builtin_clz((unsigned)v); }
static inline int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll((unsigned long long)v); }
static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
static inline long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}

template <class T> static T argument(std::vector<char>& bytes) {
    if constexpr (std::is_pointer_v<T>) {
        return (T)bytes.data();
    } else {
        T value;
        memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
}

template <class... A, size_t... I>
static void call(void (*kernel)(A...), std::vector<std::vector<char>>& args, std::index_sequence<I...>) {
    kernel(argument<A>(args[I])...);
}

template <class... A> static int on_threads(void (*kernel)(A...), const char* path) {
    FILE* file = fopen(path, "rb");
    unsigned head[3];
    if (!file || fread(head, 4, 3, file) != 3 || head[2] != sizeof...(A)) return 2;
    std::vector<std::vector<char>> args(head[2]);
    for (auto& arg : args) {
        unsigned long long length;
        if (fread(&length, 8, 1, file) != 1) return 2;
        arg.resize(length);
        if (length && fread(arg.data(), 1, length, file) != length) return 2;
    }
    fclose(file);
    gridDim = {head[0], 1, 1};
    blockDim = {head[1], 1, 1};
    for (unsigned b = 0; b < head[0]; b++) {
        pthread_barrier_init(&block_barrier, nullptr, head[1]);
        for (unsigned w = 0; 32 * w < head[1]; w++) {
            const unsigned left = head[1] - 32 * w;
            pthread_barrier_init(&warp_barrier[w], nullptr, left < 32 ? left : 32);
        }
        std::vector<std::thread> threads;
        for (unsigned t = 0; t < head[1]; t++) {
            threads.emplace_back([=, &args] {
                threadIdx = {t, 0, 0};
                blockIdx = {b, 0, 0};
                call(kernel, args, std::index_sequence_for<A...>());
            });
        }
        for (auto& thread : threads) thread.join();
    }
    file = fopen(path, "wb");
    for (auto& arg : args) {
        if (!arg.empty() && fwrite(arg.data(), 1, arg.size(), file) != arg.size()) return 2;
    }
    return fclose(file) ? 2 : 0;
}
