// Scores sequences with profiles, using the same DOUBLE operations in the same order as
// dev.bellman.markov.profile.ProfileScore. A block scores 32 or 64 sequences with one profile, one or two per lane.
// Each of the eight warps processes one part of the nodes. For parts of up to 32 nodes, it keeps their states in
// registers, and the profile is in shared memory: all lanes of a warp read the same transitions, and the odds of
// different letters are in different banks. After each residue, the warps exchange the states at the ends of their
// parts. Bounds on an H200, which has 132 multiprocessors that each start 64 DOUBLE operations per cycle: Forward takes
// 12 operations per cell, which allows 1.2 trillion cells per second. Viterbi takes 17, because a maximum is a
// comparison and two selections, which allows 0.87 trillion.
#include "common/ticket.cuh"
#include "common/warp.cuh"
#include "markov/profile/profile.cuh"

constexpr int32 PROFILE_BLOCK = 32 * PROFILE_PARTS;
FOR_HOST(PROFILE_BLOCK);

// A kernel for up to STEPS nodes per part solves profiles with more than STEPS minus this number of nodes per part.
constexpr int32 PROFILE_STEPS = 8;

// Length classes, the longest sequences first: four for each power of two from 4 to 2^17.
constexpr int32 PROFILE_LENGTHS = 64;
FOR_HOST(PROFILE_LENGTHS);

// The number of doubles that a part passes on to later parts after each residue.
constexpr int32 PASSED = 4;
// The bytes of shared memory for each node, and for the doubles that the warps exchange for each sequence of a lane.
constexpr int32 PROFILE_NODE_BYTES = 8 * (PROFILE_MOVES + 1) + 2 * 4 * PROFILE_LETTERS;
constexpr int32 PROFILE_LANE_BYTES = 8 * 32 * PROFILE_PARTS * 2 * (PASSED + 1);
FOR_HOST(PROFILE_NODE_BYTES);
FOR_HOST(PROFILE_LANE_BYTES);

struct ProfileSequences {
    const int32* offsets;
    const uint8* bytes;
    const int32* algorithm_offsets;  // null if all rows use the default algorithm, forward
    const uint8* algorithms;
};

STRUCT_FOR_HOST(ProfileSequences);
MEMBER_FOR_HOST(ProfileSequences, offsets);
MEMBER_FOR_HOST(ProfileSequences, bytes);
MEMBER_FOR_HOST(ProfileSequences, algorithm_offsets);
MEMBER_FOR_HOST(ProfileSequences, algorithms);

namespace {

// The profile that a block uses, and the doubles that its warps exchange. SEQUENCES: the number of sequences per lane.
template <int32 SEQUENCES>
struct Shared {
    const double* moves;
    const double* deletes;
    const uint32* upper;
    const uint32* lower;
    double* passed;  // the exchanged doubles, in two buffers
    double* ends;

    // Uses a profile in device memory.
    //
    // - memory: the shared memory for the exchanged doubles
    __device__ __forceinline__ Shared(const Profile& profile, double* memory)
        : moves(profile.moves),
          deletes(profile.deletes),
          upper(profile.upper),
          lower(profile.lower),
          passed(memory),
          ends(memory + 2 * PROFILE_PARTS * PASSED * SEQUENCES * 32) {}

    // Copies a profile to shared memory, after the exchanged doubles, and waits for the other warps; does neither if
    // the profile is already there.
    __device__ __forceinline__ void copy(const Profile& profile, bool is_there) {
        int32 width = PROFILE_PARTS * profile.steps;
        double* its_moves = ends + 2 * PROFILE_PARTS * SEQUENCES * 32;
        double* its_deletes = its_moves + PROFILE_MOVES * width;
        uint32* its_upper = reinterpret_cast<uint32*>(its_deletes + width);
        uint32* its_lower = its_upper + PROFILE_LETTERS * width;
        if (!is_there) {
            for (int32 i = threadIdx.x; i < PROFILE_MOVES * width; i += PROFILE_BLOCK) {
                its_moves[i] = profile.moves[i];
            }
            for (int32 i = threadIdx.x; i < width; i += PROFILE_BLOCK) {
                its_deletes[i] = profile.deletes[i];
            }
            for (int32 i = threadIdx.x; i < PROFILE_LETTERS * width; i += PROFILE_BLOCK) {
                its_upper[i] = profile.upper[i];
                its_lower[i] = profile.lower[i];
            }
            __syncthreads();
        }
        moves = its_moves;
        deletes = its_deletes;
        upper = its_upper;
        lower = its_lower;
    }

