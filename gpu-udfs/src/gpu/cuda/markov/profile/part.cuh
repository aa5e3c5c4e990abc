// The states of a profile's nodes, and their recurrences. Each of a block's eight warps computes the states of one part
// of the nodes, for one or more sequences per lane.
#pragma once

#include "markov/profile/profile.cuh"
#include "markov/profile/window.cuh"

constexpr int32 PROFILE_BLOCK = 32 * PROFILE_PARTS;
FOR_HOST(PROFILE_BLOCK);

// The number of doubles that a part passes on after each residue.
constexpr int32 PASSED = 3;
// The bytes of shared memory for each node, for the doubles that the warps exchange for each sequence of a lane, and
// for the rest of a profile.
constexpr int32 PROFILE_NODE_BYTES = 8 * (PROFILE_MOVES + 1) + 2 * 4 * PROFILE_LETTERS;
constexpr int32 PROFILE_LANE_BYTES = 8 * 32 * PROFILE_PARTS * 2 * PASSED;
constexpr int32 PROFILE_PARTS_BYTES = 8 * PROFILE_PARTS;
FOR_HOST(PROFILE_NODE_BYTES);
FOR_HOST(PROFILE_LANE_BYTES);
FOR_HOST(PROFILE_PARTS_BYTES);

// The numbers of a node after a residue.
struct alignas(16) States {
    double entering;  // from the previous node's states to the next residue's match, without its skips
    double insert;    // the insert state, divided by the probability of the move from match to insert
};

// The bytes that a block's sequences need for the states of one node per part, for each sequence of a lane.
constexpr int32 PROFILE_STEP_BYTES = sizeof(States) * 32 * PROFILE_PARTS;
FOR_HOST(PROFILE_STEP_BYTES);

namespace {

// The profile that a block uses, and the doubles that its warps exchange. SEQUENCES: the number of sequences per lane.
template <int32 SEQUENCES>
struct Shared {
    const double* moves;
    const double* ends;
    const double* skips;
    const uint32* upper;
    const uint32* lower;
    double* passed;  // the exchanged doubles, in two buffers

    // Uses a profile in device memory.
    //
    // - memory: the shared memory for the exchanged doubles
    __device__ __forceinline__ Shared(const Profile& profile, double* memory)
        : moves(profile.moves),
          ends(profile.ends),
          skips(profile.skips),
          upper(profile.upper),
          lower(profile.lower),
          passed(memory) {}

    // Copies a profile to shared memory, after the exchanged doubles, and waits for the other warps; does neither if
    // the profile is already there.
    __device__ __forceinline__ void copy(const Profile& profile, bool is_there) {
        int32 width = PROFILE_PARTS * profile.steps;
        double* its_moves = passed + 2 * PROFILE_PARTS * PASSED * SEQUENCES * 32;
        double* its_ends = its_moves + PROFILE_MOVES * width;
        double* its_skips = its_ends + width;
        uint32* its_upper = reinterpret_cast<uint32*>(its_skips + PROFILE_PARTS);
        uint32* its_lower = its_upper + PROFILE_LETTERS * width;
        if (!is_there) {
            for (int32 i = threadIdx.x; i < PROFILE_MOVES * width; i += PROFILE_BLOCK) {
                its_moves[i] = profile.moves[i];
            }
            for (int32 i = threadIdx.x; i < width; i += PROFILE_BLOCK) {
                its_ends[i] = profile.ends[i];
            }
            if (threadIdx.x < PROFILE_PARTS) {
                its_skips[threadIdx.x] = profile.skips[threadIdx.x];
            }
            for (int32 i = threadIdx.x; i < PROFILE_LETTERS * width; i += PROFILE_BLOCK) {
                its_upper[i] = profile.upper[i];
                its_lower[i] = profile.lower[i];
            }
            __syncthreads();
        }
        moves = its_moves;
        ends = its_ends;
        skips = its_skips;
        upper = its_upper;
        lower = its_lower;
    }

    // Uses the nodes in a window.
    __device__ __forceinline__ void use(const Window& window) {
        moves = window.moves;
        ends = window.ends;
        upper = window.upper;
        lower = window.lower;
    }

    // Returns the address of a double that a part passes on.
    //
    // - kind: 0 for the number from the part's last node to the next match, 1 for the next part's first delete state
    //   without paths from before this part, 2 for the ends
    __device__ __forceinline__ double* pass(int32 buffer, int32 part, int32 kind, int32 sequence) {
        return passed + (((buffer * PROFILE_PARTS + part) * PASSED + kind) * SEQUENCES + sequence) * 32
            + threadIdx.x % 32;
    }
};

// A block's room for states that are not in registers, and for nodes.
struct Slot {
    States* in_memory;
    States* in_shared;
    Window* windows;
    int32 shared_steps;  // the number of nodes per part whose states are in shared memory
};

// The states of all nodes in a warp's part, for the sequences of one lane. STEPS: the number of nodes per part whose
// states are in registers. IS_LARGE: whether there are more nodes. Their states are in memory, and a few at a time are
// in registers.
template <int32 STEPS, int32 SEQUENCES, bool IS_LARGE>
struct AllStates {
    static constexpr int32 WINDOW = IS_LARGE ? PROFILE_PADDING : 0;
    States states[SEQUENCES][STEPS + WINDOW];
    States next[WINDOW * SEQUENCES + 1];
    States* in_shared;  // for the first nodes that are not in registers
    States* in_memory;  // for the others
    int32 shared_steps;

