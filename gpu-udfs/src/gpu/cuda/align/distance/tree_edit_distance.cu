// Computes distances between trees, with one block per row: dev.bellman.align.distance.TreeEditDistance.
#include "align/distance/tree_solver.cuh"

#include "columns/instances.cuh"
#include "columns/slots.cuh"
#include "common/host.cuh"

STRUCT_FOR_HOST(TreeCalls);
MEMBER_FOR_HOST(TreeCalls, a_offsets);
MEMBER_FOR_HOST(TreeCalls, a_bytes);
MEMBER_FOR_HOST(TreeCalls, b_offsets);
MEMBER_FOR_HOST(TreeCalls, b_bytes);
MEMBER_FOR_HOST(TreeCalls, inserts);
MEMBER_FOR_HOST(TreeCalls, deletes);
MEMBER_FOR_HOST(TreeCalls, renames);
MEMBER_FOR_HOST(TreeCalls, formats);
STRUCT_FOR_HOST(ParsedTrees);
MEMBER_FOR_HOST(ParsedTrees, shapes);
MEMBER_FOR_HOST(ParsedTrees, a_nodes);
MEMBER_FOR_HOST(ParsedTrees, b_nodes);

constexpr int32 SHAPE_BYTES = sizeof(TreeShape);
constexpr int32 NODE_BYTES = sizeof(TreeNode);
FOR_HOST(SHAPE_BYTES);
FOR_HOST(NODE_BYTES);
FOR_HOST(JSON_EXPANSION);
FOR_HOST(BRACKETS_FORMAT);
FOR_HOST(JSON_FORMAT);

namespace {

__device__ __forceinline__ TreeCosts costs_of(const TreeCalls& calls, int64 row) {
    return {calls.inserts == nullptr ? 1 : calls.inserts[row],
            calls.deletes == nullptr ? 1 : calls.deletes[row],
            calls.renames == nullptr ? 1 : calls.renames[row]};
}

}  // namespace

// Copies strings in bracket notation, and converts JSON values to bracket notation, with two threads per row. Adds
// blanks, which do not change the tree. The nodes' memory, which is not used yet, has space for the kinds of the open
// values.
extern "C" __global__ void tree_edit_distance_convert(
        int32 rows, const uint32* validity, TreeCalls given, const int32* formats, ParsedTrees trees, uint8* a_bytes,
        uint8* b_bytes) {
    int64 row = thread_index() / 2;
    bool is_b = thread_index() % 2 != 0;
    if (row >= rows || !is_valid(validity, row)) {
        return;
    }
    TreeText text(given, is_b, row);
    if (text.length > MAX_TREE_BYTES / JSON_EXPANSION) {
        return;
    }
    int32 length = static_cast<int32>(text.length);
    uint8* out = (is_b ? b_bytes : a_bytes) + JSON_EXPANSION * text.begin;
    int32 written = 0;
    if (formats[row] == JSON_FORMAT) {
        TreeNode* nodes = (is_b ? trees.b_nodes : trees.a_nodes) + JSON_EXPANSION * text.begin / 2;
        written = JsonConverter(text.bytes, length, out, reinterpret_cast<uint8*>(nodes)).convert();
    } else {
        for (; written < length; written++) {
            out[written] = text.bytes[written];
        }
    }
    for (; written < JSON_EXPANSION * length; written++) {
        out[written] = ' ';
    }
}

