/**
 * The matrix chain, and the triangulation of a polygon, which is the same problem. Published strategies are in {@code
 * paper}.
 */
package dev.bellman.chain.matrix;
