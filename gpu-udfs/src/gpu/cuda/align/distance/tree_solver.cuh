// Fills the tables for the distance between two trees, with one block per pair.
//
// Instead of distances, the tables contain savings: the costs of deleting and inserting all nodes of two forests, less
// their distance. Savings never decrease from left to right or from top to bottom, and are 0 for empty forests:
//
//   s(..i, ..j) = max(s(..i - 1, ..j), s(..i, ..j - 1), s(..left(i) - 1, ..left(j) - 1) + tree(i, j))
//
// where tree(i, j) are the savings of two subtrees. If both subtrees begin where the table begins, the last term is the
// savings of the subtrees without their roots, plus the gain of mapping one root to the other. So a row of a table is
// the running maximum of values that depend only on the rows above it and on smaller subtrees.
//
// The tables of all pairs of key roots are computed as one: its columns are the nodes in the subtrees of all key roots
// of one tree, key root after key root, and its rows those of the other tree. The deepest key roots come first, because
// subtrees must be known before the tables that contain them. For the tree {r{x{y}}{z}}, whose nodes have the numbers
// y 0, x 1, z 2, r 3 and whose key roots are r and z, the columns are 2 | 0 1 2 3: z is in the tables of both.
//
// Each warp computes one row at a time, and stays at least one chunk of columns behind the row above. Few rows are
// needed later: the row above, and the rows before the subtrees that have begun and not ended. The others are
// overwritten.
#pragma once

#include "align/distance/json.cuh"
#include "align/distance/tree_tables.cuh"

#include "common/columns.cuh"

// The numbers of the formats; rows with a negative number are solved by the CPU.
constexpr int32 BRACKETS_FORMAT = 0;
constexpr int32 JSON_FORMAT = 1;

struct TreeCalls {
    const int32* a_offsets;
    const uint8* a_bytes;
    const int32* b_offsets;
    const uint8* b_bytes;
    const int32* inserts;  // the costs of inserting a node; like the other costs, null if omitted
    const int32* deletes;
    const int32* renames;
    const int32* formats;  // null if all trees are given in bracket notation

    // Returns the space for each byte of a string as it was given, to which the offsets refer.
    __device__ __forceinline__ int64 expansion() const {
        return formats == nullptr ? 1 : JSON_EXPANSION;
    }
};

// The parsed trees.
struct ParsedTrees {
    TreeShape* shapes;  // two shapes for each row
    TreeNode* a_nodes;
    TreeNode* b_nodes;
};

// The text of a row's tree, and the place of its nodes, which begin at half the text's position.
struct TreeText {
    int64 begin;
    int64 length;
    const uint8* bytes;

    __device__ __forceinline__ TreeText(const TreeCalls& calls, bool is_b, int64 row) {
        const int32* offsets = is_b ? calls.b_offsets : calls.a_offsets;
        begin = calls.expansion() * offsets[row];
        length = calls.expansion() * offsets[row + 1] - begin;
        bytes = (is_b ? calls.b_bytes : calls.a_bytes) + begin;
    }

    __device__ __forceinline__ TreeNode* nodes(TreeNode* all) const {
        return all + begin / 2;
    }
};

// The trees of a row.
struct TreeRow {
    TreePair pair;
    TreeText a;
    TreeText b;
    const TreeNode* a_nodes;
    const TreeNode* b_nodes;

    __device__ TreeRow(const TreeCalls& calls, const ParsedTrees& trees, int64 row)
        : pair(trees.shapes[2 * row], trees.shapes[2 * row + 1]),
          a(calls, false, row),
          b(calls, true, row),
          a_nodes(a.nodes(trees.a_nodes)),
          b_nodes(b.nodes(trees.b_nodes)) {
        if (pair.is_swapped) {
            swap(a, b);
            swap(a_nodes, b_nodes);
        }
    }

    template <typename Value>
    __device__ __forceinline__ static void swap(Value& value, Value& other) {
        Value before = value;
        value = other;
        other = before;
    }

    // The nodes of both trees are numbered together: first those of the rows, then those of the columns.
    __device__ __forceinline__ const TreeNode& node(int32 v) const {
        return v < pair.rows.nodes ? a_nodes[v] : b_nodes[v - pair.rows.nodes];
    }

    // Returns a node's place among all nodes.
    __device__ __forceinline__ int32 place(int32 v) const {
        int32 first = v < pair.rows.nodes ? 0 : pair.rows.nodes;
        int32 count = v < pair.rows.nodes ? pair.rows.nodes : pair.columns.nodes;
        return first + (pair.is_mirrored ? count - 1 - (v - first) : node(v).place());
    }

