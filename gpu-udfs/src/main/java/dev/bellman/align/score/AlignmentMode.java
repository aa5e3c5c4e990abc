package dev.bellman.align.score;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.Suggestion;
import java.util.List;
import java.util.Locale;

/** Determines which letters at the ends of both sequences may remain unaligned. */
public enum AlignmentMode {
    /** Leaves no letters unaligned: both sequences are aligned in full. */
    GLOBAL(false, false),
    /** Aligns the best parts of both sequences; if no parts score above 0, aligns nothing. */
    LOCAL(true, true),
    /**
     * May leave the beginning of one sequence and the end of one sequence unaligned: one sequence overlaps or contains
     * the other. Unless a sequence is empty, the alignment includes letters of both sequences, so the score may be
     * negative.
     */
    OVERLAP(true, true),
    /** Aligns all of {@code a} with a part of {@code b}; may leave both ends of {@code b} unaligned. */
    FIT_A_IN_B(true, false),
    /** Aligns all of {@code b} with a part of {@code a}; may leave both ends of {@code a} unaligned. */
    FIT_B_IN_A(false, true),
    /**
     * Aligns the beginnings of both sequences, up to the end with the highest score, within {@link ExtensionLimits}; if
     * no beginnings score above 0, aligns nothing.
     */
    EXTENSION(false, false);

    /** Whether an alignment may begin at any letter of {@code b} together with the first letter of {@code a}. */
    final boolean firstRowFree;

    /** Whether an alignment may begin at any letter of {@code a} together with the first letter of {@code b}. */
    final boolean firstColumnFree;

    private static final List<AlignmentMode> ALL = List.of(values());

    private final String sqlName;

    AlignmentMode(boolean firstRowFree, boolean firstColumnFree) {
        this.firstRowFree = firstRowFree;
        this.firstColumnFree = firstColumnFree;
        sqlName = name().toLowerCase(Locale.ROOT);
    }

    /**
     * Whether an alignment of sequences with the given lengths may end after the first {@code i} and {@code j} letters.
     */
    boolean mayEnd(int i, int j, int aLength, int bLength) {
        return switch (this) {
            case GLOBAL -> i == aLength && j == bLength;
            case LOCAL, EXTENSION -> true;
            case OVERLAP ->
                aLength == 0 || bLength == 0 ? i == 0 && j == 0 : i == aLength && j > 0 || j == bLength && i > 0;
            case FIT_A_IN_B -> i == aLength;
            case FIT_B_IN_A -> j == bLength;
        };
    }

    String sqlName() {
        return sqlName;
    }

    /**
     * Returns the mode with the given name.
     *
     * @throws BellmanException {@link ErrorCode#BELLMAN_INPUT_VALUE} if there is no such mode
     */
    public static AlignmentMode of(String function, String name) {
        for (AlignmentMode mode : ALL) {
            if (mode.sqlName.equals(name)) {
                return mode;
            }
        }
        List<String> names = ALL.stream().map(AlignmentMode::sqlName).toList();
        throw new BellmanException(
                ErrorCode.BELLMAN_INPUT_VALUE,
                "%s: the mode is '%s'; it must be one of %s%s"
                        .formatted(function, name, String.join(", ", names), Suggestion.hint(name, names)));
    }
}
