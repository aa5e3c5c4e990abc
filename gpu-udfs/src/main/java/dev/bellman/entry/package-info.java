/**
 * The entries of the catalogue: how a problem family describes each of its functions. A family supplies a list of
 * {@link dev.bellman.entry.BellmanFunction}, and {@code dev.bellman.function} registers them; this package knows
 * neither.
 *
 * <p>Instances are rows of Catalyst values: {@code UTF8String}, {@code ArrayData}, {@code Integer}, {@code Long},
 * {@code Double}, {@code InternalRow}. So a text may hold any bytes, and a generated row needs no conversion on its way
 * into a plan.
 */
package dev.bellman.entry;
