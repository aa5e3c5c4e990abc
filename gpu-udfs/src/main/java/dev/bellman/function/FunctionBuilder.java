package dev.bellman.function;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.columns.SolverCall;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Overload;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import dev.bellman.entry.Signature;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.QueryContext;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.catalyst.analysis.AnsiTypeCoercion$;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.LambdaFunction;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedArgumentExpression;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/**
 * Turns a call in a query into Spark's expression for a user-defined function. To do so, it puts named arguments in
 * order, chooses a signature by the number and types of the arguments, casts the arguments, and reads the strategy from
 * the session configuration.
 *
 * <p>Casts are the same whether or not the session uses ANSI mode. A cast to a narrower type fails on overflow, a cast
 * from a string to a number fails unless the string is a number, and a fraction is never accepted as an integer.
 */
final class FunctionBuilder extends AbstractFunction1<Seq<Expression>, Expression> {
    /** The kinds of results that a call can return. */
    enum Answer {
        RESULT,
        /** The message of the function's error, or NULL if the function does not fail. */
        REJECTION
    }

    private final String name;
    private final BellmanFunction<?> function;
    private final FunctionOptions options;
    private final Answer answer;
    /** Computed once, because Spark prints a warning if equal functions have different descriptions. */
    private final ExpressionInfo info;

    private FunctionBuilder(String name, BellmanFunction<?> function, FunctionOptions options, Answer answer) {
        this.name = name;
        this.function = function;
        this.options = options;
        this.answer = answer;
        this.info = described();
    }

    /**
     * Returns a builder for each SQL name, that is, for each function, and for the {@code try_} variant of each
     * function that rejects values.
     */
    static List<FunctionBuilder> all(List<BellmanFunction<?>> functions, FunctionOptions options) {
        List<FunctionBuilder> builders = new ArrayList<>();
        for (BellmanFunction<?> function : functions) {
            builders.add(new FunctionBuilder(function.name(), function, options, Answer.RESULT));
            if (function.rejects().isPresent()) {
                builders.add(
                        new FunctionBuilder(function.tryName(), function, options.with(OnInvalid.NULL), Answer.RESULT));
            }
        }
        return builders;
    }

    /** Returns a builder for calls that return the reason why the function rejects its arguments. */
    static FunctionBuilder rejection(String name, BellmanFunction<?> function) {
        return new FunctionBuilder(name, function, FunctionOptions.DEFAULT, Answer.REJECTION);
    }

    String name() {
        return name;
    }

    ExpressionInfo info() {
        return info;
    }

    private ExpressionInfo described() {
        String usage = "%s - %s".formatted(calls(), function.description());
        String examples = "%n    Examples:%n      > SELECT %s;%n       %s%n"
                .formatted(function.example().expression(), function.example().result());
        return new ExpressionInfo(
                FunctionBuilder.class.getName(), null, name, usage, "", examples, "", "", "", "", "scala_udf");
    }

    /** Returns the ways to call the function, for error messages. */
    private String calls() {
        return function.overloads().stream().map(each -> name + each).distinct().collect(Collectors.joining(" or "));
    }

    @Override
    public Expression apply(Seq<Expression> arguments) {
        return call(function, CollectionConverters.asJava(arguments));
    }

    /** The arguments in the order of the parameters; null for omitted arguments. */
    private record Ordered<S extends Enum<S>>(Overload<S> overload, List<Expression> arguments) {
        long changes() {
            return BellmanFunction.changes(
                    arguments.stream()
                            .map(each -> each == null ? null : each.dataType())
                            .toList(),
                    overload.parameters());
        }

        /** Returns the given arguments by the names of their parameters. */
        Map<String, Expression> given() {
            Map<String, Expression> given = new LinkedHashMap<>();
            for (int i = 0; i < arguments.size(); i++) {
                if (arguments.get(i) != null) {
                    given.put(overload.parameters().get(i).name(), arguments.get(i));
                }
            }
            return given;
        }
    }

    private <S extends Enum<S>> Expression call(BellmanFunction<S> typed, List<Expression> given) {
        Ordered<S> ordered = inOrder(typed, given);
        List<Parameter> parameters = ordered.overload().parameters();
        List<Expression> cast = new ArrayList<>();
        int count = 0;
        for (int i = 0; i < parameters.size(); i++) {
            Expression argument = ordered.arguments().get(i);
            if (argument == null) {
                cast.add(constant(parameters.get(i)));
            } else {
                cast.add(cast(parameters.get(i), argument, ordered));
                count = isDefault(cast.get(i), parameters.get(i)) ? count : i + 1;
            }
        }
        Signature<S> signature =
                ordered.overload().given(Math.max(count, ordered.overload().required()));
        S strategy = strategy(typed.problem());
        Object scalaFunction =
                CallFunctions.of(new CallFunctions.Way(name, signature, strategy, options, answer), () -> {
                    SolverCall solver = signature.call(strategy, options);
                    return Dispatcher.scalaFunction(answer == Answer.RESULT ? solver : solver.rejection());
                });
        DataType result = answer == Answer.RESULT ? signature.result() : DataTypes.StringType;
        Call call = Dispatcher.expression(
                name,
                scalaFunction,
                signature,
                result,
                cast.subList(0, signature.parameters().size()));
        return answer == Answer.RESULT ? call.withCheck(each -> checkConstants(signature, each)) : call;
    }

