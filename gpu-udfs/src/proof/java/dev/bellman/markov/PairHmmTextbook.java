package dev.bellman.markov;

import dev.bellman.markov.MarkovTextbook.Rounded;
import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.Locale;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * Defines the likelihood of a read by complete tables of floats. If the likelihood is too small or too large for
 * floats, the numbers are rounded to 53 binary digits instead.
 */
final class PairHmmTextbook {
    private PairHmmTextbook() {}

    static Object solve(InternalRow row) {
        String read = bases(row.getString(0));
        String haplotype = bases(row.getString(2));
        double[] errors = errors(row.getString(1), read.length(), false);
        double[] insertions = errors(row.getString(3), read.length(), true);
        double[] deletions = errors(row.getString(4), read.length(), true);
        double[] continuations = errors(row.getString(5), read.length(), true);
        int rows = read.length() + 1;
        int columns = haplotype.length() + 1;
        float likelihood = single(read, haplotype, errors, insertions, deletions, continuations);
        if (likelihood >= 1e-28f && likelihood <= Float.MAX_VALUE) {
            return Rounded.of(likelihood * Math.scalb(1.0, -120)).log() / StrictMath.log(10);
        }
        Rounded[][] m = zeros(rows, columns);
        Rounded[][] x = zeros(rows, columns);
        Rounded[][] d = zeros(rows, columns);
        for (int j = 0; j < columns; j++) {
            d[0][j] = Rounded.of(1.0 / haplotype.length());
        }
        for (int i = 1; i < rows; i++) {
            double error = errors[i - 1];
            Rounded insert = Rounded.of(insertions[i - 1]);
            Rounded delete = Rounded.of(deletions[i - 1]);
            Rounded stay = Rounded.of(Math.max(0, 1 - (insertions[i - 1] + deletions[i - 1])));
            Rounded extend = Rounded.of(continuations[i - 1]);
            Rounded close = Rounded.of(1 - continuations[i - 1]);
            for (int j = 1; j < columns; j++) {
                char a = read.charAt(i - 1);
                char b = haplotype.charAt(j - 1);
                Rounded emission = Rounded.of(a == b || a == 'N' || b == 'N' ? 1 - error : error / 3);
                Rounded gap = close.times(x[i - 1][j - 1].plus(d[i - 1][j - 1]));
                m[i][j] = emission.times(stay.fma(m[i - 1][j - 1], gap));
                x[i][j] = extend.fma(x[i - 1][j], insert.times(m[i - 1][j]));
                d[i][j] = extend.fma(d[i][j - 1], delete.times(m[i][j - 1]));
            }
        }
        Rounded sum = Rounded.ZERO;
        for (int j = 1; j < columns; j++) {
            sum = sum.plus(m[rows - 1][j].plus(x[rows - 1][j]));
        }
        return sum.log() / StrictMath.log(10);
    }

    /** Returns the likelihood times 2^120. The last four arguments contain a probability for each base of the read. */
    private static float single(
            String read,
            String haplotype,
            double[] errors,
            double[] insertions,
            double[] deletions,
            double[] continuations) {
        int rows = read.length() + 1;
        int columns = haplotype.length() + 1;
        float[][] m = new float[rows][columns];
        float[][] x = new float[rows][columns];
        float[][] d = new float[rows][columns];
        Arrays.fill(d[0], 1f / haplotype.length() * Math.scalb(1f, 120));
        for (int i = 1; i < rows; i++) {
            float stay = (float) Math.max(0, 1 - (insertions[i - 1] + deletions[i - 1]));
            float insert = (float) insertions[i - 1];
            float delete = (float) deletions[i - 1];
            float extend = (float) continuations[i - 1];
            float close = (float) (1 - continuations[i - 1]);
            for (int j = 1; j < columns; j++) {
                char a = read.charAt(i - 1);
                char b = haplotype.charAt(j - 1);
                float emission = (float) (a == b || a == 'N' || b == 'N' ? 1 - errors[i - 1] : errors[i - 1] / 3);
                float gap = close * (x[i - 1][j - 1] + d[i - 1][j - 1]);
                m[i][j] = emission * Math.fma(stay, m[i - 1][j - 1], gap);
                x[i][j] = Math.fma(extend, x[i - 1][j], insert * m[i - 1][j]);
                d[i][j] = Math.fma(extend, d[i][j - 1], delete * m[i][j - 1]);
            }
        }
        float sum = 0;
        for (int j = 1; j < columns; j++) {
            sum += m[rows - 1][j] + x[rows - 1][j];
        }
        return sum;
    }

    private static Rounded[][] zeros(int rows, int columns) {
        Rounded[][] table = new Rounded[rows][columns];
        for (Rounded[] row : table) {
            Arrays.fill(row, Rounded.ZERO);
        }
        return table;
    }

    private static String bases(String sequence) {
        if (!sequence.matches("[A-Za-z]+")) {
            throw Values.invalid();
        }
        return sequence.toUpperCase(Locale.ROOT);
    }

    private static double[] errors(String qualities, int length, boolean isShortAllowed) {
        String all = isShortAllowed && qualities.length() == 1 ? qualities.repeat(length) : qualities;
        if (all.length() != length || !all.matches("[!-~]*")) {
            throw Values.invalid();
        }
        return all.chars()
                .mapToDouble(c -> StrictMath.pow(10, -(c - '!') / 10.0))
                .toArray();
    }
}
