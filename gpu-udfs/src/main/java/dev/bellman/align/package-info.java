/**
 * Sequence pairs: edit distance, longest common subsequence, shortest common supersequence, which there is of several strings too
 * ({@code SupersequenceOfAll}): a GPU takes its steps on two of them.
 *
 * <p>A character is a Unicode code point. A problem is five files: the algorithm in plain Java, the Spark function
 * ({@code ...Udf}), the launch on the GPU ({@code ...Kernel}), the kernels ({@code src/main/cuda/align}) and the tests, whose
 * oracle is the textbook recurrence. On the GPU all problems group a batch alike ({@code PairGroups}) and then ask for a number
 * ({@code PairScores}) or a way through the table ({@code PairPaths}), or fill whole tables as the papers do ({@code ScsTables}).
 */
package dev.bellman.align;
