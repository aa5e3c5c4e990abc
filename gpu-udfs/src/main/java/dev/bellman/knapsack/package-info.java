/**
 * Knapsacks: the most valuable choice that a capacity allows, by dynamic programming. Every problem of the family is a
 * list of classes of options, {@link dev.bellman.knapsack.Options}, and a solution takes one option from each.
 */
package dev.bellman.knapsack;
