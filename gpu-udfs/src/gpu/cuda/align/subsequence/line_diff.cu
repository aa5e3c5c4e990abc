// Compares texts line by line, with one warp per row: dev.bellman.align.subsequence.LineDiff.
#include "columns/instances.cuh"
#include "columns/slots.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"

// A class is the binary logarithm of the memory, counted from the largest.
constexpr int32 CLASSES = 32;
// The unit of a row's memory, in bytes.
constexpr int32 SLOT_UNIT = 1024;
// The CPU solves rows with more lines in both texts together or with longer texts, because the time for finding equal
// lines is quadratic and a warp is slow.
constexpr int32 MAX_LINES = 1 << 13;
constexpr int32 MAX_BYTES = 1 << 22;
FOR_HOST(CLASSES);
FOR_HOST(SLOT_UNIT);

struct DiffCalls {
    const int32* a_offsets;
    const uint8* a_bytes;
    const int32* b_offsets;
    const uint8* b_bytes;
};

// A line of a result: its numbers in the texts, which are 0 if the line is missing, and the position of its bytes in
// the column of a text that has the line.
struct alignas(16) DiffLine {
    int32 a;
    int32 b;
    int32 from;
    int32 length;
};

struct DiffAnswers {
    int32* counts;  // initially 0
    const int32* offsets;  // the offset of each row's lines
    DiffLine* lines;
};

// The columns of all lines of all rows.
struct DiffResults {
    const int32* offsets;
    DiffLine* lines;
    int32* kind_lengths;
    int32* text_lengths;
};

STRUCT_FOR_HOST(DiffCalls);
MEMBER_FOR_HOST(DiffCalls, a_offsets);
MEMBER_FOR_HOST(DiffCalls, a_bytes);
MEMBER_FOR_HOST(DiffCalls, b_offsets);
MEMBER_FOR_HOST(DiffCalls, b_bytes);
STRUCT_FOR_HOST(DiffAnswers);
MEMBER_FOR_HOST(DiffAnswers, counts);
MEMBER_FOR_HOST(DiffAnswers, offsets);
MEMBER_FOR_HOST(DiffAnswers, lines);
STRUCT_FOR_HOST(DiffResults);
MEMBER_FOR_HOST(DiffResults, offsets);
MEMBER_FOR_HOST(DiffResults, lines);
MEMBER_FOR_HOST(DiffResults, kind_lengths);
MEMBER_FOR_HOST(DiffResults, text_lengths);

constexpr int32 LINE_BYTES = sizeof(DiffLine);
FOR_HOST(LINE_BYTES);

namespace {

struct Text {
    const uint8* bytes;
    int32 length;

    __device__ __forceinline__ Text(const int32* offsets, const uint8* all, int64 row)
        : bytes(all + offsets[row]), length(offsets[row + 1] - offsets[row]) {}

    // Calls `found` for each line feed, with its position and its number. Returns the number of lines.
    template <typename Found>
    __device__ __forceinline__ int32 split(int32 lane, Found found) const {
        int32 lines = 0;
        for (int32 first = 0; first < length; first += 32) {
            int32 i = first + lane;
            bool ends = i < length && bytes[i] == '\n';
            uint32 all = __ballot_sync(~0u, ends);
            if (ends) {
                found(i, lines + __popc(all & ((1u << lane) - 1)));
            }
            lines += __popc(all);
        }
        return lines + (has_open_end() ? 1 : 0);
    }

    __device__ __forceinline__ bool has_open_end() const {
        return length > 0 && bytes[length - 1] != '\n';
    }
};

__device__ __forceinline__ int32 words_of(int32 columns) {
    return (columns + 31) / 32;
}

// Returns the size of a slot for texts with n and m lines.
__device__ __forceinline__ int64 bytes_of(int32 n, int32 m) {
    int64 lines = n + m;
    return sizeof(uint64) * lines + sizeof(int32) * (2 * lines + 2 + m + static_cast<int64>(n) * words_of(m));
}

}  // namespace

