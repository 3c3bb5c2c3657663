// Runs a GPU's program on this CPU: decoded PTX, warps in random order, every memory access checked.
//
// A register is 32 numbers of 64 bits, one for each lane; a step uses as many bits as its type has. Four programs
// run at once, in no order; a warp runs for a random number of steps, then any warp may follow. Pointers are
// artificial: bits 40 and up number a tensor, the others are the offset in it, so that no step can reach another
// tensor by mistake. Registers and shared memory start with arbitrary values.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

using Number = uint64_t;
constexpr int LANES = 32, AT_ONCE = 4, SPAN = 40;
enum Op { ADD, ADD2, SUB, MUL, HIGH, MAD, WIDE, DIV, REM, MIN, MAX, AND, OR, XOR, NOT, NEG, SHL, SHR, MOV, SELP, LT, LE, GT, GE, EQ, NE, POPC, BFE, LOP3, PRMT, PACK, UNPACK, CVT, LEFT, RIGHT, BFLY, IDX, SUM, LEAST, MOST, VOTE, LD, ST, ATOM, LDS, STS, ATOMS, BRA, BAR, RET };
enum Type { U8, S8, U16, S16, U32, S32, U64, S64 };
enum Special { TID, PROGRAM_X, PROGRAM_Y, GRID_X, GRID_Y, LANE, SPECIALS };
struct Step { int64_t op, type, to, a, b, c, guard, number, line; };
struct Tensor { uint8_t* bytes; int64_t size; int64_t shift; };
enum State { READY, WAITING, DONE };
struct Warp { std::vector<Number> slots; int64_t at; State state; int program; };

struct Machine {
    const Step* steps; const Tensor* tensors; int64_t count; int warps;
    std::vector<std::vector<uint8_t>> shared;
    char* said; int64_t room; int64_t wrong = 0; Number seed;

    Number random() { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return seed >> 11; }
    void fault(const char* what, const Step& step, int64_t detail) {
        if (!wrong++) snprintf(said, room, "%s (%lld) in line %lld of the PTX", what, (long long)detail, (long long)step.line);
    }
    // The memory at an address, or null. It must be aligned to `whole` bytes.
    uint8_t* global(Number address, int64_t size, int64_t whole, const Step& step) {
        int64_t which = int64_t(address >> SPAN) - 1;
        if (which < 0 || which >= count) return fault("an address of no tensor", step, which), nullptr;
        const Tensor& tensor = tensors[which];
        int64_t offset = int64_t(address & ((Number(1) << SPAN) - 1)) - tensor.shift;
        if (offset < 0 || offset + size > tensor.size) return fault("an access beyond the tensor", step, offset), nullptr;
        if (address % whole) return fault("an address that is not aligned", step, whole), nullptr;
        return tensor.bytes + offset;
    }
    uint8_t* local(Number address, int64_t size, int64_t whole, const Step& step, std::vector<uint8_t>& memory) {
        address &= 0xFFFFFFFF;
        if (address + size > memory.size()) return fault("an access beyond shared memory", step, address), nullptr;
        if (address % whole) return fault("an address that is not aligned", step, whole), nullptr;
        return memory.data() + address;
    }
    State run(Warp& warp);
    bool access(const Step& step, Warp& warp, const bool* live);
};

template <class Use> void typed(int64_t type, Use use) {
    switch (type) {
    case U8: return use(uint8_t{}); case S8: return use(int8_t{});
    case U16: return use(uint16_t{}); case S16: return use(int16_t{});
    case U32: return use(uint32_t{}); case S32: return use(int32_t{});
    case U64: return use(uint64_t{}); default: return use(int64_t{});
    }
}
template <class T> T quotient(T x, T y) { return y == 0 ? T(-1) : std::is_signed_v<T> && y == T(-1) ? T(0 - Number(x)) : T(x / y); }
template <class T> T shifted(T x, Number by, bool left) {  // PTX clamps the shift to the width
    constexpr Number bits = 8 * sizeof(T);
    if (by >= bits) return left || x >= 0 ? T(0) : T(-1);
    return left ? T(std::make_unsigned_t<T>(x) << by) : T(x >> by);
}
inline Number permuted(Number x, Number y, Number by) {
    Number bytes = (y & 0xFFFFFFFF) << 32 | (x & 0xFFFFFFFF), made = 0;
    for (int i = 0; i < 4; i++) {
        Number byte = bytes >> 8 * (by >> 4 * i & 7) & 255;
        made |= (by >> 4 * i & 8 ? (byte & 128 ? 255 : 0) : byte) << 8 * i;
    }
    return made;
}
inline Number table_of_three(Number x, Number y, Number z, int64_t table) {
    Number made = 0;
    for (int k = 0; k < 8; k++) if (table >> k & 1) made |= (k & 4 ? x : ~x) & (k & 2 ? y : ~y) & (k & 1 ? z : ~z);
    return made;
}

