// Parses sentences with weighted grammars: dev.bellman.grammar.Cyk. A block parses 32 sentences with the same grammar,
// one sentence in each lane, so that all lanes apply the same rule to adjacent numbers. The warps of a block share the
// rules: each warp computes the weights of its own symbols for all spans of a length, and then waits for the other
// warps. A rule is skipped if none of the sentences has its left symbol at that place. Only the weights are stored; the
// splits and rules of the best tree are found again afterwards. Each rule reads two 8-byte weights from the L1 cache,
// which limits the speed to 32 rules in 4 cycles of a multiprocessor.
#include "columns/slots.cuh"
#include "common/warp.cuh"
#include "grammar/grammar.cuh"

constexpr int32 CYK_BLOCK = 32 * CYK_WARPS;
FOR_HOST(CYK_BLOCK);

// The size of a couple of rules in shared memory, and the maximum size of all rules there, in bytes. The L1 cache uses
// the rest of that memory.
constexpr int32 CYK_COUPLE_BYTES = 24;
constexpr int32 CYK_SHARED_BYTES = 163 * 1024;
FOR_HOST(CYK_COUPLE_BYTES);
FOR_HOST(CYK_SHARED_BYTES);

struct CykAnswers {
    double* log_weights;
    int32* lengths;  // the length of each tree, in bytes
    int4* nodes;     // the nodes of the trees, two per token
};

STRUCT_FOR_HOST(CykAnswers);
MEMBER_FOR_HOST(CykAnswers, log_weights);
MEMBER_FOR_HOST(CykAnswers, lengths);
MEMBER_FOR_HOST(CykAnswers, nodes);

namespace {

__device__ __forceinline__ double impossible() {
    return __longlong_as_double(0xfff0000000000000LL);
}

__device__ __forceinline__ int64 span_of(int64 from, int64 end) {
    return end * (end - 1) / 2 + from;
}

// A block's table: the weights, indexed by span, symbol and sentence, and a bit for each span and symbol, set if the
// symbol occurs in any sentence.
struct CykTable {
    const CykGrammar& grammar;
    double* weights;
    uint32* occurring;
    int32 words;  // the number of words that contain one bit for each symbol of a span

    __device__ CykTable(const CykGrammar& its_grammar, uint8* memory, int32 longest)
        : grammar(its_grammar), weights(reinterpret_cast<double*>(memory)) {
        occurring = reinterpret_cast<uint32*>(
                weights + span_of(0, longest + 1) * grammar.symbols * CYK_SENTENCES);
        words = (grammar.symbols + 31) / 32;
    }

    __device__ __forceinline__ double* of(int32 from, int32 end) const {
        return weights + span_of(from, end) * grammar.symbols * CYK_SENTENCES;
    }

    __device__ __forceinline__ uint32* bits(int32 from, int32 end) const {
        return occurring + span_of(from, end) * words;
    }
};

// Writes the weights of the spans that consist of token `at` of each sentence, with one warp.
//
// - word: the number of the token's word in this lane's sentence; NO_WORD beyond the end of the sentence
__device__ __forceinline__ void start(const CykTable& table, int32 at, int32 word, int32 lane) {
    const CykGrammar& grammar = table.grammar;
    double* own = table.of(at, at + 1) + lane;
    for (int32 symbol = 0; symbol < grammar.symbols; symbol++) {
        own[symbol * CYK_SENTENCES] = impossible();
    }
    if (word != NO_WORD) {
        for (int32 leaf = grammar.leaf_begins[word]; leaf < grammar.leaf_begins[word + 1]; leaf++) {
            own[grammar.leaf_symbols[leaf] * CYK_SENTENCES] = grammar.leaf_weights[leaf];
        }
    }
    __syncwarp();
    for (int32 first = 0; first < grammar.symbols; first += 32) {
        uint32 bits = 0;
        for (int32 symbol = first; symbol < min(first + 32, grammar.symbols); symbol++) {
            bool occurs = __any_sync(~0u, own[symbol * CYK_SENTENCES] > impossible()) != 0;
            bits |= static_cast<uint32>(occurs) << (symbol - first);
        }
        if (lane == 0) {
            table.bits(at, at + 1)[first / 32] = bits;
        }
    }
}

// The rules of all warps, in couples.
struct CykRules {
    const uint2* symbols;
    const double2* weights;

    // Uses a grammar's rules in device memory.
    __device__ __forceinline__ explicit CykRules(const CykGrammar& grammar)
        : symbols(reinterpret_cast<const uint2*>(grammar.rules)),
          weights(reinterpret_cast<const double2*>(grammar.weights)) {}

