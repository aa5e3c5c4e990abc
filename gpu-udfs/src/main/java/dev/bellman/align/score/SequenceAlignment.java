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
        /** The fastest: wavefronts while they promise less work than a table; for scores, vectors if this process has them and there is enough to do. */
        AUTO,
        /** Gotoh's table, row by row. */
        SERIAL,
        /** Scores by vectors, after Farrar (2007), if this process has them; otherwise, and for alignments, like {@code serial}. */
        STRIPED,
        /**
         * Global alignments by wavefronts, after Marco-Sola and others (2021), if equal letters score the same whatever they are, and different ones
         * too, and less; other modes and scorings, and pairs that need too much memory, like {@code serial}. On a GPU, pairs for which that is much
         * more work than a table, and scorings with a matrix, take a table.
         */
        WAVEFRONT
    }

    /** The time for a cell of a table with its traceback, in that for a cell of a score. Measured. */
    private static final int CELLS_OF_A_PATH = 3;

    /** How many cells vectors score in the time of one. Measured. */
    private static final int CELLS_BY_VECTORS = 4;

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
        Optional<Wavefronts> wavefronts = wavefronts(aSymbols, bSymbols, mode, scoring, least, strategy, false);
        if (wavefronts.isPresent()) {
            long score = wavefronts.get().score();
            return score < least ? OptionalLong.empty() : OptionalLong.of(score);
        }
        Optional<StripedTable> striped =
                switch (strategy) {
                    case SERIAL, WAVEFRONT -> Optional.empty();
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
        int[] aSymbols = scoring.symbols(function, "a", a);
        int[] bSymbols = scoring.symbols(function, "b", b);
        Counts counts = new Counts();
        Optional<Wavefronts> wavefronts = wavefronts(aSymbols, bSymbols, mode, scoring, least, strategy, true);
        if (wavefronts.isPresent()) {
            long score = wavefronts.get().score();
            if (score < least) {
                return Optional.empty();
            }
            wavefronts.get().walk(counts);
            return Optional.of(new Alignment(
                    score,
                    0,
                    aSymbols.length,
                    0,
                    bSymbols.length,
                    counts.cigar.toString(),
                    counts.identities,
                    counts.gaps));
        }
        GotohTable table = new GotohTable(aSymbols, bSymbols, mode, scoring);
        long score = table.scoreToWalk(least);
        if (score < least) {
            return Optional.empty();
        }
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

    /** The wavefronts of a pair, solved; none if the strategy, the mode or the scoring has none, or a table is less work. */
    private static Optional<Wavefronts> wavefronts(
            int[] a, int[] b, AlignmentMode mode, Scoring scoring, long least, Strategy strategy, boolean keeps) {
        if (strategy != Strategy.AUTO && strategy != Strategy.WAVEFRONT) {
            return Optional.empty();
        }
        long cells = (long) a.length * b.length;
        long tableCells = keeps ? CELLS_OF_A_PATH * cells : StripedTable.paysNow() ? cells / CELLS_BY_VECTORS : cells;
        return Penalties.of(mode, scoring)
                .map(penalties -> new Wavefronts(a, b, penalties))
                .filter(wavefronts -> wavefronts.solve(
                        least,
                        strategy == Strategy.WAVEFRONT ? Long.MAX_VALUE : tableCells,
                        keeps,
                        Wavefronts.MOST_KEPT));
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