// A load, a store or an atomic operation, lane by lane, starting at a random one.
bool Machine::access(const Step& step, Warp& warp, const bool* live) {
    Number* to = warp.slots.data() + step.to * LANES;
    const Number *a = warp.slots.data() + step.a * LANES, *b = warp.slots.data() + step.b * LANES;
    bool inside = step.op == LDS || step.op == STS || step.op == ATOMS;
    int first = int(random() % LANES);
    int64_t before = wrong;
    typed(step.type, [&](auto kind) {
        using T = decltype(kind);
        using U = std::make_unsigned_t<T>;
        bool atom = step.op == ATOM || step.op == ATOMS, store = step.op == ST || step.op == STS;
        int64_t whole = atom ? sizeof(T) : step.c;
        for (int i = 0; i < LANES; i++) {
            int l = (first + i) % LANES;
            if (!live[l]) continue;
            Number address = a[l] + Number(step.number);
            uint8_t* at = inside ? local(address, sizeof(T), whole, step, shared[warp.program % AT_ONCE]) : global(address, sizeof(T), whole, step);
            if (!at) return;
            T was, given = T(b[l]);
            if (store) { memcpy(at, &given, sizeof(T)); continue; }
            memcpy(&was, at, sizeof(T));
            if (atom) {
                T now = step.c == ADD ? T(U(was) + U(given)) : step.c == MAX ? std::max(was, given) : step.c == MIN ? std::min(was, given) : given;
                memcpy(at, &now, sizeof(T));
            }
            if (step.to >= 0) to[l] = Number(U(was));  // red has no destination register
        }
    });
    return wrong == before;
}

#define LANE_BY_LANE(OP, EXPRESSION) \
    case OP: typed(step.type, [&](auto kind) { \
        using T = decltype(kind); using U = std::make_unsigned_t<T>; \
        for (int l = 0; l < LANES; l++) { T x = T(a[l]), y = T(b[l]), z = T(c[l]); (void)x; (void)y; (void)z; out[l] = Number(U(EXPRESSION)); } \
    }); break;
#define BY_LANE(OP, EXPRESSION) case OP: for (int l = 0; l < LANES; l++) out[l] = (EXPRESSION); break;

State Machine::run(Warp& warp) {
    for (int64_t left = 1 + random() % 200; left; left--) {
        const Step& step = steps[warp.at++];
        const Number* guard = step.guard ? warp.slots.data() + (std::abs(step.guard) - 1) * LANES : nullptr;
        bool live[LANES];
        int many = 0;
        for (int l = 0; l < LANES; l++) many += live[l] = !guard || (guard[l] != 0) == (step.guard > 0);
        if (step.op >= BRA) {
            if (many && many < LANES) return fault("lanes of a warp part ways", step, many), DONE;
            if (!many) continue;
            if (step.op == RET) return DONE;
            if (step.op == BAR) return WAITING;
            warp.at = step.number;
            continue;
        }
        if (step.op >= LD) {
            if (!access(step, warp, live)) return DONE;
            continue;
        }
        Number* to = warp.slots.data() + step.to * LANES;
        const Number *a = warp.slots.data() + step.a * LANES, *b = warp.slots.data() + step.b * LANES, *c = warp.slots.data() + step.c * LANES;
        Number out[LANES];
        if (step.op >= BFLY && uint32_t((step.op <= IDX ? c : b)[0]) != 0xFFFFFFFF) return fault("lanes that take no part", step, 0), DONE;
        switch (step.op) {
            LANE_BY_LANE(ADD, U(x) + U(y)) LANE_BY_LANE(SUB, U(x) - U(y)) LANE_BY_LANE(MUL, Number(x) * Number(y))
            LANE_BY_LANE(MAD, Number(x) * Number(y) + Number(z)) LANE_BY_LANE(DIV, quotient(x, y))
            LANE_BY_LANE(REM, Number(x) - Number(y) * Number(quotient(x, y))) LANE_BY_LANE(HIGH, ((__int128)x * (__int128)y) >> (8 * sizeof(T)))
            LANE_BY_LANE(MIN, x < y ? x : y) LANE_BY_LANE(MAX, x > y ? x : y)
            LANE_BY_LANE(AND, x & y) LANE_BY_LANE(OR, x | y) LANE_BY_LANE(XOR, x ^ y) LANE_BY_LANE(NOT, ~x) LANE_BY_LANE(NEG, 0 - Number(x))
            LANE_BY_LANE(SHL, shifted(x, b[l] & 0xFFFFFFFF, true)) LANE_BY_LANE(SHR, shifted(x, b[l] & 0xFFFFFFFF, false))
            LANE_BY_LANE(MOV, x) LANE_BY_LANE(SELP, c[l] ? x : y)
            LANE_BY_LANE(LT, x < y) LANE_BY_LANE(LE, x <= y) LANE_BY_LANE(GT, x > y) LANE_BY_LANE(GE, x >= y) LANE_BY_LANE(EQ, x == y) LANE_BY_LANE(NE, x != y)
            LANE_BY_LANE(POPC, __builtin_popcountll(U(x))) LANE_BY_LANE(BFE, U(x) >> (b[l] & 63) & ((Number(1) << (c[l] & 63)) - 1))
            LANE_BY_LANE(LOP3, table_of_three(x, y, z, step.number)) LANE_BY_LANE(UNPACK, Number(a[l]) >> step.number)
        case WIDE: case CVT:  // the result has another width than the operands
            typed(step.type, [&](auto kind) {
                using T = decltype(kind);
                Number mask = step.number == 64 ? ~Number(0) : (Number(1) << step.number) - 1;
                for (int l = 0; l < LANES; l++) {
                    Number x = Number(int64_t(T(a[l])));
                    out[l] = (step.op == CVT ? x : x * Number(int64_t(T(b[l]))) + c[l]) & mask;
                }
            }); break;
            BY_LANE(ADD2, (((a[l] >> 16) + (b[l] >> 16)) & 0xFFFF) << 16 | ((a[l] + b[l]) & 0xFFFF))
            BY_LANE(PACK, a[l] | b[l] << step.number) BY_LANE(PRMT, permuted(a[l], b[l], c[l]))
            BY_LANE(LEFT, ((b[l] << 32 | a[l]) << (c[l] & 31)) >> 32) BY_LANE(RIGHT, (b[l] << 32 | a[l]) >> (c[l] & 31) & 0xFFFFFFFF)
            BY_LANE(BFLY, a[l ^ int(b[l] & 31)]) BY_LANE(IDX, a[b[l] & 31])
        case SUM: case LEAST: case MOST:
            typed(step.type, [&](auto kind) {
                using T = decltype(kind);
                T all = T(a[0]);
                for (int l = 1; l < LANES; l++) all = step.op == SUM ? T(all + T(a[l])) : step.op == LEAST ? std::min(all, T(a[l])) : std::max(all, T(a[l]));
                for (int l = 0; l < LANES; l++) out[l] = Number(std::make_unsigned_t<T>(all));
            }); break;
        case VOTE: {
            Number votes = 0;
            for (int l = 0; l < LANES; l++) votes |= Number((a[l] != 0) == (step.number > 0)) << l;
            for (int l = 0; l < LANES; l++) out[l] = votes;
        }
        }
        if (many == LANES) memcpy(to, out, sizeof out);
        else for (int l = 0; l < LANES; l++) if (live[l]) to[l] = out[l];
    }
    return READY;
}

