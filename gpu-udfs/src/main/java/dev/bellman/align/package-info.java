/**
 * Sequence pairs: code shared by their families. On the CPU: a text as characters ({@code Text}), a pair as arrays of
 * symbols ({@code SymbolPair}), the canonical path through its table ({@code Backtrace}) and its output formats. On the
 * GPU: the grouping of a batch by alphabet and lengths ({@code PairGroups}). For the catalogue: the parameters and
 * solvers of pairs ({@code PairSolvers}), their proofs ({@code PairProofs}), the generator and the characters for
 * oracles.
 *
 * <p>{@code distance} has distances, {@code subsequence} common subsequences and supersequences, {@code bits} the
 * bit-vector tables that compute both, {@code gap} alignments under any gap costs, {@code paper} the strategy {@code
 * r-way} of distances and subsequences, {@code search} the search for patterns in texts, {@code names} the comparison
 * of names.
 *
 * <p>A character is a Unicode code point; in bytes that are not UTF-8, {@code Text} defines it.
 */
package dev.bellman.align;