    // Copies the rules to shared memory. The block must wait before it uses the copies.
    __device__ __forceinline__ void copy(double2* memory, int32 count) {
        uint2* its_symbols = reinterpret_cast<uint2*>(memory + count);
        for (int32 i = threadIdx.x; i < count; i += CYK_BLOCK) {
            memory[i] = weights[i];
            its_symbols[i] = symbols[i];
        }
        weights = memory;
        symbols = its_symbols;
    }

    // Applies the rules that have a given left symbol.
    //
    // - left: the weights of the left symbol
    // - right, whole: the addresses of this lane's weights of symbol 0, for the span on the right and for the whole
    //   span
    __device__ __forceinline__ void apply(
            int32 begin, int32 end, double left, const double* right, double* whole) const {
        for (int32 couple = begin; couple < end; couple++) {
            uint2 of = symbols[couple];
            double2 weight = weights[couple];
            double* first = whole + (of.x & 0xffff) * CYK_SENTENCES;
            double* second = whole + (of.y & 0xffff) * CYK_SENTENCES;
            double sum = __dadd_rn(__dadd_rn(left, right[(of.x >> 16) * CYK_SENTENCES]), weight.x);
            double other = __dadd_rn(__dadd_rn(left, right[(of.y >> 16) * CYK_SENTENCES]), weight.y);
            if (sum > *first || other > *second) {
                // both rules may have the same symbol
                if (sum > *first) {
                    *first = sum;
                }
                if (other > *second) {
                    *second = other;
                }
            }
        }
    }
};

// Computes the weights of a warp's symbols for a span.
__device__ __forceinline__ void join(
        const CykTable& table, const CykRules& rules, int32 from, int32 end, int32 warp, int32 lane) {
    const CykGrammar& grammar = table.grammar;
    const int32* couples = grammar.couples + warp * (grammar.symbols + 1);
    const uint32* lefts = grammar.lefts + warp * table.words;
    double* whole = table.of(from, end) + lane;
    for (int32 i = grammar.owned_begins[warp]; i < grammar.owned_begins[warp + 1]; i++) {
        whole[grammar.owned[i] * CYK_SENTENCES] = impossible();
    }
    for (int32 split = from + 1; split < end; split++) {
        const double* left = table.of(from, split) + lane;
        const double* right = table.of(split, end) + lane;
        const uint32* occurring = table.bits(from, split);
        for (int32 word = 0; word < table.words; word++) {
            for (uint32 bits = occurring[word] & lefts[word]; bits != 0; bits &= bits - 1) {
                int32 symbol = 32 * word + __ffs(bits) - 1;
                rules.apply(couples[symbol], couples[symbol + 1], left[symbol * CYK_SENTENCES], right, whole);
            }
        }
    }
    for (int32 i = grammar.owned_begins[warp]; i < grammar.owned_begins[warp + 1]; i++) {
        int32 symbol = grammar.owned[i];
        bool occurs = __any_sync(~0u, whole[symbol * CYK_SENTENCES] > impossible()) != 0;
        if (occurs && lane == 0) {
            atomicOr(table.bits(from, end) + symbol / 32, 1u << (symbol % 32));
        }
    }
}

// A node of a tree and its span.
//
// - closings: the number of brackets that close after the node, in addition to its own
struct Part {
    int32 from;
    int32 end;
    int32 symbol;
    int32 closings;
};

// Returns the left child of a node, and sets its right child, with one warp. Uses the first split and the first rule
// that yield the best weight.
__device__ __forceinline__ Part divide(
        const CykTable& table, const Part& part, int32 sentence, int32 lane, Part& right_child) {
    const CykGrammar& grammar = table.grammar;
    double best = table.of(part.from, part.end)[part.symbol * CYK_SENTENCES + sentence];
    int32 rules_end = grammar.pair_begins[part.symbol + 1];
    for (int32 split = part.from + 1;; split++) {
        const double* left = table.of(part.from, split) + sentence;
        const double* right = table.of(split, part.end) + sentence;
        for (int32 first = grammar.pair_begins[part.symbol]; first < rules_end; first += 32) {
            int32 rule = first + lane;
            bool same = false;
            if (rule < rules_end) {
                uint32 pair = grammar.pairs[rule];
                double sum = __dadd_rn(
                        left[(pair & 0xffff) * CYK_SENTENCES], right[(pair >> 16) * CYK_SENTENCES]);
                same = __dadd_rn(sum, grammar.pair_weights[rule]) == best;
            }
            uint32 found = __ballot_sync(~0u, same);
            if (found != 0) {
                uint32 pair = grammar.pairs[first + __ffs(found) - 1];
                right_child = {split, part.end, static_cast<int32>(pair >> 16), part.closings + 1};
                return {part.from, split, static_cast<int32>(pair & 0xffff), 0};
            }
        }
    }
}

// Writes the nodes of a sentence's best tree in preorder, with one warp: each node's symbol, its token or NO_WORD, and
// its closings. The end of the nodes' memory serves as a stack of right children. Returns the number of bytes of the
// tree.
__device__ __forceinline__ int32 trace(
        const CykTable& table, const CykSentences& sentences, int32 first, int32 n, int32 sentence, int4* nodes,
        int32 lane) {
    const CykGrammar& grammar = table.grammar;
    int32 top = 2 * n;
    int32 bytes = -1;  // no space before the first node
    Part part = {0, n, 0, 0};
    for (int32 node = 0; node < 2 * n - 1; node++) {
        bool is_leaf = part.end - part.from == 1;
        if (lane == 0) {
            nodes[node] = make_int4(part.symbol, is_leaf ? part.from : NO_WORD, part.closings, 0);
        }
        bytes += 2 + grammar.name_offsets[part.symbol + 1] - grammar.name_offsets[part.symbol];
        if (is_leaf) {
            int32 token = first + part.from;
            bytes += 2 + part.closings + sentences.token_offsets[token + 1] - sentences.token_offsets[token];
            if (node < 2 * n - 2) {
                int4 popped = nodes[top++];
                part = {popped.x, popped.y, popped.z, popped.w};
            }
        } else {
            Part right = part;
            part = divide(table, part, sentence, lane, right);
            top--;
            if (lane == 0) {
                nodes[top] = make_int4(right.from, right.end, right.symbol, right.closings);
            }
        }
        __syncwarp();
    }
    return bytes;
}

// Parses the rows of a group; each block takes some of them at a time.
//
// - slots: each block's table
// - IS_SHARED: whether the rules are copied to shared memory
template <bool IS_SHARED>
__device__ __forceinline__ void parse_all(
        const Slots& slots,
        const CykSentences& sentences,
        const CykGrammar& grammar,
        const int32* words,
        const CykAnswers& answers,
        const Classified& rows_of) {
    int32 warp = threadIdx.x / 32;
    int32 lane = threadIdx.x % 32;
    CykRules rules(grammar);
    if constexpr (IS_SHARED) {
        extern __shared__ __align__(16) double2 memory[];
        rules.copy(memory, grammar.couple_count);
    }
    for (int32 i = slots.next(CYK_SENTENCES); i < slots.to; i = slots.next(CYK_SENTENCES)) {
        int32 at = i + lane;
        int32 row = slots.order[min(at, slots.to - 1)];
        int32 first = sentences.offsets[row];
        int32 n = at < slots.to ? sentences.offsets[row + 1] - first : 0;
        int32 longest = max_of_lanes<32>(n);
        CykTable table(grammar, slots.of_block(), longest);
        for (int64 k = threadIdx.x; k < span_of(0, longest + 1) * table.words; k += CYK_BLOCK) {
            table.occurring[k] = 0;
        }
        __syncthreads();
        for (int32 t = warp; t < longest; t += CYK_WARPS) {
            start(table, t, t < n ? words[first + t] : NO_WORD, lane);
        }
        for (int32 length = 2; length <= longest; length++) {
            __syncthreads();
            for (int32 begin = 0; begin + length <= longest; begin++) {
                join(table, rules, begin, begin + length, warp, lane);
            }
        }
        __syncthreads();
        for (int32 sentence = warp; sentence < CYK_SENTENCES; sentence += CYK_WARPS) {
            int32 its_n = __shfl_sync(~0u, n, sentence);
            int32 its_row = __shfl_sync(~0u, row, sentence);
            int32 its_first = __shfl_sync(~0u, first, sentence);
            if (its_n == 0) {
                continue;
            }
            double weight = table.of(0, its_n)[sentence];
            bool has_tree = weight > impossible();
            int32 bytes = has_tree
                ? trace(table, sentences, its_first, its_n, sentence, answers.nodes + 2LL * its_first, lane)
                : 0;
            if (lane == 0 && has_tree) {
                answers.log_weights[its_row] = weight;
                answers.lengths[its_row] = bytes;
            } else if (lane == 0) {
                rows_of.reject(its_row);
            }
        }
    }
}

}  // namespace

