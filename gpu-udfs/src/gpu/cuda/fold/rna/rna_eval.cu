// Computes the energies of the loops in given RNA structures, with one warp per row: dev.bellman.fold.rna.RnaEval.
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "fold/rna/brackets.cuh"

FOR_HOST(BYTES_OF_32_BASES);

// The loops of all rows, with the fields of a loop in separate arrays.
//
// - kind_ends: the end of each loop's kind in `kinds`
// - closed: a bit for each loop, set if the loop has i and j; initially 0
// - inner: a bit for each loop, set if the loop has p and q; initially 0
// - totals: for each row, the sum of the energies, in kcal/mol
struct Evaluated {
    int32* kind_ends;
    uint8* kinds;
    int32* i;
    int32* j;
    int32* p;
    int32* q;
    double* energies;
    uint32* closed;
    uint32* inner;
    double* totals;
};

STRUCT_FOR_HOST(Evaluated);
MEMBER_FOR_HOST(Evaluated, kind_ends);
MEMBER_FOR_HOST(Evaluated, kinds);
MEMBER_FOR_HOST(Evaluated, i);
MEMBER_FOR_HOST(Evaluated, j);
MEMBER_FOR_HOST(Evaluated, p);
MEMBER_FOR_HOST(Evaluated, q);
MEMBER_FOR_HOST(Evaluated, energies);
MEMBER_FOR_HOST(Evaluated, closed);
MEMBER_FOR_HOST(Evaluated, inner);
MEMBER_FOR_HOST(Evaluated, totals);

__device__ constexpr uint64 packed(const char* word) {
    uint64 letters = 0;
    for (int32 at = 0; at < 8 && word[at] != 0; at++) {
        letters |= static_cast<uint64>(static_cast<uint8>(word[at])) << 8 * at;
    }
    return letters;
}

// Returns the number of letters in the name of a kind of loop.
__device__ __forceinline__ int32 name_length(int32 kind) {
    return 0x985578 >> 4 * kind & 15;
}

__device__ __forceinline__ void write_name(int32 kind, uint8* to) {
    constexpr uint64 EXTERIOR_NAME = packed("exterior");
    constexpr uint64 HAIRPIN_NAME = packed("hairpin");
    constexpr uint64 STACK_NAME = packed("stack");
    constexpr uint64 BULGE_NAME = packed("bulge");
    constexpr uint64 INTERNAL_NAME = packed("internal");
    constexpr uint64 MULTILOOP_NAME = packed("multiloo");
    uint64 letters = kind == EXTERIOR ? EXTERIOR_NAME
        : kind == HAIRPIN             ? HAIRPIN_NAME
        : kind == STACK_LOOP          ? STACK_NAME
        : kind == BULGE_LOOP          ? BULGE_NAME
        : kind == INTERNAL            ? INTERNAL_NAME
                                      : MULTILOOP_NAME;
    for (int32 at = 0; at < min(8, name_length(kind)); at++) {
        to[at] = static_cast<uint8>(letters >> 8 * at);
    }
    if (kind == MULTILOOP) {
        to[8] = 'p';
    }
}

// Sets up to 63 bits of a mask, from bit `at - at % 32` on. All lanes of a warp pass the same values.
__device__ __forceinline__ void set_bits(uint32* mask, int32 at, uint64 bits) {
    int32 lane = threadIdx.x % 32;
    uint32 word = static_cast<uint32>(bits >> 32 * (lane & 1));
    if (lane < 2 && word != 0) {
        atomicOr(mask + at / 32 + lane, word);
    }
}

// The loops of one row, which a warp evaluates.
struct Evaluation {
    const Brackets& brackets;
    Strand strand;

