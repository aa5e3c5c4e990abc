package dev.bellman.join;

/** Finds pairs of different strings within {@code k} edits, one from the left side and one from the right, batch by batch. */
public interface PairSearch {
    /** Finds the next batch; false if there is none. A batch may be empty. */
    boolean advance();

    /** The number of pairs in the batch. */
    int count();

    /** The lower-numbered string of a pair. */
    int first(int pair);

    int second(int pair);

    /** The counts so far. */
    SearchCounts counts();
}
