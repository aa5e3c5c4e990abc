// Solves matrix chains, one warp per row, with a table of only those ranges that an optimal order may contain.
//
// A range (i, j) of a chain is an arc of the polygon whose vertices are the dimensions. Here, sides are arcs, too. The
// proofs use facts 1 to 5 of HuShing.java, of which 1, 4 and 5 hold for every optimal triangulation as stated.
// "Between" means between i and j. Let h be the smaller end of an arc.
//
// Possible arcs. By fact 4, an optimal triangulation contains an arc only if all vertices between are larger than h,
// or all vertices on the other side are, or the smallest vertices on both sides equal h. In the third case, h is the
// smallest vertex of the polygon. The table contains these arcs. A random chain of n vertices has about n log2(n) of
// them. An arc is near if all vertices between are larger than h, or if h is the smallest vertex of the polygon. The
// other arcs are far.
//
// Costs. The cost of an arc is the minimum over those of the splits below whose parts are possible arcs. If an optimal
// triangulation contains the arc, it may contain any optimal triangulation of the range, whose arcs are therefore
// possible. So the cost is the minimum over all splits, and the smallest optimal split is found. Other costs may be
// larger than this minimum, but are costs of some order. They are at most the largest dimension times the sum of the
// products of neighbours in the range, because one of the splits is next to the larger end of a near arc, or is the
// first smallest vertex of a far arc. So the bound in batch.cu holds.
//
// Splits of far arcs. By fact 5, a split is a running minimum from i or from j: no vertex between i and the split, or
// no vertex between the split and j, is smaller.
//
// Splits of near arcs. Let e be the smaller end, f the other end, and b the nearest vertex to f, between, that is
// smaller than f. The running minima from f are tried, up to b if there is such a vertex.
// - Let e < f, and let all vertices between be larger than e. If there is a b, then by fact 2, e is joined to the last
//   of the smallest vertices between, counted from e. The same holds in the polygon of e and the vertices from there
//   to f, and so on, so e is joined to b, and no split is beyond b. Otherwise, no split is beyond the last of the
//   smallest. A running minimum k from e that is not one from f has a smaller vertex between k and f, so the arc (k,
//   f) is possible only if all vertices between k and f are larger than f. Then b or the last of the smallest vertices
//   is between e and k, and smaller than k, which contradicts the choice of k.
// - Let e < f, where e is the smallest vertex of the polygon and some vertices between are equal to e. By fact 1, e is
//   joined to the last of these, and then to the last of the smallest vertices from there to f if it is smaller than
//   f. The rest is as above.
// - Let e = f. By fact 1, i is joined to the first of the smallest vertices between, so no split is before this
//   vertex. It is an optimal split: in an optimal triangulation, j can replace i in the triangles from this vertex to
//   the split.
//
// An arc belongs to its smaller end, and to the left one of equal ends. A row of the table contains the arcs that
// belong to an end and lie on one side of it. (The rows to the left of the smallest vertices also contain the arcs
// with equal ends.) The near arcs of a row have the distances j - i from 1 on, and its far arcs have the largest
// distances. First, all near arcs are computed in the order of their distances, because their parts are near, then the
// far arcs. Finally, the tree is found top down.
#include "chain/text.cuh"
#include "chain/tree.cuh"
#include "common/host.cuh"
#include "common/ticket.cuh"

namespace {

constexpr int MAX_ARCS = 0xffff;

// The rows of a launch; see dev.bellman.chain.matrix.ArcTable.
struct ArcBatch {
    const int32* order;
    int32 from;
    int32 to;
    int32* ticket;     // initially zero
    int32* left_over;  // the number of rows that have too many arcs, initially zero, followed by these rows
    int32 vertices;    // the maximum number of vertices
    int32 arcs;        // the maximum number of arcs
};

// A vertex and its two rows of the table. For each row, the lower half is the place before the row's first arc, and the
// upper half is the largest near distance.
struct alignas(16) ArcVertex {
    int32 factor;
    uint32 to_right;
    uint32 to_left;
    // the nearest vertex to the right with at most the same factor, or the number of vertices; and (upper half) 1 plus
    // the nearest such vertex to the left, or 0
    uint32 nearest;

