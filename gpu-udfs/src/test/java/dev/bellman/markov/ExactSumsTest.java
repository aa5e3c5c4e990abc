package dev.bellman.markov;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExactSumsTest {
    /**
     * Returns a random number. Such numbers have very different sizes, are often equal, or cancel almost completely.
     */
    private static double number(Random random) {
        double near = Math.scalb(1 + random.nextInt(4) * Math.ulp(1.0), random.nextInt(4) * -53);
        return switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> near;
            case 2 -> -near;
            case 3 -> Math.scalb(random.nextDouble(), random.nextInt(1_900) - 1_050);
            // a tiny number that decides how a much larger sum is rounded
            case 4 -> (random.nextInt(5) - 2) * Double.MIN_VALUE;
            default -> random.nextDouble();
        };
    }

    @Test
    void equalExactArithmetic() {
        Random random = new Random(5);
        for (int round = 0; round < 2_000; round++) {
            ExactSums sums = new ExactSums(3);
            BigDecimal exact = BigDecimal.ZERO;
            int count = 1 + random.nextInt(20);
            for (int i = 0; i < count; i++) {
                double number = number(random);
                sums.add(1, number);
                exact = exact.add(new BigDecimal(number));
                assertThat(sums.rounded()).containsExactly(0, exact.doubleValue(), 0);
            }
        }
    }

    @Test
    void anyOrderAndDivision() {
        Random random = new Random(7);
        for (int round = 0; round < 500; round++) {
            List<double[]> numbers = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                numbers.add(new double[] {number(random), number(random)});
            }
            ExactSums inOrder = new ExactSums(2);
            numbers.forEach(pair -> inOrder.add(0, pair));
            Collections.shuffle(numbers, random);
            List<ExactSums> parts = List.of(new ExactSums(2), new ExactSums(2), new ExactSums(2));
            numbers.forEach(pair -> parts.get(random.nextInt(3)).add(0, pair));
            ExactSums all = new ExactSums(2);
            parts.forEach(all::plus);
            assertThat(all.rounded()).containsExactly(inOrder.rounded());
        }
    }

    /** Adds numbers in fixed point, 8 bits at a time, so that the parts of a number reach into the next word. */
    @Test
    void fixedPoint() {
        int all = 3;
        Random random = new Random(9);
        for (int round = 0; round < 500; round++) {
            ExactSums expected = new ExactSums(2);
            long[] words = new long[66 * all];
            for (int i = 0; i < 20; i++) {
                double[] pair = {number(random), number(random)};
                expected.add(0, pair);
                for (int k = 0; k < 2; k++) {
                    addFixedPoint(words, 1 + k, all, pair[k]);
                }
            }
            words[0] = 1;
            ExactSums actual = new ExactSums(2);
            actual.addFixedPoint(words, 1, all);
            assertThat(actual.rounded()).containsExactly(expected.rounded());
        }
    }

    private static void addFixedPoint(long[] words, int first, int all, double number) {
        int exponent = Math.max(Math.getExponent(number), Double.MIN_EXPONENT) - 52;
        long digits = (long) Math.scalb(number, -exponent);
        long sign = Long.signum(digits);
        for (int shift = 0; shift < 56; shift += 8) {
            int bit = exponent + 1_074 + shift;
            long part = sign * (Math.abs(digits) >> shift & 0xff);
            words[bit / 32 * all + first] += part << bit % 32;
        }
    }
}
