// Computes the Jaro and Jaro-Winkler similarities of two short texts in one thread, as defined by
// dev.bellman.align.distance.JaroWinkler.
//
// The characters of the text claim matching positions of the pattern one after another. Either text may serve as the
// pattern, because in both orders, the first occurrence of a character is matched with the first equal character within
// reach.
//
// A thread keeps one bit for each position of the pattern, as bits/column.cuh keeps one for each row. A character
// claims the lowest position that has an equal character, is within reach, and is still free. For example, with the
// pattern MARTHA, the text MARHTA, reach 2, and position 0 on the right:
//
//              A H T R A M
//     H equals 0 1 0 0 0 0
//     in reach 1 1 1 1 1 0       within 2 of position 3, where H is in the text
//     free     1 1 1 0 0 0       M, A and R are taken
//
// Then the thread reads the text a second time. The k-th character that claimed a position is in order if it equals the
// pattern's character at the k-th claimed position.
#pragma once

#include "common/columns.cuh"

// Returns a word whose lowest `most` bits are set, or all 32 bits if `most` is larger.
__device__ __forceinline__ uint32 first_bits(int32 most) {
    return most <= 0 ? 0 : ~0u >> (32 - min(most, 32));
}

// The positions of the pattern, as K words of bits.
template <int K>
struct Positions {
    uint32 bits[K];

    // Creates the set of the first `most` positions.
    __device__ __forceinline__ explicit Positions(int32 most) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            bits[k] = first_bits(most - 32 * k);
        }
    }

    // Shifts all positions up by one, and shifts in the highest bit of `in`.
    __device__ __forceinline__ void shift(uint32 in) {
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 out = bits[k];
            bits[k] = __funnelshift_l(in, bits[k], 1);
            in = out;
        }
    }

    // Removes the first position that is also in `wanted`; returns whether there is one.
    __device__ __forceinline__ bool take(const uint32 (&wanted)[K]) {
        bool found = false;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 here = found ? 0 : bits[k] & wanted[k];
            bits[k] &= ~(here & (0 - here));
            found |= here != 0;
        }
        return found;
    }

    // Removes the first position; returns whether it is in `wanted`.
    __device__ __forceinline__ bool next_is(const uint32 (&wanted)[K]) {
        bool found = false;
        bool is = false;
#pragma unroll
        for (int k = 0; k < K; k++) {
            uint32 here = found ? 0 : bits[k];
            uint32 first = here & (0 - here);
            bits[k] &= ~first;
            is |= (first & wanted[k]) != 0;
            found |= here != 0;
        }
        return is;
    }
};

// Calls use(j, equal) for each character j of a text, and for the positions after its end up to a multiple of eight,
// where no row is equal.
template <int K, class Symbols, class Use>
__device__ __forceinline__ void for_each_character(Symbols& symbols, int32 length, Use use) {
    uint32 equal[K];
#pragma unroll 1
    for (int32 position = 0; position < length; position += 8) {
        symbols.load(position);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            auto column = symbols.column(i, position + i < length ? ~0u : 0);
#pragma unroll
            for (int k = 0; k < K; k++) {
                equal[k] = symbols.equal(column, k);
            }
            use(position + i, equal);
        }
    }
}

// The number of matching characters, and the number of matching characters that are out of order.
struct Matches {
    int32 count;
    int32 out_of_order;
};

// Finds the matches between a pattern of n characters and a text of m characters, at most LONGEST each.
template <int K, int LONGEST, class Symbols>
__device__ __forceinline__ Matches matches_alone(Symbols& symbols, int32 n, int32 m) {
    int32 window = max(0, max(n, m) / 2 - 1);
    Positions<K> free(n);
    Positions<K> within(window + 1);
    uint32 has_taken[LONGEST / 32];
    int32 matches = 0;
    uint32 found = 0;
    for_each_character<K>(symbols, m, [&](int32 j, const uint32 (&equal)[K]) {
        uint32 wanted[K];
#pragma unroll
        for (int k = 0; k < K; k++) {
            wanted[k] = equal[k] & within.bits[k];
        }
        bool takes = free.take(wanted);
        within.shift(static_cast<uint32>(j - window));  // position 0 stays within reach of the first text positions
        found = found << 1 | (takes ? 1 : 0);
        matches += takes ? 1 : 0;
        if ((j & 31) == 31) {
            has_taken[j / 32] = found;
        }
    });
    int32 columns = (m + 7) / 8 * 8;
    if ((columns & 31) != 0) {
        has_taken[columns / 32] = found << (32 - (columns & 31));
    }
    Positions<K> taken(n);
#pragma unroll
    for (int k = 0; k < K; k++) {
        taken.bits[k] &= ~free.bits[k];
    }
    int32 out_of_order = 0;
    for_each_character<K>(symbols, m, [&](int32 j, const uint32 (&equal)[K]) {
        found = (j & 31) == 0 ? has_taken[j / 32] : found << 1;
        if (static_cast<int32>(found) < 0) {
            out_of_order += taken.next_is(equal) ? 0 : 1;
        }
    });
    return {matches, out_of_order};
}

// Computes Jaro's similarity. The order of operations is part of the definition, so multiplications must not be fused
// with additions.
__device__ __forceinline__ double jaro_of(int32 n, int32 m, double matches, double transpositions) {
    if (matches == 0) {
        return 0;
    }
    double jaro = __dadd_rn(__ddiv_rn(matches, n), __ddiv_rn(matches, m));
    return __ddiv_rn(__dadd_rn(jaro, __ddiv_rn(__dadd_rn(matches, -transpositions), matches)), 3);
}

// - prefix: the length of the common prefix, up to the maximum that counts
__device__ __forceinline__ double jaro_winkler_of(int32 n, int32 m, const Matches& matches, int32 prefix) {
    double jaro = jaro_of(n, m, matches.count, matches.out_of_order / 2);
    return jaro > 0.7 ? __dadd_rn(jaro, __dmul_rn(__dmul_rn(prefix, 0.1), __dadd_rn(1, -jaro))) : jaro;
}
