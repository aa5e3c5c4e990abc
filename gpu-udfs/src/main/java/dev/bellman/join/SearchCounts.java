package dev.bellman.join;

/** Counts the work of a search. */
public final class SearchCounts {
    long keys;
    long compared;
    long candidates;
    long verified;

    /** Returns the number of keys that were generated and sorted. */
    public long keys() {
        return keys;
    }

    /**
     * Returns the approximate number of pairs whose signatures were compared. In a search by keys, a pair counts once
     * for each key that its strings share.
     */
    public long compared() {
        return compared;
    }

    /** Returns the number of compared pairs whose signatures are similar enough. */
    public long candidates() {
        return candidates;
    }

    /** Returns the number of pairs for which the measure was computed. */
    public long verified() {
        return verified;
    }
}
