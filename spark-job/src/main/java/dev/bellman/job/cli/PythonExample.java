package dev.bellman.job.cli;

import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.analysis.UnresolvedFunction;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser$;
import org.apache.spark.sql.types.StringType;
import scala.jdk.javaapi.CollectionConverters;

/** Translates the SQL examples of functions to Python. */
final class PythonExample {
    private PythonExample() {}

    /** Returns the Python call for a function's example. */
    static String of(BellmanFunction<?> function) {
        Expression expression =
                CatalystSqlParser$.MODULE$.parseExpression(function.example().expression());
        return column(function, expression).toString();
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
                .formatted(PythonFunctions.quoted(argument.sql())));
        boolean isValue = parameter.isSetting() || PythonFunctions.NAMED_VALUES.contains(parameter.name());
        return value.startsWith("\"") && !isValue ? "sf.lit(%s)".formatted(value) : value;
    }

    /** Converts a literal, or an array of literals. */
    private static Optional<String> value(Expression expression) {
        if (expression instanceof Literal literal) {
            return Optional.of(
                    literal.dataType() instanceof StringType
                            ? PythonFunctions.quoted(literal.value().toString())
                            : literal.value().toString());
        }
        if (expression instanceof UnresolvedFunction call
                && call.nameParts().last().equals("array")) {
            List<Optional<String>> elements = CollectionConverters.asJava(call.arguments()).stream()
                    .map(PythonExample::value)
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
}
