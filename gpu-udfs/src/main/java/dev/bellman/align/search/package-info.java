/**
 * Searches for patterns in a text, allowing for edits: {@code EditSearch} finds the best part, {@code Occurrences} all
 * parts.
 */
package dev.bellman.align.search;
