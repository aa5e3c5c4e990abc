/** Sorting of words. */
package dev.bellman.join.sort;
