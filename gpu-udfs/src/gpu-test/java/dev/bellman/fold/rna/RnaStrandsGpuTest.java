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

/** Tests {@code rna_cofold}, {@code rna_cofold_ensemble} and {@code rna_duplex} on the GPU. */
class RnaStrandsGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType()
            .add("a", DataTypes.StringType)
            .add("b", DataTypes.StringType)
            .add("options", DataTypes.StringType);

    private static Dataset<Row> table(List<Row> rows) {
        return rows(SCHEMA, 3, rows);
    }

    /** Returns rows that include NULLs, invalid strands, and invalid options. */
    private static Dataset<Row> random(long seed, int count, int size) {
        SplittableRandom random = new SplittableRandom(seed);
        return instances(
                SCHEMA,
                3,
                Stream.generate(() -> RnaInstances.strands(random, size)).limit(count));
    }

    private void assertSame(Dataset<Row> table, String arguments) {
        for (String function : List.of("try_rna_cofold", "try_rna_cofold_ensemble")) {
            assertSameAsOnCpu(table, "%s(%s)".formatted(function, arguments));
        }
    }

    @Test
    void random() {
        Dataset<Row> many = random(1, 10_000, 40);
        assertSame(many, "a, b, options");
        assertSame(random(2, 500, 150), "a, b");
        assertSameAsOnCpu(many, "try_rna_duplex(a, b, options)");
        assertSameAsOnCpu(random(2, 1_000, 150), "try_rna_duplex(a, b)");
    }

    /** Tests lengths near two limits: the number of threads in a block, and the size of shared memory. */
    @Test
    void lengthsOfDuplexes() {
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

    /** Tests empty strands, and lengths near the limits of classes. */
    @Test
    void lengths() {
        SplittableRandom random = new SplittableRandom(3);
        List<Row> rows = new ArrayList<>();
        for (int n : new int[] {0, 1, 2, 3, 31, 32, 33, 64, 200}) {
            for (int m : new int[] {0, 1, 2, 31, 32, 63, 95, 96, 127, 192, 223, 224, 225, 310}) {
                for (String letters : List.of("ACGU", "GC")) {
                    rows.add(RowFactory.create(
                            RnaSequences.uniform(random, n, letters), RnaSequences.uniform(random, m, letters), ""));
                }
            }
        }
        assertSame(table(rows), "a, b");
    }

    /** Tests pairs of strands whose concatenation is mapped to itself by a rotation. */
    @Test
    void symmetric() {
        SplittableRandom random = new SplittableRandom(5);
        List<Row> rows = new ArrayList<>();
        for (int times : new int[] {1, 2, 3, 4, 6}) {
            for (int i = 0; i < 20; i++) {
                String repeated = RnaSequences.uniform(random, 1 + random.nextInt(9), "ACGU")
                        .repeat(2 * times);
                int n = i % 2 == 0 ? repeated.length() / 2 : random.nextInt(repeated.length());
                rows.add(RowFactory.create(repeated.substring(0, n), repeated.substring(n), ""));
            }
        }
        assertSame(table(rows), "a, b");
    }

    /** Tests sums that exceed the range of DOUBLE without levels. */
    @Test
    void levels() {
        List<Row> rows = new ArrayList<>();
        for (int n : new int[] {20, 150, 400}) {
            rows.add(RowFactory.create("G".repeat(n), "C".repeat(n), ""));
            rows.add(RowFactory.create("GC".repeat(n / 2), "GC".repeat(n / 2), "temperature 0"));
        }
        assertSame(table(rows), "a, b, options");
    }

    /** Tests strands that cannot pair with each other, empty strands, and strands of a single base. */
    @Test
    void apart() {
        List<Row> rows = List.of(
                RowFactory.create("AAAA", "AAAA", ""),
                RowFactory.create("NNNN", "ACGU", ""),
                RowFactory.create("GGGAAACCC", "", ""),
                RowFactory.create("", "GGGAAACCC", ""),
                RowFactory.create("", "", ""),
                RowFactory.create("G", "C", ""));
        assertSame(table(rows), "a, b");
        assertSameAsOnCpu(table(rows), "rna_duplex(a, b)");
    }

    @Test
    void failsAsOnCpu() {
        Dataset<Row> wrong = table(List.of(RowFactory.create("GGG", "CCC", ""), RowFactory.create("GGG", "CXC", "")))
                .coalesce(1);
        for (String function : List.of("rna_cofold", "rna_cofold_ensemble", "rna_duplex")) {
            assertSameFailure(wrong, function + "(a, b)").contains("[BELLMAN_INPUT_VALUE]");
        }
    }
}