// Classifies the rows, with one warp per row, and finds their words.
//
// - of_rows: the number of each row's grammar, which is negative for rows that the CPU solves
extern "C" __global__ void cyk_classify(
        int32 rows,
        const uint32* validity,
        CykSentences sentences,
        const CykGrammar* grammars,
        const int32* of_rows,
        int32* words,
        Classified rows_of) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (!rows_of.has_row(row, lane, rows, validity)) {
        return;
    }
    int32 first = sentences.offsets[row];
    int32 n = sentences.offsets[row + 1] - first;
    int32 number = of_rows[row];
    const CykGrammar& grammar = grammars[max(number, 0)];
    int32 key = number < 0 ? ON_CPU : n == 0 ? REJECTED : number * CYK_LENGTHS + length_class(n);
    bool has_null = false;
    bool is_unknown = false;
    for (int32 i = lane; key >= 0 && i < n; i += 32) {
        int32 token = first + i;
        if (is_valid(sentences.token_validity, token)) {
            int32 begin = sentences.token_offsets[token];
            words[token] = word_of(grammar, sentences.bytes + begin, sentences.token_offsets[token + 1] - begin);
            is_unknown = is_unknown || words[token] == NO_WORD;
        } else {
            has_null = true;
        }
    }
    if (__any_sync(~0u, has_null)) {
        key = REJECTED;
    } else if (__any_sync(~0u, is_unknown)) {
        key = grammar.has_replacements != 0 ? ON_CPU : REJECTED;
    } else if (key >= 0) {
        int64 bytes = 2LL * n * (grammar.longest_name + 4) + sentences.token_offsets[first + n]
            - sentences.token_offsets[first];
        key = bytes > 0x7fffffff ? ON_CPU : key;
    }
    if (lane == 0) {
        double cells = key < 0 ? 0 : __dmul_rn(__ddiv_rn(static_cast<double>(n) * n * n, 6), grammar.pair_count);
        rows_of.put(row, key, n, static_cast<int64>(cells));
    }
}

