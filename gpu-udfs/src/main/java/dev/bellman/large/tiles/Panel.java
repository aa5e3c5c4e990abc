package dev.bellman.large.tiles;

import java.util.List;

/**
 * An array that tasks on other tiles read.
 *
 * @param tile the target of the task that wrote it
 */
public record Panel(Lines lines, Tile tile) {
    /** The part of a tile that others read after its task: lines that it kept, or the tile itself. */
    public enum Lines {
        ROWS,
        COLUMNS
    }

    int round() {
        return lines == Lines.ROWS ? tile.row() : tile.column();
    }

    /** The arrays that a task reads of other tiles. */
    static List<Panel> reads(Task task) {
        return switch (task.kernel()) {
            case A -> List.of();
            case B -> List.of(new Panel(Lines.COLUMNS, task.sources().get(0)));
            case C -> List.of(new Panel(Lines.ROWS, task.sources().get(0)));
            case D ->
                List.of(
                        new Panel(Lines.COLUMNS, task.sources().get(0)),
                        new Panel(Lines.ROWS, task.sources().get(1)));
        };
    }

    /** The arrays of a task's tile that tasks on other tiles read. */
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
