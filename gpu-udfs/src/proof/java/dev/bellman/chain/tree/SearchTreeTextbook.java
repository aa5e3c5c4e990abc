package dev.bellman.chain.tree;

import dev.bellman.proof.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;

/** Computes the textbook recurrence (Cormen et al., OPTIMAL-BST) in exact arithmetic, with the smallest roots. */
record SearchTreeTextbook(BigDecimal[][] e, int[][] root) {
    static SearchTreeTextbook of(BigDecimal[] p, BigDecimal[] q) {
        int n = p.length;
        BigDecimal[][] e = new BigDecimal[n + 2][n + 1];
        BigDecimal[][] w = new BigDecimal[n + 2][n + 1];
        int[][] root = new int[n + 2][n + 1];
        for (int i = n + 1; i >= 1; i--) {
            e[i][i - 1] = q[i - 1];
            w[i][i - 1] = q[i - 1];
            for (int j = i; j <= n; j++) {
                w[i][j] = w[i][j - 1].add(p[j - 1]).add(q[j]);
                for (int r = i; r <= j; r++) {
                    BigDecimal t = e[i][r - 1].add(e[r + 1][j]).add(w[i][j]);
                    if (r == i || t.compareTo(e[i][j]) < 0) {
                        e[i][j] = t;
                        root[i][j] = r;
                    }
                }
            }
        }
        return new SearchTreeTextbook(e, root);
    }

    /**
     * The effective frequencies: BIGINT frequencies are unchanged, and DOUBLE frequencies are multiples of a power of
     * two, as {@link OptimalBst} defines.
     */
    private record Frequencies(BigDecimal[] p, BigDecimal[] q, BigDecimal unit) {
        static Frequencies ofLongs(InternalRow arguments) {
            check(arguments);
            BigDecimal[] p = exact(arguments.getArray(0).toLongArray());
            BigDecimal[] q = exact(arguments.getArray(1).toLongArray());
            if (Stream.concat(Arrays.stream(p), Arrays.stream(q)).anyMatch(value -> value.signum() < 0)) {
                throw Values.invalid();
            }
            return new Frequencies(p, q, BigDecimal.ONE);
        }

        static Frequencies ofDoubles(InternalRow arguments) {
            check(arguments);
            double[] p = arguments.getArray(0).toDoubleArray();
            double[] q = arguments.getArray(1).toDoubleArray();
            double[] all =
                    DoubleStream.concat(Arrays.stream(p), Arrays.stream(q)).toArray();
            if (Arrays.stream(all).anyMatch(value -> !(value >= 0 && value <= Double.MAX_VALUE))) {
                throw Values.invalid();
            }
            BigDecimal unit = power(unit(all));
            return new Frequencies(multiples(p, unit), multiples(q, unit), unit);
        }

        private static void check(InternalRow arguments) {
            ArrayData p = arguments.getArray(0);
            ArrayData q = arguments.getArray(1);
            if (q.numElements() != p.numElements() + 1 || Values.hasNull(p) || Values.hasNull(q)) {
                throw Values.invalid();
            }
        }

        /**
         * Returns the exponent of the power of two of which the DOUBLE frequencies become multiples. To find this
         * power, rounds each frequency up to a multiple of another power. In multiples of that power, the largest
         * frequency has 30 bits. In multiples of the returned power, the sum of the rounded frequencies has 57 bits.
         */
        private static int unit(double... all) {
            int largest = Arrays.stream(all).mapToInt(Math::getExponent).max().orElseThrow();
            BigDecimal coarse = power(largest + 1 - 30);
            BigInteger sum = Arrays.stream(all)
                    .mapToObj(value -> divide(new BigDecimal(value), coarse, RoundingMode.CEILING)
                            .toBigInteger())
                    .reduce(BigInteger.ZERO, BigInteger::add);
            return largest + 1 - 30 + sum.bitLength() - 57;
        }

        private static BigDecimal[] multiples(double[] values, BigDecimal unit) {
            return Arrays.stream(values)
                    .mapToObj(value -> divide(new BigDecimal(value), unit, RoundingMode.HALF_EVEN))
                    .toArray(BigDecimal[]::new);
        }

        private static BigDecimal divide(BigDecimal value, BigDecimal by, RoundingMode rounding) {
            return value.divide(by, 0, rounding);
        }

        private static BigDecimal power(int exponent) {
            BigDecimal power = new BigDecimal(BigInteger.TWO.pow(Math.abs(exponent)));
            return exponent < 0 ? BigDecimal.ONE.divide(power) : power;
        }

        SearchTreeTextbook solve() {
            return of(p, q);
        }
    }

    static BigDecimal[] exact(long... values) {
        return LongStream.of(values).mapToObj(BigDecimal::valueOf).toArray(BigDecimal[]::new);
    }

    static BigDecimal[] exact(double... values) {
        return DoubleStream.of(values).mapToObj(BigDecimal::new).toArray(BigDecimal[]::new);
    }

    static Object costOfLongs(InternalRow arguments) {
        return Frequencies.ofLongs(arguments).solve().longCost();
    }

    static Object treeOfLongs(InternalRow arguments) {
        SearchTreeTextbook table = Frequencies.ofLongs(arguments).solve();
        return Values.row(table.longCost(), Values.array(table.roots()));
    }

    static Object costOfDoubles(InternalRow arguments) {
        Frequencies frequencies = Frequencies.ofDoubles(arguments);
        return frequencies.solve().cost().multiply(frequencies.unit()).doubleValue();
    }

    static Object treeOfDoubles(InternalRow arguments) {
        Frequencies frequencies = Frequencies.ofDoubles(arguments);
        SearchTreeTextbook table = frequencies.solve();
        return Values.row(table.cost().multiply(frequencies.unit()).doubleValue(), Values.array(table.roots()));
    }

    BigDecimal cost() {
        return e[1][e.length - 2];
    }

    private long longCost() {
        if (cost().toBigIntegerExact().bitLength() > 63) {
            throw Values.overflow();
        }
        return cost().longValueExact();
    }

    int[] roots() {
        return preorder(1, e.length - 2).mapToInt(i -> i).toArray();
    }

    private Stream<Integer> preorder(int i, int j) {
        return i > j
                ? Stream.of()
                : Stream.of(Stream.of(root[i][j]), preorder(i, root[i][j] - 1), preorder(root[i][j] + 1, j))
                        .flatMap(roots -> roots);
    }
}
