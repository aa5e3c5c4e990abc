/**
 * Distances of pairs, and an alignment for one.
 *
 * <p>A problem is the algorithm in plain Java, the Spark function ({@code ...Udf}), the launch on the GPU ({@code ...Kernel}), the kernels
 * ({@code src/main/cuda/align/distance}) and the tests, whose oracle is the textbook recurrence ({@code DistanceTextbook}).
 */
package dev.bellman.align.distance;
