package dev.bellman.join;

/** Finds, in batches, the pairs of a left string and a different right string that satisfy the measure of a join. */
public abstract class PairSearch implements AutoCloseable {
    final PairBuffer found = new PairBuffer();
    final Counts counts = new Counts();

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
    public Counts counts() {
        return counts;
    }

    /** Counts the work of a search. */
    public static final class Counts {
        long keys;
        long compared;
        long candidates;
        long verified;

        /** Returns the number of keys that were generated and sorted. */
        public long keys() {
            return keys;
        }

        /**
         * Returns the approximate number of pairs whose signatures were compared. In a search by keys, a pair counts
         * once for each key that its strings share.
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
}
