package dev.bellman.function;

import dev.bellman.columns.AnyUdf;
import dev.bellman.columns.GpuFunctions;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Signature;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.CatalystTypeConverters$;
import org.apache.spark.sql.catalyst.encoders.AgnosticEncoders;
import org.apache.spark.sql.catalyst.encoders.ExpressionEncoder;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.objects.StaticInvoke;
import org.apache.spark.sql.internal.ToScalaUDF;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.ObjectType;
import scala.Function1;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Calls a function with any number of arguments, up to the {@value #MAX_ARGUMENTS} of Spark's {@code UDF22}.
 *
 * <p>A function is an object with the interface {@code UDFn} for its {@code n} parameters. The function object receives
 * arguments in Spark's internal form, without copying or conversion: {@code UTF8String} for STRING, {@code ArrayData}
 * for ARRAY, {@code InternalRow} for STRUCT, and boxed numbers. It returns results like any Java UDF; a STRING may also
 * be a {@code UTF8String}.
 */
public final class Dispatcher implements Serializable {
    private static final long serialVersionUID = 1L;

    public static final int MAX_ARGUMENTS = 22;

    private final Object udf;
    private final List<DataType> parameters;
    private final DataType result;
    /**
     * Calls {@code udf.call(arguments[0], arguments[1], ...)}. Handles are not serializable, so each process creates
     * its own.
     */
    private transient MethodHandle call;

    private transient List<Function1<Object, Object>> toInternal;
    private transient Function1<Object, Object> toExternal;

    /** @param udf the result of {@link Signature#implementation} */
    public Dispatcher(Signature<?> signature, Object udf) {
        this.udf = udf;
        // unlike other lists, ArrayList is serializable
        parameters = new ArrayList<>(
                signature.parameters().stream().map(Parameter::type).toList());
        result = signature.result();
        if (!udfInterface().isInstance(udf)) {
            throw new IllegalArgumentException("%s has %d parameters; its class must implement %s"
                    .formatted(
                            udf.getClass().getName(),
                            parameters.size(),
                            udfInterface().getName()));
        }
    }

    private Class<?> udfInterface() {
        try {
            return Class.forName("org.apache.spark.sql.api.java.UDF" + parameters.size());
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "a function with %d parameters; Spark calls at most %d".formatted(parameters.size(), MAX_ARGUMENTS),
                    e);
        }
    }

    /** Calls the function as Spark's engine does, with arguments in Spark's internal form. */
    public Object callInternal(Object... arguments) {
        try {
            if (call == null) {
                int count = parameters.size();
                call = MethodHandles.publicLookup()
                        .findVirtual(udfInterface(), "call", MethodType.genericMethodType(count))
                        .bindTo(udf)
                        .asSpreader(Object[].class, count);
            }
            return (Object) call.invokeExact(arguments);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Calls the function outside queries, with arguments and a result in the form of a {@code Row}. */
    public Object call(Object... arguments) {
        Object[] internal = internal(arguments);
        return toExternal.apply(callInternal(internal));
    }

    /** Converts arguments from the form of a {@code Row} to Spark's internal form. */
    public Object[] internal(Object... arguments) {
        if (toInternal == null) {
            toInternal = parameters.stream()
                    .map(CatalystTypeConverters$.MODULE$::createToCatalystConverter)
                    .toList();
            Function1<Object, Object> internal = CatalystTypeConverters$.MODULE$.createToCatalystConverter(result);
            toExternal = internal.andThen(CatalystTypeConverters$.MODULE$.createToScalaConverter(result));
        }
        Object[] internal = new Object[arguments.length];
        for (int i = 0; i < internal.length; i++) {
            internal[i] = toInternal.get(i).apply(arguments[i]);
        }
        return internal;
    }

    /**
     * Returns the function object for Spark's call expression. RAPIDS looks for kernels in the only variable that
     * Spark's wrapper of a Java UDF captures.
     *
     * @param kernels the name of the kernels, which is the function's name in the catalogue
     */
    Object scalaFunction(String kernels) {
        return wrapped(GpuFunctions.udf(kernels, udf, this::callInternal));
    }

    /** Returns the function object for calls of a different function with the same parameters. */
    Object scalaFunction(AnyUdf.Call other) {
        return wrapped(new AnyUdf(other));
    }

    /** Returns the wrapper that {@code spark.udf().register} creates. */
    private Object wrapped(Object shown) {
        try {
            return ToScalaUDF.class.getMethod("apply", udfInterface()).invoke(null, shown);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Returns Spark's expression for a call.
     *
     * @param scalaFunction a function object from a dispatcher for the same signature
     * @param arguments the arguments, with the parameters' types
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
     * Returns an encoder that passes an argument on unchanged. Spark would convert a STRING to a {@code String} and
     * lose bytes that are not UTF-8.
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

    /** Returns the argument itself; code that Spark generates calls this method. */
    public static Object held(Object argument) {
        return argument;
    }

    private static <T> Seq<T> seq(List<T> list) {
        return CollectionConverters.asScala(list).toSeq();
    }
}
