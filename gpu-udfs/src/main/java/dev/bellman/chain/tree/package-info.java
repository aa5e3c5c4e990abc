/**
 * Finds the cheapest binary tree for two given lists: the optimal binary search tree for the frequencies of keys and
 * gaps, or the optimal parenthesization for the costs of leaves and ranges.
 */
package dev.bellman.chain.tree;
