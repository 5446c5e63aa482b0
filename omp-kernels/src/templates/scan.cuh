// Scans in one launch in CUDA C++: how tiles publish and look up sums. `back/c/strategy/scan/look_back.rs` says why it is
// correct. The kernel defines `items`, `item_words`, `combine`, `identity`, `shuffle_up` and `shuffle_from` before.

//@ relaxed
#ifndef RELAXED_ACCESSES
static __device__ __forceinline__ u64 load_relaxed(const u64* p) {
    u64 v;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(p) : "memory");
    return v;
}

static __device__ __forceinline__ void store_relaxed(u64* p, u64 v) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" : : "l"(p), "l"(v) : "memory");
}
#endif

//@ staged
// 16 bytes, as they move between memory and shared memory.
typedef struct __align__(16) { u32 words[4]; } granule;

#ifndef ASYNC_COPIES
// Copies on its way, while the thread goes on.
static __device__ __forceinline__ void copy_async(granule* to, const granule* from) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 : : "r"((u32)__cvta_generic_to_shared(to)), "l"(__cvta_generic_to_global(from)) : "memory");
#else
    *to = *from;
#endif
}

// Waits for those of this thread.
static __device__ __forceinline__ void copies_done(void) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" : : : "memory");
#endif
}
#endif

//@ look_back
// The state from one launch to the next, zeroed once: the launch's number (from bit TICKET_BITS on) and the next tile; in the
// launch with the last number, the blocks that have finished; how many words were ever in use.
typedef struct { u64 next; u64 most; u32 finished; u32 unused; u64 more[13]; } scan_head;

#define TICKET_BITS 34
// Launches until their numbers start again.
#define SCAN_LAUNCHES (1u << 30)
#define ITEM_WORDS ((u32)((sizeof(items) + 3) / 4))

// The published sums of tiles, then those of groups of 32 tiles, then the sums of everything up to the end of each 32 groups.
// Words of 32 neighbours are contiguous, the first words of all, then the second ones.
typedef struct { u64* tiles; u64* groups; u64* prefixes; u64* end; } scan_slots;

static __device__ __forceinline__ scan_slots slots_of(u64* words, u64 tiles) {
    scan_slots s;
    const u64 groups = (tiles + 31) / 32, more = (groups + 31) / 32;
    s.tiles = words;
    s.groups = s.tiles + groups * (32 * ITEM_WORDS);
    s.prefixes = s.groups + more * (32 * ITEM_WORDS);
    s.end = s.prefixes + more * ITEM_WORDS;
    return s;
}

// Publishes items under a tag, by all lanes of a warp: each word has the tag.
static __device__ __forceinline__ void scan_publish(u64* slot, u32 apart, u32 tag, items x) {
    const u32 lane = threadIdx.x % 32;
    item_words w;
    w.words[ITEM_WORDS - 1] = 0u;
    w.all = x;
#pragma unroll
    for (u32 first = 0; first < ITEM_WORDS; first += 32) {
        u32 mine = 0u;
#pragma unroll
        for (u32 k = first; k < ITEM_WORDS && k < first + 32; k++) {
            if (lane == k - first) mine = w.words[k];
        }
        if (first + lane < ITEM_WORDS) store_relaxed(slot + (first + lane) * apart, (u64)tag << 32 | mine);
    }
}

// Whether all words bear the tag, and the items if so.
static __device__ __forceinline__ bool scan_ask(const u64* slot, u32 apart, u32 tag, items* x) {
    item_words w;
    u32 wrong = 0u;
#pragma unroll
    for (u32 k = 0; k < ITEM_WORDS; k++) {
        const u64 word = load_relaxed(slot + k * apart);
        wrong |= (u32)(word >> 32) ^ tag;
        w.words[k] = (u32)word;
    }
    if (wrong == 0u) *x = w.all;
    return wrong == 0u;
}

// By all lanes of a warp: the items of each lane's slot, when all are there. Those who need none get the identity.
static __device__ __forceinline__ items scan_wait(const u64* slot, u32 apart, u32 tag, bool needs) {
    items x = identity();
    do {
        if (needs) needs = !scan_ask(slot, apart, tag, &x);
    } while (__any_sync(0xffffffffu, needs));
    return x;
}

// What the lanes up to each one add up to.
static __device__ __forceinline__ items scan_warp(CX_PARAM items mine) {
#pragma unroll
    for (u32 d = 1; d < 32; d <<= 1) {
        const items before = shuffle_up(mine, d);
        if (threadIdx.x % 32 >= d) mine = combine(CX_ARG before, mine);
    }
    return mine;
}

