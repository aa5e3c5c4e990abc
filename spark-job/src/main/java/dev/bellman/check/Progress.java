package dev.bellman.check;

import java.util.List;

/** How far a subject has come, and how large its next batch is. */
final class Progress {
    /** The maximum factor by which the next batch may be larger. */
    private static final int GROWTH = 16;

    /** Likewise after a batch that took too long, which may be overhead. */
    private static final int SLOW_GROWTH = 2;

    private static final long MAX_BATCH = 40_000_000;

    private final Subject subject;
    private final double share;
    private final double target;
    private final List<Tally> tallies;
    private long next;
    private long batch;
    private double seconds;
    /** The minimum time of a batch. */
    private double overhead = Double.MAX_VALUE;

    /** The instances and the seconds of the last batch. */
    private long last;

    private double ofLast;
    private boolean running;
    private boolean ended;

    /**
     * Creates the initial progress.
     *
     * @param share the share of the time of its group, relative to the others there
     * @param target seconds of a batch
     */
    Progress(Subject subject, double share, double target) {
        this.subject = subject;
        this.share = share;
        this.target = target;
        tallies = Tally.some(subject.strategies().size());
        batch = (long) Math.max(1, Math.min(subject.first(), target / subject.seconds()));
    }

    Subject subject() {
        return subject;
    }

    /** A tally for each strategy of the subject. */
    List<Tally> tallies() {
        return tallies;
    }

    double seconds() {
        return seconds;
    }

    /** The first instance of the next batch. */
    long next() {
        return next;
    }

    /** The instances of the next batch. */
    long batch() {
        return batch;
    }

    boolean hasRun() {
        return next > 0;
    }

    /** Whether the last batch took much less time than one should. */
    boolean wasShort() {
        return ofLast < target / 2;
    }

    boolean isFree() {
        return !running && !ended;
    }

    boolean isRunning() {
        return running;
    }

    /** The expected time of the next batch, from earlier batches if there are any. */
    double expected() {
        if (last == 0) {
            return batch * subject.seconds();
        }
        return ofLast > overhead ? overhead + batch * (ofLast - overhead) / last : batch * seconds / next;
    }

    /** The time after the next batch, or after the running one. */
    double due() {
        return seconds + expected();
    }

    /** That time relative to the share. */
    double relative() {
        return due() / share;
    }

    /** Begins a batch of at most this many instances. */
    void begin(long most) {
        running = true;
        batch = Math.max(1, Math.min(batch, most));
    }

    /**
     * Ends it.
     *
     * @param isLast whether there is nothing more to compare
     */
    void end(List<Tally> found, double took, boolean isLast) {
        running = false;
        ended = isLast;
        Tally.add(tallies, found);
        next += batch;
        overhead = Math.min(overhead, took);
        double least = overhead;
        if (took > target && batch > last) {
            // with many kernels per batch, the overhead is seen only in the difference of two batches
            double ofOne = Math.max(0, took - ofLast) / (batch - last);
            least = Math.max(least, took - ofOne * batch);
        }
        seconds += took;
        last = batch;
        ofLast = took;
        double wanted = batch * target / Math.max(took - least, Double.MIN_NORMAL);
        int growth = took < target ? GROWTH : SLOW_GROWTH;
        batch = (long) Math.max(1, Math.min(MAX_BATCH, Math.min(growth * batch, wanted)));
    }
}
