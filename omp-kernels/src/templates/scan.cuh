// Scans in one launch in CUDA C++: how tiles tell each other what they add up to. `back/c/look_back.rs` says why it is
// right. The kernel defines `items`, `item_words`, `combine`, `identity`, `shuffle_up` and `shuffle_from` before.

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

//@ look_back
// What launches leave for each other, zeroed once: the next tile, blocks that have finished, the launch's number, and
// how many words were ever in use.
typedef struct { u64 next; u64 most; u32 finished; u32 launch; u64 unused[5]; } scan_head;

#define ITEM_WORDS ((u32)((sizeof(items) + 3) / 4))
// Words of a group of 32 tiles: what each adds up to, and what all of them do, alone or with those before.
#define GROUP_WORDS (33ull * ITEM_WORDS)
// The last two bits of a tag.
#define SCAN_SUM 1u
#define SCAN_PREFIX 2u
// Launches until their numbers begin again.
#define SCAN_LAUNCHES ((1u << 30) - 2u)

// Leaves items under a tag: each word bears it.
static __device__ __forceinline__ void scan_tell(u64* slot, u32 tag, items x) {
    item_words w;
    w.words[ITEM_WORDS - 1] = 0u;
    w.all = x;
#pragma unroll
    for (u32 k = 0; k < ITEM_WORDS; k++) store_relaxed(slot + k, (u64)tag << 32 | w.words[k]);
}

// SCAN_SUM or SCAN_PREFIX and the items, if all words of this launch are there; else 0.
static __device__ __forceinline__ u32 scan_ask(const u64* slot, u32 launch, item_words* x) {
    const u64 first = load_relaxed(slot);
    const u32 tag = (u32)(first >> 32);
    if ((tag & ~3u) != launch) return 0u;
    x->words[0] = (u32)first;
#pragma unroll
    for (u32 k = 1; k < ITEM_WORDS; k++) {
        const u64 word = load_relaxed(slot + k);
        if ((u32)(word >> 32) != tag) return 0u;
        x->words[k] = (u32)word;
    }
    return tag & 3u;
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

// What the groups before `group` (which is not 0) add up to, from left to right. By all lanes of a warp: lane l asks the
// group l + 1 before.
static __device__ __forceinline__ items scan_groups(CX_PARAM const u64* words, u64 group, u32 launch) {
    const u32 lane = threadIdx.x % 32;
    const u64* slot = words + (group - 1 - lane) * GROUP_WORDS + 32 * ITEM_WORDS;
    item_words mine;
    mine.words[ITEM_WORDS - 1] = 0u;
    mine.all = identity();
    u32 known = 0u, nearest;
    for (;;) {
        if (lane < group && known != SCAN_PREFIX) {
            item_words now;
            const u32 found = scan_ask(slot, launch, &now);
            if (found != 0u) {
                known = found;
                mine = now;
            }
        }
        const u32 sums = __ballot_sync(0xffffffffu, known != 0u);
        const u32 prefixes = __ballot_sync(0xffffffffu, known == SCAN_PREFIX);
        nearest = (u32)__ffs((int)prefixes) - 1u;
        if (prefixes != 0u && (sums | ~((2u << nearest) - 1u)) == 0xffffffffu) break;
    }
    items r = shuffle_from(mine.all, nearest);
    for (u32 l = nearest; l-- > 0u;) {
        const items next = shuffle_from(mine.all, l);
        r = combine(CX_ARG r, next);
    }
    return r;
}

// What tile `tile` of `tiles` starts from, which is not the first. `sum`: what it adds up to. By all lanes of a warp.
static __device__ __forceinline__ items look_back(CX_PARAM u64* words, u64 tile, u64 tiles, u32 launch, items sum) {
    const u32 lane = threadIdx.x % 32, place = (u32)(tile % 32);
    const u64 group = tile / 32;
    u64* of_group = words + group * GROUP_WORDS;
    u64* whole = of_group + 32 * ITEM_WORDS;
    const bool last = place == 31u && tile + 1 < tiles;
    if (lane == 0u && place != 31u && tile + 1 < tiles) scan_tell(of_group + place * ITEM_WORDS, launch | SCAN_SUM, sum);
    // Those before it in its group.
    items within = identity();
    if (place != 0u) {
        item_words mine;
        mine.words[ITEM_WORDS - 1] = 0u;
        mine.all = identity();
        bool there = lane >= place;
        do {
            if (!there) there = scan_ask(of_group + lane * ITEM_WORDS, launch, &mine) != 0u;
        } while (!__all_sync(0xffffffffu, there));
        if (lane >= place) mine.all = identity();
        within = shuffle_from(scan_warp(CX_ARG mine.all), place - 1u);
    }
    items group_sum = sum;
    if (last) {
        group_sum = combine(CX_ARG within, sum);
        if (lane == 0u) scan_tell(whole, launch | (group == 0 ? SCAN_PREFIX : SCAN_SUM), group_sum);
    }
    if (group == 0) return within;
    const items before = scan_groups(CX_ARG words, group, launch);
    if (last) {
        const items all = combine(CX_ARG before, group_sum);
        if (lane == 0u) scan_tell(whole, launch | SCAN_PREFIX, all);
    }
    return place == 0u ? before : combine(CX_ARG before, within);
}

// The tag of this launch.
static __device__ __forceinline__ u32 scan_begin(const scan_head* head) { return (head->launch + 1u) << 2; }

// By one thread of each block, behind its last tile: the last one of all makes the head ready for the next launch.
static __device__ __forceinline__ void scan_end(scan_head* head, u64* words, u64 used) {
    __threadfence();
    if (atomicAdd(&head->finished, 1u) != gridDim.x - 1u) return;
    __threadfence();
    head->next = 0;
    head->finished = 0u;
    if (head->most < used) head->most = used;
    if (++head->launch == SCAN_LAUNCHES) {
        for (u64 k = 0; k < head->most; k++) words[k] = 0;
        head->launch = 0u;
    }
}