    // Returns the address of a double that a part passes on.
    //
    // - kind: 0 for match, 1 for insert, 2 for delete within the part, 3 for the match's contribution to the next
    //   part's first delete
    __device__ __forceinline__ double* pass(int32 buffer, int32 part, int32 kind, int32 sequence) {
        return passed + (((buffer * PROFILE_PARTS + part) * PASSED + kind) * SEQUENCES + sequence) * 32
            + threadIdx.x % 32;
    }

    __device__ __forceinline__ double* end(int32 buffer, int32 part, int32 sequence) {
        return ends + ((buffer * PROFILE_PARTS + part) * SEQUENCES + sequence) * 32 + threadIdx.x % 32;
    }
};

// The states of all nodes in a warp's part, for the sequences of one lane. STEPS: the maximum number of nodes per part;
// 0 for any number of nodes, whose states are in memory.
template <int32 STEPS, int32 SEQUENCES>
struct AllStates {
    States states[SEQUENCES][STEPS];

    __device__ AllStates(double*, int32, int32) {}

    __device__ __forceinline__ States get(int32 q, int32 s) const {
        return states[q][s];
    }

    __device__ __forceinline__ void set(int32 q, int32 s, const States& to) {
        states[q][s] = to;
    }
};

template <int32 SEQUENCES>
struct AllStates<0, SEQUENCES> {
    double* states;

    __device__ AllStates(double* slot, int32 part, int32 steps)
        : states(slot + 3LL * SEQUENCES * 32 * part * steps + threadIdx.x % 32) {}

    __device__ __forceinline__ States get(int32 q, int32 s) const {
        const double* from = states + 3LL * 32 * (s * SEQUENCES + q);
        return {from[0], from[32], from[64]};
    }

    __device__ __forceinline__ void set(int32 q, int32 s, const States& to) {
        double* at = states + 3LL * 32 * (s * SEQUENCES + q);
        at[0] = to.match;
        at[32] = to.insert;
        at[64] = to.remove;
    }
};

// The nodes of a warp's part. STEPS has the same meaning as in AllStates.
template <typename Algebra, int32 STEPS, int32 SEQUENCES>
struct Part {
    static constexpr bool IS_FORWARD = Algebra::IS_FORWARD;
    Shared<SEQUENCES> shared;
    int32 part;
    int32 steps;
    AllStates<STEPS, SEQUENCES> states;
    States previous[SEQUENCES];  // the states at the end of the previous part, after the previous residue

    __device__ Part(const Shared<SEQUENCES>& its_shared, int32 its_steps, double* slot)
        : shared(its_shared),
          part(threadIdx.x / 32),
          steps(its_steps),
          states(slot, threadIdx.x / 32, its_steps) {}

    // Calls a function for each node of the part.
    template <typename Function>
    __device__ __forceinline__ void for_steps(Function function) {
        if constexpr (STEPS == 0) {
            for (int32 s = 0; s < steps; s++) {
                function(s);
            }
        } else {
#pragma unroll
            for (int32 s = 0; s < STEPS; s++) {
                // the kernel for fewer steps solves smaller parts; each condition costs registers
                if (s < STEPS - PROFILE_STEPS || s < steps) {
                    function(s);
                }
            }
        }
    }

    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int32 q = 0; q < SEQUENCES; q++) {
            previous[q] = {0, 0, 0};
        }
        for_steps([&](int32 s) {
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                states.set(q, s, {0, 0, 0});
            }
        });
    }

    // Computes the states within the part, and passes on the states at its end.
    //
    // - letters: the numbers of the current residues
    __device__ __forceinline__ void first_pass(const int32* letters, const Sequence* sequences, int32 buffer) {
        double matches[SEQUENCES];
        double deleted[SEQUENCES];
        double ends[SEQUENCES];
        States old[SEQUENCES];
        double inserted[SEQUENCES];
#pragma unroll
        for (int32 q = 0; q < SEQUENCES; q++) {
            matches[q] = 0;
            deleted[q] = 0;
            inserted[q] = 0;
            ends[q] = 0;
            old[q] = previous[q];
        }
        for_steps([&](int32 s) {
            int32 at = part * steps + s;
            Node node(shared.moves + PROFILE_MOVES * at);
            const uint32* upper = shared.upper + PROFILE_LETTERS * at;
            const uint32* lower = shared.lower + PROFILE_LETTERS * at;
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                double odds = __hiloint2double(upper[letters[q]], lower[letters[q]]);
                double sum = Algebra::plus(
                        old[q].match, node.match_to_match, __dmul_rn(sequences[q].begin, node.begin));
                sum = Algebra::plus(old[q].insert, node.insert_to_match, sum);
                sum = Algebra::plus(old[q].remove, node.delete_to_match, sum);
                deleted[q] = Algebra::plus(
                        deleted[q], node.delete_to_delete, __dmul_rn(matches[q], node.match_to_delete));
                matches[q] = __dmul_rn(sum, odds);
                if (!IS_FORWARD) {
                    ends[q] = Algebra::both(ends[q], matches[q]);
                }
                old[q] = states.get(q, s);
                inserted[q] = Algebra::plus(
                        old[q].insert, node.insert_to_insert, __dmul_rn(old[q].match, node.match_to_insert));
                states.set(q, s, {matches[q], inserted[q], deleted[q]});
            }
        });
        double to_next = part + 1 < PROFILE_PARTS ? shared.moves[PROFILE_MOVES * (part + 1) * steps + 5] : 0;
