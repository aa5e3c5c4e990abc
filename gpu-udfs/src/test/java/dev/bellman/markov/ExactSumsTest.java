package dev.bellman.markov;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ExactSumsTest {
    /** Returns numbers of very different sizes, equal numbers, and numbers that cancel almost completely. */
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
}
