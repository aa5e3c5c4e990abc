package dev.bellman.entry;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.InternalRow;

/** How the strategies of a function differ in their answers. By default they do not. */
public interface StrategyTraits<S extends Enum<S>> extends Serializable {
    /** Whether the strategy gives the defined answer rather than another equally good one. */
    default boolean answersAsDefined(S strategy) {
        return true;
    }

    /**
     * Whether the answer of a strategy with its own answers is right.
     *
     * @param expected the answer as defined
     */
    default boolean isRight(S strategy, InternalRow arguments, Object expected, Object answer) {
        throw new IllegalStateException(strategy + " answers as defined");
    }

    /**
     * Whether the strategy solves the instance. Otherwise it fails with an error that names a limit, or a strategy that
     * solves it.
     */
    default boolean serves(S strategy, InternalRow arguments) {
        return true;
    }

    /** The strategy that the CPU uses instead of one made for a GPU. */
    default S onCpu(S strategy) {
        return strategy;
    }

    /** All strategies solve all instances, and alike. */
    static <S extends Enum<S>> StrategyTraits<S> none() {
        return new StrategyTraits<>() {
            private static final long serialVersionUID = 1L;
        };
    }
}
