/**
 * All pairs of strings within an edit distance, without comparing every string with every other.
 *
 * <p>{@link dev.bellman.join.Strings} holds the distinct strings of both sides, once in each process. Equal keys make
 * two strings a candidate: a string with some characters deleted ({@link dev.bellman.join.DeletionKeys}), or its
 * segments ({@link dev.bellman.join.SegmentKeys}). {@link dev.bellman.join.SliceSearch} generates the keys of a slice
 * of the hash space, sorts them, verifies the candidates and returns every pair once.
 * {@link dev.bellman.join.JoinEstimate} chooses the method from a sample. Spark is used only for the memory and the
 * cancellation of a task.
 */
package dev.bellman.join;
