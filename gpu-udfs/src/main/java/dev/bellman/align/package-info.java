/**
 * Contains code for sequence pairs that several families of functions share. On the CPU, {@code Text} represents a
 * string as characters, {@code SymbolPair} represents two strings as arrays of symbols, {@code Backtrace} follows the
 * canonical path through their table, and {@code Cigar} and {@code BackwardText} build the results. On the GPU, {@code
 * PairGroups} groups the pairs of a batch by alphabet and lengths. For the catalogue, {@code PairSolvers} contains the
 * parameters and solvers of functions with two string arguments, and {@code PairProofs} supplies their textbook
 * implementations and test instances. The package also contains {@code PairInstances}, which generates test pairs, and
 * {@code Characters}, which splits strings for the oracles.
 *
 * <p>The subpackages are {@code distance} (distances), {@code subsequence} (common subsequences and supersequences),
 * {@code bits} (the bit-vector tables that compute both), {@code score} and {@code scoring} (alignments with
 * substitution scores), {@code gap} (alignments with arbitrary gap costs), {@code consensus} (the consensus of several
 * strings), {@code linkage} (clusters of strings), {@code paper} (the strategy {@code r-way} for distances and
 * subsequences), {@code search} (the search for patterns in texts) and {@code names} (the comparison of names).
 *
 * <p>A character is a Unicode code point; {@code Text} also defines characters for bytes that are not UTF-8.
 */
package dev.bellman.align;