    __device__ __forceinline__ int next() const {
        return nearest & 0xffff;
    }

    __device__ __forceinline__ int previous() const {
        return static_cast<int>(nearest >> 16) - 1;
    }
};

// The best split so far, and its cost.
template <typename Value>
struct ArcSplit {
    Value cost = sizeof(Value) == 4 ? static_cast<Value>(0x7fffffff) : static_cast<Value>(0x7fffffffffffffffLL);
    int vertex = NO_SPLIT;

    __device__ __forceinline__ void lower(Value other, int its_vertex) {
        vertex = other < cost ? its_vertex : other == cost ? min(vertex, its_vertex) : vertex;
        cost = min(cost, other);
    }
};

template <typename Value>
struct ArcTable {
    static constexpr uint32 NO_FAR = 0xffff;

    ArcVertex* vertex;
    Value* costs;        // the cost of each arc
    uint16* far;         // for each row, the smallest far distance, or NO_FAR
    uint16* active;      // the rows that have arcs at the current distance or at larger ones
    uint32* parentheses;
    int vertices;

    // Returns the place of an arc, or 0 if the arc is not possible.
    __device__ __forceinline__ int place(int i, int j, const ArcVertex& left, const ArcVertex& right) const {
        bool rightwards = left.factor <= right.factor;
        uint32 its = rightwards ? left.to_right : right.to_left;
        int nearest = its >> 16;
        int first = its & 0xffff;
        if (j - i <= nearest) {
            return first + j - i;
        }
        int from = far[rightwards ? i : vertices + j];
        return j - i >= from ? first + nearest + 1 + j - i - from : 0;
    }

    // Finds the nearest vertices with at most the same factor.
    __device__ __forceinline__ void find_nearest(int lane) const {
        int blocks = (vertices + 31) / 32;
        for (int block = blocks - 1; block >= 0; block--) {
            int k = block * 32 + lane;
            if (k < vertices) {
                int32 own = vertex[k].factor;
                int at = k + 1;
                while (at < vertices && vertex[at].factor > own) {
                    at = at < block * 32 + 32 ? at + 1 : vertex[at].next();
                }
                vertex[k].nearest = at;
            }
            __syncwarp();
        }
        for (int block = 0; block < blocks; block++) {
            int k = block * 32 + lane;
            if (k < vertices) {
                int32 own = vertex[k].factor;
                int at = k - 1;
                while (at >= 0 && vertex[at].factor > own) {
                    at = at >= block * 32 ? at - 1 : vertex[at].previous();
                }
                vertex[k].nearest |= static_cast<uint32>(at + 1) << 16;
            }
            __syncwarp();
        }
    }

    // Lays out the rows, and returns the number of arcs.
    __device__ __forceinline__ int lay_out(int lane, int32 smallest) const {
        int total = 0;
        for (int from = 0; from < 2 * vertices; from += 32) {
            int row = from + lane;
            bool rightwards = row < vertices;
            int own = rightwards ? row : row - vertices;
            int nearest = 0;
            int longest = 0;
            int beyond = NO_FAR;
            if (row < 2 * vertices) {
                int32 factor = vertex[own].factor;
                int right = vertex[own].next();
                int left = vertex[own].previous();
                longest = rightwards ? vertices - 1 - own : own;
                if (factor == smallest) {
                    nearest = longest;
                } else if (rightwards) {
                    nearest = right - own - (right < vertices && vertex[right].factor == factor ? 0 : 1);
                    if (left < 0 && right < vertices) {
                        int last = vertices - 1;
                        while (vertex[last].factor > factor) {
                            last = vertex[last].previous();
                        }
                        beyond = max(nearest + 1, last - own + (vertex[last].factor == factor ? 0 : 1));
                    }
                } else {
                    nearest = own - left - 1;
                    if (right == vertices && left >= 0) {
                        int first = 0;
                        while (vertex[first].factor > factor) {
                            first = vertex[first].next();
                        }
                        beyond = max(nearest + 1, own - first + 1);
                    }
                }
                beyond = beyond > longest ? static_cast<int>(NO_FAR) : beyond;
            }
            int arcs = nearest + (beyond == NO_FAR ? 0 : longest - beyond + 1);
            int end = sum_up_to_lane(arcs);
            if (row < 2 * vertices) {
                uint32 first = min(total + end - arcs, MAX_ARCS);
                uint32 its = first | static_cast<uint32>(nearest) << 16;
                (rightwards ? vertex[own].to_right : vertex[own].to_left) = its;
                far[row] = beyond;
            }
            total += __shfl_sync(0xffffffff, end, 31);
        }
        return total;
    }