// Classifies the rows, with one warp per row, and counts the lines of their texts.
extern "C" __global__ void line_diff_classify(
        int32 rows, const uint32* validity, DiffCalls calls, int32* lines, Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    Text a(calls.a_offsets, calls.a_bytes, row);
    Text b(calls.b_offsets, calls.b_bytes, row);
    bool is_short = a.length <= MAX_BYTES && b.length <= MAX_BYTES;
    int32 n = is_short ? a.split(lane, [](int32, int32) {}) : 0;
    int32 m = is_short ? b.split(lane, [](int32, int32) {}) : 0;
    if (lane != 0) {
        return;
    }
    if (!is_short || n + m > MAX_LINES) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else {
        int32 size = static_cast<int32>((bytes_of(n, m) + SLOT_UNIT) / SLOT_UNIT);
        rows_of.put(row, __clz(size), size, static_cast<int64>(n) * m);
        lines[row] = n + m;
    }
}

namespace {

struct Match {
    int32 a;
    int32 b;
};

// The lines of two texts and their longest common subsequence. The arrays are in a slot.
struct Diff {
    Text a;
    Text b;
    int32 n;
    int32 m;
    uint64* hashes;
    Match* matches;  // the common lines, in the memory of the hashes
    int32* starts;   // the starts of the lines of both texts, each followed by the start of the line after the last
    int32* ids;      // the numbers of the lines; equal lines have equal numbers
    int32* lengths;  // the lengths of the longest common subsequences of b's prefixes and the lines of a so far
    uint32* skips;   // for each pair of lines: whether the line of a is skipped if they differ

    __device__ Diff(const DiffCalls& calls, int32 row)
        : a(calls.a_offsets, calls.a_bytes, row), b(calls.b_offsets, calls.b_bytes, row) {}

    // Divides the slot into the arrays, and finds the starts of all lines.
    __device__ __forceinline__ void split(uint8* slot, int32 lines, int32 lane) {
        hashes = reinterpret_cast<uint64*>(slot);
        matches = reinterpret_cast<Match*>(slot);
        starts = reinterpret_cast<int32*>(hashes + lines);
        ids = starts + lines + 2;
        lengths = ids + lines;
        n = split(a, starts, lane);
        m = split(b, starts + n + 1, lane);
        skips = reinterpret_cast<uint32*>(lengths + m);
        __syncwarp();
    }

    __device__ __forceinline__ static int32 split(const Text& text, int32* to, int32 lane) {
        int32 lines = text.split(lane, [to](int32 place, int32 line) { to[line + 1] = place + 1; });
        if (lane == 0) {
            to[0] = 0;
            if (text.has_open_end()) {
                to[lines] = text.length + 1;
            }
        }
        return lines;
    }

    // Returns the start of a line, given its number among all lines.
    __device__ __forceinline__ int32 start(int32 line) const {
        return starts[line < n ? line : line + 1];
    }

    // Returns the length of a line without its line feed.
    __device__ __forceinline__ int32 length(int32 line) const {
        return starts[line < n ? line + 1 : line + 2] - start(line) - 1;
    }

    __device__ __forceinline__ const uint8* text(int32 line) const {
        return (line < n ? a.bytes : b.bytes) + start(line);
    }

    __device__ __forceinline__ uint64 hash(int32 line) const {
        constexpr uint64 BASIS = 0xcbf29ce484222325ULL;
        constexpr uint64 PRIME = 0x100000001b3ULL;
        const uint8* bytes = text(line);
        uint64 result = BASIS;
        for (int32 i = 0; i < length(line); i++) {
            result = (result ^ bytes[i]) * PRIME;
        }
        return result;
    }

    __device__ __forceinline__ bool is_equal(int32 line, int32 other) const {
        bool same = length(line) == length(other);
        for (int32 i = 0; same && i < length(line); i++) {
            same = text(line)[i] == text(other)[i];
        }
        return same;
    }

