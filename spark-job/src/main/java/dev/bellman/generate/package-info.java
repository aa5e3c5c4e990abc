/** Reproducible synthetic instances. A row depends only on the seed and its number, not on the partitioning. */
package dev.bellman.generate;
