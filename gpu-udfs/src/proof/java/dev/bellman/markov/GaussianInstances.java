package dev.bellman.markov;

import dev.bellman.proof.Values;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * Generates models whose states emit normally distributed numbers, with equal states, impossible transitions and tiny
 * probabilities, together with values close to the means and far from them. Some rows are rejected.
 */
final class GaussianInstances {
    private static final int REJECTED = 300;

    private static final int MAX_STATES = 5;
    private static final int MAX_SEQUENCES = 4;

    /** The number of kinds of models; the means of the last kind, and its values, have all magnitudes. */
    private static final int KINDS = 5;

    /** The number of dimensions that stands for plain numbers; points have at least one dimension. */
    private static final int NUMBERS = 0;

    private static final int MAX_DIMENSIONS = 3;

    private GaussianInstances() {}

    /** Draws {@code (start, transitions, emissions, values, logarithms)}. */
    static InternalRow values(SplittableRandom random, int size) {
        return values(random, size, NUMBERS);
    }

    /** Like {@link #values}, but draws points. */
    static InternalRow points(SplittableRandom random, int size) {
        return values(random, size, dimensions(random));
    }

    private static int dimensions(SplittableRandom random) {
        return 1 + random.nextInt(MAX_DIMENSIONS);
    }

    private static InternalRow values(SplittableRandom random, int size, int dimensions) {
        int kind = random.nextInt(KINDS);
        int states = 1 + random.nextInt(MAX_STATES);
        boolean logs = random.nextInt(3) == 0;
        return Values.row(
                start(random, kind, states, logs),
                transitions(random, kind, states, logs),
                emissions(random, kind, states, dimensions),
                sequence(random, kind, size, dimensions),
                logs);
    }

    /** Draws {@code (sequences, states, iterations, seed, min_variance)}. */
    static InternalRow states(SplittableRandom random, int size) {
        return states(random, size, NUMBERS);
    }

    /** Like {@link #states}, but draws points. */
    static InternalRow statesOfPoints(SplittableRandom random, int size) {
        return states(random, size, dimensions(random));
    }

    private static InternalRow states(SplittableRandom random, int size, int dimensions) {
        return Values.row(
                sequences(random, random.nextInt(KINDS), size, dimensions),
                random.nextInt(REJECTED) == 0 ? 0 : 1 + random.nextInt(MAX_STATES),
                iterations(random),
                Values.sometimesNull(random, random.nextLong()),
                minVariance(random));
    }

    /** Draws {@code (sequences, start, transitions, emissions, iterations, logarithms, min_variance)}. */
    static InternalRow models(SplittableRandom random, int size) {
        return models(random, size, NUMBERS);
    }

    /** Like {@link #models}, but draws points. */
    static InternalRow modelsOfPoints(SplittableRandom random, int size) {
        return models(random, size, dimensions(random));
    }

    private static InternalRow models(SplittableRandom random, int size, int dimensions) {
        int kind = random.nextInt(KINDS);
        int states = 1 + random.nextInt(MAX_STATES);
        boolean logs = random.nextInt(3) == 0;
        return Values.row(
                sequences(random, kind, size, dimensions),
                start(random, kind, states, logs),
                transitions(random, kind, states, logs),
                emissions(random, kind, states, dimensions),
                iterations(random),
                logs,
                minVariance(random));
    }

    private static int iterations(SplittableRandom random) {
        return random.nextInt(REJECTED) == 0 ? 0 : 1 + random.nextInt(4);
    }

    private static double minVariance(SplittableRandom random) {
        return random.nextInt(REJECTED) == 0
                ? Values.oneOf(random, 0.0, 1e201, Double.NaN)
                : Math.pow(10, random.nextInt(4) == 0 ? random.nextInt(-79, 200) : -random.nextInt(8));
    }

    private static ArrayData sequences(SplittableRandom random, int kind, int size, int dimensions) {
        Object[] sequences = new Object[random.nextInt(REJECTED) == 0 ? 0 : 1 + random.nextInt(MAX_SEQUENCES)];
        Arrays.setAll(sequences, i -> sequence(random, kind, size, dimensions));
        DataType numbers = DataTypes.createArrayType(DataTypes.DoubleType);
        return Values.sometimesNull(
                random,
                Values.arrayOf(sequences),
                dimensions == NUMBERS ? numbers : DataTypes.createArrayType(numbers));
    }

    private static ArrayData start(SplittableRandom random, int kind, int states, boolean logs) {
        double[] start = probabilities(random, kind, states, logs);
        if (random.nextInt(REJECTED) == 0) {
            start[random.nextInt(states)] = Values.oneOf(random, 1.5, logs ? -2e9 : -1.0, Double.NaN);
        }
        return Values.sometimesNull(random, Values.array(start), DataTypes.DoubleType);
    }

