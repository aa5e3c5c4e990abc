// The distinct words of two texts, as in dev.bellman.align.names.Words.Comparison.
#pragma once

#include "align/names/words.cuh"

// The relation between the two sets.
enum SetsKind : int32 {
    BLANK = 0,     // at least one text has no words
    WITHIN = 1,    // the texts have common words, and at least one text has no other words
    DISJOINT = 2,  // the texts have no word in common, and no word occurs twice in a text
    OTHERS = 3
};

// - common: the number of characters in the words that both texts contain, joined by spaces; 0 if there are none
struct WordSets {
    int32 kind;
    int32 common;
};

// Reduces each text to the distinct words that the other text lacks. The words are sorted.
__device__ __forceinline__ WordSets leave_others(Words& a, Words& b) {
    bool is_blank = a.count == 0 || b.count == 0;
    int32 a_others = 0;
    int32 b_others = 0;
    int32 common = 0;
    for (int32 i = 0, j = 0; i < a.count || j < b.count;) {
        int32 order = i == a.count ? 1 : j == b.count ? -1 : a.compare(i, b, j);
        int32 a_next = order <= 0 ? a.behind(i) : i;
        int32 b_next = order >= 0 ? b.behind(j) : j;
        if (order == 0) {
            common += a.characters_of(i) + (common > 0 ? 1 : 0);
        } else if (order < 0) {
            a.keep(a_others++, i);
        } else {
            b.keep(b_others++, j);
        }
        i = a_next;
        j = b_next;
    }
    bool is_all = a_others == a.count && b_others == b.count;
    a.count = a_others;
    b.count = b_others;
    bool is_within = common > 0 && (a_others == 0 || b_others == 0);
    return {is_blank ? BLANK : is_within ? WITHIN : is_all ? DISJOINT : OTHERS, common};
}
