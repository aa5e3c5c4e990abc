package dev.bellman.proof;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/** Defines how the strategies of a function may deviate from its oracle. By default, no deviation is allowed. */
public interface Leeway extends Serializable {
    /** Allows no deviation: every strategy solves every instance as the oracle does. */
    Leeway NONE = new Leeway() {
        private static final long serialVersionUID = 1L;
    };

    /**
     * Whether the strategy solves the instance. If it does not, it must fail with an error message that mentions a
     * limit or a strategy that solves the instance.
     */
    default boolean serves(Enum<?> strategy, InternalRow arguments) {
        return true;
    }

    /** Whether there are instances that the strategy does not solve. */
    default boolean isLimited(Enum<?> strategy) {
        return false;
    }

    /**
     * Whether a result that differs from the oracle's result is also correct.
     *
     * @param expected the oracle's result
     */
    default boolean isRight(InternalRow arguments, Object expected, Object answer) {
        throw new IllegalStateException("the proof does not define which other results are correct");
    }
}
