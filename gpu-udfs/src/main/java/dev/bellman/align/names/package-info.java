/**
 * Functions that people match names and texts with: the ratios of rapidfuzz ({@code Ratios}), of parts
 * ({@code PartialRatio}) and of words ({@code Words}), sets of q-grams, and what applies a
 * {@code Metric} to words or to arrays of texts.
 */
package dev.bellman.align.names;
