package dev.bellman.large.tiles;

import java.util.List;
import java.util.stream.Stream;

/**
 * Defines the dependencies between a table's tiles, and how a task on large tiles splits into tasks on smaller tiles.
 * Follows Javanmard et al., "Toward efficient architecture-independent algorithms for dynamic programs" (2019),
 * where each kernel of each problem is such a recursion. A pattern is independent of all other properties of a problem.
 *
 * <p>Below, X is a target and X(i,j) is one of its r x r parts.
 */
public enum Pattern {
    /**
     * Every cell depends on every row and column, as in the Floyd-Warshall algorithm: for each k, A on X(k,k), then B
     * on the rest of its row and C on the rest of its column, then D on all other tiles. Sources: for B and C, the tile
     * of A; for D, the tile in its row, then the tile in its column.
     */
    CLOSURE {
        @Override
        Stream<List<Task>> splitA(Task task, int r) {
            return Waves.eliminate(task, r, 0);
        }

        @Override
        Stream<List<Task>> splitB(Task task, int r) {
            return Waves.rows(task, r, 0);
        }

        @Override
        Stream<List<Task>> splitC(Task task, int r) {
            return Waves.columns(task, r, 0);
        }
    },

    /**
     * Like {@link #CLOSURE}, but all tiles above or to the left of X(k,k) are finished: elimination without pivoting.
     */
    ELIMINATION {
        @Override
        Stream<List<Task>> splitA(Task task, int r) {
            return Waves.eliminate(task, r, 1);
        }

        @Override
        Stream<List<Task>> splitB(Task task, int r) {
            return Waves.rows(task, r, 1);
        }

        @Override
        Stream<List<Task>> splitC(Task task, int r) {
            return Waves.columns(task, r, 1);
        }
    },

    /**
     * Cells on and above the diagonal depend on the cells to their left and below them, as in parenthesizations. A is
     * for tiles on the diagonal. B is for other tiles, after all tiles between the target and the diagonal have been
     * computed; its sources are the diagonal tiles of its row and column. The sources of D, which the paper calls C,
     * are a tile to the left of the target and the tile below the target that begins where the former ends. This is
     * Fig. 2 of the paper with line 7 of B corrected.
     */
    TRIANGLE {
        @Override
        Stream<List<Task>> splitA(Task task, int r) {
            return Waves.steps(1 + 3 * (r - 1), step -> {
                int k = (step + 2) / 3;
                return switch (step == 0 ? -1 : (step - 1) % 3) {
                    case -1 ->
                        Waves.collect(
                                r,
                                (i, j) -> i == j,
                                (i, j) -> new Task(TileKernel.A, task.target().part(r, i, i)));
                    case 0 ->
                        Waves.collect(
                                r,
                                (i, j) -> Waves.between(k, j - i, Math.min(2 * k - 2, r - 1)),
                                (i, j) -> within(task, r, i, j, i + k - 1));
                    case 1 ->
                        Waves.collect(
                                r,
                                (i, j) -> Waves.between(k, j - i, Math.min(2 * k - 3, r - 1)),
                                (i, j) -> within(task, r, i, j, j - k + 1));
                    default ->
                        Waves.collect(
                                r,
                                (i, j) -> j - i == k,
                                (i, j) -> new Task(
                                        TileKernel.B,
                                        task.target().part(r, i, j),
                                        task.target().part(r, i, i),
                                        task.target().part(r, j, j)));
                };
            });
        }

        private static Task within(Task task, int r, int i, int j, int middle) {
            Tile whole = task.target();
            return new Task(TileKernel.D, whole.part(r, i, j), whole.part(r, i, middle), whole.part(r, middle, j));
        }

        @Override
        Stream<List<Task>> splitB(Task task, int r) {
            int diagonals = 2 * r - 1;
            return Waves.steps(3 * diagonals, step -> {
                int k = step / 3 + 1;
                return switch (step % 3) {
                    case 0 ->
                        Waves.collect(
                                r,
                                (i, j) -> Waves.between(k, j - i + r, Math.min(2 * k - 2, diagonals)),
                                (i, j) -> across(task, r, i, j, i + k - 1 - r));
                    case 1 ->
                        Waves.collect(
                                r,
                                (i, j) -> Waves.between(k, j - i + r, Math.min(2 * k - 3, diagonals)),
                                (i, j) -> across(task, r, i, j, j - k + 1));
                    default ->
                        Waves.collect(
                                r,
                                (i, j) -> j - i + r == k,
                                (i, j) -> new Task(
                                        TileKernel.B,
                                        task.target().part(r, i, j),
                                        task.sources().get(0).part(r, i, i),
                                        task.sources().get(1).part(r, j, j)));
                };
            });
        }

        /**
         * Returns the task D whose left source ends and whose other source begins at a middle tile. A negative index of
         * the middle tile, starting at -r, counts from the beginning of the row's diagonal tile; any other index counts
         * from the beginning of the column's diagonal tile.
         */
        private static Task across(Task task, int r, int i, int j, int middle) {
            Tile target = task.target();
            Tile row = task.sources().get(0);
            Tile column = task.sources().get(1);
            return middle < 0
                    ? new Task(
                            TileKernel.D,
                            target.part(r, i, j),
                            row.part(r, i, middle + r),
                            target.part(r, middle + r, j))
                    : new Task(
                            TileKernel.D, target.part(r, i, j), target.part(r, i, middle), column.part(r, middle, j));
        }
    },

