package dev.bellman;

import java.io.Serializable;
import java.util.function.Supplier;

/** The options of a function, apart from its arguments and its strategy. */
public record FunctionOptions(OnInvalid onInvalid, CellCounter cells) implements Serializable {
    public static final FunctionOptions DEFAULT = new FunctionOptions(OnInvalid.FAIL, CellCounter.NONE);

    public FunctionOptions with(OnInvalid other) {
        return new FunctionOptions(other, cells);
    }

    public FunctionOptions with(CellCounter other) {
        return new FunctionOptions(onInvalid, other);
    }

    /**
     * Returns the function's result, or NULL for a rejected row if {@link #onInvalid} allows that.
     *
     * <p>If the heap is full although the row fits in the task's share, only the call fails, not the process: the
     * memory of the call is free again, and nothing else has changed. The result is not NULL in that case, because the
     * row is not at fault.
     */
    public <R> R answer(Supplier<R> function) {
        try {
            return CallMemory.during(function);
        } catch (OutOfMemoryError e) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "the heap of %,d bytes is full (%s), although the row fits the share of a task. Use %s"
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
