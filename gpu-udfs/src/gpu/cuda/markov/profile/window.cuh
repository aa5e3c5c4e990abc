// The nodes that a warp is about to compute, for profiles that do not fit in shared memory.
#pragma once

#include "common/copies.cuh"
#include "markov/profile/profile.cuh"

namespace {

// PROFILE_PADDING adjacent nodes in shared memory.
struct alignas(16) Window {
    double moves[PROFILE_MOVES * PROFILE_PADDING];
    double ends[PROFILE_PADDING];
    uint32 upper[PROFILE_LETTERS * PROFILE_PADDING];
    uint32 lower[PROFILE_LETTERS * PROFILE_PADDING];

    // Starts to copy nodes from device memory. Each lane copies up to 16 bytes of each array.
    __device__ __forceinline__ void start_copy(const Profile& profile, int32 at) {
        constexpr int32 WORDS = 16 / sizeof(uint32);
        constexpr int32 DOUBLES = 16 / sizeof(double);
        constexpr int32 MOVE_LANES = PROFILE_MOVES * PROFILE_PADDING / DOUBLES;
        constexpr int32 END_LANES = PROFILE_PADDING / DOUBLES;
        static_assert(PROFILE_LETTERS * PROFILE_PADDING == 32 * WORDS && MOVE_LANES + END_LANES <= 32, "one warp");
        int32 lane = threadIdx.x % 32;
        copy_async(upper + WORDS * lane, profile.upper + PROFILE_LETTERS * at + WORDS * lane);
        copy_async(lower + WORDS * lane, profile.lower + PROFILE_LETTERS * at + WORDS * lane);
        if (lane < MOVE_LANES) {
            copy_async(moves + DOUBLES * lane, profile.moves + PROFILE_MOVES * at + DOUBLES * lane);
        } else if (lane < MOVE_LANES + END_LANES) {
            int32 first = DOUBLES * (lane - MOVE_LANES);
            copy_async(ends + first, profile.ends + at + first);
        }
        end_copies();
    }
};

// Two windows of a warp. While it computes the nodes in one of them, the next nodes are copied to the other.
struct Windows {
    Window* current;
    Window* next;

    // Waits for the next nodes, and starts to copy those after them.
    __device__ __forceinline__ void advance(const Profile& profile, int32 at) {
        await_copies<0>();
        // all lanes have finished the nodes that the copy replaces
        __syncwarp();
        Window* free = current;
        current = next;
        next = free;
        next->start_copy(profile, at);
    }
};

}  // namespace

// The bytes of shared memory for the windows of a block.
constexpr int32 PROFILE_WINDOW_BYTES = sizeof(Window) * 2 * PROFILE_PARTS;
FOR_HOST(PROFILE_WINDOW_BYTES);
