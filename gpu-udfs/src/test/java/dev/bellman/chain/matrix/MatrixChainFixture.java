package dev.bellman.chain.matrix;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.ErrorCode;
import dev.bellman.chain.matrix.MatrixChain.Solution;
import dev.bellman.chain.matrix.MatrixChain.Strategy;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Contains the code that {@link MatrixChainTest} and {@link ChainFactsTest} share. */
abstract class MatrixChainFixture {
    static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

    record Product(int first, int last) {}

    /**
     * Returns the number of multiplications for an order that is written as text; matrices are numbered from
     * {@code base}.
     */
    static BigInteger score(String order, long[] dims, int base) {
        BigInteger cost = BigInteger.ZERO;
        Deque<Product> parts = new ArrayDeque<>();
        int at = 0;
        int expected = 1;
        while (at < order.length()) {
            char symbol = order.charAt(at++);
            if (symbol == 'A') {
                int end = at;
                while (end < order.length() && Character.isDigit(order.charAt(end))) {
                    end++;
                }
                int matrix = Integer.parseInt(order.substring(at, end)) + 1 - base;
                assertThat(matrix).isEqualTo(expected++);
                parts.push(new Product(matrix, matrix));
                at = end;
            } else if (symbol == ')') {
                Product right = parts.pop();
                Product left = parts.pop();
                cost = cost.add(ChainTextbook.product(dims, left.first() - 1, left.last(), right.last()));
                parts.push(new Product(left.first(), right.last()));
            } else {
                assertThat(symbol).isEqualTo('(');
            }
        }
        assertThat(parts).containsExactly(new Product(1, dims.length - 1));
        assertThat(order.chars().filter(c -> c == '(').count()).isEqualTo(dims.length - 2L);
        return cost;
    }

    /** Returns the order that the splits define, reading them recursively. */
    static String order(Deque<Integer> splits, int i, int j) {
        if (i == j) {
            return "A" + i;
        }
        int k = splits.pop();
        assertThat(k).isBetween(i, j - 1);
        return "(" + order(splits, i, k) + order(splits, k + 1, j) + ")";
    }

    static void check(long[] dims) {
        ChainTextbook expected = ChainTextbook.of(dims);
        if (expected.least().compareTo(LARGEST) > 0) {
            for (Strategy strategy : Strategy.values()) {
                assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> MatrixChain.cost(dims, strategy));
                assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> MatrixChain.order(dims, strategy));
                assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> MatrixChain.solve(dims, strategy));
            }
            return;
        }
        long cost = expected.least().longValueExact();
        int[] splits = expected.splits();
        String order = expected.order(1, dims.length - 1);
        for (Strategy strategy : Strategy.values()) {
            assertThat(MatrixChain.cost(dims, strategy))
                    .as("%s %s", strategy, Arrays.toString(dims))
                    .isEqualTo(cost);
            Solution solution = MatrixChain.solve(dims, strategy);
            assertThat(solution.cost()).isEqualTo(cost);
            assertThat(MatrixChain.order(dims, strategy)).isEqualTo(solution.order());
            assertThat(solution.splits()).hasSize(dims.length - 2);
            if (strategy == Strategy.HU_SHING) {
                assertThat(score(solution.order(), dims, 1))
                        .as("%s %s", solution.order(), Arrays.toString(dims))
                        .isEqualTo(expected.least());
                Deque<Integer> own = new ArrayDeque<>();
                Arrays.stream(solution.splits()).forEach(own::add);
                assertThat(solution.order()).isEqualTo(order(own, 1, dims.length - 1));
            } else {
                assertThat(solution.order()).as(Arrays.toString(dims)).isEqualTo(order);
                assertThat(solution.splits()).isEqualTo(splits);
            }
        }
    }

    static long[] dims(long... dims) {
        return dims;
    }
}
