// Inspects the pairs of a batch: determines the scheme that each pair uses, whether its letters have scores, and the
// kernel that solves it.
#include "align/score/scheme.cuh"
#include "columns/instances.cuh"
#include "common/host.cuh"
#include "common/warp.cuh"

STRUCT_FOR_HOST(Scheme);
MEMBER_FOR_HOST(Scheme, codes);
MEMBER_FOR_HOST(Scheme, table);
MEMBER_FOR_HOST(Scheme, letters);
MEMBER_FOR_HOST(Scheme, mode);
MEMBER_FOR_HOST(Scheme, match);
MEMBER_FOR_HOST(Scheme, mismatch);
MEMBER_FOR_HOST(Scheme, insert_open);
MEMBER_FOR_HOST(Scheme, insert_extend);
MEMBER_FOR_HOST(Scheme, delete_open);
MEMBER_FOR_HOST(Scheme, delete_extend);
MEMBER_FOR_HOST(Scheme, insert_open2);
MEMBER_FOR_HOST(Scheme, insert_extend2);
MEMBER_FOR_HOST(Scheme, delete_open2);
MEMBER_FOR_HOST(Scheme, delete_extend2);
MEMBER_FOR_HOST(Scheme, has_two_pieces);
MEMBER_FOR_HOST(Scheme, largest);
MEMBER_FOR_HOST(Scheme, magnitude);
MEMBER_FOR_HOST(Scheme, packs);
MEMBER_FOR_HOST(Scheme, has_profile);
MEMBER_FOR_HOST(Scheme, nucleotides_a);
MEMBER_FOR_HOST(Scheme, nucleotides_c);
MEMBER_FOR_HOST(Scheme, nucleotides_t);
MEMBER_FOR_HOST(Scheme, nucleotides_g);
STRUCT_FOR_HOST(ScoredPair);
MEMBER_FOR_HOST(ScoredPair, a);
MEMBER_FOR_HOST(ScoredPair, b);
MEMBER_FOR_HOST(ScoredPair, a_length);
MEMBER_FOR_HOST(ScoredPair, b_length);
MEMBER_FOR_HOST(ScoredPair, row);

FOR_HOST(WRONG_SCHEME);

// The maximum number of rows in a 16-bit table.
constexpr int32 MAX_PACKED_ROWS = 1024;

// The maximum magnitudes of table values in 16 and in 32 bits.
constexpr int64 MAX_IN_16_BITS = 32'000;
constexpr int64 MAX_IN_32_BITS = 1 << 26;

// The maximum number of cells of an extension on the GPU, where a single warp computes all of them.
constexpr int64 MAX_OF_EXTENSION = 1 << 28;

// Returns the number of cells of the columns 1 to `columns` that are more than `band` columns to the left of the main
// diagonal.
__device__ __forceinline__ int64 cells_left_of_band(int32 rows, int32 columns, int32 band) {
    int64 below = max(0, rows - band - 1);  // the number of rows that have such cells
    int64 short_rows = min(below, static_cast<int64>(columns));
    return short_rows * (short_rows + 1) / 2 + (below - short_rows) * columns;
}

// Returns the number of cells within a band.
__device__ __forceinline__ int64 cells_of_band(int32 rows, int32 columns, int32 band) {
    return static_cast<int64>(rows) * columns - cells_left_of_band(rows, columns, band)
            - cells_left_of_band(columns, rows, band);
}

// Returns the size in bytes of an extension's traceback bits if gap costs have one piece: four bits for each cell of
// all steps.
__device__ __forceinline__ int64 extension_way_bytes(int32 rows, int32 columns, int32 band) {
    int64 stripes = (min(rows, columns + band) + EXTENSION_HEIGHT - 1) / EXTENSION_HEIGHT;
    return stripes * extension_steps(columns, band) * EXTENSION_HEIGHT / 2;
}

__device__ __forceinline__ bool equal_text(const uint8* one, int32 length, const uint8* other, int32 other_length) {
    if (length != other_length) {
        return false;
    }
    for (int32 i = 0; i < length; i++) {
        if (one[i] != other[i]) {
            return false;
        }
    }
    return true;
}

