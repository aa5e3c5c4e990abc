package dev.bellman;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * Real inputs with answers of trusted third-party tools, next to a checkout in {@code ../shared/golden}. A test is skipped with a message if its file
 * is missing.
 */
public final class Golden {
    /** Tests run in the folder of their module. */
    private static final Path FOLDER = Path.of("..", "..", "shared", "golden");

    private Golden() {}

    /** The rows of {@code <name>.tsv.gz} by their first column, each a map from column to text. */
    public static Map<String, Map<String, String>> rows(String name) {
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        allRows(name).forEach(row -> rows.put(row.values().iterator().next(), row));
        return rows;
    }

    /** The rows of {@code <name>.tsv.gz}, each a map from column to text. */
    public static List<Map<String, String>> allRows(String name) {
        List<String[]> lines = lines(name);
        String[] header = lines.get(0);
        List<Map<String, String>> rows = new ArrayList<>();
        for (String[] fields : lines.subList(1, lines.size())) {
            Map<String, String> row = new LinkedHashMap<>();
            for (int i = 0; i < header.length; i++) {
                row.put(header[i], fields[i]);
            }
            rows.add(row);
        }
        return rows;
    }

    /** The fields of each line of {@code <name>.tsv.gz}, the header first, if there is one. */
    public static List<String[]> lines(String name) {
        Path file = FOLDER.resolve(name + ".tsv.gz");
        assumeTrue(
                Files.exists(file),
                () -> "skipped: no golden answers at " + file.toAbsolutePath().normalize());
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return lines.lines().map(line -> line.split("\t", -1)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
