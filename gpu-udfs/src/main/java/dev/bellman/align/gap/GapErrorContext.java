package dev.bellman.align.gap;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;

/**
 * Contains the caller's name, and determines which fix the messages suggest.
 *
 * @param caller the name of a function or a problem
 * @param isJob whether the caller is a job on one pair, which has no {@code try_} variant
 */
record GapErrorContext(String caller, boolean isJob) {
    static final GapErrorContext FUNCTION = new GapErrorContext("gap_alignment", false);
    static final GapErrorContext JOB = new GapErrorContext(GapFunctions.ONE_PAIR.name(), true);

    BellmanException invalid(String what) {
        return new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                "%s: %s. %s".formatted(caller, what, isJob ? "Correct the input" : "Correct the row, " + orNull()));
    }

    BellmanException overflow(String what) {
        return new BellmanException(
                ErrorCode.BELLMAN_OVERFLOW,
                "%s: %s. Use smaller numbers%s".formatted(caller, what, isJob ? "" : ", " + orNull()));
    }

    private String orNull() {
        return "or use try_%s, which returns NULL".formatted(caller);
    }
}
