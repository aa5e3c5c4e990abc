package dev.bellman.markov.profile;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class ProfileScoreGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType()
            .add("sequence", DataTypes.StringType)
            .add("profile", DataTypes.StringType)
            .add("algorithm", DataTypes.StringType);

    private static final String CALL = "try_profile_score(sequence, profile, algorithm)";

    private static String text(InternalRow row, int column) {
        return row.isNullAt(column) ? null : row.getUTF8String(column).toString();
    }

    /** Returns rows of the generator, each with a different profile. */
    private static List<Row> drawn(long seed, int count, int size) {
        SplittableRandom random = new SplittableRandom(seed);
        return Stream.generate(() -> ProfileInstances.draw(random, size))
                .limit(count)
                .map(row -> RowFactory.create(text(row, 0), text(row, 1), text(row, 2)))
                .toList();
    }

    /** Returns rows that share a few profiles. Most letters are in every alphabet. */
    private static List<Row> shared(long seed, int count, int profiles, int size, int longest) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Row> of = drawn(seed, profiles, size);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            StringBuilder sequence = new StringBuilder();
            int length = random.nextInt(longest);
            for (int k = 0; k <= length; k++) {
                sequence.append("ACGcagX*".charAt(random.nextInt(random.nextInt(4) == 0 ? 8 : 6)));
            }
            rows.add(RowFactory.create(
                    sequence.toString(),
                    of.get(random.nextInt(of.size())).get(1),
                    random.nextBoolean() ? "forward" : "viterbi"));
        }
        return rows;
    }

    private static void compare(List<Row> rows) {
        assertSameAsOnCpu(rows(SCHEMA, 2, rows), CALL);
    }

    /** Tests more profiles than the GPU reads from a batch. */
    @Test
    void drawn() {
        compare(drawn(1, 300, 60));
        compare(drawn(2, 40, 1_000));
    }

    /** Tests every kernel: for profiles of up to 32, 64, ..., 256, 320 and 384 nodes, and for larger ones. */
    @Test
    void shared() {
        for (int size : new int[] {40, 250, 500, 1_000, 1_280, 1_536, 5_000}) {
            compare(shared(3 + size, 1_000, 5, size, 120));
        }
    }

    /** Tests probabilities beyond the range of DOUBLE, for which the kernels scale rows of the table. */
    @Test
    void longSequences() {
        compare(drawn(4, 20, 4_000));
        compare(shared(5, 50, 2, 300, 3_000));
    }

    /** Tests the default algorithm, and a single profile for all rows. */
    @Test
    void literal() {
        String profile = (String) drawn(6, 20, 300).stream()
                .filter(row -> !row.anyNull())
                .findFirst()
                .orElseThrow()
                .get(1);
        Dataset<Row> input = rows(SCHEMA, 2, shared(7, 2_000, 1, 10, 200));
        String literal = profile.replace("\n", "\\n");
        assertSameAsOnCpu(input, "try_profile_score(sequence, '%s')".formatted(literal));
        assertSameAsOnCpu(input, "try_profile_score(sequence, '%s', 'viterbi')".formatted(literal));
    }

    @Test
    void rejectedRows() {
        String profile = """
                HMMER3/f
                LENG 1
                ALPH DNA
                HMM A C G T
                m->m m->i m->d i->m i->i d->m d->d
                1.386 1.386 1.386 1.386
                0 * * 0.693 0.693 0 *
                1 0.105 3.401 3.401 3.401
                1.386 1.386 1.386 1.386
                0 * * 0.693 0.693 0 *
                """;
        List<Row> rows = new ArrayList<>(Collections.nCopies(70, RowFactory.create("GATTACA", profile, "forward")));
        rows.add(RowFactory.create("", profile, "forward"));
        rows.add(RowFactory.create("GAT-", profile, "forward"));
        rows.add(RowFactory.create("GAT\u00e9", profile, "viterbi"));
        rows.add(RowFactory.create("*", profile, "viterbi"));
        rows.add(RowFactory.create("GATTACA", profile, "best"));
        rows.add(RowFactory.create("GATTACA", profile, "forwart"));
        rows.add(RowFactory.create("GATTACA", "HMMER3/f", "forward"));
        rows.add(RowFactory.create("GATTACA", null, "forward"));
        rows.add(RowFactory.create(null, profile, "forward"));
        rows.add(RowFactory.create("GATTACA", profile, null));
        compare(rows);
        for (int bad = 70; bad < rows.size(); bad++) {
            Dataset<Row> input = rows(SCHEMA, 1, List.of(rows.get(0), rows.get(bad)));
            String call = "profile_score(sequence, profile, algorithm)";
            assertSameFailure(input, call);
        }
    }
}
