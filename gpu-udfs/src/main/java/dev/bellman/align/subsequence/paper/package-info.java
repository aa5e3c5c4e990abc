/**
 * Contains the strategies of Zhao, "Parallel computing the shortest common supersequence problem" (2023), which compute
 * whole tables of integers.
 */
package dev.bellman.align.subsequence.paper;
