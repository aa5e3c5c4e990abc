/**
 * Solves one-dimensional recurrences, in which each element of a table combines earlier elements at fixed distances.
 *
 * <p>The strategies of S-DP follow Matsumae and Miyazaki, "Solving dynamic programming problem by pipeline
 * implementation on GPU" (2018).
 */
package dev.bellman.recurrence;
