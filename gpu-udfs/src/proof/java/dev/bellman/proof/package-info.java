/**
 * The means of checking a function: its oracle, a generator of hard instances, and how its strategies may differ from
 * the oracle. The classes of this package, the textbooks, the families' proofs and their generators are in a separate
 * jar, which production does not need.
 *
 * <p>Instances are rows of Catalyst values: {@code UTF8String}, {@code ArrayData}, {@code Integer}, {@code Long},
 * {@code Double}, {@code InternalRow}. So a string may hold any bytes, and a generated row is used in a plan without
 * conversion.
 */
package dev.bellman.proof;
