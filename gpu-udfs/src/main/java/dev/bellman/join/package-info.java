/**
 * Finds all pairs of strings that satisfy a measure, such as a maximum edit distance. Rarely compares every string with
 * every other string.
 *
 * <p>{@link dev.bellman.join.Strings} contains the distinct strings of both sides, once in each process. Two strings
 * that share a key are a candidate pair. Keys are a string's subsequences with some characters deleted ({@link
 * dev.bellman.join.DeletionKeys}), its segments ({@link dev.bellman.join.SegmentKeys}) or, if the order of characters
 * does not matter, some of its characters ({@link dev.bellman.join.LetterKeys}). {@link dev.bellman.join.SliceSearch}
 * generates the keys of a slice of the hash space, sorts them, verifies the candidates and returns every pair once.
 * {@link dev.bellman.join.JoinEstimate} chooses the method from a sample. Spark is used only for task memory and
 * cancellation.
 */
package dev.bellman.join;