    private static ArrayData transitions(SplittableRandom random, int kind, int states, boolean logs) {
        Object[] rows = new Object[states];
        Arrays.setAll(rows, i -> Values.array(probabilities(random, kind, states, logs)));
        return matrix(random, rows, states);
    }

    private static ArrayData emissions(SplittableRandom random, int kind, int states, int dimensions) {
        Object[] rows = new Object[states];
        double[] pairs = new double[2 * Math.max(1, dimensions)];
        Arrays.setAll(rows, i -> {
            Arrays.setAll(pairs, k -> k % 2 == 0 ? value(random, kind) : variance(random, kind));
            return Values.array(pairs.clone());
        });
        if (random.nextInt(REJECTED) == 0) {
            rows[random.nextInt(states)] = Values.oneOf(
                    random,
                    Values.array(1e101, 1),
                    Values.array(0, 0.0),
                    Values.array(0, -1.0),
                    Values.array(0, 1e201),
                    Values.array(Double.NaN, 1),
                    Values.array(0, Double.POSITIVE_INFINITY));
        }
        return matrix(random, rows, pairs.length);
    }

    private static ArrayData matrix(SplittableRandom random, Object[] rows, int columns) {
        Object[] matrix = rows;
        switch (random.nextInt(REJECTED)) {
            case 0 -> matrix[random.nextInt(rows.length)] = Values.array(new double[columns + 1]);
            case 1 -> matrix[random.nextInt(rows.length)] = Values.arrayOf(new Object[columns]);
            case 2 -> matrix = Arrays.copyOf(rows, rows.length - 1);
            default -> {}
        }
        return Values.sometimesNull(random, Values.arrayOf(matrix), DataTypes.createArrayType(DataTypes.DoubleType));
    }

    private static ArrayData sequence(SplittableRandom random, int kind, int size, int dimensions) {
        int length = random.nextInt(REJECTED) == 0 ? 0 : Math.max(1, Values.size(random, size));
        if (dimensions == NUMBERS) {
            return Values.sometimesNull(random, numbers(random, kind, length), DataTypes.DoubleType);
        }
        Object[] points = new Object[length];
        Arrays.setAll(points, t -> {
            if (random.nextInt(10 * REJECTED) == 0) {
                return Values.oneOf(random, null, Values.arrayOf(new Object[dimensions]));
            }
            int count = random.nextInt(REJECTED) > 0 || random.nextInt(10) > 0
                    ? dimensions
                    : Values.oneOf(random, 0, dimensions - 1, dimensions + 1);
            return numbers(random, kind, count);
        });
        return Values.sometimesNull(random, Values.arrayOf(points), DataTypes.createArrayType(DataTypes.DoubleType));
    }

    private static ArrayData numbers(SplittableRandom random, int kind, int length) {
        double[] values = new double[length];
        Arrays.setAll(values, t -> value(random, random.nextInt(20) == 0 ? KINDS - 1 : kind));
        if (length > 0 && random.nextInt(REJECTED) == 0) {
            values[random.nextInt(length)] = Values.oneOf(random, 1e101, Double.NaN, Double.NEGATIVE_INFINITY);
        }
        return Values.array(values);
    }

    private static double value(SplittableRandom random, int kind) {
        return switch (kind) {
            case 0 -> random.nextInt(-2, 3);
            case KINDS - 1 -> (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(-100, 101));
            default -> (random.nextDouble() - 0.5) * 10;
        };
    }

    private static double variance(SplittableRandom random, int kind) {
        return switch (kind) {
            case 0 -> 1;
            case 1, 2 -> 0.01 + random.nextDouble();
            default -> (0.1 + random.nextDouble()) * Math.pow(10, random.nextInt(-79, 200));
        };
    }

    private static double[] probabilities(SplittableRandom random, int kind, int count, boolean logs) {
        double[] probabilities = new double[count];
        Arrays.setAll(probabilities, j -> {
            double probability =
                    switch (kind) {
                        case 0 -> 1.0 / count;
                        case 1 -> random.nextInt(4) == 0 ? 0 : random.nextDouble();
                        case 2 -> Math.scalb(random.nextDouble(), -random.nextInt(1_060));
                        default -> random.nextDouble();
                    };
            return logs ? log(random, kind, probability) : probability;
        });
        return probabilities;
    }

    /** Returns the logarithm of a probability or, for some models, of one that may be too small for DOUBLE. */
    private static double log(SplittableRandom random, int kind, double probability) {
        return kind < 2 ? StrictMath.log(probability) : -probability * Math.pow(10, random.nextInt(10));
    }
}
