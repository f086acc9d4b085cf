"""CUDA C for random draws: the same Philox counters as on the CPU (compute/philox.py, vary/_image_draws.py)."""

PHILOX = r"""
typedef unsigned int u32;
typedef unsigned long long u64;

static __device__ __forceinline__ void philox(u32 c[4], u32 k0, u32 k1) {
    #pragma unroll
    for (int round = 0; round < 10; round++) {
        u64 p0 = 0xD2511F53ULL * c[0], p1 = 0xCD9E8D57ULL * c[2];
        u32 a = (u32)(p1 >> 32) ^ c[1] ^ k0, b = (u32)p1;
        u32 d = (u32)(p0 >> 32) ^ c[3] ^ k1, e = (u32)p0;
        c[0] = a; c[1] = b; c[2] = d; c[3] = e;
        k0 += 0x9E3779B9u; k1 += 0xBB67AE85u;
    }
}
"""

IMAGES = (
    PHILOX
    + r"""
// counts[image, document]: a block draws one image and keeps the documents of its part, in shared memory.
extern "C" __global__ void draw_images(
    unsigned char *counts, long long active, int part, const long long *total, u64 seed, u64 first, u32 stream,
    int *flag)
{
    extern __shared__ u32 held[];
    u64 replicate = first + blockIdx.x;
    long long low = (long long)blockIdx.y * part;
    long long here = active - low < part ? active - low : part;
    for (int j = threadIdx.x; j < (part + 3) / 4; j += blockDim.x) held[j] = 0;
    __syncthreads();
    long long wanted = total[blockIdx.x], steps = (wanted + 3) >> 2;
    u64 bound = (1ULL << 32) % (u64)active;
    for (long long step = threadIdx.x; step < steps; step += blockDim.x) {
        u32 c[4] = {(u32)step, (u32)replicate, (u32)(replicate >> 32), stream};
        philox(c, (u32)seed, (u32)(seed >> 32));
        for (int w = 0; w < 4; w++) {
            if (4 * step + w >= wanted) break;
            u64 product = (u64)c[w] * (u64)active;
            u32 next = stream;
            while ((product & 0xFFFFFFFFULL) < bound) {  // rejected: the word of this position in the next stream
                next++;
                u32 d[4] = {(u32)step, (u32)replicate, (u32)(replicate >> 32), next};
                philox(d, (u32)seed, (u32)(seed >> 32));
                product = (u64)d[w] * (u64)active;
            }
            long long document = (long long)(product >> 32) - low;
            if (document >= 0 && document < here) {
                int shift = 8 * (int)(document & 3);
                u32 old = atomicAdd(&held[document >> 2], 1u << shift);
                if (((old >> shift) & 255u) == 255u) *flag = 1;
            }
        }
    }
    __syncthreads();
    unsigned char *row = counts + (long long)blockIdx.x * active + low;
    const unsigned char *bytes = (const unsigned char *)held;
    for (long long j = threadIdx.x; j < here; j += blockDim.x) row[j] = bytes[j];
}

// [images, documents] to [documents, stride]
extern "C" __global__ void turn(
    const unsigned char *from, unsigned char *to, long long active, int images, long long stride)
{
    __shared__ unsigned char tile[32][33];
    long long d = (long long)blockIdx.x * 32 + threadIdx.x;
    int i = blockIdx.y * 32 + threadIdx.y;
    if (d < active && i < images) tile[threadIdx.y][threadIdx.x] = from[(long long)i * active + d];
    __syncthreads();
    d = (long long)blockIdx.x * 32 + threadIdx.y;
    i = blockIdx.y * 32 + threadIdx.x;
    if (d < active && i < images) to[d * stride + i] = tile[threadIdx.x][threadIdx.y];
}
"""
)
