// What is done with the rows of a batch before and after they are solved.
#include "common/sum.cuh"
#include "recurrence/operators.cuh"

constexpr int32 LARGE_FIELDS = 7;

// Whether a text is a name.
__device__ bool equals(const uint8* text, int32 length, const char* name) {
    int32 i = 0;
    for (; i < length && name[i] != 0; i++) {
        if (text[i] != static_cast<uint8>(name[i])) {
            return false;
        }
    }
    return i == length && name[i] == 0;
}

// Operator.parse of the Java side.
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

// A block for each row: checks it as Instance.of of the Java side does. `lengths` become those of the tables, zero for null and bad rows.
// `counts` are the bad rows, the smallest of them, and the large rows; `large_rows` has for each of these, in any order, its index, length,
// start, stages, first and last offset and kind. With `reorders`, the fourth count is the smallest row that adds doubles. The fifth counts
// `long_rows`, those that are neither short nor large. With `single`, FIRST and LAST are left with the one offset that they read through.
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
        int32* lengths,
        int32* counts,
        int32* large_rows,
        int32* long_rows) {
    int32 row = blockIdx.x;
    if (!is_valid(validity, row)) {
        if (threadIdx.x == 0) {
            instances[row].kind = DONE;
            instances[row].overflow = FITS;
            instances[row].length = 0;
            lengths[row] = 0;
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
    bool bad = kind_of_element(kind, doubles != 0, weight_offsets != nullptr) == BAD || wanted < least_length || stages == 0;
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
    Instance instance;
    instance.initial = initial + first_initial;
    instance.offsets = own_offsets;
    instance.weights = weights + first_weight;
    instance.table = nullptr;
    instance.modulus = modulus;
    instance.length = bad ? 0 : wanted;
    instance.start = min(initials, instance.length);
    instance.stages = stages;
    instance.kind = bad ? BAD
        : instance.start == wanted ? DONE
                                   : kind_of_element(kind, doubles != 0, weight_offsets != nullptr);
    instance.overflow = FITS;
    instance.row = row;
    if (single != 0 && (instance.kind == FIRST || instance.kind == LAST)) {
        instance.offsets += instance.kind == LAST ? stages - 1 : 0;
        instance.stages = 1;
    }
    instances[row] = instance;
    lengths[row] = instance.length;
    if (bad) {
        atomicAdd(counts, 1);
        atomicMin(counts + 1, row);
    } else if (reorders != 0 && instance.kind == DOUBLE_SUM) {
        atomicMin(counts + 3, row);
    } else if (instance.kind != DONE && is_large(instance)) {
        int32* large = large_rows + static_cast<int64>(LARGE_FIELDS) * atomicAdd(counts + 2, 1);
        large[0] = row;
        large[1] = instance.length;
        large[2] = instance.start;
        large[3] = instance.stages;
        large[4] = own_offsets[0];
        large[5] = own_offsets[stages - 1];
        large[6] = instance.kind;
    } else if (instance.kind != DONE && instance.length > SHORT) {
        long_rows[atomicAdd(counts + 4, 1)] = row;
    }
}

// A block for each row: puts the given elements into its table. Also where residues were asked for of a table that is all given.
extern "C" __global__ void begin_tables(Instance* instances, const int32* table_offsets, int64* tables, int32 doubles) {
    Instance instance = instances[blockIdx.x];
    if (instance.length == 0) {
        return;
    }
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

// Keys to doubles, in place.
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

// `counts` are the rows that overflowed and the smallest of them; their length becomes zero. With `mask`, so do bad rows, and both null.
extern "C" __global__ void find_overflows(
        Instance* instances, int32 rows, int32* lengths, uint32* mask, int32* counts) {
    int64 row = thread_index();
    if (row >= rows) {
        return;
    }
    bool overflowed = instances[row].overflow != FITS;
    if (overflowed) {
        atomicAdd(counts, 1);
        atomicMin(counts + 1, static_cast<int32>(row));
        lengths[row] = 0;
        instances[row].length = 0;
    }
    if (mask != nullptr && (overflowed || instances[row].kind == BAD)) {
        set_null(mask, row);
    }
}

// candidates: added to, those of all rows that are solved. A plan may have left out offsets, so they are counted anew.
extern "C" __global__ void count_candidates(
        const Instance* instances, int32 rows, const int32* offset_offsets, int64* candidates) {
    int64 row = thread_index();
    int64 mine = 0;
    if (row < rows && instances[row].length > 0) {
        int64 stages = offset_offsets[row + 1] - offset_offsets[row];
        mine = (instances[row].length - instances[row].start) * stages;
    }
    add_to(candidates, mine);
}

// A block for each row: its table to where it is without those that overflowed.
extern "C" __global__ void move_tables(const Instance* instances, const int32* offsets, int64* to) {
    Instance instance = instances[blockIdx.x];
    for (int32 i = threadIdx.x; i < instance.length; i += blockDim.x) {
        to[offsets[blockIdx.x] + i] = instance.table[i];
    }
}
