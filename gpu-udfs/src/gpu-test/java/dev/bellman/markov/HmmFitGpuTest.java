package dev.bellman.markov;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Tests {@code hmm_fit} for sequences of symbols on the GPU. */
class HmmFitGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType()
            .add("sequences", DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.IntegerType)))
            .add("states", DataTypes.IntegerType)
            .add("iterations", DataTypes.IntegerType)
            .add("seed", DataTypes.LongType);
    private static final String CALL = "try_hmm_fit(sequences, states, iterations, seed)";

    /**
     * Returns a row of sequences that are random, periodic, or mostly constant. The first sequence contains the last
     * symbol.
     */
    private static Row row(
            SplittableRandom random, int states, int symbols, int sequences, int longest, int iterations) {
        int kind = random.nextInt(3);
        Object[] all = IntStream.range(0, sequences)
                .mapToObj(i -> {
                    int first = i == 0 ? symbols - 1 : random.nextInt(symbols);
                    return IntStream.range(0, random.nextInt(1, longest + 1))
                            .mapToObj(t -> switch (kind) {
                                case 0 -> t == 0 ? first : random.nextInt(symbols);
                                case 1 -> (first + t) % symbols;
                                default -> t > 0 && random.nextInt(40) == 0 ? random.nextInt(symbols) : first;
                            })
                            .toArray();
                })
                .toArray();
        return RowFactory.create(all, states, iterations, random.nextLong(4) == 0 ? 0 : random.nextLong());
    }

    private static List<Row> rows(long seed, int count, int symbols, int sequences, int longest, int iterations) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, count)
                .mapToObj(i -> row(
                        random,
                        1 << random.nextInt(5),
                        random.nextInt(1, symbols + 1),
                        random.nextInt(1, sequences + 1),
                        longest,
                        random.nextInt(1, iterations + 1)))
                .toList();
    }

    private static void compare(List<Row> rows) {
        assertSameAsOnCpu("try_hmm_fit", rows(SCHEMA, 3, rows), CALL);
    }

    @Test
    void random() {
        compare(rows(1, 3_000, 6, 12, 20, 6));
        compare(rows(2, 200, 4, 100, 30, 20));
        compare(rows(3, 20, 128, 20, 400, 4));
    }

    /** Tests the limits of the numbers of states, symbols and iterations; the CPU solves larger rows. */
    @Test
    void limits() {
        SplittableRandom random = new SplittableRandom(4);
        List<Row> rows = new ArrayList<>();
        for (int states : new int[] {1, 2, 3, 4, 5, 8, 9, 16, 17}) {
            for (int symbols : new int[] {1, 2, 3, 127, 128, 129}) {
                rows.add(row(random, states, symbols, 5, 30, 3));
            }
        }
        rows.add(row(random, 2, 2, 2, 10, 1_000));
        rows.add(row(random, 2, 2, 2, 10, 1_001));
        compare(rows);
    }

    @Test
    void optionalArguments() {
        Dataset<Row> input = rows(SCHEMA, 2, rows(5, 200, 5, 5, 20, 1));
        assertSameAsOnCpu("try_hmm_fit", input, "try_hmm_fit(sequences, states)");
        assertSameAsOnCpu("try_hmm_fit", input, "try_hmm_fit(sequences, states, seed => seed)");
    }

    @Test
    void smallMemory() {
        withConf("spark.bellman.gpuMemory", "60k", () -> {
            compare(rows(6, 200, 5, 5, 400, 2));
            return null;
        });
    }

    @Test
    void rejectedRows() {
        Object[] sequence = {0, 1, 0};
        List<Row> rows = new ArrayList<>();
        for (Object[] sequences : new Object[][] {
            {}, {sequence, null}, {new Object[] {}}, {sequence, new Object[] {1, null}}, {new Object[] {0, -1}}
        }) {
            rows.add(RowFactory.create(sequences, 2, 3, 0L));
        }
        rows.add(RowFactory.create(new Object[] {sequence}, 0, 3, 0L));
        rows.add(RowFactory.create(new Object[] {sequence}, 2, 0, 0L));
        rows.add(RowFactory.create(new Object[] {sequence}, null, 3, 0L));
        rows.add(RowFactory.create(new Object[] {sequence, sequence}, 2, 3, 0L));
        compare(rows);
        assertThat(rows(SCHEMA, 1, rows)
                        .selectExpr(CALL + " AS model")
                        .where("model IS NULL")
                        .count())
                .isEqualTo(rows.size() - 1);
    }

    /** Tests batches in which no row has a sequence, or no sequence has a symbol. */
    @Test
    void noSequences() {
        for (Object[] sequences : new Object[][] {{}, {new Object[] {}}, {null}}) {
            List<Row> rows = List.of(RowFactory.create(sequences, 2, 3, 0L), RowFactory.create(null, 2, 3, 0L));
            assertSameAsOnCpu("try_hmm_fit", rows(SCHEMA, 1, rows), CALL);
            assertSameAsOnCpu("try_hmm_fit", rows(SCHEMA, 1, rows.subList(0, 1)), CALL);
        }
    }
}