    // Returns the energy of a stack, a bulge or an internal loop of any size. Beyond the largest loops of a folding,
    // energies grow with the size as they do for hairpins.
    __device__ __forceinline__ int32 internal(int32 i, int32 j, int32 p, int32 q) const {
        int32 left = p - i - 1;
        int32 right = j - q - 1;
        int32 size = left + right;
        if (size <= MAX_INTERNAL) {
            return strand.internal(i, j, p, q);
        }
        const int32* hairpins = strand.energies.hairpins;
        int32 longer = __ldg(hairpins + size) - __ldg(hairpins + MAX_INTERNAL);
        int32 outer = strand.pair(i, j);
        int32 inner = strand.pair(q, p);
        int32 less = min(left, right);
        if (less == 0) {
            return strand.table(BULGE_SIZES + MAX_INTERNAL) + longer + strand.terminal(outer) + strand.terminal(inner);
        }
        const uint8* bases = strand.bases;
        int32 mismatches = less == 1 ? MISMATCH_INTERNAL_1N : MISMATCH_INTERNAL;
        int32 asymmetry = (size - 2 * less) * strand.table(ASYMMETRY);
        return strand.table(INTERNAL_SIZES + MAX_INTERNAL) + longer + min(strand.table(MOST_ASYMMETRY), asymmetry)
            + strand.mismatch(mismatches, outer, bases[i + 1], bases[j - 1])
            + strand.mismatch(mismatches, inner, bases[q + 1], bases[p - 1]);
    }

    __device__ __forceinline__ int32 multiloop(int32 i, int32 j, int32 first) const {
        int32 energy = strand.closing(i, j);
        int32 unpaired = j - i - 1;
        for (int32 p = first; p != j;) {
            int32 q = brackets.partners[p];
            energy += strand.branch(p, q);
            unpaired -= q - p + 1;
            p = brackets.next(q);
        }
        return energy + unpaired * strand.unpaired_cost();
    }

    __device__ __forceinline__ int32 energy(int32 i, int32 j, Loop loop) const {
        return loop.kind == HAIRPIN ? strand.hairpin(i, j)
            : loop.kind == MULTILOOP ? multiloop(i, j, loop.p)
                                     : internal(i, j, loop.p, loop.q);
    }

    // Writes the loops of row `row`. The first loop has the index `begin`, and its kind is written at `letters`.
    __device__ void write(int64 row, int32 begin, int32 letters, const Evaluated& to) const {
        int32 lane = threadIdx.x % 32;
        uint32 before = (1u << lane) - 1;
        int32 at = begin + 1;
        int32 end = letters + name_length(EXTERIOR);
        int32 depth = 0;
        int32 exterior = 0;
        int32 total = 0;
        for (int32 from = 0; from < brackets.n; from += 32) {
            uint32 begins = brackets.begins[from / 32];
            uint32 ends = brackets.paired[from / 32] & ~begins;
            int32 own = at + __popc(begins & before);
            bool is_loop = (begins >> lane & 1) != 0;
            int32 i = from + lane;
            Loop loop = {EXTERIOR, 0, 0};
            int32 length = 0;
            if (is_loop) {
                int32 j = brackets.partners[i];
                loop = brackets.loop(i, j);
                length = name_length(loop.kind);
                int32 energy_of = energy(i, j, loop);
                total += energy_of;
                if (depth + __popc(begins & before) == __popc(ends & before)) {
                    exterior += strand.exterior(i, j);
                }
                to.i[own] = i + 1;
                to.j[own] = j + 1;
                to.p[own] = loop.has_inner() ? loop.p + 1 : 0;
                to.q[own] = loop.has_inner() ? loop.q + 1 : 0;
                to.energies[own] = energy_of / 100.0;
            }
            int32 up_to = sum_up_to_lane(length);
            if (is_loop) {
                to.kind_ends[own] = end + up_to;
                write_name(loop.kind, to.kinds + end + up_to - length);
            }
            int32 bit = own - at / 32 * 32;
            uint32 low = any_bits(loop.has_inner() && bit < 32 ? 1u << bit : 0u);
            uint32 high = any_bits(loop.has_inner() && bit >= 32 ? 1u << (bit - 32) : 0u);
            int32 count = __popc(begins);
            set_bits(to.inner, at, static_cast<uint64>(high) << 32 | low);
            set_bits(to.closed, at, ((1ull << count) - 1) << at % 32);
            end += __shfl_sync(~0u, up_to, 31);
            depth += count - __popc(ends);
            at += count;
        }
        exterior = sum_of_lanes<32>(exterior);
        total = sum_of_lanes<32>(total);
        if (lane == 0) {
            to.kind_ends[begin] = letters + name_length(EXTERIOR);
            write_name(EXTERIOR, to.kinds + letters);
            to.i[begin] = 0;
            to.j[begin] = 0;
            to.p[begin] = 0;
            to.q[begin] = 0;
            to.energies[begin] = exterior / 100.0;
            to.totals[row] = (exterior + total) / 100.0;
        }
    }
};