    // Returns the split of a near arc (i, j). It belongs to `end`, which is i if `rightwards` and otherwise j.
    __device__ __forceinline__ ArcSplit<Value> split_near(
            int i, int j, const ArcVertex& end, const ArcVertex& other_end, bool rightwards) const {
        ArcSplit<Value> best;
        Value both = static_cast<Value>(end.factor) * other_end.factor;
        int32 larger = other_end.factor;
        // the costs of the parts at each end
        const Value* own = costs + static_cast<int>((rightwards ? end.to_right : end.to_left) & 0xffff)
                + (rightwards ? -i : j);
        uint32 other = rightwards ? other_end.to_left : other_end.to_right;
        int k = rightwards ? j - 1 : i + 1;
        ArcVertex middle = vertex[k];
        while (true) {
            int next = rightwards ? middle.previous() : middle.next();
            bool is_last = middle.factor < larger || next <= i || next >= j;
            ArcVertex following = vertex[is_last ? k : next];
            int distance = rightwards ? j - k : k - i;
            bool is_smaller = rightwards ? middle.factor <= larger : middle.factor < larger;
            uint32 its = is_smaller ? (rightwards ? middle.to_right : middle.to_left) : other;
            if (distance <= static_cast<int>(its >> 16)) {
                best.lower(own[rightwards ? k : -k] + costs[(its & 0xffff) + distance] + both * middle.factor, k);
            }
            if (is_last) {
                break;
            }
            k = next;
            middle = following;
        }
        return best;
    }

    // Lowers `best` to the splits of a far arc among the running minima from one end.
    __device__ __forceinline__ void split_far(
            int i, int j, const ArcVertex& left, const ArcVertex& right, bool backwards, ArcSplit<Value>& best) const {
        Value both = static_cast<Value>(left.factor) * right.factor;
        int k = backwards ? j - 1 : i + 1;
        while (k > i && k < j) {
            ArcVertex middle = vertex[k];
            int first = place(i, k, left, middle);
            int second = place(k, j, middle, right);
            if (first != 0 && second != 0) {
                best.lower(costs[first] + costs[second] + both * middle.factor, k);
            }
            k = backwards ? middle.previous() : middle.next();
        }
    }

    __device__ __forceinline__ uint32 row_of(int own, bool rightwards) const {
        return rightwards ? vertex[own].to_right : vertex[own].to_left;
    }

    // Computes the cost of the near arc at a distance in a row.
    __device__ __forceinline__ void fill(int own, const ArcVertex& its, bool rightwards, int distance) const {
        int i = rightwards ? own : own - distance;
        int j = i + distance;
        ArcVertex other = vertex[rightwards ? j : i];
        uint32 row = rightwards ? its.to_right : its.to_left;
        costs[(row & 0xffff) + distance] = split_near(i, j, its, other, rightwards).cost;
    }

