/**
 * The soak checker, {@code bellman check}: seeded instances that are hard to get right, solved by every strategy on every engine, compared
 * exactly with another strategy and, where they are small, with the oracle. What differs is made as small as possible and printed as SQL.
 */
package dev.bellman.check;
