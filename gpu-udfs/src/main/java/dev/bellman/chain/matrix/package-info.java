/**
 * The matrix chain, and the triangulation of a polygon, which is the same problem. The strategies of papers are in
 * {@code paper}.
 */
package dev.bellman.chain.matrix;
