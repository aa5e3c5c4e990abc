package dev.bellman;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Determines how much work the tests do. With {@code -Pthorough}, loops are longer, and tests tagged {@code thorough}
 * run a part of their cases, a different part each day. {@code -Dthorough.part=1} runs all cases, and {@code
 * -Dthorough.day=20780} chooses the day, counted from the start of 1970.
 */
public final class Thorough {
    private static final boolean IS_ON = Boolean.getBoolean("thorough");
    private static final double PART = Double.parseDouble(System.getProperty("thorough.part", "0.02"));
    private static final int DAY = Integer.getInteger(
            "thorough.day", (int) LocalDate.now(ZoneOffset.UTC).toEpochDay());

    private Thorough() {}

    /** Returns the number of rounds of a loop: {@code few} or, in thorough tests, {@code all}. */
    public static int rounds(int few, int all) {
        return IS_ON ? all : few;
    }

    /** Returns today's part of the cases. */
    public static <T> Stream<T> part(List<T> all) {
        int count = (int) Math.max(1, Math.round(PART * all.size()));
        long first = (long) DAY * count;
        return IntStream.range(0, count).mapToObj(i -> all.get((int) ((first + i) % all.size())));
    }
}
