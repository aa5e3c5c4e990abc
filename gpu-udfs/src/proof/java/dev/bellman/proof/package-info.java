/**
 * Defines what is needed to check a function: an oracle, a generator of hard instances, and the ways in which
 * strategies may deviate from the oracle. The classes of this package, the textbooks, the families' proofs and their
 * generators are in a separate jar that is not needed in production.
 *
 * <p>Instances are rows of Catalyst values: {@code UTF8String}, {@code ArrayData}, {@code Integer}, {@code Long},
 * {@code Double}, {@code InternalRow}. Therefore, a string may contain any bytes, and a generated row can be used in a
 * plan without conversion.
 */
package dev.bellman.proof;
