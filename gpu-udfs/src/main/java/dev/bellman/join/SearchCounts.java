package dev.bellman.join;

/** Counts the work of a search. */
public final class SearchCounts {
    long keys;
    long candidates;
    long verified;

    /** Returns the number of keys that were generated and sorted. */
    public long keys() {
        return keys;
    }

    /** Returns the number of pairs with equal keys, counted once per equal key. */
    public long candidates() {
        return candidates;
    }

    /** Returns the number of pairs whose distance was computed. */
    public long verified() {
        return verified;
    }
}
