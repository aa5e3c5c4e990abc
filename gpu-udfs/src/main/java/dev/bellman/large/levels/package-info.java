/**
 * Computes tables in large tiles on a GPU. Tiles are in GPU memory, in host memory, in files or on other GPUs; tasks
 * are ordered so that little data is moved between these levels.
 */
package dev.bellman.large.levels;
