/**
 * Tables in large tiles that a GPU computes: tiles in GPU memory, in host memory, in files and on other GPUs, and
 * orders of tasks that move little between these.
 */
package dev.bellman.large.levels;