    __device__ __forceinline__ bool is_key_root(int32 v) const {
        bool is_root = v == 0 || v == pair.rows.nodes;
        return is_root || (pair.is_mirrored ? !node(v).is_last() : node(v - 1).size() == 1);
    }

    __device__ __forceinline__ uint32 hash(int32 v) const {
        constexpr uint32 BASIS = 0x811c9dc5;
        constexpr uint32 PRIME = 0x01000193;
        const TreeText& text = v < pair.rows.nodes ? a : b;
        int32 length = static_cast<int32>(text.length);
        uint32 result = BASIS;
        read_label(text.bytes, node(v).label, length, [&](uint8 byte) { result = (result ^ byte) * PRIME; });
        return result;
    }

    __device__ __forceinline__ bool is_equal(int32 v, int32 other) const {
        const uint8* left = (v < pair.rows.nodes ? a : b).bytes + node(v).label;
        const uint8* right = (other < pair.rows.nodes ? a : b).bytes + node(other).label;
        for (;; left++, right++) {
            // labels end before a bracket without a backslash
            bool left_ends = *left == '{' || *left == '}';
            bool right_ends = *right == '{' || *right == '}';
            if (left_ends || right_ends) {
                return left_ends && right_ends;
            }
            left += *left == '\\' ? 1 : 0;
            right += *right == '\\' ? 1 : 0;
            if (*left != *right) {
                return false;
            }
        }
    }
};

// Solves a pair of trees in a slot. A warp computes 32 * CELLS columns at a time.
template <typename Value, int32 CELLS>
class TreeSolver {
public:
    __device__ TreeSolver(const TreeRow& row, const TreeGains& gains, uint8* slot)
        : row_(row),
          gains_(gains),
          tables_(row.pair.layout(sizeof(Value), 32 * CELLS, blockDim.x / 32), slot),
          lane_(threadIdx.x % 32),
          warp_(threadIdx.x / 32),
          warps_(blockDim.x / 32) {}

    // Returns the savings of the whole trees.
    __device__ __forceinline__ uint64 solve() {
        prepare();
        int32 chunks = tables_.width / (32 * CELLS);
        int32 period = max(chunks, warps_);
        int32 rounds = (row_.pair.rows.work + warps_ - 1) / warps_;
        int32 chunk = -warp_;
        int32 at = warp_;
        Row row = {};
        int64 steps = static_cast<int64>(rounds) * period + warps_ - 1;
        for (int64 step = 0; step < steps; step++) {
            if (chunk >= 0 && chunk < chunks && at < row_.pair.rows.work) {
                if (chunk == 0) {
                    row = start(at);
                }
                fill(row, chunk * 32 * CELLS + lane_ * CELLS);
            }
            sync();
            chunk++;
            if (chunk == period) {
                chunk = 0;
                at += warps_;
            }
        }
        return tables_.subtrees[static_cast<int64>(row_.pair.rows.nodes) * row_.pair.columns.nodes - 1];
    }

private:
    using Wide = typename WideOf<Value>::Type;

    // A row of the forest table.
    struct Row {
        Value* values;
        const Value* above;   // null if empty
        const Value* before;  // null if the subtree begins where the table begins
        Value* subtrees;
        uint32 label;
        Wide carry;  // the savings in the last column of the previous chunk
    };

    const TreeRow& row_;
    const TreeGains& gains_;
    TreeTables<Value> tables_;
    int32 lane_;
    int32 warp_;
    int32 warps_;

    __device__ __forceinline__ void sync() const {
        if (warps_ > 1) {
            __syncthreads();
        } else {
            __syncwarp();
        }
    }

    // Numbers the labels, and lists the rows and columns.
    __device__ __forceinline__ void prepare() {
        int32 n = row_.pair.rows.nodes;
        int32 m = row_.pair.columns.nodes;
        for (int32 v = threadIdx.x; v < n + m; v += blockDim.x) {
            tables_.hashes[v] = row_.hash(v);
            int32 place = row_.place(v);
            tables_.sizes[place] = static_cast<uint16>(row_.node(v).size());
            tables_.depths[place] = row_.is_key_root(v) ? 1 : 0;
        }
        sync();
        for (int32 v = threadIdx.x; v < n + m; v += blockDim.x) {
            tables_.labels[row_.place(v)] = static_cast<uint16>(number(v));
        }
        int32 rows_warp = 0;
        int32 columns_warp = warps_ - 1;
        if (warp_ == columns_warp) {
            count_depths(n, m);
            list_columns(n, m);
        }
        if (warp_ == rows_warp) {
            count_depths(0, n);
            list_rows(n);
            if (lane_ == 0) {
                tables_.place_rows(row_.pair.rows.work, warps_);
            }
        }
        sync();
    }

