package dev.bellman.tiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TriangleOrderTest {
    private static List<List<Task>> waves(int side) {
        List<List<Task>> waves = new ArrayList<>();
        Schedule.blocked(side).run(Pattern.TRIANGLE, side, waves::add);
        return waves;
    }

    private static void check(List<Task> ordered, int side) {
        Set<Tile> closed = new HashSet<>();
        for (Task task : ordered) {
            assertThat(closed).as("%s", task).containsAll(task.sources()).doesNotContain(task.target());
            if (task.kernel() != TileKernel.D) {
                closed.add(task.target());
            }
        }
        assertThat(closed).hasSize(side * (side + 1) / 2);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8})
    void readsOnlyClosedTiles(int side) {
        List<Task> all = waves(side).stream().flatMap(List::stream).toList();
        List<Task> ordered = TriangleOrder.of(all);
        assertThat(ordered).containsExactlyInAnyOrderElementsOf(all);
        check(ordered, side);
    }

    /** After any wave: what is ordered together depends on what is before. */
    @ParameterizedTest
    @ValueSource(ints = {2, 5})
    void readsOnlyClosedTilesInParts(int side) {
        List<List<Task>> waves = waves(side);
        for (int end = 0; end <= waves.size(); end++) {
            List<Task> ordered = new ArrayList<>();
            for (List<List<Task>> part : List.of(waves.subList(0, end), waves.subList(end, waves.size()))) {
                ordered.addAll(
                        TriangleOrder.of(part.stream().flatMap(List::stream).toList()));
            }
            check(ordered, side);
        }
    }
}
