package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.api.io.TempDir;

/** Files that arguments name. */
class NamedFilesTest extends SparkTest {
    @TempDir
    static Path folder;

    /** Energies with which an RNA folds, or none does. */
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

    /** An edited file is read again by every function, as a constant and in tasks, though nothing shows the edit. */
    @Test
    void areReadAgain() throws IOException {
        Path file = folder.resolve("energies.par");
        List<String> calls = new ArrayList<>();
        for (BellmanFunction<?> function : Catalogue.functions()) {
            for (Signature<?> signature : function.signatures()) {
                if (signature.parameters().stream()
                        .anyMatch(parameter -> parameter.readsFile().isPresent())) {
                    // Spark evaluates a constant while it plans
                    calls.add(call(function.name(), signature, "'GGGGAAAACCCC'", file));
                    calls.add(call(function.tryName(), signature, "concat('GGGGAAAACCC', s)", file));
                }
            }
        }
        assertThat(calls).hasSizeGreaterThan(10);
        String query =
                "SELECT %s FROM (SELECT if(id = 0, 'C', 'G') AS s FROM range(1))".formatted(String.join(", ", calls));

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
