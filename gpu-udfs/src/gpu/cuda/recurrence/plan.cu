// Prepares the rows of a batch before they are solved, and finishes them afterwards.
#include "columns/instances.cuh"
#include "recurrence/operators.cuh"

STRUCT_FOR_HOST(Instance);
MEMBER_FOR_HOST(Instance, initial);
MEMBER_FOR_HOST(Instance, offsets);
MEMBER_FOR_HOST(Instance, weights);
MEMBER_FOR_HOST(Instance, table);
MEMBER_FOR_HOST(Instance, modulus);
MEMBER_FOR_HOST(Instance, length);
MEMBER_FOR_HOST(Instance, start);
MEMBER_FOR_HOST(Instance, stages);
MEMBER_FOR_HOST(Instance, kind);
MEMBER_FOR_HOST(Instance, overflow);
MEMBER_FOR_HOST(Instance, farthest);
MEMBER_FOR_HOST(Instance, nearest);

// The classes, by solver: a warp, a block, the whole GPU, or no solver if all elements are initial values.
constexpr int32 SHORT_ROWS = 0;
constexpr int32 LONG_ROWS = 1;
constexpr int32 LARGE_ROWS = 2;
constexpr int32 GIVEN_ROWS = 3;
constexpr int32 CLASSES = 4;
FOR_HOST(SHORT_ROWS);
FOR_HOST(LONG_ROWS);
FOR_HOST(LARGE_ROWS);
FOR_HOST(CLASSES);

// Returns whether a string equals a name.
__device__ bool equals(const uint8* text, int32 length, const char* name) {
    int32 i = 0;
    for (; i < length && name[i] != 0; i++) {
        if (text[i] != static_cast<uint8>(name[i])) {
            return false;
        }
    }
    return i == length && name[i] == 0;
}

// Parses an operator, like Operator.parse in Java.
__device__ int32 parse_operator(const uint8* text, int32 length, int64& modulus) {
    const char* names[] = {
        "min", "max", "sum", nullptr, "bit_and", "bit_or", "bit_xor", "bool_and", "bool_or", "first", "last"};
    for (int32 kind = MIN; kind <= LAST; kind++) {
        if (kind != SUM_MOD && equals(text, length, names[kind])) {
            return kind;
        }
    }
    if (length < 9 || length > 27 || !equals(text, 8, "sum mod ")) {
        return BAD;
    }
    uint64 number = 0;
    for (int32 i = 8; i < length; i++) {
        if (text[i] < '0' || text[i] > '9') {
            return BAD;
        }
        number = 10 * number + (text[i] - '0');
    }
    modulus = static_cast<int64>(number);
    return number >= 1 && number <= 1ULL << 62 ? SUM_MOD : BAD;
}

__device__ int32 kind_of_element(int32 kind, bool doubles, bool weighted) {
    if (weighted) {
        return kind == MIN ? (doubles ? DOUBLE_MIN_PLUS : MIN_PLUS)
            : kind == MAX  ? (doubles ? DOUBLE_MAX_PLUS : MAX_PLUS)
                           : BAD;
    }
    if (!doubles || kind == MIN || kind == MAX || kind == FIRST || kind == LAST) {
        return kind;
    }
    return kind == SUM ? DOUBLE_SUM : BAD;
}

