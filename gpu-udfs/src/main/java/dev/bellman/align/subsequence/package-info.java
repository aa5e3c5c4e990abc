/**
 * Computes longest common subsequences and shortest common supersequences of two strings, and common supersequences of
 * several strings ({@code SupersequenceOfAll}), for which the GPU runs the steps that involve two strings. Published
 * algorithms are in the package {@code paper}.
 */
package dev.bellman.align.subsequence;
