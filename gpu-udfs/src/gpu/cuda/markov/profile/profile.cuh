// Profiles and sequences: dev.bellman.markov.profile.ProfileModel.
#pragma once

#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/strict_math.cuh"

// The number of parts into which the nodes of a profile are divided, ProfileModel.PARTS. Each warp computes the nodes
// of one part.
constexpr int32 PROFILE_PARTS = 8;
// The number of transitions per node, in the order of the members of Node.
constexpr int32 PROFILE_MOVES = 8;
// The number of nodes per part is a multiple of PROFILE_PADDING, or of PROFILE_LARGE_PADDING if it is larger than
// PROFILE_SMALL. The nodes that were added have no transitions except those from delete state to delete state.
constexpr int32 PROFILE_PADDING = 4;
constexpr int32 PROFILE_SMALL = 32;
constexpr int32 PROFILE_LARGE_PADDING = 8;
// The number of slots per node for the odds of letters. Each slot has its own bank of shared memory.
constexpr int32 PROFILE_LETTERS = 32;
FOR_HOST(PROFILE_PARTS);
FOR_HOST(PROFILE_MOVES);
FOR_HOST(PROFILE_PADDING);
FOR_HOST(PROFILE_SMALL);
FOR_HOST(PROFILE_LARGE_PADDING);
FOR_HOST(PROFILE_LETTERS);

// A profile. The nodes of each part are contiguous, unlike in ProfileModel.
struct Profile {
    const double* moves;  // PROFILE_MOVES numbers for each node
    const double* ends;   // ProfileModel.ends
    const double* skips;  // ProfileModel.skips
    const uint32* upper;  // the upper words of the odds, for each node and letter
    const uint32* lower;
    const int8* codes;    // the number of the letter for each of 128 characters; -1 if it is not a letter
    int32 steps;          // the number of nodes per part
    int32 nodes;
    int32 last;           // the last node of each part that was not added
};

STRUCT_FOR_HOST(Profile);
MEMBER_FOR_HOST(Profile, moves);
MEMBER_FOR_HOST(Profile, ends);
MEMBER_FOR_HOST(Profile, skips);
MEMBER_FOR_HOST(Profile, upper);
MEMBER_FOR_HOST(Profile, lower);
MEMBER_FOR_HOST(Profile, codes);
MEMBER_FOR_HOST(Profile, steps);
MEMBER_FOR_HOST(Profile, nodes);
MEMBER_FOR_HOST(Profile, last);

// Rows with the same profile: order[from] to order[to - 1].
struct ProfilePiece {
    int32 profile;
    int32 from;
    int32 to;
};

STRUCT_FOR_HOST(ProfilePiece);
MEMBER_FOR_HOST(ProfilePiece, profile);
MEMBER_FOR_HOST(ProfilePiece, from);
MEMBER_FOR_HOST(ProfilePiece, to);

namespace {

// The transitions of a node, with the names of their arrays in ProfileModel.
struct Node {
    double begin;
    double skip_to_match;
    double match_to_match;
    double insert_to_match;
    double delete_to_match;
    double insert_to_insert;
    double match_to_delete;
    double delete_to_delete;

    // Reads the transitions of a node two at a time; they are the same for all lanes of a warp.
    __device__ __forceinline__ explicit Node(const double* moves) {
        const double2* pairs = reinterpret_cast<const double2*>(moves);
        double2 pair = pairs[0];
        begin = pair.x;
        skip_to_match = pair.y;
        pair = pairs[1];
        match_to_match = pair.x;
        insert_to_match = pair.y;
        pair = pairs[2];
        delete_to_match = pair.x;
        insert_to_insert = pair.y;
        pair = pairs[3];
        match_to_delete = pair.x;
        delete_to_delete = pair.y;
    }
};

// The sums over all paths.
struct Sums {
    static constexpr bool IS_FORWARD = true;

    static __device__ __forceinline__ double plus(double product_of, double and_this, double other) {
        return __fma_rn(product_of, and_this, other);
    }

    static __device__ __forceinline__ double both(double x, double y) {
        return __dadd_rn(x, y);
    }
};

// The maxima over all paths. No number is negative or a NaN.
struct Maxima {
    static constexpr bool IS_FORWARD = false;

    static __device__ __forceinline__ double plus(double product_of, double and_this, double other) {
        return both(__dmul_rn(product_of, and_this), other);
    }

    static __device__ __forceinline__ double both(double x, double y) {
        return x > y ? x : y;
    }
};

constexpr double GREAT = 1.3407807929942597e154;  // 2^512
constexpr double LEAST_GREAT = 7.458340731200207e-155;  // its inverse
constexpr double LN_2 = 0.6931471805599453;
constexpr double LOG_GREAT = 512 * LN_2;

// A sequence, and the states outside of the nodes, which every warp computes.
struct Sequence {
    const uint8* letters;
    int32 length;
    int32 great = 0;
    double move;
    double loop;
    double before = 1;
    double behind = 0;
    double begin;

    __device__ __forceinline__ void start(const uint8* its_letters, int32 its_length) {
        letters = its_letters;
        length = its_length;
        great = 0;
        double sum = __dadd_rn(length, 3);
        move = __ddiv_rn(3, sum);
        loop = __ddiv_rn(length, sum);
        before = 1;
        behind = 0;
        begin = move;
    }

    // Advances by one residue, unless the sequence has ended. Returns whether the states must be scaled.
    template <typename Algebra>
    __device__ __forceinline__ bool advance(double end, bool is_within) {
        bool is_great = is_within && end >= GREAT;
        double factor = is_great ? LEAST_GREAT : 1;
        before = __dmul_rn(__dmul_rn(before, factor), loop);
        double sum = Algebra::both(
                __dmul_rn(__dmul_rn(behind, factor), loop), __dmul_rn(__dmul_rn(end, factor), 0.5));
        behind = is_within ? sum : behind;
        begin = __dmul_rn(move, Algebra::both(before, sum));
        great += is_great ? 1 : 0;
        return is_great;
    }

    __device__ __forceinline__ double bits() const {
        double log = __dadd_rn(strict_log(__dmul_rn(behind, move)), __dmul_rn(great, LOG_GREAT));
        double n = length;
        double of_length = __dsub_rn(
                __dmul_rn(-n, strict_log_1_plus(__ddiv_rn(1, n))), strict_log(__dadd_rn(n, 1)));
        return __ddiv_rn(__dsub_rn(log, of_length), LN_2);
    }
};

}  // namespace
