package dev.bellman.job.cli;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.function.Catalogue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The module {@code bellman.functions} of the Python package: a typed function with a docstring for each function of the catalogue and each
 * {@code try_} variant.
 *
 * <p>If the parameters of a short signature begin those of a longer one, the others are optional. Otherwise each signature is an overload.
 */
final class PythonFunctions {
    private static final int WIDTH = 100;
    private static final String HEADER = """
            # Written by `submit/bellman functions --format python` from the catalogue. Do not edit.
            ""\"Bellman's functions of DataFrame columns, for classic PySpark and Spark Connect.

            A ``str`` names a column, as in :mod:`pyspark.sql.functions`, except where its type is
            ``Setting``: there it is the value. Numbers, and sequences of numbers or texts, are values.
            An argument that is ``None`` counts as not given; for SQL's NULL pass ``lit(None)``.
            ""\"

            from __future__ import annotations

            from collections.abc import Sequence
            from typing import TYPE_CHECKING, Any, overload

            from bellman._call import call, call_overloaded, setting

            if TYPE_CHECKING:
                from pyspark.sql import Column

                from bellman._call import ColumnOrName, Setting

            """;

    private PythonFunctions() {}

    static String module() {
        List<BellmanFunction<?>> functions = Catalogue.functions().stream()
                .<BellmanFunction<?>>flatMap(
                        function -> Stream.concat(Stream.of(function), function.tryVariant().stream()))
                .toList();
        return HEADER
                + functions.stream()
                        .map(function -> "    \"%s\",%n".formatted(function.name()))
                        .collect(Collectors.joining("", "__all__ = [\n", "]\n"))
                + functions.stream().map(PythonFunctions::function).collect(Collectors.joining());
    }

    private static String function(BellmanFunction<?> function) {
        List<List<Parameter>> calls = calls(function);
        return hasOptional(calls) ? simple(function, calls) : overloaded(function, calls);
    }

    /** The lists of parameters that differ in their names, the shortest first. */
    private static List<List<Parameter>> calls(BellmanFunction<?> function) {
        Set<List<String>> seen = new LinkedHashSet<>();
        return function.signatures().stream()
                .map(Signature::parameters)
                .filter(parameters -> seen.add(names(parameters)))
                .sorted(Comparator.comparing(List::size))
                .toList();
    }

    /** Whether each list of parameters begins the next one. */
    private static boolean hasOptional(List<List<Parameter>> calls) {
        return IntStream.range(1, calls.size())
                .allMatch(i ->
                        names(calls.get(i)).subList(0, calls.get(i - 1).size()).equals(names(calls.get(i - 1))));
    }

    private static List<String> names(List<Parameter> parameters) {
        return parameters.stream().map(Parameter::name).toList();
    }

    private static String simple(BellmanFunction<?> function, List<List<Parameter>> calls) {
        List<Parameter> parameters = calls.get(calls.size() - 1);
        int required = calls.get(0).size();
        return definition(function, parameters, required)
                + docstring(function, parameters, required)
                + "    return call(\"%s\", (%s)%s)%n"
                        .formatted(
                                function.name(),
                                passed(parameters.subList(0, required)) + (required == 1 ? "," : ""),
                                parameters.size() == required
                                        ? ""
                                        : ", " + passed(parameters.subList(required, parameters.size())));
    }

    private static String passed(List<Parameter> parameters) {
        return parameters.stream()
                .map(parameter -> parameter.isSetting() ? "setting(%s)".formatted(parameter.name()) : parameter.name())
                .collect(Collectors.joining(", "));
    }

