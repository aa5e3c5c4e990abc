/**
 * Generates reproducible synthetic instances. A row depends only on the specification, the seed and the row's number,
 * not on the partitioning.
 */
package dev.bellman.generate;
