package dev.bellman.align.names;

import dev.bellman.align.PairInstances;
import dev.bellman.align.Text;
import dev.bellman.proof.Values;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;

/** Defines {@code weighted_edit_distance}, and generates instances for it. */
final class WeightedTextbook {
    private static final int REJECTED = 200;

    private WeightedTextbook() {}

    /** Computes the recurrence of Wagner and Fischer (1974). */
    static Object distance(InternalRow row) {
        int[] a = Text.of(row.getUTF8String(0).getBytes()).characters();
        int[] b = Text.of(row.getUTF8String(1).getBytes()).characters();
        double insert = allowed(row.getDouble(2));
        double delete = allowed(row.getDouble(3));
        double[][] table = new double[a.length + 1][b.length + 1];
        String[] own = row.getString(5).trim().split(" +");
        for (int i = 0; i <= a.length; i++) {
            for (int j = 0; j <= b.length; j++) {
                double least = i == 0 && j == 0 ? 0 : Double.POSITIVE_INFINITY;
                if (i > 0) {
                    least = Math.min(least, table[i - 1][j] + delete);
                }
                if (j > 0) {
                    least = Math.min(least, table[i][j - 1] + insert);
                }
                if (i > 0 && j > 0) {
                    double cost = a[i - 1] == b[j - 1] ? 0 : cost(a[i - 1], b[j - 1], row.getDouble(4), own);
                    least = Math.min(least, table[i - 1][j - 1] + cost);
                }
                table[i][j] = least;
            }
        }
        allowed(row.getDouble(4));
        cost(-1, -1, 0, own);
        return table[a.length][b.length];
    }

    private static double allowed(double cost) {
        if (!(cost >= 0 && cost <= Double.MAX_VALUE)) {
            throw Values.invalid();
        }
        return cost;
    }

    /** Returns the cost of a pair of characters. If there are several entries for the pair, the last one counts. */
    private static double cost(int first, int second, double substitute, String... own) {
        double cost = substitute;
        for (int i = 0; i + 2 < own.length; i += 3) {
            int x = own[i].codePointAt(0);
            int y = own[i + 1].codePointAt(0);
            double value = allowed(Double.parseDouble(own[i + 2]));
            if (x == first && y == second || x == second && y == first) {
                cost = value;
            }
        }
        if (own.length > 1 && own.length % 3 != 0) {
            throw Values.invalid();
        }
        return cost;
    }

    /** Draws {@code (a, b, insert, delete, substitute, costs)}. */
    static InternalRow instance(SplittableRandom random, int size) {
        InternalRow pair = PairInstances.pair(random, size);
        boolean fractions = random.nextInt(3) == 0;
        Object[] values = new Object[6];
        values[0] = pair.get(0, DataTypes.StringType);
        values[1] = pair.get(1, DataTypes.StringType);
        for (int i = 2; i < 5; i++) {
            values[i] = Values.sometimesNull(random, cost(random, fractions));
        }
        values[5] = Values.sometimesNull(random, UTF8String.fromString(costs(random, fractions)));
        return Values.row(values);
    }

    private static double cost(SplittableRandom random, boolean fractions) {
        if (random.nextInt(REJECTED) == 0) {
            return Values.oneOf(random, -1.0, Double.NaN, Double.POSITIVE_INFINITY);
        }
        return fractions ? random.nextInt(20) / 10.0 : random.nextInt(8) / (double) Values.oneOf(random, 1, 1, 4);
    }

    private static String costs(SplittableRandom random, boolean fractions) {
        int[] letters = "acgtACGTéäж中😀".codePoints().toArray();
        StringBuilder costs = new StringBuilder();
        for (int i = random.nextInt(5); i > 0; i--) {
            costs.appendCodePoint(letters[random.nextInt(letters.length)]).append(' ');
            costs.appendCodePoint(letters[random.nextInt(letters.length)]).append("  ");
            costs.append(random.nextInt(REJECTED) == 0 ? -1 : random.nextInt(20) / (fractions ? 10.0 : 4.0))
                    .append(' ');
        }
        return costs.append(random.nextInt(REJECTED) == 0 ? "a b" : "").toString();
    }
}
