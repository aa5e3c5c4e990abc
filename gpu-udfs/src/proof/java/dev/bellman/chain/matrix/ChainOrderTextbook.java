package dev.bellman.chain.matrix;

import dev.bellman.proof.Leeway;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/** The leeway that accepts a different order if it is valid and has the same cost as the defined order. */
enum ChainOrderTextbook implements Leeway {
    /** The leeway for {@code matrix_chain_order}. */
    ORDER {
        @Override
        public boolean isRight(InternalRow arguments, Object expected, Object answer) {
            long[] dims = arguments.getArray(0).toLongArray();
            return cost(answer.toString(), dims).equals(cost(expected.toString(), dims));
        }
    },
    /** The leeway for {@code matrix_chain}. */
    CHAIN {
        @Override
        public boolean isRight(InternalRow arguments, Object expected, Object answer) {
            InternalRow chain = (InternalRow) answer;
            long[] dims = arguments.getArray(0).toLongArray();
            Deque<Integer> splits = new ArrayDeque<>();
            Arrays.stream(chain.getArray(2).toIntArray()).forEach(splits::add);
            UTF8String order = chain.getUTF8String(1);
            return chain.getLong(0) == ((InternalRow) expected).getLong(0)
                    && cost(order.toString(), dims).equals(BigInteger.valueOf(chain.getLong(0)))
                    && order(splits, 1, dims.length - 1).equals(order.toString())
                    && splits.isEmpty();
        }
    },
    /** The leeway for {@code triangulation}. */
    TRIANGULATION {
        @Override
        public boolean isRight(InternalRow arguments, Object expected, Object answer) {
            InternalRow triangulation = (InternalRow) answer;
            long[] weights = arguments.getArray(0).toLongArray();
            ArrayData triangles = triangulation.getArray(1);
            BigInteger cost = BigInteger.ZERO;
            boolean covers = true;
            // each triangle is on the chord at the top of the stack; its other two sides are pushed
            Deque<int[]> chords = new ArrayDeque<>();
            push(chords, 0, weights.length - 1);
            for (int i = 0; i < triangles.numElements() && covers; i++) {
                InternalRow triangle = triangles.getStruct(i, 3);
                int a = triangle.getInt(0);
                int b = triangle.getInt(1);
                int c = triangle.getInt(2);
                int[] chord = chords.poll();
                covers = chord != null && chord[0] == a && a < b && b < c && chord[1] == c;
                if (covers) {
                    push(chords, b, c);
                    push(chords, a, b);
                    cost = cost.add(ChainTextbook.product(weights, a, b, c));
                }
            }
            return covers
                    && chords.isEmpty()
                    && triangulation.getLong(0) == ((InternalRow) expected).getLong(0)
                    && cost.equals(BigInteger.valueOf(triangulation.getLong(0)));
        }
    };

    /**
     * Returns the number of multiplications that an order takes, or -1 if the string is not an order of all matrices.
     */
    private static BigInteger cost(String order, long... dims) {
        BigInteger cost = BigInteger.ZERO;
        Deque<int[]> parts = new ArrayDeque<>();
        int open = 0;
        int matrices = 0;
        for (String symbol : order.split("(?<=[()])|(?=[A()])")) {
            if (symbol.equals("(")) {
                open++;
            } else if (symbol.equals(")") && parts.size() >= 2) {
                int[] right = parts.pop();
                int[] left = parts.pop();
                cost = cost.add(ChainTextbook.product(dims, left[0] - 1, left[1], right[1]));
                parts.push(new int[] {left[0], right[1]});
                open--;
            } else if (symbol.equals("A" + (matrices + 1)) && matrices + 1 < dims.length) {
                matrices++;
                parts.push(new int[] {matrices, matrices});
            } else {
                return BigInteger.ONE.negate();
            }
        }
        return open == 0 && parts.size() == 1 && matrices == dims.length - 1 ? cost : BigInteger.ONE.negate();
    }

    /** Returns the order that is defined by splits in preorder. Removes these splits from the queue. */
    private static String order(Deque<Integer> splits, int i, int j) {
        if (i >= j || splits.isEmpty()) {
            return "A" + i;
        }
        int k = splits.poll();
        return "(" + order(splits, i, k) + order(splits, k + 1, j) + ")";
    }

    private static void push(Deque<int[]> chords, int a, int b) {
        if (b - a > 1) {
            chords.push(new int[] {a, b});
        }
    }
}