    // Returns the first line from `first` on with the same hash as a line.
    __device__ __forceinline__ int32 find_hash(int32 first, int32 line) const {
        uint64 hash = hashes[line];
        while (hashes[first] != hash) {
            first++;
        }
        return first;
    }

    // Gives each line the number of the first line that is equal to it.
    __device__ __forceinline__ void number(int32 lane) const {
        for (int32 line = lane; line < n + m; line += 32) {
            hashes[line] = hash(line);
        }
        __syncwarp();
        for (int32 line = lane; line < n + m; line += 32) {
            int32 first = find_hash(0, line);
            // each lane first finds a line with the same hash, so that all lanes compare bytes at the same time
            while (first < line && !is_equal(first, line)) {
                first = find_hash(first + 1, line);
            }
            ids[line] = first;
        }
        __syncwarp();
    }

    // Computes the table row by row.
    __device__ __forceinline__ void fill(int32 lane) const {
        for (int32 j = lane; j < m; j += 32) {
            lengths[j] = 0;
        }
        for (int32 i = 0; i < n; i++) {
            int32 id = ids[i];
            int32 left_of_all = 0;
            int32 diagonal_of_all = 0;
            for (int32 first = 0; first < m; first += 32) {
                int32 j = first + lane;
                int32 above = j < m ? lengths[j] : 0;
                int32 diagonal = __shfl_up_sync(~0u, above, 1);
                diagonal = lane == 0 ? diagonal_of_all : diagonal;
                int32 length = j < m && ids[n + j] == id ? diagonal + 1 : above;
                length = max(length, left_of_all);
#pragma unroll
                for (int32 other = 1; other < 32; other *= 2) {
                    int32 before = __shfl_up_sync(~0u, length, other);
                    length = lane >= other ? max(length, before) : length;
                }
                int32 left = __shfl_up_sync(~0u, length, 1);
                left = lane == 0 ? left_of_all : left;
                uint32 skip = __ballot_sync(~0u, above >= left);
                if (lane == 0) {
                    skips[static_cast<int64>(i) * words_of(m) + first / 32] = skip;
                }
                if (j < m) {
                    lengths[j] = length;
                }
                left_of_all = __shfl_sync(~0u, length, 31);
                diagonal_of_all = __shfl_sync(~0u, above, 31);
            }
        }
        __syncwarp();
    }

    // Traces back from the ends of both texts. Returns the number of common lines.
    __device__ __forceinline__ int32 trace(int32 lane) const {
        int32 common = n > 0 && m > 0 ? lengths[m - 1] : 0;
        if (lane == 0) {
            int32 i = n - 1;
            int32 j = m - 1;
            for (int32 left = common; left > 0;) {
                if (ids[i] == ids[n + j]) {
                    matches[--left] = {i--, j--};
                } else if ((skips[static_cast<int64>(i) * words_of(m) + j / 32] >> j % 32 & 1) != 0) {
                    i--;
                } else {
                    j--;
                }
            }
        }
        __syncwarp();
        return common;
    }

    // Writes the lines of the result. Each lane writes the lines up to a common line.
    __device__ __forceinline__ void write(
            int32 common, const DiffCalls& calls, int32 row, DiffLine* lines, int32 lane) const {
        int32 from_a = calls.a_offsets[row];
        int32 from_b = calls.b_offsets[row];
        for (int32 k = lane; k <= common; k += 32) {
            Match begin = k == 0 ? Match{-1, -1} : matches[k - 1];
            Match end = k == common ? Match{n, m} : matches[k];
            DiffLine* to = lines + begin.a + 1 + begin.b + 1 - k;
            for (int32 i = begin.a + 1; i < end.a; i++) {
                *to++ = {i + 1, 0, from_a + start(i), length(i)};
            }
            for (int32 j = begin.b + 1; j < end.b; j++) {
                *to++ = {0, j + 1, from_b + start(n + j), length(n + j)};
            }
            if (k < common) {
                *to = {end.a + 1, end.b + 1, from_a + start(end.a), length(end.a)};
            }
        }
    }
};

}  // namespace

