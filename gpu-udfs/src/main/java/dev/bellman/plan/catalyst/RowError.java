package dev.bellman.plan.catalyst;

import dev.bellman.BellmanCause;
import dev.bellman.BellmanException;
import java.util.HashMap;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.TaskContext;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The exception for a rejected row, join or setting, as a subtype of Spark's own exception. Spark fails the query with
 * this exception without wrapping it, and PySpark and Spark Connect clients raise a {@code SparkRuntimeException} with
 * the same message. The Python package recognizes this class by its name.
 *
 * <p>The error condition is one of Spark's that accept any message, because clients look up conditions in Spark's list.
 * The message parameters include the {@code code} and, if the message has the usual form, the {@code function}, the
 * {@code value} and the {@code allowed} values.
 */
public final class RowError extends SparkRuntimeException implements BellmanCause {
    private static final long serialVersionUID = 1L;

    private final BellmanException exception;

    public RowError(BellmanException exception) {
        super("USER_RAISED_EXCEPTION", parameters(exception), exception.getCause(), new QueryContext[0], "");
        this.exception = exception;
    }

    private static Map<String, String> parameters(BellmanException exception) {
        java.util.Map<String, String> parameters = new HashMap<>();
        parameters.put("errorMessage", exception.getMessage());
        parameters.put("code", exception.code().name());
        addParts(exception.getMessage(), parameters);
        return Map$.MODULE$.from(CollectionConverters.asScala(parameters));
    }

    /**
     * Parses a message such as: hamming_distance: a has 1 characters and b has 3; the two lengths must be equal.
     * Correct the ...
     */
    private static void addParts(String message, java.util.Map<String, String> parameters) {
        int name = message.indexOf("] ") + 2;
        int value = message.indexOf(": ", name) + 2;
        int allowed = message.indexOf("; ", value) + 2;
        int correction = message.indexOf(". Correct the row", allowed);
        String function = message.substring(name, Math.max(name, value - 2));
        if (value > name && allowed > value && function.chars().allMatch(Character::isJavaIdentifierPart)) {
            parameters.put("function", function);
            parameters.put("value", message.substring(value, allowed - 2));
            parameters.put("allowed", message.substring(allowed, correction < 0 ? message.length() : correction));
        }
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
     * Creates no stack trace in tasks. A stack trace does not help with a rejected row, and Spark would log it on both
     * the executor and the driver.
     */
    @Override
    public Throwable fillInStackTrace() {
        return TaskContext.get() == null ? super.fillInStackTrace() : this;
    }
}
