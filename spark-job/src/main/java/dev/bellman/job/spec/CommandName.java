package dev.bellman.job.spec;

import java.util.Optional;

/** The name of the command as the user typed it, for messages. */
public final class CommandName {
    /** The name of the launcher in a checkout. */
    private static final String OF_CHECKOUT = "submit/bellman";

    /**
     * {@code bellman} if the Python package runs the command, which sets this variable, or otherwise the launcher in a
     * checkout.
     */
    public static final String NAME =
            Optional.ofNullable(System.getenv("BELLMAN_COMMAND")).orElse(OF_CHECKOUT);

    private CommandName() {}

    /** Replaces the name of the checkout's launcher in a string with the actual command. */
    public static String in(String text) {
        return text.replace(OF_CHECKOUT, NAME);
    }
}
