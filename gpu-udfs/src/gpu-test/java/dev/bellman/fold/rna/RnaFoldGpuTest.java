package dev.bellman.fold.rna;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code rna_fold} and {@code rna_fold_energy} on the GPU. */
class RnaFoldGpuTest extends GpuTest {
    private static final StructType SCHEMA =
            new StructType().add("seq", DataTypes.StringType).add("options", DataTypes.StringType);

    private static final List<String> OPTIONS =
            List.of("", "dangles 0", "no_lp", "temperature 25", "no_lp temperature 61.5 dangles 0", " no_lp ");

    private static Dataset<Row> table(List<Row> rows) {
        return rows(SCHEMA, 3, rows);
    }

    private static Row row(String seq) {
        return RowFactory.create(seq, "");
    }

    private static Dataset<Row> sequences(long seed, int count, int size) {
        return table(RnaSequences.random(seed, count, size).stream()
                .map(RnaFoldGpuTest::row)
                .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"rna_fold", "rna_fold_energy"})
    void random(String function) {
        assertSameAsOnCpu(sequences(1, 20_000, 60), function + "(seq)");
        assertSameAsOnCpu(sequences(2, 2_000, 300), function + "(seq)");
        assertSameAsOnCpu(sequences(3, 100, 1_200), function + "(seq)");
    }

    @Test
    void sizes() {
        List<Row> rows =
                RnaSequences.ofSizes().stream().map(RnaFoldGpuTest::row).toList();
        assertSameAsOnCpu(table(rows), "rna_fold(seq)");
    }

    @Test
    void longOnes() {
        SplittableRandom random = new SplittableRandom(5);
        List<Row> rows = new ArrayList<>();
        for (int n : new int[] {1_023, 1_024, 1_500, 2_047, 2_049, 2_600}) {
            rows.add(row(RnaSequences.uniform(random, n, "ACGU")));
            rows.add(row(RnaSequences.uniform(random, n, "GGCCAU")));
        }
        // sequences with many candidates for multiloop branches from each base, and with a single helix
        rows.add(row("GGGAAACCC".repeat(150)));
        rows.add(row("G".repeat(700) + "C".repeat(700)));
        assertSameAsOnCpu(table(rows), "rna_fold(seq)");
    }

    /** Tests helices of 20 to 180 pairs, some of whose energies are too low for 16 bits. */
    @Test
    void lowEnergies() {
        SplittableRandom random = new SplittableRandom(10);
        List<Row> rows = new ArrayList<>();
        for (int pairs = 20; pairs <= 180; pairs++) {
            String loop = RnaSequences.uniform(random, 3 + random.nextInt(9), "ACGU");
            rows.add(row("G".repeat(pairs) + loop + "C".repeat(pairs)));
            rows.add(row(RnaSequences.uniform(random, 2 * pairs, "GGGGCCCCA")));
        }
        assertSameAsOnCpu(table(rows), "rna_fold(seq)");
        assertSameAsOnCpu(table(rows), "rna_fold(seq, 'no_lp temperature 5')");
    }

    /** Tests bases with more multiloop candidates than fit in the table. */
    @Test
    void manyBranches() {
        List<Row> rows = new ArrayList<>();
        for (int times = 1; times <= 80; times++) {
            rows.add(row("GGGAAACCC".repeat(times)));
            rows.add(row("GGGGAAAACCCCA".repeat(Math.min(times, 55))));
        }
        assertSameAsOnCpu(table(rows), "rna_fold(seq)");
        assertSameAsOnCpu(table(rows), "rna_fold_energy(seq, 'no_lp')");
    }

    /**
     * Tests lengths near two kinds of limits: where a block needs more memory, and where a table no longer fits in the
     * shared memory of one, two or four blocks.
     */
    @Test
    void lengths() {
        SplittableRandom random = new SplittableRandom(11);
        for (int from : new int[] {100, 155, 230, 370, 795, 1_210, 1_670}) {
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < (from < 500 ? 300 : 60); i++) {
                rows.add(row(RnaSequences.uniform(random, from + random.nextInt(40), "ACGU")));
            }
            assertSameAsOnCpu(table(rows), "rna_fold(seq)");
        }
    }

    /** Tests separate options for each row, including constraints and invalid options. */
    @Test
    void options() {
        SplittableRandom random = new SplittableRandom(6);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            String seq = RnaInstances.bases(random, 120);
            String options =
                    switch (random.nextInt(12)) {
                        case 0 -> null;
                        case 1 -> "dangles 1";
                        case 2 -> "constraint " + ".".repeat(seq.length());
                        case 3 -> random.nextBoolean() ? "dangles 3" : "dangles 4";
                        default -> OPTIONS.get(random.nextInt(OPTIONS.size()));
                    };
            String spoiled = random.nextInt(40) == 0 ? seq + "-" : seq;
            rows.add(RowFactory.create(random.nextInt(30) == 0 ? null : spoiled, options));
        }
        assertSameAsOnCpu(table(rows), "try_rna_fold(seq, options)");
        assertSameAsOnCpu(table(rows), "try_rna_fold_energy(seq, options)");
        assertSameAsOnCpu(table(rows), "try_rna_fold(seq, 'temperature 30 no_lp')");
    }

    /** Tests more different options than a batch can have models. */
    @Test
    void manyOptions() {
        SplittableRandom random = new SplittableRandom(7);
        List<Row> rows = IntStream.range(0, 400)
                .mapToObj(i -> RowFactory.create(RnaInstances.bases(random, 50), "temperature " + (20 + i % 40)))
                .toList();
        assertSameAsOnCpu(table(rows), "rna_fold(seq, options)");
    }

    /** Sequences that do not fit in GPU memory are folded on the CPU. */
    @Test
    void littleMemory() {
        withConf("spark.bellman.gpuMemory", "400k", () -> {
            assertSameAsOnCpu(sequences(8, 300, 400), "rna_fold(seq)");
        });
    }

    @Test
    void noRows() {
        assertSameAsOnCpu(sequences(9, 30, 50).where("length(seq) > 1000"), "rna_fold(seq)");
        assertSameAsOnCpu(table(List.of(RowFactory.create(null, null))), "try_rna_fold(seq, options)");
    }

    @Test
    void failsAsOnCpu() {
        Dataset<Row> wrong = table(List.of(row("GGGAAACCC"), row("GGXAAACCC"))).coalesce(1);
        assertSameFailure(wrong, "rna_fold(seq)").contains("[BELLMAN_INPUT_VALUE]");
        Dataset<Row> longest = table(List.of(row("A".repeat(32_768)))).coalesce(1);
        assertThat(failure(longest, "rna_fold(seq)")).contains("[BELLMAN_LIMIT]");
    }
}
