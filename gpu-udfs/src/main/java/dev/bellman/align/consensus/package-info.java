/**
 * Computes the consensus of several strings by partial order alignment. {@code Consensus} defines it, {@code
 * GraphAlignment} aligns a string with the graph of the strings before it, and {@code HeaviestBundle} reads the
 * consensus from the graph.
 */
package dev.bellman.align.consensus;
