package dev.bellman.job.cli;

import dev.bellman.Suggestion;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Problem;
import dev.bellman.function.Catalogue;
import dev.bellman.job.spec.JobDocument;
import dev.bellman.job.terminal.TextTable;
import java.io.PrintWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bellman functions}: the catalogue as a table, as the functions of the Python package, or as JSON. */
@Command(name = "functions", mixinStandardHelpOptions = true, description = "Lists the functions and their strategies.")
public final class FunctionsCommand implements Runnable {
    private static final int MAX_WIDTH = 100;
    private static final int MAX_SUMMARY = 150;
    private static final String INDENT = "      ";
    private static final String CPU_ALONE = "Runs on the CPU alone.";

    private enum CatalogueFormat {
        TEXT,
        MARKDOWN,
        PYTHON,
        JSON
    }

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description =
                    "text, markdown as in docs/functions.md, python as in submit/python/src/bellman/functions.py, or"
                            + " json: a line for each signature, with rows of arguments to try it on")
    private CatalogueFormat format;

    @Parameters(arity = "0..*", paramLabel = "NAME", description = "problems or functions; by default all")
    private List<String> names = List.of();

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (format) {
                    case TEXT -> text();
                    case MARKDOWN -> markdown();
                    case PYTHON -> PythonFunctions.module();
                    case JSON -> CatalogueLines.all();
                });
        out.flush();
    }

    /** The tables of functions and strategies in {@code docs/functions.md}, and a section for each function. */
    static String markdown() {
        StringBuilder table = new StringBuilder("| function | description |\n|---|---|\n");
        for (BellmanFunction<?> function : Catalogue.functions()) {
            table.append("| [`%1$s`](#%1$s) | %2$s |\n"
                    .formatted(function.name(), summary(function).replace("|", "\\|")));
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
        table.append("\n## Each function\n");
        Catalogue.functions().forEach(function -> table.append(section(function)));
        return table.toString();
    }

    /** The first sentence of the description; if it is long, up to its colon. */
    private static String summary(BellmanFunction<?> function) {
        String sentence = function.description().replaceFirst("(?s)(\\.) .*", "$1");
        return sentence.length() <= MAX_SUMMARY ? sentence : sentence.replaceFirst(": .*", ".");
    }

    private static String section(BellmanFunction<?> function) {
        StringBuilder section = new StringBuilder("\n### %s\n\n```sql\n".formatted(function.name()));
        calls(function).forEach(call -> section.append(call).append('\n'));
        section.append("-- returns %s\n```\n\n".formatted(result(function)));
        section.append(function.description()).append('\n');
        if (!function.hasKernel()) {
            section.append('\n').append(CPU_ALONE).append('\n');
        }
        function.rejects()
                .ifPresent(rejected -> section.append(
                        "\nRejects %s; `%s` returns NULL for them.\n".formatted(rejected, function.tryName())));
        return section.append("\nExample: `%s` = `%s`\n"
                        .formatted(
                                function.example().expression(),
                                function.example().result()))
                .toString();
    }

    private String text() {
        Set<String> known = new LinkedHashSet<>();
        Catalogue.problems().forEach(problem -> known.add(problem.name()));
        Catalogue.functions().forEach(function -> known.add(function.name()));
        names.stream().filter(name -> !known.contains(name)).findFirst().ifPresent(name -> {
            throw new ParameterException(spec.commandLine(), Suggestion.unknown("problem or function", name, known));
        });
        StringBuilder text = new StringBuilder();
        for (Problem<?> problem : Catalogue.problems()) {
            boolean wanted = names.isEmpty()
                    || names.contains(problem.name())
                    || Catalogue.functions().stream()
                            .anyMatch(
                                    function -> function.problem().equals(problem) && names.contains(function.name()));
            if (!wanted) {
                continue;
            }
            text.append(paragraph(
                    "", "%s  (strategies: %s)".formatted(problem.name(), String.join(", ", problem.strategies()))));
            for (BellmanFunction<?> function : Catalogue.functions()) {
                if (function.problem().equals(problem)) {
                    for (String call : calls(function)) {
                        text.append(paragraph("  ", "%s -> %s".formatted(call, result(function))));
                    }
                    text.append(paragraph(INDENT, JobDocument.plain(function.description())));
                    function.rejects()
                            .ifPresent(what -> text.append(paragraph(
                                    INDENT,
                                    JobDocument.plain(
                                            "Rejects %s. %s returns NULL.".formatted(what, function.tryName())))));
                    if (!function.hasKernel()) {
                        text.append(paragraph(INDENT, CPU_ALONE));
                    }
                }
            }
        }
        return text.toString();
    }

    /** A text in lines that fit the terminal; what does not fit the first line is indented. */
    private static String paragraph(String indent, String text) {
        int width = Math.min(MAX_WIDTH, TextTable.width());
        StringBuilder lines = new StringBuilder();
        StringBuilder line = new StringBuilder(indent);
        for (String word : text.split(" ")) {
            if (!line.toString().isBlank() && line.length() + 1 + word.length() > width) {
                lines.append(line).append('\n');
                line = new StringBuilder(INDENT);
            }
            line.append(line.toString().isBlank() ? "" : " ").append(word);
        }
        return lines.append(line).append('\n').toString();
    }

    private static List<String> calls(BellmanFunction<?> function) {
        return function.overloads().stream()
                .map(each -> function.name() + each)
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
