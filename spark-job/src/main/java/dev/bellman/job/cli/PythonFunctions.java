package dev.bellman.job.cli;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.function.Catalogue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
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
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Generates the module {@code bellman.functions} of the Python package. The module contains, for each function of the
 * catalogue, a typed declaration with a docstring. The package derives both the Spark calls and the {@code try_}
 * variants from these declarations.
 *
 * <p>A parameter that occurs only in the longer signatures is optional. If signatures use different names for the same
 * parameter, the declaration uses the shorter signature's name.
 */
final class PythonFunctions {
    private static final int WIDTH = 110;
    /** Parameters that accept named values; the types of these values are in the module {@code bellman._call}. */
    private static final Set<String> NAMED_VALUES =
            Set.of("algorithm", "coefficient", "linkage", "metric", "mode", "operator");

    private static final String HEADER = """
            # Written by `submit/bellman functions --format python` from the catalogue. Do not edit.
            ""\"Bellman's functions of DataFrame columns, for classic PySpark and Spark Connect.

            ABOUT
            ""\"

            from __future__ import annotations

            from math import inf
            from typing import TYPE_CHECKING

            from bellman._call import function, try_variant

            if TYPE_CHECKING:
                from pyspark.sql import Column

                from bellman._call import (
                    Algorithm,
                    Coefficient,
                    ColumnOrName,
                    Edges,
                    IntegerMatrix,
                    Integers,
                    Linkage,
                    Matrices,
                    Matrix,
                    Metric,
                    Mode,
                    Numbers,
                    Op,
                    Setting,
                    Similarity,
                    Texts,
                    WeightedOp,
                )

            """;

    private static final String ABOUT = "A `str` names a column, as in `pyspark.sql.functions`, except for "
            + "%s, where it is the value. Numbers and sequences are values: lists, tuples, NumPy arrays, pandas and "
            + "Arrow columns. Edges are tuples. Optional arguments can be passed by name: `bf.dtw(\"a\", \"b\", "
            + "power=1)`. `None` means that an argument is omitted; for SQL's NULL, pass `lit(None)`.";

    private PythonFunctions() {}

    static String module() {
        List<BellmanFunction<?>> functions = Catalogue.functions();
        String names = functions.stream()
                .flatMap(function ->
                        Stream.of(function.name(), function.tryName()).distinct())
                .map(PythonFunctions::quoted)
                .map(name -> "    " + name + ",\n")
                .collect(Collectors.joining());
        return HEADER.replace("ABOUT", String.join("\n", paragraph(ABOUT.formatted(listed(words(functions))))))
                + "__all__ = [\n"
                + names
                + "]\n\n\ndef __dir__() -> list[str]:\n    return __all__\n"
                + functions.stream().map(PythonFunctions::function).collect(Collectors.joining());
    }