    // Computes the costs of the near arcs.
    __device__ __forceinline__ void fill_near(int lane) const {
        int count = 2 * vertices;
        for (int row = lane; row < count; row += 32) {
            active[row] = row;
            uint32 its = row_of(row < vertices ? row : row - vertices, row < vertices);
            if (its >> 16 > 0) {
                costs[(its & 0xffff) + 1] = 0;
            }
        }
        __syncwarp();
        int distance = 2;
        for (; count > 32; distance++) {
            int kept = 0;
            for (int from = 0; from < count; from += 32) {
                int index = from + lane;
                bool stays = index < count;
                int row = stays ? active[index] : 0;
                bool rightwards = row < vertices;
                int own = rightwards ? row : row - vertices;
                stays = stays && distance <= static_cast<int>(row_of(own, rightwards) >> 16);
                uint32 staying = __ballot_sync(0xffffffff, stays);
                __syncwarp();
                if (stays) {
                    active[kept + __popc(staying & ((1u << lane) - 1))] = row;
                    fill(own, vertex[own], rightwards, distance);
                }
                kept += __popc(staying);
            }
            count = kept;
            __syncwarp();
        }
        // each lane finishes one row
        int row = lane < count ? active[lane] : 0;
        bool rightwards = row < vertices;
        int own = rightwards ? row : row - vertices;
        ArcVertex its = vertex[own];
        int longest = lane < count ? (rightwards ? its.to_right : its.to_left) >> 16 : 0;
        int end = max_of_lanes<32>(longest);
        for (; distance <= end; distance++) {
            if (distance <= longest) {
                fill(own, its, rightwards, distance);
            }
            __syncwarp();
        }
    }

    // Computes the costs of the far arcs, after those of the near arcs. Two lanes compute an arc.
    __device__ __forceinline__ void fill_far(int lane) const {
        int count = 0;
        int least = vertices;
        for (int from = 0; from < 2 * vertices; from += 32) {
            int row = from + lane;
            int its = row < 2 * vertices ? far[row] : static_cast<int>(NO_FAR);
            uint32 found = __ballot_sync(0xffffffff, its != NO_FAR);
            if (its != NO_FAR) {
                active[count + __popc(found & ((1u << lane) - 1))] = row;
                least = min(least, its);
            }
            count += __popc(found);
        }
        least = min_of_warp(least);
        __syncwarp();
        for (int distance = least; count > 0 && distance < vertices; distance++) {
            for (int from = 0; from < count; from += 16) {
                int index = from + lane / 2;
                int row = index < count ? active[index] : 0;
                bool rightwards = row < vertices;
                int i = rightwards ? row : row - vertices - distance;
                int j = i + distance;
                bool solves = index < count && i >= 0 && j < vertices && distance >= far[row];
                ArcSplit<Value> best;
                int at = 0;
                if (solves) {
                    ArcVertex left = vertex[i];
                    ArcVertex right = vertex[j];
                    at = place(i, j, left, right);
                    split_far(i, j, left, right, lane % 2 != 0, best);
                }
                Value other = __shfl_xor_sync(0xffffffff, best.cost, 1);
                if (solves && lane % 2 == 0) {
                    costs[at] = min(best.cost, other);
                }
            }
            __syncwarp();
        }
    }

    // Returns the smallest optimal split of an arc.
    __device__ __forceinline__ int split(int i, int j) const {
        ArcVertex left = vertex[i];
        ArcVertex right = vertex[j];
        bool rightwards = left.factor <= right.factor;
        ArcSplit<Value> best;
        if (j - i <= static_cast<int>((rightwards ? left.to_right : right.to_left) >> 16)) {
            best = rightwards ? split_near(i, j, left, right, true) : split_near(i, j, right, left, false);
        } else {
            split_far(i, j, left, right, false, best);
            split_far(i, j, left, right, true, best);
        }
        return best.vertex;
    }

