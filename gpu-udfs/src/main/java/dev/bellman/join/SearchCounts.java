package dev.bellman.join;

/** What a search did. */
public final class SearchCounts {
    long keys;
    long candidates;
    long verified;

    /** The keys that were made and sorted. */
    public long keys() {
        return keys;
    }

    /** The pairs with equal keys, as often as they had them. */
    public long candidates() {
        return candidates;
    }

    /** The pairs whose distance was computed. */
    public long verified() {
        return verified;
    }
}
