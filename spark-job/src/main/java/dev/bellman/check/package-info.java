/**
 * The soak checker, {@code bellman check}: seeded hard instances, solved by every strategy on every engine and compared
 * exactly with a different strategy and, if they are small, with the oracle. A difference is reduced as far as possible
 * and printed as SQL.
 */
package dev.bellman.check;
