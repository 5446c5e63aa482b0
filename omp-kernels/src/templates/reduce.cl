// The end of a reduction in OpenCL C. The kernel defines `items` (one value of each reduction item), `combine`,
// `identity` and the macros in capitals before. Operands keep their order: that of items and groups.

//@ tree
// Combines the items of a group of any size; item 0 has the result.
static inline items reduce_block(CX_PARAM items mine, __local items* tree) {
    const uint id = (uint)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    tree[id] = mine;
    // Unrolled, as the number of items is a constant: no barrier stands in a loop.
#pragma unroll
    for (uint d = 1; d < GROUP_ITEMS; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id % (2 * d) == 0 && id + d < GROUP_ITEMS) tree[id] = combine(CX_ARG tree[id], tree[id + d]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return tree[0];
}

//@ single
// A group of one item: no memory is shared, no barrier needed.
static inline items reduce_block(CX_PARAM items mine, __local items* unused) { return mine; }

//@ fold
// Makes the tree of values that come one by one, in their order: level l holds the combination of 2^l values where
// bit l of their number is set.
typedef struct { items level[40]; u64 turn; } fold;

static inline void fold_begin(fold* f) { f->turn = 0; }

static inline void fold_push(CX_PARAM fold* f, items x) {
    u32 l = 0;
    for (u64 bits = f->turn; bits & 1; bits >>= 1) {
        x = combine(CX_ARG f->level[l], x);
        l++;
    }
    f->level[l] = x;
    f->turn++;
}

static inline items fold_total(CX_PARAM fold* f) {
    items r = identity();
    bool any = false;
    u32 l = 0;
    for (u64 bits = f->turn; bits != 0; bits >>= 1) {
        if (bits & 1) {
            r = any ? combine(CX_ARG f->level[l], r) : f->level[l];
            any = true;
        }
        l++;
    }
    return r;
}

//@ grid
#ifdef __NV_CL_C_VERSION
#define DEVICE_FENCE() __asm__ volatile("membar.gl;" ::: "memory")
#else
#define DEVICE_FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif

// Combines the items of all groups: each group stores its own in `partials`, and the group that takes the last
// ticket combines them in the order of group numbers, so that the result is the same in every run.
// Item 0 of that group gets true.
static inline bool reduce_grid(CX_PARAM items* mine, __global u8* partials, __global u32* ticket, __local items* shared_items, __local u32* shared_flag) {
    const uint id = (uint)get_local_id(0);
    items r = reduce_block(CX_ARG *mine, shared_items);
    if (id == 0) {
        *(__global items*)(partials + (ulong)get_group_id(0) * PARTIAL_BYTES) = r;
        DEVICE_FENCE();
        *shared_flag = atomic_inc((volatile __global uint*)ticket) == (uint)get_num_groups(0) - 1 ? 1u : 0u;
    }
    GROUP_BARRIER();
    if (*shared_flag == 0u) return false;
    DEVICE_FENCE();
    r = identity();
    const uint each = ((uint)get_num_groups(0) + GROUP_ITEMS - 1) / GROUP_ITEMS;
    const uint first = id * each;
    for (uint b = first; b < first + each && b < (uint)get_num_groups(0); b++) {
        r = combine(CX_ARG r, load_partial(partials + (ulong)b * PARTIAL_BYTES));
    }
    r = reduce_block(CX_ARG r, shared_items);
    if (id != 0) return false;
    *ticket = 0u;
    *mine = r;
    return true;
}
