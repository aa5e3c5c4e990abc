// Scores sequences with profiles, using the same DOUBLE operations in the same order as
// dev.bellman.markov.profile.ProfileScore. A block scores 32 or 64 sequences with one profile, one or two per lane.
// Each of the eight warps processes one part of the nodes. For parts of up to 48 nodes, it keeps their states in
// registers, and the profile is in shared memory: all lanes of a warp read the same transitions, and the odds of
// different letters are in different banks. For larger parts, it keeps the states of 32 nodes in registers, and others
// in shared memory and, if they do not fit there, in device memory. It copies a few nodes at a time to shared memory.
// After each residue, the warps exchange the states at the ends of their parts.
//
// Viterbi takes 16 DOUBLE operations per cell, because a maximum is a comparison and two selections, and is limited by
// them. Forward takes 10, and is limited by shared memory, which takes about a cycle to read a DOUBLE for all lanes.
// If a lane computes two sequences, both use the same reads.
#include "common/ticket.cuh"
#include "common/warp.cuh"
#include "markov/profile/part.cuh"

// Length classes, the longest sequences first: four for each power of two from 4 to 2^17.
constexpr int32 PROFILE_LENGTHS = 64;
FOR_HOST(PROFILE_LENGTHS);

// The maximum number of nodes per part whose states the kernels for any number keep in registers.
constexpr int32 PROFILE_ANY = 32;
FOR_HOST(PROFILE_ANY);

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

// Scores the rows of the pieces; each block takes one piece after another.
template <typename Algebra, int32 STEPS, int32 SEQUENCES, bool IS_LARGE>
__device__ __forceinline__ void score_all(
        const ProfilePiece* pieces,
        int32 count,
        int32* ticket,
        const ProfileSequences& rows,
        const Profile* profiles,
        const int32* order,
        double* bits,
        uint8* slots,
        int64 slot_bytes,
        int32 shared_steps) {
    extern __shared__ __align__(16) double memory[];
    int32 lane = threadIdx.x % 32;
    Window* windows = reinterpret_cast<Window*>(memory + PROFILE_LANE_BYTES / sizeof(double) * SEQUENCES);
    int32 copied = -1;
    for (int32 i = take(ticket, 0); i < count; i = take(ticket, 0)) {
        ProfilePiece piece = pieces[i];
        Profile profile = profiles[piece.profile];
        Part<Algebra, STEPS, SEQUENCES, IS_LARGE> part(
                Shared<SEQUENCES>(profile, memory),
                profile,
                {reinterpret_cast<States*>(slots + slot_bytes * blockIdx.x),
                 reinterpret_cast<States*>(windows + 2 * PROFILE_PARTS),
                 windows,
                 shared_steps});
        if (!IS_LARGE) {
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
        int32 next[SEQUENCES];
        auto read = [&](int32 t) {
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                next[q] = t < sequences[q].length ? profile.codes[sequences[q].letters[t]] : 0;
            }
        };
        read(0);
        for (int32 t = 0; t < longest; t++) {
            int32 buffer = t % 2;
            int32 letters[SEQUENCES];
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                letters[q] = next[q];
            }
            read(t + 1);
            part.advance(letters, sequences, buffer);
            __syncthreads();
            part.receive(buffer);
            bool is_great[SEQUENCES];
            bool is_any_great = false;
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                is_great[q] = sequences[q].template advance<Algebra>(
                        part.end_of(buffer, q), t < sequences[q].length);
                is_any_great |= is_great[q];
            }
            if (__any_sync(~0u, is_any_great)) {
                part.scale(is_great);
            }
        }
        if constexpr (IS_LARGE) {
            await_copies<0>();
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

// Defines a kernel for profiles with up to STEPS nodes per part, or more if IS_LARGE.
#define PROFILE_SCORE(name, Algebra, STEPS, IS_LARGE, SEQUENCES, BLOCKS) \
    extern "C" __global__ void __launch_bounds__(PROFILE_BLOCK, BLOCKS) profile_##name( \
            const ProfilePiece* pieces, \
            int32 count, \
            int32* ticket, \
            ProfileSequences rows, \
            const Profile* profiles, \
            const int32* order, \
            double* bits, \
            uint8* slots, \
            int64 slot_bytes, \
            int32 shared_steps) { \
        score_all<Algebra, STEPS, SEQUENCES, IS_LARGE>( \
                pieces, count, ticket, rows, profiles, order, bits, slots, slot_bytes, shared_steps); \
    }

PROFILE_SCORE(forward_4, Sums, 4, false, 2, 2)
PROFILE_SCORE(forward_8, Sums, 8, false, 2, 2)
PROFILE_SCORE(forward_12, Sums, 12, false, 2, 1)
PROFILE_SCORE(forward_16, Sums, 16, false, 2, 1)
PROFILE_SCORE(forward_20, Sums, 20, false, 2, 1)
PROFILE_SCORE(forward_24, Sums, 24, false, 1, 1)
PROFILE_SCORE(forward_28, Sums, 28, false, 1, 1)
PROFILE_SCORE(forward_32, Sums, 32, false, 1, 1)
PROFILE_SCORE(forward_40, Sums, 40, false, 1, 1)
PROFILE_SCORE(forward_48, Sums, 48, false, 1, 1)
PROFILE_SCORE(forward_any, Sums, PROFILE_ANY, true, 1, 1)
PROFILE_SCORE(viterbi_4, Maxima, 4, false, 2, 2)
PROFILE_SCORE(viterbi_8, Maxima, 8, false, 2, 2)
PROFILE_SCORE(viterbi_12, Maxima, 12, false, 2, 1)
PROFILE_SCORE(viterbi_16, Maxima, 16, false, 2, 1)
PROFILE_SCORE(viterbi_20, Maxima, 20, false, 1, 1)
PROFILE_SCORE(viterbi_24, Maxima, 24, false, 1, 1)
PROFILE_SCORE(viterbi_28, Maxima, 28, false, 1, 1)
PROFILE_SCORE(viterbi_32, Maxima, 32, false, 1, 1)
PROFILE_SCORE(viterbi_40, Maxima, 40, false, 1, 1)
PROFILE_SCORE(viterbi_48, Maxima, 48, false, 1, 1)
PROFILE_SCORE(viterbi_any, Maxima, PROFILE_ANY, true, 1, 1)

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
