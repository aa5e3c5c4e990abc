package dev.bellman;

import java.util.Optional;

/**
 * The one exception that Bellman throws on purpose. Its message says what was found, what was expected and what to do,
 * after the stable code in brackets: {@code [BELLMAN_INPUT_VALUE] matrix_chain_cost: ...}.
 */
public final class BellmanException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A message may show a value of any length; those who read it need its begin and its end. */
    private static final int MAX_MESSAGE = 4_000;

    private final ErrorCode code;

    public BellmanException(ErrorCode code, String message) {
        this(code, message, null);
    }

    public BellmanException(ErrorCode code, String message, Throwable cause) {
        super("[" + code + "] " + shortened(message), cause);
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

    /** The exception for a value of a row that a function does not allow. */
    public static BellmanException inRow(String function, String problem) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                "%s: %s. Correct the row, or use try_%s, which returns NULL".formatted(function, problem, function));
    }

    public ErrorCode code() {
        return code;
    }

    /** The Bellman exception that is {@code failure} or its cause: Spark wraps what a task throws. */
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
