package dev.bellman.function;

import dev.bellman.FunctionOptions;
import dev.bellman.entry.Signature;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;

/**
 * The function objects in Spark's call expressions; calls of the same kind share one object. Spark considers two calls
 * equal only if they have the same function object. GROUP BY, the elimination of common subexpressions, and cached
 * queries rely on this equality.
 *
 * <p>Objects that no expression uses any longer are garbage collected, because their options may belong to a single
 * run.
 */
final class CallFunctions {
    /** A kind of call: everything that determines results and counts, except the arguments. */
    record Way(
            String name,
            Signature<?> signature,
            Enum<?> strategy,
            FunctionOptions options,
            FunctionBuilder.Answer answer) {}

    /**
     * A kind of call that contains the values of its last arguments.
     *
     * @param function the function object for the same calls that takes all arguments
     */
    record WithConstants(Object function, List<Literal> constants) {}

    private static final class Shared extends WeakReference<Object> {
        final Record way;

        Shared(Record way, Object function) {
            super(function, UNUSED);
            this.way = way;
        }
    }

    private static final ReferenceQueue<Object> UNUSED = new ReferenceQueue<>();
    /** The function objects by {@link Way} or {@link WithConstants}. */
    private static final Map<Record, Shared> FUNCTIONS = new HashMap<>();

    private static final Map<Object, WithConstants> CONSTANTS = new WeakHashMap<>();
    private static final Map<Object, String> NAMES = new WeakHashMap<>();

    private CallFunctions() {}

    /** Returns the function object for calls of this kind; if there is none yet, creates it with {@code create}. */
    static synchronized Object of(Way way, Supplier<Object> create) {
        return of(way, way.name, create);
    }

    /** Returns the function object for calls whose last arguments are constants that the object contains. */
    static synchronized Object of(WithConstants way) {
        Object function = of(
                way,
                NAMES.get(way.function),
                () -> Dispatcher.scalaFunction(Dispatcher.solver(way.function).withConstants(values(way.constants))));
        CONSTANTS.put(function, way);
        return function;
    }

    /**
     * Returns the values of constants. An array becomes a single block of memory, because each task deserializes the
     * call, and would otherwise deserialize each element as an object.
     */
    private static List<Object> values(List<Literal> constants) {
        DataType[] types = constants.stream().map(Literal::dataType).toArray(DataType[]::new);
        InternalRow row =
                new GenericInternalRow(constants.stream().map(Literal::value).toArray());
        UnsafeRow block = UnsafeProjection.create(types).apply(row).copy();
        return IntStream.range(0, types.length)
                .mapToObj(i -> block.get(i, types[i]))
                .toList();
    }

    /** Returns the constants of a function object that {@link #of(WithConstants)} created; empty for other objects. */
    static synchronized Optional<WithConstants> constants(Object function) {
        return Optional.ofNullable(CONSTANTS.get(function));
    }

    private static Object of(Record way, String name, Supplier<Object> create) {
        for (Reference<?> unused = UNUSED.poll(); unused != null; unused = UNUSED.poll()) {
            FUNCTIONS.remove(((Shared) unused).way, unused);
        }
        Object function = FUNCTIONS.containsKey(way) ? FUNCTIONS.get(way).get() : null;
        if (function == null) {
            function = create.get();
            FUNCTIONS.put(way, new Shared(way, function));
            NAMES.put(function, name);
        }
        return function;
    }

    /**
     * Returns the name of the function that an expression calls if this is one of Bellman's functions, as opposed to an
     * unrelated function with the same name.
     */
    static synchronized Optional<String> name(ScalaUDF expression) {
        return Optional.ofNullable(NAMES.get(expression.function()));
    }

    static boolean isCall(ScalaUDF expression) {
        return name(expression).isPresent();
    }

    static boolean isCall(ScalaUDF expression, String name) {
        return name(expression).filter(name::equals).isPresent();
    }
}
