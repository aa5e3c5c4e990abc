package dev.bellman.job;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Determines how much work the tests do. With {@code -Pthorough}, some tests have more cases. Tests tagged {@code
 * thorough} run a part of their seeds, and new seeds each day. {@code -Dthorough.part=1} runs all seeds of a day, and
 * {@code -Dthorough.day=20780} chooses the day, counted from the start of 1970.
 */
public final class Thorough {
    private static final boolean IS_ON = Boolean.getBoolean("thorough");
    private static final double PART = Double.parseDouble(System.getProperty("thorough.part", "0.02"));
    private static final int DAY = Integer.getInteger(
            "thorough.day", (int) LocalDate.now(ZoneOffset.UTC).toEpochDay());

    private Thorough() {}

    /** Returns today's seeds for a test that has {@code all} seeds in total; at least one seed. */
    public static IntStream seeds(int all) {
        int count = (int) Math.max(1, Math.round(PART * all));
        int first = Math.floorMod((long) DAY * count, 1 << 30);
        return IntStream.range(first, first + count);
    }

    /** Returns the number of rounds of a loop: {@code few} or, in thorough tests, {@code all}. */
    public static int rounds(int few, int all) {
        return IS_ON ? all : few;
    }

    /** Returns the distance from one tested step to the next: {@code most} or, in thorough tests, 1. */
    public static int stride(int most) {
        return IS_ON ? 1 : most;
    }

    /** Returns the first few cases or, in thorough tests, all of them. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <T> List<T> cases(int few, T... all) {
        return List.of(all).subList(0, IS_ON ? all.length : few);
    }
}
