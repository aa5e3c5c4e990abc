/** Packs the strings of a join, and the rows with these strings, into blocks. */
package dev.bellman.plan.packed;
