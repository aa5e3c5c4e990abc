/**
 * Defines the catalogue entries with which each problem family describes its functions. A family supplies a list of
 * {@link dev.bellman.entry.BellmanFunction} objects, and {@code dev.bellman.function} registers them. This package
 * depends neither on the families nor on {@code dev.bellman.function}.
 */
package dev.bellman.entry;
