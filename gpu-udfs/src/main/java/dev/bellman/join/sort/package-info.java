/** Radix sort for words, and the threads of a task. */
package dev.bellman.join.sort;
