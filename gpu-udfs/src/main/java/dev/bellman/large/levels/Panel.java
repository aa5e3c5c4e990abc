package dev.bellman.large.levels;

import dev.bellman.large.tiles.LargeTask;
import dev.bellman.large.tiles.Pattern;
import dev.bellman.large.tiles.Task;
import dev.bellman.large.tiles.Tile;
import java.util.List;

/**
 * An array that tasks on other tiles read.
 *
 * @param tile the target of the task that wrote the panel
 */
public record Panel(Lines lines, Tile tile) {
    /**
     * The role in which a task reads a panel, as in {@link LargeTask}: lines stored by the task on its tile, or the
     * tile itself.
     */
    public enum Lines {
        ROWS,
        COLUMNS,
        CORNER
    }

    int round() {
        return lines == Lines.ROWS ? tile.row() : tile.column();
    }

    /** Returns the arrays of other tiles that a task reads. */
    static List<Panel> reads(Pattern pattern, Task task) {
        if (pattern == Pattern.PREFIXES) {
            return task.sources().stream()
                    .map(source -> new Panel(direction(task.target(), source), source))
                    .toList();
        }
        List<Tile> sources = task.sources();
        return switch (task.kernel()) {
            case A -> List.of();
            case B ->
                sources.size() == 1
                        ? List.of(new Panel(Lines.COLUMNS, sources.get(0)))
                        : List.of(new Panel(Lines.COLUMNS, sources.get(0)), new Panel(Lines.ROWS, sources.get(1)));
            case C -> List.of(new Panel(Lines.ROWS, sources.get(0)));
            case D -> List.of(new Panel(Lines.COLUMNS, sources.get(0)), new Panel(Lines.ROWS, sources.get(1)));
        };
    }

    private static Lines direction(Tile target, Tile source) {
        return source.column() == target.column()
                ? Lines.ROWS
                : source.row() == target.row() ? Lines.COLUMNS : Lines.CORNER;
    }

    /** Returns the arrays of a task's tile that tasks on other tiles read. */
    static List<Panel> writes(Task task) {
        Panel rows = new Panel(Lines.ROWS, task.target());
        Panel columns = new Panel(Lines.COLUMNS, task.target());
        return switch (task.kernel()) {
            case A -> List.of(rows, columns);
            case B -> List.of(rows);
            case C -> List.of(columns);
            case D -> List.of();
        };
    }
}
