/**
 * Clusters strings by the distances between them. {@code TextClusters} defines the clusters, and {@code Agglomeration}
 * merges them.
 */
package dev.bellman.align.linkage;
