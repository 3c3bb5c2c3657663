// Twice the value of the partition of every set by every guess, its classes counted in shared memory.
//
// A block takes one guess of one set at a time; its y-coordinate selects 8 / PARTS of the 8 bits of each byte of
// the sets' features. Entries of the table, by pair code: ENTRY 1 or 8: marks; 16 or 32: counts, two or one to a word.
// With SLOT_BITS they are slots of a hash table with open addressing. Where its classes are too many, the guess is
// counted again in twice as many passes, each of which takes a part of the codes. The table is clear between guesses.
// Compiled at run time with the constants that `launch.py` passes; integers only, so any order gives the same sums.
typedef unsigned int u32;
typedef long long i64;
constexpr int THREADS = ACROSS * PARTS, STEPS = 8 / PARTS, PER_GROUP = 10, LIMIT = 64;  // probes of a code before a guess needs more passes
constexpr bool SIZES = ENTRY >= 16, HASHED = SLOT_BITS > 0;
constexpr u32 EMPTY = 0xFFFFFFFF;
constexpr u32 SLOTS = 1u << SLOT_BITS, KEYS = SLOTS * ENTRY / 32;  // in words
constexpr i64 NONE = LARGEST ? 0x7FFFFFFFFFFFFFFF : 0;
extern __shared__ uint4 table[];  // entries, then the keys of a hash table

__device__ i64 combined(i64 one, i64 other) { return LARGEST ? (one < other ? one : other) : one + other; }

// Mark or count an entry.
__device__ void enter(u32 place) {
    u32* words = (u32*)table;
    if (ENTRY == 8) ((unsigned char*)table)[place] = 1;
    if (ENTRY == 1) {
        u32 bit = 1u << (place & 31);
        if (!(((volatile u32*)words)[place >> 5] & bit)) atomicOr(words + (place >> 5), bit);
    }
    if (ENTRY == 16) atomicAdd(words + (place >> 1), 1u << ((place & 1) * 16));
    if (ENTRY == 32) atomicAdd(words + place, 1u);
}

// The slot of a code, which is added if it is new; EMPTY if it finds none.
__device__ __noinline__ u32 slot_of(u32 code, u32 seen, u32 slot) {
    u32* keys = (u32*)table + KEYS;
    for (int probe = 0; probe < LIMIT; probe++) {
        if (seen == EMPTY) seen = atomicCAS(keys + slot, EMPTY, code);
        if (seen == EMPTY || seen == code) return slot;
        slot = (slot + 1) & (SLOTS - 1);
        seen = ((volatile u32*)keys)[slot];
    }
    return EMPTY;
}

// Enter four codes of a pass; without a valid target a code is EMPTY.
__device__ void enter_hashed(const u32* codes, u32 passes, u32 pass, int* full) {
    u32 slots[4], seen[4];
    for (int b = 0; b < 4; b++) {
        slots[b] = codes[b] * 2654435769u >> (32 - SLOT_BITS & 31);
        seen[b] = ((volatile u32*)table)[KEYS + slots[b]];
    }
    for (int b = 0; b < 4; b++) {
        if (codes[b] == EMPTY || ((slots[b] ^ codes[b]) & (passes - 1)) != pass) continue;
        u32 slot = seen[b] == codes[b] ? slots[b] : slot_of(codes[b], seen[b], slots[b]);
        if (slot == EMPTY) *full = 1; else enter(slot);
    }
}

// Enter the codes of a set's n targets by a guess of G groups; invalid targets go to the spare words.
template <int G>
__device__ void enter_targets(const u32* row, const uint4* plan, const u32* used, const u32* radix, int words, int n,
                              u32 spare, u32 passes, u32 pass, int* full) {
    const int first = PARTS > 1 ? threadIdx.y * STEPS : 0;
    spare = (spare + threadIdx.x % 32) * (32 / ENTRY);
    for (int word = threadIdx.x; word < words; word += ACROSS) {
        const u32* here = row + word;
        u32 sums[G][STEPS];
#pragma unroll
        for (int p = 0; p < G; p++) {
#pragma unroll
            for (int k = 0; k < STEPS; k++) sums[p][k] = 0;
            uint4 next = plan[p * PER_GROUP];
            u32 x = here[next.x] >> first, y = here[next.y] >> first;
            const u32 last = used[p];
#pragma unroll 2
            for (u32 f = 1; f <= last; f++) {
                // Fields of two bits, of even and of odd targets: 2 with y, otherwise 1 with x.
                const u32 factor = next.z, alone = x & ~y, EVEN = 0x55555555;
                const u32 fields[2] = {alone & EVEN | y << 1 & ~EVEN, alone >> 1 & EVEN | y & ~EVEN};
                next = plan[p * PER_GROUP + f];  // loaded early: the memory is slow
                x = here[next.x] >> first, y = here[next.y] >> first;
#pragma unroll
                for (int k = 0; k < STEPS; k++) sums[p][k] += (fields[k % 2] >> (k & ~1) & 0x03030303) * factor;
            }
        }
        const int valid = n / words + (word < n % words) - first;  // bits below this belong to targets
        u32 stored[G][STEPS];  // local memory, where the next loop is not unrolled
        for (int p = 0; p < G; p++)
            for (int k = 0; k < STEPS; k++) stored[p][k] = sums[p][k];
        // A hash table's code is long: unrolled, it does not stay in the instruction cache.
#pragma unroll (HASHED ? 1 : STEPS)
        for (int k = 0; k < STEPS; k++) {
            u32 codes[4];
#pragma unroll
            for (int b = 0; b < 4; b++) {
                u32 code = __byte_perm(stored[0][k], 0, 0x4440 | b);
#pragma unroll
                for (int p = 1; p < G; p++) code += __byte_perm(stored[p][k], 0, 0x4440 | b) * radix[p];
                if (PERIOD && code < u32(PERIOD) * (PERIOD - 1)) code %= (PERIOD ? PERIOD : 1);
                codes[b] = 8 * b + k < valid ? code : HASHED ? EMPTY : spare;
            }
            if (HASHED) enter_hashed(codes, passes, pass, full);
            else for (int b = 0; b < 4; b++) enter(codes[b]);
        }
    }
}

