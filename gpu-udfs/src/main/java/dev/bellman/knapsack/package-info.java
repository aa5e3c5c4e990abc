/**
 * Solves knapsack problems by dynamic programming: finds the most valuable choice that a capacity allows. Every problem
 * of the family is a list of classes of options ({@link dev.bellman.knapsack.Options}), and a solution takes one option
 * from each class.
 */
package dev.bellman.knapsack;
