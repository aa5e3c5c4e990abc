// Aligns tokens with the frames of recordings. A lane packs the moves to its positions in a frame, with two bits per
// position.
#include "markov/ctc/frames.cuh"

constexpr int32 SHAPES = 4;
constexpr int32 CLASSES = SHAPES * LOGS;
FOR_HOST(CLASSES);

struct CtcAnswers {
    double* scores;
    int32* frames;  // the number of frames, initially 0
    int32* tokens;  // the number of tokens, initially 0
    int32* places;  // the best path's position in each frame, at the frame's offset
};

STRUCT_FOR_HOST(CtcAnswers);
MEMBER_FOR_HOST(CtcAnswers, scores);
MEMBER_FOR_HOST(CtcAnswers, frames);
MEMBER_FOR_HOST(CtcAnswers, tokens);
MEMBER_FOR_HOST(CtcAnswers, places);

namespace {

// Finds the best path: adds logarithms, and takes the maximum over the previous positions.
struct BestPath {
    using Value = double;
    static constexpr bool HAS_MOVES = true;
    static constexpr int32 SHAPES = ::SHAPES;

    static __device__ __forceinline__ int32 move_bytes(int32 shape) {
        return max(1, (1 << shape) / 2);
    }

    static __device__ __forceinline__ double none() {
        return impossible();
    }

    static __device__ __forceinline__ double certain() {
        return 0;
    }

    static __device__ __forceinline__ double factor(double log) {
        return log;
    }

    // Sets the value of a position, and returns by how many positions the best path moves to it.
    static __device__ __forceinline__ uint32 step(double& value, double before, double skipped, double log) {
        uint32 move = before > value ? 1 : 0;
        double best = before > value ? before : value;
        move = skipped > best ? 2 : move;
        best = skipped > best ? skipped : best;
        value = __dadd_rn(best, log);
        return move;
    }

    static __device__ __forceinline__ double from_lane_before(double value) {
        return __shfl_up_sync(~0u, value, 1);
    }

    static __device__ __forceinline__ double from_lane(double value, int32 lane) {
        return __shfl_sync(~0u, value, lane);
    }
};

// Follows the moves from the last frame to the first, 32 frames at a time. A path moves by at most two positions per
// frame, so 32 adjacent lanes have all moves that it may use.
template <typename Move, int32 WIDTH>
__device__ __forceinline__ void follow(const Move* moves, int32 lanes, int32 position, int32 count, int32* places) {
    int32 lane = threadIdx.x;
    for (int32 first = (count - 1) / 32 * 32; first >= 0; first -= 32) {
        int32 first_lane = max(0, position / WIDTH - 31);
        uint32 loaded[32];
#pragma unroll
        for (int32 k = 0; k < 32; k++) {
            loaded[k] = first + k < count ? moves[static_cast<int64>(first + k) * lanes + first_lane + lane] : 0;
        }
        int32 place = 0;
#pragma unroll
        for (int32 k = 31; k >= 0; k--) {
            place = k == lane ? position : place;
            uint32 move = __shfl_sync(~0u, loaded[k], position / WIDTH - first_lane) >> 2 * (position % WIDTH) & 3;
            position -= static_cast<int32>(move);
        }
        if (first + lane < count) {
            places[first + lane] = place;
        }
    }
}

// Solves the rows of a group, which warps take in turn.
template <typename Move, int32 WIDTH>
__device__ __forceinline__ void solve(
        Slots slots,
        const CtcCalls& calls,
        const CtcAnswers& answers,
        const Classified& rows_of) {
    uint8* slot = slots.of_block();
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        Recording recording(calls, row);
        int32 strips = strips_of(recording.positions(), WIDTH);
        double* border = reinterpret_cast<double*>(slot);
        Move* moves = reinterpret_cast<Move*>(strips > 1 ? border + recording.count : border);
        Ends<double> ends = fill<BestPath, Move, WIDTH>(calls, recording, border, moves);
        __syncwarp();
        bool ends_at_token = recording.tokens > 0 && ends.token >= ends.blank;
        double score = ends_at_token ? ends.token : ends.blank;
        if (!ends.valid || score == impossible()) {
            if (threadIdx.x == 0) {
                rows_of.reject(row);
            }
            continue;
        }
        int32 last = 2 * recording.tokens - (ends_at_token ? 1 : 0);
        follow<Move, WIDTH>(moves, 32 * strips, last, recording.count, answers.places + recording.first);
        if (threadIdx.x == 0) {
            answers.scores[row] = score;
            answers.frames[row] = recording.count;
            answers.tokens[row] = recording.tokens;
        }
    }
}

}  // namespace

extern "C" __global__ void ctc_align_classify(int32 rows, const uint32* validity, CtcCalls calls, Classified rows_of) {
    classify<BestPath>(rows, validity, calls, rows_of);
}

#define CTC_ALIGN(WIDTH, MOVE) \
    extern "C" __global__ void __launch_bounds__(32, 16) ctc_align_##WIDTH( \
            Slots slots, CtcCalls calls, CtcAnswers answers, Classified rows_of) { \
        solve<MOVE, WIDTH>(slots, calls, answers, rows_of); \
    }

CTC_ALIGN(2, uint8)
CTC_ALIGN(4, uint8)
CTC_ALIGN(8, uint16)
CTC_ALIGN(16, uint32)

// Writes the labels of all frames, and the frames of all tokens, with one warp per row.
//
// - path_offsets, span_offsets: the offsets of the rows' results
extern "C" __global__ void ctc_align_results(
        int32 rows,
        CtcCalls calls,
        CtcAnswers answers,
        const int32* path_offsets,
        int32* path,
        const int32* span_offsets,
        int32* tokens,
        int32* begins,
        int32* ends) {
    int64 row = thread_index() / 32;
    if (row >= rows || path_offsets[row] == path_offsets[row + 1]) {
        return;
    }
    Recording recording(calls, row);
    const int32* places = answers.places + recording.first;
    for (int32 t = threadIdx.x % 32; t < recording.count; t += 32) {
        int32 place = places[t];
        bool is_token = place % 2 != 0;
        int32 label = is_token ? recording.label(calls, place / 2) : recording.blank;
        path[path_offsets[row] + t] = label;
        int32 span = span_offsets[row] + place / 2;
        if (is_token && (t == 0 || places[t - 1] != place)) {
            tokens[span] = label;
            begins[span] = t;
        }
        if (is_token && (t == recording.count - 1 || places[t + 1] != place)) {
            ends[span] = t + 1;
        }
    }
}
