package dev.bellman.join;

/** Counters of a search. */
public final class SearchCounts {
    long keys;
    long candidates;
    long verified;

    /** The keys that were generated and sorted. */
    public long keys() {
        return keys;
    }

    /** The pairs with equal keys, once for each equal key. */
    public long candidates() {
        return candidates;
    }

    /** The pairs whose distance was computed. */
    public long verified() {
        return verified;
    }
}
