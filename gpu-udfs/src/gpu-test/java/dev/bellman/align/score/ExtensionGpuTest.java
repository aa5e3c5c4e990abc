package dev.bellman.align.score;

import static dev.bellman.align.score.AlignmentGpuTest.LENGTHS;
import static dev.bellman.align.score.AlignmentGpuTest.MODES;
import static dev.bellman.align.score.AlignmentGpuTest.PAIRS;
import static dev.bellman.align.score.AlignmentGpuTest.SCORINGS;
import static dev.bellman.align.score.AlignmentGpuTest.near;
import static dev.bellman.align.score.AlignmentGpuTest.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests two-piece gap costs and extensions. */
class ExtensionGpuTest extends GpuTest {
    private static final StructType EXTENSIONS =
            PAIRS.add("band", DataTypes.IntegerType).add("z_drop", DataTypes.IntegerType);

    private static final String[] TWO_PIECES = {
        "match 2 mismatch -4 open 6 extend 2 open2 25 extend2 1",
        "match 1 mismatch -1 open 2 extend 1 open2 4 extend2 0",
        "match 3 mismatch -2 insert open 4 extend 2 open2 6 extend2 1 delete open 7 extend 1",
        "match 3 mismatch -2 insert gap 2 delete open 3 extend 3 open2 8 extend2 1",
        "match 32767 mismatch -32767 open 100 extend 100 open2 32767 extend2 0",
        "nuc44 other -4 open 10 extend 3 open2 21 extend2 1",
        "blosum62 open 6 extend 3 open2 11 extend2 1"
    };

