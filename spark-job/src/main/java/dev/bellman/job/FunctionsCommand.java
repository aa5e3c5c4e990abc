package dev.bellman.job;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.function.Catalogue;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code bellman functions}: the catalogue as a table, or as the functions of the Python package. */
@Command(name = "functions", mixinStandardHelpOptions = true, description = "Lists the functions and their strategies.")
final class FunctionsCommand implements Runnable {
    private static final int WIDTH = 100;
    private static final String INDENT = "      ";

    private enum CatalogueFormat {
        TEXT,
        MARKDOWN,
        PYTHON
    }

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description =
                    "text, markdown as in docs/functions.md, or python as in submit/python/src/bellman/functions.py")
    private CatalogueFormat format;

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (format) {
                    case TEXT -> text();
                    case MARKDOWN -> markdown();
                    case PYTHON -> PythonFunctions.module();
                });
        out.flush();
    }

    /** The table of functions in {@code docs/functions.md}. */
    static String markdown() {
        StringBuilder table = new StringBuilder("| function | result | what it is | example |\n|---|---|---|---|\n");
        for (BellmanFunction<?> function : Catalogue.functions()) {
            table.append("| %s | %s | %s%s | `%s` = `%s` |\n"
                    .formatted(
                            calls(function).stream()
                                    .map(call -> "`" + call + "`")
                                    .collect(Collectors.joining("<br>")),
                            result(function),
                            function.description().replace("|", "\\|"),
                            function.rejects()
                                    .map(what -> " Rejects %s (`%s` returns NULL).".formatted(what, function.tryName()))
                                    .orElse(""),
                            function.example().expression(),
                            function.example().result()));
        }
        table.append("\n| problem | strategies | configuration key |\n|---|---|---|\n");
        for (Problem<?> problem : Catalogue.problems()) {
            table.append("| `%s` | %s | `%s` |\n"
                    .formatted(
                            problem.name(),
                            problem.strategies().stream()
                                    .map(strategy -> "`" + strategy + "`")
                                    .collect(Collectors.joining(", ")),
                            problem.strategyKey()));
        }
        return table.toString();
    }

    private static String text() {
        StringBuilder text = new StringBuilder();
        for (Problem<?> problem : Catalogue.problems()) {
            text.append("%s  (strategies: %s)\n".formatted(problem.name(), String.join(", ", problem.strategies())));
            for (BellmanFunction<?> function : Catalogue.functions()) {
                if (function.problem().equals(problem)) {
                    for (String call : calls(function)) {
                        text.append("  %s -> %s\n".formatted(call, result(function)));
                    }
                    text.append(paragraph(function.description()));
                    function.rejects()
                            .ifPresent(what -> text.append(
                                    paragraph("Rejects %s. %s returns NULL.".formatted(what, function.tryName()))));
                }
            }
        }
        return text.toString();
    }

    /** Without Markdown markup, in lines that fit a terminal. */
    private static String paragraph(String description) {
        StringBuilder lines = new StringBuilder();
        StringBuilder line = new StringBuilder();
        for (String word : JobDocument.plain(description).split(" ")) {
            if (line.length() + word.length() >= WIDTH) {
                lines.append(line).append('\n');
                line.setLength(0);
            }
            line.append(line.isEmpty() ? INDENT : " ").append(word);
        }
        return lines.append(line).append('\n').toString();
    }

    private static List<String> calls(BellmanFunction<?> function) {
        return function.signatures().stream()
                .map(signature -> function.name()
                        + signature.parameters().stream()
                                .map(Parameter::name)
                                .collect(Collectors.joining(", ", "(", ")")))
                .distinct()
                .toList();
    }

    private static String result(BellmanFunction<?> function) {
        return function.signatures().stream()
                .map(signature -> signature.result().sql())
                .distinct()
                .collect(Collectors.joining(" or "));
    }
}
