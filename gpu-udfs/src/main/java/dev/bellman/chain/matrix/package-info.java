/**
 * Solves matrix chains and the triangulation of polygons, which is the same problem. The package {@code paper} contains
 * published strategies.
 */
package dev.bellman.chain.matrix;
