package dev.bellman.large.tiles;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Defines the order in which the tiles of a table are processed. A table is divided into tiles, each of these into
 * smaller tiles, and so on, down to the tiles on which kernels run. A schedule with one level consists of rounds, as in
 * the strategy {@code blocked}; a schedule with several levels follows the recursion of Javanmard et al. (2019), as in
 * the strategy {@code r-way}.
 */
public final class Schedule {
    /** Receives waves of tasks on tiles of several sizes. */
    @FunctionalInterface
    public interface PartWaves {
        /** @param parts the number of smallest tiles per side of each of these tasks' tiles */
        void accept(List<Task> wave, int parts);
    }

    private final int[] splits;
    private final int inOrder;
    /** The sparsity of the tiles; null if tasks on empty tiles are not skipped. */
    private final TileSparsity fill;

    private Schedule(TileSparsity fill, int inOrder, int... splits) {
        for (int split : splits) {
            if (split < 1) {
                throw new IllegalArgumentException("tiles are divided into " + Arrays.toString(splits));
            }
        }
        this.splits = splits.clone();
        this.inOrder = inOrder;
        this.fill = fill;
    }

    /** Returns a schedule of rounds over a grid of {@code side} by {@code side} tiles. */
    public static Schedule blocked(int side) {
        return new Schedule(null, 0, side);
    }

    /** Returns a schedule of rounds over the nonempty tiles, for {@link Pattern#CLOSURE}. */
    public static Schedule blocked(TileSparsity fill) {
        return new Schedule(fill, 0, fill.side());
    }

    /**
     * Returns the r-way recursion: the table is divided into {@code splits[0]} by {@code splits[0]} tiles, each of
     * these into {@code splits[1]} by {@code splits[1]} tiles, and so on.
     */
    public static Schedule rWay(int... splits) {
        return new Schedule(null, 0, splits);
    }

    /**
     * Passes on the waves of the two-level r-way recursion, for a device that processes whole large tiles: the table is
     * divided into tiles, each of which consists of {@code parts} by {@code parts} smallest tiles. Products, which are
     * the tasks whose results no other task of their round reads, remain whole; all other tasks are split.
     *
     * @param side the number of tiles per side of the table; tiles of a product may lie beyond the table
     */
    public static void rWayOfProducts(Pattern pattern, int side, int parts, PartWaves waves) {
        rWayOfProducts(pattern, Pattern.WHOLE, Grid.tiles(side, parts), side, parts, waves);
    }

    /**
     * Like {@link #rWayOfProducts(Pattern, int, int, PartWaves)}, but for one task on even larger tiles.
     *
     * @param splits the number of large tiles per side of these even larger tiles
     */
    public static void rWayOfProducts(Pattern pattern, Task task, int splits, int parts, PartWaves waves) {
        rWayOfProducts(pattern, task, splits, Integer.MAX_VALUE, parts, waves);
    }

    private static void rWayOfProducts(Pattern pattern, Task task, int splits, int side, int parts, PartWaves waves) {
        Schedule inside = rWay(parts);
        rWay(splits).run(pattern, task, Grid.tiles(side, parts), wave -> {
            if (pattern.isRead(wave.get(0).kernel())) {
                inside.run(pattern, wave, side, split -> waves.accept(split, 1));
            } else {
                waves.accept(wave, parts);
            }
        });
    }

    /** Returns the 2-way recursion, down to a grid of at least {@code side} by {@code side} tiles. */
    public static Schedule twoWay(int side) {
        int levels = Integer.SIZE - Integer.numberOfLeadingZeros(side - 1);
        int[] splits = new int[levels];
        Arrays.fill(splits, 2);
        return rWay(splits);
    }

    /**
     * Returns this schedule with the tasks of the first levels in sequence, so that the data of a task stays in faster
     * memory until the task is complete. In the levels below, independent tasks run in parallel, in a few large waves.
     *
     * @param levels the number of levels; 0 for none, 1 for the table itself, 2 for its {@code splits[0]} by {@code
     *     splits[0]} tiles
     */
    public Schedule inOrder(int levels) {
        return new Schedule(fill, levels, splits);
    }

