package dev.bellman.job.spec;

import java.util.Optional;

/** The name of the command in messages: as the user typed it. */
public final class CommandName {
    /** The launcher of a checkout. */
    private static final String OF_CHECKOUT = "submit/bellman";

    /** {@code bellman} if the Python package runs it, which sets this variable. */
    public static final String NAME =
            Optional.ofNullable(System.getenv("BELLMAN_COMMAND")).orElse(OF_CHECKOUT);

    private CommandName() {}

    /** Converts a text for users of a checkout to the actual command. */
    public static String in(String text) {
        return text.replace(OF_CHECKOUT, NAME);
    }
}
