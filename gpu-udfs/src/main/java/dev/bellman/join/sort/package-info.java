/** Sorts the strings and words of a join, and provides threads for such work. */
package dev.bellman.join.sort;
