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

class RnaEvalGpuTest extends GpuTest {
    private static final String FUNCTION = "rna_eval";
    private static final StructType SCHEMA = new StructType()
            .add("seq", DataTypes.StringType)
            .add("structure", DataTypes.StringType)
            .add("options", DataTypes.StringType);

    private static Dataset<Row> table(List<Row> rows) {
        return rows(SCHEMA, 3, rows);
    }

    private static Row row(String seq, String structure) {
        return RowFactory.create(seq, structure, "");
    }

    /** Returns rows that include NULLs, invalid sequences, and invalid structures. */
    private static Dataset<Row> random(long seed, int count, int size) {
        SplittableRandom random = new SplittableRandom(seed);
        return instances(
                SCHEMA,
                3,
                Stream.generate(() -> RnaInstances.structureAndOptions(random, size))
                        .limit(count));
    }

    @Test
    void random() {
        assertSameAsOnCpu(random(1, 30_000, 60), "try_rna_eval(seq, structure, options)");
        assertSameAsOnCpu(random(2, 3_000, 300), "try_rna_eval(seq, structure)");
        assertSameAsOnCpu(random(3, 100, 3_000), "try_rna_eval(seq, structure, 'dangles 0')");
    }

    /**
     * Tests loops with up to about 100 unpaired bases, including sizes that no optimal structure contains, and many
     * branches.
     */
    @Test
    void largeLoops() {
        List<Row> rows = new ArrayList<>();
        for (int size = 0; size < 100; size++) {
            String loop = "A".repeat(size);
            rows.add(row("G" + loop + "GAAAC" + "C", "(" + ".".repeat(size) + "(...)" + ")"));
            rows.add(row("GC" + loop + "GAAAC" + "GAC", "(." + ".".repeat(size) + "(...)" + "..)"));
            rows.add(row("AG" + loop + "AAA" + "UA", ".(" + ".".repeat(size) + "...)."));
            rows.add(row("G" + "GAAAC".repeat(size) + "C", "(" + "(...)".repeat(size) + ")"));
            rows.add(row("GAAAC".repeat(size), "(...)".repeat(size)));
        }
        assertSameAsOnCpu(table(rows), "try_rna_eval(seq, structure)");
    }

    /** Tests unbalanced and invalid brackets at each position of a word, and very short structures. */
    @Test
    void unbalanced() {
        List<Row> rows = new ArrayList<>(List.of(row("", ""), row("A", "."), row("GC", "()"), row("A", "")));
        for (int n : new int[] {31, 32, 33, 64, 65}) {
            for (int at = 0; at < n; at++) {
                for (String bracket : List.of("(", ")", "[")) {
                    rows.add(row("G".repeat(n), ".".repeat(at) + bracket + ".".repeat(n - at - 1)));
                }
            }
            rows.add(row("G".repeat(n), "(".repeat(n)));
            rows.add(row("G".repeat(n), ")".repeat(n)));
        }
        assertSameAsOnCpu(table(rows), "try_rna_eval(seq, structure)");
    }

    @Test
    void longest() {
        String helix = "G".repeat(16_000) + "AAAA" + "C".repeat(16_000);
        String pairs = "(".repeat(16_000) + "...." + ")".repeat(16_000);
        List<Row> rows = List.of(
                row(helix, pairs),
                row(helix, ".".repeat(helix.length())),
                row("G" + "GAAAC".repeat(6_500) + "C", "(" + "(...)".repeat(6_500) + ")"),
                row("A".repeat(32_768), ".".repeat(32_768)));
        assertSameAsOnCpu(table(rows), "try_rna_eval(seq, structure)");
    }

    @Test
    void failsAsOnCpu() {
        for (Row wrong : List.of(row("GGGAAACCC", "(((..))))"), row("GAAAAAAAC", "(.......)."), row("GAAG", "(..)"))) {
            Dataset<Row> table = table(List.of(row("GAAAC", "(...)"), wrong)).coalesce(1);
            assertSameFailure(table, "rna_eval(seq, structure)").contains("[BELLMAN_INPUT_VALUE]", FUNCTION);
        }
    }
}
