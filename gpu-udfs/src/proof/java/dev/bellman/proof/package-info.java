/**
 * What a function is checked with: its oracle, a generator of hard instances, and what its strategies may do
 * differently. The classes of this package, the textbooks, the families' proofs and their generators are in a jar of
 * their own, which production does not need.
 *
 * <p>Instances are rows of Catalyst values: {@code UTF8String}, {@code ArrayData}, {@code Integer}, {@code Long},
 * {@code Double}, {@code InternalRow}. So a text may hold any bytes, and a generated row needs no conversion on its way
 * into a plan.
 */
package dev.bellman.proof;
