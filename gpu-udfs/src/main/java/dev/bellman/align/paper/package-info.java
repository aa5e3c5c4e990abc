/**
 * Contains the strategy {@code r-way} for edit distances and common subsequences, after Javanmard and others (2019).
 */
package dev.bellman.align.paper;
