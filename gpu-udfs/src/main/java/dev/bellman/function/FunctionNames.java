package dev.bellman.function;

import org.apache.spark.package$;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import scala.Option;

/** Names of functions in the registry of a session. */
public final class FunctionNames {
    /** From Spark 4.2 on, the registry has whole names only. */
    private static final boolean WHOLE = !package$.MODULE$.SPARK_VERSION().matches("4\\.[01]\\..*");

    private FunctionNames() {}

    /** The identifier of a function that all databases see, as built-in ones are. */
    public static FunctionIdentifier of(String name) {
        return WHOLE
                ? new FunctionIdentifier(name, Option.apply("builtin"), Option.apply("system"))
                : new FunctionIdentifier(name);
    }
}