    private static String overloaded(BellmanFunction<?> function, List<List<Parameter>> calls) {
        if (calls.stream().flatMap(List::stream).anyMatch(Parameter::isSetting)) {
            throw new IllegalStateException(function.name() + ": overloads in Python take no settings");
        }
        Set<String> seen = new LinkedHashSet<>();
        List<Parameter> all = calls.stream()
                .flatMap(List::stream)
                .filter(parameter -> seen.add(parameter.name()))
                .toList();
        return calls.stream()
                        .map(parameters -> "\n\n@overload"
                                + definition(function, parameters, parameters.size())
                                        .substring(1)
                                        .replaceFirst("\n$", " ...\n"))
                        .collect(Collectors.joining())
                + "\n\ndef %s(*arguments: Any, **named: Any) -> Column:%n".formatted(function.name())
                + docstring(function, all, all.size())
                + calls.stream()
                        .map(parameters -> "        (%s),%n"
                                .formatted(names(parameters).stream()
                                        .map(PythonFunctions::quoted)
                                        .collect(Collectors.joining(", "))))
                        .collect(Collectors.joining(
                                "",
                                "    signatures = (%n".formatted(),
                                "    )%n    return call_overloaded(\"%s\", signatures, arguments, named)%n"
                                        .formatted(function.name())));
    }

    private static String definition(BellmanFunction<?> function, List<Parameter> parameters, int required) {
        return IntStream.range(0, parameters.size())
                .mapToObj(i -> "    %s: %s%s,%n"
                        .formatted(
                                parameters.get(i).name(),
                                annotation(function, parameters.get(i)),
                                i < required ? "" : " | None = None"))
                .collect(Collectors.joining("", "%n%ndef %s(%n".formatted(function.name()), ") -> Column:\n"));
    }

