// The tiles, in the order in which blocks take them. A block must request positions in ascending order.
//
// A patch consists of the tiles of ROUNDS rounds in WIDTH columns to the right of the diagonal, or of the mirror image
// of these tiles below the diagonal. Blocks that work at the same time share the tiles of L that a patch row needs, and
// the tiles of U that a patch column needs, so most of these tiles are read into the L2 cache only once. Patches to the
// right of the diagonal and patches below it alternate. After the first two patches come the tiles of the next rounds
// that are both in the columns of the patch to the right and in the rows of the patch below.
#pragma once
#include "linear/elimination.cuh"

namespace {

constexpr int32 ROUNDS = 2;
constexpr int32 WIDTH = 33;

class Order {
public:
    __device__ Order(int32 down, int32 across) :
        down_(down), across_(across), begin_(height() * height()) {
    }

    __device__ __forceinline__ void find(int32 index, int32& i, int32& j) {
        if (first_ == 0 && index < begin_) {
            i = index / height();
            j = index % height();
            return;
        }
        while (index - begin_ >= size()) {
            begin_ += size();
            first_ += ROUNDS;
        }
        int32 at = index - begin_;
        int32 rest = first_ + height();
        int32 right = across_ - rest;
        int32 below = down_ - rest;
        int32 next = min(ROUNDS, below);
        int32 pair = height() * (min(WIDTH, right) + min(WIDTH, below));
        if (at >= pair && at < pair + next * next) {
            i = rest + (at - pair) / next;
            j = rest + (at - pair) % next;
            return;
        }
        at -= at >= pair ? next * next : 0;
        int32 patch = at / (2 * height() * WIDTH) * WIDTH;
        at %= 2 * height() * WIDTH;
        int32 width = min(WIDTH, right - patch);
        if (at < height() * width) {
            i = first_ + at / width;
            j = rest + patch + at % width;
        } else {
            at -= height() * width;
            width = min(WIDTH, below - patch);
            i = rest + patch + at % width;
            j = first_ + at / width;
        }
    }

private:
    int32 down_;
    int32 across_;
    int32 first_ = 0;  // the first of the rounds that are processed together
    int32 begin_;

    // Returns the number of rounds that are processed together.
    __device__ __forceinline__ int32 height() const {
        return min(ROUNDS, down_ - first_);
    }

    __device__ __forceinline__ int32 size() const {
        int32 rest = first_ + height();
        int32 next = min(ROUNDS, down_ - rest);
        return height() * (across_ - rest + down_ - rest) + next * next;
    }
};

}  // namespace
