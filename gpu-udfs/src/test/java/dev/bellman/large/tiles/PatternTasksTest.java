package dev.bellman.large.tiles;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the tasks of patterns: products of large tiles, and waves. */
class PatternTasksTest extends PatternProblems {
    @ParameterizedTest
    @EnumSource
    void tasksOfAWaveAreIndependent(Pattern pattern) {
        for (int side : new int[] {1, 2, 3, 4, 7, 8, 12}) {
            schedules(side)
                    .forEach((name, schedule) -> schedule.run(pattern, side, wave -> {
                        Set<Tile> written = wave.stream().map(Task::target).collect(toSet());
                        assertThat(written).as("%s, %d tiles", name, side).hasSameSizeAs(wave);
                        assertThat(wave.stream().flatMap(task -> task.sources().stream()))
                                .as("%s, %d tiles", name, side)
                                .doesNotContainAnyElementsOf(written);
                    }));
        }
    }

    /**
     * If each product of large tiles is replaced by the products of their parts, in any order of the targets, the tasks
     * and the table are the same.
     */
    @ParameterizedTest
    @EnumSource
    void productsOfLargeTiles(Pattern pattern) {
        Problem problem = problem(pattern);
        int edge = 2;
        for (int n : new int[] {1, 4, 7, 13, 18}) {
            int side = Grid.tiles(n, edge);
            long[][] initial = problem.initial(n, new Random(n));
            long[][] expected = copy(initial);
            problem.solve(expected);
            Table table = new Table(n, edge, copy(initial));
            List<Task> all = new ArrayList<>();
            Schedule.rWayOfProducts(pattern, side, 3, (wave, parts) -> {
                for (int i = wave.size() - 1; i >= 0; i--) {
                    List<Task> inside = parts == 1 ? wave.subList(i, i + 1) : parts(pattern, wave.get(i), parts, side);
                    inside.forEach(task -> problem.run(table, task));
                    all.addAll(inside);
                }
            });
            assertThat(table.cells).as("n = %d", n).isDeepEqualTo(expected);
            assertThat(all).containsExactlyInAnyOrderElementsOf(tasks(pattern, side, Schedule.blocked(side)));
        }
    }

    /** A task on large tiles is split into the same tasks on smallest tiles as by {@code rWay}. */
    @Test
    void productsOfLargeTilesInOneTask() {
        for (Task task : List.of(
                new Task(TileKernel.A, new Tile(0, 0)),
                new Task(TileKernel.B, new Tile(0, 1), new Tile(0, 0), new Tile(1, 1)))) {
            List<Task> all = new ArrayList<>();
            Schedule.rWayOfProducts(
                    Pattern.TRIANGLE,
                    task,
                    3,
                    2,
                    (wave, parts) -> wave.forEach(
                            each -> all.addAll(parts == 1 ? List.of(each) : parts(Pattern.TRIANGLE, each, parts, 12))));
            List<Task> expected = new ArrayList<>();
            Schedule.rWay(6).run(Pattern.TRIANGLE, task, 12, expected::addAll);
            assertThat(all).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static List<Task> parts(Pattern pattern, Task product, int parts, int side) {
        return pattern.split(product, parts)
                .flatMap(List::stream)
                .filter(task -> Stream.concat(Stream.of(task.target()), task.sources().stream())
                        .allMatch(tile -> tile.row() < side && tile.column() < side))
                .toList();
    }

    /** A level with r tiles per side has the number of parallel steps that the paper states. */
    @Test
    void waves() {
        int r = 9;
        assertThat(waves(Pattern.CLOSURE, r)).isEqualTo(3 * r);
        // three waves per pivot, but the last pivot has only A
        assertThat(waves(Pattern.ELIMINATION, r)).isEqualTo(3 * r - 2);
        // one wave, A, for the main diagonal, and three waves for each other diagonal, but the first of these has no
        // products, and the second has only one wave of products
        assertThat(waves(Pattern.TRIANGLE, r)).isEqualTo(1 + 3 * (r - 1) - 3);
        // one wave per diagonal
        assertThat(waves(Pattern.NEIGHBOURS, r)).isEqualTo(2 * r - 1);
        // three waves per diagonal, but the last diagonal has only A
        assertThat(waves(Pattern.PREFIXES, r)).isEqualTo(3 * (2 * r - 1) - 2);
    }

    private static long waves(Pattern pattern, int side) {
        List<List<Task>> waves = new ArrayList<>();
        Schedule.blocked(side).run(pattern, side, waves::add);
        return waves.size();
    }

    @Test
    void tooManyTiles() {
        assertThatThrownBy(() -> Schedule.blocked(3).run(Pattern.CLOSURE, 4, wave -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the table has 4 tiles per side; the schedule supports at most 3");
    }
}
