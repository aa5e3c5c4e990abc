/**
 * Contains the strategy {@code r-way} for edit distances and common subsequences, after Javanmard et al. (2019).
 */
package dev.bellman.align.paper;
