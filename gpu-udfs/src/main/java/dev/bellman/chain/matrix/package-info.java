/**
 * Solves matrix chains and triangulates polygons, which is the same problem. The package {@code paper} contains
 * published strategies.
 */
package dev.bellman.chain.matrix;