    __device__ AllStates(const Slot& slot, int32 part, int32 steps)
        : in_shared(slot.in_shared + part * slot.shared_steps * SEQUENCES * 32 + threadIdx.x % 32),
          in_memory(slot.in_memory + part * steps * SEQUENCES * 32LL + threadIdx.x % 32),
          shared_steps(slot.shared_steps) {}

    __device__ __forceinline__ States* at(int32 s) const {
        return (s - STEPS < shared_steps ? in_shared : in_memory) + (s - STEPS) * SEQUENCES * 32LL;
    }

    // Starts to read the states of nodes, for which the warp waits only when it needs them.
    __device__ __forceinline__ void read(int32 from) {
        const States* its = at(from);
#pragma unroll
        for (int32 i = 0; i < WINDOW * SEQUENCES; i++) {
            next[i] = its[32 * i];
        }
    }

    // Continues with the nodes whose states were read last.
    __device__ __forceinline__ void advance() {
#pragma unroll
        for (int32 i = 0; i < WINDOW * SEQUENCES; i++) {
            states[i % SEQUENCES][STEPS + i / SEQUENCES] = next[i];
        }
    }

    __device__ __forceinline__ void write(int32 from) const {
        States* its = at(from);
#pragma unroll
        for (int32 i = 0; i < WINDOW * SEQUENCES; i++) {
            its[32 * i] = states[i % SEQUENCES][STEPS + i / SEQUENCES];
        }
    }
};

// The nodes of a warp's part. STEPS and IS_LARGE have the same meanings as in AllStates.
template <typename Algebra, int32 STEPS, int32 SEQUENCES, bool IS_LARGE>
struct Part {
    static constexpr bool IS_FORWARD = Algebra::IS_FORWARD;
    static constexpr int32 PADDING = STEPS > PROFILE_SMALL ? PROFILE_LARGE_PADDING : PROFILE_PADDING;
    Shared<SEQUENCES> shared;
    const Profile& profile;
    Windows windows;
    int32 part;
    int32 steps;
    int32 last;  // the last node that is not padding
    AllStates<STEPS, SEQUENCES, IS_LARGE> states;
    // the delete state of the part's first node after the previous residue, and that of the previous part's first node
    double first[SEQUENCES];
    double before_first[SEQUENCES];
    double entering[SEQUENCES];  // the first node's number

    __device__ Part(const Shared<SEQUENCES>& its_shared, const Profile& its_profile, const Slot& slot)
        : shared(its_shared),
          profile(its_profile),
          windows{slot.windows + 2 * (threadIdx.x / 32), slot.windows + 2 * (threadIdx.x / 32) + 1},
          part(threadIdx.x / 32),
          steps(IS_LARGE ? profile.steps : STEPS),
          last(profile.last),
          states(slot, threadIdx.x / 32, profile.steps) {}