    private static String function(BellmanFunction<?> function) {
        List<Signature<?>> bySize = function.signatures().stream()
                .<Signature<?>>map(each -> each)
                .sorted(Comparator.comparing(signature -> signature.parameters().size()))
                .toList();
        int required = bySize.get(0).parameters().size();
        List<String> names = bySize.get(bySize.size() - 1).parameters().stream()
                .map(Parameter::name)
                .toList();
        List<String> parameters = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            int place = i;
            List<Parameter> named = bySize.stream()
                    .map(Signature::parameters)
                    .filter(each -> place < each.size())
                    .map(each -> each.get(place))
                    // an optional argument of a shorter signature may come later in the longest one
                    .filter(each -> names.indexOf(each.name()) <= place)
                    .toList();
            parameters.add("%s: %s%s"
                    .formatted(
                            named.get(0).name(),
                            annotation(function, named),
                            i < required ? "" : " | None = " + defaultOf(named.get(0))));
        }
        String line = "def %s(%s) -> Column:".formatted(function.name(), String.join(", ", parameters));
        String definition = line.length() <= WIDTH
                ? line
                : parameters.stream()
                        .map("    %s,%n"::formatted)
                        .collect(Collectors.joining("", "def %s(\n".formatted(function.name()), ") -> Column:"));
        String variant = function.rejects().isEmpty()
                ? ""
                : "\n\n%s = try_variant(%s)\n".formatted(function.tryName(), function.name());
        return "\n\n@function\n" + definition + "\n" + docstring(function) + variant;
    }

    /** Returns the default value in Python; None if calls that omit the argument have a different signature. */
    private static String defaultOf(Parameter parameter) {
        Object value = parameter.ifAbsent().map(Parameter.Default::value).orElse(null);
        if (value == null) {
            return "None";
        }
        if (value instanceof Boolean flag) {
            return flag ? "True" : "False";
        }
        if (value instanceof UTF8String text) {
            return quoted(text.toString());
        }
        return value.equals(Double.POSITIVE_INFINITY) ? "inf" : value.toString();
    }

    private static String annotation(BellmanFunction<?> function, List<Parameter> named) {
        Parameter parameter = named.get(0);
        if (NAMED_VALUES.contains(parameter.name())) {
            return namedValues(function, parameter.name()) + " | Column";
        }
        if (parameter.isSetting()) {
            return value(parameter.type()).map("Column | "::concat).orElse("Setting");
        }
        Set<String> values = named.stream()
                .map(each -> value(each.type()))
                .flatMap(Optional::stream)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        // Python's type checkers accept an int where a float is expected
        if (values.contains("float")) {
            values.remove("int");
        }
        if (values.contains("Numbers")) {
            values.remove("Integers");
        }
        return Stream.concat(Stream.of("ColumnOrName"), values.stream()).collect(Collectors.joining(" | "));
    }

    /** Returns the Python type of a parameter that accepts named values. */
    private static String namedValues(BellmanFunction<?> function, String parameter) {
        return switch (parameter) {
            case "operator" -> function.name().endsWith("weighted") ? "WeightedOp" : "Op";
            case "metric" -> function.name().equals("monge_elkan") ? "Similarity" : "Metric";
            default -> parameter.substring(0, 1).toUpperCase(Locale.ROOT) + parameter.substring(1);
        };
    }

    /** Returns the parameters for which a string is a literal value rather than the name of a column. */
    private static List<String> words(List<? extends BellmanFunction<?>> functions) {
        return functions.stream()
                .flatMap(function -> function.signatures().stream())
                .flatMap(signature -> signature.parameters().stream())
                .filter(PythonFunctions::isWord)
                .map(Parameter::name)
                .distinct()
                .toList();
    }

    private static boolean isWord(Parameter parameter) {
        return parameter.type() instanceof StringType
                && (parameter.isSetting() || NAMED_VALUES.contains(parameter.name()));
    }

    /** Describes what a string means for each parameter. */
    private static String strings(BellmanFunction<?> function) {
        List<String> words = words(List.of(function));
        List<String> columns = function.signatures().stream()
                .flatMap(signature -> signature.parameters().stream())
                .filter(parameter -> !isWord(parameter) && !parameter.isSetting())
                .map(Parameter::name)
                .distinct()
                .toList();
        return words.isEmpty()
                ? "A `str` names a column."
                : "For %s, a `str` names a column; for %s, it is the value.".formatted(listed(columns), listed(words));
    }

    private static String listed(List<String> names) {
        List<String> code = names.stream().map("`%s`"::formatted).toList();
        int last = code.size() - 1;
        return last == 0
                ? code.get(0)
                : "%s and %s".formatted(String.join(", ", code.subList(0, last)), code.get(last));
    }

    /**
     * Returns the Python type of the values that are converted to literals; empty for other types, such as strings,
     * which are column names.
     */
    private static Optional<String> value(DataType type) {
        if (type instanceof NumericType) {
            return Optional.of(isFraction(type) ? "float" : "int");
        }
        if (type.equals(DataTypes.BooleanType)) {
            return Optional.of("bool");
        }
        if (!(type instanceof ArrayType array)) {
            return Optional.empty();
        }
        DataType element = array.elementType();
        return Optional.of(
                element instanceof StructType
                        ? "Edges"
                        : element instanceof ArrayType row
                                ? matrix(row.elementType())
                                : element instanceof StringType
                                        ? "Texts"
                                        : isFraction(element) ? "Numbers" : "Integers");
    }

    private static String matrix(DataType element) {
        return element instanceof ArrayType ? "Matrices" : isFraction(element) ? "Matrix" : "IntegerMatrix";
    }

    private static boolean isFraction(DataType type) {
        return type.equals(DataTypes.DoubleType);
    }

    private static String docstring(BellmanFunction<?> function) {
        List<String> lines = new ArrayList<>(paragraph(function.description()));
        lines.add("");
        lines.addAll(paragraph(strings(function)));
        function.rejects().ifPresent(what -> {
            lines.add("");
            lines.addAll(paragraph(
                    "Rejects %s. For these inputs, :func:`%s` returns NULL.".formatted(what, function.tryName())));
        });
        lines.add("");
        lines.add("Returns "
                + function.signatures().stream()
                        .map(signature -> "``" + signature.result().sql() + "``")
                        .distinct()
                        .collect(Collectors.joining(" or "))
                + ".");
        lines.add("");
        Call call = column(
                function,
                CatalystSqlParser$.MODULE$.parseExpression(function.example().expression()));
        lines.add(">>> " + call);
        lines.add(function.example().result());
        return lines.stream()
                        .map(line -> (line.isEmpty() ? "" : "    ") + line + "\n")
                        .collect(Collectors.joining())
                        .replaceFirst("    ", "    \"\"\"")
                + "    \"\"\"\n";
    }

    /** Converts a description from Markdown to lines of reStructuredText. */
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

    private record Call(String name, List<String> arguments) {
        @Override
        public String toString() {
            return name + "(" + String.join(", ", arguments) + ")";
        }
    }

    /** Converts an example, or part of an example, to a Python call of the function or of one of Spark's functions. */
    private static Call column(BellmanFunction<?> function, Expression expression) {
        if (!(expression instanceof UnresolvedFunction call)) {
            throw new IllegalStateException("cannot translate this example to Python: " + expression.sql());
        }
        String name = call.nameParts().last();
        List<Expression> arguments = List.copyOf(CollectionConverters.asJava(call.arguments()));
        if (function.name().equals(name)) {
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
        String value = value(argument).or(() -> edges(argument)).orElseGet(() -> "sf.expr(%s)"
                .formatted(quoted(argument.sql())));
        boolean isValue = parameter.isSetting() || NAMED_VALUES.contains(parameter.name());
        return value.startsWith("\"") && !isValue ? "sf.lit(%s)".formatted(value) : value;
    }

    /** Converts a literal, or an array of literals. */
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

    /** Converts an array of structs to a list of tuples. */
    private static Optional<String> edges(Expression expression) {
        if (!(expression instanceof UnresolvedFunction call
                && call.nameParts().last().equals("array"))) {
            return Optional.empty();
        }
        List<String> tuples = new ArrayList<>();
        for (Expression element : CollectionConverters.asJava(call.arguments())) {
            if (!(element instanceof UnresolvedFunction struct
                    && struct.nameParts().last().equals("named_struct"))) {
                return Optional.empty();
            }
            List<Expression> fields = CollectionConverters.asJava(struct.arguments());
            tuples.add(IntStream.range(0, fields.size())
                    .filter(i -> i % 2 == 1)
                    .mapToObj(i ->
                            value(fields.get(i)).orElseGet(() -> fields.get(i).sql()))
                    .collect(Collectors.joining(", ", "(", ")")));
        }
        return Optional.of(String.join(", ", tuples).transform("[%s]"::formatted));
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
