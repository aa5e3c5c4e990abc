// Tokens in the frames of recordings: dev.bellman.markov.Ctc. A warp solves a row. Each lane stores WIDTH consecutive
// positions in registers: blanks at even positions, tokens at odd positions. If there are more than 32 * WIDTH
// positions, the warp processes them in strips. It stores the values of a strip's last position in all frames (the
// border) for the next strip.
#pragma once

#include "columns/slots.cuh"
#include "markov/model.cuh"

// A class combines a shape, which depends on the number of positions, and the binary logarithm of the memory, rounded
// down; within a shape, the classes with the most memory come first. Shape i has WIDTH 2 << i.
constexpr int32 LOGS = 31;
// The memory for a row is counted in units of this many bytes.
constexpr int32 SLOT_UNIT = 1024;
FOR_HOST(LOGS);
FOR_HOST(SLOT_UNIT);

struct CtcCalls {
    MarkovMatrices frames;
    const int32* token_offsets;
    const uint32* token_validity;
    const int32* tokens;
    const int32* blanks;  // null if all blanks are 0
};

STRUCT_FOR_HOST(CtcCalls);
MEMBER_FOR_HOST(CtcCalls, frames);
MEMBER_FOR_HOST(CtcCalls, token_offsets);
MEMBER_FOR_HOST(CtcCalls, token_validity);
MEMBER_FOR_HOST(CtcCalls, tokens);
MEMBER_FOR_HOST(CtcCalls, blanks);

namespace {

constexpr double MAX_MAGNITUDE = 1e9;

__device__ __forceinline__ double impossible() {
    return __longlong_as_double(0xfff0000000000000LL);
}

// Whether a number is a valid log-probability; NaN represents NULL.
__device__ __forceinline__ bool is_log(double value) {
    return fabs(value) <= MAX_MAGNITUDE || value == impossible();
}

// The frames and tokens of a row.
struct Recording {
    int32 first;  // the offset of the first frame
    int32 count;  // the number of frames
    int32 width;  // the number of log-probabilities in a frame
    int32 first_token;
    int32 tokens;
    int32 blank;

    __device__ Recording(const CtcCalls& calls, int64 row) {
        first = calls.frames.offsets[row];
        count = calls.frames.offsets[row + 1] - first;
        width = count == 0 ? 0 : calls.frames.row_offsets[first + 1] - calls.frames.row_offsets[first];
        first_token = calls.token_offsets[row];
        tokens = calls.token_offsets[row + 1] - first_token;
        blank = calls.blanks == nullptr ? 0 : calls.blanks[row];
    }

    __device__ __forceinline__ int64 positions() const {
        return 2LL * tokens + 1;
    }

    // Checks everything but the log-probabilities, with a warp whose lanes all return the result.
    __device__ __forceinline__ bool check(const CtcCalls& calls, int32 lane) const {
        bool valid = blank >= 0 && blank < width;
        for (int32 k = first + lane; valid && k < first + count; k += 32) {
            valid = is_valid(calls.frames.row_validity, k)
                    && calls.frames.row_offsets[k + 1] - calls.frames.row_offsets[k] == width;
        }
        for (int32 k = first_token + lane; valid && k < first_token + tokens; k += 32) {
            valid = is_valid(calls.token_validity, k) && calls.tokens[k] >= 0 && calls.tokens[k] < width
                    && calls.tokens[k] != blank;
        }
        return __all_sync(~0u, valid) != 0;
    }

    // Returns the label of a token, or the blank beyond the last token.
    __device__ __forceinline__ int32 label(const CtcCalls& calls, int32 token) const {
        return token < tokens ? calls.tokens[first_token + token] : blank;
    }
};

// Returns the number of strips of a row.
__device__ __forceinline__ int32 strips_of(int64 positions, int32 width) {
    return static_cast<int32>((positions + 32 * width - 1) / (32 * width));
}

// Classifies the rows, with one warp per row.
template <typename Rule>
__device__ __forceinline__ void classify(
        int32 rows, const uint32* validity, const CtcCalls& calls, const Classified& rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    Recording recording(calls, row);
    bool valid = recording.check(calls, lane);
    if (lane != 0) {
        return;
    }
    if (!valid) {
        rows_of.reject(row);
        return;
    }
    int64 cells = recording.count * recording.positions();
    if (cells > MAX_NUMBERS) {
        rows_of.put(row, ON_CPU, 0, 0);
        return;
    }
    int32 shape = 0;
    while (shape < Rule::SHAPES - 1 && 64 << shape < recording.positions()) {
        shape++;
    }
    int64 strips = strips_of(recording.positions(), 2 << shape);
    int64 bytes = (strips > 1 ? sizeof(typename Rule::Value) : 0) + 32 * strips * Rule::move_bytes(shape);
    int64 units = max(1LL, (bytes * recording.count + SLOT_UNIT - 1) / SLOT_UNIT);
    int32 size = static_cast<int32>(min(units, 0x7fffffffLL));
    rows_of.put(row, shape * LOGS + LOGS - 1 - (31 - __clz(size)), size, cells);
}

// The log-probabilities that a lane reads from a frame.
template <int32 WIDTH>
struct Logs {
    double blank;
    double tokens[WIDTH / 2];

