/** Searches for a pattern in a text, with edits: {@code EditSearch}. */
package dev.bellman.align.search;
