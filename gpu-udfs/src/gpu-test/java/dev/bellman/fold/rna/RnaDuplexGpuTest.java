package dev.bellman.fold.rna;

import dev.bellman.GpuTest;
import dev.bellman.fold.RnaInstances;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class RnaDuplexGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType()
            .add("a", DataTypes.StringType)
            .add("b", DataTypes.StringType)
            .add("options", DataTypes.StringType);

    private static Dataset<Row> table(List<Row> rows) {
        return rows(SCHEMA, 3, rows);
    }

    /** Returns rows that include NULLs, invalid strands, and invalid options. */
    private static Dataset<Row> random(long seed, int count, int size) {
        return table(RnaSequences.rows(seed, count, random -> RnaInstances.strands(random, size)));
    }

    @Test
    void random() {
        assertSameAsOnCpu(random(1, 10_000, 40), "try_rna_duplex(a, b, options)");
        assertSameAsOnCpu(random(2, 1_000, 150), "try_rna_duplex(a, b)");
    }

    /** Tests lengths near two limits: the number of threads in a block, and the size of shared memory. */
    @Test
    void lengths() {
        SplittableRandom random = new SplittableRandom(3);
        List<Row> rows = new ArrayList<>();
        for (int n : new int[] {0, 1, 2, 31, 32, 33, 64, 200, 300}) {
            for (int m : new int[] {0, 1, 2, 32, 33, 212, 213, 214, 448, 480, 481, 482, 512, 600}) {
                rows.add(RowFactory.create(
                        RnaSequences.uniform(random, n, "ACGU"), RnaSequences.uniform(random, m, "ACGU"), ""));
            }
        }
        assertSameAsOnCpu(table(rows), "rna_duplex(a, b)");
    }

    /** Tests strands that cannot pair, empty strands, and strands of a single base. */
    @Test
    void apart() {
        List<Row> rows = List.of(
                RowFactory.create("AAAA", "AAAA", ""),
                RowFactory.create("NNNN", "ACGU", ""),
                RowFactory.create("", "", ""),
                RowFactory.create("G", "C", ""));
        assertSameAsOnCpu(table(rows), "rna_duplex(a, b)");
    }

    @Test
    void failsAsOnCpu() {
        Dataset<Row> wrong = table(List.of(RowFactory.create("GGG", "CCC", ""), RowFactory.create("GGG", "CXC", "")))
                .coalesce(1);
        assertSameFailure(wrong, "rna_duplex(a, b)").contains("[BELLMAN_INPUT_VALUE]");
    }
}