    __device__ __forceinline__ void load(
            const MarkovMatrices& frames, int64 at, int32 blank_label, const int32 (&labels)[WIDTH / 2]) {
        blank = number(frames, at + blank_label);
#pragma unroll
        for (int32 i = 0; i < WIDTH / 2; i++) {
            tokens[i] = number(frames, at + labels[i]);
        }
    }

    static __device__ __forceinline__ double number(const MarkovMatrices& frames, int64 at) {
        return is_valid(frames.validity, at) ? frames.numbers[at] : __longlong_as_double(0x7ff8000000000000LL);
    }

    __device__ __forceinline__ bool is_valid_frame() const {
        bool valid = is_log(blank);
#pragma unroll
        for (int32 i = 0; i < WIDTH / 2; i++) {
            valid = valid && is_log(tokens[i]);
        }
        return valid;
    }
};

// The values of the last two positions after the last frame.
template <typename Value>
struct Ends {
    Value blank;
    Value token;
    bool valid;  // whether all log-probabilities are valid
};

// Computes the values of all positions, strip after strip, and within a strip frame after frame. Before the first
// frame, a path is at position 0.
//
// - border: a value for each frame if there are several strips
// - moves: a Move for each lane of each strip, frame after frame
template <typename Rule, typename Move, int32 WIDTH>
__device__ __forceinline__ Ends<typename Rule::Value> fill(
        const CtcCalls& calls, const Recording& recording, typename Rule::Value* border, Move* moves) {
    using Value = typename Rule::Value;
    int32 lane = threadIdx.x;
    int32 last = 2 * recording.tokens;
    int32 strips = strips_of(recording.positions(), WIDTH);
    int64 numbers = calls.frames.row_offsets[recording.first];
    Ends<Value> ends = {Rule::none(), Rule::none(), true};
    for (int32 strip = 0; strip < strips; strip++) {
        int32 begin = (32 * strip + lane) * WIDTH;
        int32 labels[WIDTH / 2];
        uint32 may_skip = 0;
        Value values[WIDTH];
#pragma unroll
        for (int32 i = 0; i < WIDTH / 2; i++) {
            int32 token = begin / 2 + i;
            labels[i] = recording.label(calls, token);
            may_skip |= token > 0 && labels[i] != recording.label(calls, token - 1) ? 1u << i : 0;
            values[2 * i] = begin + i == 0 ? Rule::certain() : Rule::none();
            values[2 * i + 1] = Rule::none();
        }
        Value from_border = Rule::none();
        Logs<WIDTH> next;
        next.load(calls.frames, numbers, recording.blank, labels);
        for (int32 t = 0; t < recording.count; t++) {
            Logs<WIDTH> logs = next;
            next.load(calls.frames, numbers + static_cast<int64>(min(t + 1, recording.count - 1)) * recording.width,
                    recording.blank, labels);
            ends.valid = ends.valid && logs.is_valid_frame();
            Value before = Rule::from_lane_before(values[WIDTH - 1]);
            before = lane == 0 ? from_border : before;
            uint32 chosen = 0;
            auto blank = Rule::factor(logs.blank);
            // positions are processed in descending order, because each one overwrites its value for the previous frame
#pragma unroll
            for (int32 i = WIDTH - 2; i >= 0; i -= 2) {
                Value previous = i > 0 ? values[i - 1] : before;
                Value skipped = (may_skip >> i / 2 & 1) != 0 ? previous : Rule::none();
                auto token = Rule::factor(logs.tokens[i / 2]);
                chosen |= Rule::step(values[i + 1], values[i], skipped, token) << (2 * i + 2);
                chosen |= Rule::step(values[i], previous, Rule::none(), blank) << (2 * i);
            }
            if constexpr (Rule::HAS_MOVES) {
                moves[(static_cast<int64>(t) * strips + strip) * 32 + lane] = static_cast<Move>(chosen);
            }
            if (strips > 1) {
                if (lane == 0 && strip > 0) {
                    from_border = border[t];
                }
                __syncwarp();
                if (lane == 31 && strip < strips - 1) {
                    border[t] = values[WIDTH - 1];
                }
            }
        }
        Value before = Rule::from_lane_before(values[WIDTH - 1]);
        before = lane == 0 ? from_border : before;
#pragma unroll
        for (int32 i = 0; i < WIDTH; i += 2) {
            if (begin + i == last) {
                ends.blank = values[i];
                ends.token = i > 0 ? values[i - 1] : before;
            }
        }
    }
    int32 owner = last / WIDTH % 32;
    ends.blank = Rule::from_lane(ends.blank, owner);
    ends.token = Rule::from_lane(ends.token, owner);
    ends.valid = __all_sync(~0u, ends.valid) != 0;
    return ends;
}

}  // namespace
