/**
 * Generates reproducible synthetic instances. A row depends only on the seed and its row number, not on the
 * partitioning.
 */
package dev.bellman.generate;
