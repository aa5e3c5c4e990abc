package dev.bellman;

import java.io.Serializable;
import java.util.function.Supplier;

/** The options of a function besides its arguments and its strategy. */
public record FunctionOptions(OnInvalid onInvalid, CellCounter cells) implements Serializable {
    public static final FunctionOptions DEFAULT = new FunctionOptions(OnInvalid.FAIL, CellCounter.NONE);

    public FunctionOptions with(OnInvalid other) {
        return new FunctionOptions(other, cells);
    }

    public FunctionOptions with(CellCounter other) {
        return new FunctionOptions(onInvalid, other);
    }

    /** The function's result; NULL for a rejected row if {@link #onInvalid} says so. */
    public <R> R answer(Supplier<R> function) {
        try {
            return function.get();
        } catch (BellmanException e) {
            if (e.code().isRowError() && onInvalid == OnInvalid.NULL) {
                return null;
            }
            throw e;
        }
    }
}
