package dev.bellman.large.levels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Schedule;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DiagonalOrderTest {
    private static List<List<Task>> waves(Pattern pattern, int side) {
        List<List<Task>> waves = new ArrayList<>();
        Schedule.blocked(side).run(pattern, side, waves::add);
        return waves;
    }

    private static void check(Pattern pattern, List<Task> ordered, int side) {
        Set<Tile> closed = new HashSet<>();
        for (Task task : ordered) {
            assertThat(closed).as("%s", task).containsAll(task.sources()).doesNotContain(task.target());
            if (pattern.isRead(task.kernel())) {
                closed.add(task.target());
            }
        }
        assertThat(closed).hasSize(pattern == Pattern.TRIANGLE ? side * (side + 1) / 2 : side * side);
    }

    @ParameterizedTest
    @CsvSource({
        "TRIANGLE, 1",
        "TRIANGLE, 2",
        "TRIANGLE, 3",
        "TRIANGLE, 5",
        "TRIANGLE, 8",
        "PREFIXES, 1",
        "PREFIXES, 2",
        "PREFIXES, 5",
        "PREFIXES, 8"
    })
    void readsOnlyClosedTiles(Pattern pattern, int side) {
        List<Task> all = waves(pattern, side).stream().flatMap(List::stream).toList();
        List<Task> ordered = DiagonalOrder.of(pattern, all);
        assertThat(ordered).containsExactlyInAnyOrderElementsOf(all);
        check(pattern, ordered, side);
    }

    /** The waves may be divided into two parts after any wave; the tasks of each part are ordered separately. */
    @ParameterizedTest
    @CsvSource({"TRIANGLE, 2", "TRIANGLE, 5", "PREFIXES, 2", "PREFIXES, 5"})
    void readsOnlyClosedTilesInParts(Pattern pattern, int side) {
        List<List<Task>> waves = waves(pattern, side);
        for (int end = 0; end <= waves.size(); end++) {
            List<Task> ordered = new ArrayList<>();
            for (List<List<Task>> part : List.of(waves.subList(0, end), waves.subList(end, waves.size()))) {
                ordered.addAll(DiagonalOrder.of(
                        pattern, part.stream().flatMap(List::stream).toList()));
            }
            check(pattern, ordered, side);
        }
    }
}
