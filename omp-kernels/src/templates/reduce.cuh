// The end of a reduction in CUDA C++. The kernel defines `items` (one value of each reduction item), `combine`,
// `identity` and `shuffle_down` before. Operands keep their order: that of threads and blocks.

//@ warps
// Combines the items of a block of whole warps; thread 0 has the result.
static __device__ __forceinline__ items reduce_warp(CX_PARAM items mine) {
#pragma unroll
    for (u32 d = 1; d < 32; d <<= 1) {
        const items other = shuffle_down(mine, d);
        if (threadIdx.x % (2 * d) == 0) mine = combine(CX_ARG mine, other);
    }
    return mine;
}

static __device__ __forceinline__ items reduce_block(CX_PARAM items mine, items* of_warp) {
    mine = reduce_warp(CX_ARG mine);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x < 32) {
        mine = threadIdx.x < blockDim.x / 32 ? of_warp[threadIdx.x] : identity();
        mine = reduce_warp(CX_ARG mine);
    }
    return mine;
}

//@ tree
// Combines the items of a block of any size; thread 0 has the result.
static __device__ __forceinline__ items reduce_block(CX_PARAM items mine, items* tree) {
    tree[threadIdx.x] = mine;
    for (u32 d = 1; d < blockDim.x; d *= 2) {
        __syncthreads();
        if (threadIdx.x % (2 * d) == 0 && threadIdx.x + d < blockDim.x) {
            tree[threadIdx.x] = combine(CX_ARG tree[threadIdx.x], tree[threadIdx.x + d]);
        }
    }
    __syncthreads();
    return tree[0];
}

//@ fold
// Makes the tree of values that come one by one, in their order: level l holds the combination of 2^l values where
// bit l of their number is set.
typedef struct { items level[40]; u64 turn; } fold;

static __device__ __forceinline__ void fold_begin(fold* f) { f->turn = 0; }

static __device__ __forceinline__ void fold_push(CX_PARAM fold* f, items x) {
    u32 l = 0;
    for (u64 bits = f->turn; bits & 1; bits >>= 1) x = combine(CX_ARG f->level[l++], x);
    f->level[l] = x;
    f->turn++;
}

static __device__ __forceinline__ items fold_total(CX_PARAM fold* f) {
    items r = identity();
    bool any = false;
    u32 l = 0;
    for (u64 bits = f->turn; bits != 0; bits >>= 1, l++) {
        if (!(bits & 1)) continue;
        r = any ? combine(CX_ARG f->level[l], r) : f->level[l];
        any = true;
    }
    return r;
}

//@ grid
// Combines the items of all blocks: each block stores its own in `partials`, and the block that takes the last
// ticket combines them in the order of block numbers, so that the result is the same in every run.
// Thread 0 of that block gets true.
static __device__ __forceinline__ bool reduce_grid(CX_PARAM items* mine, u8* partials, u32* ticket, items* shared_items, u32* shared_flag) {
    items r = reduce_block(CX_ARG *mine, shared_items);
    if (threadIdx.x == 0) {
        *(items*)(partials + (u64)blockIdx.x * PARTIAL_BYTES) = r;
        __threadfence();
        *shared_flag = atomicAdd(ticket, 1u) == gridDim.x - 1 ? 1u : 0u;
    }
    __syncthreads();
    if (*shared_flag == 0u) return false;
    __threadfence();
    r = identity();
    const u32 each = (gridDim.x + blockDim.x - 1) / blockDim.x;
    const u32 first = threadIdx.x * each;
    for (u32 b = first; b < first + each && b < gridDim.x; b++) {
        r = combine(CX_ARG r, load_partial(partials + (u64)b * PARTIAL_BYTES));
    }
    r = reduce_block(CX_ARG r, shared_items);
    if (threadIdx.x != 0) return false;
    *ticket = 0u;
    *mine = r;
    return true;
}
