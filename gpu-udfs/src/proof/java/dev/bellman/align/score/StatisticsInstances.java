package dev.bellman.align.score;

import dev.bellman.proof.Values;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.unsafe.types.UTF8String;

/** Generates scores whose E-values are huge, ordinary, subnormal or 0, and scorings with or without statistics. */
final class StatisticsInstances {
    private static final String[] WITHOUT = {
        "blosum62 open 11 extend 3",
        "blosum62 insert open 12 extend 1 delete open 12 extend 2",
        "match 2 mismatch -3 open 5 extend 2",
        "nuc44 open 10 extend 1",
        "blosum62"
    };

    private StatisticsInstances() {}

    /** Draws {@code (score, scoring)}. */
    static InternalRow score(SplittableRandom random, int size) {
        return Values.row(
                Values.sometimesNull(random, number(random, 8L * size)), Values.sometimesNull(random, scoring(random)));
    }

    /** Draws {@code (score, query_letters, target_letters, scoring)}. */
    static InternalRow search(SplittableRandom random, int size) {
        InternalRow score = score(random, size);
        return Values.row(
                score.isNullAt(0) ? null : score.getLong(0),
                Values.sometimesNull(random, number(random, 1_000)),
                Values.sometimesNull(random, number(random, 1_000_000_000_000L)),
                score.isNullAt(1) ? null : score.getUTF8String(1));
    }

    private static long number(SplittableRandom random, long most) {
        return switch (random.nextInt(100)) {
            case 0 -> -1;
            case 1 -> Long.MIN_VALUE;
            case 2 -> Long.MAX_VALUE;
            case 3 -> 0;
            default -> random.nextLong(most + 1);
        };
    }

    private static UTF8String scoring(SplittableRandom random) {
        if (random.nextInt(60) == 0) {
            return UTF8String.fromString(Values.oneOf(random, WITHOUT));
        }
        ScoreStatistics its = ScoreStatistics.ALL.get(random.nextInt(ScoreStatistics.ALL.size()));
        return UTF8String.fromString("%s%s open %d extend %d"
                .formatted(
                        random.nextBoolean() ? its.matrix() : its.matrix().toUpperCase(Locale.ROOT),
                        random.nextInt(8) == 0 ? " other -4" : "",
                        its.gap().open(),
                        its.gap().extend()));
    }
}
