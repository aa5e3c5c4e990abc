/**
 * Computes parenthesizations: the cheapest way to combine a sequence by repeatedly joining two neighbouring parts. The
 * cost of the range from leaf {@code i} to leaf {@code j} is the minimum of
 * {@code cost(i, k) + cost(k + 1, j) + w(i, k, j)} over all splits {@code k}. The problems in this family differ in
 * {@code w} and in the cost of a leaf:
 *
 * <table>
 * <caption>The members</caption>
 * <tr><th>problem</th><th>leaf {@code i}</th><th>{@code w(i, k, j)}</th></tr>
 * <tr><td>{@link dev.bellman.chain.matrix.MatrixChain}</td><td>0</td><td>{@code dims[i - 1] * dims[k] *
 * dims[j]}</td></tr>
 * <tr><td>{@link dev.bellman.chain.matrix.Triangulation}</td><td>0</td><td>{@code weights[i - 1] *
 * weights[k] * weights[j]}</td></tr>
 * <tr><td>{@link dev.bellman.chain.tree.OptimalBst}</td><td>{@code q[i - 1]}</td><td>{@code q[i - 1] + p[i - 1] + q[i]
 * + ... + q[j - 1]}</td></tr>
 * <tr><td>{@link dev.bellman.chain.tree.Parenthesization}</td><td>{@code leaf[i - 1]}</td><td>{@code w(i, j)},
 * given</td></tr>
 * </table>
 *
 * <p>A chain of {@code n} matrices is represented by its {@code n + 1} dimensions: matrix {@code i}, counted from 1,
 * has {@code dims[i - 1]} rows and {@code dims[i]} columns.
 *
 * <p><b>A new problem</b> needs one weight and one function. On the CPU, the weight is a subclass of {@link
 * dev.bellman.chain.ParenthesizationTable}, which fills the table by rows or by tiles and finds the tree. If {@code w}
 * does not depend on the split, a lambda for {@link dev.bellman.chain.LongSumTable} is enough. For example, the cost of
 * a tree may be the sum of the sizes of its inner nodes, as when files are merged:
 *
 * <pre>{@code
 * long[] before = ...;   // before[i]: the sizes of the leaves 1 to i
 * LongSumTable table = new LongSumTable(new long[leaves], (i, j) -> before[j] - before[i - 1], bound);
 * table.fill(threads);
 * table.cost();          // and table.splits()
 * }</pre>
 *
 * <p>On the GPU, the weight is a functor in {@code chain/weights.cuh}, like {@code ChainProduct} (a product of three
 * factors, one for each vertex) and {@code RangeWeights} (given for each range of leaves); the functor reads its input
 * from a batch:
 *
 * <pre>{@code
 * template <typename A>
 * struct Sizes {
 *     using Arithmetic = A;
 *     using Value = typename A::Value;
 *     static constexpr bool BY_SPLIT = false;  // w does not depend on k
 *     static constexpr bool BY_RANGE = true;   // but on i and j
 *     const Value* before;
 *     Value leaf(int i) const { return 0; }
 *     Value range(int i, int j) const { return before[j] - before[i]; }
 *     Value candidate(int i, int k, int j, Value left, Value right) const { return left + right + range(i, j); }
 *     static bool answer(Value cost, int64& to) { ... }
 * };
 * }</pre>
 *
 * <p>Two lines at the end of {@code chain/tiled.cu} instantiate the kernels that use the whole GPU, one line at the end
 * of {@code chain/table.cu} instantiates the kernel that uses one block per row, and a {@link
 * dev.bellman.chain.TableKind} names them.
 *
 * <p>The function is an entry in {@link dev.bellman.chain.tree.TreeFunctions}, and its kernel takes a
 * {@link dev.bellman.chain.tree.CostBatch}.
 */
package dev.bellman.chain;