__device__ i64 value_of(u32 word, const i64* worth) {
    if (!SIZES) return __popc(word);
    i64 value = NONE;
    u32 low = ENTRY == 16 ? word & 0xFFFF : word, high = ENTRY == 16 ? word >> 16 : 0;
    if (low) value = combined(value, worth[low]);
    if (high) value = combined(value, worth[high]);
    return value;
}

// Value of a thread's share of the entries, which are cleared.
__device__ i64 taken(u32 entries, u32 thread, const i64* worth) {
    i64 value = NONE;
    for (u32 i = thread; i < (entries * ENTRY + 127) / 128; i += THREADS) {
        uint4 q = table[i];
        if (q.x | q.y | q.z | q.w) {
            table[i] = make_uint4(0, 0, 0, 0);
            value = combined(value, combined(combined(value_of(q.x, worth), value_of(q.y, worth)),
                                             combined(value_of(q.z, worth), value_of(q.w, worth))));
        }
    }
    return value;
}

extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) classes_kernel(
    const uint2* plan_at, const u32* used_at, const u32* radix_at, const int* ranges, int table_words, int features, const u32* bits,
    int words, const int* sizes, const int* guesses, const i64* firsts, const int* counts, i64* out, int columns,
    int items, const i64* worth, const i64* worth_at, u32 space) {
    __shared__ uint4 plan[GROUPS * PER_GROUP + 1];
    __shared__ u32 radix[GROUPS], used[GROUPS];
    __shared__ i64 partial[32];
    __shared__ int full;
    const u32 thread = threadIdx.y * ACROSS + threadIdx.x, ALL = EMPTY;
    for (u32 i = thread; i < space / 16; i += THREADS)
        table[i] = !HASHED || i < KEYS / 4 ? make_uint4(0, 0, 0, 0) : make_uint4(ALL, ALL, ALL, ALL);
    if (thread == 0) full = 0;
    for (int item = blockIdx.x; item < items; item += gridDim.x) {
        const int s = item / columns, place = item % columns;
        if (place >= counts[s]) continue;
        const int guess = guesses[firsts[s] + place], n = sizes[s];
        for (u32 i = thread; i <= GROUPS * PER_GROUP; i += THREADS) {
            const uint2 pair = plan_at[(i64)(i % (GROUPS * PER_GROUP)) * table_words + guess];
            plan[i] = make_uint4((pair.x & 0xFFFF) * words, (pair.x >> 16) * words, pair.y, 0);
        }
        if (thread < GROUPS) {
            radix[thread] = radix_at[(i64)thread * table_words + guess];
            used[thread] = used_at[(i64)thread * table_words + guess];
        }
        __syncthreads();
        const u32* row = bits + (i64)s * features * words;
        const u32 entries = HASHED ? SLOTS : ranges[guess];
        i64 value = NONE;
        for (u32 pass = 0, passes = 1; pass < passes;) {
            if (GROUPS == 1 || radix[GROUPS - 1]) enter_targets<GROUPS>(row, plan, used, radix, words, n, space / 4 - 32, passes, pass, &full);
            else enter_targets<(GROUPS > 1 ? GROUPS - 1 : 1)>(row, plan, used, radix, words, n, space / 4 - 32, passes, pass, &full);
            __syncthreads();
            const bool again = HASHED && full;
            value = combined(value, taken(entries, thread, worth + worth_at[s]));
            pass++;
            if (HASHED) {
                for (u32 i = KEYS / 4 + thread; i < space / 16; i += THREADS) table[i] = make_uint4(ALL, ALL, ALL, ALL);
                if (again) value = NONE, passes *= 2, pass = 0;
                __syncthreads();
                if (thread == 0) full = 0;
                if (again || passes > 1) __syncthreads();
            }
        }
        for (int d = 16; d; d /= 2) value = combined(value, __shfl_xor_sync(ALL, value, d));
        if (thread % 32 == 0) partial[thread / 32] = value;
        __syncthreads();
        if (thread == 0) {
            for (int w = 1; w < THREADS / 32; w++) value = combined(value, partial[w]);
            out[(i64)s * columns + place] = 2 * value;
        }
    }
}
