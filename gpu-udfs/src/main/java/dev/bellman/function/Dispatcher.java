package dev.bellman.function;

import dev.bellman.columns.SolverCall;
import dev.bellman.entry.Signature;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.CatalystTypeConverters$;
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoders;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.internal.ToScalaUDF;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.ObjectType;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Creates Spark's expressions for calls, which have at most {@value #MAX_ARGUMENTS} arguments because of Spark's
 * {@code UDF22}.
 *
 * <p>A {@link SolverCall} receives arguments in Spark's internal form, neither copied nor converted: {@code UTF8String}
 * for STRING, {@code ArrayData} for ARRAY, {@code InternalRow} for STRUCT, and boxed numbers.
 */
public final class Dispatcher {
    static final int MAX_ARGUMENTS = 22;

    private Dispatcher() {}

    /**
     * Returns the function object for Spark's call expression, which is the same wrapper that
     * {@code spark.udf().register} creates. RAPIDS looks for a kernel in the only variable that this wrapper captures.
     */
    static Object scalaFunction(SolverCall call) {
        try {
            Class<?> type = Class.forName("org.apache.spark.sql.api.java.UDF" + call.given());
            return ToScalaUDF.class.getMethod("apply", type).invoke(null, call.withKernel());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "%s has %d arguments; Spark supports at most %d".formatted(call, call.given(), MAX_ARGUMENTS), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the call that a function object of {@link #scalaFunction} contains. */
    static SolverCall solver(Object scalaFunction) {
        try {
            Field captured = scalaFunction.getClass().getDeclaredFields()[0];
            captured.setAccessible(true);
            return (SolverCall) captured.get(scalaFunction);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns Spark's expression for a call.
     *
     * @param scalaFunction the function object of a call with the same signature
     * @param arguments the arguments, already cast to the parameters' types
     */
    static Call expression(
            String name, Object scalaFunction, Signature<?> signature, DataType result, List<Expression> arguments) {
        List<Option<ExpressionEncoder<?>>> encoders = signature.parameters().stream()
                .map(parameter -> asHeld(parameter.type()))
                .toList();
        return new Call(
                scalaFunction, result, seq(arguments), seq(encoders), Option.empty(), Option.apply(name), true, true);
    }

    /**
     * Returns the form in which RAPIDS plans a call. If the kernel takes constants and the arguments are constant,
     * their values become part of the call, which then takes only the other arguments.
     */
    static ScalaUDF plain(ScalaUDF call) {
        int columns = solver(call.function()).columns();
        List<Expression> arguments = CollectionConverters.asJava(call.children());
        List<Literal> constants = arguments.stream()
                .skip(columns)
                .filter(each -> each instanceof Literal literal && literal.value() != null)
                .map(Literal.class::cast)
                .toList();
        boolean withConstants = !constants.isEmpty() && columns + constants.size() == arguments.size();
        if (!withConstants && !(call instanceof Call)) {
            return call;
        }
        List<Option<ExpressionEncoder<?>>> encoders = CollectionConverters.asJava(call.inputEncoders());
        return new ScalaUDF(
                withConstants
                        ? CallFunctions.of(new CallFunctions.WithConstants(call.function(), constants))
                        : call.function(),
                call.dataType(),
                withConstants ? seq(arguments.subList(0, columns)) : call.children(),
                withConstants ? seq(encoders.subList(0, columns)) : call.inputEncoders(),
                call.outputEncoder(),
                call.udfName(),
                call.nullable(),
                call.udfDeterministic());
    }

    /** Returns the call that has a given plain form. */
    static Call call(ScalaUDF plain) {
        Object function = plain.function();
        List<Expression> arguments = new ArrayList<>(CollectionConverters.asJava(plain.children()));
        List<Option<ExpressionEncoder<?>>> encoders =
                new ArrayList<>(CollectionConverters.asJava(plain.inputEncoders()));
        CallFunctions.WithConstants all = CallFunctions.constants(function).orElse(null);
        if (all != null) {
            function = all.function();
            for (Literal constant : all.constants()) {
                arguments.add(constant);
                encoders.add(asHeld(constant.dataType()));
            }
        }
        return new Call(
                function,
                plain.dataType(),
                seq(arguments),
                seq(encoders),
                plain.outputEncoder(),
                plain.udfName(),
                plain.nullable(),
                plain.udfDeterministic());
    }

    /**
     * Returns an encoder that passes an argument on unchanged; empty for a primitive type. Without it, Spark would
     * convert a STRING to a {@code String} and lose bytes that are not UTF-8.
     */
    private static Option<ExpressionEncoder<?>> asHeld(DataType type) {
        if (CatalystTypeConverters$.MODULE$.isPrimitive(type)) {
            return Option.empty();
        }
        DataType object = new ObjectType(Object.class);
        // this encoder's schema is an object type, to which Spark never casts
        return Option.apply(new ExpressionEncoder<>(
                AgnosticEncoders.BinaryEncoder$.MODULE$,
                new BoundReference(0, object, true),
                new StaticInvoke(
                        Dispatcher.class,
                        object,
                        "held",
                        seq(List.of(new BoundReference(0, type, true))),
                        seq(List.of()),
                        true,
                        true,
                        true,
                        Option.empty())));
    }

    /** Returns the argument unchanged; code that Spark generates calls this method. */
    public static Object held(Object argument) {
        return argument;
    }

    private static <T> Seq<T> seq(List<T> list) {
        return CollectionConverters.asScala(list).toSeq();
    }
}
