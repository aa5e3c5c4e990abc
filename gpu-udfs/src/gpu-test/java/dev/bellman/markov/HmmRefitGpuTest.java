package dev.bellman.markov;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Tests {@code hmm_refit} for sequences of symbols on the GPU. */
class HmmRefitGpuTest extends GpuTest {
    private static final DataType NUMBERS = DataTypes.createArrayType(DataTypes.DoubleType);
    private static final DataType MATRIX = DataTypes.createArrayType(NUMBERS);
    private static final StructType SCHEMA = new StructType()
            .add("sequences", DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.IntegerType)))
            .add("start", NUMBERS)
            .add("transitions", MATRIX)
            .add("emissions", MATRIX)
            .add("iterations", DataTypes.IntegerType)
            .add("logs", DataTypes.BooleanType);

    private static void compare(List<Row> rows) {
        assertSameAsOnCpu(
                rows(SCHEMA, 3, rows), "try_hmm_refit(sequences, start, transitions, emissions, iterations, logs)");
        assertSameAsOnCpu(rows(SCHEMA, 2, rows), "try_hmm_refit(sequences, start, transitions, emissions)");
    }

    private static Double[] probabilities(SplittableRandom random, int kind, int count, boolean logs) {
        return Stream.generate(() -> switch (kind) {
                    case 0 -> 1.0 / count;
                    case 1 -> random.nextInt(4) == 0 ? -0.0 : random.nextDouble();
                    case 2 -> Math.scalb(random.nextDouble(), -random.nextInt(200));
                    default -> random.nextDouble();
                })
                .map(each -> logs ? StrictMath.log(Math.abs(each)) : each)
                .limit(count)
                .toArray(Double[]::new);
    }

    /** @param logs whether the model may contain logarithms; the CPU solves such rows */
    private static Row row(SplittableRandom random, int states, int symbols, int longest, boolean logs) {
        int kind = random.nextInt(4);
        boolean areLogs = logs && random.nextInt(20) == 0;
        Object[] sequences = IntStream.range(0, random.nextInt(1, 10))
                .mapToObj(i ->
                        random.ints(random.nextInt(1, longest + 1), 0, symbols).toArray())
                .toArray();
        return RowFactory.create(
                sequences,
                probabilities(random, kind, states, areLogs),
                ModelRows.matrix(states, () -> probabilities(random, kind, states, areLogs)),
                ModelRows.matrix(states, () -> probabilities(random, kind % 3, symbols, areLogs)),
                random.nextInt(1, 6),
                areLogs);
    }

    @Test
    void random() {
        SplittableRandom random = new SplittableRandom(1);
        compare(Stream.generate(() -> row(random, random.nextInt(1, 9), random.nextInt(1, 7), 20, true))
                .limit(3_000)
                .toList());
    }

    /** Tests the limits of the numbers of states and symbols; the CPU solves larger rows. */
    @Test
    void limits() {
        SplittableRandom random = new SplittableRandom(2);
        List<Row> rows = new ArrayList<>();
        for (int states : new int[] {1, 2, 3, 4, 5, 8, 9, 16, 17}) {
            for (int symbols : new int[] {1, 2, 3, 127, 128, 129}) {
                rows.add(row(random, states, symbols, 30, false));
            }
        }
        compare(rows);
    }

    @Test
    void rejectedRows() {
        Object[] sequences = {new Integer[] {0, 1, 0}};
        Double[] start = {1.0, 0.0};
        Double[][] moves = {{0.5, 0.5}, {0.25, 0.75}};
        List<Row> rows = new ArrayList<>();
        for (Object[] rejected : new Object[][] {
            {}, {null}, {new Integer[0]}, {new Integer[] {0, null}}, {new Integer[] {0, -1}}, {new Integer[] {2}}
        }) {
            rows.add(RowFactory.create(rejected, start, moves, moves, 2, false));
        }
        for (Double wrong : new Double[] {null, Double.NaN, -1.0, 1.5}) {
            Double[][] changed = {{0.5, 0.5}, {0.25, wrong}};
            rows.add(RowFactory.create(sequences, new Double[] {wrong, 0.0}, moves, moves, 2, false));
            rows.add(RowFactory.create(sequences, start, changed, moves, 2, false));
            rows.add(RowFactory.create(sequences, start, moves, changed, 2, false));
        }
        rows.add(RowFactory.create(sequences, new Double[0], moves, moves, 2, false));
        rows.add(RowFactory.create(sequences, start, new Double[][] {{0.5, 0.5}}, moves, 2, false));
        rows.add(RowFactory.create(sequences, start, moves, new Double[][] {{0.5, 0.5}, {1.0}}, 2, false));
        rows.add(RowFactory.create(sequences, start, moves, new Double[][] {{}, {}}, 2, false));
        rows.add(RowFactory.create(sequences, start, moves, moves, 0, false));
        rows.add(RowFactory.create(sequences, start, moves, null, 2, false));
        rows.add(RowFactory.create(sequences, start, moves, moves, 2, false));
        compare(rows);
    }
}
