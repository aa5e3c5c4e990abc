/** Solves small planning problems: increasing subsequences, maximum subarrays, intervals, lot sizes and tours. */
package dev.bellman.schedule;
