package dev.bellman.markov;

import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;

/**
 * Generates models with tied paths, impossible transitions, and weights of all magnitudes, together with sequences of
 * one or more steps. Some rows contain values that must be rejected.
 */
final class MarkovInstances {
    private static final int REJECTED = 300;

    /** The number of kinds of models; those from {@code LOGS} on contain logarithms. */
    private static final int KINDS = 6;

    private static final int LOGS = 4;

    private static final int MAX_STATES = 7;
    private static final int MAX_SYMBOLS = 5;
    private static final int MAX_EXPONENT = 1_000;

    private MarkovInstances() {}

    static InternalRow steps(SplittableRandom random, int size) {
        int kind = random.nextInt(KINDS);
        int states = 1 + random.nextInt(MAX_STATES);
        return Values.row(
                start(random, kind, states),
                matrix(random, kind, states, states),
                matrix(random, kind, length(random, size), states),
                kind >= LOGS);
    }

    static InternalRow symbols(SplittableRandom random, int size) {
        int kind = random.nextInt(KINDS);
        int states = 1 + random.nextInt(MAX_STATES);
        int letters = 1 + random.nextInt(MAX_SYMBOLS);
        int[] symbols = random.ints(length(random, size), 0, letters).toArray();
        if (symbols.length > 0 && random.nextInt(REJECTED) == 0) {
            symbols[random.nextInt(symbols.length)] = Values.oneOf(random, -1, letters);
        }
        return Values.row(
                start(random, kind, states),
                matrix(random, kind, states, states),
                matrix(random, kind, states, letters),
                Values.sometimesNull(random, Values.array(symbols), DataTypes.IntegerType),
                kind >= LOGS);
    }

    private static int length(SplittableRandom random, int size) {
        return random.nextInt(REJECTED) == 0 ? 0 : Math.max(1, Values.size(random, size));
    }

    private static ArrayData start(SplittableRandom random, int kind, int states) {
        return Values.sometimesNull(random, Values.array(weights(random, kind, states)), DataTypes.DoubleType);
    }

    private static ArrayData matrix(SplittableRandom random, int kind, int rows, int columns) {
        Object[] matrix = new Object[rows];
        Arrays.setAll(matrix, i -> Values.array(weights(random, kind, columns)));
        if (rows > 0) {
            int at = random.nextInt(rows);
            switch (random.nextInt(REJECTED)) {
                case 0 -> matrix[at] = Values.array(new double[columns + 1]);
                case 1 -> matrix[at] = Values.arrayOf(new Object[columns]);
                case 2 ->
                    matrix[at] = Values.array(wrong(
                            weights(random, kind, columns),
                            Values.oneOf(random, kind < LOGS ? -1.0 : 2e9, Double.NaN, 1.0 / 0)));
                case 3 -> matrix = Arrays.copyOf(matrix, rows - 1);
                default -> {}
            }
        }
        return Values.sometimesNull(random, Values.arrayOf(matrix), DataTypes.createArrayType(DataTypes.DoubleType));
    }

    private static double log(SplittableRandom random, double scale) {
        return random.nextBoolean() ? StrictMath.log(random.nextDouble()) : (random.nextDouble() - 0.5) * scale;
    }

    private static double[] wrong(double[] weights, double value) {
        weights[weights.length - 1] = value;
        return weights;
    }

    private static double[] weights(SplittableRandom random, int kind, int count) {
        double[] weights = new double[count];
        double scale = Math.scalb(1.0, random.nextInt(-20, 30));
        for (int j = 0; j < count; j++) {
            weights[j] = switch (kind) {
                case 0 -> random.nextInt(1, 4) / 4.0;
                case 1 -> random.nextInt(8) == 0 ? 0 : random.nextDouble();
                case 2 -> Math.scalb(1 + random.nextDouble(), random.nextInt(-MAX_EXPONENT - 60, MAX_EXPONENT));
                case 3 -> 1 - random.nextDouble();
                case LOGS -> -random.nextInt(3);
                default -> random.nextInt(8) == 0 ? Double.NEGATIVE_INFINITY : log(random, scale);
            };
        }
        return weights;
    }
}
