package dev.bellman.bench.measure;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Prints a table on the terminal. Text is left-aligned, numbers are right-aligned, and missing numbers are shown as
 * {@code -}.
 */
public final class Table {
    private record Column(String heading, String format, int decimals) {}

    private final PrintWriter out;
    private final List<Column> columns = new ArrayList<>();
    private boolean begun;

    public Table(PrintWriter out) {
        this.out = out;
    }

    public Table text(String heading, int width) {
        columns.add(new Column(heading, "%-" + width + "s", 0));
        return this;
    }

    public Table number(String heading, int width, int decimals) {
        columns.add(new Column(heading, "%" + width + "s", decimals));
        return this;
    }

    /**
     * Prints a row immediately, because a measurement can take minutes. Before the first row, prints the table's
     * headings.
     */
    public void row(Object... cells) {
        if (!begun) {
            begun = true;
            line(columns.stream().map(Column::heading).toArray());
        }
        line(cells);
        out.flush();
    }

    private void line(Object... cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < columns.size(); i++) {
            Column column = columns.get(i);
            line.append(i == 0 ? "" : " ").append(String.format(column.format(), text(cells[i], column.decimals())));
        }
        out.println(line.toString().stripTrailing());
    }

    private static String text(Object cell, int decimals) {
        if (cell instanceof OptionalDouble optional) {
            return optional.isPresent() ? text(optional.getAsDouble(), decimals) : "-";
        }
        if (cell instanceof OptionalLong optional) {
            return optional.isPresent() ? text(optional.getAsLong(), decimals) : "-";
        }
        if (cell instanceof Double number) {
            return String.format(Locale.ROOT, "%,." + decimals + "f", number);
        }
        return cell instanceof Long || cell instanceof Integer
                ? String.format(Locale.ROOT, "%,d", cell)
                : cell.toString();
    }
}
