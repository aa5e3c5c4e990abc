/**
 * Clusters of texts by the distances between their members: {@code Agglomeration} merges clusters, and
 * {@code TextClusters} says what they are.
 */
package dev.bellman.align.linkage;