    /**
     * Every cell depends on its neighbours and on all cells to its left and above it, as in the gap problem. A finishes
     * a tile from its three neighbours, as in {@link #NEIGHBOURS}; B propagates a finished tile, its source, along the
     * row to the target, and C propagates a finished tile along the column.
     */
    PREFIXES {
        @Override
        Stream<List<Task>> splitA(Task task, int r) {
            Tile whole = task.target();
            return Waves.steps(3 * (2 * r - 1), step -> {
                int diagonal = step / 3;
                return switch (step % 3) {
                    case 0 -> Waves.diagonal(whole, r, diagonal);
                    case 1 ->
                        Waves.collect(
                                r,
                                (i, j) -> Waves.between(0, diagonal - i, j - 1),
                                (i, j) -> new Task(TileKernel.B, whole.part(r, i, j), whole.part(r, i, diagonal - i)));
                    default ->
                        Waves.collect(
                                r,
                                (i, j) -> Waves.between(0, diagonal - j, i - 1),
                                (i, j) -> new Task(TileKernel.C, whole.part(r, i, j), whole.part(r, diagonal - j, j)));
                };
            });
        }

        @Override
        Stream<List<Task>> splitB(Task task, int r) {
            return Waves.steps(
                    r,
                    k -> Waves.collect(
                            r,
                            (i, j) -> true,
                            (i, j) -> new Task(
                                    TileKernel.B,
                                    task.target().part(r, i, j),
                                    task.sources().get(0).part(r, i, k))));
        }

        @Override
        Stream<List<Task>> splitC(Task task, int r) {
            return Waves.steps(
                    r,
                    k -> Waves.collect(
                            r,
                            (i, j) -> true,
                            (i, j) -> new Task(
                                    TileKernel.C,
                                    task.target().part(r, i, j),
                                    task.sources().get(0).part(r, k, j))));
        }

        @Override
        Stream<List<Task>> splitD(Task task, int r) {
            throw none(task);
        }
    },

    /**
     * Every cell depends on its neighbours, as in edit distance and LCS. Only A is used; its sources are the tiles
     * above, to the left, and above and to the left, if they exist.
     */
    NEIGHBOURS {
        @Override
        Stream<List<Task>> splitA(Task task, int r) {
            return Waves.steps(2 * r - 1, diagonal -> Waves.diagonal(task.target(), r, diagonal));
        }

        @Override
        Stream<List<Task>> splitD(Task task, int r) {
            throw none(task);
        }
    };

    /** The task for a whole table: A on a grid of one tile. */
    static final Task WHOLE = new Task(TileKernel.A, new Tile(0, 0));

    /** Whether, in a schedule of one level, tasks on other tiles read the target of a task with the given kernel. */
    public boolean isRead(TileKernel kernel) {
        return switch (this) {
            case CLOSURE, ELIMINATION, TRIANGLE -> kernel != TileKernel.D;
            case PREFIXES, NEIGHBOURS -> kernel == TileKernel.A;
        };
    }

    /** Returns the maximum number of tiles that a task reads or writes. */
    public int tilesOfTask() {
        return this == PREFIXES || this == NEIGHBOURS ? 4 : 3;
    }

    /** Whether, in a schedule of one level, a wave with the given kernel begins a round: a pivot or a diagonal. */
    public boolean beginsRound(TileKernel kernel) {
        return this == TRIANGLE ? kernel == TileKernel.B : kernel == TileKernel.A;
    }

    /**
     * Returns the number of operations of a kernel on tiles with n cells per side, as a fraction of n^3. The result for
     * A also applies to a whole table.
     */
    public double work(TileKernel kernel) {
        return switch (this) {
            case CLOSURE, PREFIXES -> 1;
            case ELIMINATION -> kernel == TileKernel.A ? 1.0 / 3 : kernel == TileKernel.D ? 1 : 1.0 / 2;
            case TRIANGLE -> kernel == TileKernel.A ? 1.0 / 6 : 1;
            // O(n^2) operations, a negligible fraction of n^3
            case NEIGHBOURS -> 0;
        };
    }

    /**
     * Splits a task into waves by dividing every tile into {@code r} by {@code r} tiles. No task of a wave writes a
     * tile that another task of the wave reads or writes. The stream is lazy, because the waves of a table with many
     * tiles would not fit in memory.
     */
    Stream<List<Task>> split(Task task, int r) {
        return switch (task.kernel()) {
            case A -> splitA(task, r);
            case B -> splitB(task, r);
            case C -> splitC(task, r);
            case D -> splitD(task, r);
        };
    }

    abstract Stream<List<Task>> splitA(Task task, int r);

    Stream<List<Task>> splitB(Task task, int r) {
        throw none(task);
    }

    Stream<List<Task>> splitC(Task task, int r) {
        throw none(task);
    }

    Stream<List<Task>> splitD(Task task, int r) {
        Tile left = task.sources().get(0);
        Tile above = task.sources().get(1);
        return Waves.steps(
                r,
                k -> Waves.collect(
                        r,
                        (i, j) -> true,
                        (i, j) -> new Task(
                                TileKernel.D, task.target().part(r, i, j), left.part(r, i, k), above.part(r, k, j))));
    }

    private static IllegalArgumentException none(Task task) {
        return new IllegalArgumentException("this pattern has no kernel " + task.kernel());
    }
}
