package dev.bellman.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.GpuTest;
import dev.bellman.join.measure.IndelRatio;
import dev.bellman.join.measure.Jaro;
import dev.bellman.join.measure.Measure;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Comparing all strings on the GPU finds the same pairs as on the CPU. */
class PlainSearchGpuTest extends GpuTest {
    static Stream<Measure> measures() {
        return Stream.of(0.0, 0.5, 0.7, 0.8, 0.9, 0.92, 0.97, 1.0)
                .flatMap(
                        least -> Stream.of(new Jaro(true, least), new Jaro(false, least), new IndelRatio(100 * least)));
    }

    @ParameterizedTest
    @MethodSource("measures")
    void sameAsOnCpu(Measure measure) {
        SplittableRandom random = new SplittableRandom(measure.toString().hashCode());
        for (int i = 0; i < 12; i++) {
            int longest = List.of(2, 6, 20, 64).get(i % 4);
            List<PairSearchFixture.Entry> entries = PairSearchFixture.entries(random, 1_500, longest).stream()
                    .filter(entry -> isServed(entry.bytes()))
                    .toList();
            int parts = 1 + random.nextInt(3);
            assertThat(found(entries, measure, parts, true))
                    .as("%s, %d strings of up to %d characters", measure, entries.size(), longest)
                    .isEqualTo(found(entries, measure, parts, false));
        }
    }

    private static boolean isServed(byte[] bytes) {
        for (byte each : bytes) {
            if (each < 0) {
                return false;
            }
        }
        return bytes.length < StringsOnGpu.LONGEST;
    }

    private static List<String> found(List<PairSearchFixture.Entry> entries, Measure measure, int parts, boolean gpu) {
        return PairSearchFixture.found(
                entries,
                new JoinPlan(
                        measure,
                        1,
                        JoinMethod.PLAIN,
                        -1,
                        0,
                        HotKeys.NONE,
                        gpu,
                        Passes.ONE,
                        parts,
                        1 << 20,
                        entries.size(),
                        0,
                        0,
                        0,
                        0,
                        ""));
    }
}
