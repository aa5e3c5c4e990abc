package dev.bellman.job;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.IntStream;

/**
 * How much the tests tagged {@code thorough} do, and with which seeds. A run does a part, {@code -Dthorough.part=1} all
 * of it. Another day has other seeds, so that daily runs do all in a while; {@code -Dthorough.day=20780} repeats a day.
 */
public final class Thorough {
    private static final double PART = Double.parseDouble(System.getProperty("thorough.part", "0.05"));
    private static final int DAY = Integer.getInteger(
            "thorough.day", (int) LocalDate.now(ZoneOffset.UTC).toEpochDay());

    private Thorough() {}

    /** The seeds of a run, of a test that has so many in all. */
    public static IntStream seeds(int all) {
        int count = (int) Math.max(1, Math.round(PART * all));
        int first = Math.floorMod((long) DAY * count, 1 << 30);
        return IntStream.range(first, first + count);
    }
}
