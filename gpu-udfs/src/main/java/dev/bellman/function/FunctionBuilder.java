package dev.bellman.function;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.columns.ColumnarFunction;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.api.java.UDF2;
import org.apache.spark.sql.api.java.UDF3;
import org.apache.spark.sql.api.java.UDF4;
import org.apache.spark.sql.api.java.UDF5;
import org.apache.spark.sql.catalyst.analysis.AnsiTypeCoercion$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.internal.ToScalaUDF;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;

/**
 * Turns a call in a query into Spark's expression for a user-defined function: finds the signature by the number and
 * types of the arguments, casts them, and reads the strategy from the session.
 */
final class FunctionBuilder extends AbstractFunction1<Seq<Expression>, Expression> {
    private final String name;
    private final BellmanFunction<?> function;
    private final FunctionOptions options;

    private FunctionBuilder(String name, BellmanFunction<?> function, FunctionOptions options) {
        this.name = name;
        this.function = function;
        this.options = options;
    }

    /** One builder for each name in SQL: every function, and the {@code try_} variants of those that reject values. */
    static List<FunctionBuilder> all(List<BellmanFunction<?>> functions, FunctionOptions options) {
        List<FunctionBuilder> builders = new ArrayList<>();
        for (BellmanFunction<?> function : functions) {
            builders.add(new FunctionBuilder(function.name(), function, options));
            if (function.rejects().isPresent()) {
                builders.add(new FunctionBuilder(function.tryName(), function, options.with(OnInvalid.NULL)));
            }
        }
        return builders;
    }

    String name() {
        return name;
    }

    /** What {@code DESCRIBE FUNCTION} shows. */
    ExpressionInfo info() {
        String usage = "%s - %s".formatted(calls(), function.description());
        String examples = "%n    Examples:%n      > SELECT %s;%n       %s%n"
                .formatted(function.example().expression(), function.example().result());
        return new ExpressionInfo(
                FunctionBuilder.class.getName(), null, name, usage, "", examples, "", "", "", "", "scala_udf");
    }

    /** The ways to call the function. */
    private String calls() {
        return function.signatures().stream()
                .map(each -> name + each)
                .distinct()
                .collect(Collectors.joining(" or "));
    }

    @Override
    public Expression apply(Seq<Expression> arguments) {
        return call(function, CollectionConverters.asJava(arguments));
    }

    private <S extends Enum<S>> Expression call(BellmanFunction<S> typed, List<Expression> arguments) {
        Signature<S> signature = signature(typed, arguments);
        List<Expression> cast = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            cast.add(cast(arguments.get(i), signature, i));
        }
        Object udf = signature.implementation().create(typed.problem().strategy(SQLConf.get()), options);
        return new ScalaUDF(
                scalaFunction(udf, arguments.size()),
                signature.result(),
                CollectionConverters.asScala(cast).toSeq(),
                CollectionConverters.<Option<org.apache.spark.sql.catalyst.encoders.ExpressionEncoder<?>>>asScala(
                                List.of())
                        .toSeq(),
                Option.empty(),
                Option.apply(name),
                true,
                true);
    }

    private <S extends Enum<S>> Signature<S> signature(BellmanFunction<S> typed, List<Expression> arguments) {
        return typed.signature(arguments.stream().map(Expression::dataType).toList())
                .orElseThrow(() -> new BellmanException(
                        ErrorCode.BELLMAN_FUNCTION_ARGUMENTS,
                        "%s cannot be called with %d argument%s; it is %s"
                                .formatted(name, arguments.size(), arguments.size() == 1 ? "" : "s", calls())));
    }

    private Expression cast(Expression argument, Signature<?> signature, int index) {
        Parameter parameter = signature.parameters().get(index);
        Option<Expression> cast = AnsiTypeCoercion$.MODULE$.implicitCast(argument, parameter.type());
        if (cast.isEmpty()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_FUNCTION_ARGUMENTS,
                    "%s: the argument %s is of type %s; it must be %s"
                            .formatted(
                                    name, parameter.name(), argument.dataType().sql(), types(signature, index)));
        }
        return cast.get();
    }

    /** The types that a parameter has in the signatures with as many parameters. */
    private String types(Signature<?> signature, int index) {
        return function.signatures().stream()
                .filter(each ->
                        each.parameters().size() == signature.parameters().size())
                .map(each -> each.parameters().get(index).type().sql())
                .distinct()
                .collect(Collectors.joining(" or "));
    }

    /**
     * The same wrapper that {@code spark.udf().register} makes: RAPIDS looks inside it for a UDF that it can run. A function whose
     * strategy has no kernel is put in a lambda of our own, which RAPIDS does not look into.
     */
    @SuppressWarnings("unchecked")
    private static Object scalaFunction(Object udf, int parameters) {
        boolean hidden = udf instanceof ColumnarFunction function && !function.hasKernel();
        switch (parameters) {
            case 1 -> {
                UDF1<Object, Object> one = (UDF1<Object, Object>) udf;
                return ToScalaUDF.apply(hidden ? one::call : one);
            }
            case 2 -> {
                UDF2<Object, Object, Object> two = (UDF2<Object, Object, Object>) udf;
                return ToScalaUDF.apply(hidden ? two::call : two);
            }
            case 3 -> {
                UDF3<Object, Object, Object, Object> three = (UDF3<Object, Object, Object, Object>) udf;
                return ToScalaUDF.apply(hidden ? three::call : three);
            }
            case 4 -> {
                UDF4<Object, Object, Object, Object, Object> four = (UDF4<Object, Object, Object, Object, Object>) udf;
                return ToScalaUDF.apply(hidden ? four::call : four);
            }
            case 5 -> {
                UDF5<Object, Object, Object, Object, Object, Object> five =
                        (UDF5<Object, Object, Object, Object, Object, Object>) udf;
                return ToScalaUDF.apply(hidden ? five::call : five);
            }
            default -> throw new IllegalArgumentException("no UDF interface for " + parameters + " parameters");
        }
    }
}