// Checks the rows, with one block each, like Instance.of in Java. The size of a row is the length of its table. If
// `single` is set, only the one offset that matters for FIRST and LAST is kept. If `reorders` is set, rows that add
// doubles are left to the CPU, which reports why their additions cannot be reordered.
extern "C" __global__ void plan_rows(
        int32 rows,
        const uint32* validity,
        const int32* initial_offsets,
        const int64* initial,
        const uint32* initial_validity,
        const int32* offset_offsets,
        const int32* offsets,
        const uint32* offset_validity,
        const int32* weight_offsets,
        const int64* weights,
        const uint32* weight_validity,
        const int32* lengths_wanted,
        const int32* operator_offsets,
        const uint8* operators,
        int32 doubles,
        int32 least_length,
        int32 single,
        int32 reorders,
        Instance* instances,
        Classified rows_of) {
    int32 row = blockIdx.x;
    if (!is_valid(validity, row)) {
        if (threadIdx.x == 0) {
            rows_of.put(row, NULL_ROW, 0, 0);
        }
        return;
    }
    int32 first_initial = initial_offsets[row];
    int32 initials = initial_offsets[row + 1] - first_initial;
    int32 first_offset = offset_offsets[row];
    int32 stages = offset_offsets[row + 1] - first_offset;
    int32 first_weight = weight_offsets == nullptr ? 0 : weight_offsets[row];
    int32 wanted = lengths_wanted[row];
    const int32* own_offsets = offsets + first_offset;
    int64 modulus = 0;
    int32 kind = parse_operator(
            operators + operator_offsets[row], operator_offsets[row + 1] - operator_offsets[row], modulus);
    bool boolean = kind == BOOL_AND || kind == BOOL_OR;
    bool bad = kind_of_element(kind, doubles != 0, weight_offsets != nullptr) == BAD || wanted < least_length
            || stages == 0;
    if (!bad) {
        bad = own_offsets[0] > initials
            || (weight_offsets != nullptr && weight_offsets[row + 1] - first_weight != stages);
    }
    if (!bad) {
#pragma unroll 4
        for (int32 j = threadIdx.x; j < stages; j += blockDim.x) {
            int32 next = j + 1 < stages ? own_offsets[j + 1] : 0;
            bad |= own_offsets[j] <= next || own_offsets[j] < 1 || !is_valid(offset_validity, first_offset + j)
                || (weight_offsets != nullptr && !is_valid(weight_validity, first_weight + j));
        }
        if (initial_validity != nullptr || boolean) {
            for (int32 i = threadIdx.x; i < initials; i += blockDim.x) {
                bad |= !is_valid(initial_validity, first_initial + i)
                    || (boolean && static_cast<uint64>(initial[first_initial + i]) > 1);
            }
        }
    }
    bad = __syncthreads_or(bad) != 0;
    if (threadIdx.x != 0) {
        return;
    }
    if (bad) {
        rows_of.reject(row);
        return;
    }
    Instance instance;
    instance.initial = initial + first_initial;
    instance.offsets = own_offsets;
    instance.weights = weights + first_weight;
    instance.table = nullptr;
    instance.modulus = modulus;
    instance.length = wanted;
    instance.start = min(initials, wanted);
    instance.stages = stages;
    instance.kind = instance.start == wanted ? NOTHING : kind_of_element(kind, doubles != 0, weight_offsets != nullptr);
    instance.overflow = FITS;
    instance.farthest = own_offsets[0];
    instance.nearest = own_offsets[stages - 1];
    int64 cells = static_cast<int64>(wanted - instance.start) * stages;
    if (single != 0 && (instance.kind == FIRST || instance.kind == LAST)) {
        instance.offsets += instance.kind == LAST ? stages - 1 : 0;
        instance.stages = 1;
    }
    instances[row] = instance;
    int32 key = instance.kind == NOTHING ? GIVEN_ROWS
        : reorders != 0 && instance.kind == DOUBLE_SUM ? ON_CPU
        : is_large(instance)       ? LARGE_ROWS
        : instance.length > SHORT  ? LONG_ROWS
                                   : SHORT_ROWS;
    rows_of.put(row, key, wanted, cells);
}

// Computes the length of each table; 0 for rows without a table.
extern "C" __global__ void table_lengths(int32 rows, Classified rows_of, int32* lengths) {
    int64 row = thread_index();
    if (row < rows) {
        lengths[row] = rows_of.is_solved(row) ? rows_of.sizes[row] : 0;
    }
}

// Copies each row's initial elements into its table, as keys for doubles and as residues for a sum modulo a number,
// with one block per row. Empties the instances of rows without a table.
extern "C" __global__ void begin_tables(
        Instance* instances, Classified rows_of, const int32* table_offsets, int64* tables, int32 doubles) {
    if (!rows_of.is_solved(blockIdx.x)) {
        if (threadIdx.x == 0) {
            instances[blockIdx.x].kind = NOTHING;
            instances[blockIdx.x].overflow = FITS;
            instances[blockIdx.x].length = 0;
        }
        return;
    }
    Instance instance = instances[blockIdx.x];
    int64* table = tables + table_offsets[blockIdx.x];
    for (int32 i = threadIdx.x; i < instance.start; i += blockDim.x) {
        int64 value = instance.initial[i];
        if (doubles != 0) {
            value = double_key(__longlong_as_double(value));
        } else if (instance.modulus != 0) {
            value %= instance.modulus;
            value += value < 0 ? instance.modulus : 0;
        }
        table[i] = value;
    }
    if (threadIdx.x == 0) {
        instances[blockIdx.x].table = table;
    }
}

// Converts keys to doubles in place.
extern "C" __global__ void keys_to_doubles(int64* tables, int64 elements) {
    int64 i = thread_index();
    if (i < elements) {
        tables[i] = __double_as_longlong(key_double(tables[i]));
    }
}

extern "C" __global__ void last_elements(const Instance* instances, int32 rows, int64* results) {
    int64 row = thread_index();
    if (row < rows && instances[row].length > 0) {
        results[row] = instances[row].table[instances[row].length - 1];
    }
}

extern "C" __global__ void reject_overflows(const Instance* instances, int32 rows, Classified rows_of) {
    int64 row = thread_index();
    if (row < rows && instances[row].overflow != FITS) {
        rows_of.reject(row);
    }
}

// Copies each solved row's table to its place in the result, with one block per row.
extern "C" __global__ void move_tables(
        const Instance* instances, Classified rows_of, const int32* offsets, int64* to) {
    if (!rows_of.is_solved(blockIdx.x)) {
        return;
    }
    Instance instance = instances[blockIdx.x];
    for (int32 i = threadIdx.x; i < instance.length; i += blockDim.x) {
        to[offsets[blockIdx.x] + i] = instance.table[i];
    }
}