#pragma unroll
        for (int32 q = 0; q < SEQUENCES; q++) {
            *shared.pass(buffer, part, 0, q) = matches[q];
            *shared.pass(buffer, part, 1, q) = inserted[q];
            *shared.pass(buffer, part, 2, q) = deleted[q];
            *shared.pass(buffer, part, 3, q) = __dmul_rn(matches[q], to_next);
            if (!IS_FORWARD) {
                *shared.end(buffer, part, q) = ends[q];
            }
        }
    }

    // Adds the paths that come from previous parts through deletions only.
    __device__ __forceinline__ void second_pass(int32 buffer) {
        double first[SEQUENCES];
#pragma unroll
        for (int32 q = 0; q < SEQUENCES; q++) {
            first[q] = 0;
            previous[q] = {0, 0, 0};
        }
        for (int32 p = 0; p < part; p++) {
            double within = shared.deletes[(p + 1) * steps - 1];
            double beyond = shared.moves[PROFILE_MOVES * (p + 1) * steps + 4];
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                previous[q].remove = Algebra::plus(within, first[q], *shared.pass(buffer, p, 2, q));
                first[q] = Algebra::plus(previous[q].remove, beyond, *shared.pass(buffer, p, 3, q));
            }
        }
#pragma unroll
        for (int32 q = 0; q < SEQUENCES; q++) {
            if (part > 0) {
                previous[q].match = *shared.pass(buffer, part - 1, 0, q);
                previous[q].insert = *shared.pass(buffer, part - 1, 1, q);
            }
        }
        double sums[SEQUENCES] = {};
        for_steps([&](int32 s) {
            double within = shared.deletes[part * steps + s];
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                States its = states.get(q, s);
                its.remove = Algebra::plus(within, first[q], its.remove);
                states.set(q, s, its);
                if (IS_FORWARD) {
                    sums[q] = __dadd_rn(sums[q], __dadd_rn(its.match, its.remove));
                }
            }
        });
        if (IS_FORWARD) {
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                *shared.end(buffer, part, q) = sums[q];
            }
        }
    }

    __device__ __forceinline__ double end_of(int32 buffer, int32 q) {
        double end = 0;
#pragma unroll
        for (int32 p = 0; p < PROFILE_PARTS; p++) {
            end = Algebra::both(end, *shared.end(buffer, p, q));
        }
        return end;
    }

    static __device__ __forceinline__ States scaled(const States& of) {
        return {of.match * LEAST_GREAT, of.insert * LEAST_GREAT, of.remove * LEAST_GREAT};
    }

    __device__ __forceinline__ void scale(int32 q) {
        previous[q] = scaled(previous[q]);
        for_steps([&](int32 s) {
            states.set(q, s, scaled(states.get(q, s)));
        });
    }
};

// Scores the rows of the pieces; each block takes one piece after another.
template <typename Algebra, int32 STEPS, int32 SEQUENCES>
__device__ __forceinline__ void score_all(
        const ProfilePiece* pieces,
        int32 count,
        int32* ticket,
        const ProfileSequences& rows,
        const Profile* profiles,
        const int32* order,
        double* bits,
        double* slots,
        int64 slot_doubles) {
    extern __shared__ __align__(16) double memory[];
    int32 lane = threadIdx.x % 32;
    int32 copied = -1;
    for (int32 i = take(ticket, 0); i < count; i = take(ticket, 0)) {
        ProfilePiece piece = pieces[i];
        Profile profile = profiles[piece.profile];
        Part<Algebra, STEPS, SEQUENCES> part(
                Shared<SEQUENCES>(profile, memory), profile.steps, slots + slot_doubles * blockIdx.x);
        if (STEPS > 0) {
            part.shared.copy(profile, piece.profile == copied);
            copied = piece.profile;
        }
        part.clear();
        Sequence sequences[SEQUENCES];
        int32 longest = 0;
#pragma unroll
        for (int32 q = 0; q < SEQUENCES; q++) {
            int32 at = piece.from + 32 * q + lane;
            int32 row = order[min(at, piece.to - 1)];
            int32 begin = rows.offsets[row];
            sequences[q].start(rows.bytes + begin, at < piece.to ? rows.offsets[row + 1] - begin : 0);
            longest = max(longest, sequences[q].length);
        }
        longest = max_of_lanes<32>(longest);
        for (int32 t = 0; t < longest; t++) {
            int32 buffer = t % 2;
            int32 letters[SEQUENCES];
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                letters[q] = t < sequences[q].length ? profile.codes[sequences[q].letters[t]] : 0;
            }
            part.first_pass(letters, sequences, buffer);
            __syncthreads();
            part.second_pass(buffer);
            if (Algebra::IS_FORWARD) {
                __syncthreads();
            }
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                if (t < sequences[q].length && sequences[q].template advance<Algebra>(part.end_of(buffer, q))) {
                    part.scale(q);
                }
            }
        }