    /** Returns the maximum number of tiles per side of the grid. */
    public int side() {
        return Arrays.stream(splits).reduce(1, Math::multiplyExact);
    }

    /**
     * Passes on the tasks, wave by wave. Tasks of a wave may run in any order or concurrently; a wave begins when the
     * previous wave is complete.
     *
     * @param side the number of tiles per side of the table; tasks on tiles beyond the table are skipped
     */
    public void run(Pattern pattern, int side, Consumer<List<Task>> waves) {
        if (side > side()) {
            throw new IllegalArgumentException(
                    "the table has %d tiles per side; the schedule supports at most %d".formatted(side, side()));
        }
        if (fill != null) {
            fill.run(waves);
        } else {
            run(pattern, Pattern.WHOLE, side, waves);
        }
    }

    /**
     * Runs all tasks of a table and returns when they are complete. All tiles are in one heap, so neither storage nor
     * messages are needed. The result does not depend on the number of threads.
     *
     * @param side the number of tiles per side of the table
     * @param threads the number of threads that work on a wave, including the caller
     * @param kernels runs a task
     */
    public void execute(Pattern pattern, int side, int threads, Consumer<Task> kernels) {
        execute(pattern, side, threads, kernels, wave -> {});
    }

    /**
     * Like {@link #execute(Pattern, int, int, Consumer)}, but reports completed waves.
     *
     * @param done receives each completed wave, in the calling thread
     */
    public void execute(Pattern pattern, int side, int threads, Consumer<Task> kernels, Consumer<List<Task>> done) {
        // each member generates all waves, which takes hardly any time, and runs its share of each wave
        ThreadTeam.run(
                threads,
                (team, member) -> run(pattern, side, wave -> {
                    for (int i = member; i < wave.size(); i += team.size()) {
                        team.check();
                        kernels.accept(wave.get(i));
                    }
                    team.await();
                    if (member == 0) {
                        done.accept(wave);
                    }
                }));
    }

    /**
     * Passes on the parts of one task on large tiles. A large tile consists of {@link #side()} by {@link #side()} tiles
     * of the table.
     *
     * @param side the number of tiles per side of the table; tasks on tiles beyond the table are skipped
     */
    public void run(Pattern pattern, Task task, int side, Consumer<List<Task>> waves) {
        run(pattern, List.of(task), side, waves);
    }

    /** Like {@link #run(Pattern, Task, int, Consumer)}, for independent tasks in parallel. */
    public void run(Pattern pattern, List<Task> tasks, int side, Consumer<List<Task>> waves) {
        run(pattern, side, 0, side(), tasks, waves);
    }

    /** @param each the number of smallest tiles per side of a tile on this level */
    private void run(Pattern pattern, int side, int level, int each, List<Task> tasks, Consumer<List<Task>> waves) {
        if (level == splits.length) {
            waves.accept(tasks);
        } else if (level < inOrder) {
            tasks.forEach(task -> pattern.split(task, splits[level])
                    .forEach(wave -> runInside(pattern, side, level, each, wave, waves)));
        } else {
            List<Iterator<List<Task>>> parts = tasks.stream()
                    .map(task -> pattern.split(task, splits[level]).iterator())
                    .toList();
            while (parts.stream().anyMatch(Iterator::hasNext)) {
                List<Task> wave = new ArrayList<>();
                parts.stream().filter(Iterator::hasNext).forEach(part -> wave.addAll(part.next()));
                runInside(pattern, side, level, each, wave, waves);
            }
        }
    }

    private void runInside(
            Pattern pattern, int side, int level, int each, List<Task> wave, Consumer<List<Task>> waves) {
        int part = each / splits[level];
        List<Task> inside = wave.stream()
                .filter(task -> Stream.concat(Stream.of(task.target()), task.sources().stream())
                        .allMatch(tile -> (long) tile.row() * part < side && (long) tile.column() * part < side))
                .toList();
        if (!inside.isEmpty()) {
            run(pattern, side, level + 1, part, inside, waves);
        }
    }
}
