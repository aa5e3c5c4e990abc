/** Contains a radix sort for words, and the threads of a task. */
package dev.bellman.join.sort;
