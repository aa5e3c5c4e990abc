/**
 * Sequence pairs: what their families share. On the CPU a text as characters ({@code Text}), a pair as arrays of symbols
 * ({@code SymbolPair}), the canonical path through its table ({@code Backtrace}) and what it is written as; on the GPU the grouping of a
 * batch by alphabet and lengths ({@code PairGroups}); for the catalogue the signatures ({@code PairSignatures}), the generator and the
 * characters of oracles.
 *
 * <p>{@code distance} has distances, {@code subsequence} common subsequences and supersequences, {@code bits} the tables of bit vectors
 * that both are computed by, {@code gap} alignments under any cost of gaps.
 *
 * <p>A character is a Unicode code point; in bytes that are not UTF-8 it is what {@code Text} says.
 */
package dev.bellman.align;
