package dev.bellman.large.tiles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.Thorough;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TileSparsityTest {
    /** The tasks are those of the full table, in the same order, except the tasks on empty tiles. */
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 0", "2, 1", "9, 0.1", "17, 0.05", "17, 0.2", "40, 0.03"})
    void leavesOutTasksOnEmptyTiles(int side, double density) {
        Random random = new Random(side);
        for (int i = 0; i < Thorough.rounds(6, 20); i++) {
            BitSet[] rows = new BitSet[side];
            Arrays.setAll(rows, row -> {
                BitSet columns = new BitSet();
                for (int column = 0; column < side; column++) {
                    columns.set(column, random.nextDouble() < density);
                }
                return columns;
            });
            TileSparsity fill = new TileSparsity(rows);
            boolean[][] filled = new boolean[side][side];
            for (int row = 0; row < side; row++) {
                for (int column = 0; column < side; column++) {
                    filled[row][column] = row == column || rows[row].get(column);
                }
            }
            List<Set<Task>> expected = new ArrayList<>();
            Schedule.blocked(side).run(Pattern.CLOSURE, side, wave -> {
                Set<Task> left = new HashSet<>();
                for (Task task : wave) {
                    Tile target = task.target();
                    boolean needed = task.kernel() == TileKernel.D
                            ? task.sources().stream().allMatch(source -> filled[source.row()][source.column()])
                            : filled[target.row()][target.column()];
                    if (needed) {
                        left.add(task);
                    }
                }
                left.forEach(task -> filled[task.target().row()][task.target().column()] = true);
                if (!left.isEmpty()) {
                    expected.add(left);
                }
            });
            List<Set<Task>> found = new ArrayList<>();
            long[] count = {0};
            Schedule.blocked(fill).run(Pattern.CLOSURE, side, wave -> {
                found.add(new HashSet<>(wave));
                count[0] += wave.size();
            });

            assertThat(found).isEqualTo(expected);
            assertThat(fill.tasks()).isEqualTo(count[0]);
            assertThat(fill.allTasks()).isEqualTo((long) side * side * side);
        }
    }
}
