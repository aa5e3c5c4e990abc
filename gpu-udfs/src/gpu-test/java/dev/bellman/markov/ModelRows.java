package dev.bellman.markov;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Creates rows of models and sequences for the tests in this package. */
final class ModelRows {
    private static final DataType NUMBERS = DataTypes.createArrayType(DataTypes.DoubleType);
    private static final DataType MATRIX = DataTypes.createArrayType(NUMBERS);
    static final StructType SCHEMA = new StructType()
            .add("start", NUMBERS)
            .add("transitions", MATRIX)
            .add("emissions", MATRIX)
            .add("letters", MATRIX)
            .add("symbols", DataTypes.createArrayType(DataTypes.IntegerType));

    /** The arguments, with one row of emissions for each step, or with symbols. */
    static final List<String> ARGUMENTS =
            List.of("(start, transitions, emissions)", "(start, transitions, letters, symbols)");

    /** The arguments for {@link #logarithms}. */
    static final List<String> ARGUMENTS_WITH_LOGARITHMS = ARGUMENTS.stream()
            .map(each -> each.replace(")", ", logarithms => size(symbols) % 2 = 0)"))
            .toList();

    /** The arguments for {@link #withRejected}. */
    static final List<String> ARGUMENTS_OF_REJECTED = ARGUMENTS.stream()
            .flatMap(each -> Stream.of(each, each.replace(")", ", logarithms => true)")))
            .toList();

    private ModelRows() {}

    private static Double[] weights(SplittableRandom random, int kind, int count) {
        return Stream.generate(() -> switch (kind) {
                    case 0 -> random.nextInt(1, 4) / 4.0;
                    case 1 -> random.nextInt(8) == 0 ? 0.0 : random.nextDouble();
                    case 2 -> Math.scalb(1 + random.nextDouble(), random.nextInt(-1_070, 1_000));
                    case 3 -> random.nextInt(8) == 0 ? Double.NEGATIVE_INFINITY : (random.nextDouble() - 0.5) * 300;
                    case 4 -> -(double) random.nextInt(3);
                    default -> (random.nextDouble() - 0.5) * Math.scalb(1.0, random.nextInt(31));
                })
                .limit(count)
                .toArray(Double[]::new);
    }

    private static Double[][] matrix(SplittableRandom random, int kind, int rows, int columns) {
        return matrix(rows, () -> weights(random, kind, columns));
    }

    static Double[][] matrix(int rows, Supplier<Double[]> row) {
        return Stream.generate(row).limit(rows).toArray(Double[][]::new);
    }

    static List<Row> models(long seed, int count, int mostStates, int mostSteps) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, count)
                .mapToObj(i -> model(random, random.nextInt(1, mostStates + 1), random.nextInt(1, mostSteps)))
                .toList();
    }

    /** Returns models, about half of which contain logarithms: those of sequences with an even number of steps. */
    static List<Row> logarithms(long seed, int count, int mostStates, int mostSteps) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    int steps = random.nextInt(1, mostSteps);
                    int kind = steps % 2 == 0 ? random.nextInt(3, 6) : random.nextInt(3);
                    return model(random, random.nextInt(1, mostStates + 1), steps, kind);
                })
                .toList();
    }

    /** Returns a model with ties, impossible transitions, or weights of all magnitudes. */
    static Row model(SplittableRandom random, int states, int steps) {
        return model(random, states, steps, random.nextInt(3));
    }

    private static Row model(SplittableRandom random, int states, int steps, int kind) {
        int letters = random.nextInt(1, 6);
        return RowFactory.create(
                weights(random, kind, states),
                matrix(random, kind, states, states),
                matrix(random, kind, steps, states),
                matrix(random, kind, states, letters),
                random.ints(steps, 0, letters).boxed().toArray(Integer[]::new));
    }

    /** Returns models that have the same number of states, without emissions for each step. */
    static List<Row> withSymbols(long seed, int count, int states, int mostSymbols) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, count)
                .mapToObj(i -> {
                    int kind = random.nextInt(3);
                    int letters = random.nextInt(1, mostSymbols + 1);
                    return RowFactory.create(
                            weights(random, kind, states),
                            matrix(random, kind, states, states),
                            null,
                            matrix(random, kind, states, letters),
                            random.ints(random.nextInt(35, 64), 0, letters)
                                    .boxed()
                                    .toArray(Integer[]::new));
                })
                .toList();
    }

    /**
     * Returns models, one of which has NULL arguments. For each reason for a rejection, at least one model is rejected.
     */
    static List<Row> withRejected() {
        Double[] one = {1.0};
        Double[][] matrix = {one};
        Integer[] symbols = {0};
        Row valid = RowFactory.create(one, matrix, matrix, matrix, symbols);
        List<Row> rows = new ArrayList<>(Collections.nCopies(100, valid));
        rows.add(RowFactory.create(new Double[0], matrix, matrix, matrix, symbols));
        rows.add(RowFactory.create(new Double[] {null}, matrix, matrix, matrix, symbols));
        rows.add(RowFactory.create(new Double[] {-1.0}, matrix, matrix, matrix, symbols));
        rows.add(RowFactory.create(new Double[] {Double.NaN}, matrix, matrix, matrix, symbols));
        rows.add(RowFactory.create(one, new Double[][] {null}, matrix, matrix, symbols));
        rows.add(RowFactory.create(one, new Double[][] {{1.0, 1.0}}, matrix, matrix, symbols));
        rows.add(RowFactory.create(one, new Double[0][], matrix, matrix, symbols));
        rows.add(RowFactory.create(one, matrix, new Double[0][], new Double[0][], symbols));
        rows.add(RowFactory.create(one, matrix, new Double[][] {one, null}, new Double[][] {{}}, symbols));
        rows.add(RowFactory.create(
                one, matrix, new Double[][] {{Double.POSITIVE_INFINITY}}, new Double[][] {null}, symbols));
        rows.add(RowFactory.create(one, matrix, matrix, matrix, new Integer[0]));
        rows.add(RowFactory.create(one, matrix, matrix, matrix, new Integer[] {null}));
        rows.add(RowFactory.create(one, matrix, matrix, matrix, new Integer[] {1}));
        rows.add(RowFactory.create(one, matrix, matrix, matrix, new Integer[] {-1}));
        // a GPU rejects this row only when it solves it
        rows.add(RowFactory.create(one, matrix, new Double[][] {{0.0}}, new Double[][] {{-0.0}}, symbols));
        // with logarithms, the outcome for the next two rows is different
        rows.add(RowFactory.create(new Double[] {Double.NEGATIVE_INFINITY}, matrix, matrix, matrix, symbols));
        rows.add(RowFactory.create(one, new Double[][] {{2e9}}, matrix, matrix, symbols));
        rows.add(RowFactory.create(one, null, matrix, matrix, null));
        return rows;
    }
}
