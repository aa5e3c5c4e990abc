package dev.bellman;

import java.io.Serializable;
import java.util.function.Supplier;

/** The options of a function call, other than its arguments and its strategy. */
public record FunctionOptions(OnInvalid onInvalid, CellCounter cells) implements Serializable {
    public static final FunctionOptions DEFAULT = new FunctionOptions(OnInvalid.FAIL, CellCounter.NONE);

    public FunctionOptions with(OnInvalid other) {
        return new FunctionOptions(other, cells);
    }

    public FunctionOptions with(CellCounter other) {
        return new FunctionOptions(onInvalid, other);
    }

    /**
     * Returns the function's result, or NULL if the function rejects the row and {@link #onInvalid} allows NULL.
     *
     * <p>If the heap is full even though the row fits in the task's share, only this call fails and the process
     * continues: the call's memory is freed, and nothing else has changed. In this case, the call fails even if
     * {@link #onInvalid} is NULL, because the row is valid.
     */
    public <R> R answer(Supplier<R> function) {
        try {
            return CallMemory.during(function);
        } catch (OutOfMemoryError e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "the heap of %,d bytes is full (%s), although the row fits in the task's share. Use %s"
                            .formatted(Runtime.getRuntime().maxMemory(), e.getMessage(), CallMemory.REMEDY),
                    e);
        } catch (BellmanException e) {
            if (e.code().isRowError() && onInvalid == OnInvalid.NULL) {
                return null;
            }
            throw e;
        }
    }
}
