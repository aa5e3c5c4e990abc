// The tables for the distance between two trees, in one slot of memory per pair; see tree_solver.cuh.
#pragma once

#include "align/distance/tree.cuh"

#include "common/columns.cuh"
#include "common/host.cuh"

// The forms in which a pair is solved: in shared memory with one warp, or in device memory with savings of 16 or 64
// bits. A class consists of a form and the binary logarithm of the memory, counted from the largest.
constexpr int32 FORM_SMALL = 0;
constexpr int32 FORM_NARROW = 1;
constexpr int32 FORM_WIDE = 2;
constexpr int32 SIZES = 32;
constexpr int32 CLASSES = 3 * SIZES;
// The unit of a pair's memory, in bytes.
constexpr int32 SLOT_UNIT = 1024;
constexpr int32 MAX_SMALL_BYTES = 16 * 1024;
constexpr int32 MAX_SIZE = 0x7fffffff;
// The CPU solves pairs with more cells, because one block would take many seconds.
constexpr int64 MAX_CELLS = 1LL << 36;
// The number of adjacent columns that a thread computes, except in small tables.
constexpr int32 LARGE_CELLS = 4;
constexpr int32 BLOCK = 512;
FOR_HOST(SIZES);
FOR_HOST(CLASSES);
FOR_HOST(SLOT_UNIT);
FOR_HOST(FORM_SMALL);
FOR_HOST(FORM_WIDE);
FOR_HOST(BLOCK);

__device__ __forceinline__ int32 class_of(int32 form, int32 size) {
    return form * SIZES + __clz(size);
}

struct TreeCosts {
    int64 inserted;
    int64 deleted;
    int64 renamed;

    __device__ __forceinline__ bool are_valid() const {
        return inserted >= 0 && deleted >= 0 && renamed >= 0;
    }

    // Returns the cost of deleting n nodes and inserting m nodes.
    __device__ __forceinline__ int64 without_mapping(int32 n, int32 m) const {
        return n * deleted + m * inserted;
    }
};

// The savings from mapping a node to another instead of deleting one and inserting the other, in units that divide the
// savings for equal labels and those for different labels.
struct TreeGains {
    uint64 unit;
    uint64 equal;
    uint64 renamed;

    __device__ explicit TreeGains(const TreeCosts& costs) {
        uint64 both = static_cast<uint64>(costs.inserted + costs.deleted);
        uint64 rename = static_cast<uint64>(costs.renamed);
        uint64 gain = both > rename ? both - rename : 0;
        uint64 divisor = both;
        for (uint64 rest = gain; rest != 0;) {
            uint64 next = divisor % rest;
            divisor = rest;
            rest = next;
        }
        unit = divisor == 0 ? 1 : divisor;
        equal = both / unit;
        renamed = gain / unit;
    }
};

// The sizes of a pair's tables, and their positions in its slot in bytes.
struct TreeLayout {
    int32 width;    // the number of columns with padding
    int32 forests;  // the number of rows for which the slot has space
    int64 subtrees;
    int64 columns;
    int64 rows;
    int64 free_times;
    int64 hashes;
    int64 labels;
    int64 sizes;
    int64 depths;
    int64 free_forests;
    int64 bytes;
};

// One of the two trees in the view that is used.
struct TreeSide {
    int32 nodes;
    int32 work;
    int32 depth;

    __device__ __forceinline__ TreeSide(const TreeShape& shape, bool is_mirrored)
        : nodes(shape.nodes),
          work(is_mirrored ? shape.right.work : shape.left.work),
          depth(is_mirrored ? shape.right.depth : shape.left.depth) {}
};

// Decides whether mirror images are used, as on the CPU, and which tree becomes the columns: the one with more work.
struct TreePair {
    bool is_mirrored;
    bool is_swapped;
    TreeSide rows;
    TreeSide columns;

    __device__ TreePair(const TreeShape& a, const TreeShape& b)
        : is_mirrored(
                  static_cast<double>(a.right.work) * b.right.work < static_cast<double>(a.left.work) * b.left.work),
          is_swapped((is_mirrored ? a.right.work : a.left.work) > (is_mirrored ? b.right.work : b.left.work)),
          rows(is_swapped ? b : a, is_mirrored),
          columns(is_swapped ? a : b, is_mirrored) {}