    private static String annotation(BellmanFunction<?> function, Parameter parameter) {
        if (parameter.isSetting()) {
            return "Setting";
        }
        Set<String> values = types(function, parameter)
                .flatMap(type -> value(type).stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        // in Python's types, an int is a float
        List.copyOf(values).stream()
                .filter(value -> value.contains("int") && values.contains(value.replace("int", "float")))
                .forEach(values::remove);
        return Stream.concat(Stream.of("ColumnOrName"), values.stream()).collect(Collectors.joining(" | "));
    }

    /** The types of the parameters of that name. */
    private static Stream<DataType> types(BellmanFunction<?> function, Parameter parameter) {
        return function.signatures().stream()
                .flatMap(signature -> signature.parameters().stream())
                .filter(each -> each.name().equals(parameter.name()))
                .map(Parameter::type)
                .distinct();
    }

    /** The Python type of values that become literals; a string is none, because it names a column. */
    private static Optional<String> value(DataType type) {
        return type instanceof StringType ? Optional.empty() : element(type);
    }

    private static Optional<String> element(DataType type) {
        if (type instanceof ArrayType array) {
            return element(array.elementType()).map("Sequence[%s]"::formatted);
        }
        if (type instanceof NumericType) {
            return Optional.of(type.equals(DataTypes.DoubleType) ? "float" : "int");
        }
        return type instanceof StringType ? Optional.of("str") : Optional.empty();
    }

    private static String docstring(BellmanFunction<?> function, List<Parameter> parameters, int required) {
        List<String> lines = new ArrayList<>();
        if (function.name().startsWith("try_")) {
            lines.addAll(paragraph("As :func:`%s`, but NULL for the values that it rejects."
                    .formatted(function.name().substring(4))));
            lines.add("");
        }
        lines.addAll(paragraph(function.description()));
        function.rejects().ifPresent(what -> {
            lines.add("");
            lines.addAll(
                    paragraph("Rejects %s. For these :func:`%s` returns NULL.".formatted(what, function.tryName())));
        });
        lines.addAll(List.of("", "Parameters", "----------"));
        for (int i = 0; i < parameters.size(); i++) {
            lines.add("%s : %s%s"
                    .formatted(
                            parameters.get(i).name(),
                            types(function, parameters.get(i))
                                    .map(DataType::sql)
                                    .collect(Collectors.joining(" or ")),
                            i < required ? "" : ", optional"));
        }
        lines.addAll(List.of("", "Returns", "-------"));
        lines.add(function.signatures().stream()
                .map(signature -> signature.result().sql())
                .distinct()
                .collect(Collectors.joining(" or ")));
        lines.addAll(List.of("", "Examples", "--------"));
        lines.addAll(example(function));
        return lines.stream()
                        .map(line -> (line.isEmpty() ? "" : "    ") + line + "\n")
                        .collect(Collectors.joining())
                        .replaceFirst("    ", "    \"\"\"")
                + "    \"\"\"\n";
    }

    /** Lines of a description, whose Markdown becomes reStructuredText. */
    private static List<String> paragraph(String description) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : description.replaceAll("(?<!:)`([^`]+)`", "``$1``").split(" ")) {
            if (!line.isEmpty() && line.length() + word.length() >= WIDTH - 8) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private static List<String> example(BellmanFunction<?> function) {
        Expression expression =
                CatalystSqlParser$.MODULE$.parseExpression(function.example().expression());
        // show() writes NULL where a cast to text writes null
        String shown = function.example().result().replaceAll("\\bnull\\b", "NULL");
        int width = Math.max("result".length(), shown.length());
        String border = "+" + "-".repeat(width) + "+";
        List<String> lines = new ArrayList<>();
        lines.add(">>> from bellman import functions as bf");
        lines.add(">>> from pyspark.sql import functions as sf");
        lines.addAll(assignment("result", column(function, expression)));
        lines.addAll(List.of(
                ">>> spark.range(1).select(result.alias(\"result\")).show(truncate=False)",
                border,
                "|%s|".formatted("result" + " ".repeat(width - "result".length())),
                border,
                "|%s|".formatted(shown + " ".repeat(width - shown.length())),
                border));
        return lines;
    }

    /** A call in Python. */
    private record Call(String name, List<String> arguments) {
        @Override
        public String toString() {
            return name + "(" + String.join(", ", arguments) + ")";
        }
    }

    /** A long call has a line for each argument. */
    private static List<String> assignment(String variable, Call call) {
        String line = ">>> %s = %s".formatted(variable, call);
        return line.length() <= WIDTH - 4
                ? List.of(line)
                : Stream.of(
                                Stream.of(">>> %s = %s(".formatted(variable, call.name)),
                                call.arguments.stream().map("...     %s,"::formatted),
                                Stream.of("... )"))
                        .flatMap(lines -> lines)
                        .toList();
    }

    /** An example, or a part of one, in Python: a call of the function, or of one of Spark's. */
    private static Call column(BellmanFunction<?> function, Expression expression) {
        if (!(expression instanceof UnresolvedFunction call)) {
            throw new IllegalStateException("no Python for the example " + expression.sql());
        }
        String name = call.nameParts().last();
        List<Expression> arguments = List.copyOf(CollectionConverters.asJava(call.arguments()));
        if (function.name().equals(name) || function.name().equals("try_" + name)) {
            List<Parameter> parameters = function.signatures().stream()
                    .map(Signature::parameters)
                    .filter(each -> each.size() == arguments.size())
                    .findFirst()
                    .orElseThrow();
            return new Call(
                    "bf." + function.name(),
                    IntStream.range(0, arguments.size())
                            .mapToObj(i -> argument(parameters.get(i), arguments.get(i)))
                            .toList());
        }
        return new Call(
                "sf." + name,
                arguments.stream()
                        .map(argument -> value(argument)
                                .orElseGet(() -> column(function, argument).toString()))
                        .toList());
    }

    private static String argument(Parameter parameter, Expression argument) {
        String value = value(argument).orElseGet(() -> "sf.expr(%s)".formatted(quoted(argument.sql())));
        return value.startsWith("\"") && !parameter.isSetting() ? "sf.lit(%s)".formatted(value) : value;
    }

    /** A literal, or an array of literals. */
    private static Optional<String> value(Expression expression) {
        if (expression instanceof Literal literal) {
            return Optional.of(
                    literal.dataType() instanceof StringType
                            ? quoted(literal.value().toString())
                            : literal.value().toString());
        }
        if (expression instanceof UnresolvedFunction call
                && call.nameParts().last().equals("array")) {
            List<Optional<String>> elements = CollectionConverters.asJava(call.arguments()).stream()
                    .map(PythonFunctions::value)
                    .toList();
            if (elements.stream().allMatch(Optional::isPresent)) {
                return Optional.of(
                        elements.stream().map(Optional::orElseThrow).collect(Collectors.joining(", ", "[", "]")));
            }
        }
        return Optional.empty();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
