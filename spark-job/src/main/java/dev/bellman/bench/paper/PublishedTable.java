package dev.bellman.bench.paper;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A table that is copied from a paper, read from the resource {@code <name>.tsv}. The file begins with comment lines,
 * which start with {@code #} and explain the figures. Then come a heading and the rows; the first field of a row is the
 * row's name. {@code -} marks a figure that the paper does not report.
 */
public final class PublishedTable {
    private final List<String> columns;
    private final Map<String, List<String>> rows;

    private PublishedTable(List<String> columns, Map<String, List<String>> rows) {
        this.columns = columns;
        this.rows = rows;
    }

    /** Returns the table of {@code javanmard}, {@code matsumae}, {@code wani}, {@code wu} or {@code zhao}. */
    public static PublishedTable of(String name) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                PublishedTable.class.getResourceAsStream(name + ".tsv"), StandardCharsets.UTF_8))) {
            List<List<String>> lines = reader.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> List.of(line.split("\t")))
                    .toList();
            Map<String, List<String>> rows = new HashMap<>();
            lines.stream().skip(1).forEach(fields -> rows.put(fields.get(0), fields));
            return new PublishedTable(lines.get(0), rows);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the figure in a row and column; empty if the paper does not report it. */
    public OptionalDouble figure(Object row, String column) {
        List<String> fields = rows.get(row.toString());
        int at = columns.indexOf(column);
        if (fields == null || at < 1 || fields.get(at).equals("-")) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(Double.parseDouble(fields.get(at)));
    }

    /** Returns the smallest figure in a row; empty if the paper has no such row or reports no figures in it. */
    public OptionalDouble min(Object row) {
        return columns.stream()
                .skip(1)
                .map(column -> figure(row, column))
                .flatMapToDouble(OptionalDouble::stream)
                .min();
    }
}
