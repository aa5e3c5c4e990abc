package dev.bellman.large.grid;

import dev.bellman.BellmanException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** The tiles that a slot has on its executor, either in the heap and on disk, or on a GPU. Not thread-safe. */
interface TileStorage extends AutoCloseable {
    /** The outcome of a task so far. */
    final class Outcome {
        /** The reason why the tiles are lost; null if they are not. */
        String lost;

        double operations;
        long nanoseconds;
        long again;
        long spills;
        final AtomicLong panels = new AtomicLong();
        final AtomicLong panelBytes = new AtomicLong();
        /** The number of bytes in files that are not panels. */
        final AtomicLong bytes = new AtomicLong();

        final LinkedHashMap<String, Double> moved = new LinkedHashMap<>();
        BellmanException failure;
        int failedAt;

        /** Counts a panel, which the task reads or writes. */
        void panel(int size) {
            panels.incrementAndGet();
            panelBytes.addAndGet(size);
        }

        TileWorker.Done done(int slot, String location) {
            return new TileWorker.Done(
                    slot,
                    location,
                    operations,
                    nanoseconds / 1e9,
                    panels.get(),
                    panelBytes.get(),
                    bytes.get() + panelBytes.get(),
                    again,
                    spills,
                    moved,
                    lost,
                    failure,
                    failedAt);
        }
    }

    /** Prepares the tiles for the steps of a task. Returns the reason why the tiles cannot be prepared, or null. */
    String prepare(TileWorker.Work work, Outcome outcome);

    /** Runs the steps of a wave; the steps of all earlier waves must have run. */
    void run(List<Step> steps, Outcome outcome);

    /** Ends a task after its steps, and writes the task's tiles to a checkpoint if there is one. */
    void finish(TileWorker.Work work, Outcome outcome);

    /** Drops the tiles that a task has left incomplete. */
    void fail(TileWorker.Work work, Throwable failure);

    /** Frees memory and disk space. */
    @Override
    void close();
}
