package dev.bellman.large.tiles;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** Contains the code that {@link PatternTest} and {@link PatternTasksTest} share. */
abstract class PatternProblems {
    static final long INFINITE = Long.MAX_VALUE / 4;
    static final long PRIME = 1_000_000_007;

    /** A table in which a kernel may read only the tiles of its task, and write only the target. */
    static final class Table {
        final int n;
        final int edge;
        final long[][] cells;

        Table(int n, int edge, long[][] cells) {
            this.n = n;
            this.edge = edge;
            this.cells = cells;
        }

        int begin(int tile) {
            return tile * edge;
        }

        int end(int tile) {
            return Math.min(n, (tile + 1) * edge);
        }

        private Tile tile(int i, int j) {
            return new Tile(i / edge, j / edge);
        }

        long get(Task task, int i, int j) {
            Tile tile = tile(i, j);
            assertThat(tile.equals(task.target()) || task.sources().contains(tile))
                    .as("%s reads %d, %d", task, i, j)
                    .isTrue();
            return cells[i][j];
        }

        void set(Task task, int i, int j, long value) {
            assertThat(tile(i, j)).as("%s writes %d, %d", task, i, j).isEqualTo(task.target());
            cells[i][j] = value;
        }

        void reduce(Task task, int i, int j, long value) {
            set(task, i, j, Math.min(cells[i][j], value));
        }
    }

    /** A problem: its table before and after the computation, according to the textbook, and its kernels. */
    interface Problem {
        long[][] initial(int n, Random random);

        void solve(long[][] cells);

        void run(Table table, Task task);
    }

    /** Returns the initial value of a cell. */
    private interface Cell {
        long at(int i, int j);
    }

