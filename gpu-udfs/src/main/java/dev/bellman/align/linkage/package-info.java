/**
 * Clusters of strings by the distances between their members: {@code TextClusters} defines them, and {@code
 * Agglomeration} merges them.
 */
package dev.bellman.align.linkage;
