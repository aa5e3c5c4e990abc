/** Drops rows that cannot be among the best rows of their groups. */
package dev.bellman.best;
