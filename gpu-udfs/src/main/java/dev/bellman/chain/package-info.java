/**
 * Parenthesizations: in which order to multiply a chain of matrices.
 *
 * <p>A chain of {@code n} matrices is given by its {@code n + 1} dimensions: matrix {@code i}, from 1, has {@code dims[i - 1]} rows
 * and {@code dims[i]} columns.
 *
 * <p>On the GPU the tiles of {@code chain/tiled.cuh} fill the table of any of them, whatever its weights: a functor in
 * {@code chain/weights.cuh}, such as {@code ChainProduct} (a product of three factors, one for each vertex) or {@code RangeWeights}
 * (given for each range of leaves). Another member is another functor, its kernels by one line at the end of
 * {@code chain/tiled.cu}, a {@link dev.bellman.chain.TiledTable.Kind}, and the class of its function.
 */
package dev.bellman.chain;
