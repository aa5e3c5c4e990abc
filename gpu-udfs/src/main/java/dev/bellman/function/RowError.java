package dev.bellman.function;

import dev.bellman.BellmanCause;
import dev.bellman.BellmanException;
import java.util.HashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.TaskContext;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A row that a function rejects, as a failure of Spark's own kind. Spark then fails the query with this exception
 * itself, without one around it, and PySpark and clients of Spark Connect raise their {@code SparkRuntimeException}
 * with this message. The Python package knows this class by its name.
 *
 * <p>Its condition is one of Spark's that takes any message, since clients look up conditions in Spark's list. The
 * parameters of the message are the {@code code}, the {@code function}, the {@code value} and the values that are
 * {@code allowed}.
 */
final class RowError extends SparkRuntimeException implements BellmanCause {
    private static final long serialVersionUID = 1L;

    /** hamming_distance: a has 1 characters and b has 3; both must have the same number. Correct the row, or ... */
    private static final Pattern PARTS =
            Pattern.compile("\\[\\w+\\] (\\w+): (.+?); (.+?)(?:\\. Correct the row.*)?", Pattern.DOTALL);

    private final BellmanException exception;

    RowError(BellmanException exception) {
        super("USER_RAISED_EXCEPTION", parameters(exception), exception.getCause(), new QueryContext[0], "");
        this.exception = exception;
    }

    private static Map<String, String> parameters(BellmanException exception) {
        java.util.Map<String, String> parameters = new HashMap<>();
        parameters.put("errorMessage", exception.getMessage());
        parameters.put("code", exception.code().name());
        Matcher parts = PARTS.matcher(exception.getMessage());
        if (parts.matches()) {
            parameters.put("function", parts.group(1));
            parameters.put("value", parts.group(2));
            parameters.put("allowed", parts.group(3));
        }
        return Map$.MODULE$.from(CollectionConverters.asScala(parameters));
    }

    @Override
    public BellmanException exception() {
        return exception;
    }

    @Override
    public String getMessage() {
        return exception.getMessage();
    }

    /**
     * The stack of a task says nothing about the row, and Spark logs it on the executor and on the driver. The driver
     * adds its own.
     */
    @Override
    public Throwable fillInStackTrace() {
        return TaskContext.get() == null ? super.fillInStackTrace() : this;
    }
}