    // Calls `function` for each node of the part, with the index of its states, and `begin` before every
    // PROFILE_PADDING nodes.
    template <typename Begin, typename Function>
    __device__ __forceinline__ void for_steps(Begin begin, Function function) {
#pragma unroll
        for (int32 from = 0; from < STEPS; from += PROFILE_PADDING) {
            if (!IS_LARGE || from < steps) {
                begin(from);
#pragma unroll
                for (int32 s = from; s < from + PROFILE_PADDING; s++) {
                    function(s, s);
                }
            }
        }
        if (IS_LARGE && STEPS < steps) {
            states.read(STEPS);
            for (int32 from = STEPS; from < steps; from += PROFILE_PADDING) {
                begin(from);
                states.advance();
                if (from + PROFILE_PADDING < steps) {
                    states.read(from + PROFILE_PADDING);
                }
#pragma unroll
                for (int32 i = 0; i < PROFILE_PADDING; i++) {
                    function(from + i, STEPS + i);
                }
                states.write(from);
            }
        }
    }

    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int32 q = 0; q < SEQUENCES; q++) {
            first[q] = 0;
            before_first[q] = 0;
            entering[q] = 0;
        }
        if constexpr (IS_LARGE) {
            windows.next->start_copy(profile, part * steps);
        }
        for_steps([](int32) {}, [&](int32, int32 i) {
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                states.states[q][i] = {0, 0};
            }
        });
    }

    // Computes the states of all nodes after a residue, and passes numbers on to other parts.
    //
    // - letters: the numbers of the current residues
    __device__ __forceinline__ void advance(const int32* letters, const Sequence* sequences, int32 buffer) {
        double ends[SEQUENCES] = {};
        double deleted[SEQUENCES] = {};  // the delete state, without paths from before the part
        double next[SEQUENCES] = {};  // the next node's number
        double last_next[SEQUENCES] = {};
        auto use_window = [&](int32 from) {
            if constexpr (!IS_LARGE) {
                return;
            }
            int32 following = from + PROFILE_PADDING;
            windows.advance(profile, part * steps + (following < steps ? following : 0));
            shared.use(*windows.current);
        };
        for_steps(use_window, [&](int32 s, int32 i) {
            int32 at = IS_LARGE ? i % PROFILE_PADDING : part * steps + s;
            Node node(shared.moves + PROFILE_MOVES * at);
            double to_end = IS_FORWARD ? shared.ends[at] : 1;
            const uint32* upper = shared.upper + PROFILE_LETTERS * at;
            const uint32* lower = shared.lower + PROFILE_LETTERS * at;
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                States& its = states.states[q][i];
                double sum = Algebra::plus(s == 0 ? before_first[q] : first[q], node.skip_to_match,
                        s == 0 ? entering[q] : its.entering);
                sum = Algebra::plus(sequences[q].begin, node.begin, sum);
                double match = __dmul_rn(sum, __hiloint2double(upper[letters[q]], lower[letters[q]]));
                ends[q] = IS_FORWARD ? Algebra::plus(match, to_end, ends[q]) : Algebra::both(ends[q], match);
                its.entering = next[q];
                next[q] = Algebra::plus(its.insert, node.insert_to_match, __dmul_rn(match, node.match_to_match));
                its.insert = Algebra::plus(its.insert, node.insert_to_insert, match);
                double to_delete = __dmul_rn(match, node.match_to_delete);
                if (i > 0 || STEPS == 0) {
                    next[q] = Algebra::plus(deleted[q], node.delete_to_match, next[q]);
                    to_delete = Algebra::plus(deleted[q], node.delete_to_delete, to_delete);
                }
                deleted[q] = to_delete;
                // a select, because an index would require the states to be in memory
                if (IS_LARGE || s >= STEPS - PADDING) {
                    last_next[q] = s == last ? next[q] : last_next[q];
                }
            }
        });
#pragma unroll
        for (int32 q = 0; q < SEQUENCES; q++) {
            *shared.pass(buffer, part, 0, q) = last_next[q];
            *shared.pass(buffer, part, 1, q) = deleted[q];
            *shared.pass(buffer, part, 2, q) = ends[q];
        }
    }

    // Reads the numbers of previous parts. All warps compute the same number of steps, because branches would delay the
    // loads. Without previous parts, the numbers are 0.
    __device__ __forceinline__ void receive(int32 buffer) {
        double skips[PROFILE_PARTS - 1];
        double deletes[SEQUENCES][PROFILE_PARTS - 1];
#pragma unroll
        for (int32 i = 0; i < PROFILE_PARTS - 1; i++) {
            int32 p = part - (PROFILE_PARTS - 1) + i;
            skips[i] = p >= 0 ? shared.skips[p] : 0;
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                deletes[q][i] = p >= 0 ? *shared.pass(buffer, p, 1, q) : 0;
            }
        }
#pragma unroll
        for (int32 q = 0; q < SEQUENCES; q++) {
            entering[q] = part > 0 ? *shared.pass(buffer, part - 1, 0, q) : 0;
            first[q] = deletes[q][0];
#pragma unroll
            for (int32 i = 1; i < PROFILE_PARTS - 1; i++) {
                before_first[q] = first[q];
                first[q] = Algebra::plus(first[q], skips[i], deletes[q][i]);
            }
        }
    }

    // Combines the ends of all parts, in pairs, so that few additions depend on each other.
    __device__ __forceinline__ double end_of(int32 buffer, int32 q) {
        double ends[PROFILE_PARTS];
#pragma unroll
        for (int32 p = 0; p < PROFILE_PARTS; p++) {
            ends[p] = *shared.pass(buffer, p, 2, q);
        }
#pragma unroll
        for (int32 half = PROFILE_PARTS / 2; half > 0; half /= 2) {
#pragma unroll
            for (int32 p = 0; p < half; p++) {
                ends[p] = Algebra::both(ends[p], ends[p + half]);
            }
        }
        return ends[0];
    }

    // Scales the states of the sequences for which this is necessary.
    __device__ __forceinline__ void scale(const bool* is_great) {
        double factors[SEQUENCES];
#pragma unroll
        for (int32 q = 0; q < SEQUENCES; q++) {
            factors[q] = is_great[q] ? LEAST_GREAT : 1;
            first[q] *= factors[q];
            before_first[q] *= factors[q];
            entering[q] *= factors[q];
        }
        for_steps([](int32) {}, [&](int32, int32 i) {
#pragma unroll
            for (int32 q = 0; q < SEQUENCES; q++) {
                states.states[q][i].entering *= factors[q];
                states.states[q][i].insert *= factors[q];
            }
        });
    }
};

}  // namespace
