// The copies of a part of a mapped array, `EACH` neighbouring elements at a time.
template <class T, u32 EACH> struct __align__(EACH * sizeof(T)) part_group { T values[EACH]; };
template <class T, u32 COUNT, u32 APART, u32 EACH> static __device__ __forceinline__ void load_part(T* own, const T* from) {
    #pragma unroll (EACH == 1 ? 16 : 8)
    for (u32 k = 0; k < COUNT / EACH; k++) {
        const part_group<T, EACH> group = ((const part_group<T, EACH>*)from)[k];
        #pragma unroll
        for (u32 i = 0; i < EACH; i++) own[(k * EACH + i) * APART] = group.values[i];
    }
}
template <class T, u32 COUNT, u32 APART, u32 EACH> static __device__ __forceinline__ void store_part(const T* own, T* to) {
    #pragma unroll (EACH == 1 ? 16 : 8)
    for (u32 k = 0; k < COUNT / EACH; k++) {
        part_group<T, EACH> group;
        #pragma unroll
        for (u32 i = 0; i < EACH; i++) group.values[i] = own[(k * EACH + i) * APART];
        ((part_group<T, EACH>*)to)[k] = group;
    }
}