// Solves the rows of a group, which warps take in turn.
extern "C" __global__ void __launch_bounds__(32, 24) line_diff(
        Slots slots,
        DiffCalls calls,
        DiffAnswers answers) {
    int32 lane = threadIdx.x;
    uint8* slot = slots.of_block();
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        Diff diff(calls, row);
        diff.split(slot, answers.offsets[row + 1] - answers.offsets[row], lane);
        diff.number(lane);
        diff.fill(lane);
        int32 common = diff.trace(lane);
        diff.write(common, calls, row, answers.lines + answers.offsets[row], lane);
        if (lane == 0) {
            answers.counts[row] = diff.n + diff.m - common;
        }
    }
}

namespace {

// The lengths of the names of the kinds of lines.
constexpr int32 EQUAL_LENGTH = 5;
constexpr int32 CHANGE_LENGTH = 6;

__device__ __forceinline__ uint8 kind_of(const DiffLine& line, int32 i) {
    return line.a == 0 ? "insert"[i] : line.b == 0 ? "delete"[i] : "equal"[i];
}

__device__ __forceinline__ int32 kind_length(const DiffLine& line) {
    return line.a == 0 || line.b == 0 ? CHANGE_LENGTH : EQUAL_LENGTH;
}

}  // namespace

// Copies the lines of all rows next to each other, with one warp per row.
extern "C" __global__ void line_diff_lines(int32 rows, DiffAnswers answers, DiffResults results) {
    int64 row = thread_index() / 32;
    if (row >= rows) {
        return;
    }
    int32 to = results.offsets[row];
    int32 count = results.offsets[row + 1] - to;
    for (int32 i = threadIdx.x % 32; i < count; i += 32) {
        DiffLine line = answers.lines[answers.offsets[row] + i];
        results.lines[to + i] = line;
        results.kind_lengths[to + i] = kind_length(line);
        results.text_lengths[to + i] = line.length;
    }
}

// Writes the columns of the lines, with one thread per line; the threads of a warp copy the texts together.
extern "C" __global__ void line_diff_columns(
        int32 count,
        DiffCalls calls,
        const DiffLine* lines,
        const int32* kind_offsets,
        uint8* kinds,
        const int32* text_offsets,
        uint8* texts,
        int32* a_lines,
        uint32* a_validity,
        int32* b_lines,
        uint32* b_validity) {
    int64 index = thread_index();
    int32 lane = threadIdx.x % 32;
    DiffLine line = {0, 0, 0, 0};
    if (index < count) {
        line = lines[index];
        a_lines[index] = line.a;
        b_lines[index] = line.b;
        for (int32 i = 0; i < kind_length(line); i++) {
            kinds[kind_offsets[index] + i] = kind_of(line, i);
        }
    }
    uint32 in_a = __ballot_sync(~0u, line.a > 0);
    uint32 in_b = __ballot_sync(~0u, line.b > 0);
    if (lane == 0 && index < count) {
        a_validity[index / 32] = in_a;
        b_validity[index / 32] = in_b;
    }
    int32 to = index < count ? text_offsets[index] : 0;
    for (int32 other = 0; other < 32; other++) {
        bool is_in_a = (in_a >> other & 1) != 0;
        const uint8* from = (is_in_a ? calls.a_bytes : calls.b_bytes) + __shfl_sync(~0u, line.from, other);
        int32 length = __shfl_sync(~0u, line.length, other);
        uint8* target = texts + __shfl_sync(~0u, to, other);
        for (int32 i = lane; i < length; i += 32) {
            target[i] = from[i];
        }
    }
}
