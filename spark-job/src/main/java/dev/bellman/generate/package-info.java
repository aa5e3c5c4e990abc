/** Reproducible synthetic instances: the value of a row depends on the seed and its number alone, not on the partitioning. */
package dev.bellman.generate;