    // Finds the tree level by level. A node in the queue consists of its range and of its index in preorder. The queue
    // reuses the memory of `active`.
    __device__ __forceinline__ void find_tree(int lane, int32* to, int32* tail) const {
        constexpr int BITS = 10;  // an index below the number of vertices; dev.bellman.chain.matrix.ArcTable
        constexpr uint32 MASK = (1 << BITS) - 1;
        uint32* queue = reinterpret_cast<uint32*>(active);
        for (int i = lane; i < vertices; i += 32) {
            parentheses[i] = 0;
        }
        if (lane == 0) {
            queue[0] = static_cast<uint32>(vertices - 1) << BITS;
            *tail = vertices > 2 ? 1 : 0;
        }
        __syncwarp();
        int begin = 0;
        while (true) {
            int end = *static_cast<volatile int32*>(tail);
            __syncwarp();
            if (begin == end) {
                return;
            }
            for (int node = begin + lane; node < end; node += 32) {
                int i = queue[node] & MASK;
                int j = queue[node] >> BITS & MASK;
                int index = queue[node] >> 2 * BITS;
                int k = split(i, j);
                if (to != nullptr) {
                    to[index] = k;
                }
                atomicAdd(parentheses + i, 1u);
                atomicAdd(parentheses + j, 0x10000u);
                int children = (k - i > 1 ? 1 : 0) + (j - k > 1 ? 1 : 0);
                int at = children == 0 ? 0 : atomicAdd(tail, children);
                if (k - i > 1) {
                    queue[at++] = i | k << BITS | (index + 1) << 2 * BITS;
                }
                if (j - k > 1) {
                    queue[at] = k | j << BITS | (index + k - i) << 2 * BITS;
                }
            }
            begin = end;
            __syncwarp();
        }
    }
};

template <typename Value>
__device__ __forceinline__ void solve_arcs(
        const ArcBatch& batch, const int32* offsets, const int64* dims, const Answers& answers) {
    extern __shared__ __align__(16) uint8 shared[];
    __shared__ int32 tail;
    int lane = threadIdx.x;
    ArcTable<Value> table;
    table.vertex = reinterpret_cast<ArcVertex*>(shared);
    table.costs = reinterpret_cast<Value*>(table.vertex + batch.vertices);
    table.parentheses = reinterpret_cast<uint32*>(table.costs + batch.arcs + 1);
    table.active = reinterpret_cast<uint16*>(table.parentheses + batch.vertices);
    table.far = table.active + 2 * batch.vertices;
    while (true) {
        int position = batch.from + take(batch.ticket, 0);
        if (position >= batch.to) {
            return;
        }
        int row = batch.order[position];
        int begin = offsets[row];
        table.vertices = offsets[row + 1] - begin;
        int32 smallest = 0x7fffffff;
        for (int i = lane; i < table.vertices; i += 32) {
            int32 factor = static_cast<int32>(dims[begin + i]);
            table.vertex[i].factor = factor;
            smallest = min(smallest, factor);
        }
        smallest = min_of_warp(smallest);
        __syncwarp();
        table.find_nearest(lane);
        int arcs = table.lay_out(lane, smallest);
        if (arcs > batch.arcs) {
            if (lane == 0) {
                batch.left_over[1 + atomicAdd(batch.left_over, 1)] = row;
            }
            continue;
        }
        __syncwarp();
        table.fill_near(lane);
        table.fill_far(lane);
        if (lane == 0) {
            int last = table.vertices - 1;
            answers.costs[row] = table.costs[table.place(0, last, table.vertex[0], table.vertex[last])];
        }
        __syncwarp();
        table.find_tree(lane, answers.splits == nullptr ? nullptr : answers.splits + answers.split_offsets[row], &tail);
        if (answers.text != nullptr) {
            write_text(table.vertices, table.parentheses, answers.text + answers.text_offsets[row], lane);
        }
    }
}

}  // namespace

constexpr int32 ARC_VERTEX_BYTES = sizeof(ArcVertex) + 2 * sizeof(uint32) + 2 * sizeof(uint16);
FOR_HOST(ARC_VERTEX_BYTES);
STRUCT_FOR_HOST(ArcBatch);
MEMBER_FOR_HOST(ArcBatch, order);
MEMBER_FOR_HOST(ArcBatch, from);
MEMBER_FOR_HOST(ArcBatch, to);
MEMBER_FOR_HOST(ArcBatch, ticket);
MEMBER_FOR_HOST(ArcBatch, left_over);
MEMBER_FOR_HOST(ArcBatch, vertices);
MEMBER_FOR_HOST(ArcBatch, arcs);

#define ARCS(name, value)                                                                             \
    extern "C" __global__ void __launch_bounds__(32) name##_arcs(                                     \
            ArcBatch batch, const int32* offsets, const int64* dims, Answers answers) {               \
        solve_arcs<value>(batch, offsets, dims, answers);                                             \
    }

ARCS(chain_int32, int32)
ARCS(chain_int64, int64)
