package dev.bellman.proof;

import dev.bellman.BellmanException;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * A function's definition as a program: the textbook recurrence, which is written to be obviously correct instead of
 * fast.
 */
@FunctionalInterface
public interface Oracle extends Serializable {
    /**
     * Returns the result as a Catalyst value, for an instance that has no NULL arguments.
     *
     * @throws BellmanException with the function's error code if it rejects the instance
     */
    Object solve(InternalRow arguments);
}
