package dev.bellman.job.cli;

import static java.util.Comparator.comparingInt;
import static java.util.stream.Collectors.joining;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.function.Catalogue;
import dev.bellman.function.Family;
import dev.bellman.job.spec.Job;
import dev.bellman.job.terminal.Failures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The function pages: {@code functions.md} with tables of all functions, and one page per family in the folder next to
 * it.
 */
final class FunctionPages {
    private static final String BEGIN = "<!-- functions: written by `submit/bellman functions --pages docs` -->\n";
    private static final String END = "<!-- end of functions -->\n";
    private static final int MAX_SUMMARY = 150;

    private FunctionPages() {}

    /**
     * Writes each family's page to the folder {@code functions}, and writes the tables between the marks in
     * {@code functions.md}.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_OUTPUT_WRITE} if the folder does not contain the pages, or if
     *     they cannot be written
     */
    static void write(Path docs) {
        try {
            Path index = docs.resolve("functions.md");
            String text = Files.readString(index);
            Files.writeString(
                    index,
                    text.substring(0, text.indexOf(BEGIN) + BEGIN.length())
                            + index()
                            + text.substring(text.indexOf(END)));
            for (Family family : Catalogue.families()) {
                Files.writeString(docs.resolve("functions/%s.md".formatted(family.page())), page(family));
            }
        } catch (IOException e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_OUTPUT_WRITE,
                    "--pages: cannot write the function pages to %s: %s. Use the folder docs of a checkout"
                            .formatted(docs, Failures.line(e)),
                    e);
        }
    }

    private static String index() {
        StringBuilder index = new StringBuilder();
        for (Family family : Catalogue.families()) {
            index.append("### [%s](functions/%s.md)\n\n| function | description |\n|---|---|\n"
                    .formatted(family.title(), family.page()));
            for (BellmanFunction<?> function : family.functions()) {
                index.append("| [`%1$s`](functions/%2$s.md#%1$s) | %3$s |\n"
                        .formatted(
                                function.name(),
                                family.page(),
                                summary(function).replace("|", "\\|")));
            }
            index.append('\n');
        }
        index.append("## A to Z\n\n%s\n\n"
                .formatted(Catalogue.families().stream()
                        .flatMap(
                                family -> family.functions().stream().map(function -> "[`%1$s`](functions/%2$s.md#%1$s)"
                                        .formatted(function.name(), family.page())))
                        .sorted()
                        .collect(joining(", "))));
        index.append("## Strategies\n\n| problem | strategies | setting |\n|---|---|---|\n");
        for (Problem<?> problem : Catalogue.problems()) {
            index.append("| `%s` | %s | `%s` |\n"
                    .formatted(
                            problem.name(),
                            problem.strategies().stream()
                                    .map(strategy -> "`" + strategy + "`")
                                    .collect(joining(", ")),
                            problem.strategyKey()));
        }
        return index.toString();
    }

    private static String page(Family family) {
        return "# %s\n\n<!-- written by `submit/bellman functions --pages docs` -->\n%s\n%s"
                .formatted(
                        family.title(),
                        family.introduction(),
                        family.functions().stream().map(FunctionPages::section).collect(joining()));
    }

    /** Returns the first sentence of a description; if the sentence is long, returns only its part up to the colon. */
    private static String summary(BellmanFunction<?> function) {
        String sentence = function.description().replaceFirst("(?s)(\\.) .*", "$1");
        return sentence.length() <= MAX_SUMMARY ? sentence : sentence.replaceFirst(": .*", ".");
    }

    private static String section(BellmanFunction<?> function) {
        StringBuilder section = new StringBuilder("\n## %s\n\n```sql\n".formatted(function.name()));
        FunctionsCommand.calls(function).forEach(call -> section.append(call).append('\n'));
        section.append("-- returns %s\n```\n\n".formatted(FunctionsCommand.result(function)));
        section.append(function.description()).append('\n');
        section.append('\n').append(FunctionsCommand.engines(function)).append('\n');
        section.append('\n').append(inJobs(function)).append('\n');
        function.rejects()
                .ifPresent(rejected -> section.append(
                        "\nRejects %s. For such inputs, `%s` returns NULL.\n".formatted(rejected, function.tryName())));
        return section.append("\nExample: `%s` = `%s`\n"
                        .formatted(
                                function.example().expression(),
                                function.example().result()))
                .toString();
    }

    /** Describes how a job file sets the function's arguments. */
    private static String inJobs(BellmanFunction<?> function) {
        List<List<Parameter>> columns = function.signatures().stream()
                .map(Job::arguments)
                .sorted(comparingInt(List::size))
                .distinct()
                .toList();
        int required = columns.get(0).size();
        List<Parameter> constants = function.signatures().stream()
                .flatMap(signature -> signature.parameters().stream())
                .filter(parameter -> Job.canBeConstant(parameter.type())
                        && (parameter.isSetting()
                                || parameter.isContent().isPresent()
                                || columns.stream().anyMatch(each -> each.indexOf(parameter) >= required)))
                .distinct()
                .toList();
        List<String> files = constants.stream()
                .filter(parameter -> parameter.isContent().isPresent())
                .map(parameter -> " `parameters.%s` may be the path of a file.".formatted(parameter.name()))
                .distinct()
                .toList();
        return "In a [job](../job-file.md): %s%s.%s"
                .formatted(
                        FunctionsCommand.listed(
                                columns.stream()
                                        .map(each -> "`arguments: [%s]`".formatted(names(each)))
                                        .distinct()
                                        .toList(),
                                "or"),
                        constants.isEmpty()
                                ? ""
                                : "; `parameters`: `%s`"
                                        .formatted(names(constants).replace(", ", "`, `")),
                        String.join("", files));
    }

    private static String names(List<Parameter> parameters) {
        return parameters.stream().map(Parameter::name).distinct().collect(joining(", "));
    }
}
