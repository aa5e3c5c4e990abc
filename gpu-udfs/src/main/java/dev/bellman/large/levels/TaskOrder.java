package dev.bellman.large.levels;

import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import dev.bellman.large.tiles.TileGpu;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Collects the tasks of a whole {@link LevelTable} that have not run yet, and puts them in an order that moves few
 * arrays between levels.
 */
final class TaskOrder {
    /** The number of columns of tiles that tasks work on at the same time. */
    private static final int COLUMNS = 2;

    private final Pattern pattern;
    private final int side;
    private final int slots;
    private final List<List<Task>> rounds = new ArrayList<>();
    private boolean backwards;

    /**
     * Creates an empty order.
     *
     * @param side the number of large tiles per side of the table
     * @param slots the number of arrays for which the GPU has room
     */
    TaskOrder(Pattern pattern, int side, int slots) {
        this.pattern = pattern;
        this.side = side;
        this.slots = slots;
    }

    void add(List<Task> wave) {
        if (rounds.isEmpty() || pattern.beginsRound(wave.get(0).kernel())) {
            rounds.add(new ArrayList<>());
        }
        rounds.get(rounds.size() - 1).addAll(wave);
    }

    boolean isEmpty() {
        return rounds.isEmpty();
    }

    /** Removes all tasks and returns them in the order in which they must run. */
    List<Task> take() {
        List<Task> order = goesByDiagonals()
                ? DiagonalOrder.of(
                        pattern, rounds.stream().flatMap(List::stream).toList())
                : byRounds();
        rounds.clear();
        return order;
    }

    private boolean goesByDiagonals() {
        return pattern == Pattern.TRIANGLE || pattern == Pattern.PREFIXES;
    }

    private List<Task> byRounds() {
        List<Task> order = new ArrayList<>();
        int first = 0;
        while (first < rounds.size()) {
            int end = first + 1;
            int lines = lines(rounds.get(first));
            while (end < rounds.size() && lines + lines(rounds.get(end)) <= mostLines()) {
                lines += lines(rounds.get(end));
                end++;
            }
            order.addAll(RoundOrder.of(rounds.subList(first, end), backwards));
            backwards = !backwards;
            first = end;
        }
        return order;
    }

    /** Returns the maximum number of arrays of other tiles that the tasks of a round read at the same time. */
    private static int lines(List<Task> round) {
        int column = round.get(0).target().column();
        return COLUMNS
                + (int) round.stream()
                        .filter(task -> task.target().column() == column)
                        .count();
    }

    /**
     * Returns the maximum number of lines for rounds that run together; 0 if all tiles fit on the GPU, because running
     * rounds together then gains nothing.
     */
    private int mostLines() {
        return slots < side * (side + 2) ? (int) ((1 - LevelSizes.MOVING) * slots) : 0;
    }

    /** Whether a later round may use a tile. */
    boolean isUsedLater(Tile tile) {
        if (goesByDiagonals()) {
            return true;
        }
        int next = rounds.get(rounds.size() - 1).get(0).target().row() + 1;
        int last = pattern == Pattern.CLOSURE ? side - 1 : Math.min(tile.row(), tile.column());
        return next <= last;
    }

    /**
     * Returns the tiles that do not fit on the GPU or in host memory. These tiles are spread evenly over the order of
     * the tasks, so that files are read and written continuously.
     *
     * @param buffers the number of arrays that fit in host memory
     * @param keepsLines as in {@link TileGpu#keepsLines}
     */
    Set<Tile> streaming(List<Tile> all, int buffers, boolean keepsLines) {
        int lines = pattern == Pattern.CLOSURE && keepsLines ? linesTogether() : 0;
        int count = Math.max(0, all.size() - TieredTileCache.staying(slots - lines, buffers));
        List<Tile> byColumn = all.stream()
                .sorted(Comparator.comparing(Tile::column).thenComparing(Tile::row))
                .toList();
        return IntStream.range(0, all.size())
                .filter(i -> (i + 1L) * count / all.size() > (long) i * count / all.size())
                .mapToObj(byColumn::get)
                .collect(Collectors.toSet());
    }

    /**
     * Returns the total number of lines in the rounds that run together, assuming that each round has as many lines as
     * the first.
     */
    private int linesTogether() {
        int ofRound = side + COLUMNS;
        return Math.max(1, mostLines() / ofRound) * ofRound;
    }
}