    // Returns the first node that has the label of node v.
    __device__ __forceinline__ int32 number(int32 v) const {
        uint32 hash = tables_.hashes[v];
        int32 first = 0;
        while (true) {
            while (tables_.hashes[first] != hash) {
                first++;
            }
            if (first == v || row_.is_equal(first, v)) {
                return first;
            }
            first++;
        }
    }

    // Replaces the marks of key roots with the number of key roots from each node to the root, including the node. This
    // is the number of leaves up to the node, each of which begins the subtree of one key root, less the number of key
    // roots before the node.
    __device__ __forceinline__ void count_depths(int32 from, int32 count) const {
        int32 before = 0;
        uint32 up_to_lane = ~0u >> (31 - lane_);
        for (int32 first = 0; first < count; first += 32) {
            int32 i = first + lane_;
            uint32 leaves = __ballot_sync(~0u, i < count && tables_.sizes[from + i] == 1);
            uint32 roots = __ballot_sync(~0u, i < count && tables_.depths[from + i] != 0);
            if (i < count) {
                tables_.depths[from + i] =
                        static_cast<uint16>(before + __popc(leaves & up_to_lane) - __popc(roots & up_to_lane >> 1));
            }
            before += __popc(leaves) - __popc(roots);
        }
        __syncwarp();
    }

    // Calls `found` for each node of the tables at a depth, with the node, its position, and whether its own depth is
    // the same. Returns the position after the last node.
    template <typename Found>
    __device__ __forceinline__ int32 list(int32 from, int32 count, int32 depth, int32 position, Found found) const {
        for (int32 first = 0; first < count; first += 32) {
            int32 i = first + lane_;
            bool is_below = i < count && tables_.depths[from + i] >= depth;
            uint32 all = __ballot_sync(~0u, is_below);
            if (is_below) {
                found(i, position + __popc(all & ((1u << lane_) - 1)), tables_.depths[from + i] == depth);
            }
            position += __popc(all);
        }
        return position;
    }

    __device__ __forceinline__ void list_columns(int32 from, int32 count) const {
        int32 position = 0;
        for (int32 depth = row_.pair.columns.depth; depth > 0; depth--) {
            position = list(from, count, depth, position, [&](int32 j, int32 at, bool is_on_path) {
                tables_.columns[at] = Column::of(j, tables_.sizes[from + j], is_on_path).bits;
            });
            int32 end = (position + 32 * CELLS - 1) / (32 * CELLS) * (32 * CELLS);
            for (int32 at = position + lane_; at < end; at += 32) {
                tables_.columns[at] = Column::padding().bits;
            }
            position = end;
        }
        for (int32 at = position + lane_; at < tables_.width; at += 32) {
            tables_.columns[at] = Column::padding().bits;
        }
    }

    // The tables at a depth also contain the nodes of deeper key roots.
    __device__ __forceinline__ void list_rows(int32 count) const {
        int32 position = 0;
        for (int32 depth = row_.pair.rows.depth; depth > 0; depth--) {
            position = list(0, count, depth, position, [&](int32 i, int32 at, bool is_on_path) {
                int32 deepest = i + 1 == count ? 0 : tables_.depths[i + 1] - (tables_.sizes[i + 1] == 1 ? 1 : 0);
                bool is_root = deepest < tables_.depths[i];
                tables_.rows[at] = TableRow::listed(i, tables_.sizes[i], is_on_path, is_root);
            });
        }
        __syncwarp();
    }

    __device__ __forceinline__ Row start(int32 at) const {
        TableRow listed = tables_.rows[at];
        return {tables_.forest(listed.own),
                listed.above == TableRow::NONE ? nullptr : tables_.forest(listed.above),
                listed.before == TableRow::NONE ? nullptr : tables_.forest(listed.before),
                tables_.subtrees + static_cast<int64>(listed.node) * row_.pair.columns.nodes,
                tables_.labels[listed.node],
                0};
    }

