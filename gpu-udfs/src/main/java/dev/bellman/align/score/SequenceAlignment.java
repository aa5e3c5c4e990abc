package dev.bellman.align.score;

import dev.bellman.align.Backtrace;
import dev.bellman.align.Cigar;
import dev.bellman.align.Move;
import dev.bellman.align.Text;
import dev.bellman.align.scoring.Scoring;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** Computes the best alignment of two sequences, given a scoring of letters and gaps. */
public final class SequenceAlignment {
    /** A minimum score that every alignment reaches. */
    public static final long ANY = Long.MIN_VALUE;

    public enum Strategy {
        /**
         * Chooses the fastest strategy. Uses wavefronts as long as they are expected to take less work than a table.
         * Otherwise, uses vector instructions if this process supports them: striped for scores, and along
         * anti-diagonals for alignments, for gap costs with two pieces and for extensions. On a GPU, uses wavefronts,
         * or computes tables along their anti-diagonals.
         */
        AUTO,
        /** Computes Gotoh's table row by row. */
        SERIAL,
        /**
         * Computes Gotoh's table along its anti-diagonals, after Wozniak (1997), with vector instructions if this
         * process supports them. Pairs whose values exceed 32 bits, and alignments of very long pairs, are solved as
         * {@code serial} does. On a GPU, each lane of a warp computes several rows, and stays one column behind the
         * lane above it.
         */
        ANTI_DIAGONAL,
        /**
         * Computes scores with vector instructions, after Farrar (2007). Works like {@code serial} if this process does
         * not support them, and for alignments, gap costs with two pieces, and extensions.
         */
        STRIPED,
        /**
         * Computes global alignments with wavefronts, after Marco-Sola et al. (2021). All equal letters must have the
         * same score, all different letters must have a lower score, gap costs must have one piece, and all {@link
         * Penalties} must be positive. For other modes and scorings, and for pairs that need too much memory, works
         * like {@code serial}. On a GPU, a table is used for scorings with a matrix, and for pairs for which wavefronts
         * would be much more work.
         */
        WAVEFRONT
    }

    /**
     * The measured time per cell of the row-by-row algorithm with a traceback, relative to its time without a
     * traceback.
     */
    private static final int CELLS_OF_A_PATH = 3;

    /** The measured speedup per cell from vector instructions, both for scores and with tracebacks. */
    private static final int CELLS_BY_VECTORS = 4;

    /**
     * A function call for one pair.
     *
     * @param least the smallest score to return; {@link #ANY} for no limit
     * @param chosen receives the strategy that solves the pair; for a score, not called if it is clear in advance that
     *     no alignment reaches {@code least}
     */
    record Call(
            String function,
            Text a,
            Text b,
            AlignmentMode mode,
            Scoring scoring,
            ExtensionLimits limits,
            long least,
            Strategy strategy,
            Consumer<Strategy> chosen) {
        private static Call of(
                String function, Text a, Text b, AlignmentMode mode, Scoring scoring, long least, Strategy strategy) {
            return new Call(function, a, b, mode, scoring, ExtensionLimits.UNLIMITED, least, strategy, chosen -> {});
        }
    }

    private SequenceAlignment() {}

    /**
     * Returns the best score; empty if it is less than {@code least}.
     *
     * @param least the smallest score to return; {@link #ANY} for no limit
     * @throws dev.bellman.BellmanException {@link dev.bellman.ErrorCode#BELLMAN_INPUT_VALUE} for a letter that has no
     *     score
     */
    public static OptionalLong score(
            String function, Text a, Text b, AlignmentMode mode, Scoring scoring, long least, Strategy strategy) {
        return score(Call.of(function, a, b, mode, scoring, least, strategy));
    }

    static OptionalLong score(Call call) {
        AlignmentMode mode = call.mode();
        Scoring scoring = call.scoring();
        ExtensionLimits limits = call.limits();
        long least = call.least();
        Strategy strategy = call.strategy();
        int[] aSymbols = scoring.symbols(call.function(), "a", call.a());
        int[] bSymbols = scoring.symbols(call.function(), "b", call.b());
        if ((long) Math.max(0, scoring.largest()) * Math.min(aSymbols.length, bSymbols.length) < least) {
            return OptionalLong.empty();
        }
        Optional<Wavefronts> wavefronts = wavefronts(aSymbols, bSymbols, mode, scoring, least, strategy, false);
        if (wavefronts.isPresent()) {
            call.chosen().accept(Strategy.WAVEFRONT);
            long score = wavefronts.get().score();
            return score < least ? OptionalLong.empty() : OptionalLong.of(score);
        }
        int m = aSymbols.length;
        int n = bSymbols.length;
        Optional<DiagonalTable> diagonal = strategy == Strategy.ANTI_DIAGONAL
                        || strategy == Strategy.AUTO && (scoring.hasTwoPieces() || mode == AlignmentMode.EXTENSION)
                ? DiagonalTable.of(m, n, scoring, limits.band(), false)
                : Optional.empty();
        long striped = diagonal.isEmpty()
                        && (strategy == Strategy.AUTO || strategy == Strategy.STRIPED)
                        && StripedTable.any(m, n, mode, scoring)
                        && StripedTable.take(aSymbols, bSymbols, scoring)
                ? StripedTable.narrowest(aSymbols, bSymbols, mode, scoring)
                : StripedTable.BEYOND;
        long score;
        call.chosen()
                .accept(
                        diagonal.isPresent()
                                ? Strategy.ANTI_DIAGONAL
                                : striped != StripedTable.BEYOND ? Strategy.STRIPED : Strategy.SERIAL);
        if (diagonal.isPresent()) {
            score = diagonal.get()
                    .solve(aSymbols, bSymbols, mode, scoring, limits, 0)
                    .score();
        } else if (striped != StripedTable.BEYOND) {
            score = striped;
        } else {
            score = new GotohTable(aSymbols, bSymbols, mode, scoring, limits).score(least);
        }
        return score < least ? OptionalLong.empty() : OptionalLong.of(score);
    }

