// Computes the triangles of a polygon from the splits of its chain.
//
// The splits form a search tree over the inner vertices in preorder: each inner vertex is a split exactly once, and the
// left subtree of a split consists of smaller vertices. Therefore, the other corners of a split's triangle are the
// nearest vertices on both sides that come earlier in preorder. If there is no such vertex on one side, that corner is
// the first or the last vertex of the polygon, respectively.
#include "common/columns.cuh"

// Uses one warp per row.
//
// - splits: the numbers from 1 to the number of splits, in preorder
// - positions: scratch, an int32 for each split
// - a, b, c: the corners of each split's triangle, a < b < c, in the order of the splits
extern "C" __global__ void chain_triangles(
        int32 rows,
        const int32* split_offsets,
        const int32* splits,
        int32* positions,
        int32* a,
        int32* b,
        int32* c) {
    int64 row = thread_index() / 32;
    int lane = threadIdx.x & 31;
    if (row >= rows) {
        return;
    }
    int begin = split_offsets[row];
    int count = split_offsets[row + 1] - begin;
    splits += begin;
    positions += begin;
    a += begin;
    b += begin;
    c += begin;
    for (int i = lane; i < count; i += 32) {
        b[i] = splits[i];
        positions[splits[i] - 1] = i;
    }
    __syncwarp();
    // processes 32 vertices at a time, and searches towards those already solved; vertex v is at index v - 1
    for (int first = (count - 1) / 32 * 32; first >= 0; first -= 32) {
        int index = first + lane;
        if (index < count) {
            int own = positions[index];
            int at = index + 1;
            while (at < count && positions[at] > own) {
                at = at < first + 32 ? at + 1 : c[positions[at]] - 1;
            }
            c[own] = at + 1;
        }
        __syncwarp();
    }
    for (int first = 0; first < count; first += 32) {
        int index = first + lane;
        if (index < count) {
            int own = positions[index];
            int at = index - 1;
            while (at >= 0 && positions[at] > own) {
                at = at >= first ? at - 1 : a[positions[at]] - 1;
            }
            a[own] = at + 1;
        }
        __syncwarp();
    }
}
