package dev.bellman.proof;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/** What the strategies of a function may do differently from its oracle. By default nothing. */
public interface Leeway extends Serializable {
    /** None: every strategy solves every instance. */
    Leeway NONE = new Leeway() {
        private static final long serialVersionUID = 1L;
    };

    /**
     * Whether the strategy solves the instance. Otherwise it fails with an error that names a limit, or a strategy that
     * solves it.
     */
    default boolean serves(Enum<?> strategy, InternalRow arguments) {
        return true;
    }

    /** Whether there are instances that the strategy does not solve. */
    default boolean isLimited(Enum<?> strategy) {
        return false;
    }

    /**
     * Whether an answer is right, by a strategy that does not answer as defined.
     *
     * @param expected the answer as defined
     */
    default boolean isRight(InternalRow arguments, Object expected, Object answer) {
        throw new IllegalStateException("the proof does not define which other answers are right");
    }
}
