/**
 * Computes the longest common subsequence and the shortest common supersequence of pairs, and a common supersequence of
 * several strings ({@code SupersequenceOfAll}), whose steps on two strings run on the GPU. Published algorithms are in
 * the package {@code paper}.
 */
package dev.bellman.align.subsequence;