// Defines a kernel that parses the sentences of one grammar, whose number is an argument.
#define CYK_PARSE(name, IS_SHARED) \
    extern "C" __global__ void __launch_bounds__(CYK_BLOCK, 1) cyk_parse_##name( \
            Slots slots, \
            CykSentences sentences, \
            const CykGrammar* grammars, \
            int32 number, \
            const int32* words, \
            CykAnswers answers, \
            Classified rows_of) { \
        CykGrammar grammar = grammars[number]; \
        parse_all<IS_SHARED>(slots, sentences, grammar, words, answers, rows_of); \
    }

CYK_PARSE(shared, true)
CYK_PARSE(global, false)

// Writes the trees, with one warp per row.
extern "C" __global__ void cyk_trees(
        int32 rows,
        CykSentences sentences,
        const CykGrammar* grammars,
        const int32* of_rows,
        CykAnswers answers,
        Classified rows_of,
        const int32* offsets,
        uint8* trees) {
    int64 row = thread_index() / 32;
    int32 lane = threadIdx.x % 32;
    if (row >= rows || !rows_of.is_solved(row)) {
        return;
    }
    const CykGrammar& grammar = grammars[of_rows[row]];
    int32 first = sentences.offsets[row];
    int32 nodes = 2 * (sentences.offsets[row + 1] - first) - 1;
    uint8* to = trees + offsets[row];
    for (int32 begin = 0; begin < nodes; begin += 32) {
        int32 node = begin + lane;
        int4 of = node < nodes ? answers.nodes[2LL * first + node] : make_int4(0, NO_WORD, 0, 0);
        bool is_leaf = of.y != NO_WORD;
        const uint8* name = grammar.names + grammar.name_offsets[of.x];
        int32 name_length = grammar.name_offsets[of.x + 1] - grammar.name_offsets[of.x];
        const uint8* token = sentences.bytes;
        int32 token_length = 0;
        if (is_leaf) {
            int32 its_begin = sentences.token_offsets[first + of.y];
            token += its_begin;
            token_length = sentences.token_offsets[first + of.y + 1] - its_begin;
        }
        int32 length = node >= nodes ? 0
            : (node > 0 ? 2 : 1) + name_length + (is_leaf ? 2 + token_length + of.z : 0);
        int32 end = sum_up_to_lane(length);
        if (node < nodes) {
            uint8* at = to + end - length;
            if (node > 0) {
                *at++ = ' ';
            }
            *at++ = '(';
            for (int32 i = 0; i < name_length; i++) {
                *at++ = name[i];
            }
            if (is_leaf) {
                *at++ = ' ';
                for (int32 i = 0; i < token_length; i++) {
                    *at++ = token[i];
                }
                for (int32 i = 0; i <= of.z; i++) {
                    *at++ = ')';
                }
            }
        }
        to += __shfl_sync(~0u, end, 31);
    }
}
