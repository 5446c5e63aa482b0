// The end of a reduction in CUDA C++. The kernel defines `items` (one value of each reduction item), `combine`,
// `identity` and `shuffle_down` before.

//@ warps
// Combines the items of a block of whole warps in a fixed order; thread 0 has the result.
static __device__ __forceinline__ items reduce_block(items mine, items* of_warp) {
#pragma unroll
    for (u32 d = 16; d > 0; d >>= 1) mine = combine(mine, shuffle_down(mine, d));
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : identity();
#pragma unroll
        for (u32 d = 16; d > 0; d >>= 1) mine = combine(mine, shuffle_down(mine, d));
    }
    return mine;
}

//@ tree
// Combines the items of a block of any size in a fixed order; thread 0 has the result.
static __device__ __forceinline__ items reduce_block(items mine, items* tree) {
    tree[threadIdx.x] = mine;
    for (u32 n = blockDim.x; n > 1;) {
        const u32 half_n = (n + 1) / 2;
        __syncthreads();
        if (threadIdx.x < n / 2) tree[threadIdx.x] = combine(tree[threadIdx.x], tree[threadIdx.x + half_n]);
        n = half_n;
    }
    __syncthreads();
    return tree[0];
}

//@ grid
// Combines the items of all blocks: each block leaves its own in `partials`, and the block that takes the last
// ticket combines them in the order of block numbers, so that the result is the same in every run.
// Thread 0 of that block gets true.
static __device__ __forceinline__ bool reduce_grid(items* mine, u8* partials, u32* ticket, items* shared_items, u32* shared_flag) {
    items r = reduce_block(*mine, shared_items);
    if (threadIdx.x == 0) {
        *(items*)(partials + (u64)blockIdx.x * PARTIAL_BYTES) = r;
        __threadfence();
        *shared_flag = atomicAdd(ticket, 1u) == gridDim.x - 1 ? 1u : 0u;
    }
    __syncthreads();
    if (*shared_flag == 0u) return false;
    __threadfence();
    r = identity();
    for (u32 b = threadIdx.x; b < gridDim.x; b += blockDim.x) {
        r = combine(r, load_partial(partials + (u64)b * PARTIAL_BYTES));
    }
    r = reduce_block(r, shared_items);
    if (threadIdx.x != 0) return false;
    *ticket = 0u;
    *mine = r;
    return true;
}
