package dev.bellman;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Real inputs with the results of trusted third-party tools. Tests use the complete set in {@code ../shared/golden},
 * next to the checkout, if it exists, or else the sample in {@code datasets/golden}. Sets whose licence does not allow
 * copies have no sample. The tests of missing sets are skipped with a message.
 */
public final class Golden {
    /** Tests run in their module's folder. */
    private static final List<Path> FOLDERS =
            List.of(Path.of("..", "..", "shared", "golden"), Path.of("..", "datasets", "golden"));

    private Golden() {}

    /** Returns the sets that exist; the first one must exist. */
    public static List<String> sets(String... names) {
        assertThat(file(names[0] + ".data")).exists();
        return Stream.of(names)
                .filter(name -> Files.exists(file(name + ".data")))
                .toList();
    }

    private static Path file(String name) {
        return FOLDERS.stream()
                .map(folder -> folder.resolve(name + ".tsv.gz"))
                .filter(Files::exists)
                .findFirst()
                .orElse(FOLDERS.get(0).resolve(name + ".tsv.gz"));
    }

    /**
     * Returns the rows of {@code <name>.tsv.gz}, keyed by their first column; each row is a map from column names to
     * strings.
     */
    public static Map<String, Map<String, String>> rows(String name) {
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        allRows(name).forEach(row -> rows.put(row.values().iterator().next(), row));
        return rows;
    }

    /** Returns the rows of {@code <name>.tsv.gz}, each as a map from column names to strings. */
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

    /** Returns the fields of each line of {@code <name>.tsv.gz}, including the header if there is one. */
    public static List<String[]> lines(String name) {
        Path file = file(name);
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

    /** Parses numbers that are separated by spaces. */
    public static double[] numbers(String text) {
        return Arrays.stream(text.split(" ")).mapToDouble(Double::parseDouble).toArray();
    }
}