    /**
     * Returns the canonical alignment with the best score, as defined in {@link GotohTable}; empty if the score is less
     * than {@code least}.
     *
     * @param least the smallest score to return; {@link #ANY} for no limit
     * @throws dev.bellman.BellmanException {@link dev.bellman.ErrorCode#BELLMAN_INPUT_VALUE} for a letter that has no
     *     score; {@link dev.bellman.ErrorCode#BELLMAN_LIMIT} if the task has too little memory
     */
    public static Optional<Alignment> align(
            String function, Text a, Text b, AlignmentMode mode, Scoring scoring, long least, Strategy strategy) {
        return align(Call.of(function, a, b, mode, scoring, least, strategy));
    }

    static Optional<Alignment> align(Call call) {
        AlignmentMode mode = call.mode();
        Scoring scoring = call.scoring();
        ExtensionLimits limits = call.limits();
        long least = call.least();
        Strategy strategy = call.strategy();
        int[] aSymbols = scoring.symbols(call.function(), "a", call.a());
        int[] bSymbols = scoring.symbols(call.function(), "b", call.b());
        Counts counts = new Counts();
        int m = aSymbols.length;
        int n = bSymbols.length;
        Optional<DiagonalTable> diagonal = strategy == Strategy.ANTI_DIAGONAL || strategy == Strategy.AUTO
                ? DiagonalTable.of(m, n, scoring, limits.band(), true)
                : Optional.empty();
        Optional<Wavefronts> wavefronts = wavefronts(aSymbols, bSymbols, mode, scoring, least, strategy, true);
        if (wavefronts.isPresent()) {
            call.chosen().accept(Strategy.WAVEFRONT);
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
        call.chosen().accept(diagonal.isPresent() ? Strategy.ANTI_DIAGONAL : Strategy.SERIAL);
        if (diagonal.isPresent()) {
            DiagonalTable.Solved solved =
                    diagonal.get().solve(aSymbols, bSymbols, mode, scoring, limits, DiagonalTable.MAX_WORDS);
            if (solved.score() < least) {
                return Optional.empty();
            }
            Walk walk =
                    new Walk(aSymbols, bSymbols, mode, scoring.hasTwoPieces(), counts, solved.endA(), solved.endB());
            walk.go(0, solved.ways());
            return Optional.of(counts.alignment(solved.score(), walk, solved.endA(), solved.endB()));
        }
        GotohTable table = new GotohTable(aSymbols, bSymbols, mode, scoring, limits);
        long score = table.scoreToWalk(least);
        if (score < least) {
            return Optional.empty();
        }
        Walk walk = table.walk(counts, GotohTable.MAX_KEPT);
        return Optional.of(counts.alignment(score, walk, table.endA(), table.endB()));
    }

    /**
     * Returns the solved wavefronts of a pair; empty if the strategy, mode or scoring does not permit wavefronts, if
     * they need too much memory, or, with {@code auto}, if a table is probably less work.
     */
    private static Optional<Wavefronts> wavefronts(
            int[] a, int[] b, AlignmentMode mode, Scoring scoring, long least, Strategy strategy, boolean keeps) {
        if (strategy != Strategy.AUTO && strategy != Strategy.WAVEFRONT) {
            return Optional.empty();
        }
        long cells = (long) a.length * b.length;
        boolean byVectors = keeps
                ? DiagonalTable.of(a.length, b.length, scoring, ExtensionLimits.UNLIMITED.band(), true)
                        .isPresent()
                : StripedTable.any(a.length, b.length, mode, scoring);
        long tableCells = byVectors ? cells / CELLS_BY_VECTORS : keeps ? CELLS_OF_A_PATH * cells : cells;
        return Penalties.of(mode, scoring)
                .map(penalties -> new Wavefronts(a, b, penalties))
                .filter(wavefronts -> wavefronts.solve(
                        least,
                        strategy == Strategy.WAVEFRONT ? Long.MAX_VALUE : tableCells,
                        keeps,
                        Wavefronts.MAX_KEPT));
    }

    private static final class Counts implements Backtrace.Steps {
        private final Cigar cigar = new Cigar();
        private int identities;
        private int gaps;

        Alignment alignment(long score, Walk walk, int endA, int endB) {
            return new Alignment(score, walk.beginA(), endA, walk.beginB(), endB, cigar.toString(), identities, gaps);
        }

        @Override
        public void step(Move move, boolean equal, int i, int j) {
            cigar.step(move, equal, i, j);
            identities += equal ? 1 : 0;
            gaps += move == Move.DIAGONAL ? 0 : 1;
        }
    }
}
