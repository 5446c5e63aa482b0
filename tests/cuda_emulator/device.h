// CUDA C++ as the emulator's g++ understands it: included before each kernel that `nvrtc.cpp` compiles. The emulated
// driver (driver.cpp) writes the thread's place into the variables below before it lets a thread go on, and is called
// through `emulator_stop` wherever threads meet.
//
// Of the library's names only those of <math.h>: a kernel may have any other name.
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
// (CUDA has no `gamma`.)
#define gamma of_libm_gamma
#include <math.h>
#undef gamma

typedef __SIZE_TYPE__ size_t;
struct dim3 {
    unsigned x, y, z;
};
extern "C" {
dim3 emulator_thread, emulator_block, emulator_block_dim, emulator_grid_dim;
// Stops the thread until the others have come: all of the block (0), or the lanes of `lanes` in its warp (1); or only
// lets others go on (2). `line` is where.
void (*emulator_stop)(int kind, unsigned lanes, int line);
// What the lanes of this thread's warp show each other.
unsigned long long (*emulator_lanes)[5];
// Where shared memory lies: the linker names the bounds of the section.
extern char __start_emulator_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_emulator_shared[] __attribute__((weak, visibility("hidden")));
char *emulator_section = __start_emulator_shared, *emulator_section_end = __stop_emulator_shared;
}
#define threadIdx emulator_thread
#define blockIdx emulator_block
#define blockDim emulator_block_dim
#define gridDim emulator_grid_dim
#define warpSize 32
#define __CUDA_ARCH__ 900

#define __device__
#define __global__
#define __host__
#define __constant__
#define memcpy __builtin_memcpy
#define __shared__ static __attribute__((section("emulator_shared")))
#define __restrict__
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline
// What compilers are told has to be so.
#define __builtin_assume(fact) ((fact) ? (void)0 : __builtin_trap())
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

#define __syncthreads() emulator_stop(0, 0, __LINE__)
static inline void __syncwarp(unsigned lanes = 0xffffffffu) { emulator_stop(1, lanes, 0); }
static inline void __threadfence() { emulator_stop(2, 0, 0); }
static inline void __threadfence_block() { emulator_stop(2, 0, 0); }
static inline void __threadfence_system() { emulator_stop(2, 0, 0); }
static inline void __nanosleep(unsigned) { emulator_stop(2, 0, 0); }

static inline unsigned emulator_linear() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// ---- lanes

// `from` says which lane's value a lane gets; out of the segment it keeps its own.
template <class T, class From> static inline T emulator_shuffle(unsigned lanes, T value, int width, From from) {
    static_assert(sizeof(T) <= 32, "a shuffle of more than a lane's slot");
    const int lane = emulator_linear() % 32, first = lane / width * width;
    __builtin_memcpy(&emulator_lanes[lane], &value, sizeof value);
    __syncwarp(lanes);
    const int other = from(lane - first);
    if (other >= 0 && other < width) __builtin_memcpy(&value, &emulator_lanes[first + other], sizeof value);
    __syncwarp(lanes);
    return value;
}
template <class T> static inline T __shfl_down_sync(unsigned lanes, T value, unsigned by, int width = 32) {
    return emulator_shuffle(lanes, value, width, [=](int lane) { return lane + (int)by; });
}
template <class T> static inline T __shfl_up_sync(unsigned lanes, T value, unsigned by, int width = 32) {
    return emulator_shuffle(lanes, value, width, [=](int lane) { return lane - (int)by; });
}
template <class T> static inline T __shfl_xor_sync(unsigned lanes, T value, int mask, int width = 32) {
    return emulator_shuffle(lanes, value, width, [=](int lane) { return lane ^ mask; });
}
template <class T> static inline T __shfl_sync(unsigned lanes, T value, int lane, int width = 32) {
    return emulator_shuffle(lanes, value, width, [=](int) { return lane & (width - 1); });
}
static inline unsigned __ballot_sync(unsigned lanes, int yes) {
    const unsigned lane = emulator_linear() % 32;
    emulator_lanes[lane][0] = yes != 0;
    __syncwarp(lanes);
    unsigned all = 0;
    for (unsigned l = 0; l < 32; l++) {
        if (lanes >> l & 1u && emulator_lanes[l][0]) all |= 1u << l;
    }
    __syncwarp(lanes);
    return all;
}
static inline unsigned __match_any_sync(unsigned lanes, unsigned long long value) {
    const unsigned lane = emulator_linear() % 32;
    emulator_lanes[lane][0] = value;
    __syncwarp(lanes);
    unsigned all = 0;
    for (unsigned l = 0; l < 32; l++) {
        if (lanes >> l & 1u && emulator_lanes[l][0] == value) all |= 1u << l;
    }
    __syncwarp(lanes);
    return all;
}
static inline int __any_sync(unsigned lanes, int yes) { return __ballot_sync(lanes, yes) != 0; }
static inline int __all_sync(unsigned lanes, int yes) { return __ballot_sync(lanes, !yes) == 0; }

