/**
 * The command {@code bellman bench <suite>}: a suite generates seeded data, checks a sample of the answers against the
 * textbook strategy, measures each function with each strategy at each size, and prints and writes the measurements.
 * All of {@code dev.bellman.bench} is in a separate jar, so no other package refers to it.
 */
package dev.bellman.bench;
