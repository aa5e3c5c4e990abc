/**
 * Contains the functions that match names. {@code Ratios} computes rapidfuzz's ratios, including those of windows
 * ({@code PartialRatio}) and of words ({@code Words}). Other functions compare q-grams, or apply a {@code Metric} to
 * words or to arrays of strings.
 */
package dev.bellman.align.names;
