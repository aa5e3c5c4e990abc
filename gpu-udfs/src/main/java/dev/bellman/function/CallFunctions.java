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
 * The function objects inside Spark's call expressions, one for each kind of call. Spark considers two calls equal only
 * if they have the same function object. GROUP BY, common subexpressions and cached queries rely on this equality.
 *
 * <p>Objects that no expression uses any more are garbage collected, because their options may belong to a single run.
 */
final class CallFunctions {
    /** Everything that determines a call's results and counts, except its arguments. */
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

    /** Returns the function object for calls of this kind; calls {@code create} if there is none yet. */
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
     * Returns the name of the function that an expression calls, if that function is one of Bellman's rather than a
     * different function with the same name.
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
