package dev.bellman.join;

/** Finds, in batches, the pairs of a left string and a different right string that satisfy the measure of a join. */
public abstract class PairSearch implements AutoCloseable {
    final PairBuffer found = new PairBuffer();
    final SearchCounts counts = new SearchCounts();

    PairSearch() {}

    /** Finds the next batch; returns false at the end. A batch may be empty. */
    public abstract boolean advance();

    /** Returns the number of pairs in the batch. */
    public int count() {
        return found.count();
    }

    /** Returns the lower-numbered string of a pair. */
    public int first(int pair) {
        return found.first(pair);
    }

    public int second(int pair) {
        return found.second(pair);
    }

    /** Frees the search's GPU memory; the last batch remains valid. */
    @Override
    public void close() {}

    /** Returns the search's counts so far. */
    public SearchCounts counts() {
        return counts;
    }
}
