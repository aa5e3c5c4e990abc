package dev.bellman;

import java.io.Serializable;

/** What a function is told besides its arguments and its strategy. */
public record FunctionOptions(OnInvalid onInvalid, CellCounter cells) implements Serializable {
    public static final FunctionOptions DEFAULT = new FunctionOptions(OnInvalid.FAIL, CellCounter.NONE);

    public FunctionOptions with(OnInvalid other) {
        return new FunctionOptions(other, cells);
    }
}
