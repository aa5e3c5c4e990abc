package dev.bellman.recurrence;

import dev.bellman.entry.InstanceGenerator;
import dev.bellman.entry.Proof;
import dev.bellman.entry.Proofs;
import java.util.List;

/** The textbook and the instances of each function of {@link RecurrenceFunctions}, of BIGINT and of DOUBLE. */
public final class RecurrenceProofs implements Proofs {
    private static final int SMALL = 40;
    /** With tens of thousands of offsets, for which the whole GPU folds, searches or divides series. */
    private static final int LARGE = 120_000;

    private static final InstanceGenerator LONGS = generator(RecurrenceInstances::longs);
    private static final InstanceGenerator DOUBLES = generator(RecurrenceInstances::doubles);

    @Override
    public List<Proof> list() {
        return List.of(
                new Proof("s_dp", 0, LONGS, RecurrenceTextbook::ofLongs),
                new Proof("s_dp", 1, DOUBLES, RecurrenceTextbook::ofDoubles),
                new Proof("s_dp_last", 0, LONGS, RecurrenceTextbook::lastOfLongs),
                new Proof("s_dp_last", 1, DOUBLES, RecurrenceTextbook::lastOfDoubles),
                new Proof(
                        "s_dp_weighted",
                        0,
                        generator(RecurrenceInstances::weightedLongs),
                        RecurrenceTextbook::weightedOfLongs),
                new Proof(
                        "s_dp_weighted",
                        1,
                        generator(RecurrenceInstances::weightedDoubles),
                        RecurrenceTextbook::weightedOfDoubles));
    }

    private static InstanceGenerator generator(InstanceGenerator.Draw draw) {
        return new InstanceGenerator(draw, SMALL, LARGE, 2);
    }
}
