/**
 * The longest common subsequence and the shortest common supersequence of pairs, and the supersequence of several
 * strings ({@code SupersequenceOfAll}): a GPU takes its steps on two strings. Tables from papers are in {@code paper}.
 */
package dev.bellman.align.subsequence;
