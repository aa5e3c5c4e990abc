package dev.bellman.markov;

import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataTypes;

/**
 * Generates a few sequences over few symbols, for models with few states. Given models contain zeros, tiny numbers and
 * equal states. Some rows contain values that must be rejected.
 */
final class HmmInstances {
    private static final int REJECTED = 300;

    private static final int MAX_STATES = 4;
    private static final int MAX_SYMBOLS = 4;
    private static final int MAX_SEQUENCES = 4;

    private HmmInstances() {}

    /** Draws {@code (sequences, states, iterations, seed)}. */
    static InternalRow states(SplittableRandom random, int size) {
        int letters = 1 + random.nextInt(MAX_SYMBOLS);
        return Values.row(
                sequences(random, size, letters),
                random.nextInt(REJECTED) == 0 ? 0 : 1 + random.nextInt(MAX_STATES),
                iterations(random),
                Values.sometimesNull(random, random.nextLong()));
    }

    /** Draws {@code (sequences, start, transitions, emissions, iterations, logarithms)}. */
    static InternalRow models(SplittableRandom random, int size) {
        int states = 1 + random.nextInt(MAX_STATES);
        int letters = 1 + random.nextInt(MAX_SYMBOLS);
        int kind = random.nextInt(4);
        boolean logs = random.nextInt(3) == 0;
        return Values.row(
                sequences(random, size, letters),
                Values.sometimesNull(
                        random, Values.array(probabilities(random, kind, states, logs)), DataTypes.DoubleType),
                matrix(random, kind, states, states, logs),
                matrix(random, kind, states, letters, logs),
                iterations(random),
                logs);
    }

    private static int iterations(SplittableRandom random) {
        return random.nextInt(REJECTED) == 0 ? 0 : 1 + random.nextInt(4);
    }

    private static ArrayData sequences(SplittableRandom random, int size, int letters) {
        int count = random.nextInt(REJECTED) == 0 ? 0 : 1 + random.nextInt(MAX_SEQUENCES);
        Object[] sequences = new Object[count];
        Arrays.setAll(sequences, i -> {
            int length = random.nextInt(REJECTED) == 0 ? 0 : Math.max(1, Values.size(random, size));
            int[] symbols = random.ints(length, 0, letters).toArray();
            if (length > 0 && random.nextInt(REJECTED) == 0) {
                symbols[random.nextInt(length)] = Values.oneOf(random, -1, letters);
            }
            return random.nextInt(REJECTED) == 0 ? Values.arrayOf(new Object[1]) : Values.array(symbols);
        });
        return Values.sometimesNull(
                random, Values.arrayOf(sequences), DataTypes.createArrayType(DataTypes.IntegerType));
    }

    private static ArrayData matrix(SplittableRandom random, int kind, int rows, int columns, boolean logs) {
        Object[] matrix = new Object[rows];
        Arrays.setAll(matrix, i -> Values.array(probabilities(random, kind, columns, logs)));
        int at = random.nextInt(rows);
        switch (random.nextInt(REJECTED)) {
            case 0 -> matrix[at] = Values.array(new double[columns + 1]);
            case 1 -> matrix[at] = Values.arrayOf(new Object[columns]);
            case 2 -> matrix[at] = Values.array(1.5);
            case 3 -> matrix[at] = Values.array(Values.oneOf(random, logs ? -2e9 : -1.0, Double.NaN));
            case 4 -> matrix = Arrays.copyOf(matrix, rows - 1);
            default -> {}
        }
        return Values.sometimesNull(random, Values.arrayOf(matrix), DataTypes.createArrayType(DataTypes.DoubleType));
    }

    private static double[] probabilities(SplittableRandom random, int kind, int count, boolean logs) {
        double[] probabilities = new double[count];
        Arrays.setAll(probabilities, j -> {
            double probability =
                    switch (kind) {
                        case 0 -> 1.0 / count;
                        case 1 -> random.nextInt(6) == 0 ? 0 : random.nextDouble();
                        case 2 -> Math.scalb(random.nextDouble(), -random.nextInt(200));
                        default -> 1 - random.nextDouble();
                    };
            // the last kind may have logarithms of numbers too small for DOUBLE
            return !logs ? probability : kind < 3 ? StrictMath.log(probability) : -probability * 1_000;
        });
        return probabilities;
    }
}
