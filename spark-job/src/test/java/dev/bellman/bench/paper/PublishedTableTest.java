package dev.bellman.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks that figures copied from the papers agree with other statements in the same papers. */
class PublishedTableTest {
    private static final List<String> ZHAO = List.of(
            "anti-diagonal 8",
            "anti-diagonal 16",
            "anti-diagonal 32",
            "row-wise 8",
            "row-wise 16",
            "row-wise 32",
            "gpu");

    private static double figure(String table, Object row, String column) {
        return PublishedTable.of(table).figure(row, column).orElseThrow();
    }

    /** Zhao's Table III contains the speedup of each of the other programs over the serial program. */
    @ParameterizedTest
    @CsvSource({
        "2000, 1.4076 0.9784 0.4123 1.3865 0.8913 0.4031 3.755012",
        "4000, 2.3686 1.7707 0.9939 2.4029 1.4861 0.5696 7.504663",
        "6000, 2.9624 2.6348 1.1604 3.3847 2.0830 0.7739 10.9978",
        "8000, 3.4531 3.1501 1.6321 3.8101 2.4126 1.0679 15.19521",
        "10000, 2.9918 2.7679 1.8419 4.6861 3.2304 1.1895 19.02471",
        "20000, 3.9446 4.6218 3.3180 4.9414 5.3145 2.2555 36.21156",
        "40000, 3.3958 5.4379 6.2355 6.2876 6.5933 4.2862 74.19597",
        "60000, 3.3185 6.5237 6.9423 6.5600 7.6243 6.4157 101.4398"
    })
    void speedupsOfZhao(int letters, String speedups) {
        double serial = figure("zhao", letters, "serial");
        String[] printed = speedups.split(" ");
        for (int i = 0; i < printed.length; i++) {
            assertThat(serial / figure("zhao", letters, ZHAO.get(i)))
                    .as(ZHAO.get(i))
                    .isCloseTo(Double.parseDouble(printed[i]), within(1e-4));
        }
    }

    /** Wani claims "three times faster on average" for small chains, and "5.5 to 6 times" for larger ones. */
    @ParameterizedTest
    @CsvSource({"2500, 3, 4", "3000, 3, 4", "4500, 5.5, 6", "5000, 5.5, 6"})
    void speedupsOfWani(int matrices, double least, double most) {
        assertThat(figure("wani", matrices, "cpu") / figure("wani", matrices, "gpu"))
                .isBetween(least, most);
    }

    /**
     * Each chain has a figure for every phase in the table that is not beyond its length. If threads are split from the
     * first phase on, longer chains never take less time. Starting to split in a later phase never takes less time.
     */
    @Test
    void phasesOfWu() {
        PublishedTable table = PublishedTable.of("wu");
        int[] lengths = {128, 256, 512, 1024, 1536, 2048, 2560, 3072, 3584, 4096};
        double before = 0;
        for (int length : lengths) {
            assertThat(table.figure(1, "" + length).orElseThrow()).isGreaterThanOrEqualTo(before);
            before = table.figure(1, "" + length).orElseThrow();
            double least = before;
            for (int start : lengths) {
                assertThat(table.figure(start, "" + length).isPresent())
                        .as("%d from phase %d", length, start)
                        .isEqualTo(start <= length);
                if (start <= length) {
                    assertThat(table.figure(start, "" + length).orElseThrow()).isGreaterThanOrEqualTo(least);
                    least = table.figure(start, "" + length).orElseThrow();
                }
            }
        }
        assertThat(table.figure(2, "128")).isEmpty();
    }

    /**
     * The smallest figure in a row belongs to the fastest strategy, which is the paper's own for the largest instances.
     */
    @Test
    void least() {
        PublishedTable table = PublishedTable.of("matsumae");

        assertThat(table.min(14)).isEqualTo(table.figure(14, "naive-parallel"));
        assertThat(table.min(16)).isEqualTo(table.figure(16, "naive-parallel"));
        assertThat(table.min(18)).isEqualTo(table.figure(18, "pipeline"));
        assertThat(table.min(15)).isEmpty();
    }

    @Test
    void absent() {
        PublishedTable table = PublishedTable.of("javanmard");

        assertThat(table.figure("floyd-warshall", "32768")).as("a dash").isEmpty();
        assertThat(table.figure("floyd-warshall", "131072")).isPresent();
        assertThat(table.figure("floyd-warshall", "problem")).as("no figure").isEmpty();
        assertThat(table.figure("floyd-warshall", "65536")).isEmpty();
        assertThat(table.figure("sorting", "131072")).isEmpty();
    }
}
