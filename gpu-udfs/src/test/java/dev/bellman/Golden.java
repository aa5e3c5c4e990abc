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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Real inputs with answers of trusted third-party tools: the whole sets, if they are next to the checkout in
 * {@code ../shared/golden}, otherwise the samples in {@code datasets/golden}, which lack the sets whose licence does
 * not allow them. Their tests are skipped with a message.
 */
public final class Golden {
    /** Tests run in the folder of their module. */
    private static final List<Path> FOLDERS =
            List.of(Path.of("..", "..", "shared", "golden"), Path.of("..", "datasets", "golden"));

    private Golden() {}

    /** The sets among these that are here, of which the first is. */
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
}
