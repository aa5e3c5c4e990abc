package dev.bellman.job.format;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.api.java.UDF0;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;

/**
 * Fails a query at a row that the job rejects. Unlike Spark's {@code raise_error}, this expression throws a Bellman
 * exception, so no string in a user's expression can imitate its error code.
 */
public record Refusal(ErrorCode code, String message) implements UDF0<Object> {
    /**
     * Returns a column whose evaluation fails for every row.
     *
     * @param type the type of the column
     */
    public static Column of(ErrorCode code, String message, DataType type) {
        return functions
                .udf(new Refusal(code, message), type)
                .withName("refuse")
                .apply();
    }

    @Override
    public Object call() {
        throw new BellmanException(code, message);
    }
}
