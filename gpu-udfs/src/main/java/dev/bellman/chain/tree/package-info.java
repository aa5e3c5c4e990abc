/** Binary trees over costs that two lists give: the search tree of given frequencies, and the parenthesization of given weights. */
package dev.bellman.chain.tree;
