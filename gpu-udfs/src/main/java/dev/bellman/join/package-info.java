/**
 * All pairs of strings within an edit distance, without comparing every string with every other.
 *
 * <p>{@link dev.bellman.join.Strings} holds the distinct strings of both sides, once in each process. Equal keys make two strings a
 * candidate: what is left of a string when some characters are deleted ({@link dev.bellman.join.DeletionKeys}), or its segments ({@link
 * dev.bellman.join.SegmentKeys}). {@link dev.bellman.join.SliceSearch} makes the keys of a slice of the hash space, sorts them, verifies the
 * candidates and gives every pair once. {@link dev.bellman.join.JoinEstimate} decides on a sample how to do that. Knows no Spark but for
 * the memory and the interruption of a task.
 */
package dev.bellman.join;