    private static long[][] cells(int n, Cell cell) {
        long[][] cells = new long[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                cells[i][j] = cell.at(i, j);
            }
        }
        return cells;
    }

    static Problem problem(Pattern pattern) {
        return switch (pattern) {
            case CLOSURE -> new ShortestPaths();
            case ELIMINATION -> new Elimination();
            case TRIANGLE -> new Parenthesization();
            case PREFIXES -> new Gaps();
            case NEIGHBOURS -> new EditDistance();
        };
    }

    static final class ShortestPaths implements Problem {
        @Override
        public long[][] initial(int n, Random random) {
            return cells(n, (i, j) -> i == j ? 0 : random.nextInt(3) == 0 ? random.nextInt(100) : INFINITE);
        }

        @Override
        public void solve(long[][] cells) {
            for (int k = 0; k < cells.length; k++) {
                for (int i = 0; i < cells.length; i++) {
                    for (int j = 0; j < cells.length; j++) {
                        cells[i][j] = Math.min(cells[i][j], cells[i][k] + cells[k][j]);
                    }
                }
            }
        }

        @Override
        public void run(Table table, Task task) {
            Tile target = task.target();
            int middle = task.sources().isEmpty()
                    ? target.row()
                    : task.sources().get(0).column();
            for (int k = table.begin(middle); k < table.end(middle); k++) {
                for (int i = table.begin(target.row()); i < table.end(target.row()); i++) {
                    for (int j = table.begin(target.column()); j < table.end(target.column()); j++) {
                        table.reduce(task, i, j, table.get(task, i, k) + table.get(task, k, j));
                    }
                }
            }
        }
    }

    /** Computes modulo a prime, so that rounding cannot hide a missing or repeated step. */
    static final class Elimination implements Problem {
        @Override
        public long[][] initial(int n, Random random) {
            return random.longs(n, 0, PRIME)
                    .mapToObj(row -> random.longs(n, 0, PRIME).toArray())
                    .toArray(long[][]::new);
        }

        private static long divide(long a, long b) {
            long power = 1;
            for (int bit = 30; bit >= 0; bit--) {
                power = power * power % PRIME;
                if (((PRIME - 2) >> bit & 1) != 0) {
                    power = power * b % PRIME;
                }
            }
            return a * power % PRIME;
        }

        private static long subtract(long a, long b, long c) {
            return Math.floorMod(a - b * c % PRIME, PRIME);
        }

        @Override
        public void solve(long[][] cells) {
            for (int k = 0; k < cells.length; k++) {
                for (int i = k + 1; i < cells.length; i++) {
                    cells[i][k] = divide(cells[i][k], cells[k][k]);
                    for (int j = k + 1; j < cells.length; j++) {
                        cells[i][j] = subtract(cells[i][j], cells[i][k], cells[k][j]);
                    }
                }
            }
        }

        @Override
        public void run(Table table, Task task) {
            Tile target = task.target();
            int middle = task.sources().isEmpty()
                    ? target.row()
                    : task.sources().get(0).column();
            for (int k = table.begin(middle); k < table.end(middle); k++) {
                for (int i = Math.max(k + 1, table.begin(target.row())); i < table.end(target.row()); i++) {
                    if (target.column() == middle) {
                        table.set(task, i, k, divide(table.get(task, i, k), table.get(task, k, k)));
                    }
                    for (int j = Math.max(k + 1, table.begin(target.column())); j < table.end(target.column()); j++) {
                        table.set(
                                task,
                                i,
                                j,
                                subtract(table.get(task, i, j), table.get(task, i, k), table.get(task, k, j)));
                    }
                }
            }
        }
    }

    static final class Parenthesization implements Problem {
        /** Returns a weight that also depends on k, so that no split can be mistaken for another. */
        private static long weight(int i, int k, int j) {
            return (i * 31L + k * 17L + j * 7L) * 2_654_435_761L >>> 7 & 1023;
        }

        @Override
        public long[][] initial(int n, Random random) {
            return cells(n, (i, j) -> j == i + 1 ? random.nextInt(1000) : INFINITE);
        }

        @Override
        public void solve(long[][] cells) {
            for (int length = 2; length < cells.length; length++) {
                for (int i = 0; i + length < cells.length; i++) {
                    for (int k = i + 1; k < i + length; k++) {
                        cells[i][i + length] = Math.min(
                                cells[i][i + length], cells[i][k] + cells[k][i + length] + weight(i, k, i + length));
                    }
                }
            }
        }

        @Override
        public void run(Table table, Task task) {
            Tile target = task.target();
            Set<Integer> middles = task.kernel() == TileKernel.D
                    ? Set.of(task.sources().get(0).column())
                    : Set.of(target.row(), target.row() == target.column() ? -1 : target.column());
            for (int i = table.end(target.row()) - 1; i >= table.begin(target.row()); i--) {
                for (int j = Math.max(i + 1, table.begin(target.column())); j < table.end(target.column()); j++) {
                    for (int k = i + 1; k < j; k++) {
                        if (middles.contains(k / table.edge)) {
                            table.reduce(task, i, j, table.get(task, i, k) + table.get(task, k, j) + weight(i, k, j));
                        }
                    }
                }
            }
        }
    }

    static final class Gaps implements Problem {
        private static long cost(int from, int to) {
            return (from * 37L + to * 101L) * 2_654_435_761L >>> 9 & 255;
        }

        @Override
        public long[][] initial(int n, Random random) {
            return cells(n, (i, j) -> i == 0 && j == 0 ? 0 : INFINITE);
        }

        @Override
        public void solve(long[][] cells) {
            for (int i = 0; i < cells.length; i++) {
                for (int j = 0; j < cells.length; j++) {
                    if (i > 0 && j > 0) {
                        cells[i][j] = Math.min(cells[i][j], cells[i - 1][j - 1] + cost(i, -j));
                    }
                    for (int q = 0; q < j; q++) {
                        cells[i][j] = Math.min(cells[i][j], cells[i][q] + cost(q, j));
                    }
                    for (int p = 0; p < i; p++) {
                        cells[i][j] = Math.min(cells[i][j], cells[p][j] + cost(-p, i));
                    }
                }
            }
        }

        @Override
        public void run(Table table, Task task) {
            Tile target = task.target();
            Tile source =
                    task.kernel() == TileKernel.A ? target : task.sources().get(0);
            for (int i = table.begin(target.row()); i < table.end(target.row()); i++) {
                for (int j = table.begin(target.column()); j < table.end(target.column()); j++) {
                    if (task.kernel() == TileKernel.A && i > 0 && j > 0) {
                        table.reduce(task, i, j, table.get(task, i - 1, j - 1) + cost(i, -j));
                    }
                    if (task.kernel() != TileKernel.C) {
                        for (int q = table.begin(source.column()); q < Math.min(j, table.end(source.column())); q++) {
                            table.reduce(task, i, j, table.get(task, i, q) + cost(q, j));
                        }
                    }
                    if (task.kernel() != TileKernel.B) {
                        for (int p = table.begin(source.row()); p < Math.min(i, table.end(source.row())); p++) {
                            table.reduce(task, i, j, table.get(task, p, j) + cost(-p, i));
                        }
                    }
                }
            }
        }
    }

    static final class EditDistance implements Problem {
        private static long different(int i, int j) {
            return (i * 7L + j * 3L) % 5 == 0 ? 0 : 1;
        }

        @Override
        public long[][] initial(int n, Random random) {
            return new long[n][n];
        }

        @Override
        public void solve(long[][] cells) {
            for (int i = 0; i < cells.length; i++) {
                for (int j = 0; j < cells.length; j++) {
                    cells[i][j] = i == 0 || j == 0
                            ? i + j
                            : Math.min(
                                    cells[i - 1][j - 1] + different(i, j),
                                    1 + Math.min(cells[i - 1][j], cells[i][j - 1]));
                }
            }
        }

        @Override
        public void run(Table table, Task task) {
            Tile target = task.target();
            for (int i = table.begin(target.row()); i < table.end(target.row()); i++) {
                for (int j = table.begin(target.column()); j < table.end(target.column()); j++) {
                    table.set(
                            task,
                            i,
                            j,
                            i == 0 || j == 0
                                    ? i + j
                                    : Math.min(
                                            table.get(task, i - 1, j - 1) + different(i, j),
                                            1 + Math.min(table.get(task, i - 1, j), table.get(task, i, j - 1))));
                }
            }
        }
    }

    static Map<String, Schedule> schedules(int side) {
        Map<String, Schedule> schedules = new LinkedHashMap<>();
        schedules.put("blocked", Schedule.blocked(side));
        schedules.put("2-way", Schedule.twoWay(side));
        schedules.put("3-way of 2-way", Schedule.rWay(3, (side + 2) / 3));
        schedules.put("(2, 3, rest)-way", Schedule.rWay(2, 3, (side + 5) / 6));
        schedules.put("2-way in order", Schedule.twoWay(side).inOrder(20));
        schedules.put(
                "(3, rest)-way in order above", Schedule.rWay(3, (side + 2) / 3).inOrder(2));
        return schedules;
    }

    static long[][] copy(long[][] cells) {
        return Stream.of(cells).map(long[]::clone).toArray(long[][]::new);
    }

    static Set<Task> tasks(Pattern pattern, int side, Schedule schedule) {
        List<Task> tasks = new ArrayList<>();
        schedule.run(pattern, side, tasks::addAll);
        Set<Task> different = new HashSet<>(tasks);
        assertThat(different).hasSameSizeAs(tasks);
        return different;
    }
}
