// The states of a profile's nodes, and their recurrences. Each of a block's eight warps computes the states of one part
// of the nodes, for one or two sequences per lane.
#pragma once

#include "markov/profile/profile.cuh"

constexpr int32 PROFILE_BLOCK = 32 * PROFILE_PARTS;
FOR_HOST(PROFILE_BLOCK);

// The number of doubles that a part passes on to later parts after each residue.
constexpr int32 PASSED = 4;
// The number of previous parts whose numbers a part reads together.
constexpr int32 READ_TOGETHER = 4;
// The bytes of shared memory for each node, and for the doubles that the warps exchange for each sequence of a lane.
constexpr int32 PROFILE_NODE_BYTES = 8 * (PROFILE_MOVES + 1) + 2 * 4 * PROFILE_LETTERS;
constexpr int32 PROFILE_LANE_BYTES = 8 * 32 * PROFILE_PARTS * 2 * (PASSED + 1);
FOR_HOST(PROFILE_NODE_BYTES);
FOR_HOST(PROFILE_LANE_BYTES);

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

    __device__ __forceinline__ void set_match(int32 q, int32 s, double to) {
        states[q][s].match = to;
    }

    __device__ __forceinline__ void set_insert(int32 q, int32 s, double to) {
        states[q][s].insert = to;
    }

    __device__ __forceinline__ void set_remove(int32 q, int32 s, double to) {
        states[q][s].remove = to;
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

    __device__ __forceinline__ double* at(int32 q, int32 s) const {
        return states + 3LL * 32 * (s * SEQUENCES + q);
    }

    __device__ __forceinline__ States get(int32 q, int32 s) const {
        const double* from = at(q, s);
        return {from[0], from[32], from[64]};
    }

    __device__ __forceinline__ void set_match(int32 q, int32 s, double to) {
        at(q, s)[0] = to;
    }

    __device__ __forceinline__ void set_insert(int32 q, int32 s, double to) {
        at(q, s)[32] = to;
    }

    __device__ __forceinline__ void set_remove(int32 q, int32 s, double to) {
        at(q, s)[64] = to;
    }

    __device__ __forceinline__ void set(int32 q, int32 s, const States& to) {
        set_match(q, s, to.match);
        set_insert(q, s, to.insert);
        set_remove(q, s, to.remove);
    }
};

// The nodes of a warp's part. STEPS has the same meaning as in AllStates.
template <typename Algebra, int32 STEPS, int32 SEQUENCES>
struct Part {
    static constexpr bool IS_FORWARD = Algebra::IS_FORWARD;
    Shared<SEQUENCES> shared;
    int32 part;
    int32 steps;
    int32 last;  // the last node that is not padding
    AllStates<STEPS, SEQUENCES> states;
    States previous[SEQUENCES];  // the states at the end of the previous part, after the previous residue

    __device__ Part(const Shared<SEQUENCES>& its_shared, const Profile& profile, double* slot)
        : shared(its_shared),
          part(threadIdx.x / 32),
          steps(STEPS > 0 ? STEPS : profile.steps),
          last(profile.last),
          states(slot, threadIdx.x / 32, profile.steps) {}