    __device__ __forceinline__ int64 cells() const {
        return static_cast<int64>(rows.work) * columns.work;
    }

    __device__ __forceinline__ int32 form(const TreeGains& gains) const {
        constexpr uint64 MAX_NARROW = 0xffff;
        bool is_narrow = gains.equal <= MAX_NARROW
                && gains.equal * static_cast<uint64>(min(rows.nodes, columns.nodes)) <= MAX_NARROW;
        return !is_narrow ? FORM_WIDE : bytes(FORM_SMALL) <= MAX_SMALL_BYTES ? FORM_SMALL : FORM_NARROW;
    }

    __device__ __forceinline__ int64 bytes(int32 form) const {
        bool is_small = form == FORM_SMALL;
        return layout(form == FORM_WIDE ? sizeof(uint64) : sizeof(uint16), is_small ? 32 : 32 * LARGE_CELLS,
                is_small ? 1 : BLOCK / 32).bytes;
    }

    // Returns the layout for `warps` warps, each of which computes `chunk` columns at a time.
    __device__ __forceinline__ TreeLayout layout(int32 value_bytes, int32 chunk, int32 warps) const {
        TreeLayout to;
        int64 all = rows.nodes + columns.nodes;
        // each depth is padded to whole chunks
        to.width = (columns.work + chunk - 1 + (columns.depth - 1) * (chunk - 1)) / chunk * chunk;
        // the rows before nested subtrees, two rows that are used, and two for each row that warps may still compute
        to.forests = rows.depth + 2 + 2 * warps;
        int64 at = 0;
        at = after(at, static_cast<int64>(to.width) * to.forests * value_bytes, nullptr);
        at = after(at, static_cast<int64>(rows.nodes) * columns.nodes * value_bytes, &to.subtrees);
        at = after(at, static_cast<int64>(to.width) * sizeof(uint32), &to.columns);
        at = after(at, static_cast<int64>(rows.work) * sizeof(uint64), &to.rows);
        at = after(at, static_cast<int64>(to.forests) * sizeof(int32), &to.free_times);
        at = after(at, all * static_cast<int64>(sizeof(uint32)), &to.hashes);
        at = after(at, all * static_cast<int64>(sizeof(uint16)), &to.labels);
        at = after(at, all * static_cast<int64>(sizeof(uint16)), &to.sizes);
        at = after(at, all * static_cast<int64>(sizeof(uint16)), &to.depths);
        to.bytes = after(at, static_cast<int64>(to.forests) * sizeof(uint16), &to.free_forests);
        return to;
    }

private:
    // Stores the beginning of an array, and returns the end, aligned to 16 bytes.
    __device__ __forceinline__ static int64 after(int64 at, int64 bytes, int64* begin) {
        if (begin != nullptr) {
            *begin = at;
        }
        return (at + bytes + 15) / 16 * 16;
    }
};

// A column: a node in the table of a key root.
struct Column {
    static constexpr int32 SIZE_SHIFT = 15;
    static constexpr uint32 ON_PATH = 1u << 30;

    uint32 bits;

    __device__ __forceinline__ static Column of(int32 node, int32 size, bool is_on_path) {
        return {static_cast<uint32>(node | size << SIZE_SHIFT) | (is_on_path ? ON_PATH : 0)};
    }

    // Returns a column after the last table of a depth.
    __device__ __forceinline__ static Column padding() {
        return {ON_PATH};
    }

    __device__ __forceinline__ int32 node() const {
        return static_cast<int32>(bits & MAX_NODES);
    }

    __device__ __forceinline__ int32 size() const {
        return static_cast<int32>(bits >> SIZE_SHIFT & MAX_NODES);
    }

    // Whether the node's subtree begins where the table begins.
    __device__ __forceinline__ bool is_on_path() const {
        return (bits & ON_PATH) != 0;
    }

    __device__ __forceinline__ bool is_padding() const {
        return bits == ON_PATH;
    }

    __device__ __forceinline__ bool is_first() const {
        return is_on_path() && size() <= 1;
    }
};

// A row: a node in the table of a key root, and the forests that it writes and reads.
struct alignas(8) TableRow {
    static constexpr uint16 NONE = 0xffff;
    static constexpr uint16 ON_PATH = 1;
    static constexpr uint16 KEY_ROOT = 2;

