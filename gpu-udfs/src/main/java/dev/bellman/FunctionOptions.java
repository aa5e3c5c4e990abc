package dev.bellman;

import java.io.Serializable;
import java.util.function.Supplier;

/** What a function is told besides its arguments and its strategy. */
public record FunctionOptions(OnInvalid onInvalid, CellCounter cells) implements Serializable {
    public static final FunctionOptions DEFAULT = new FunctionOptions(OnInvalid.FAIL, CellCounter.NONE);

    public FunctionOptions with(OnInvalid other) {
        return new FunctionOptions(other, cells);
    }

    /** What the function answers; NULL for a row that it rejects, where {@link #onInvalid} says so. */
    public <R> R answer(Supplier<R> function) {
        try {
            return function.get();
        } catch (BellmanException e) {
            boolean invalid = e.code() == ErrorCode.BELLMAN_INPUT_VALUE
                    || e.code() == ErrorCode.BELLMAN_OVERFLOW
                    || e.code() == ErrorCode.BELLMAN_LIMIT;
            if (invalid && onInvalid == OnInvalid.NULL) {
                return null;
            }
            throw e;
        }
    }
}
