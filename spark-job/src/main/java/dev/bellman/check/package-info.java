/**
 * The soak checker, {@code bellman check}. It solves seeded hard instances with every strategy on every engine and
 * compares the answers exactly with those of a different strategy and, for small instances, of the oracle. It reduces
 * an instance with different answers as far as possible and prints it as SQL.
 */
package dev.bellman.check;