// Adds up in 32 bits.
static inline int __reduce_add_sync(unsigned lanes, int value) {
    const unsigned lane = emulator_linear() % 32;
    emulator_lanes[lane][0] = (unsigned)value;
    __syncwarp(lanes);
    unsigned all = 0;
    for (unsigned l = 0; l < 32; l++) {
        if (lanes >> l & 1u) all += (unsigned)emulator_lanes[l][0];
    }
    __syncwarp(lanes);
    return (int)all;
}
// Some of the lanes that are at this place: who comes while the first one waits a little.
static inline unsigned __activemask() {
    const unsigned long long waits = 1ull << 32, gathers = 2ull << 32, known = 3ull << 32;
    const unsigned lane = emulator_linear() % 32;
    unsigned long long* mine = &emulator_lanes[lane][4];
    for (unsigned l = 0; l < 32; l++) {
        if (emulator_lanes[l][4] != gathers) continue;
        for (*mine = waits; *mine == waits;) emulator_stop(2, 0, 0);
        const unsigned all = (unsigned)*mine;
        *mine = 0;
        return all;
    }
    *mine = gathers;
    emulator_stop(2, 0, 0);
    emulator_stop(2, 0, 0);
    unsigned all = 1u << lane;
    for (unsigned l = 0; l < 32; l++) {
        if (emulator_lanes[l][4] == waits) all |= 1u << l;
    }
    for (unsigned l = 0; l < 32; l++) {
        if (emulator_lanes[l][4] == waits) emulator_lanes[l][4] = known | all;
    }
    *mine = 0;
    return all;
}

static inline int __syncthreads_or(int yes) {
    const unsigned me = emulator_linear(), threads = blockDim.x * blockDim.y * blockDim.z;
    unsigned long long (*const all)[5] = emulator_lanes - me / 32 * 32;
    all[me][0] = yes != 0;
    __syncthreads();
    int any = 0;
    for (unsigned t = 0; t < threads; t++) any |= all[t][0] != 0;
    __syncthreads();
    return any;
}

// ---- atomics: one thread runs at a time, and another one may come before and after each of them

template <class T, class F> static inline T emulator_atomic(T* p, F next) {
    emulator_stop(2, 0, 0);
    const T old = *p;
    *p = next(old);
    return old;
}
template <class T> struct emulator_same {
    typedef T type;
};
#define EMULATOR_ATOMIC(name, value_of)                                                              \
    template <class T> static inline T name(T* p, typename emulator_same<T>::type v) {               \
        return emulator_atomic(p, [=](T old) -> T { return value_of; });                             \
    }
// A sum of `float` takes subnormal numbers for zero, and stores zero in place of them (in global memory, where emitted code has it).
static inline float emulator_flushed(float v) { return __builtin_fabsf(v) < 1.17549435e-38f ? __builtin_copysignf(0.0f, v) : v; }
template <class T> static inline T emulator_sum(T a, T b) { return a + b; }
template <> inline float emulator_sum(float a, float b) {
    return emulator_flushed(emulator_flushed(a) + emulator_flushed(b));
}
EMULATOR_ATOMIC(atomicAdd, emulator_sum<T>(old, v))
EMULATOR_ATOMIC(atomicSub, old - v)
EMULATOR_ATOMIC(atomicAnd, old & v)
EMULATOR_ATOMIC(atomicOr, old | v)
EMULATOR_ATOMIC(atomicXor, old ^ v)
EMULATOR_ATOMIC(atomicMin, v < old ? v : old)
EMULATOR_ATOMIC(atomicMax, v > old ? v : old)
EMULATOR_ATOMIC(atomicExch, v)
template <class T>
static inline T atomicCAS(T* p, typename emulator_same<T>::type wanted, typename emulator_same<T>::type v) {
    return emulator_atomic(p, [=](T old) -> T { return old == wanted ? v : old; });
}

#define SHARED_MEMORY(name, bytes) __shared__ __align__(16) unsigned char name[bytes]

// What kernels write in PTX otherwise.
#define RELAXED_ACCESSES
static inline unsigned long long load_relaxed(const unsigned long long* p) {
    emulator_stop(2, 0, 0);
    return *p;
}
static inline void store_relaxed(unsigned long long* p, unsigned long long value) {
    emulator_stop(2, 0, 0);
    *p = value;
}

// Addresses in shared memory count from its start.
#define SHARED_LOADS
static inline size_t __cvta_generic_to_shared(const void* p) { return (const char*)p - __start_emulator_shared; }
template <class... T> static inline void load_shared(unsigned at, T&... to) {
    const char* from = __start_emulator_shared + at;
    ((__builtin_memcpy(&to, from, sizeof to), from += sizeof to), ...);
}

