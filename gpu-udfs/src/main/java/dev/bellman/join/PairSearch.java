package dev.bellman.join;

/**
 * Finds pairs of different strings within {@code k} edits, one from the left side and one from the right, batch by
 * batch.
 */
public abstract class PairSearch implements AutoCloseable {
    final PairBuffer found = new PairBuffer();
    final SearchCounts counts = new SearchCounts();

    PairSearch() {}

    /** Finds the next batch; returns false at the end. A batch may be empty. */
    public abstract boolean advance();

    /** The number of pairs in the batch. */
    public int count() {
        return found.count();
    }

    /** The lower-numbered string of a pair. */
    public int first(int pair) {
        return found.first(pair);
    }

    public int second(int pair) {
        return found.second(pair);
    }

    /** Frees the search's GPU memory; the last batch remains valid. */
    @Override
    public void close() {}

    /** The counts so far. */
    public SearchCounts counts() {
        return counts;
    }
}
