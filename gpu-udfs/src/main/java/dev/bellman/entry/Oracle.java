package dev.bellman.entry;

import dev.bellman.BellmanException;
import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/** The definition of a function as a program: the textbook recurrence, written to be obviously right, however slow. */
@FunctionalInterface
public interface Oracle extends Serializable {
    /**
     * The answer to an instance without NULL arguments, as a value of Catalyst's.
     *
     * @throws BellmanException with the code that the function has for an instance that it rejects
     */
    Object solve(InternalRow arguments);
}
