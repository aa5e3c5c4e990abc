package dev.bellman.function;

import dev.bellman.FunctionOptions;
import dev.bellman.entry.Signature;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;

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

    private static final class Shared extends WeakReference<Object> {
        final Way way;

        Shared(Way way, Object function) {
            super(function, UNUSED);
            this.way = way;
        }
    }

    private static final ReferenceQueue<Object> UNUSED = new ReferenceQueue<>();
    private static final Map<Way, Shared> FUNCTIONS = new HashMap<>();
    private static final Map<Object, String> NAMES = new WeakHashMap<>();

    private CallFunctions() {}

    /** Returns the function object for calls of this kind; if there is none yet, creates it with {@code create}. */
    static synchronized Object of(Way way, Supplier<Object> create) {
        for (Reference<?> unused = UNUSED.poll(); unused != null; unused = UNUSED.poll()) {
            FUNCTIONS.remove(((Shared) unused).way, unused);
        }
        Object function = FUNCTIONS.containsKey(way) ? FUNCTIONS.get(way).get() : null;
        if (function == null) {
            function = create.get();
            FUNCTIONS.put(way, new Shared(way, function));
            NAMES.put(function, way.name);
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
