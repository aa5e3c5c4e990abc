package dev.bellman.align.gap;

import dev.bellman.align.Cigar;
import dev.bellman.align.Text;
import dev.bellman.align.gap.GapAlignment.Strategy;
import dev.bellman.proof.Leeway;
import dev.bellman.proof.Values;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Defines {@link GapAlignment}: finds the best-scoring alignment of two prefixes, separately among alignments that end
 * with a match or mismatch, with a gap in {@code a} and with a gap in {@code b}. Ties: the first alignment in the
 * lexicographic order of the columns, read from the end.
 */
final class GapTextbook {
    /**
     * A score, and the columns of an alignment, starting from the end: {@code 1} for a match or mismatch, {@code 2} for
     * a letter of a, {@code 3} for a letter of b, in order of preference.
     */
    private record Alignment(long score, String columns) {
        static Alignment better(Alignment x, Alignment y) {
            if (x == null || y == null) {
                return x == null ? y : x;
            }
            return x.score != y.score ? x.score > y.score ? x : y : x.columns.compareTo(y.columns) <= 0 ? x : y;
        }

        static Alignment with(Alignment before, String column, int times, long score) {
            return before == null ? null : new Alignment(before.score + score, column.repeat(times) + before.columns);
        }
    }

    /** The leeway for strategies that support only certain costs. */
    static final Leeway LEEWAY = new Leeway() {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean isLimited(Enum<?> strategy) {
            return strategy == Strategy.AFFINE || strategy == Strategy.CONCAVE;
        }

        @Override
        public boolean serves(Enum<?> strategy, InternalRow arguments) {
            if (arguments.anyNull()) {
                return true;
            }
            // a strategy supports an instance if the costs of all lengths satisfy the strategy's condition
            List<ArrayData> lists = List.of(arguments.getArray(4), arguments.getArray(arguments.numFields() - 1));
            return switch ((Strategy) strategy) {
                case AFFINE ->
                    lists.stream().allMatch(costs -> differences(costs).allMatch(sign -> sign == 0));
                case CONCAVE ->
                    lists.stream().allMatch(costs -> differences(costs).allMatch(sign -> sign <= 0));
                default -> true;
            };
        }
    };

    private GapTextbook() {}

    /** Returns the signs of the second differences. */
    private static IntStream differences(ArrayData costs) {
        if (Values.hasNull(costs)) {
            return IntStream.empty();
        }
        long[] values = costs.toLongArray();
        return IntStream.range(2, values.length).map(k -> BigInteger.valueOf(values[k])
                .add(BigInteger.valueOf(values[k - 2]))
                .compareTo(BigInteger.valueOf(values[k - 1]).shiftLeft(1)));
    }

    static Object solve(InternalRow arguments) {
        int[] a = Text.of(arguments.getUTF8String(0).getBytes()).characters();
        int[] b = Text.of(arguments.getUTF8String(1).getBytes()).characters();
        long match = arguments.getLong(2);
        long mismatch = arguments.getLong(3);
        ArrayData aCosts = arguments.getArray(4);
        ArrayData bCosts = arguments.getArray(arguments.numFields() - 1);
        if (Values.hasNull(aCosts)
                || Values.hasNull(bCosts)
                || Arrays.stream(aCosts.toLongArray()).anyMatch(cost -> cost < 0)
                || Arrays.stream(bCosts.toLongArray()).anyMatch(cost -> cost < 0)
                || aCosts.numElements() < a.length
                || bCosts.numElements() < b.length) {
            throw Values.invalid();
        }
        checkSize(match, a.length + b.length);
        checkSize(mismatch, a.length + b.length);
        for (int i = 0; i < a.length; i++) {
            checkSize(aCosts.getLong(i), a.length + b.length);
        }
        for (int j = 0; j < b.length; j++) {
            checkSize(bCosts.getLong(j), a.length + b.length);
        }
        Alignment best = align(a, b, match, mismatch, aCosts, bCosts);
        return Values.row(best.score, UTF8String.fromString(cigar(best.columns, a, b)));
    }

    /**
     * Rejects a value if its magnitude times the number of columns is at least 2^60, so that no sum overflows 64 bits.
     */
    private static void checkSize(long value, int columns) {
        BigInteger sum = BigInteger.valueOf(value).abs().multiply(BigInteger.valueOf(columns));
        if (sum.compareTo(BigInteger.TWO.pow(60)) >= 0) {
            throw Values.overflow();
        }
    }

    private static Alignment align(int[] a, int[] b, long match, long mismatch, ArrayData aCosts, ArrayData bCosts) {
        Alignment[][] pair = new Alignment[a.length + 1][b.length + 1];
        Alignment[][] aGap = new Alignment[a.length + 1][b.length + 1];
        Alignment[][] bGap = new Alignment[a.length + 1][b.length + 1];
        pair[0][0] = new Alignment(0, "");
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                if (i > 0 && j > 0) {
                    Alignment before = Alignment.better(
                            pair[i - 1][j - 1], Alignment.better(aGap[i - 1][j - 1], bGap[i - 1][j - 1]));
                    pair[i][j] = Alignment.with(before, "1", 1, a[i - 1] == b[j - 1] ? match : mismatch);
                }
                for (int k = 1; k <= i; k++) {
                    Alignment before = Alignment.better(pair[i - k][j], bGap[i - k][j]);
                    aGap[i][j] = Alignment.better(aGap[i][j], Alignment.with(before, "2", k, -aCosts.getLong(k - 1)));
                }
                for (int k = 1; k <= j; k++) {
                    Alignment before = Alignment.better(pair[i][j - k], aGap[i][j - k]);
                    bGap[i][j] = Alignment.better(bGap[i][j], Alignment.with(before, "3", k, -bCosts.getLong(k - 1)));
                }
            }
        }
        return Alignment.better(
                pair[a.length][b.length], Alignment.better(aGap[a.length][b.length], bGap[a.length][b.length]));
    }

    private static String cigar(String columns, int[] a, int[] b) {
        Cigar cigar = new Cigar();
        int i = a.length;
        int j = b.length;
        for (char column : columns.toCharArray()) {
            switch (column) {
                case '1' -> cigar.append(a[--i] == b[--j] ? '=' : 'X', 1);
                case '2' -> {
                    cigar.append('I', 1);
                    i--;
                }
                default -> {
                    cigar.append('D', 1);
                    j--;
                }
            }
        }
        return cigar.toString();
    }
}
