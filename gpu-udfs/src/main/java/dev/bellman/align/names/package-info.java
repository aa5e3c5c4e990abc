/**
 * Contains the functions that match names: the ratios of rapidfuzz ({@code Ratios}), including those of windows
 * ({@code PartialRatio}) and of words ({@code Words}); similarities of q-grams; and functions that apply a
 * {@code Metric} to words or to arrays of strings.
 */
package dev.bellman.align.names;
