// What the items of a group have of a nest's reduction, combined. `TEAM_items` and `TEAM_both` are defined before;
// all items of the group call it, and all get the same result. It is a barrier.

//@ tree
static inline TEAM_items TEAM_all(TEAM_items mine, __local TEAM_items* tree) {
    const uint id = (uint)get_local_id(0);
    tree[id] = mine;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
#pragma unroll
    for (uint n = SLOTS; n > 1;) {
        const uint half_n = (n + 1) / 2;
        if (id < n / 2) tree[id] = TEAM_both(tree[id], tree[id + half_n]);
        barrier(CLK_LOCAL_MEM_FENCE);
        n = half_n;
    }
    return tree[0];
}

//@ ordered
static inline TEAM_items TEAM_all(TEAM_items mine, __local TEAM_items* of_item) {
    of_item[get_local_id(0)] = mine;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    mine = of_item[0];
    for (uint t = 1; t < SLOTS; t++) mine = TEAM_both(mine, of_item[t]);
    return mine;
}
