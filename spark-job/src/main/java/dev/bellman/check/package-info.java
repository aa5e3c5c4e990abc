/**
 * The soak checker, {@code bellman check}. It solves difficult instances, generated from a seed, with every strategy on
 * every engine. It compares the results exactly with those of a different strategy and, for small instances, with those
 * of the oracle. If results differ, it reduces the instance as far as possible and prints it as SQL.
 */
package dev.bellman.check;
