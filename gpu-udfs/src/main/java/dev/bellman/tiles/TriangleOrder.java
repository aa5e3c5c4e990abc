package dev.bellman.tiles;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Tasks of {@link Pattern#TRIANGLE} in an order that keeps a GPU busy and moves little. What a tile reads is finished before, and its products may be added
 * in any order.
 *
 * <p>For each diagonal, the products of its own tiles come first. Then they are closed, which has long chains of small steps; the other products that are
 * possible by then, of later diagonals, are spread between. Products of one tile follow each other, and the tiles go row by row.
 */
final class TriangleOrder {
    private final List<Task> order = new ArrayList<>();
    private final List<Task> products = new ArrayList<>();
    private final List<Task> closing = new ArrayList<>();

    private TriangleOrder() {}

    /** The tasks of consecutive waves. */
    static List<Task> of(List<Task> tasks) {
        TriangleOrder order = new TriangleOrder();
        tasks.forEach(order::add);
        order.end();
        return order.order;
    }

    private static int distance(Task task) {
        return task.target().column() - task.target().row();
    }

    private void add(Task task) {
        if (task.kernel() == TileKernel.D) {
            if (!closing.isEmpty()) {
                end();
            }
            products.add(task);
        } else {
            if (!closing.isEmpty() && distance(closing.get(0)) != distance(task)) {
                end();
            }
            closing.add(task);
        }
    }

    /** Ends a diagonal. */
    private void end() {
        int diagonal = closing.isEmpty() ? 0 : distance(closing.get(0));
        products.sort(Comparator.<Task>comparingInt(task -> task.target().row())
                .thenComparingInt(task -> task.target().column()));
        List<Task> others = new ArrayList<>();
        for (Task product : products) {
            (distance(product) == diagonal ? order : others).add(product);
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
