// The CUDA peers of `benches/src/bin/nests.rs`: built like the other peers, with their `common.cuh` on the include path.
#include "common.cuh"
#include <cfloat>

// ---- softmax: a block has a row, which it keeps in shared memory; PyTorch's kernel for rows of this length does the same ----
template <class Op> __device__ float of_block(float v, Op op, float identity) {
  __shared__ float part[32];
  for (int d = 16; d; d >>= 1) v = op(v, __shfl_xor_sync(~0u, v, d));
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x % 32 < blockDim.x / 32 ? part[threadIdx.x % 32] : identity;
  for (int d = 16; d; d >>= 1) v = op(v, __shfl_xor_sync(~0u, v, d));
  __syncthreads();
  return v;
}
__global__ void softmax_shared(int width, const float4* __restrict__ x, float4* __restrict__ y) {
  extern __shared__ float4 row[];
  x += (size_t)blockIdx.x * (width / 4);
  y += (size_t)blockIdx.x * (width / 4);
  float most = -FLT_MAX, sum = 0;
  for (int j = threadIdx.x; j < width / 4; j += blockDim.x) {
    float4 v = x[j];
    row[j] = v;
    most = fmaxf(most, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
  }
  most = of_block(most, Larger(), -FLT_MAX);
  for (int j = threadIdx.x; j < width / 4; j += blockDim.x) {
    float4 v = row[j];
    sum += expf(v.x - most) + expf(v.y - most) + expf(v.z - most) + expf(v.w - most);
  }
  sum = of_block(sum, Plus(), 0.0f);
  for (int j = threadIdx.x; j < width / 4; j += blockDim.x) {
    float4 v = row[j];
    y[j] = make_float4(expf(v.x - most) / sum, expf(v.y - most) / sum, expf(v.z - most) / sum, expf(v.w - most) / sum);
  }
}
// A warp has a row, which it keeps in registers: PyTorch's kernel for rows of up to 1024 values.
template <int N> __global__ void softmax_warp(int rows, const float* __restrict__ x, float* __restrict__ y) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  if (row >= rows) return;
  x += (size_t)row * N + threadIdx.x % 32;
  y += (size_t)row * N + threadIdx.x % 32;
  float v[N / 32], most = -FLT_MAX, sum = 0;
#pragma unroll
  for (int k = 0; k < N / 32; k++) { v[k] = x[32 * k]; most = fmaxf(most, v[k]); }
  for (int d = 16; d; d >>= 1) most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
#pragma unroll
  for (int k = 0; k < N / 32; k++) { v[k] = expf(v[k] - most); sum += v[k]; }
  for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(~0u, sum, d);
#pragma unroll
  for (int k = 0; k < N / 32; k++) y[32 * k] = v[k] / sum;
}
static void softmax(const char* work, int rows, int width) {
  Buf<float> x((size_t)rows * width), y((size_t)rows * width);
  float* p = x;
  for_each(x.n, [=] __device__(size_t i) { p[i] = (float)(unit(i) - 0.5); });
  auto one = [&](const char* peer, auto run) { y.poison(); Line(peer, work).ms(device_ms(run)).gbps(8.0 * x.n).check(true); };
  for (int threads : {256, 512, 1024}) {
    std::string name = "cuda_shared_" + std::to_string(threads);
    one(name.c_str(), [&] { softmax_shared<<<rows, threads, width * 4>>>(width, (float4*)x.p, (float4*)y.p); });
  }
  if (width == 1024) one("cuda_warp", [&] { softmax_warp<1024><<<rows / 4, 128>>>(rows, x, y); });
}

// ---- arrays of structs, by float4 ----
__global__ void turn(size_t n, float by, const float4* __restrict__ a, float4* __restrict__ b) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = a[i];
  b[i] = make_float4(p.x - by * p.y, p.y + by * p.x, p.z, p.w);
}
__global__ void drift(size_t n, float by, float4* p) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 at = p[2 * i], speed = p[2 * i + 1];
  at.x += by * speed.x; at.y += by * speed.y; at.z += by * speed.z;
  p[2 * i] = at;
}
static void structs() {
  size_t n = pow2(24);
  Buf<float4> a(n), b(2 * n);
  CK(cudaMemset(a, 0, 16 * n)); CK(cudaMemset(b, 0, 32 * n));
  for (const char* work : {"aos16_2^24", "aos16_fields_2^24"})
    Line("cuda_float4", work).ms(device_ms([&] { turn<<<(n + 255) / 256, 256>>>(n, 0.5f, a, b); })).gbps(32.0 * n).check(true);
  Line("cuda_float4", "aos32_2^24").ms(device_ms([&] { drift<<<(n + 255) / 256, 256>>>(n, 1.0f / 1024, b); })).gbps(64.0 * n).check(true);
}

// ---- rows with loaded bounds and columns, without checks ----
__global__ void csr(size_t n, const unsigned* __restrict__ row, const unsigned* __restrict__ column, const float* __restrict__ v,
                    const float* __restrict__ x, float* __restrict__ y) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (unsigned k = row[i]; k < row[i + 1]; k++) s += v[k] * x[column[k]];
  y[i] = s;
}
static void rows(const char* work, size_t n, unsigned least, unsigned more) {
  std::vector<unsigned> row(n + 1);
  for (size_t i = 0; i < n; i++) row[i + 1] = row[i] + least + mix(i) % more;
  size_t all = row[n];
  Buf<unsigned> r(n + 1), c(all);
  CK(cudaMemcpy(r, row.data(), 4 * (n + 1), cudaMemcpyHostToDevice));
  Buf<float> v(all), x(n), y(n);
  unsigned* q = c; float *p = v, *o = x;
  for_each(all, [=] __device__(size_t k) { q[k] = mix(k) % (unsigned)n; p[k] = (float)(unit(k) - 0.5); });
  for_each(n, [=] __device__(size_t k) { o[k] = (float)(unit(k + 77) - 0.5); });
  Line("cuda_naive", work).ms(device_ms([&] { csr<<<(n + 255) / 256, 256>>>(n, r, c, v, x, y); })).check(true);
}

int main() {
  softmax("softmax_f32_16384x4096", 16384, 4096);
  softmax("softmax_f32_65536x1024", 65536, 1024);
  structs();
  rows("csr_f32_2^22", pow2(22), 8, 16);
  rows("csr_long_f32_2^17", pow2(17), 256, 512);
}
