package dev.bellman.linear;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import java.io.Serializable;

/** Contains the caller's name and the suggested fix, for error messages. */
public final class EliminationErrorContext implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String caller;
    private final String correction;

    private EliminationErrorContext(String caller, String correction) {
        this.caller = caller;
        this.correction = correction;
    }

    static EliminationErrorContext ofFunction(String function) {
        return new EliminationErrorContext(
                function, "Correct the row, or use try_%s, which returns NULL".formatted(function));
    }

    /** Returns the context of a job on one matrix. */
    public static EliminationErrorContext ofInput(String problem) {
        return new EliminationErrorContext(problem, "Correct the input");
    }

    /** Returns the exception for an invalid matrix. */
    public BellmanException invalid(String what) {
        return new BellmanException(ErrorCode.BELLMAN_INPUT_VALUE, "%s: %s. %s".formatted(caller, what, correction));
    }
}
