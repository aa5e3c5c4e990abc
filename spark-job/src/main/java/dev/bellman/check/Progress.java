package dev.bellman.check;

import java.util.List;

/** The progress of a subject, and the size of its next batch. */
final class Progress {
    /** The maximum growth factor from one batch to the next. */
    private static final int GROWTH = 16;

    /** The maximum growth factor after a batch that took too long, possibly because of overhead. */
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
    /** The minimum time of all batches so far. */
    private double overhead = Double.MAX_VALUE;

    /** The number of instances in the last batch, and its time in seconds. */
    private long last;

    private double ofLast;

    /** The number of comparisons per second in the fastest batch, because other batches wait for slow kernels. */
    private double rate;

    private boolean running;
    private boolean ended;

    /**
     * Creates the initial progress.
     *
     * @param share the subject's share of its group's time, relative to the group's other subjects
     * @param target the intended time of a batch in seconds
     */
    Progress(Subject subject, double share, double target) {
        this.subject = subject;
        this.share = share;
        this.target = target;
        tallies = Tally.some(subject.strategies().size());
        estimate();
    }

    /** Reads the estimated time of an instance, which is more precise once the subject is prepared. */
    private void estimate() {
        secondsOfOne = subject.seconds();
        batch = (long) Math.max(1, Math.min(Math.min(most, subject.first()), target / secondsOfOne));
    }

    /** Sets the size of the first batch, if that batch is next. */
    void prepared() {
        if (!hasRun()) {
            estimate();
        }
    }

    Subject subject() {
        return subject;
    }

    /** Returns one tally per strategy of the subject. */
    List<Tally> tallies() {
        return tallies;
    }

    double seconds() {
        return seconds;
    }

    /** Returns the number of comparisons per second, without the time in which batches wait for others. */
    double rate() {
        return rate;
    }

    /** Returns the first instance of the next batch. */
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

    /** Whether the last batch took much less time than intended. */
    boolean wasShort() {
        return ofLast < target / 2;
    }

    boolean isFree() {
        return !running && !ended;
    }

    boolean isRunning() {
        return running;
    }

    /** Returns the expected time of the next batch, based on earlier batches, if any. */
    double expected() {
        if (last == 0) {
            return batch * secondsOfOne;
        }
        return ofLast > overhead ? overhead + batch * (ofLast - overhead) / last : batch * seconds / next;
    }

    /** Returns the total time after the next batch, or after the batch in progress. */
    double due() {
        return seconds + expected();
    }

    /** Returns that total time relative to the share. */
    double relative() {
        return due() / share;
    }

    /** Begins a batch of at most this many instances. */
    void begin(long maximum) {
        running = true;
        most = maximum;
        batch = Math.max(1, Math.min(batch, most));
    }

    /**
     * Ends the batch.
     *
     * @param isLast whether the subject has no more instances to compare
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
            // if a batch launches many kernels, only the difference between two batches shows the overhead
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