// Assigns `scheme` to the rows without a scheme that have the same mode and scoring as row `like`, if `like` >= 0.
//
// - first_unknown: the first row still without a scheme, or `rows` if there is none; initially `rows`
extern "C" __global__ void __launch_bounds__(256) align_find_scheme(
        int32 rows,
        const uint32* validity,
        const int32* mode_offsets,
        const uint8* modes,
        const int32* scoring_offsets,
        const uint8* scorings,
        int32 like,
        int32 scheme,
        int32* schemes,
        int32* first_unknown) {
    int64 row = thread_index();
    if (row >= rows || !is_valid(validity, row) || schemes[row] != UNKNOWN_SCHEME) {
        return;
    }
    bool same = like >= 0
        && equal_text(
                modes + mode_offsets[row],
                mode_offsets[row + 1] - mode_offsets[row],
                modes + mode_offsets[like],
                mode_offsets[like + 1] - mode_offsets[like])
        && equal_text(
                scorings + scoring_offsets[row],
                scoring_offsets[row + 1] - scoring_offsets[row],
                scorings + scoring_offsets[like],
                scoring_offsets[like + 1] - scoring_offsets[like]);
    if (same) {
        schemes[row] = scheme;
    } else if (*static_cast<volatile int32*>(first_unknown) > row) {
        atomicMin(first_unknown, static_cast<int32>(row));
    }
}

constexpr int32 RUN_LANES = 8;
FOR_HOST(RUN_LANES);

// Finds the rows that are not null and follow a null row, no row, or a row with a different a. A cross product has long
// runs of rows with the same a.
//
// - starts (output): up to `most` of these rows, in any order
// - count (output): the number of these rows; a number above `most` is only a lower bound; initially 0
extern "C" __global__ void __launch_bounds__(256) align_find_runs(
        int32 rows, const uint32* validity, const int32* offsets, const uint8* bytes, int32 most, int32* starts,
        int32* count) {
    int64 row = thread_index() / RUN_LANES;
    int32 lane = threadIdx.x % RUN_LANES;
    bool looks = row < rows && is_valid(validity, row) && *static_cast<volatile int32*>(count) <= most;
    int32 differs = 0;
    if (looks) {
        if (row == 0 || !is_valid(validity, row - 1)) {
            differs = 1;
        } else {
            int32 before = offsets[row - 1];
            int32 own = offsets[row];
            int32 length = offsets[row + 1] - own;
            differs = own - before != length;
            for (int32 i = lane; i < length && !differs; i += RUN_LANES) {
                differs = bytes[before + i] != bytes[own + i];
            }
        }
    }
    differs = reduce_lanes<RUN_LANES>(differs, [](int32 a, int32 b) { return a | b; });
    if (looks && lane == 0 && differs != 0) {
        int32 place = atomicAdd(count, 1);
        if (place < most) {
            starts[place] = static_cast<int32>(row);
        }
    }
}

constexpr int32 CLASSIFY_LANES = 8;
constexpr int32 SIZE_UNIT = 1024;
FOR_HOST(CLASSIFY_LANES);
FOR_HOST(SIZE_UNIT);

