/** The functions of two strings: edit distance, longest common subsequence, shortest common supersequence. */
package dev.bellman.align.distance;
