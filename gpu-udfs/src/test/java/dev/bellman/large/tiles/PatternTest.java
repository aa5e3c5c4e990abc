package dev.bellman.large.tiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares every pattern, with every schedule and in tiles of every size, with the textbook recurrence. */
class PatternTest extends PatternProblems {
    @ParameterizedTest
    @EnumSource
    void everySchedule(Pattern pattern) {
        Problem problem = problem(pattern);
        for (int edge : new int[] {1, 2, 5}) {
            for (int n : Stream.of(1, 2, 3, edge, edge + 1, 2 * edge - 1, 2 * edge, 3 * edge + 1, 7 * edge - 1, 13)
                    .distinct()
                    .toList()) {
                long[][] initial = problem.initial(n, new Random(n));
                long[][] expected = copy(initial);
                problem.solve(expected);
                int side = Grid.tiles(n, edge);
                schedules(side).forEach((name, schedule) -> {
                    for (int threads : new int[] {1, 3}) {
                        Table table = new Table(n, edge, copy(initial));
                        schedule.execute(pattern, side, threads, task -> problem.run(table, task));
                        assertThat(table.cells)
                                .as("%s, n = %d, tiles of %d, %d threads", name, n, edge, threads)
                                .isDeepEqualTo(expected);
                    }
                });
            }
        }
    }

    /** Schedules differ in the order of the tasks, not in the tasks themselves. */
    @ParameterizedTest
    @EnumSource
    void everyScheduleRunsTheSameTasks(Pattern pattern) {
        for (int side : new int[] {1, 2, 5, 6, 9}) {
            Set<Task> expected = tasks(pattern, side, Schedule.blocked(side));
            schedules(side)
                    .forEach((name, schedule) ->
                            assertThat(tasks(pattern, side, schedule)).as(name).isEqualTo(expected));
        }
    }
}
