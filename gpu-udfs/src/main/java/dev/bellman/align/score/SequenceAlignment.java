package dev.bellman.align.score;

import dev.bellman.align.Backtrace;
import dev.bellman.align.Cigar;
import dev.bellman.align.Move;
import dev.bellman.align.Text;
import java.util.Optional;
import java.util.OptionalLong;

/** The best alignment of two sequences, by the scores of aligned letters and the costs of gaps. */
public final class SequenceAlignment {
    /** No score is too low. */
    public static final long ANY = Long.MIN_VALUE;

    public enum Strategy {
        /** The fastest: for scores, vectors if this process has them and there is enough to do. */
        AUTO,
        /** Gotoh's table, row by row. */
        SERIAL,
        /** Scores by vectors, after Farrar (2007), if this process has them; otherwise, and for alignments, like {@code serial}. */
        STRIPED
    }

    private SequenceAlignment() {}

    /**
     * The best score.
     *
     * @param least empty if the score is below; {@link #ANY} for none
     * @throws dev.bellman.BellmanException {@link dev.bellman.ErrorCode#BELLMAN_INPUT_VALUE} for a letter that has no score
     */
    public static OptionalLong score(
            String function, Text a, Text b, AlignmentMode mode, Scoring scoring, long least, Strategy strategy) {
        int[] aSymbols = scoring.symbols(function, "a", a);
        int[] bSymbols = scoring.symbols(function, "b", b);
        if ((long) Math.max(0, scoring.largest()) * Math.min(aSymbols.length, bSymbols.length) < least) {
            return OptionalLong.empty();
        }
        Optional<StripedTable> striped =
                switch (strategy) {
                    case SERIAL -> Optional.empty();
                    case AUTO -> StripedTable.ifItPays(aSymbols.length, bSymbols.length, scoring);
                    case STRIPED -> StripedTable.of(aSymbols.length, bSymbols.length, scoring);
                };
        long score;
        if (striped.isPresent()) {
            score = striped.get().score(aSymbols, bSymbols, mode, scoring);
        } else {
            score = new GotohTable(aSymbols, bSymbols, mode, scoring).score(least);
        }
        return score < least ? OptionalLong.empty() : OptionalLong.of(score);
    }

    /**
     * The canonical alignment with the best score, as defined in {@link GotohTable}.
     *
     * @param least empty if the score is below; {@link #ANY} for none
     * @throws dev.bellman.BellmanException {@link dev.bellman.ErrorCode#BELLMAN_INPUT_VALUE} for a letter that has no score; {@link
     *     dev.bellman.ErrorCode#BELLMAN_LIMIT} if the task has too little memory
     */
    public static Optional<Alignment> align(
            String function, Text a, Text b, AlignmentMode mode, Scoring scoring, long least, Strategy strategy) {
        GotohTable table = table(function, a, b, mode, scoring);
        long score = table.score(least);
        if (score < least) {
            return Optional.empty();
        }
        Counts counts = new Counts();
        GotohTable.Walk walk = table.walk(counts, GotohTable.MOST_KEPT);
        return Optional.of(new Alignment(
                score,
                walk.beginA(),
                table.endA(),
                walk.beginB(),
                table.endB(),
                counts.cigar.toString(),
                counts.identities,
                counts.gaps));
    }

    private static GotohTable table(String function, Text a, Text b, AlignmentMode mode, Scoring scoring) {
        return new GotohTable(scoring.symbols(function, "a", a), scoring.symbols(function, "b", b), mode, scoring);
    }

    /** The steps of an alignment, written and counted. */
    private static final class Counts implements Backtrace.Steps {
        private final Cigar cigar = new Cigar();
        private int identities;
        private int gaps;

        @Override
        public void step(Move move, boolean equal, int i, int j) {
            cigar.step(move, equal, i, j);
            identities += equal ? 1 : 0;
            gaps += move == Move.DIAGONAL ? 0 : 1;
        }
    }
}
