/**
 * Sequence pairs: what their families share. On the CPU a pair as arrays of symbols ({@code SymbolPair}), the canonical path through its
 * table ({@code Backtrace}) and what it is written as; on the GPU the grouping of a batch by alphabet and lengths ({@code PairGroups}).
 * {@code distance} has edit distance and subsequences.
 *
 * <p>A character is a Unicode code point.
 */
package dev.bellman.align;
