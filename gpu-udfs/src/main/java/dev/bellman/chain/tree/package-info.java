/**
 * Finds binary trees for two given lists of costs: the search tree for frequencies, and the parenthesization for
 * weights.
 */
package dev.bellman.chain.tree;
