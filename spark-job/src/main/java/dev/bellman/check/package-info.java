/**
 * The soak checker, {@code bellman check}. It solves seeded hard instances with every strategy on every engine and
 * compares the results exactly with those of a different strategy and, for small instances, of the oracle. It reduces
 * an instance with different results as far as possible and prints it as SQL.
 */
package dev.bellman.check;
