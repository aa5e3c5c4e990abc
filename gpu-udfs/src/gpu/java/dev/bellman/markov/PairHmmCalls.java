package dev.bellman.markov;

import dev.bellman.columns.Batch;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.SolverCall;
import java.util.List;
import org.apache.spark.unsafe.types.UTF8String;

/** The reads and haplotypes of a batch, in the layout of {@code markov/pair_hmm.cuh}. */
record PairHmmCalls(
        Strings reads,
        Strings qualities,
        Strings haplotypes,
        Strings insertions,
        Strings deletions,
        Strings continuations,
        long probabilities) {
    /** @param offsets 0 if all rows have the same string, which is one byte long */
    record Strings(long offsets, long bytes) {
        private static Strings of(Batch batch, SolverCall call, String parameter) {
            int argument = call.column(parameter);
            if (argument >= 0) {
                DeviceColumn column = batch.strings(argument);
                return new Strings(column.offsets(), column.values());
            }
            UTF8String same = (UTF8String) call.ifAbsent(parameter).orElseThrow();
            return new Strings(
                    0,
                    DeviceArrays.writeBytes(batch.scratch(), List.of(same.getBytes()))
                            .getAddress());
        }
    }

    /** Returns the arguments of a batch. */
    static PairHmmCalls of(Batch batch, SolverCall call) {
        return new PairHmmCalls(
                Strings.of(batch, call, "read"),
                Strings.of(batch, call, "qualities"),
                Strings.of(batch, call, "haplotype"),
                Strings.of(batch, call, "insertion_qualities"),
                Strings.of(batch, call, "deletion_qualities"),
                Strings.of(batch, call, "continuation"),
                DeviceArrays.writeDoubles(batch.scratch(), PairHmmRead.probabilities())
                        .getAddress());
    }
}
