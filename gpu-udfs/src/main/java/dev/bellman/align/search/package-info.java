/**
 * Searches a text for patterns, allowing for edits: {@code EditSearch} finds the best match, and {@code Occurrences}
 * finds all matches.
 */
package dev.bellman.align.search;