// Determines the class of each pair: (scheme * shapes + shape) * text_classes + the length class of b. The longest
// length class comes first.
//
// A shape determines the kernel for a pair. The shapes are, in order: `packed_shapes` tables of two pairs at a time in
// 16 bits; `table_shapes` tables in 32 bits, with the row counts in `heights`; tables in stripes; and no table, because
// one string is empty. The size of a pair is the length of b, or 0 if a string is empty. For a pair that is solved in
// stripes of `stripe_height` rows, the size is the memory that it needs, in units of SIZE_UNIT bytes: `crossing_bytes`
// for each column of each stripe, and `way_bytes` for each column of one stripe, or twice as many if gap costs have two
// pieces. An extension has the shape of stripes, and its size is the memory of a block that solves such pairs. If
// `way_bytes` is not 0, this memory includes the traceback bits of all stripes.
//
// - of_query: whether the packed tables belong to queries
// - least: the smallest score to return for each row, or null
// - bands, drops: the limits of extensions, or null
// - validity: the kernel clears the bit of a pair that cannot reach its `least` score; not null if `least` is not null
extern "C" __global__ void __launch_bounds__(256) align_classify(
        int32 rows,
        uint32* validity,
        const int32* a_offsets,
        const uint8* a_bytes,
        const int32* b_offsets,
        const uint8* b_bytes,
        const int32* schemes_of,
        const Scheme* schemes,
        int32 text_classes,
        const int32* heights,
        int32 packed_shapes,
        int32 of_query,
        int32 table_shapes,
        int32 stripe_height,
        int32 crossing_bytes,
        int32 way_bytes,
        const int64* least,
        const int32* bands,
        const int32* drops,
        Classified rows_of) {
    int64 row = thread_index() / CLASSIFY_LANES;
    int32 lane = threadIdx.x % CLASSIFY_LANES;
    bool present = row < rows && is_valid(validity, row);
    int32 number = present ? schemes_of[row] : WRONG_SCHEME;
    int32 found = 0;  // 1: not all letters are nucleotides; 2: not all letters are ASCII; 4: some letters have no score
    int32 m = 0;
    int32 n = 0;
    if (number >= 0) {
        const uint8* codes = schemes[number].codes;
        m = a_offsets[row + 1] - a_offsets[row];
        n = b_offsets[row + 1] - b_offsets[row];
        auto look = [&](const uint8* text, int32 length) {
            for (int32 i = lane; i < length; i += CLASSIFY_LANES) {
                uint32 letter = text[i];
                bool nucleotide = letter == 'A' || letter == 'C' || letter == 'G' || letter == 'T';
                found |= nucleotide ? 0 : 1;
                if (letter >= 128) {
                    found |= 2;
                } else if (codes != nullptr && codes[letter] == NO_CODE) {
                    found |= 4;
                }
            }
        };
        look(a_bytes + a_offsets[row], m);
        look(b_bytes + b_offsets[row], n);
    }
    found = reduce_lanes<CLASSIFY_LANES>(found, [](int32 a, int32 b) { return a | b; });
    if (lane != 0 || row >= rows) {
        return;
    }
    if (!present) {
        rows_of.put(row, NULL_ROW, 0, 0);
        return;
    }
    if (number == WRONG_SCHEME || (found & 4) != 0) {
        rows_of.reject(row);
        return;
    }
    if ((found & 2) != 0) {
        rows_of.put(row, ON_CPU, 0, 0);
        return;
    }
    const Scheme& scheme = schemes[number];
    bool is_extension = scheme.mode == EXTENSION;
    int32 band = bands == nullptr ? NO_LIMIT : bands[row];
    int32 drop = drops == nullptr ? NO_LIMIT : drops[row];
    if (band < 0 || drop < 0 || (!is_extension && (band != NO_LIMIT || drop != NO_LIMIT))) {
        rows_of.reject(row);
        return;
    }
    int64 cells = cells_of_band(m, n, min(band, MAX_BAND));
    if (least != nullptr && static_cast<int64>(scheme.largest) * min(m, n) < least[row]) {
        set_null(validity, row);
        rows_of.put(row, NULL_ROW, 0, 0);
        return;
    }
    int64 most = static_cast<int64>(scheme.magnitude) * (static_cast<int64>(m) + n + 2);
    bool mismatch_gains = scheme.codes == nullptr && scheme.mode == LOCAL && scheme.mismatch > 0;
    if (most > MAX_IN_32_BITS || mismatch_gains || (is_extension && cells > MAX_OF_EXTENSION)) {
        rows_of.put(row, ON_CPU, 0, 0);
        return;
    }
    int32 shape = packed_shapes + table_shapes + 1;
    int32 size = 0;
    if (m > 0 && n > 0) {
        int64 gained = static_cast<int64>(scheme.largest) * min(m, n);
        bool is_tilted = scheme.mode == GLOBAL && of_query == 0;
        // for a tilted table, only the largest value is checked, because no value is lower than the sum of a few costs
        int64 tilt = is_tilted ? static_cast<int64>(m) * scheme.insert_extend
                + static_cast<int64>(n) * scheme.delete_extend : 0;
        int64 lost = static_cast<int64>(scheme.insert_open) + scheme.delete_open + 256
            + static_cast<int64>(2 * MAX_PACKED_ROWS) * scheme.insert_extend
                    + static_cast<int64>(n) * scheme.delete_extend;
        bool packed = (of_query != 0 ? scheme.has_profile != 0 : (found & 1) == 0 && scheme.packs)
                && gained + tilt <= MAX_IN_16_BITS
            && (is_tilted || lost <= MAX_IN_16_BITS);
        shape = packed ? 0 : packed_shapes;
        while (shape < packed_shapes + table_shapes && heights[shape] < m) {
            shape = shape + 1;
        }
        size = n;
        int32 pieces = scheme.has_two_pieces ? 2 : 1;
        if (is_extension) {
            shape = packed_shapes + table_shapes;
            int64 warps = (way_bytes > 0 ? EXTENSION_PATH_BLOCK : EXTENSION_BLOCK) / 32;
            int64 bytes = warps * pieces
                    * (crossing_bytes * (n + 1LL)
                            + (way_bytes > 0 ? extension_way_bytes(m, n, min(band, MAX_BAND)) : 0));
            size = static_cast<int32>(min(bytes / SIZE_UNIT + 1, 0x7fffffffLL));
        } else if (shape == packed_shapes + table_shapes) {
            int64 bytes = ((m + stripe_height - 1LL) / stripe_height * crossing_bytes + way_bytes) * pieces
                    * (n + 32LL);
            size = static_cast<int32>(min(bytes / SIZE_UNIT + 1, 0x7fffffffLL));
        }
    }
    int32 text_class = 0;
    if (text_classes > 1) {
        int32 blocks = (n + 31) / 32;
        int32 ascending = blocks <= 8 ? max(blocks, 1) - 1 : min(15, 8 + (31 - __clz((blocks - 1) / 8)));
        text_class = text_classes - 1 - min(ascending, text_classes - 1);
    }
    int32 shapes = packed_shapes + table_shapes + 2;
    rows_of.put(row, (number * shapes + shape) * text_classes + text_class, size, cells);
}

