package dev.bellman.fold.rna;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

/** Tests {@code rna_pair_probabilities} on the GPU, whose results must equal the CPU's bit for bit. */
class RnaPairsGpuTest extends GpuTest {
    private static final String FUNCTION = "rna_pair_probabilities";
    private static final StructType SCHEMA = new StructType()
            .add("seq", DataTypes.StringType)
            .add("least", DataTypes.DoubleType)
            .add("options", DataTypes.StringType);

    private static final List<Double> MIN = Arrays.asList(0.0, 1e-300, 1e-6, 0.01, 0.5, 1.0, null);

    private static Dataset<Row> table(List<Row> rows) {
        return rows(SCHEMA, 3, rows);
    }

    private static Dataset<Row> sequences(List<String> sequences) {
        List<Row> rows = new ArrayList<>();
        for (String seq : sequences) {
            rows.add(RowFactory.create(seq, MIN.get(rows.size() % MIN.size()), "temperature 45"));
        }
        return table(rows);
    }

    @Test
    void random() {
        String call = FUNCTION + "(seq, least)";
        assertSameAsOnCpu(sequences(RnaSequences.random(11, 3_000, 60)), call);
        assertSameAsOnCpu(sequences(RnaSequences.random(12, 200, 300)), call);
        assertSameAsOnCpu(sequences(RnaSequences.ofSizes()), call);
        assertSameAsOnCpu(sequences(RnaSequences.random(13, 500, 90)), FUNCTION + "(seq, 0.001, options)");
    }

    /** Tests probabilities far below the precision of DOUBLE, and all pairs of long sequences. */
    @Test
    void uneven() {
        List<String> sequences = List.of(
                "N".repeat(200) + "G".repeat(135) + "AAAA" + "C".repeat(135),
                "G".repeat(300) + "C".repeat(300),
                "GGGGGGGGAAAACCCCCCCC".repeat(30));
        assertSameAsOnCpu(sequences(sequences), FUNCTION + "(seq, 0.0)");
    }

    /** Tests NULLs, constraints, and invalid sequences, numbers and options. */
    @Test
    void rejected() {
        SplittableRandom random = new SplittableRandom(14);
        List<Row> rows = new ArrayList<>();
        for (String seq : RnaSequences.random(15, 1_000, 70)) {
            Double least =
                    switch (random.nextInt(10)) {
                        case 0 -> null;
                        case 1 -> -1e-9;
                        case 2 -> 1.5;
                        case 3 -> Double.NaN;
                        default -> 0.01;
                    };
            String options =
                    switch (random.nextInt(8)) {
                        case 0 -> null;
                        case 1 -> "dangles 1";
                        case 2 -> "constraint " + ".".repeat(seq.length());
                        default -> "dangles 0";
                    };
            rows.add(RowFactory.create(random.nextInt(20) == 0 ? seq + "-" : seq, least, options));
        }
        assertSameAsOnCpu(table(rows), "try_" + FUNCTION + "(seq, least, options)");
        assertSameAsOnCpu(table(rows), "try_" + FUNCTION + "(seq, least)");
    }

    /** Sequences that do not fit in GPU memory are solved on the CPU. */
    @Test
    void littleMemory() {
        withConf("spark.bellman.gpuMemory", "1m", () -> {
            assertSameAsOnCpu(sequences(RnaSequences.random(16, 60, 300)), FUNCTION + "(seq, least)");
        });
    }

    @Test
    void failsAsOnCpu() {
        Dataset<Row> wrong =
                table(List.of(RowFactory.create("GGGAAACCC", 2.0, ""))).coalesce(1);
        assertSameFailure(wrong, FUNCTION + "(seq, least)").contains("[BELLMAN_INPUT_VALUE]", "min_probability");
    }
}