#pragma unroll
        for (int32 q = 0; q < SEQUENCES; q++) {
            if (part.part == 0 && sequences[q].length > 0) {
                bits[order[piece.from + 32 * q + lane]] = sequences[q].bits();
            }
        }
    }
}

}  // namespace

// Defines a kernel for profiles with more than STEPS - PROFILE_STEPS and at most STEPS nodes per part.
#define PROFILE_SCORE(name, Algebra, STEPS, SEQUENCES, BLOCKS) \
    extern "C" __global__ void __launch_bounds__(PROFILE_BLOCK, BLOCKS) profile_##name( \
            const ProfilePiece* pieces, \
            int32 count, \
            int32* ticket, \
            ProfileSequences rows, \
            const Profile* profiles, \
            const int32* order, \
            double* bits, \
            double* slots, \
            int64 slot_doubles) { \
        score_all<Algebra, STEPS, SEQUENCES>( \
                pieces, count, ticket, rows, profiles, order, bits, slots, slot_doubles); \
    }

PROFILE_SCORE(forward_8, Sums, 8, 2, 1)
PROFILE_SCORE(forward_16, Sums, 16, 1, 1)
PROFILE_SCORE(forward_24, Sums, 24, 1, 1)
PROFILE_SCORE(forward_32, Sums, 32, 1, 1)
PROFILE_SCORE(forward_any, Sums, 0, 1, 2)
PROFILE_SCORE(viterbi_8, Maxima, 8, 2, 1)
PROFILE_SCORE(viterbi_16, Maxima, 16, 1, 1)
PROFILE_SCORE(viterbi_24, Maxima, 24, 1, 1)
PROFILE_SCORE(viterbi_32, Maxima, 32, 1, 1)
PROFILE_SCORE(viterbi_any, Maxima, 0, 1, 2)

// Classifies the rows, with one warp per row.
//
// - of_rows: the number of each row's profile, which is negative for rows that the CPU solves
extern "C" __global__ void profile_classify(
        int32 rows,
        const uint32* validity,
        ProfileSequences sequences,
        const Profile* profiles,
        const int32* of_rows,
        Classified rows_of) {
    constexpr int32 FORWARD_LENGTH = 7;  // the length of both algorithms' names
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 begin = sequences.offsets[row];
    int32 n = sequences.offsets[row + 1] - begin;
    int32 number = of_rows[row];
    const Profile& profile = profiles[max(number, 0)];
    bool is_forward = true;
    bool is_known = number >= 0 && n <= 1 << 29;
    if (sequences.algorithm_offsets != nullptr) {
        const uint8* name = sequences.algorithms + sequences.algorithm_offsets[row];
        int32 length = sequences.algorithm_offsets[row + 1] - sequences.algorithm_offsets[row];
        is_forward = length == FORWARD_LENGTH && name[0] == 'f';
        const char* expected = is_forward ? "forward" : "viterbi";
        is_known = is_known && length == FORWARD_LENGTH;
        for (int32 i = 0; is_known && i < FORWARD_LENGTH; i++) {
            is_known = name[i] == static_cast<uint8>(expected[i]);
        }
    }
    bool is_valid_sequence = n > 0;
    for (int32 i = lane; is_known && i < n; i += 32) {
        uint8 letter = sequences.bytes[begin + i];
        is_valid_sequence = is_valid_sequence && letter < 128 && profile.codes[letter & 127] >= 0;
    }
    is_valid_sequence = __all_sync(~0u, is_valid_sequence) != 0;
    if (lane > 0) {
        return;
    }
    if (!is_known) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else if (!is_valid_sequence) {
        rows_of.put(row, REJECTED, 0, 0);
    } else {
        int32 log = 31 - __clz(n);
        int32 of_length = log < 2 ? 0 : min(4 * (log - 2) + (n >> (log - 2) & 3), PROFILE_LENGTHS - 1);
        int32 key = (2 * number + (is_forward ? 0 : 1)) * PROFILE_LENGTHS + PROFILE_LENGTHS - 1 - of_length;
        rows_of.put(row, key, n, static_cast<int64>(n) * profile.nodes);
    }
}
