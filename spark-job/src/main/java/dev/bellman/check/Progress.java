package dev.bellman.check;

import java.util.List;

/** The progress of a subject, from which the size of its next batch follows. */
final class Progress {
    /** The maximum factor by which a batch may be larger than the previous batch. */
    private static final int GROWTH = 16;

    /** The maximum growth factor after a batch that took too long, which may be due to overhead. */
    private static final int SLOW_GROWTH = 2;

    private static final long MAX_BATCH = 40_000_000;

    private final Subject subject;
    private final double share;
    private final double target;
    private final List<Tally> tallies;
    private double secondsOfOne;
    private long most = Long.MAX_VALUE;
    private long next;
    private long batch;
    private double seconds;
    /** The shortest time of any batch so far. */
    private double overhead = Double.MAX_VALUE;

    /** The number of instances in the last batch, and the time of that batch in seconds. */
    private long last;

    private double ofLast;

    /**
     * The number of comparisons per second in the fastest batch; other batches are slower because they wait for slow
     * kernels.
     */
    private double rate;

    private boolean running;
    private boolean ended;

    /**
     * Creates the progress of a subject that has not run yet.
     *
     * @param share the subject's share of its group's time, relative to the group's other subjects
     * @param target the intended duration of a batch, in seconds
     */
    Progress(Subject subject, double share, double target) {
        this.subject = subject;
        this.share = share;
        this.target = target;
        tallies = Tally.some(subject.strategies().size());
        estimate();
    }

    /**
     * Computes the batch size from the estimated time per instance, which is more precise after the subject has been
     * prepared.
     */
    private void estimate() {
        secondsOfOne = subject.seconds();
        batch = (long) Math.max(1, Math.min(Math.min(most, subject.first()), target / secondsOfOne));
    }

    /** Sets the size of the first batch if no batch has run yet. */
    void prepared() {
        if (!hasRun()) {
            estimate();
        }
    }

    Subject subject() {
        return subject;
    }

    /** Returns one tally for each of the subject's strategies. */
    List<Tally> tallies() {
        return tallies;
    }

    double seconds() {
        return seconds;
    }

    /** Returns the number of comparisons per second in the fastest batch. */
    double rate() {
        return rate;
    }

    /** Returns the number of the first instance in the next batch. */
    long next() {
        return next;
    }

    /** Returns the number of instances in the next batch. */
    long batch() {
        return batch;
    }

    boolean hasRun() {
        return next > 0;
    }

    /** Whether the last batch took far less time than intended. */
    boolean wasShort() {
        return ofLast < target / 2;
    }

    boolean isFree() {
        return !running && !ended;
    }

    boolean isRunning() {
        return running;
    }

    /** Returns the expected duration of the next batch, based on earlier batches if there are any. */
    double expected() {
        if (last == 0) {
            return batch * secondsOfOne;
        }
        return ofLast > overhead ? overhead + batch * (ofLast - overhead) / last : batch * seconds / next;
    }

    /** Returns the subject's total time at the end of the next batch or of the batch in progress. */
    double due() {
        return seconds + expected();
    }

    /** Returns {@link #due} divided by the subject's share. */
    double relative() {
        return due() / share;
    }

    /** Begins a batch with at most this many instances. */
    void begin(long maximum) {
        running = true;
        most = maximum;
        batch = Math.max(1, Math.min(batch, most));
    }

    /**
     * Ends the batch.
     *
     * @param isLast whether no batch of the subject will follow
     */
    void end(List<Tally> found, double took, boolean isLast) {
        running = false;
        ended = isLast;
        Tally.add(tallies, found);
        next += batch;
        long compared = found.stream().mapToLong(Tally::instances).sum();
        rate = Math.max(rate, compared / Math.max(took, Double.MIN_NORMAL));
        overhead = Math.min(overhead, took);
        double least = overhead;
        if (took > target && batch > last) {
            // if a batch launches many kernels, the overhead is only visible in the difference between two batches
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