// Computes the sort keys of the rows order[0..count) of a batch with queries. Keys are in ascending order of class,
// then of query, and then in descending order of the length of b.
//
// - query_starts: the first rows of runs with the same a
extern "C" __global__ void __launch_bounds__(256) align_query_keys(
        int32 count,
        const int32* order,
        Classified rows_of,
        const int32* query_starts,
        int32 queries,
        const int32* b_offsets,
        int64* keys) {
    int64 position = thread_index();
    if (position < count) {
        int32 row = order[position];
        int64 query = last_not_above(query_starts, queries, row);
        keys[position] = (static_cast<int64>(rows_of.keys[row]) * queries + query) << 31
            | (0x7fffffff - (b_offsets[row + 1] - b_offsets[row]));
    }
}

// Finds the positions in the sorted keys where a class or a query begins.
//
// - starts (output): all of these positions, in any order
// - found (output): the number of these positions; initially 0
extern "C" __global__ void __launch_bounds__(256) align_query_firsts(
        int32 count, const int64* keys, int32* starts, int32* found) {
    int64 position = thread_index();
    if (position < count && (position == 0 || keys[position - 1] >> 31 != keys[position] >> 31)) {
        starts[atomicAdd(found, 1)] = static_cast<int32>(position);
    }
}

// Lists the pairs of the rows order[0..count).
extern "C" __global__ void __launch_bounds__(256) align_list(
        int32 count,
        const int32* order,
        const int32* a_offsets,
        const uint8* a_bytes,
        const int32* b_offsets,
        const uint8* b_bytes,
        ScoredPair* pairs) {
    int64 position = thread_index();
    if (position < count) {
        int32 row = order[position];
        pairs[position] = {
            a_bytes + a_offsets[row],
            b_bytes + b_offsets[row],
            a_offsets[row + 1] - a_offsets[row],
            b_offsets[row + 1] - b_offsets[row],
            row};
    }
}

// Computes the scores of pairs with an empty string.
extern "C" __global__ void __launch_bounds__(256) align_empty(
        const ScoredPair* pairs, int32 count, const Scheme* scheme, int64* scores) {
    int64 index = thread_index();
    if (index < count) {
        ScoredPair pair = pairs[index];
        int32 mode = scheme->mode;
        int64 score = 0;
        if (mode == GLOBAL || mode == A_IN_B) {
            score -= insert_cost<true>(*scheme, pair.a_length);
        }
        if (mode == GLOBAL || mode == B_IN_A) {
            score -= delete_cost<true>(*scheme, pair.b_length);
        }
        scores[pair.row] = score;
    }
}

// Sets rows to null if their score is below the minimum.
extern "C" __global__ void __launch_bounds__(256) align_limit(
        int32 rows, Classified rows_of, const int64* scores, const int64* least, uint32* validity) {
    int64 row = thread_index();
    if (row < rows && rows_of.is_solved(row) && scores[row] < least[row]) {
        set_null(validity, row);
    }
}