    /** Returns pairs with two-piece gap costs, some of which differ by long gaps. */
    private static Dataset<Row> pairsWithTwoPieces(int count, int... lengths) {
        Random random = new Random(1990);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String alphabet = i % 7 == 0 ? "ARNDCQEGHILKMFPSTWYV" : i % 17 == 0 ? "ACGTacgt" : "ACGT";
            String a = text(random, alphabet, lengths[random.nextInt(lengths.length)]);
            int at = random.nextInt(a.length() + 1);
            int to = at + random.nextInt(a.length() - at + 1);
            String b = random.nextInt(3) > 0
                    ? near(random, alphabet, random.nextBoolean() ? a : a.substring(0, at) + a.substring(to))
                    : text(random, alphabet, lengths[random.nextInt(lengths.length)]);
            boolean swaps = random.nextBoolean();
            rows.add(RowFactory.create(
                    random.nextInt(40) == 0 ? null : swaps ? b : a,
                    random.nextInt(40) == 0 ? null : swaps ? a : b,
                    MODES[random.nextInt(MODES.length)],
                    TWO_PIECES[i % 7 == 0 ? 6 : random.nextInt(6)],
                    random.nextInt(40) == 0 ? null : random.nextInt(200) - 50L));
        }
        return rows(PAIRS, 1, rows);
    }

    @Test
    void twoPieces() {
        Dataset<Row> pairs = pairsWithTwoPieces(15_000, LENGTHS);
        assertSameAsOnCpu(pairs, "alignment_score(a, b, mode, scoring)");
        assertSameAsOnCpu(pairs, "alignment_score(a, b, mode, scoring, least)");
        assertSameAsOnCpu(pairs, "alignment_score(a, b, mode, '%s')".formatted(TWO_PIECES[0]));
        assertSameAsOnCpu(pairs, "alignment(a, b, mode, scoring)");
        assertSameAsOnCpu(pairs, "alignment(a, b, mode, scoring, least)");
        Dataset<Row> longPairs = pairsWithTwoPieces(150, 511, 512, 513, 1_023, 1_024, 1_025, 1_600, 3_000);
        assertSameAsOnCpu(longPairs, "alignment_score(a, b, mode, scoring)");
        assertSameAsOnCpu(longPairs, "alignment(a, b, mode, scoring)");
        for (String memory : new String[] {"100k", "3m"}) {
            withConf("spark.bellman.gpuMemory", memory, () -> {
                assertSameAsOnCpu(longPairs, "alignment_score(a, b, mode, scoring)");
                assertSameAsOnCpu(longPairs, "alignment(a, b, mode, scoring)");
            });
        }
    }

    /** Returns extensions, with and without limits; the ends of some strings are unrelated. */
    private static Dataset<Row> extensions(int count, int... lengths) {
        Random random = new Random(2018);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String alphabet = i % 7 == 0 ? "ARNDCQEGHILKMFPSTWYV" : i % 5 == 0 ? "AC" : "ACGT";
            String a = text(random, alphabet, lengths[random.nextInt(lengths.length)]);
            String b = near(random, alphabet, a.substring(0, random.nextInt(a.length() + 1)))
                    + text(random, alphabet, random.nextInt(2 + a.length() / 2));
            String[] scorings = random.nextBoolean() ? TWO_PIECES : SCORINGS;
            boolean swaps = random.nextBoolean();
            rows.add(RowFactory.create(
                    random.nextInt(40) == 0 ? null : swaps ? b : a,
                    random.nextInt(40) == 0 ? null : swaps ? a : b,
                    "extension",
                    scorings[i % 7 == 0 ? 6 : random.nextInt(6)],
                    random.nextInt(200) - 50L,
                    random.nextInt(40) == 0 ? null : limit(random, 1 + a.length()),
                    random.nextInt(40) == 0 ? null : limit(random, 100)));
        }
        return rows(EXTENSIONS, 1, rows);
    }

    private static int limit(Random random, int most) {
        return switch (random.nextInt(6)) {
            case 0 -> Integer.MAX_VALUE;
            case 1 -> random.nextInt(4);
            case 2 -> Integer.MAX_VALUE - 1;
            default -> random.nextInt(most);
        };
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alignment_score(a, b, mode, scoring)",
                "alignment_score(a, b, mode, scoring, least, band, z_drop)",
                "alignment_score(a, b, mode, scoring, z_drop => z_drop)",
                "alignment_score(a, b, mode, scoring, band => 20)",
                "alignment_score(a, b, 'extension', 'match 2 mismatch -4 open 6 extend 2 open2 25 extend2 1', "
                        + "band => 100, z_drop => 40)",
                "alignment(a, b, mode, scoring)",
                "alignment(a, b, mode, scoring, least, band, z_drop)",
                "alignment(a, b, mode, scoring, band => 20, z_drop => z_drop)",
                "alignment(a, b, 'extension', 'match 2 mismatch -4 open 6 extend 2 open2 25 extend2 1', "
                        + "band => 100, z_drop => 40)"
            })
    void extensionsAreSameAsOnCpu(String expression) {
        assertSameAsOnCpu(extensions(12_000, LENGTHS), expression);
        assertSameAsOnCpu(extensions(200, 511, 512, 513, 1_024, 1_600, 4_000), expression);
    }

    /**
     * Tests extensions with little GPU memory, extensions of strings of very different lengths, and extensions with too
     * many cells for a GPU.
     */
    @Test
    void extensionsAtLimits() {
        Dataset<Row> pairs = extensions(200, 500, 1_000, 4_000);
        for (String memory : new String[] {"100k", "3m"}) {
            withConf("spark.bellman.gpuMemory", memory, () -> {
                assertSameAsOnCpu(pairs, "alignment_score(a, b, mode, scoring, least, band, z_drop)");
                assertSameAsOnCpu(pairs, "alignment(a, b, mode, scoring, least, band, z_drop)");
            });
        }
        Random random = new Random(2020);
        String million = text(random, "ACGT", 1_000_000);
        String other = near(random, "ACGT", million.substring(0, 20_000));
        List<Row> rows = new ArrayList<>();
        for (int band : new int[] {0, 1, 100, 1_000, Integer.MAX_VALUE}) {
            for (String scoring : new String[] {SCORINGS[0], TWO_PIECES[0]}) {
                rows.add(RowFactory.create(million, "ACGTA", "extension", scoring, 0L, band, 100));
                rows.add(RowFactory.create("ACGTA", million, "extension", scoring, 0L, band, 100));
                rows.add(RowFactory.create(million.substring(0, 20_000), other, "extension", scoring, 0L, band, 500));
                rows.add(RowFactory.create(million, other, "extension", scoring, 0L, Math.min(band, 100), 50));
            }
        }
        Dataset<Row> longPairs = rows(EXTENSIONS, 1, rows);
        assertSameAsOnCpu(longPairs, "alignment_score(a, b, mode, scoring, least, band, z_drop)");
        assertSameAsOnCpu(longPairs.where("band <= 1000"), "alignment(a, b, mode, scoring, least, band, z_drop)");
    }

    @Test
    void rejectedLimits() {
        List<Row> rows = new ArrayList<>();
        for (String mode : new String[] {"extension", "local"}) {
            for (int band : new int[] {Integer.MIN_VALUE, -1, 0, 5, Integer.MAX_VALUE}) {
                for (int drop : new int[] {Integer.MIN_VALUE, -1, 0, 5, Integer.MAX_VALUE}) {
                    rows.add(RowFactory.create("ACGTACGT", "ACGTTACGT", mode, SCORINGS[0], 0L, band, drop));
                    rows.add(RowFactory.create("", "ACG", mode, SCORINGS[0], 0L, band, drop));
                }
            }
        }
        Dataset<Row> pairs = rows(EXTENSIONS, 1, rows);
        assertSameAsOnCpu(pairs, "try_alignment_score(a, b, mode, scoring, least, band, z_drop)");
        assertSameAsOnCpu(pairs, "try_alignment(a, b, mode, scoring, least, band, z_drop)");
        assertThat(failure(pairs.where("band = -1"), "alignment_score(a, b, mode, scoring, band => band)"))
                .contains("band is -1; it must be at least 0");
    }
}
