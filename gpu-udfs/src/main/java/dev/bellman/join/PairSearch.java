package dev.bellman.join;

/** Finds pairs of different strings within {@code k} edits, of which one is of the left side and one of the right, batch by batch. */
public interface PairSearch {
    /** Finds some pairs more; false if there are no more. A batch may be empty. */
    boolean advance();

    /** How many pairs the batch has. */
    int count();

    /** The string of a pair with the smaller number. */
    int first(int pair);

    int second(int pair);

    /** What it took so far. */
    SearchCounts counts();
}
