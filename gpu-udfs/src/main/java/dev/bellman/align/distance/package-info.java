/**
 * Edit distance, longest common subsequence and shortest common supersequence of pairs, and the supersequence of several strings
 * ({@code SupersequenceOfAll}): a GPU takes its steps on two of them.
 *
 * <p>A problem is the algorithm in plain Java, the Spark function ({@code ...Udf}), the launch on the GPU ({@code ...Kernel}), the kernels
 * ({@code src/main/cuda/align/distance}) and the tests, whose oracle is the textbook recurrence. The tables themselves are in
 * {@code bits}, those of papers in {@code paper}.
 */
package dev.bellman.align.distance;
