// CUDA C++ on the host: each block is a thread of the machine, each thread of a block a fiber of it, which goes on until it
// reaches a barrier, a shuffle or an atomic access; who is next is drawn by lot. Blocks run several at a time, in any order.
// Built with ThreadSanitizer, which knows of fibers and barriers by its annotations, so that two threads that touch memory without anything
// that orders them are found, in a block as well as in two. A barrier that not all threads reach is found as well.
//
// This is what a kernel needs; `shim.cpp` is what runs it, which is not watched.
#include <functional>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <type_traits>
#include <utility>
#include <vector>

struct dim3 {
    unsigned x, y, z;
};

// What runs kernels.
dim3 shim_thread(), shim_block();
void shim_wait_for_warp(), shim_wait_for_block(), shim_yield();
unsigned long long shim_shuffle(unsigned long long bits, unsigned from);
unsigned shim_ballot(bool vote);
struct Task {
    unsigned grid, block, at_once, seed, launches;
};
void shim_run(const Task& task, const std::function<void()>& kernel);

static dim3 blockDim, gridDim;
#define threadIdx (shim_thread())
#define blockIdx (shim_block())

#define __device__
#define __global__
#define __constant__
#define __shared__ static thread_local
#define __restrict__
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

static void __syncthreads() { shim_wait_for_block(); }
static void __syncwarp() { shim_wait_for_warp(); }
static void __threadfence() { __sync_synchronize(); }

template <class T> static T shuffle(T value, unsigned from) {
    unsigned long long bits = 0;
    memcpy(&bits, &value, sizeof value);
    bits = shim_shuffle(bits, from);
    memcpy(&value, &bits, sizeof value);
    return value;
}
template <class T> static T __shfl_sync(unsigned, T value, unsigned lane) { return shuffle(value, lane); }
template <class T> static T __shfl_down_sync(unsigned, T value, unsigned by) { return shuffle(value, threadIdx.x % 32 + by); }
template <class T> static T __shfl_up_sync(unsigned, T value, unsigned by) { return shuffle(value, threadIdx.x % 32 - by); }
static unsigned __ballot_sync(unsigned, bool vote) { return shim_ballot(vote); }
static bool __any_sync(unsigned, bool vote) { return shim_ballot(vote) != 0; }
static int __ffs(int bits) { return __builtin_ffs(bits); }

#define ASYNC_COPIES
template <class T> static void copy_async(T* to, const T* from) { *to = *from; }
static void copies_done() {}
#define RELAXED_ACCESSES
static unsigned long long load_relaxed(const unsigned long long* p) {
    shim_yield();
    return __atomic_load_n(p, __ATOMIC_RELAXED);
}
static void store_relaxed(unsigned long long* p, unsigned long long value) {
    shim_yield();
    __atomic_store_n(p, value, __ATOMIC_RELAXED);
}

#define ATOMIC(name, type, function) \
    static type name(type* p, type value) { \
        shim_yield(); \
        return __atomic_##function(p, value, __ATOMIC_SEQ_CST); \
    }
ATOMIC(atomicAdd, unsigned, fetch_add)
ATOMIC(atomicAdd, int, fetch_add)
ATOMIC(atomicAdd, unsigned long long, fetch_add)
ATOMIC(atomicAnd, unsigned, fetch_and)
ATOMIC(atomicAnd, unsigned long long, fetch_and)
ATOMIC(atomicOr, unsigned, fetch_or)
ATOMIC(atomicOr, unsigned long long, fetch_or)
ATOMIC(atomicXor, unsigned, fetch_xor)
ATOMIC(atomicXor, unsigned long long, fetch_xor)
ATOMIC(atomicExch, unsigned, exchange_n)
ATOMIC(atomicExch, unsigned long long, exchange_n)
template <class T> static T replace(T* p, T old, T value) {
    shim_yield();
    __atomic_compare_exchange_n(p, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return old;
}
static unsigned atomicCAS(unsigned* p, unsigned old, unsigned value) { return replace(p, old, value); }
static unsigned long long atomicCAS(unsigned long long* p, unsigned long long old, unsigned long long value) {
    return replace(p, old, value);
}
template <class T> static T pick(T* p, T value, bool less) {
    shim_yield();
    T old = __atomic_load_n(p, __ATOMIC_SEQ_CST);
    while ((less ? value < old : old < value) &&
           !__atomic_compare_exchange_n(p, &old, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    return old;
}
template <class T> static T atomicMin(T* p, T value) { return pick(p, value, true); }
template <class T> static T atomicMax(T* p, T value) { return pick(p, value, false); }

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

// Reads arguments from a file and writes them back: `grid`, `block`, how many blocks run at a time, the seed of the lots, how
// often the kernel is launched and the number of arguments as 32 bits, then for each its length in 64 bits and its bytes.
template <class... A> static int on_threads(void (*kernel)(A...), const char* path) {
    FILE* file = fopen(path, "rb");
    unsigned head[6];
    if (!file || fread(head, 4, 6, file) != 6 || head[5] != sizeof...(A)) return 2;
    std::vector<std::vector<char>> args(head[5]);
    for (auto& arg : args) {
        unsigned long long length;
        if (fread(&length, 8, 1, file) != 1) return 2;
        arg.resize(length);
        if (length && fread(arg.data(), 1, length, file) != length) return 2;
    }
    fclose(file);
    gridDim = {head[0], 1, 1};
    blockDim = {head[1], 1, 1};
    shim_run({head[0], head[1], head[2], head[3], head[4]}, [&] { call(kernel, args, std::index_sequence_for<A...>()); });
    file = fopen(path, "wb");
    for (auto& arg : args) {
        if (!arg.empty() && fwrite(arg.data(), 1, arg.size(), file) != arg.size()) return 2;
    }
    return fclose(file) ? 2 : 0;
}
