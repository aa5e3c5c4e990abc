package dev.bellman.proof;

import dev.bellman.BellmanException;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * The definition of a function as a program: the textbook recurrence, written to be obviously correct rather than fast.
 */
@FunctionalInterface
public interface Oracle extends Serializable {
    /**
     * Returns the result, as a Catalyst value, for an instance without NULL arguments.
     *
     * @throws BellmanException with the function's code if it rejects the instance
     */
    Object solve(InternalRow arguments);
}