    /** Returns the strategy in the session's settings. */
    private static <S extends Enum<S>> S strategy(Problem<S> problem) {
        SQLConf conf = SQLConf.get();
        try {
            return problem.strategy(Catalogue.strategy(problem, key -> conf.getConfString(key, null)));
        } catch (BellmanException e) {
            throw wrong(e);
        }
    }

    private static Expression constant(Parameter parameter) {
        return new Literal(parameter.ifAbsent().orElseThrow().value(), parameter.type());
    }

    /** Whether an argument equals the default, so that the call could also omit it. */
    private static boolean isDefault(Expression argument, Parameter parameter) {
        return parameter.isOptional()
                && isLiteral(argument)
                // Spark may not have set the cast's time zone yet
                && argument.resolved()
                && parameter.ifAbsent().orElseThrow().value().equals(argument.eval(null));
    }

    /** Whether an argument is a literal, possibly within casts, so that evaluating it takes no time. */
    private static boolean isLiteral(Expression argument) {
        return argument instanceof Literal || argument instanceof Cast cast && isLiteral(cast.child());
    }

    /**
     * Checks constant arguments. Spark creates a call while it holds the lock of its catalogue, but checks the call
     * after it releases the lock.
     */
    private void checkConstants(Signature<?> signature, List<Expression> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            Parameter parameter = signature.parameters().get(i);
            Expression argument = arguments.get(i);
            Object value = parameter.isChecked() && argument.foldable() ? argument.eval(null) : null;
            if (value != null) {
                try {
                    parameter.check().accept(name, value);
                } catch (BellmanException e) {
                    throw wrong(e);
                }
            }
        }
    }

    /**
     * Puts the arguments in the order of the parameters: {@code f(y, b => x)} becomes {@code f(y, x)}. Chooses, among
     * the overloads that have parameters with these names, the one whose types change the arguments least ({@link
     * BellmanFunction#changes}).
     */
    private <S extends Enum<S>> Ordered<S> inOrder(BellmanFunction<S> typed, List<Expression> given) {
        List<Overload<S>> fitting = typed.overloads().stream()
                .filter(each -> each.required() <= given.size()
                        && given.size() <= each.parameters().size())
                .toList();
        if (fitting.isEmpty()) {
            throw wrong("%s cannot be called with %d argument%s; expected %s"
                    .formatted(name, given.size(), given.size() == 1 ? "" : "s", calls()));
        }
        List<Ordered<S>> ordered = new ArrayList<>();
        Optional<BellmanException> problem = Optional.empty();
        for (Overload<S> overload : fitting) {
            try {
                ordered.add(new Ordered<>(overload, inOrder(overload, given)));
            } catch (BellmanException e) {
                problem = problem.or(() -> Optional.of(e));
            }
        }
        if (ordered.isEmpty()) {
            throw wrong(problem.orElseThrow());
        }
        return ordered.stream().min(Comparator.comparingLong(Ordered::changes)).orElseThrow();
    }

    private List<Expression> inOrder(Overload<?> overload, List<Expression> given) {
        List<Parameter> parameters = overload.parameters();
        List<Expression> ordered = new NamedArguments(
                        name, parameters.stream().map(Parameter::name).toList(), calls())
                .inOrder(given);
        for (int i = 0; i < ordered.size(); i++) {
            Parameter parameter = parameters.get(i);
            if (ordered.get(i) == null && !parameter.isOptional()) {
                throw NamedArguments.wrong(
                        "%s: the argument %s is missing; expected %s".formatted(name, parameter.name(), calls()));
            }
            if (ordered.get(i) instanceof LambdaFunction) {
                throw NamedArguments.wrong("%s: the argument %s is a lambda function; it must be a value"
                        .formatted(name, parameter.name()));
            }
        }
        return ordered;
    }

    /** Returns the index, among a call's arguments, of the argument that an aggregate collects; -1 if there is none. */
    int rowsArgument(List<Expression> given) {
        List<Parameter> parameters = function.overloads().get(0).parameters();
        for (int i = 0; i < given.size() && i < parameters.size(); i++) {
            Expression argument = given.get(i);
            String parameter = argument instanceof NamedArgumentExpression named
                    ? named.key()
                    : parameters.get(i).name();
            if (parameters.stream()
                    .anyMatch(each -> each.collectsRows() && each.name().equalsIgnoreCase(parameter))) {
                return i;
            }
        }
        return -1;
    }

    private Expression cast(Parameter parameter, Expression argument, Ordered<?> call) {
        DataType from = argument.dataType();
        DataType to = parameter.type();
        if (parameter.collectsRows() && from instanceof StringType) {
            return GroupRows.of(cast(new Parameter(parameter.name(), DataTypes.StringType), argument, call));
        }
        checkFields(parameter, from, to);
        Option<Expression> cast = AnsiTypeCoercion$.MODULE$.implicitCast(argument, to);
        if (LossyCasts.isLossy(from, to) || cast.isEmpty()) {
            List<String> types = types(parameter);
            throw wrong(
                    types.contains(from.sql())
                            ? "%s: %s".formatted(name, combinations(call.given()))
                            : "%s: the argument %s is of type %s; it must be %s%s"
                                    .formatted(
                                            name,
                                            parameter.name(),
                                            from.sql(),
                                            String.join(" or ", types),
                                            LossyCasts.hint(from, to, types)));
        }
        Expression result = cast.get() instanceof Cast implicit
                ? new Cast(implicit.child(), implicit.dataType(), implicit.timeZoneId(), EvalMode.ANSI())
                : cast.get();
        if (to instanceof NumericType && argument instanceof Literal literal && from instanceof StringType) {
            try {
                result.eval(null);
            } catch (RuntimeException e) {
                throw wrong("%s: the argument %s is '%s'; it must be a number of type %s"
                        .formatted(name, parameter.name(), literal.value(), to.sql()));
            }
        }
        return result;
    }

    /** Rejects structs with expected field names in unexpected positions, because a cast matches fields by position. */
    private void checkFields(Parameter parameter, DataType from, DataType to) {
        if (from instanceof ArrayType fromArray && to instanceof ArrayType toArray) {
            checkFields(parameter, fromArray.elementType(), toArray.elementType());
        } else if (from instanceof StructType fromStruct && to instanceof StructType toStruct) {
            String[] found = fromStruct.fieldNames();
            String[] expected = toStruct.fieldNames();
            for (int i = 0; i < Math.min(found.length, expected.length); i++) {
                String field = found[i];
                if (!field.equalsIgnoreCase(expected[i]) && Stream.of(expected).anyMatch(field::equalsIgnoreCase)) {
                    throw wrong("%s: the fields of the argument %s are %s; they must be %s, in this order"
                            .formatted(name, parameter.name(), String.join(", ", found), String.join(", ", expected)));
                }
            }
        }
    }

    /** Returns the types that a parameter has in the different overloads of the function. */
    private List<String> types(Parameter parameter) {
        return function.overloads().stream()
                .flatMap(each -> each.parameters().stream())
                .filter(each -> each.name().equals(parameter.name()))
                .flatMap(each -> Stream.concat(
                        Stream.of(each.type()), each.collectsRows() ? Stream.of(DataTypes.StringType) : Stream.of()))
                .map(DataType::sql)
                .distinct()
                .toList();
    }

    /** Returns the types of the given arguments, and the combinations that they may have. */
    private String combinations(Map<String, Expression> given) {
        String found =
                given.values().stream().map(each -> each.dataType().sql()).collect(Collectors.joining(", ", "(", ")"));
        String expected = function.overloads().stream()
                .map(each -> each.parameters().stream()
                        .filter(parameter -> given.containsKey(parameter.name()))
                        .map(parameter -> parameter.type().sql())
                        .toList())
                .filter(types -> types.size() == given.size())
                .map(types -> "(%s)".formatted(String.join(", ", types)))
                .distinct()
                .collect(Collectors.joining(" or "));
        return "the arguments are of types %s; they must be %s".formatted(found, expected);
    }

    /**
     * Throws Spark's own exception for an invalid query, to which Spark adds the position of the call. Callers can
     * write {@code throw wrong(...)}. The exception uses an error condition of Spark's that accepts any message:
     * PySpark and Spark Connect clients look up conditions in Spark's list, and PySpark cannot print an exception
     * without a known condition.
     */
    static RuntimeException wrong(String message) {
        return wrong(new BellmanException(ErrorCode.BELLMAN_FUNCTION_ARGUMENTS, message));
    }

    static RuntimeException wrong(BellmanException ours) {
        throw FunctionBuilder.<RuntimeException>unchecked(new AnalysisException(
                ours.getMessage(),
                Option.empty(),
                Option.empty(),
                Option.apply(ours),
                Option.apply("USER_RAISED_EXCEPTION"),
                new scala.collection.immutable.Map.Map1<>("errorMessage", ours.getMessage()),
                new QueryContext[0]));
    }

    /** Throws an exception, even a checked one, without declaring it, as Scala code does. */
    @SuppressWarnings("unchecked")
    static <E extends Throwable> E unchecked(Throwable exception) throws E {
        throw (E) exception;
    }
}
