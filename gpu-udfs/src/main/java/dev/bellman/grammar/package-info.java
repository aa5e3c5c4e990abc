/** Parsing with weighted grammars. */
package dev.bellman.grammar;
