/**
 * Runs the command {@code bellman bench <suite>}. Most suites generate data from a seed, compare a sample of the
 * results with those of the textbook strategy, measure each function with each strategy at each size, and print and
 * write the measurements. All packages under {@code dev.bellman.bench} are in a separate jar, so no other package may
 * refer to them.
 */
package dev.bellman.bench;
