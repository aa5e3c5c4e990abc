/**
 * Runs the command {@code bellman bench <suite>}. A suite generates seeded data, compares a sample of the results with
 * the textbook strategy, measures each function with each strategy at each size, and prints and writes the
 * measurements. All of {@code dev.bellman.bench} is in a separate jar, so no other package refers to it.
 */
package dev.bellman.bench;
