// Runs a CUDA C++ kernel, the file KERNEL, on this CPU: threads of a block are fibers that run in random order
// between barriers, and may change at every atomic operation. Shared memory starts with arbitrary values.
#include <ucontext.h>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#define __device__
#define __global__
#define __noinline__
#define __shared__ thread_local
#define __launch_bounds__(...)
struct uint2 { unsigned x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
static uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
static uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
static struct { unsigned x, y; } threadIdx, blockIdx, gridDim;

enum State { READY, AT_WARP, AT_BLOCK, DONE };
struct Fiber { ucontext_t context; State state; std::unique_ptr<char[]> stack; };
static std::vector<Fiber> fibers;
static ucontext_t scheduler;
static unsigned now;  // number of the running fiber
static uint64_t seed;
static unsigned drawn(unsigned below) { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return (seed >> 11) % below; }
static void stop(State state) { fibers[now].state = state; swapcontext(&fibers[now].context, &scheduler); }
static void __syncthreads() { stop(AT_BLOCK); }
static void others() { if (drawn(4) == 0) stop(READY); }
template <class T> static T atomicAdd(T* at, T value) { others(); T was = *at; *at += value; return was; }
template <class T> static T atomicOr(T* at, T value) { others(); T was = *at; *at |= value; return was; }
template <class T> static T atomicCAS(T* at, T expected, T value) { others(); T was = *at; if (was == expected) *at = value; return was; }
static int __popc(unsigned bits) { return __builtin_popcount(bits); }
static unsigned __byte_perm(unsigned x, unsigned y, unsigned by) {
    uint64_t bytes = uint64_t(y) << 32 | x;
    unsigned made = 0;
    for (int i = 0; i < 4; i++) made |= unsigned(bytes >> 8 * (by >> 4 * i & 7) & 255) << 8 * i;
    return made;
}
static int64_t exchanged[1024];
template <class T> static T __shfl_xor_sync(unsigned, T value, int distance) {
    exchanged[now] = value;
    stop(AT_WARP);
    T other = exchanged[now ^ distance];
    stop(AT_WARP);
    return other;
}
#include KERNEL

constexpr unsigned ROOM = 232448;
thread_local uint4 table[ROOM / 16];
static void** arguments;
template <class... A, size_t... I> static void call(void (*kernel)(A...), std::index_sequence<I...>) { kernel(*(A*)arguments[I]...); }
template <class... A> static void call(void (*kernel)(A...)) { call(kernel, std::index_sequence_for<A...>{}); }
static void begin() { call(classes_kernel); stop(DONE); }

static bool opened(unsigned first, unsigned last, State state) {  // whether all fibers of a range wait, and now run
    for (unsigned i = first; i < last; i++) if (fibers[i].state != state) return false;
    for (unsigned i = first; i < last; i++) fibers[i].state = READY;
    return true;
}

// Runs every block; returns 1 if some threads never reach a barrier, 2 if shared memory beyond `space` is written.
extern "C" int run(void** given, unsigned blocks, unsigned space, uint64_t order) {
    arguments = given, seed = order * 2654435761u + 88172645463325252ull, gridDim.x = blocks;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        memset(table, 0xAB, ROOM);
        fibers = std::vector<Fiber>(THREADS);
        for (auto& fiber : fibers) {
            fiber.stack.reset(new char[1 << 16]);
            getcontext(&fiber.context);
            fiber.context.uc_stack.ss_sp = fiber.stack.get(), fiber.context.uc_stack.ss_size = 1 << 16;
            makecontext(&fiber.context, begin, 0);
        }
        for (;;) {
            std::vector<unsigned> ready;
            for (unsigned i = 0; i < THREADS; i++) if (fibers[i].state == READY) ready.push_back(i);
            if (ready.empty()) {
                bool any = opened(0, THREADS, AT_BLOCK);
                for (unsigned w = 0; w < THREADS; w += 32) any |= opened(w, w + 32, AT_WARP);
                if (any) continue;
                for (auto& fiber : fibers) if (fiber.state != DONE) return 1;
                break;
            }
            while (!ready.empty()) {  // each once, in random order
                std::swap(ready[drawn(ready.size())], ready.back());
                now = ready.back(), ready.pop_back();
                threadIdx = {now % ACROSS, now / ACROSS};
                swapcontext(&scheduler, &fibers[now].context);
            }
        }
        for (unsigned i = space; i < ROOM; i++) if (((unsigned char*)table)[i] != 0xAB) return 2;
    }
    return 0;
}
