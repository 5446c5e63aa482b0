// Memory of which the launch says how much there is.
#ifndef SHARED_MEMORY
#define SHARED_MEMORY(name, bytes) extern __shared__ __align__(16) u8 name[]
#endif
