package dev.bellman.markov;

import dev.bellman.GpuTest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;

class PairHmmGpuTest extends GpuTest {
    private static final List<String> COLUMNS =
            List.of("read", "qualities", "haplotype", "insertions", "deletions", "continuations");
    private static final StructType SCHEMA = new StructType(COLUMNS.stream()
            .map(name -> DataTypes.createStructField(name, DataTypes.StringType, true))
            .toArray(StructField[]::new));

    /** Argument lists. Only in the last two, gap qualities may differ between the bases of a read. */
    private static final List<String> ARGUMENTS = List.of(
            "(read, qualities, haplotype)",
            "(read, qualities, haplotype, 'J', 'J', '#')",
            "(read, qualities, haplotype, continuation => '*')",
            "(read, qualities, haplotype, insertions, deletions)",
            "(read, qualities, haplotype, insertions, deletions, continuations)");

    private static String word(SplittableRandom random, String letters, int length) {
        return random.ints(length, 0, letters.length())
                .mapToObj(i -> letters.substring(i, i + 1))
                .collect(Collectors.joining());
    }

    private static Row pair(SplittableRandom random, int readLength, int haplotypeLength) {
        String letters = random.nextInt(4) == 0 ? "ACGTNRacgtn" : "ACGT";
        String haplotype = word(random, letters, haplotypeLength);
        String read = Stream.of(haplotype.repeat(1 + readLength / haplotypeLength))
                .map(text -> text.substring(0, readLength))
                .map(text -> text.replaceFirst("[GC]A", word(random, letters, 2)))
                .findAny()
                .orElseThrow();
        IntFunction<String> gaps = i -> random.nextBoolean() ? word(random, "?EIN", readLength) : "I";
        return RowFactory.create(
                read,
                word(random, "!+5?I~", readLength),
                haplotype,
                gaps.apply(0),
                gaps.apply(1),
                random.nextBoolean() ? word(random, "&+", readLength) : "+");
    }

    private static List<Row> pairs(long seed, int count, int mostInRead, int mostInHaplotype) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, count)
                .mapToObj(i -> pair(random, random.nextInt(1, mostInRead), random.nextInt(1, mostInHaplotype)))
                .toList();
    }

    private static void compare(List<Row> pairs) {
        Dataset<Row> input = rows(SCHEMA, 3, pairs);
        for (String arguments : ARGUMENTS) {
            assertSameAsOnCpu(input, "try_pair_hmm" + arguments);
        }
    }

    @Test
    void random() {
        compare(pairs(1, 3_000, 40, 60));
        compare(pairs(2, 1_000, 300, 300));
    }

    /** Tests reads of every length up to 660. In each kernel, some of them leave lanes with an unused row. */
    @Test
    void everyLength() {
        SplittableRandom random = new SplittableRandom(3);
        compare(IntStream.rangeClosed(1, 660)
                .mapToObj(length -> pair(random, length, 1 + length % 90))
                .toList());
    }

    /** Tests tables with several strips, with numbers in the range of DOUBLE and beyond it. */
    @Test
    void longReads() {
        compare(pairs(4, 60, 2_500, 400));
        compare(pairs(5, 3, 9_000, 9_000));
    }

    /** The CPU solves rows whose strips do not fit in GPU memory. */
    @Test
    void onCpu() {
        withConf("spark.bellman.gpuMemory", "4k", () -> compare(pairs(6, 100, 700, 300)));
    }

    @Test
    void oneHaplotype() {
        Dataset<Row> input = rows(SCHEMA, 2, pairs(7, 500, 200, 200));
        assertSameAsOnCpu(input, "pair_hmm(read, qualities, 'ACGTTAGACCCATAGGGACACCCNTTTAG')");
    }

    @Test
    void rejectedRows() {
        Row valid = RowFactory.create("AC", "II", "ACG", "N", "NN", "+");
        List<Row> rows = new ArrayList<>(Collections.nCopies(100, valid));
        rows.add(RowFactory.create("", "", "ACG", "N", "N", "+"));
        rows.add(RowFactory.create("AC", "II", "", "N", "N", "+"));
        rows.add(RowFactory.create("A-", "II", "ACG", "N", "N", "+"));
        rows.add(RowFactory.create("AC", "II", "AÄG", "N", "N", "+"));
        rows.add(RowFactory.create("AC", "I", "ACG", "N", "N", "+"));
        rows.add(RowFactory.create("AC", "I\u007f", "ACG", "N", "N", "+"));
        rows.add(RowFactory.create("AC", "II", "ACG", "NNN", "N", "+"));
        rows.add(RowFactory.create("AC", "II", "ACG", "N", " ", "+"));
        rows.add(RowFactory.create("AC", "II", "ACG", "N", "N", ""));
        rows.add(RowFactory.create("AC", null, "ACG", "N", "N", "+"));
        Dataset<Row> input = rows(SCHEMA, 1, rows);
        String call = "pair_hmm" + ARGUMENTS.get(4);
        assertSameAsOnCpu(input, "try_" + call);
        assertSameFailure(input, call).isNotEmpty();
    }
}
