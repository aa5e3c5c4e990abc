// Traces back through a table from its end, with one warp: dev.bellman.align.gap.GapCells.cigar.
#pragma once
#include "align/gap/gap_table.cuh"

namespace {

// The operations of a CIGAR; a run is encoded as its length times four plus its operation.
constexpr int32 EQUAL = 0;
constexpr int32 DIFFERENT = 1;
constexpr int32 LETTER_OF_A = 2;
constexpr int32 LETTER_OF_B = 3;

__device__ __forceinline__ int32 digits(int32 number) {
    int32 count = 1;
    for (; number >= 10; number /= 10) {
        count++;
    }
    return count;
}

// The runs, which are found from last to first, and the length of their text. The runs and the length are the same in
// all lanes.
class Runs {
public:
    int32 count = 0;
    int32 text = 0;

    __device__ Runs(int32* to, int32 lane) : to_(to), lane_(lane) {
    }

    __device__ void add(int32 operation, int32 length) {
        if (operation == operation_) {
            length_ += length;
            return;
        }
        end();
        operation_ = operation;
        length_ = length;
    }

    __device__ void end() {
        if (operation_ >= 0) {
            if (lane_ == 0) {
                to_[count] = length_ * 4 + operation_;
            }
            count++;
            text += digits(length_) + 1;
        }
    }

private:
    int32* to_;
    int32 lane_;
    int32 operation_ = -1;
    int32 length_ = 0;
};

// Returns the length of an optimal gap of letters of a that ends at this cell: the shortest one that follows a match or
// mismatch or, if there is none, the longest one.
template <typename Value>
__device__ int32 a_gap_length(const Table<Value>& table, int32 i, int32 j, Value score, int32 lane) {
    int32 longest = 0;
    for (int32 base = 0; base < i; base += 32) {
        int32 length = base + lane + 1;
        bool is_one = false;
        bool follows_pair = false;
        if (length <= i) {
            int32 p = i - length;
            Value before = __ldcg(table.before_a + table.at(p, j));
            is_one = before + table.a_gains[length + BEFORE_GAINS] == score;
            follows_pair = is_one && before == table.pair(p, j, p > 0 && j > 0 ? table.best(p - 1, j - 1) : 0);
        }
        uint32 pairs = __ballot_sync(~0u, follows_pair);
        if (pairs != 0) {
            return base + __ffs(pairs);
        }
        uint32 ones = __ballot_sync(~0u, is_one);
        longest = ones != 0 ? base + 32 - __clz(ones) : longest;
    }
    return longest;
}

// Returns the length of the shortest optimal gap of letters of b that ends at this cell.
template <typename Value>
__device__ int32 b_gap_length(const Table<Value>& table, int32 i, int32 j, Value score, int32 lane) {
    for (int32 base = 0; base < j; base += 32) {
        int32 length = base + lane + 1;
        bool is_one = length <= j
            && __ldcg(table.before_b + table.at(i, j - length)) + table.b_gains[length + BEFORE_GAINS] == score;
        uint32 ones = __ballot_sync(~0u, is_one);
        if (ones != 0) {
            return base + __ffs(ones);
        }
    }
    return j;
}

template <typename Value>
__device__ void walk(const Table<Value>& table, int32 lane, Runs& runs) {
    int32 i = table.a_letters;
    int32 j = table.b_letters;
    bool after_a = true;
    bool after_b = true;
    while (i > 0 || j > 0) {
        // consumes up to 32 matches and mismatches in a row; any gap may follow a match or mismatch
        int32 row = i - lane;
        int32 column = j - lane;
        bool inside = row > 0 && column > 0;
        Value before_a = inside && (after_a || lane > 0) ? __ldcg(table.before_a + table.at(row, column))
                : Scores<Value>::NONE;
        Value before_b = inside && (after_b || lane > 0) ? __ldcg(table.before_b + table.at(row, column))
                : Scores<Value>::NONE;
        bool is_pair = inside && larger(before_a, before_b) == table.pair(row, column, table.best(row - 1, column - 1));
        uint32 others = ~__ballot_sync(~0u, is_pair);
        uint32 equal = __ballot_sync(~0u, inside && table.a[row - 1] == table.b[column - 1]);
        int32 pairs = others == 0 ? 32 : __ffs(others) - 1;
        if (pairs > 0) {
            for (int32 k = 0; k < pairs; k++) {
                runs.add((equal >> k & 1) != 0 ? EQUAL : DIFFERENT, 1);
            }
            i -= pairs;
            j -= pairs;
            after_a = true;
            after_b = true;
            continue;
        }
        Value from_a = after_a ? __ldcg(table.before_a + table.at(i, j)) : Scores<Value>::NONE;
        Value from_b = after_b ? __ldcg(table.before_b + table.at(i, j)) : Scores<Value>::NONE;
        if (after_b && from_b >= from_a) {
            int32 length = a_gap_length(table, i, j, from_b, lane);
            runs.add(LETTER_OF_A, length);
            i -= length;
            after_a = true;
            after_b = false;
        } else {
            int32 length = b_gap_length(table, i, j, from_a, lane);
            runs.add(LETTER_OF_B, length);
            j -= length;
            after_a = false;
            after_b = true;
        }
    }
    runs.end();
}

}  // namespace
