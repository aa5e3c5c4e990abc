/** Solves small planning problems: increasing subsequences, maximum subarrays, intervals, lot sizes, tours. */
package dev.bellman.schedule;
