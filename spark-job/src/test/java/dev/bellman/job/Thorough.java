package dev.bellman.job;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How much the tests do. With {@code -Pthorough} some have more cases, and of the seeds of those tagged
 * {@code thorough} a part is run, another on each day, so that daily runs do all in a while:
 * {@code -Dthorough.part=1} runs all, {@code -Dthorough.day=20780} the part of a day.
 */
public final class Thorough {
    private static final boolean IS_ON = Boolean.getBoolean("thorough");
    private static final double PART = Double.parseDouble(System.getProperty("thorough.part", "0.02"));
    private static final int DAY = Integer.getInteger(
            "thorough.day", (int) LocalDate.now(ZoneOffset.UTC).toEpochDay());

    private Thorough() {}

    /** The seeds of a run, of a test that has so many in all. */
    public static IntStream seeds(int all) {
        int count = (int) Math.max(1, Math.round(PART * all));
        int first = Math.floorMod((long) DAY * count, 1 << 30);
        return IntStream.range(first, first + count);
    }

    /** How many rounds a loop has, of all. */
    public static int rounds(int few, int all) {
        return IS_ON ? all : few;
    }

    /** From one step that is tried to the next. */
    public static int stride(int most) {
        return IS_ON ? 1 : most;
    }

    /** The first of some cases, or all. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <T> List<T> cases(int few, T... all) {
        return List.of(all).subList(0, IS_ON ? all.length : few);
    }
}
