/**
 * Defines the catalogue entries with which each problem family describes its functions. A family supplies a list of
 * {@link dev.bellman.entry.BellmanFunction} objects, and {@code dev.bellman.function} registers them; this package
 * depends on neither.
 */
package dev.bellman.entry;
