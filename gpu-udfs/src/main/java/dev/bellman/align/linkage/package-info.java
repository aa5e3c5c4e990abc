/**
 * Clusters strings by the distances between them. {@code TextClusters} defines the clusters, and {@code Agglomeration}
 * merges them for complete and average linkage.
 */
package dev.bellman.align.linkage;
