package dev.bellman.job.spec;

import java.util.Optional;

/** The name of the command that messages show, depending on how Bellman was started. */
public final class CommandName {
    /** The name of the launcher in a checkout. */
    private static final String OF_CHECKOUT = "submit/bellman";

    /**
     * The value of the environment variable {@code BELLMAN_COMMAND}, which the Python package sets to {@code bellman};
     * if it is not set, {@link #OF_CHECKOUT}.
     */
    public static final String NAME =
            Optional.ofNullable(System.getenv("BELLMAN_COMMAND")).orElse(OF_CHECKOUT);

    /** The last line in the help of commands that start Spark. */
    public static final String SPARK_OPTIONS =
            "${env:BELLMAN_COMMAND:-submit/bellman} --help lists the options of spark-submit and the exit codes.";

    private CommandName() {}

    /** Replaces the name of the checkout's launcher with {@link #NAME}. */
    public static String in(String text) {
        return text.replace(OF_CHECKOUT, NAME);
    }
}
