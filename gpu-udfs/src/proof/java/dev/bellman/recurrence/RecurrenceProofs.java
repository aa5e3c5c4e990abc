package dev.bellman.recurrence;

import dev.bellman.proof.InstanceGenerator;
import dev.bellman.proof.Proof;
import dev.bellman.proof.Proofs;
import java.util.List;

/**
 * Provides the textbook implementations and the test instances for the functions in {@link RecurrenceFunctions}, for
 * BIGINT and DOUBLE.
 */
public final class RecurrenceProofs implements Proofs {
    private static final int SMALL = 40;
    /**
     * A size that allows tens of thousands of offsets; series of this size are folded, searched or divided by the whole
     * GPU.
     */
    private static final int LARGE = 120_000;

    private static final InstanceGenerator LONGS = generator(RecurrenceInstances::longs);
    private static final InstanceGenerator DOUBLES = generator(RecurrenceInstances::doubles);

    @Override
    public List<Proof> list() {
        return List.of(
                new Proof("s_dp", 0, LONGS, RecurrenceTextbook::ofLongs).with(RecurrenceTextbook.LEEWAY),
                new Proof("s_dp", 1, DOUBLES, RecurrenceTextbook::ofDoubles).with(RecurrenceTextbook.LEEWAY),
                new Proof("s_dp_last", 0, LONGS, RecurrenceTextbook::lastOfLongs).with(RecurrenceTextbook.LEEWAY),
                new Proof("s_dp_last", 1, DOUBLES, RecurrenceTextbook::lastOfDoubles).with(RecurrenceTextbook.LEEWAY),
                new Proof(
                                "s_dp_weighted",
                                0,
                                generator(RecurrenceInstances::weightedLongs),
                                RecurrenceTextbook::weightedOfLongs)
                        .with(RecurrenceTextbook.LEEWAY),
                new Proof(
                                "s_dp_weighted",
                                1,
                                generator(RecurrenceInstances::weightedDoubles),
                                RecurrenceTextbook::weightedOfDoubles)
                        .with(RecurrenceTextbook.LEEWAY));
    }

    private static InstanceGenerator generator(InstanceGenerator.Draw draw) {
        return new InstanceGenerator(draw, SMALL, LARGE, 2);
    }
}
