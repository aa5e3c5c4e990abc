/**
 * Runs the command {@code bellman bench <suite>}. A suite generates data from a seed, compares a sample of the results
 * with those of the textbook strategy, measures each function with each strategy at each size, and prints and writes
 * the measurements. All packages under {@code dev.bellman.bench} are in a separate jar, so no other package may refer
 * to them.
 */
package dev.bellman.bench;
