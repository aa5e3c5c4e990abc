package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.SparkTest;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests files to which arguments refer. */
class NamedFilesTest extends SparkTest {
    private static final String SEQUENCES = "(SELECT if(id = 0, 'C', 'G') AS s FROM range(1))";

    @TempDir
    static Path folder;

    /** Returns energies for which an RNA has pairs, or energies for which it has none. */
    private static String energies(boolean folds) {
        String energy = folds ? " 0410" : " 9999";
        return "## RNAfold parameter file v2.0\n# Misc\n%s%1$s 0 0\n# hairpin\nINF INF INF%s\n"
                .formatted(energy, energy.repeat(28));
    }

    private static String call(String name, Signature<?> signature, String sequence, Path file) {
        return signature.parameters().stream()
                .map(parameter -> value(parameter, sequence, file))
                .collect(Collectors.joining(", ", name + "(", ")"));
    }

    private static String value(Parameter parameter, String sequence, Path file) {
        if (parameter.readsFile().isPresent()) {
            return "'parameters %s'".formatted(file);
        }
        return switch (parameter.type().sql()) {
            case "STRING" -> parameter.name().equals("structure") ? "'((((....))))'" : sequence;
            case "DOUBLE" -> "0.5D";
            default -> "12";
        };
    }

    /**
     * Returns calls of every function that reads a file. The sequence is a constant, so that Spark evaluates the call
     * while planning, or is read from a row.
     */
    private static List<String> calls(Path file) {
        List<String> calls = new ArrayList<>();
        for (BellmanFunction<?> function : Catalogue.functions()) {
            for (Signature<?> signature : function.signatures()) {
                if (signature.parameters().stream()
                        .anyMatch(parameter -> parameter.readsFile().isPresent())) {
                    calls.add(call(function.name(), signature, "'GGGGAAAACCCC'", file));
                    calls.add(call(function.tryName(), signature, "concat('GGGGAAAACCC', s)", file));
                }
            }
        }
        assertThat(calls).hasSizeGreaterThan(10);
        return calls;
    }

    /** A pipe to which nobody writes does not block a query, and a device without an end is not read. */
    @Test
    @Timeout(60)
    void mustBeRegular() throws IOException, InterruptedException {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        for (Path file : List.of(pipe, Path.of("/dev/zero"))) {
            for (String call : calls(file)) {
                assertThatThrownBy(() -> spark.sql("SELECT %s FROM %s".formatted(call, SEQUENCES))
                                .first())
                        .as(call)
                        .hasStackTraceContaining("it is a pipe, a socket or a device, not a file");
            }
        }
    }

    /**
     * Every function reads an edited file again, both while planning and in tasks, although the file's size and time do
     * not change.
     */
    @Test
    void areReadAgain() throws IOException {
        Path file = folder.resolve("energies.par");
        List<String> calls = calls(file);
        String query = "SELECT %s FROM %s".formatted(String.join(", ", calls), SEQUENCES);

        Files.writeString(file, energies(true));
        FileTime written = Files.getLastModifiedTime(file);
        Row folded = spark.sql(query).first();
        Files.writeString(file, energies(false));
        Files.setLastModifiedTime(file, written);
        Row unfolded = spark.sql(query).first();
        Files.writeString(file, energies(true));
        Files.setLastModifiedTime(file, written);
        Row foldedAgain = spark.sql(query).first();

        assertThat(foldedAgain).isEqualTo(folded);
        for (int i = 0; i < calls.size(); i++) {
            assertThat(unfolded.get(i)).as(calls.get(i)).isNotEqualTo(folded.get(i));
        }
    }
}
