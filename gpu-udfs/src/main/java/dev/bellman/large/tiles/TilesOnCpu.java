package dev.bellman.large.tiles;

import java.util.List;
import java.util.function.Consumer;

/** Runs a schedule on tiles in the heap. */
public final class TilesOnCpu {
    /** The kernels of a problem. */
    @FunctionalInterface
    public interface Kernels<T> {
        /**
         * Runs {@code task.kernel()}.
         *
         * @param sources in the order of {@code task.sources()}; not written
         */
        void run(Task task, T target, List<T> sources);
    }

    private TilesOnCpu() {}

    /**
     * Returns when the table is done. The answer does not depend on the number of threads.
     *
     * @param threads how many work on a wave together, the caller included
     */
    public static <T> void run(Schedule schedule, Pattern pattern, Grid<T> grid, int threads, Kernels<T> kernels) {
        run(schedule, pattern, grid, threads, kernels, wave -> {});
    }

    /**
     * The same.
     *
     * @param done takes each wave when it is done, in the calling thread
     */
    public static <T> void run(
            Schedule schedule,
            Pattern pattern,
            Grid<T> grid,
            int threads,
            Kernels<T> kernels,
            Consumer<List<Task>> done) {
        run(
                schedule,
                pattern,
                grid.side(),
                threads,
                task -> kernels.run(
                        task,
                        grid.get(task.target()),
                        task.sources().stream().map(grid::get).toList()),
                done);
    }

    /** The same for a table whose tiles are not objects. */
    public static void run(Schedule schedule, Pattern pattern, int side, int threads, Consumer<Task> kernels) {
        run(schedule, pattern, side, threads, kernels, wave -> {});
    }

    private static void run(
            Schedule schedule,
            Pattern pattern,
            int side,
            int threads,
            Consumer<Task> kernels,
            Consumer<List<Task>> done) {
        // each member generates the waves for itself, which costs next to nothing, and takes its share of each
        ThreadTeam.run(
                threads,
                (team, member) -> schedule.run(pattern, side, wave -> {
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
}
