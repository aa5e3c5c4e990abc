package dev.bellman;

import java.util.Optional;

/**
 * The exception with which Bellman reports an error to users. Its message starts with the stable code in brackets,
 * followed by what was found, what was expected and how to fix it: {@code [BELLMAN_INPUT_VALUE] matrix_chain_cost:
 * ...}.
 */
public final class BellmanException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * The length above which a message, without its code, is shortened in the middle. Such messages quote long values.
     */
    private static final int MAX_MESSAGE = 4_000;

    private final ErrorCode code;

    public BellmanException(ErrorCode code, String message) {
        this(code, message, null);
    }

    /**
     * Creates an exception. If the exception rejects a row, it has no stack trace, because many rows may be rejected.
     */
    public BellmanException(ErrorCode code, String message, Throwable cause) {
        super("[" + code + "] " + shortened(message), cause, true, !code.isRowError());
        this.code = code;
    }

    private static String shortened(String message) {
        return message.length() <= MAX_MESSAGE
                ? message
                : "%s ... %s"
                        .formatted(
                                message.substring(0, MAX_MESSAGE / 2),
                                message.substring(message.length() - MAX_MESSAGE / 2));
    }

    /**
     * Returns the exception for the value of a setting that a function rejects. If the value is a constant, planning
     * fails, even in {@code try_} functions.
     */
    public static BellmanException inSetting(String function, String problem) {
        return new BellmanException(ErrorCode.BELLMAN_INPUT_VALUE, "%s: %s".formatted(function, problem));
    }

    /** Returns the exception for a row value that a function rejects. */
    public static BellmanException inRow(String function, String problem) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                "%s: %s. Correct the row, or use try_%s, which returns NULL".formatted(function, problem, function));
    }

    public ErrorCode code() {
        return code;
    }

    /**
     * Returns the first Bellman exception among {@code failure} and its causes. Spark wraps exceptions that are thrown
     * in tasks.
     */
    public static Optional<BellmanException> in(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof BellmanException found) {
                return Optional.of(found);
            }
            if (at instanceof BellmanCause cause) {
                return Optional.of(cause.exception());
            }
        }
        return Optional.empty();
    }
}