// Checks the structures of the rows order[from], order[from + 1], ..., with one warp per row, and counts their loops.
// Shared memory contains `words` times BYTES_OF_32_BASES for each warp.
//
// - loops: the number of loops of each row
// - letters: for each row, the number of letters in the names of its loops' kinds
extern "C" __global__ void rna_eval_count(
        const int32* order,
        int32 from,
        int32 count,
        const int32* offsets,
        const uint8* text,
        const int32* structure_offsets,
        const uint8* structures,
        int32 words,
        Classified rows_of,
        int32* loops,
        int32* letters) {
    extern __shared__ uint32 shared[];
    int64 number = thread_index() / 32;
    if (number >= count) {
        return;
    }
    int32 lane = threadIdx.x % 32;
    int32 row = order[from + number];
    int32 n = offsets[row + 1] - offsets[row];
    Brackets brackets(shared, words, n);
    bool valid = structure_offsets[row + 1] - structure_offsets[row] == n
        && brackets.read(text + offsets[row], structures + structure_offsets[row]);
    int32 found = 1;
    int32 length = lane == 0 ? name_length(EXTERIOR) : 0;
    for (int32 first = 0; valid && first < n; first += 32) {
        uint32 begins = brackets.begins[first / 32];
        int32 i = first + lane;
        bool fits = true;
        if ((begins >> lane & 1) != 0) {
            Loop loop = brackets.loop(i, brackets.partners[i]);
            length += name_length(loop.kind);
            fits = loop.kind != HAIRPIN || brackets.partners[i] - i > MIN_HAIRPIN;
        }
        found += __popc(begins);
        valid = __all_sync(~0u, fits);
    }
    length = sum_of_lanes<32>(length);
    if (lane == 0 && valid) {
        rows_of.put(row, rows_of.keys[row], n, n);
        loops[row] = found;
        letters[row] = length;
    } else if (lane == 0) {
        rows_of.reject(row);
    }
}

// Writes the loops that rna_eval_count counted.
//
// - loop_offsets: for each row, the index of its first loop
// - letter_offsets: for each row, the offset of the name of its first loop's kind
extern "C" __global__ void rna_eval_write(
        const int32* order,
        int32 from,
        int32 count,
        const int32* offsets,
        const uint8* text,
        const int32* structure_offsets,
        const uint8* structures,
        Energies energies,
        int32 words,
        const int32* loop_offsets,
        const int32* letter_offsets,
        Evaluated to) {
    extern __shared__ uint32 shared[];
    int64 number = thread_index() / 32;
    if (number >= count) {
        return;
    }
    int32 row = order[from + number];
    int32 n = offsets[row + 1] - offsets[row];
    Brackets brackets(shared, words, n);
    brackets.read(text + offsets[row], structures + structure_offsets[row]);
    Evaluation evaluation = {brackets, {brackets.bases, n, energies}};
    evaluation.write(row, loop_offsets[row], letter_offsets[row], to);
}
