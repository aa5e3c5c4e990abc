/** Parses sentences with weighted grammars, and splits strings into words. */
package dev.bellman.grammar;