struct Shape { int64_t fixed, slots, tensors, grid[2], warps, shared; };

// Runs every program of a grid; returns the number of wrong steps, and describes the first.
extern "C" int64_t run(const Step* steps, const Number* constants, const Tensor* tensors, const Shape* shape, Number seed, char* said, int room) {
    const auto& [fixed, slots, count, grid, warps, shared] = *shape;
    Machine machine{steps, tensors, count, int(warps), std::vector<std::vector<uint8_t>>(AT_ONCE), said, room};
    machine.seed = seed * 2654435761u + 88172645463325252ull;
    std::vector<int64_t> order(grid[0] * grid[1]);
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = order.size(); i > 1; i--) std::swap(order[i - 1], order[machine.random() % i]);
    std::vector<Warp> alive;
    std::vector<int> free_places(AT_ONCE);
    std::iota(free_places.begin(), free_places.end(), 0);
    size_t next = 0;
    while (!machine.wrong && (next < order.size() || !alive.empty())) {
        while (next < order.size() && !free_places.empty()) {
            int place = free_places.back();
            free_places.pop_back();
            machine.shared[place].assign(shared, 0xAB);
            for (int w = 0; w < warps; w++) {
                Warp warp{std::vector<Number>(slots * LANES, 0xCDCDCDCDCDCDCDCDull), 0, READY, place};
                Number x = order[next] % grid[0], y = order[next] / grid[0];
                for (int l = 0; l < LANES; l++) {
                    Number special[SPECIALS] = {Number(w * LANES + l), x, y, Number(grid[0]), Number(grid[1]), Number(l)};
                    for (int s = 0; s < SPECIALS; s++) warp.slots[s * LANES + l] = special[s];
                    for (int s = 0; s < fixed; s++) warp.slots[(SPECIALS + s) * LANES + l] = constants[s];
                }
                alive.push_back(std::move(warp));
            }
            next++;
        }
        std::vector<size_t> ready;
        for (size_t i = 0; i < alive.size(); i++) if (alive[i].state == READY) ready.push_back(i);
        if (!ready.empty()) {
            Warp& warp = alive[ready[machine.random() % ready.size()]];
            warp.state = machine.run(warp);
            if (warp.state == READY) continue;
        }
        for (int place = 0; place < AT_ONCE; place++) {  // a barrier opens when all warps wait, a program ends when all are done
            int states[3] = {0, 0, 0};
            for (auto& warp : alive) if (warp.program == place) states[warp.state]++;
            if (states[READY] || !(states[WAITING] + states[DONE])) continue;
            if (states[WAITING] && states[DONE] && !machine.wrong) machine.fault("a barrier that some warps never reach", steps[0], states[DONE]);
            if (states[WAITING]) { for (auto& warp : alive) if (warp.program == place) warp.state = READY; continue; }
            std::vector<Warp> others;
            for (auto& warp : alive) if (warp.program != place) others.push_back(std::move(warp));
            alive = std::move(others);
            free_places.push_back(place);
        }
    }
    return machine.wrong;
}
