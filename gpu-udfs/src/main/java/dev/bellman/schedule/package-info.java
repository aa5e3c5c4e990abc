/** Small plans: increasing subsequences, the best part of a series, intervals, lots to produce, tours. */
package dev.bellman.schedule;
