package dev.bellman.recurrence;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Thorough;
import dev.bellman.recurrence.instance.Element;
import dev.bellman.recurrence.instance.Instance;
import dev.bellman.recurrence.paper.PaperStrategy;
import dev.bellman.recurrence.paper.StepModel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimplifiedDpTest {
    private static final List<Known> KNOWN = instances(new Random(2018)).stream()
            .map(instance -> new Known(instance, definition(instance)))
            .toList();

    /** An instance with its table by definition; the table is empty if a value overflows. */
    private record Known(Instance instance, Optional<long[]> table) {}

    private static Optional<long[]> definition(Instance instance) {
        try {
            return Optional.of(TestInstances.definition(instance));
        } catch (BellmanException overflow) {
            return Optional.empty();
        }
    }

    private static List<Instance> instances(Random random) {
        List<Instance> instances = new ArrayList<>();
        for (int[] offsets : TestInstances.offsets(random)) {
            int initial = offsets[0] + (random.nextInt(3) == 0 ? random.nextInt(70) : 0);
            for (int n :
                    new int[] {0, 1, initial - 1, initial, initial + 1, initial + 2, 2 * initial + random.nextInt(300)
                    }) {
                for (String operator : TestInstances.OPERATORS) {
                    instances.add(TestInstances.longs(random, operator, offsets, initial, n));
                }
                for (String operator : TestInstances.DOUBLE_OPERATORS) {
                    instances.add(TestInstances.doubles(random, operator, offsets, initial, n));
                }
                for (String operator : List.of("min", "max")) {
                    for (Element element : Element.values()) {
                        instances.add(TestInstances.weighted(random, element, operator, offsets, initial, n));
                    }
                }
            }
        }
        return instances;
    }

    private static boolean reorders(Instance instance, SimplifiedDp.Strategy strategy) {
        return SimplifiedDp.addsDoubles(instance.element(), instance.operator(), instance.weights() != null)
                && SimplifiedDp.reorders(strategy);
    }

    @ParameterizedTest
    @EnumSource(SimplifiedDp.Strategy.class)
    void asDefined(SimplifiedDp.Strategy strategy) {
        int solved = 0;
        for (Known known : KNOWN) {
            Instance instance = known.instance();
            if (reorders(instance, strategy) && instance.length() > instance.start()) {
                assertFails(ErrorCode.BELLMAN_CONFIGURATION, () -> SimplifiedDp.solve(instance, strategy));
                continue;
            }
            if (known.table().isEmpty()) {
                assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> SimplifiedDp.solve(instance, strategy));
                continue;
            }
            assertThat(SimplifiedDp.solve(instance, strategy))
                    .as(() -> instance.operator() + " " + instance.element() + " n = " + instance.length() + " offsets "
                            + Arrays.toString(instance.offsets()))
                    .isEqualTo(known.table().get());
            solved++;
        }
        assertThat(solved).isGreaterThan(1500);
    }

    /**
     * Computes sums modulo a number as power series, for all kinds of moduli: 1, even ones, the primes of the
     * transforms, and the largest modulus.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 7, 1 << 20, 998_244_353, 4_611_685_944_339_202_049L, (1L << 62) - 1, 1L << 62})
    void modularSeries(long modulus) {
        Random random = new Random(modulus);
        List<int[]> cases = TestInstances.offsets(random);
        cases.add(TestInstances.offsets(random, Thorough.rounds(250, 700), Thorough.rounds(700, 2_000)));
        cases.add(TestInstances.consecutive(Thorough.rounds(400, 1_000), Thorough.rounds(200, 500)));
        for (int[] offsets : cases) {
            int initial = offsets[0] + random.nextInt(3);
            for (int n : new int[] {initial + 1, initial + 2, 2 * initial + 64, 3 * initial + random.nextInt(500)}) {
                Instance instance = TestInstances.longs(random, "sum mod " + modulus, offsets, initial, n);
                assertThat(new ModularSeries(instance).table())
                        .as(() -> "n = " + n + " offsets " + Arrays.toString(offsets))
                        .isEqualTo(TestInstances.definition(instance));
            }
        }
    }

    @Test
    void blockedTakesASeriesForManyOffsets() {
        Random random = new Random(6);
        int[] offsets = TestInstances.offsets(random, 3_000, 5_000);
        Instance instance = TestInstances.longs(random, "sum mod 1000000007", offsets, 5_000, 12_000);
        assertThat(SimplifiedDp.solve(instance, SimplifiedDp.Strategy.BLOCKED))
                .isEqualTo(SimplifiedDp.solve(instance, SimplifiedDp.Strategy.SEQUENTIAL));
    }

    /**
     * Tests tables of several tiles and groups; with bit_or, values have few bits, so that the search cannot skip much.
     */
    @ParameterizedTest
    @ValueSource(strings = {"min", "max", "bit_and", "bit_or", "bit_xor", "bool_or", "bool_and"})
    void blockedOnLargerTables(String operator) {
        Random random = new Random(6);
        int[] sizes = {1025, 6000, 1023, 4096};
        for (int largest : Arrays.copyOf(sizes, Thorough.rounds(2, sizes.length))) {
            for (int count : new int[] {130, largest / 2, largest}) {
                int[] offsets = TestInstances.offsets(random, count, largest);
                Instance instance =
                        TestInstances.longs(random, operator, offsets, largest + 3, Thorough.rounds(9_000, 14_000));
                assertThat(SimplifiedDp.solve(instance, SimplifiedDp.Strategy.BLOCKED))
                        .as("%s of %d", count, largest)
                        .isEqualTo(SimplifiedDp.solve(instance, SimplifiedDp.Strategy.SEQUENTIAL));
            }
        }
    }

    @Test
    void overflow() {
        long large = Long.MAX_VALUE;
        // partial sums may overflow, but the total sums do not
        Instance cancels = Instance.of(
                "s_dp",
                Element.LONG,
                new long[] {large, large, -large, -large},
                new int[] {4, 3, 2, 1},
                null,
                6,
                "sum");
        Instance overflows = Instance.of("s_dp", Element.LONG, new long[] {1, 1}, new int[] {2, 1}, null, 93, "sum");
        Instance weighted = Instance.of(
                "s_dp_weighted", Element.LONG, new long[] {large - 3}, new int[] {1}, new long[] {1}, 5, "min");
        for (SimplifiedDp.Strategy strategy : SimplifiedDp.Strategy.values()) {
            assertThat(SimplifiedDp.solve(cancels, strategy)).endsWith(0, -large);
            assertThatThrownBy(() -> SimplifiedDp.solve(overflows, strategy))
                    .hasMessageContaining("[BELLMAN_OVERFLOW] s_dp: the sum at index 92 ");
            assertThatThrownBy(() -> SimplifiedDp.solve(weighted, strategy))
                    .hasMessageContaining("[BELLMAN_OVERFLOW] s_dp_weighted: a weighted value at index 4 ");
        }
    }

    /**
     * The paper analyses this case: with consecutive offsets, every stage reads the same element, unless a stage has
     * two offsets.
     */
    @Test
    void steps() {
        int stages = 40;
        int[] offsets = TestInstances.consecutive(60, stages);
        Instance instance = TestInstances.longs(new Random(1), "min", offsets, 60, 500);

        StepModel pipeline = new StepModel(instance, PaperStrategy.PIPELINE);
        assertThat(pipeline.steps()).isEqualTo(500 + stages - 60 - 1);
        assertThat(pipeline.maxReaders()).isEqualTo(stages);

        StepModel twoByTwo = new StepModel(instance, PaperStrategy.PIPELINE_2X2);
        assertThat(twoByTwo.steps()).isEqualTo(2 * (500 + stages / 2 - 60 - 1));
        assertThat(twoByTwo.maxReaders()).isEqualTo(1);

        StepModel tournament = new StepModel(instance, PaperStrategy.TOURNAMENT);
        assertThat(tournament.steps()).isEqualTo((500 - 60) * (1 + 6));
        assertThat(tournament.maxReaders()).isEqualTo(1);
    }

    @Test
    void doublesKeepTheirOrder() {
        double[] ordered = {
            Double.NEGATIVE_INFINITY, -1, -Double.MIN_VALUE, -0.0, 0.0, 1, Double.POSITIVE_INFINITY, Double.NaN
        };
        for (int i = 0; i < ordered.length; i++) {
            assertThat(Double.compare(Element.value(Element.key(ordered[i])), ordered[i]))
                    .isZero();
            assertThat(i == 0 || Element.key(ordered[i - 1]) < Element.key(ordered[i]))
                    .isTrue();
        }
    }
}
