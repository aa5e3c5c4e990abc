package dev.bellman.markov;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code ctc_align} and {@code ctc_score} on the GPU. */
class CtcGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType()
            .add("frames", DataTypes.createArrayType(DataTypes.createArrayType(DataTypes.DoubleType)))
            .add("tokens", DataTypes.createArrayType(DataTypes.IntegerType))
            .add("blank", DataTypes.IntegerType);
    private static final String ARGUMENTS = "(frames, tokens, blank)";

    private static Double log(SplittableRandom random, int kind) {
        return switch (kind) {
            case 0 -> -(double) random.nextInt(3);
            case 1 -> random.nextInt(8) == 0 ? Double.NEGATIVE_INFINITY : StrictMath.log(random.nextDouble());
            case 2 -> (random.nextDouble() - 0.5) * Math.scalb(1.0, random.nextInt(-20, 30));
            case 3 -> random.nextInt(3000) == 0 ? Double.NaN : -0.0;
            default -> StrictMath.log(1 - random.nextDouble());
        };
    }

    private static Row recording(SplittableRandom random, int frames, int tokens) {
        int width = random.nextInt(2, 7);
        int blank = random.nextInt(width);
        int kind = random.nextInt(6);
        return RowFactory.create(
                Stream.generate(() -> Stream.generate(() -> log(random, kind))
                                .limit(width)
                                .toArray())
                        .limit(frames)
                        .toArray(),
                random.ints(tokens, 1, width)
                        .mapToObj(token -> (token + blank) % width)
                        .toArray(),
                blank);
    }

    private static List<Row> recordings(long seed, int count, int mostFrames) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, count)
                .map(i -> random.nextInt(1, mostFrames + 1))
                .mapToObj(frames -> recording(random, frames, random.nextInt(frames / 2 + 2)))
                .toList();
    }

    private static void compare(String function, List<Row> recordings) {
        assertSameAsOnCpu("try_" + function, rows(SCHEMA, 3, recordings), "try_" + function + ARGUMENTS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ctc_align", "ctc_score"})
    void random(String function) {
        compare(function, recordings(1, 20_000, 20));
        compare(function, recordings(2, 1_000, 300));
    }

    /** Tests the largest numbers of tokens of each kernel, and rows with several strips. */
    @ParameterizedTest
    @ValueSource(strings = {"ctc_align", "ctc_score"})
    void manyTokens(String function) {
        SplittableRandom random = new SplittableRandom(3);
        compare(
                function,
                IntStream.of(31, 32, 63, 64, 127, 128, 255, 256, 511, 512, 700)
                        .mapToObj(tokens -> recording(random, 3 * tokens, tokens))
                        .toList());
        compare(function, recordings(4, 10, 3_000));
    }

    /** The CPU solves rows whose tables do not fit in GPU memory. */
    @ParameterizedTest
    @ValueSource(strings = {"ctc_align", "ctc_score"})
    void onCpu(String function) {
        withConf("spark.bellman.gpuMemory", "20k", () -> {
            compare(function, recordings(5, 100, 1_200));
            return null;
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"ctc_align", "ctc_score"})
    void defaultBlank(String function) {
        Dataset<Row> input = rows(SCHEMA, 2, recordings(6, 500, 30));
        assertSameAsOnCpu("try_" + function, input, "try_" + function + "(frames, tokens)");
        assertSameAsOnCpu("try_" + function, input, "try_" + function + "(frames, array(1, 1), 0)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ctc_align", "ctc_score"})
    void rejectedRows(String function) {
        Object[] frame = {-1.0, -2.0, Double.NEGATIVE_INFINITY};
        Row valid = RowFactory.create(new Object[] {frame, frame}, new Object[] {1}, 0);
        for (Row last : List.of(
                RowFactory.create(new Object[] {}, new Object[] {1}, 0),
                RowFactory.create(new Object[] {frame, null}, new Object[] {1}, 0),
                RowFactory.create(new Object[] {frame, new Object[] {-1.0}}, new Object[] {1}, 0),
                RowFactory.create(new Object[] {new Object[] {-1.0, null}}, new Object[] {1}, 0),
                RowFactory.create(new Object[] {new Object[] {Double.NaN, -1.0}}, new Object[] {1}, 0),
                RowFactory.create(new Object[] {new Object[] {-1.0, 2e9}}, new Object[] {1}, 0),
                RowFactory.create(new Object[] {frame, frame}, new Object[] {1, null}, 0),
                RowFactory.create(new Object[] {frame, frame}, new Object[] {3}, 0),
                RowFactory.create(new Object[] {frame, frame}, new Object[] {0}, 0),
                RowFactory.create(new Object[] {frame, frame}, new Object[] {1}, -1),
                RowFactory.create(new Object[] {frame, frame}, new Object[] {1}, 3))) {
            assertSameFailure(function, valid, last);
        }
        for (Object[] tokens : new Object[][] {{1, 1}, {1, 2, 1}, {2}}) {
            compare(function, List.of(valid, RowFactory.create(new Object[] {frame, frame}, tokens, 0)));
        }
    }

    private static void assertSameFailure(String function, Row valid, Row rejected) {
        List<Row> rows = new ArrayList<>(Collections.nCopies(40, valid));
        rows.addAll(Arrays.asList(RowFactory.create(null, new Object[] {1}, 0), rejected));
        Dataset<Row> input = rows(SCHEMA, 1, rows);
        String call = function + ARGUMENTS;
        assertSameAsOnCpu("try_" + function, input, "try_" + call);
        assertSameFailure(input, call).isNotEmpty();
    }
}
