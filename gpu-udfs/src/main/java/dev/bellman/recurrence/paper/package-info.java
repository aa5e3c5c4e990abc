/**
 * Contains the strategies by Matsumae and Miyazaki, "Solving dynamic programming problem by pipeline implementation on
 * GPU" (2018), step by step.
 */
package dev.bellman.recurrence.paper;
