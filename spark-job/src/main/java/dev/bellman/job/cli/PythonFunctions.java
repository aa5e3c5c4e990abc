package dev.bellman.job.cli;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import dev.bellman.function.Catalogue;
import dev.bellman.job.terminal.Paragraph;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Generates the module {@code bellman.functions} of the Python package. The module contains, for each function of the
 * catalogue, a typed declaration with a docstring. The package derives both the Spark calls and the {@code try_}
 * variants from these declarations.
 *
 * <p>A parameter that occurs only in the longer signatures is optional. If signatures use different names for the
 * parameter at the same position, the declaration uses the shortest signature's name. If the parameter is optional, the
 * other names are keyword-only parameters.
 */
final class PythonFunctions {
    private static final int WIDTH = 110;
    /** Parameters that accept named values; the types of these values are in the module {@code bellman._call}. */
    static final Set<String> NAMED_VALUES = Set.of("algorithm", "coefficient", "linkage", "metric", "mode", "operator");

    private static final String HEADER = """
            # Written by `submit/bellman functions --format python` from the catalogue. Do not edit.
            ""\"Bellman's functions on DataFrame columns, for classic PySpark and Spark Connect.

            ABOUT
            ""\"

            from __future__ import annotations

            from math import inf
            from typing import TYPE_CHECKING

            from bellman._call import alternatives, function, try_variant

            if TYPE_CHECKING:
                from pyspark.sql import Column

                from bellman._call import (
                    Algorithm,
                    Coefficient,
                    ColumnOrName,
                    Criterion,
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
            + "%s, where it is the value. Numbers and sequences (lists, tuples, NumPy arrays, and pandas and Arrow "
            + "columns) are passed as values. Edges are tuples. Optional arguments can be passed by name: "
            + "`bf.dtw(\"a\", \"b\", power=1)`. `None` means that an argument is omitted; for SQL's NULL, "
            + "pass `lit(None)`.";

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
        List<String> keywords = new ArrayList<>();
        List<String> alternatives = new ArrayList<>();
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
            if (i >= required) {
                byName(named).skip(1).forEach(other -> {
                    String name = other.get(0).name();
                    keywords.add("%s: %s | None = None".formatted(name, annotation(function, other)));
                    alternatives.add("%s=%s".formatted(name, quoted(named.get(0).name())));
                });
            }
        }
        if (!keywords.isEmpty()) {
            parameters.add("*");
            parameters.addAll(keywords);
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
        String marks = "\n\n@function\n"
                + (alternatives.isEmpty() ? "" : "@alternatives(%s)\n".formatted(String.join(", ", alternatives)));
        return marks + definition + "\n" + docstring(function) + variant;
    }

    /** Groups parameters that have the same name, in the order of the names' first occurrences. */
    private static Stream<List<Parameter>> byName(List<Parameter> parameters) {
        return parameters.stream()
                .collect(Collectors.groupingBy(Parameter::name, LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream();
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
        if (isNumberOrString(function, parameter.name())) {
            values.add("Criterion");
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
        String names = words.isEmpty()
                ? "A `str` names a column."
                : "For %s, a `str` names a column; for %s, it is the value.".formatted(listed(columns), listed(words));
        List<String> either = columns.stream()
                .filter(name -> isNumberOrString(function, name))
                .toList();
        return either.isEmpty()
                ? names
                : names + " For %s, `bic` is the value; for a column, use `col`.".formatted(listed(either));
    }

    private static boolean isNumberOrString(BellmanFunction<?> function, String parameter) {
        return hasType(function, parameter, NumericType.class) && hasType(function, parameter, StringType.class);
    }

    /** Whether a parameter has a type of the given class in any signature. */
    private static boolean hasType(BellmanFunction<?> function, String name, Class<? extends DataType> type) {
        return function.signatures().stream()
                .flatMap(signature -> signature.parameters().stream())
                .anyMatch(parameter -> parameter.name().equals(name) && type.isInstance(parameter.type()));
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
                    "Rejects %s. For such inputs, :func:`%s` returns NULL.".formatted(what, function.tryName())));
        });
        lines.add("");
        lines.add("Returns "
                + function.signatures().stream()
                        .map(signature -> "``" + signature.result().sql() + "``")
                        .distinct()
                        .collect(Collectors.joining(" or "))
                + ".");
        lines.add("");
        lines.add(">>> " + PythonExample.of(function));
        lines.add(function.example().result());
        return lines.stream()
                        .map(line -> (line.isEmpty() ? "" : "    ") + line + "\n")
                        .collect(Collectors.joining())
                        .replaceFirst("    ", "    \"\"\"")
                + "    \"\"\"\n";
    }

    /** Converts a description from Markdown to lines of reStructuredText. */
    private static List<String> paragraph(String description) {
        return Paragraph.lines("", "", description.replaceAll("(?<!:)`([^`]+)`", "``$1``"), WIDTH - 8);
    }

    static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
