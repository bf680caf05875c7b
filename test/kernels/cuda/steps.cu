// The small steps that the test programs are made of.

extern "C" __global__ void add_to(int* counter, int amount) { *counter += amount; }

// out = in + amount, over n elements.
extern "C" __global__ void add_i32(const int* in, int* out, int amount, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + amount;
}

// out = in * factor, over n elements.
extern "C" __global__ void scale_i32(const int* in, int* out, int factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * factor;
}

// The loop condition: *predicate = *counter < limit.
extern "C" __global__ void less_than(const int* counter, bool* predicate, int limit) {
  *predicate = *counter < limit;
}

// The same against a limit in memory.
extern "C" __global__ void less_than_at(const int* counter, const int* limit,
                                        bool* predicate) {
  *predicate = *counter < *limit;
}

// Appends: log[(*length)++] = value, as long as there is room.
extern "C" __global__ void append(int* log, int* length, int value, int capacity) {
  if (*length < capacity) log[(*length)++] = value;
}

// The block's number at every place that is its own.
extern "C" __global__ void write_block(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = blockIdx.x;
}

// Dynamic shared memory of any size: the first and last word, once round.
extern "C" __global__ void shared_ends(int* out, int words) {
  extern __shared__ int tile[];
  tile[0] = 7;
  tile[words - 1] = 11;
  out[0] = tile[0] + tile[words - 1];
}
