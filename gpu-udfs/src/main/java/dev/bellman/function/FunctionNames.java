package dev.bellman.function;

import org.apache.spark.package$;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import scala.Option;

/** The names of functions in a session's registry. */
public final class FunctionNames {
    /** Whether the registry contains only qualified names, as in Spark 4.2 and later. */
    private static final boolean WHOLE = !package$.MODULE$.SPARK_VERSION().matches("4\\.[01]\\..*");

    private FunctionNames() {}

    /** Returns the identifier of a function that is visible in all databases, like a built-in function. */
    public static FunctionIdentifier of(String name) {
        return WHOLE
                ? new FunctionIdentifier(name, Option.apply("builtin"), Option.apply("system"))
                : new FunctionIdentifier(name);
    }
}
