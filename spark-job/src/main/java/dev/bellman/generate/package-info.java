/** Reproducible synthetic instances: a row depends only on the seed and its number, not on the partitioning. */
package dev.bellman.generate;
