package dev.bellman.fold.rna;

import dev.bellman.GpuTest;
import dev.bellman.fold.RnaInstances;
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

/** Tests {@code rna_ensemble} on the GPU, whose results must equal the CPU's bit for bit. */
class RnaEnsembleGpuTest extends GpuTest {
    private static final StructType SCHEMA =
            new StructType().add("seq", DataTypes.StringType).add("options", DataTypes.StringType);

    private static final List<String> OPTIONS =
            List.of("", "dangles 0", "no_lp", "temperature 25", "no_lp temperature 61.5 dangles 0", "temperature 0");

    private static Dataset<Row> table(List<Row> rows) {
        return rows(SCHEMA, 3, rows);
    }

    private static Dataset<Row> sequences(List<String> sequences) {
        return table(sequences.stream().map(seq -> RowFactory.create(seq, "")).toList());
    }

    private static Dataset<Row> sequences(long seed, int count, int size) {
        return sequences(RnaSequences.random(seed, count, size));
    }

    private static void assertSame(Dataset<Row> rows) {
        assertSameAsOnCpu(rows, "rna_ensemble(seq)");
    }

    @Test
    void random() {
        assertSame(sequences(1, 5_000, 60));
        assertSame(sequences(2, 300, 300));
        assertSame(sequences(3, 12, 1_200));
    }

    @Test
    void sizes() {
        assertSame(sequences(RnaSequences.ofSizes()));
    }

    /**
     * Tests parts that are far more or far less stable than the whole, and internal loops whose 32 unpaired bases are
     * divided in every way between the two sides.
     */
    @Test
    void uneven() {
        List<String> sequences = new ArrayList<>(List.of(
                "G".repeat(90) + "AAAA" + "C".repeat(90),
                "N".repeat(270) + "G".repeat(135) + "AAAA" + "C".repeat(135),
                "GC".repeat(36) + "GAAA" + "GC".repeat(36) + "N".repeat(400) + "GC".repeat(36) + "GAAA"
                        + "GC".repeat(36),
                "A".repeat(400) + "GGGGAAAACCCC" + "A".repeat(400),
                "GGGGGGGGAAAACCCCCCCC".repeat(40),
                "GGGAAACCC".repeat(100),
                "G".repeat(400) + "C".repeat(400)));
        for (int size = 0; size <= 32; size++) {
            sequences.add("GGGG" + "A".repeat(size) + "GGGGAAAACCCC" + "A".repeat(32 - size) + "CCCC");
        }
        assertSame(sequences(sequences));
    }

    /**
     * Tests sequences in which a sum falls below the range of level 0 (see {@code rna_ensemble.cu}) while all other
     * weights are still in this range.
     */
    @Test
    void lowSums() {
        SplittableRandom random = new SplittableRandom(5);
        List<String> sequences = new ArrayList<>(List.of("G".repeat(106)
                + "CCGGCCGCCCCCGCGCCCGCCCCCCCCCCGGCCCCGCCCCGCGGGCCCCCCCCGCCGCGC"
                + "CCCGCCCCCCCCCCCGCGCGGCGGCCCCCCGGCCG"));
        for (int i = 0; i < 100; i++) {
            int size = 150 + random.nextInt(100);
            int run = size / 4 + random.nextInt(size / 2);
            sequences.add("G".repeat(run) + RnaSequences.uniform(random, size - run, "CCCG"));
        }
        assertSame(sequences(sequences));
    }

    /** Tests separate options for each row, including constraints and invalid options. */
    @Test
    void options() {
        SplittableRandom random = new SplittableRandom(6);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            String seq = RnaInstances.bases(random, 90);
            String options =
                    switch (random.nextInt(12)) {
                        case 0 -> null;
                        case 1 -> "dangles 1";
                        case 2 -> "constraint " + ".".repeat(seq.length());
                        default -> OPTIONS.get(random.nextInt(OPTIONS.size()));
                    };
            String spoiled = random.nextInt(40) == 0 ? seq + "-" : seq;
            rows.add(RowFactory.create(random.nextInt(30) == 0 ? null : spoiled, options));
        }
        assertSameAsOnCpu(table(rows), "try_rna_ensemble(seq, options)");
        assertSameAsOnCpu(table(rows), "try_rna_ensemble(seq, 'temperature 30 no_lp')");
    }

    /** Tests more different options than a batch can have models. */
    @Test
    void manyOptions() {
        SplittableRandom random = new SplittableRandom(7);
        List<Row> rows = IntStream.range(0, 200)
                .mapToObj(i -> RowFactory.create(RnaInstances.bases(random, 50), "temperature " + (20 + i % 40)))
                .toList();
        assertSameAsOnCpu(table(rows), "rna_ensemble(seq, options)");
    }

    /** Sequences that do not fit in GPU memory are solved on the CPU. */
    @Test
    void littleMemory() {
        withConf("spark.bellman.gpuMemory", "1m", () -> assertSame(sequences(8, 100, 300)));
    }

    @Test
    void noRows() {
        assertSame(sequences(9, 30, 50).where("length(seq) > 1000"));
        assertSameAsOnCpu(table(List.of(RowFactory.create(null, null))), "try_rna_ensemble(seq, options)");
    }

    @Test
    void failsAsOnCpu() {
        Dataset<Row> wrong = sequences(List.of("GGGAAACCC", "GGXAAACCC")).coalesce(1);
        assertSameFailure(wrong, "rna_ensemble(seq)").contains("[BELLMAN_INPUT_VALUE]");
    }
}
