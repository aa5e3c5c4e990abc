// Weighted grammars and sentences: dev.bellman.grammar.CykGrammar.
#pragma once

#include "columns/instances.cuh"
#include "common/host.cuh"

// The number of warps that share the rules; each warp computes the weights of some symbols.
constexpr int32 CYK_WARPS = 16;
// The number of sentences that a block parses: each lane of a warp parses one of them.
constexpr int32 CYK_SENTENCES = 32;
FOR_HOST(CYK_WARPS);
FOR_HOST(CYK_SENTENCES);

// The number of rules that a warp reads at once: a couple. Groups of rules are padded with rules whose weight, a
// logarithm, is -infinity.
constexpr int32 CYK_COUPLE = 2;
FOR_HOST(CYK_COUPLE);

// The number of length classes: one for each length up to 64, then eight for each power of two.
constexpr int32 CYK_LENGTHS = 192;
FOR_HOST(CYK_LENGTHS);

// A grammar. Weights are logarithms. In a pair of symbols, the low 16 bits contain the first symbol.
struct CykGrammar {
    const uint32* rules;         // for each warp and left symbol: each rule's own symbol and right symbol
    const double* weights;       // the weights of these rules
    const int32* couples;        // for each warp: symbols + 1 offsets of the left symbols' rules, in couples
    const uint32* lefts;         // for each warp: a bit for each left symbol that has rules
    const int32* owned;          // the symbols, warp after warp
    const int32* owned_begins;   // the offset of each warp's symbols in `owned`
    const uint32* pairs;         // the left and right symbols of the rules, grouped by the rules' own symbols, in order
    const double* pair_weights;
    const int32* pair_begins;    // the offset of each symbol's first rule
    const int32* table;          // the hash table of words; empty slots contain -1
    const int32* word_offsets;
    const uint8* words;
    const int32* leaf_begins;    // the offset of each word's first symbol
    const int32* leaf_symbols;
    const double* leaf_weights;
    const int32* name_offsets;
    const uint8* names;
    int32 symbols;
    int32 couple_count;          // the number of couples of all warps
    int32 pair_count;
    int32 table_mask;
    int32 longest_name;
    int32 has_replacements;      // whether a word contains U+FFFD, by which the CPU replaces malformed UTF-8
};

STRUCT_FOR_HOST(CykGrammar);
MEMBER_FOR_HOST(CykGrammar, rules);
MEMBER_FOR_HOST(CykGrammar, weights);
MEMBER_FOR_HOST(CykGrammar, couples);
MEMBER_FOR_HOST(CykGrammar, lefts);
MEMBER_FOR_HOST(CykGrammar, owned);
MEMBER_FOR_HOST(CykGrammar, owned_begins);
MEMBER_FOR_HOST(CykGrammar, pairs);
MEMBER_FOR_HOST(CykGrammar, pair_weights);
MEMBER_FOR_HOST(CykGrammar, pair_begins);
MEMBER_FOR_HOST(CykGrammar, table);
MEMBER_FOR_HOST(CykGrammar, word_offsets);
MEMBER_FOR_HOST(CykGrammar, words);
MEMBER_FOR_HOST(CykGrammar, leaf_begins);
MEMBER_FOR_HOST(CykGrammar, leaf_symbols);
MEMBER_FOR_HOST(CykGrammar, leaf_weights);
MEMBER_FOR_HOST(CykGrammar, name_offsets);
MEMBER_FOR_HOST(CykGrammar, names);
MEMBER_FOR_HOST(CykGrammar, symbols);
MEMBER_FOR_HOST(CykGrammar, couple_count);
MEMBER_FOR_HOST(CykGrammar, pair_count);
MEMBER_FOR_HOST(CykGrammar, table_mask);
MEMBER_FOR_HOST(CykGrammar, longest_name);
MEMBER_FOR_HOST(CykGrammar, has_replacements);

// The sentences of a batch.
struct CykSentences {
    const int32* offsets;
    const int32* token_offsets;
    const uint8* bytes;
    const uint32* token_validity;
};

STRUCT_FOR_HOST(CykSentences);
MEMBER_FOR_HOST(CykSentences, offsets);
MEMBER_FOR_HOST(CykSentences, token_offsets);
MEMBER_FOR_HOST(CykSentences, bytes);
MEMBER_FOR_HOST(CykSentences, token_validity);

namespace {

constexpr int32 NO_WORD = -1;

// Returns the number of a word, or NO_WORD.
__device__ __forceinline__ int32 word_of(const CykGrammar& grammar, const uint8* token, int32 length) {
    uint32 hash = 0x811c9dc5;  // FNV-1a
    for (int32 i = 0; i < length; i++) {
        hash = (hash ^ token[i]) * 0x01000193;
    }
    for (uint32 place = hash & grammar.table_mask;; place = (place + 1) & grammar.table_mask) {
        int32 word = grammar.table[place];
        if (word == NO_WORD) {
            return NO_WORD;
        }
        const uint8* its = grammar.words + grammar.word_offsets[word];
        bool same = grammar.word_offsets[word + 1] - grammar.word_offsets[word] == length;
        for (int32 i = 0; same && i < length; i++) {
            same = its[i] == token[i];
        }
        if (same) {
            return word;
        }
    }
}

__device__ __forceinline__ int32 length_class(int32 length) {
    int32 log = 31 - __clz(length);
    return min(length <= 64 ? length - 1 : 64 + 8 * (log - 6) + (length >> (log - 3) & 7), CYK_LENGTHS - 1);
}

}  // namespace
