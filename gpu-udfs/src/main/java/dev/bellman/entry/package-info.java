/**
 * The entries of the catalogue: what a problem family says of each of its functions. A family hands in a list of {@link
 * dev.bellman.entry.BellmanFunction}, and {@code dev.bellman.function} registers them; this package knows neither.
 *
 * <p>Instances are rows of Catalyst's values: {@code UTF8String}, {@code ArrayData}, {@code Integer}, {@code Long}, {@code Double}, {@code
 * InternalRow}. So a text may hold any bytes, and a generated row needs no conversion on its way into a plan.
 */
package dev.bellman.entry;
