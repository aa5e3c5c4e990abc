/**
 * Contains code for sequence pairs that several families share. On the CPU: a text as characters ({@code Text}), a pair
 * as arrays of symbols ({@code SymbolPair}), the canonical path through its table ({@code Backtrace}) and its output
 * formats. On the GPU: the grouping of a batch by alphabet and lengths ({@code PairGroups}). For the catalogue: the
 * parameters and solvers of pairs ({@code PairSolvers}), their proofs ({@code PairProofs}), the generator and the
 * characters for oracles.
 *
 * <p>Subpackages: {@code distance} has distances, {@code subsequence} common subsequences and supersequences, {@code
 * bits} the bit-vector tables that compute both, {@code gap} alignments with arbitrary gap costs, {@code paper} the
 * strategy {@code r-way} for distances and subsequences, {@code search} the search for patterns in texts, {@code names}
 * the comparison of names.
 *
 * <p>A character is a Unicode code point; {@code Text} also defines characters for bytes that are not UTF-8.
 */
package dev.bellman.align;
