package dev.bellman.align.score;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scores by vectors of a number type. They need the module {@code jdk.incubator.vector}, with which Spark starts its processes; without it there
 * are none.
 */
interface StripedTable {
    /** The score of two sequences that are not empty and that it {@linkplain #holds}. */
    long score(int[] a, int[] b, AlignmentMode mode, Scoring scoring);

    /** Whether all values in the table of a pair fit the type. */
    boolean holds(int aLength, int bLength, Scoring scoring);

    /** The one with the narrowest type that holds a pair's table. */
    static Optional<StripedTable> of(int aLength, int bLength, Scoring scoring) {
        return aLength == 0 || bLength == 0
                ? Optional.empty()
                : Tables.ALL.stream()
                        .filter(table -> table.holds(aLength, bLength, scoring))
                        .findFirst();
    }

    /**
     * The same, once this process has scored enough cells for vectors to pay off: until the JVM has compiled them, which takes a few seconds,
     * they are far slower than plain loops.
     */
    static Optional<StripedTable> ifItPays(int aLength, int bLength, Scoring scoring) {
        if (!paysNow()) {
            Tables.SCORED.add((long) aLength * bLength);
            return Optional.empty();
        }
        return of(aLength, bLength, scoring);
    }

    /** Whether this process has scored that many. */
    static boolean paysNow() {
        return Tables.SCORED.sum() >= Tables.WORTH_COMPILING;
    }

    /** The tables that this process has. */
    final class Tables {
        private static final Logger LOG = LoggerFactory.getLogger(StripedTable.class);

        /** Cells that take plain loops about ten seconds. */
        private static final long WORTH_COMPILING = 4_000_000_000L;

        /** Cells that were scored by plain loops. */
        private static final LongAdder SCORED = new LongAdder();

        /** For 16 and 32 bits; compiled separately, because the module is absent by default. */
        private static final List<String> NAMES = List.of("StripedShorts", "StripedInts");

        static final List<StripedTable> ALL = load();

        private Tables() {}

        private static List<StripedTable> load() {
            List<StripedTable> tables = new ArrayList<>();
            try {
                for (String name : NAMES) {
                    tables.add((StripedTable) Class.forName(StripedTable.class.getPackageName() + "." + name)
                            .getDeclaredConstructor()
                            .newInstance());
                }
            } catch (ReflectiveOperationException | LinkageError e) {
                LOG.info(
                        "Alignments are scored row by row: java runs without --add-modules jdk.incubator.vector ({})",
                        e.toString());
                return List.of();
            }
            return tables;
        }
    }
}
