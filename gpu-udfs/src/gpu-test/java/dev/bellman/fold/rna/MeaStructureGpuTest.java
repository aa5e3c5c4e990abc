package dev.bellman.fold.rna;

import dev.bellman.GpuTest;
import dev.bellman.fold.RnaInstances;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class MeaStructureGpuTest extends GpuTest {
    private static final String FUNCTION = "mea_structure";
    private static final StructType SCHEMA = new StructType()
            .add("seq", DataTypes.StringType)
            .add("gamma", DataTypes.DoubleType)
            .add("options", DataTypes.StringType);

    private static final List<Double> GAMMAS = List.of(0.0, 0.3, 1.0, 40.0, 1e6);

    private static Dataset<Row> table(List<Row> rows) {
        return rows(SCHEMA, 3, rows);
    }

    private static Dataset<Row> sequences(List<String> sequences) {
        List<Row> rows = new ArrayList<>();
        for (String seq : sequences) {
            rows.add(RowFactory.create(seq, GAMMAS.get(rows.size() % GAMMAS.size()), "temperature 45"));
        }
        return table(rows);
    }

    @Test
    void random() {
        String call = FUNCTION + "(seq, gamma";
        assertSameAsOnCpu(sequences(RnaSequences.random(31, 3_000, 60)), call + ")");
        assertSameAsOnCpu(sequences(RnaSequences.random(32, 200, 300)), call + ")");
        assertSameAsOnCpu(sequences(RnaSequences.ofSizes()), call + ")");
        assertSameAsOnCpu(sequences(RnaSequences.random(33, 500, 90)), call + ", options)");
    }

    /** Tests probabilities far below the precision of DOUBLE, many equal sums, and many candidates. */
    @Test
    void uneven() {
        List<String> sequences = new ArrayList<>();
        for (int times = 0; times < GAMMAS.size(); times++) {
            sequences.add("N".repeat(200) + "G".repeat(135) + "AAAA" + "C".repeat(135));
            sequences.add("GGGGGGGGAAAACCCCCCCC".repeat(20));
            sequences.add("GU".repeat(150));
        }
        assertSameAsOnCpu(sequences(sequences), FUNCTION + "(seq, gamma)");
    }

    /** Tests NULLs, and invalid sequences, numbers and options. */
    @Test
    void rejected() {
        SplittableRandom random = new SplittableRandom(34);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            InternalRow row = RnaInstances.sequenceAndGamma(random, 70);
            Double gamma = row.isNullAt(1) ? null : row.getDouble(1);
            rows.add(RowFactory.create(
                    row.isNullAt(0) ? null : row.getString(0),
                    i % 50 == 0 ? Double.valueOf(Double.NaN) : i % 50 == 1 ? Double.valueOf(1_000_001) : gamma,
                    row.isNullAt(2) ? null : row.getString(2)));
        }
        assertSameAsOnCpu(table(rows), "try_" + FUNCTION + "(seq, gamma, options)");
        assertSameAsOnCpu(table(rows), "try_" + FUNCTION + "(seq, gamma)");
    }

    /** Sequences that do not fit in GPU memory are solved on the CPU. */
    @Test
    void littleMemory() {
        withConf("spark.bellman.gpuMemory", "1m", () -> {
            assertSameAsOnCpu(sequences(RnaSequences.random(35, 60, 300)), FUNCTION + "(seq, gamma)");
        });
    }

    @Test
    void failsAsOnCpu() {
        Dataset<Row> wrong =
                table(List.of(RowFactory.create("GGGAAACCC", -1.0, ""))).coalesce(1);
        assertSameFailure(wrong, FUNCTION + "(seq, gamma)").contains("[BELLMAN_INPUT_VALUE]", "gamma");
    }
}
