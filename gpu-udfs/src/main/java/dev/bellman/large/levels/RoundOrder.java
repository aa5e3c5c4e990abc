package dev.bellman.large.levels;

import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.TileKernel;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Orders several rounds of {@link Pattern#CLOSURE} or {@link Pattern#ELIMINATION} so that each tile is visited, and
 * moved between levels, only once for all rounds, or twice in the columns of the rounds' pivots. The tasks on a tile
 * run in the order of the rounds, with the same sources, so results are bit-for-bit the same.
 *
 * <p>The columns of the rounds' pivots come first; each of them is processed up to the round of its pivot. After that,
 * all column panels of the rounds exist. Then the remaining tasks follow, column by column: first the tasks in the rows
 * of the pivots, which depend on each other, then the tasks in all other rows. The first part of a column is
 * interleaved with the second part of the previous column, so that no task waits for its predecessor. Of the pivots'
 * rows, only the tiles in two columns are needed at a time.
 */
final class RoundOrder {
    private record Step(int round, Task task) {
        int row() {
            return task.target().row();
        }

        /** Returns the rank of the task's kernel: in a column, the pivot comes first. */
        int kernel() {
            return task.kernel() == TileKernel.A ? 0 : 1;
        }
    }

    /** The remaining tasks of a column. */
    private static final class Column {
        private final List<Task> first = new ArrayList<>();
        private final List<Task> second = new ArrayList<>();
    }

    private final NavigableMap<Integer, List<Step>> columns = new TreeMap<>();
    private final List<Integer> pivots = new ArrayList<>();
    private final boolean backwards;

    private RoundOrder(Collection<List<Task>> rounds, boolean backwards) {
        this.backwards = backwards;
        for (List<Task> round : rounds) {
            int pivot = round.get(0).target().row();
            pivots.add(pivot);
            for (Task task : round) {
                columns.computeIfAbsent(task.target().column(), column -> new ArrayList<>())
                        .add(new Step(pivot, task));
            }
        }
    }

    /**
     * Returns the tasks of consecutive rounds in the order that this class defines.
     *
     * @param rounds the rounds, each of which begins with its task A
     * @param backwards whether to proceed from the last column to the first and from the last row to the first
     */
    static List<Task> of(Collection<List<Task>> rounds, boolean backwards) {
        return new RoundOrder(rounds, backwards).order();
    }

    private List<Task> order() {
        List<Task> order = new ArrayList<>();
        for (int pivot : pivots) {
            List<Step> steps = columns.get(pivot);
            Column before =
                    column(steps.stream().filter(step -> step.round < pivot).toList());
            order.addAll(before.first);
            order.addAll(before.second);
            steps.stream()
                    .filter(step -> step.round == pivot)
                    .sorted(Comparator.comparing(Step::kernel).thenComparing(step -> place(step.row())))
                    .forEach(step -> order.add(step.task));
        }
        List<Column> rest = (backwards ? columns.descendingMap() : columns)
                .entrySet().stream()
                        .map(entry -> column(entry.getValue().stream()
                                .filter(step -> !pivots.contains(entry.getKey()) || step.round > entry.getKey())
                                .toList()))
                        .toList();
        for (int i = 0; i <= rest.size(); i++) {
            merge(i == 0 ? List.of() : rest.get(i - 1).second, i == rest.size() ? List.of() : rest.get(i).first, order);
        }
        return order;
    }

    private int place(int row) {
        return backwards ? -row : row;
    }

    private Column column(List<Step> steps) {
        Column column = new Column();
        // later rounds read a pivot's row after the pivot's own round
        Comparator<Step> byRow = Comparator.comparing(step -> place(step.row()));
        steps.stream()
                .filter(this::isFirst)
                .sorted(Comparator.comparing(Step::row).thenComparing(Step::round))
                .forEach(step -> column.first.add(step.task));
        steps.stream()
                .filter(step -> !isFirst(step))
                .sorted(byRow.thenComparing(Step::round))
                .forEach(step -> column.second.add(step.task));
        return column;
    }

    private boolean isFirst(Step step) {
        return pivots.contains(step.row()) && step.round <= step.row();
    }

    /** Spreads one list evenly over the other; both lists stay in order. */
    private static void merge(List<Task> many, List<Task> few, List<Task> into) {
        int taken = 0;
        for (int i = 0; i < many.size(); i++) {
            into.add(many.get(i));
            int due = (int) ((i + 1L) * few.size() / many.size());
            into.addAll(few.subList(taken, due));
            taken = due;
        }
        into.addAll(few.subList(taken, few.size()));
    }
}