// A copy is there at once.
#define ASYNC_COPIES
template <class T> static inline void copy_async(T* to, const T* from) { *to = *from; }
static inline void copies_done() {}
template <int BYTES> static inline void move_async(unsigned to, const void* from) {
    __builtin_memcpy(__start_emulator_shared + to, from, BYTES);
}
static inline void moves_end() {}
static inline void moves_wait(int) {}
// Lanes show each other their factors.
static inline void multiply_matrices(double* first, double* second, double row, double column) {
    const int lane = emulator_linear() % 32;
    __builtin_memcpy(&emulator_lanes[lane][0], &row, sizeof row);
    __builtin_memcpy(&emulator_lanes[lane][1], &column, sizeof column);
    __syncwarp();
    for (int k = 0; k < 4; k++) {
        double a, b[2];
        __builtin_memcpy(&a, &emulator_lanes[lane / 4 * 4 + k][0], sizeof a);
        for (int w = 0; w < 2; w++) {
            __builtin_memcpy(&b[w], &emulator_lanes[(lane % 4 * 2 + w) * 4 + k][1], sizeof a);
        }
        *first = fma(a, b[0], *first);
        *second = fma(a, b[1], *second);
    }
    __syncwarp();
}
static inline void multiply_matrices(
    double* first, double* second, double* third, double* fourth, double row, double other, double column
) {
    multiply_matrices(first, second, row, column);
    multiply_matrices(third, fourth, other, column);
}

// ---- numbers

static inline float __int_as_float(int i) { return __builtin_bit_cast(float, i); }
static inline float __uint_as_float(unsigned i) { return __builtin_bit_cast(float, i); }
static inline int __float_as_int(float f) { return __builtin_bit_cast(int, f); }
static inline unsigned __float_as_uint(float f) { return __builtin_bit_cast(unsigned, f); }
static inline double __longlong_as_double(long long i) { return __builtin_bit_cast(double, i); }
static inline long long __double_as_longlong(double f) { return __builtin_bit_cast(long long, f); }
static inline int __clz(int v) { return v == 0 ? 32 : __builtin_clz((unsigned)v); }
static inline int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll((unsigned long long)v); }
static inline int __ffs(int v) { return __builtin_ffs(v); }
static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
static inline unsigned __brev(unsigned v) {
    unsigned r = 0;
    for (int b = 0; b < 32; b++) r |= (v >> b & 1u) << (31 - b);
    return r;
}
static inline long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
template <class A, class B> static inline auto min(A a, B b) -> decltype(a + b) { return b < a ? b : a; }
template <class A, class B> static inline auto max(A a, B b) -> decltype(a + b) { return a < b ? b : a; }
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }
// A conversion that does not fit gives the nearest end, of NaN zero: what the machine's instruction does.
template <class I> static inline I emulator_saturate(double x, double lowest, double above, I least, I most) {
    return x != x ? 0 : x < lowest ? least : x >= above ? most : (I)x;
}
static inline int __float2int_rz(float x) {
    return emulator_saturate<int>(x, -2147483648.0, 2147483648.0, -2147483647 - 1, 2147483647);
}
static inline unsigned __float2uint_rz(float x) { return emulator_saturate<unsigned>(x, 0, 4294967296.0, 0, ~0u); }
template <class T> static inline T __ldg(const T* p) { return *p; }
template <class T> static inline T __ldcs(const T* p) { return *p; }
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / sqrt(x); }
static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fsqrt_rn(float a) { return sqrtf(a); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __dsqrt_rn(double a) { return sqrt(a); }

// ---- what the driver calls

struct emulator_entry {
    unsigned count;
    const unsigned* sizes;
    void (*run)(char** args);
};
template <class T> struct emulator_plain {
    typedef T type;
};
template <class T> struct emulator_plain<const T> {
    typedef T type;
};
template <int... I> struct emulator_places {};
template <int N, int... I> struct emulator_count : emulator_count<N - 1, N - 1, I...> {};
template <int... I> struct emulator_count<0, I...> {
    typedef emulator_places<I...> type;
};
template <class T> static inline typename emulator_plain<T>::type emulator_value(const char* bytes) {
    typename emulator_plain<T>::type value;
    __builtin_memcpy(&value, bytes, sizeof value);
    return value;
}
template <auto kernel> struct emulator_kernel;
template <class... A, void (*kernel)(A...)> struct emulator_kernel<kernel> {
    static constexpr unsigned sizes[] = {(unsigned)sizeof(A)..., 0};
    template <int... I> static void with(char** args, emulator_places<I...>) { kernel(emulator_value<A>(args[I])...); }
    static void run(char** args) { with(args, typename emulator_count<sizeof...(A)>::type()); }
};
#define EMULATOR_ENTRY(name)                                                            \
    extern "C" const emulator_entry name##__entry = {                                   \
        sizeof(emulator_kernel<name>::sizes) / sizeof(unsigned) - 1, emulator_kernel<name>::sizes, \
        emulator_kernel<name>::run};