// Parses the trees and classifies the rows, with two threads per row.
extern "C" __global__ void tree_edit_distance_classify(
        int32 rows, const uint32* validity, TreeCalls calls, ParsedTrees trees, Classified rows_of) {
    int64 row = thread_index() / 2;
    bool is_b = thread_index() % 2 != 0;
    bool has_row = row < rows && is_valid(validity, row);
    TreeShape shape = {TREE_INVALID, 0, {0, 0}, {0, 0}};
    if (has_row) {
        TreeText text(calls, is_b, row);
        TreeNode* nodes = text.nodes(is_b ? trees.b_nodes : trees.a_nodes);
        bool has_format = calls.formats == nullptr || calls.formats[row] >= 0;
        if (!has_format || text.length > MAX_TREE_BYTES) {
            shape.state = TREE_ON_CPU;
        } else {
            shape = TreeParser(text.bytes, static_cast<int32>(text.length), nodes).parse();
        }
        trees.shapes[2 * row + (is_b ? 1 : 0)] = shape;
    }
    __syncwarp();
    if (row >= rows || is_b) {
        return;
    }
    if (!has_row) {
        rows_of.put(row, NULL_ROW, 0, 0);
        return;
    }
    TreeCosts costs = costs_of(calls, row);
    const TreeShape& other = trees.shapes[2 * row + 1];
    if (shape.state == TREE_ON_CPU || other.state == TREE_ON_CPU) {
        rows_of.put(row, ON_CPU, 0, 0);
    } else if (!costs.are_valid() || shape.state == TREE_INVALID || other.state == TREE_INVALID) {
        rows_of.put(row, REJECTED, 0, 0);
    } else {
        TreePair pair(shape, other);
        TreeGains gains(costs);
        int32 form = pair.form(gains);
        int64 size = pair.bytes(form) / SLOT_UNIT + 1;
        bool fits = pair.cells() <= MAX_CELLS && size <= MAX_SIZE;
        rows_of.put(
                row,
                fits ? class_of(form, static_cast<int32>(size)) : ON_CPU,
                fits ? static_cast<int32>(size) : 0,
                fits ? pair.cells() : 0);
    }
}

namespace {

template <typename Value, int32 CELLS>
__device__ __forceinline__ void solve(
        int32 row, const TreeCalls& calls, const ParsedTrees& trees, int64* distances, uint8* slot) {
    TreeRow tree_row(calls, trees, row);
    TreeCosts costs = costs_of(calls, row);
    TreeGains gains(costs);
    uint64 savings = TreeSolver<Value, CELLS>(tree_row, gains, slot).solve();
    if (threadIdx.x == 0) {
        distances[row] = costs.without_mapping(trees.shapes[2 * row].nodes, trees.shapes[2 * row + 1].nodes)
                - static_cast<int64>(savings * gains.unit);
    }
}

template <typename Value>
__device__ __forceinline__ void solve_all(
        const Slots& slots, const TreeCalls& calls, const ParsedTrees& trees, int64* distances) {
    uint8* slot = slots.of_block();
    for (int32 i = slots.next(); i < slots.to; i = slots.next()) {
        int32 row = slots.order[i];
        solve<Value, LARGE_CELLS>(row, calls, trees, distances, slot);
    }
}

}  // namespace

// Solves the rows from order[from] on in shared memory, with one warp per row.
extern "C" __global__ void __launch_bounds__(32, 32) tree_edit_distance_small(
        const int32* order, int32 from, TreeCalls calls, ParsedTrees trees, int64* distances) {
    extern __shared__ __align__(16) uint8 tree_slot[];
    solve<uint16, 1>(order[from + static_cast<int32>(blockIdx.x)], calls, trees, distances, tree_slot);
}

// Solves the rows of a group, which blocks take in turn, with savings up to 65535.
extern "C" __global__ void __launch_bounds__(BLOCK, 2) tree_edit_distance_narrow(
        Slots slots, TreeCalls calls, ParsedTrees trees, int64* distances) {
    solve_all<uint16>(slots, calls, trees, distances);
}

// Solves the rows of a group, which blocks take in turn, with savings of 64 bits.
extern "C" __global__ void __launch_bounds__(BLOCK, 2) tree_edit_distance_wide(
        Slots slots, TreeCalls calls, ParsedTrees trees, int64* distances) {
    solve_all<uint64>(slots, calls, trees, distances);
}
