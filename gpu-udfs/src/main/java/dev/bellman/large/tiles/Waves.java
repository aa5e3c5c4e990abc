package dev.bellman.large.tiles;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Defines waves that several {@link Pattern}s share, and helpers to define the waves of a single pattern. */
final class Waves {
    private Waves() {}

    /**
     * Splits A of {@link Pattern#CLOSURE} and {@link Pattern#ELIMINATION}.
     *
     * @param trailing 1 if step k changes only tiles in rows and columns from k on; otherwise 0
     */
    static Stream<List<Task>> eliminate(Task task, int r, int trailing) {
        Tile whole = task.target();
        return steps(3 * r, step -> {
            int k = step / 3;
            int from = trailing * k;
            Tile pivot = whole.part(r, k, k);
            return switch (step % 3) {
                case 0 -> List.of(new Task(TileKernel.A, pivot));
                case 1 ->
                    collect(
                            r,
                            (i, j) -> i >= from && j >= from && i == k != (j == k),
                            (i, j) -> new Task(i == k ? TileKernel.B : TileKernel.C, whole.part(r, i, j), pivot));
                default ->
                    collect(
                            r,
                            (i, j) -> i >= from && j >= from && i != k && j != k,
                            (i, j) -> new Task(
                                    TileKernel.D, whole.part(r, i, j), whole.part(r, i, k), whole.part(r, k, j)));
            };
        });
    }

    static Stream<List<Task>> rows(Task task, int r, int trailing) {
        Tile pivot = task.sources().get(0);
        return steps(2 * r, step -> {
            int k = step / 2;
            return step % 2 == 0
                    ? collect(
                            r,
                            (i, j) -> i == k,
                            (i, j) -> new Task(TileKernel.B, task.target().part(r, k, j), pivot.part(r, k, k)))
                    : collect(
                            r,
                            (i, j) -> i != k && i >= trailing * k,
                            (i, j) -> new Task(
                                    TileKernel.D,
                                    task.target().part(r, i, j),
                                    pivot.part(r, i, k),
                                    task.target().part(r, k, j)));
        });
    }

    static Stream<List<Task>> columns(Task task, int r, int trailing) {
        Tile pivot = task.sources().get(0);
        return steps(2 * r, step -> {
            int k = step / 2;
            return step % 2 == 0
                    ? collect(
                            r,
                            (i, j) -> j == k,
                            (i, j) -> new Task(TileKernel.C, task.target().part(r, i, k), pivot.part(r, k, k)))
                    : collect(
                            r,
                            (i, j) -> j != k && j >= trailing * k,
                            (i, j) -> new Task(
                                    TileKernel.D,
                                    task.target().part(r, i, j),
                                    task.target().part(r, i, k),
                                    pivot.part(r, k, j)));
        });
    }

    static List<Task> diagonal(Tile whole, int r, int diagonal) {
        return collect(r, (i, j) -> i + j == diagonal, (i, j) -> {
            Tile target = whole.part(r, i, j);
            List<Tile> sources = new ArrayList<>(3);
            if (target.row() > 0) {
                sources.add(new Tile(target.row() - 1, target.column()));
            }
            if (target.column() > 0) {
                sources.add(new Tile(target.row(), target.column() - 1));
            }
            if (target.row() > 0 && target.column() > 0) {
                sources.add(new Tile(target.row() - 1, target.column() - 1));
            }
            return new Task(TileKernel.A, target, sources);
        });
    }

    @FunctionalInterface
    interface Part<R> {
        R of(int i, int j);
    }

    static List<Task> collect(int r, Part<Boolean> wanted, Part<Task> task) {
        List<Task> wave = new ArrayList<>();
        for (int i = 0; i < r; i++) {
            for (int j = 0; j < r; j++) {
                if (wanted.of(i, j)) {
                    wave.add(task.of(i, j));
                }
            }
        }
        return wave;
    }

    static Stream<List<Task>> steps(int count, IntFunction<List<Task>> wave) {
        return IntStream.range(0, count).mapToObj(wave).filter(tasks -> !tasks.isEmpty());
    }

    static boolean between(int low, int value, int high) {
        return low <= value && value <= high;
    }
}
