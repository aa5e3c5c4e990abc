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

    /**
     * The function's result; NULL for a rejected row if {@link #onInvalid} says so.
     *
     * <p>If the heap is full although the row fits a task's share, the call fails rather than the process: nothing
     * outside of it has changed, and what it holds is free again. Then the row is not NULL, since not the row decides
     * that.
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
