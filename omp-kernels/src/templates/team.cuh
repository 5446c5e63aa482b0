// What the threads of a team have of a nest's items, combined. `TEAM_items`, `TEAM_both` and `TEAM_down` are defined
// before; all threads of the block call it, and all get the same result. It is a barrier.

//@ warps
static __device__ __forceinline__ TEAM_items TEAM_all(TEAM_items mine, TEAM_items* of_warp) {
#pragma unroll
    for (u32 d = 16; d > 0; d >>= 1) mine = TEAM_both(mine, TEAM_down(mine, d));
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
    __syncthreads();
    mine = of_warp[0];
#pragma unroll
    for (u32 w = 1; w < SLOTS; w++) mine = TEAM_both(mine, of_warp[w]);
    return mine;
}

//@ tree
// In the order of the threads, which operators of users want.
static __device__ __forceinline__ TEAM_items TEAM_all(TEAM_items mine, TEAM_items* of_thread) {
    of_thread[threadIdx.x] = mine;
    __syncthreads();
    mine = of_thread[0];
    for (u32 t = 1; t < SLOTS; t++) mine = TEAM_both(mine, of_thread[t]);
    return mine;
}
