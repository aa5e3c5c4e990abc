package dev.bellman.large.levels;

import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Orders the tasks of {@link Pattern#TRIANGLE} or {@link Pattern#PREFIXES} so that the GPU stays busy and few arrays
 * are moved. The sources of a tile are finished before the tile, and the tile's products may be added in any order.
 *
 * <p>For each diagonal (or antidiagonal, with PREFIXES), the products of its tiles come first. Then the tiles
 * themselves are finished, in long chains of small steps. Products of later diagonals that can already be computed are
 * spread evenly between these steps. The products of one tile are consecutive, and the tiles are ordered row by row.
 */
final class DiagonalOrder {
    private final Pattern pattern;
    private final List<Task> order = new ArrayList<>();
    private final List<Task> products = new ArrayList<>();
    private final List<Task> closing = new ArrayList<>();

    private DiagonalOrder(Pattern pattern) {
        this.pattern = pattern;
    }

    /** Returns the tasks of consecutive waves in the order that this class defines. */
    static List<Task> of(Pattern pattern, List<Task> tasks) {
        DiagonalOrder order = new DiagonalOrder(pattern);
        tasks.forEach(order::add);
        order.end();
        return order.order;
    }

    private int diagonal(Task task) {
        Tile target = task.target();
        return pattern == Pattern.PREFIXES ? target.row() + target.column() : target.column() - target.row();
    }

    private void add(Task task) {
        if (!pattern.isRead(task.kernel())) {
            if (!closing.isEmpty()) {
                end();
            }
            products.add(task);
        } else {
            if (!closing.isEmpty() && diagonal(closing.get(0)) != diagonal(task)) {
                end();
            }
            closing.add(task);
        }
    }

    /** Adds the collected tasks of a diagonal, and the collected products of later diagonals, to the order. */
    private void end() {
        int diagonal = closing.isEmpty() ? 0 : diagonal(closing.get(0));
        products.sort(Comparator.<Task>comparingInt(task -> task.target().row())
                .thenComparingInt(task -> task.target().column()));
        List<Task> others = new ArrayList<>();
        for (Task product : products) {
            (diagonal(product) == diagonal ? order : others).add(product);
        }
        int taken = 0;
        for (int i = 0; i < closing.size(); i++) {
            order.add(closing.get(i));
            int due = (int) ((i + 1L) * others.size() / closing.size());
            order.addAll(others.subList(taken, due));
            taken = due;
        }
        order.addAll(others.subList(taken, others.size()));
        products.clear();
        closing.clear();
    }
}
