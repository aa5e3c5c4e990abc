package dev.bellman.bench.measure;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Runs a Python package that solves the same instances on one core, as a baseline.
 *
 * @param python the command
 * @param name the name of the package
 * @param program a program that reads instances, one per line, from the file that its argument names. It prints the
 *     number of instances per second and the package's version, then one result per line; if the package is not
 *     installed, it exits with code 7
 */
public record PythonPeer(String python, String name, String program) {
    private static final int MISSING = 7;

    /** The exit code of a shell that cannot find the command. */
    private static final int NO_SUCH_COMMAND = 127;

    /**
     * Measures the rate of the package, and checks that its results equal Bellman's; returns an empty map if the
     * interpreter or the package is not installed.
     *
     * @param answers Bellman's results
     * @param same decides whether Bellman's result equals the package's result
     */
    public Map<String, Double> rate(
            PrintWriter out, List<String> instances, List<String> answers, BiPredicate<String, String> same) {
        try {
            Path file = Files.createTempFile("peer", ".txt");
            try {
                Files.write(file, instances);
                Process process = new ProcessBuilder(
                                "/bin/sh", "-c", "exec \"$0\" -c \"$1\" \"$2\"", python, program, file + "")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
                List<String> lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                        .lines()
                        .toList();
                int code = process.waitFor();
                if (code == MISSING || code == NO_SUCH_COMMAND) {
                    out.println("no baseline: " + python + " does not exist or has no package " + name
                            + "; set --python to an interpreter that has the package");
                    return Map.of();
                }
                return rate(instances, answers, lines, same);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new BellmanException(ErrorCode.BELLMAN_INTERNAL, "interrupted", e);
        }
    }

    private Map<String, Double> rate(
            List<String> instances, List<String> answers, List<String> lines, BiPredicate<String, String> same) {
        if (lines.size() != answers.size() + 1) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    "%s returned %,d lines for %,d instances; expected the rate and then one line per instance"
                            .formatted(name, lines.size(), answers.size()));
        }
        for (int i = 0; i < answers.size(); i++) {
            if (!same.test(answers.get(i), lines.get(i + 1))) {
                throw new BellmanException(
                        ErrorCode.BELLMAN_INTERNAL,
                        "for %4$s, the function returns %1$s, but %2$s returns %3$s"
                                .formatted(answers.get(i), name, lines.get(i + 1), instances.get(i)));
            }
        }
        String[] rate = lines.get(0).split(" ");
        return Map.of(name + " " + rate[1], Double.parseDouble(rate[0]));
    }
}
