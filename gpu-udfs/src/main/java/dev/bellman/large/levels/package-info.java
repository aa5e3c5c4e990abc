/**
 * Tables in large tiles that a GPU computes: tiles in its memory, in memory of its host, in files, and on other GPUs,
 * and the order of tasks that moves little between these.
 */
package dev.bellman.large.levels;
