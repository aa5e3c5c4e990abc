package dev.bellman.fold.rna;

import dev.bellman.GpuTest;
import dev.bellman.fold.RnaInstances;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Tests {@code rna_fold_windows} on the GPU. */
class RnaWindowsGpuTest extends GpuTest {
    private static final String FUNCTION = "rna_fold_windows";
    private static final StructType SCHEMA = new StructType()
            .add("seq", DataTypes.StringType)
            .add("size", DataTypes.IntegerType)
            .add("step", DataTypes.IntegerType)
            .add("options", DataTypes.StringType);

    private static Dataset<Row> table(List<Row> rows) {
        return rows(SCHEMA, 3, rows);
    }

    /** Returns rows that include NULLs, and invalid sequences, sizes and options. */
    private static Dataset<Row> random(long seed, int count, int size) {
        SplittableRandom random = new SplittableRandom(seed);
        return instances(
                SCHEMA,
                3,
                Stream.generate(() -> RnaInstances.windows(random, size)).limit(count));
    }

    @Test
    void random() {
        String call = "try_" + FUNCTION + "(seq, size, step";
        assertSameAsOnCpu(random(21, 5_000, 40), call + ", options)");
        assertSameAsOnCpu(random(22, 500, 200), call + ")");
    }

    /** Tests sequences of many lengths, with windows around the boundaries of classes. */
    @Test
    void sizes() {
        List<Row> rows = new ArrayList<>();
        for (String seq : RnaSequences.ofSizes()) {
            for (int size : new int[] {1, 5, 32, 120, 121, 600}) {
                rows.add(RowFactory.create(seq, size, 1 + size / 3, ""));
            }
        }
        assertSameAsOnCpu(table(rows), FUNCTION + "(seq, size, step)");
    }

    /** Tests windows that do not fit in shared memory, windows with energies beyond 16 bits, and many windows. */
    @Test
    void longOnes() {
        SplittableRandom random = new SplittableRandom(23);
        List<Row> rows = List.of(
                RowFactory.create(RnaSequences.uniform(random, 4_000, "ACGU"), 1_500, 700, ""),
                RowFactory.create("G".repeat(400) + "C".repeat(400), 780, 10, ""),
                RowFactory.create(RnaSequences.uniform(random, 20_000, "ACGU"), 60, 1, "no_lp"),
                RowFactory.create("", 100, 1, ""));
        assertSameAsOnCpu(table(rows), FUNCTION + "(seq, size, step, options)");
    }

    @Test
    void noRowWithWindows() {
        List<Row> rows = List.of(RowFactory.create("", 10, 1, ""), RowFactory.create(null, 10, 1, ""));
        assertSameAsOnCpu(table(rows), FUNCTION + "(seq, size, step)");
    }

    /** Windows that do not fit in GPU memory are folded on the CPU. */
    @Test
    void littleMemory() {
        withConf("spark.bellman.gpuMemory", "1m", () -> {
            assertSameAsOnCpu(random(24, 100, 600), "try_" + FUNCTION + "(seq, size, step)");
        });
    }

    @Test
    void failsAsOnCpu() {
        Dataset<Row> wrong =
                table(List.of(RowFactory.create("GGGAAACCC", 5, 0, ""))).coalesce(1);
        assertSameFailure(wrong, FUNCTION + "(seq, size, step)").contains("[BELLMAN_INPUT_VALUE]", "step");
    }
}
