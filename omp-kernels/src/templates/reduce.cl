// The end of a reduction in OpenCL C. The kernel defines `items` (one value of each reduction item), `combine`,
// `identity` and the macros in capitals before.

//@ tree
// Combines the items of a group of any size in a fixed order; item 0 has the result.
static inline items reduce_block(items mine, __local items* tree) {
    const uint id = (uint)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    tree[id] = mine;
    // Unrolled, as the number of items is a constant: no barrier stands in a loop.
#pragma unroll
    for (uint n = GROUP_ITEMS; n > 1;) {
        const uint half_n = (n + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id < n / 2) tree[id] = combine(tree[id], tree[id + half_n]);
        n = half_n;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    return tree[0];
}

//@ single
// A group of one item: no memory is shared, no barrier needed.
static inline items reduce_block(items mine, __local items* unused) { return mine; }

//@ grid
#ifdef __NV_CL_C_VERSION
#define DEVICE_FENCE() asm volatile("membar.gl;" ::: "memory")
#else
#define DEVICE_FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif

// Combines the items of all groups: each group leaves its own in `partials`, and the group that takes the last
// ticket combines them in the order of group numbers, so that the result is the same in every run.
// Item 0 of that group gets true.
static inline bool reduce_grid(items* mine, __global u8* partials, __global u32* ticket, __local items* shared_items, __local u32* shared_flag) {
    const uint id = (uint)get_local_id(0);
    items r = reduce_block(*mine, shared_items);
    if (id == 0) {
        *(__global items*)(partials + (ulong)get_group_id(0) * PARTIAL_BYTES) = r;
        DEVICE_FENCE();
        *shared_flag = atomic_inc((volatile __global uint*)ticket) == (uint)get_num_groups(0) - 1 ? 1u : 0u;
    }
    GROUP_BARRIER();
    if (*shared_flag == 0u) return false;
    DEVICE_FENCE();
    r = identity();
    for (uint b = id; b < (uint)get_num_groups(0); b += GROUP_ITEMS) {
        r = combine(r, load_partial(partials + (ulong)b * PARTIAL_BYTES));
    }
    r = reduce_block(r, shared_items);
    if (id != 0) return false;
    *ticket = 0u;
    *mine = r;
    return true;
}
