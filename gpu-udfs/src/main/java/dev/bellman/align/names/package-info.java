/**
 * Functions that people match names and texts with: the ratios of rapidfuzz ({@code Ratios}), of parts
 * ({@code PartialRatio}) and of words ({@code Words}).
 */
package dev.bellman.align.names;
