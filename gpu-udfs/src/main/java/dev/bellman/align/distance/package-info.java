/**
 * Computes distances between two strings, token arrays or trees and, for the edit distance, an alignment.
 *
 * <p>A problem consists of the algorithm in plain Java, a catalogue entry ({@code DistanceFunctions}), the GPU launch
 * ({@code ...Kernel}) and the kernels ({@code src/gpu/cuda/align/distance}) if it runs on GPUs, and the tests, whose
 * oracle is the textbook recurrence ({@code DistanceTextbook}).
 */
package dev.bellman.align.distance;
