/** The strategy {@code r-way} of edit distance and LCS: M. M. Javanmard and others (2019). */
package dev.bellman.align.paper;