static __device__ __forceinline__ u64* slot_of(u64* slots, u64 k) { return slots + k / 32 * (32 * ITEM_WORDS) + k % 32; }

// Publishes the sum of a tile. By all lanes of a warp.
static __device__ __forceinline__ void publish_tile(scan_slots slots, u64 tile, u32 launch, items sum) {
    if (tile % 32 != 31) scan_publish(slot_of(slots.tiles, tile), 32, launch, sum);
}

// Publishes the sum of a group, or of everything up to its end. By a warp of its last tile.
static __device__ __forceinline__ void publish_group(CX_PARAM scan_slots slots, u64 tile, u32 launch, items sum) {
    const u32 lane = threadIdx.x % 32;
    const u64 group = tile / 32, part = group / 32;
    items x = scan_wait(slot_of(slots.tiles, group * 32 + lane), 32, launch, lane != 31);
    if (lane == 31) x = sum;
    x = shuffle_from(scan_warp(CX_ARG x), 31u);
    if (group % 32 != 31) {
        scan_publish(slot_of(slots.groups, group), 32, launch, x);
        return;
    }
    items y = scan_wait(slot_of(slots.groups, part * 32 + lane), 32, launch, lane != 31);
    if (lane == 31) y = x;
    y = shuffle_from(scan_warp(CX_ARG y), 31u);
    if (part != 0) y = combine(CX_ARG scan_wait(slots.prefixes + (part - 1) * ITEM_WORDS, 1, launch, true), y);
    scan_publish(slots.prefixes + part * ITEM_WORDS, 1, launch, y);
}

// What a tile starts from, which is not the first. By all lanes of a warp.
static __device__ __forceinline__ items look_back(CX_PARAM scan_slots slots, u64 tile, u32 launch) {
    const u32 lane = threadIdx.x % 32, place = (u32)(tile % 32), of_group = (u32)(tile / 32 % 32);
    const u64 part = tile / 1024;
    const u64* a = slot_of(slots.tiles, tile / 32 * 32 + lane);
    const u64* b = slot_of(slots.groups, part * 32 + lane);
    const u64* c = slots.prefixes + (part == 0 ? 0 : part - 1) * ITEM_WORDS;
    bool needs_a = lane < place, needs_b = lane < of_group, needs_c = part != 0;
    items x = identity(), y = identity(), all = identity();
    if (ITEM_WORDS <= 4) {
        // All three at a time.
        do {
            items u = identity(), v = identity(), w = identity();
            const bool there_a = scan_ask(a, 32, launch, &u), there_b = scan_ask(b, 32, launch, &v);
            const bool there_c = scan_ask(c, 1, launch, &w);
            if (needs_a && there_a) x = u;
            if (needs_b && there_b) y = v;
            if (needs_c && there_c) all = w;
            needs_a = needs_a && !there_a;
            needs_b = needs_b && !there_b;
            needs_c = needs_c && !there_c;
        } while (__any_sync(0xffffffffu, needs_a || needs_b || needs_c));
    } else {
        x = scan_wait(a, 32, launch, needs_a);
        if (of_group != 0u) y = scan_wait(b, 32, launch, needs_b);
        if (part != 0) all = scan_wait(c, 1, launch, true);
    }
    if (of_group != 0u) {
        y = shuffle_from(scan_warp(CX_ARG y), of_group - 1u);
        all = part == 0 ? y : combine(CX_ARG all, y);
    }
    if (place != 0u) {
        x = shuffle_from(scan_warp(CX_ARG x), place - 1u);
        all = part == 0 && of_group == 0u ? x : combine(CX_ARG all, x);
    }
    return all;
}

// By one thread for each tile that a block has drawn: after the last one of the launch, the head is made ready for the
// next. `last`: the last number that a block draws.
static __device__ __forceinline__ void scan_drawn(scan_head* head, u64 tile, u64 last, u32 launch, u64 used) {
    if (tile != last) return;
    if (head->most < used) head->most = used;
    head->next = (u64)launch << TICKET_BITS;
}

// By one thread of each block, at the end: numbers start again when all blocks of the launch with the last number have finished.
static __device__ __forceinline__ void scan_end(scan_head* head, u64* words, u32 launch) {
    if (launch != SCAN_LAUNCHES) return;
    __threadfence();
    if (atomicAdd(&head->finished, 1u) != gridDim.x - 1u) return;
    __threadfence();
    const u64 most = *(volatile u64*)&head->most;
    for (u64 k = 0; k < most; k++) words[k] = 0;
    head->finished = 0u;
    head->next = 0;
}
