/**
 * Simulates the strategies by Matsumae and Miyazaki, "Solving dynamic programming problem by pipeline implementation on
 * GPU" (2018), step by step in one thread.
 */
package dev.bellman.recurrence.paper;
