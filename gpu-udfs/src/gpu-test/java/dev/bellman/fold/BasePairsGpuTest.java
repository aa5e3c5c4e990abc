package dev.bellman.fold;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code max_base_pairs} and {@code max_base_pairs_structure} on the GPU. */
class BasePairsGpuTest extends GpuTest {
    private static final StructType SCHEMA =
            new StructType().add("seq", DataTypes.StringType).add("min_loop", DataTypes.IntegerType);

    private static Dataset<Row> sequences(long seed, int count, int size, boolean valid) {
        SplittableRandom random = new SplittableRandom(seed);
        Integer[] loops = {0, 1, 2, 3, 3, 7, size, Integer.MAX_VALUE};
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String seq = RnaInstances.bases(random, i < 140 ? i : size);
            Integer loop = loops[random.nextInt(loops.length)];
            if (!valid && i % 30 == 7) {
                seq = i % 60 == 7 ? seq + "X" : null;
            } else if (!valid && i % 30 == 9) {
                loop = i % 60 == 9 ? Integer.valueOf(-1) : null;
            }
            rows.add(RowFactory.create(seq, loop));
        }
        return rows(SCHEMA, 3, rows);
    }

    @ParameterizedTest
    @ValueSource(strings = {"max_base_pairs", "max_base_pairs_structure"})
    void random(String function) {
        assertSameAsOnCpu(sequences(1, 20_000, 100, true), function + "(seq)");
        assertSameAsOnCpu(sequences(2, 1_000, 700, true), function + "(seq, min_loop)");
        assertSameAsOnCpu(sequences(3, 40, 3_000, true), function + "(seq, 0)");
        assertSameAsOnCpu(sequences(4, 3_000, 80, false), "try_" + function + "(seq, min_loop)");
    }

    /** Sequences that do not fit in GPU memory are solved on the CPU. */
    @Test
    void littleMemory() {
        withConf("spark.bellman.gpuMemory", "200k", () -> {
            assertSameAsOnCpu(sequences(5, 300, 600, true), "max_base_pairs(seq)");
        });
    }

    @Test
    void failsAsOnCpu() {
        Dataset<Row> wrong = sequences(6, 100, 50, false).coalesce(1);
        assertSameFailure(wrong, "max_base_pairs(seq, min_loop)").contains("[BELLMAN_INPUT_VALUE]");
    }
}
