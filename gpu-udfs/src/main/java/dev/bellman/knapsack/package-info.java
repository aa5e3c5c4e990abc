/**
 * Knapsacks: the most valuable choice that a capacity allows, by dynamic programming. Every problem of the family is a
 * list of classes of options, {@link dev.bellman.knapsack.Options}, of which a solution takes one option each.
 */
package dev.bellman.knapsack;