    uint16 node;
    uint16 own;     // before the forests are placed: the flags
    uint16 above;   // before the forests are placed: the size
    uint16 before;  // the forest without the node's subtree

    __device__ __forceinline__ static TableRow listed(int32 node, int32 size, bool is_on_path, bool is_key_root) {
        uint16 flags = static_cast<uint16>((is_on_path ? ON_PATH : 0) | (is_key_root ? KEY_ROOT : 0));
        return {static_cast<uint16>(node), flags, static_cast<uint16>(size), NONE};
    }
};

// COUNT adjacent values, which one thread reads and writes at once.
template <typename Value, int32 COUNT>
struct alignas(sizeof(Value) * COUNT < 16 ? sizeof(Value) * COUNT : 16) Cells {
    Value values[COUNT];

    __device__ __forceinline__ static Cells load(const Value* from) {
        return *reinterpret_cast<const Cells*>(from);
    }

    __device__ __forceinline__ void store(Value* to) const {
        *reinterpret_cast<Cells*>(to) = *this;
    }
};

// The type in which values are computed.
template <typename Value>
struct WideOf {
    using Type = uint64;
};

template <>
struct WideOf<uint16> {
    using Type = uint32;
};

template <typename Value>
struct TreeTables {
    int32 width;
    int32 limit;  // the number of forests
    Value* forests;
    Value* subtrees;
    uint32* columns;
    TableRow* rows;
    int32* free_times;
    uint32* hashes;
    uint16* labels;
    uint16* sizes;   // the sizes of the subtrees
    uint16* depths;  // the number of key roots from each node to the root
    uint16* free_forests;

    __device__ TreeTables(const TreeLayout& layout, uint8* slot)
        : width(layout.width),
          limit(layout.forests),
          forests(reinterpret_cast<Value*>(slot)),
          subtrees(reinterpret_cast<Value*>(slot + layout.subtrees)),
          columns(reinterpret_cast<uint32*>(slot + layout.columns)),
          rows(reinterpret_cast<TableRow*>(slot + layout.rows)),
          free_times(reinterpret_cast<int32*>(slot + layout.free_times)),
          hashes(reinterpret_cast<uint32*>(slot + layout.hashes)),
          labels(reinterpret_cast<uint16*>(slot + layout.labels)),
          sizes(reinterpret_cast<uint16*>(slot + layout.sizes)),
          depths(reinterpret_cast<uint16*>(slot + layout.depths)),
          free_forests(reinterpret_cast<uint16*>(slot + layout.free_forests)) {}

    __device__ __forceinline__ Value* forest(int32 index) const {
        return forests + static_cast<int64>(index) * width;
    }

    // Assigns a forest to each row, with one thread. While a row is computed, other warps may still compute the
    // `warps - 1` rows above it. So a forest that was last read for a row is written again `warps` or more rows later.
    __device__ __forceinline__ void place_rows(int32 count, int32 warps) const {
        int32 used = 0;
        int32 first_free = 0;
        int32 free_count = 0;
        uint16 above = TableRow::NONE;
        for (int32 at = 0; at < count; at++) {
            TableRow row = rows[at];
            bool is_on_path = (row.own & TableRow::ON_PATH) != 0;
            bool is_key_root = (row.own & TableRow::KEY_ROOT) != 0;
            int32 size = row.above;
            uint16 own;
            if (free_count > 0 && free_times[first_free] + warps <= at) {
                own = free_forests[first_free];
                first_free = first_free + 1 == limit ? 0 : first_free + 1;
                free_count--;
            } else {
                own = static_cast<uint16>(used++);
            }
            uint16 before = is_on_path ? TableRow::NONE : rows[at - size].own;
            // if size is 1, a subtree begins here, and the row above is needed again after this subtree
            if (size > 1) {
                release(above, at, first_free, free_count);
            }
            if (is_key_root) {
                release(is_on_path ? own : before, at, first_free, free_count);
            }
            rows[at] = {row.node, own, is_on_path && size == 1 ? TableRow::NONE : above, before};
            above = own;
        }
    }

private:
    __device__ __forceinline__ void release(uint16 forest, int32 at, int32 first_free, int32& free_count) const {
        int32 place = first_free + free_count;
        place = place >= limit ? place - limit : place;
        free_forests[place] = forest;
        free_times[place] = at;
        free_count++;
    }
};