    // Computes the columns `at` to `at + CELLS - 1`.
    __device__ __forceinline__ void fill(Row& row, int32 at) const {
        Cells<uint32, CELLS> columns = Cells<uint32, CELLS>::load(tables_.columns + at);
        Wide values[CELLS];
        if (row.above == nullptr) {
#pragma unroll
            for (int32 x = 0; x < CELLS; x++) {
                values[x] = 0;
            }
        } else {
            Cells<Value, CELLS> above = Cells<Value, CELLS>::load(row.above + at);
#pragma unroll
            for (int32 x = 0; x < CELLS; x++) {
                values[x] = above.values[x];
            }
        }
        if (row.before != nullptr) {
            map_subtrees(row, at, columns, values);
        } else {
            map_roots(row, at, columns, values);
        }
        scan(row, columns, values);
        Cells<Value, CELLS> result;
#pragma unroll
        for (int32 x = 0; x < CELLS; x++) {
            result.values[x] = static_cast<Value>(values[x]);
        }
        result.store(row.values + at);
        if (row.before == nullptr) {
#pragma unroll
            for (int32 x = 0; x < CELLS; x++) {
                Column column = {columns.values[x]};
                if (column.is_on_path() && !column.is_padding()) {
                    row.subtrees[column.node()] = result.values[x];
                }
            }
        }
    }

    // Maps the last subtree of a column's forest to the last subtree of the row's forest.
    __device__ __forceinline__ void map_subtrees(
            const Row& row, int32 at, const Cells<uint32, CELLS>& columns, Wide* values) const {
#pragma unroll
        for (int32 x = 0; x < CELLS; x++) {
            Column column = {columns.values[x]};
            Wide before = column.is_on_path() ? 0 : row.before[at + x - column.size()];
            values[x] = max(values[x], before + row.subtrees[column.node()]);
        }
    }

    // Works like map_subtrees if the row's forest is a single tree.
    __device__ __forceinline__ void map_roots(
            const Row& row, int32 at, const Cells<uint32, CELLS>& columns, Wide* values) const {
        // if the gain were chosen instead, the compiler would divide for each cell
        Wide renamed = static_cast<Wide>(gains_.renamed);
        Wide more = static_cast<Wide>(gains_.equal - gains_.renamed);
        Wide diagonal = 0;
#pragma unroll
        for (int32 x = 0; x < CELLS; x++) {
            Column column = {columns.values[x]};
            Wide above = values[x];
            Wide mapped;
            if (!column.is_on_path()) {
                mapped = row.subtrees[column.node()];
            } else if (column.is_padding()) {
                mapped = 0;
            } else {
                if (column.is_first() || row.above == nullptr) {
                    diagonal = 0;
                } else if (x == 0) {
                    diagonal = row.above[at - 1];
                }
                bool is_equal = tables_.labels[row_.pair.rows.nodes + column.node()] == row.label;
                mapped = diagonal + renamed + (is_equal ? more : 0);
            }
            values[x] = max(above, mapped);
            diagonal = above;
        }
    }

    // Replaces the values with the running maximum from the first column of each table on.
    __device__ __forceinline__ void scan(Row& row, const Cells<uint32, CELLS>& columns, Wide* values) const {
        bool begins = Column{columns.values[0]}.is_first();
#pragma unroll
        for (int32 x = 1; x < CELLS; x++) {
            bool is_first = Column{columns.values[x]}.is_first();
            values[x] = is_first ? values[x] : max(values[x], values[x - 1]);
            begins = begins || is_first;
        }
        uint32 up_to_lane = ~0u >> (31 - lane_);
        uint32 starts = __ballot_sync(~0u, begins) & up_to_lane;
        // the number of lanes before this one whose last value is in the same table
        int32 lanes = starts == 0 ? lane_ : lane_ - (31 - __clz(static_cast<int32>(starts)));
        Wide last = starts == 0 ? max(values[CELLS - 1], row.carry) : values[CELLS - 1];
#pragma unroll
        for (int32 other = 1; other < 32; other *= 2) {
            Wide before = __shfl_up_sync(~0u, last, other);
            last = other <= lanes ? max(last, before) : last;
        }
        Wide left = __shfl_up_sync(~0u, last, 1);
        left = lane_ == 0 ? row.carry : left;
        row.carry = __shfl_sync(~0u, last, 31);
        bool is_same_table = true;
#pragma unroll
        for (int32 x = 0; x < CELLS; x++) {
            is_same_table = is_same_table && !Column{columns.values[x]}.is_first();
            values[x] = is_same_table ? max(values[x], left) : values[x];
        }
    }
};
