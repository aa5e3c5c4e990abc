package dev.bellman.job.cli;

import dev.bellman.Strategies;
import dev.bellman.Suggestion;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Overload;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.function.Catalogue;
import dev.bellman.job.spec.JobDocument;
import dev.bellman.job.terminal.Paragraph;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code bellman functions}: prints the catalogue as text or as functions for the Python package, or writes the
 * function pages.
 */
@Command(name = "functions", mixinStandardHelpOptions = true, description = "Lists the functions and their strategies.")
public final class FunctionsCommand implements Runnable {
    private static final String INDENT = "      ";

    private enum CatalogueFormat {
        TEXT,
        PYTHON
    }

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description = "output format: text, or python for the contents of submit/python/src/bellman/functions.py")
    private CatalogueFormat format;

    @Option(
            names = "--pages",
            paramLabel = "DOCS",
            description = "write functions.md and functions/*.md to this folder instead of printing")
    private Path pages;

    @Parameters(arity = "0..*", paramLabel = "NAME", description = "problems or functions to list; all by default")
    private List<String> names = List.of();

    @Override
    public void run() {
        if (pages != null) {
            FunctionPages.write(pages);
            return;
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (format) {
                    case TEXT -> text();
                    case PYTHON -> PythonFunctions.module();
                });
        out.flush();
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
            text.append(Paragraph.of(
                    "",
                    INDENT,
                    "%s  (strategies: %s)".formatted(problem.name(), String.join(", ", problem.strategies()))));
            for (BellmanFunction<?> function : Catalogue.functions()) {
                if (function.problem().equals(problem)) {
                    for (String call : calls(function)) {
                        text.append(Paragraph.of("  ", INDENT, "%s -> %s".formatted(call, result(function))));
                    }
                    text.append(Paragraph.of(INDENT, INDENT, JobDocument.plain(function.description())));
                    function.rejects()
                            .ifPresent(what -> text.append(Paragraph.of(
                                    INDENT,
                                    INDENT,
                                    JobDocument.plain(
                                            "Rejects %s. %s returns NULL.".formatted(what, function.tryName())))));
                    text.append(Paragraph.of(INDENT, INDENT, JobDocument.plain(engines(function))));
                }
            }
        }
        return text.toString();
    }

    /** Describes which strategies, arguments and types the function supports on GPUs. */
    static String engines(BellmanFunction<?> function) {
        List<String> kernels = function.kernels().stream()
                .map(strategy -> "`" + Strategies.name(strategy) + "`")
                .toList();
        if (kernels.isEmpty()) {
            return "Runs only on the CPU.";
        }
        List<String> without = Stream.concat(
                        function.withoutKernel().stream().map(Parameter::name),
                        function.overloadsWithoutKernel().stream().map(overload -> difference(function, overload)))
                .map(each -> "`" + each + "`")
                .distinct()
                .toList();
        List<String> constants = function.constantOnGpu().stream()
                .map(parameter -> "`" + parameter.name() + "`")
                .distinct()
                .toList();
        return "Runs on GPUs with the strategies %s%s%s."
                .formatted(
                        listed(kernels, "and"),
                        without.isEmpty() ? "" : ", except for calls with " + listed(without, "or"),
                        constants.isEmpty()
                                ? ""
                                : " if %s %s constant"
                                        .formatted(listed(constants, "and"), constants.size() == 1 ? "is" : "are"))
                .replaceFirst("strategies (`[^`]*`)(?=[.]|, except| if)", "strategy $1");
    }

    /**
     * Returns what distinguishes an overload without kernels from the overloads with kernels: the first parameter with
     * a new name, or the type of the first parameter with a new type.
     */
    private static String difference(BellmanFunction<?> function, Overload<?> overload) {
        List<?> others = function.overloadsWithoutKernel();
        List<Parameter> supported = function.overloads().stream()
                .filter(each -> !others.contains(each))
                .flatMap(each -> each.parameters().stream())
                .toList();
        Parameter different = overload.parameters().stream()
                .filter(parameter -> supported.stream()
                        .noneMatch(each -> each.name().equals(parameter.name())
                                && each.type().equals(parameter.type())))
                .findFirst()
                .orElse(overload.parameters().get(0));
        return supported.stream().anyMatch(each -> each.name().equals(different.name()))
                ? different.type().sql()
                : different.name();
    }

    /** Returns {@code a}, {@code a and b}, or {@code a, b and c}, with the conjunction "and". */
    static String listed(List<String> names, String conjunction) {
        int last = names.size() - 1;
        return last < 1
                ? String.join("", names)
                : String.join(", ", names.subList(0, last)) + " %s ".formatted(conjunction) + names.get(last);
    }

    static List<String> calls(BellmanFunction<?> function) {
        return function.overloads().stream()
                .map(each -> function.name() + each)
                .distinct()
                .toList();
    }

    static String result(BellmanFunction<?> function) {
        return function.signatures().stream()
                .map(signature -> signature.result().sql())
                .distinct()
                .collect(Collectors.joining(" or "));
    }
}
