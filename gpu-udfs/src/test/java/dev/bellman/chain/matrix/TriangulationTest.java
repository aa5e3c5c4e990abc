package dev.bellman.chain.matrix;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.ErrorCode;
import dev.bellman.chain.matrix.MatrixChain.Strategy;
import dev.bellman.chain.matrix.Triangulation.Solution;
import dev.bellman.chain.matrix.Triangulation.Triangle;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TriangulationTest {
    private static long cost(long[] weights, Triangle[] triangles) {
        long cost = 0;
        for (Triangle triangle : triangles) {
            cost += weights[triangle.a()] * weights[triangle.b()] * weights[triangle.c()];
        }
        return cost;
    }

    /** Asserts that the triangles do not overlap: the ranges of their corners are nested or disjoint. */
    private static void assertTriangulation(int vertices, Triangle[] triangles) {
        assertThat(triangles).hasSize(vertices - 2);
        boolean[] corner = new boolean[vertices];
        for (Triangle triangle : triangles) {
            assertThat(triangle.a()).isNotNegative().isLessThan(triangle.b());
            assertThat(triangle.c()).isGreaterThan(triangle.b()).isLessThan(vertices);
            // each inner vertex is the middle corner of exactly one triangle
            assertThat(corner[triangle.b()]).isFalse();
            corner[triangle.b()] = true;
            for (Triangle other : triangles) {
                assertThat(other.a() < triangle.a() && triangle.a() < other.c() && other.c() < triangle.c())
                        .isFalse();
            }
        }
    }

    @Test
    void textbook() {
        SplittableRandom random = new SplittableRandom(1);
        for (int round = 0; round < 500; round++) {
            long[] weights = random.longs(2 + random.nextInt(8), 1, 2 + random.nextInt(20))
                    .toArray();
            PolygonTextbook expected = PolygonTextbook.of(weights);
            List<Triangle> triangles = expected.triangles();
            long cost = expected.least().longValueExact();
            for (Strategy strategy : Strategy.values()) {
                Solution solution = Triangulation.solve(weights, strategy);
                assertThat(solution.cost()).isEqualTo(cost);
                assertThat(Triangulation.cost(weights, strategy)).isEqualTo(cost);
                assertThat(cost(weights, solution.triangles())).isEqualTo(cost);
                assertTriangulation(weights.length, solution.triangles());
                if (strategy != Strategy.HU_SHING) {
                    assertThat(solution.triangles()).containsExactlyElementsOf(triangles);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void large(Strategy strategy) {
        SplittableRandom random = new SplittableRandom(2);
        for (long[] weights : List.of(
                random.longs(300, 1, 1_000).toArray(),
                LongStream.rangeClosed(1, 300).toArray(),
                LongStream.range(0, 300).map(i -> 300 - i).toArray(),
                LongStream.range(0, 300).map(i -> 7).toArray(),
                LongStream.range(0, 300).map(i -> 1 + i % 2 * 40).toArray())) {
            Solution solution = Triangulation.solve(weights, strategy);
            assertTriangulation(weights.length, solution.triangles());
            assertThat(cost(weights, solution.triangles()))
                    .isEqualTo(solution.cost())
                    .isEqualTo(MatrixChain.cost(weights, Strategy.TABLE));
        }
    }

    @ParameterizedTest
    @EnumSource
    void smallest(Strategy strategy) {
        assertThat(Triangulation.solve(new long[] {3, 4}, strategy).triangles()).isEmpty();
        assertThat(Triangulation.cost(new long[] {3, 4}, strategy)).isZero();
        Solution one = Triangulation.solve(new long[] {3, 4, 5}, strategy);
        assertThat(one.cost()).isEqualTo(60);
        assertThat(one.triangles()).containsExactly(new Triangle(0, 1, 2));
    }

    @ParameterizedTest
    @EnumSource
    void rejected(Strategy strategy) {
        assertThatThrownBy(() -> Triangulation.cost(new long[] {3, 0, 2}, strategy))
                .hasMessage("[BELLMAN_INPUT_VALUE] triangulation_cost: entry 2 of weights (counted from 1) is 0; a "
                        + "weight must be at least 1. Correct the row, or use try_triangulation_cost, which "
                        + "returns NULL");
        assertThatThrownBy(() -> Triangulation.solve(new long[] {3}, strategy))
                .hasMessageContaining(
                        "triangulation: weights has too few entries (1); it needs at least 2, one for each vertex. "
                                + "Correct the row, or use try_triangulation, which returns NULL");
        long[] large = {1L << 21, 1L << 21, 1L << 21};
        assertFails(ErrorCode.BELLMAN_OVERFLOW, () -> Triangulation.solve(large, strategy))
                .hasMessageContaining("triangulation: the best triangulation of this polygon with 3 vertices");
        assertThat(Triangulation.cost(new long[] {1L << 21, 1L << 21, (1L << 21) - 1}, strategy))
                .isEqualTo(Long.MAX_VALUE - (1L << 42) + 1);
    }
}
