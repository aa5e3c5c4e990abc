/**
 * Benchmarks: {@code bellman bench <suite>}. A suite generates seeded data, checks a sample of the answers against the
 * textbook strategy, measures each function with each strategy at each size, and prints and writes the measurements.
 */
package dev.bellman.bench;
