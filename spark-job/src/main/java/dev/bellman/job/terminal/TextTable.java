package dev.bellman.job.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Function1;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Formats rows as a table that fits in the terminal. If the table is too wide, truncates columns, starting with the
 * widest. If some columns still do not fit, names them below the table.
 */
public final class TextTable {
    private static final int NARROWEST = 3;
    /** The minimum width of a column that is truncated. */
    private static final int MIN_WIDTH = 5;

    private static final int WITHOUT_TERMINAL = 120;

    /** The maximum number of characters of a string that are shown. Terminals are rarely wider than this. */
    private static final int MAX_CHARACTERS = 1_000;

    private TextTable() {}

    /** Returns the terminal's width as reported by the launcher or, if it is unknown, a common width. */
    public static int width() {
        String columns = System.getenv("BELLMAN_COLUMNS");
        return columns != null && columns.matches("[1-9]\\d{1,4}") ? Integer.parseInt(columns) : WITHOUT_TERMINAL;
    }

    /** @param rows the strings of each row, one for each name */
    public static String of(List<String> names, List<List<String>> rows, int width) {
        int columns = names.size();
        int shown = Math.max(1, Math.min(columns, (width - 1) / (MIN_WIDTH + 1)));
        int[] widths = IntStream.range(0, shown)
                .map(i -> Math.max(
                        Math.max(NARROWEST, names.get(i).length()),
                        rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0)))
                .toArray();
        while (Arrays.stream(widths).sum() + shown + 1 > width) {
            int widest = IntStream.range(0, shown)
                    .reduce((a, b) -> widths[b] > widths[a] ? b : a)
                    .orElseThrow();
            if (widths[widest] <= MIN_WIDTH) {
                break;
            }
            widths[widest]--;
        }
        StringBuilder text = new StringBuilder();
        String border = border(widths);
        text.append(border);
        line(text, names, widths);
        text.append(border);
        rows.forEach(row -> line(text, row, widths));
        text.append(border);
        if (shown < columns) {
            text.append(
                    "and %d more: %s\n".formatted(columns - shown, String.join(", ", names.subList(shown, columns))));
        }
        return text.toString();
    }

    private static String border(int[] widths) {
        StringBuilder border = new StringBuilder("+");
        Arrays.stream(widths).forEach(width -> border.append("-".repeat(width)).append('+'));
        return border.append('\n').toString();
    }

    private static void line(StringBuilder text, List<String> cells, int[] widths) {
        text.append('|');
        for (int i = 0; i < widths.length; i++) {
            String cell = cells.get(i);
            String cut = cell.length() > widths[i] ? cell.substring(0, Math.max(0, widths[i] - 3)) + "..." : cell;
            text.append(" ".repeat(Math.max(0, widths[i] - cut.length())))
                    .append(cut)
                    .append('|');
        }
        text.append('\n');
    }

    /** Formats the first rows as a table that fits in the terminal. */
    public static String of(Dataset<Row> found, int rows) {
        // for the first string, Dataset.take would start Scala reflection, which takes most of a second
        Function1<Object, Object> converter = CatalystTypeConverters.createToScalaConverter(found.schema());
        InternalRow[] first =
                found.limit(Math.max(0, rows)).queryExecution().executedPlan().executeCollect();
        return of(
                Arrays.asList(found.columns()),
                Arrays.stream(first).map(row -> (Row) converter.apply(row)).toList());
    }

    /** Formats rows as a table that fits in the terminal. */
    public static String of(List<String> names, List<Row> rows) {
        List<List<String>> texts = new ArrayList<>();
        for (Row row : rows) {
            List<String> cells = new ArrayList<>();
            for (int i = 0; i < row.length(); i++) {
                String cell = row.isNullAt(i) ? "NULL" : text(row.get(i));
                cells.add(Printable.text(cell.substring(0, Math.min(cell.length(), MAX_CHARACTERS))));
            }
            texts.add(cells);
        }
        return of(names, texts, width());
    }

    private static String text(Object value) {
        if (value instanceof scala.collection.Seq<?> list) {
            return joined("[", list, "]");
        }
        return value instanceof Row row ? joined("{", row.toSeq(), "}") : String.valueOf(value);
    }

    private static String joined(String begin, scala.collection.Seq<?> values, String end) {
        return CollectionConverters.asJava(values).stream()
                .map(TextTable::text)
                .collect(Collectors.joining(", ", begin, end));
    }
}
