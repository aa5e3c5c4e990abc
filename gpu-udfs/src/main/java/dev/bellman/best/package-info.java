/** Contains queries for the best rows of each group. */
package dev.bellman.best;