    // Calls a function for each node of the part, in ascending or descending order.
    template <bool ASCENDING, typename Function>
    __device__ __forceinline__ void for_steps(Function function) {
        if constexpr (STEPS == 0) {
            for (int32 i = 0; i < steps; i++) {
                function(ASCENDING ? i : steps - 1 - i);
            }
        } else {
#pragma unroll
            for (int32 i = 0; i < STEPS; i++) {
                function(ASCENDING ? i : STEPS - 1 - i);
            }
        }
    }

    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int32 q = 0; q < SEQUENCES; q++) {
            previous[q] = {0, 0, 0};
        }
        for_steps<true>([&](int32 s) {
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                states.set(q, s, {0, 0, 0});
            }
        });
    }

    // Computes the states within the part, and passes on the states at its end. Matches and insertions are computed in
    // descending order, so that they replace those of the previous residue, which only later nodes need.
    //
    // - letters: the numbers of the current residues
    __device__ __forceinline__ void first_pass(const int32* letters, const Sequence* sequences, int32 buffer) {
        double ends[SEQUENCES] = {};
        States old[SEQUENCES];  // the states of the current node after the previous residue
#pragma unroll
        for (int32 q = 0; q < SEQUENCES; q++) {
            old[q] = states.get(q, (STEPS > 0 ? STEPS : steps) - 1);
        }
        for_steps<false>([&](int32 s) {
            int32 at = part * steps + s;
            Node node(shared.moves + PROFILE_MOVES * at);
            const uint32* upper = shared.upper + PROFILE_LETTERS * at;
            const uint32* lower = shared.lower + PROFILE_LETTERS * at;
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                States before = s == 0 ? previous[q] : states.get(q, s - 1);
                double odds = __hiloint2double(upper[letters[q]], lower[letters[q]]);
                double sum = Algebra::plus(
                        before.match, node.match_to_match, __dmul_rn(sequences[q].begin, node.begin));
                sum = Algebra::plus(before.insert, node.insert_to_match, sum);
                sum = Algebra::plus(before.remove, node.delete_to_match, sum);
                double inserted = Algebra::plus(
                        old[q].insert, node.insert_to_insert, __dmul_rn(old[q].match, node.match_to_insert));
                double match = __dmul_rn(sum, odds);
                if (!IS_FORWARD) {
                    ends[q] = Algebra::both(ends[q], match);
                }
                states.set_match(q, s, match);
                states.set_insert(q, s, inserted);
                old[q] = before;
            }
        });
        double matches[SEQUENCES] = {};
        double deleted[SEQUENCES] = {};
        for_steps<true>([&](int32 s) {
            Node node(shared.moves + PROFILE_MOVES * (part * steps + s));
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                if (s > 0) {
                    deleted[q] = Algebra::plus(
                            deleted[q], node.delete_to_delete, __dmul_rn(matches[q], node.match_to_delete));
                }
                matches[q] = states.get(q, s).match;
                states.set_remove(q, s, deleted[q]);
            }
        });
        double to_next = part + 1 < PROFILE_PARTS ? shared.moves[PROFILE_MOVES * (part + 1) * steps + 5] : 0;
#pragma unroll
        for (int32 q = 0; q < SEQUENCES; q++) {
            States its = states.get(q, STEPS > 0 ? STEPS - 1 : last);
#pragma unroll
            for (int32 s = STEPS > 0 ? STEPS - PROFILE_PADDING : 0; s < STEPS - 1; s++) {
                // selects without an index, which would require the states to be in memory
                States other = states.get(q, s);
                its.match = s == last ? other.match : its.match;
                its.insert = s == last ? other.insert : its.insert;
                its.remove = s == last ? other.remove : its.remove;
            }
            *shared.pass(buffer, part, 0, q) = its.match;
            *shared.pass(buffer, part, 1, q) = its.insert;
            *shared.pass(buffer, part, 2, q) = its.remove;
            *shared.pass(buffer, part, 3, q) = __dmul_rn(its.match, to_next);
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
            if (part > 0) {
                previous[q].match = *shared.pass(buffer, part - 1, 0, q);
                previous[q].insert = *shared.pass(buffer, part - 1, 1, q);
            }
        }
        double within[PROFILE_PARTS];
        double beyond[PROFILE_PARTS];
        double removes[SEQUENCES][PROFILE_PARTS];
        double nexts[SEQUENCES][PROFILE_PARTS];
        // reads the numbers of several parts together, even those of parts that are not needed
#pragma unroll
        for (int32 from = 0; from < PROFILE_PARTS - 1; from += READ_TOGETHER) {
            if (from < part) {
                int32 to = min(from + READ_TOGETHER, PROFILE_PARTS - 1);
#pragma unroll
                for (int32 p = from; p < to; p++) {
                    within[p] = shared.deletes[p * steps + last];
                    beyond[p] = shared.moves[PROFILE_MOVES * (p + 1) * steps + 4];
#pragma unroll
                    for (int32 q = 0; q < SEQUENCES; q++) {
                        removes[q][p] = *shared.pass(buffer, p, 2, q);
                        nexts[q][p] = *shared.pass(buffer, p, 3, q);
                    }
                }
#pragma unroll
                for (int32 p = from; p < to; p++) {
                    if (p < part) {
#pragma unroll
                        for (int32 q = 0; q < SEQUENCES; q++) {
                            previous[q].remove = Algebra::plus(within[p], first[q], removes[q][p]);
                            first[q] = Algebra::plus(previous[q].remove, beyond[p], nexts[q][p]);
                        }
                    }
                }
            }
        }
        double sums[SEQUENCES] = {};
        for_steps<true>([&](int32 s) {
            double within = shared.deletes[part * steps + s];
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                States its = states.get(q, s);
                double removed = Algebra::plus(within, first[q], its.remove);
                states.set_remove(q, s, removed);
                if (IS_FORWARD) {
                    sums[q] = __dadd_rn(sums[q], __dadd_rn(its.match, removed));
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
        for_steps<true>([&](int32 s) {
            states.set(q, s, scaled(states.get(q, s)));
        });
    }
};

}  // namespace
