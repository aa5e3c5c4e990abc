package dev.bellman.align.distance;

import dev.bellman.align.Move;
import dev.bellman.align.SymbolPair;
import dev.bellman.align.bits.BitTable;
import dev.bellman.align.bits.EditOperationBits;
import dev.bellman.columns.Cancellation;

/**
 * Counts the errors of a recognized text: the minimum number of substitutions, deletions and insertions of words that
 * turn the reference into the hypothesis. The counts match jiwer's. The words of the common prefix and suffix are hits.
 * The words in between may have several alignments with the fewest errors; the counts are those of the alignment that
 * rapidfuzz's backtrace returns. Starting from the end, this backtrace deletes a word of the reference if that is
 * optimal. Otherwise, it inserts a word of the hypothesis if that is optimal and a substitution is not. Otherwise, it
 * aligns the two words.
 */
public final class WordErrors {
    /** Both strategies return the same counts. */
    public enum Strategy {
        /**
         * Uses the bit-parallel algorithm with a backtrace. For long texts, computes only a band of the table if there
         * are few errors.
         */
        AUTO,
        /**
         * Computes Wagner and Fischer's table (1974) cell by cell, together with the number of hits on the path to each
         * cell.
         */
        SERIAL
    }

    /** The number of errors of each kind in a pair, and the number of equal words. */
    public record Counts(int substitutions, int deletions, int insertions, int hits) {
        /**
         * Returns the number of errors per word of the reference, or the number of errors if the reference is empty.
         */
        public double rate() {
            long errors = (long) substitutions + deletions + insertions;
            return errors / (double) Math.max(1, (long) hits + substitutions + deletions);
        }

        /** @param errors the number of errors of all kinds */
        private static Counts of(int reference, int hypothesis, int errors, int hits) {
            // each word is part of a hit or of an error; a hit and a substitution involve two words each
            int substitutions = (int) ((long) reference + hypothesis - 2L * hits - errors);
            return new Counts(substitutions, reference - hits - substitutions, hypothesis - hits - substitutions, hits);
        }
    }

    private WordErrors() {}

    /** Returns the counts for two texts, given as word numbers: equal numbers represent equal words. */
    public static Counts count(int[] reference, int[] hypothesis, Strategy strategy) {
        try (SymbolPair pair = SymbolPair.core(reference, hypothesis)) {
            int n = pair.aLength();
            int m = pair.bLength();
            int common = reference.length - n;
            if (n == 0 || m == 0) {
                return Counts.of(reference.length, hypothesis.length, Math.max(n, m), common);
            }
            Counts between = strategy == Strategy.SERIAL ? serial(pair) : byBits(pair);
            return new Counts(
                    between.substitutions(), between.deletions(), between.insertions(), between.hits() + common);
        }
    }

    private static Counts byBits(SymbolPair pair) {
        BitTable table = BitTable.forBacktrace(EditOperationBits.INSTANCE, pair, EditDistance.close(pair));
        int i = pair.aLength() - 1;
        int j = pair.bLength() - 1;
        int substitutions = 0;
        int deletions = 0;
        int insertions = 0;
        int hits = 0;
        while (i >= 0 && j >= 0) {
            Move move = table.move(i, j);
            if (move == Move.A) {
                deletions++;
                i--;
            } else if (move == Move.B) {
                insertions++;
                j--;
            } else {
                if (pair.a()[i] == pair.b()[j]) {
                    hits++;
                } else {
                    substitutions++;
                }
                i--;
                j--;
            }
        }
        return new Counts(substitutions, deletions + i + 1, insertions + j + 1, hits);
    }

    /**
     * Computes a table in which each cell contains the number of errors between prefixes of both texts, and the number
     * of hits on the backtrace from this cell.
     */
    private static Counts serial(SymbolPair pair) {
        int[] a = pair.a();
        int[] b = pair.b();
        int n = pair.aLength();
        int m = pair.bLength();
        int[] errors = new int[m + 1];
        int[] hits = new int[m + 1];
        for (int j = 0; j <= m; j++) {
            errors[j] = j;
        }
        Cancellation cancellation = new Cancellation();
        for (int i = 0; i < n; i++) {
            cancellation.count(m);
            int diagonal = errors[0];
            int hitsOfDiagonal = 0;
            errors[0] = i + 1;
            for (int j = 0; j < m; j++) {
                boolean equal = a[i] == b[j];
                int above = errors[j + 1];
                int hitsAbove = hits[j + 1];
                int fewest = Math.min(diagonal + (equal ? 0 : 1), Math.min(above, errors[j]) + 1);
                if (fewest == above + 1) {
                    hits[j + 1] = hitsAbove;
                } else if (errors[j] == diagonal - 1) {
                    hits[j + 1] = hits[j];
                } else {
                    hits[j + 1] = hitsOfDiagonal + (equal ? 1 : 0);
                }
                errors[j + 1] = fewest;
                diagonal = above;
                hitsOfDiagonal = hitsAbove;
            }
        }
        return Counts.of(n, m, errors[m], hits[m]);
    }
}
