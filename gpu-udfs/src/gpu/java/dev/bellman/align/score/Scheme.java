package dev.bellman.align.score;

import dev.bellman.align.scoring.GapCosts;
import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** A mode and a scoring in the kernels' layout. {@code Scheme} in {@code scheme.cuh} documents the members. */
record Scheme(
        long codes,
        long table,
        int letters,
        int mode,
        int match,
        int mismatch,
        int insertOpen,
        int insertExtend,
        int deleteOpen,
        int deleteExtend,
        int insertOpen2,
        int insertExtend2,
        int deleteOpen2,
        int deleteExtend2,
        int hasTwoPieces,
        int largest,
        int magnitude,
        int packs,
        int hasProfile,
        int nucleotidesA,
        int nucleotidesC,
        int nucleotidesT,
        int nucleotidesG) {
    private static final int ASCII = 128;
    private static final byte NO_CODE = (byte) 255;
    /** The nucleotides, in the order of the kernels' codes. */
    private static final String NUCLEOTIDES = "ACTG";

    /** @param scratch the memory in which the scheme's tables are allocated */
    static Scheme of(AlignmentMode mode, Scoring scoring, Scratch scratch) {
        boolean compares = scoring.compares();
        int[][] scores = nucleotideScores(scoring);
        int least = Arrays.stream(scores).flatMapToInt(Arrays::stream).min().orElseThrow();
        int most = Arrays.stream(scores).flatMapToInt(Arrays::stream).max().orElseThrow();
        GapCosts insert = scoring.insert();
        GapCosts delete = scoring.delete();
        int tilt = mode == AlignmentMode.GLOBAL ? insert.extend() + delete.extend() : 0;
        int largestCost = Math.max(insert.open(), delete.open());
        boolean onlyTables = scoring.hasTwoPieces() || mode == AlignmentMode.EXTENSION;
        boolean packs = !onlyTables
                && scoring.hasNucleotides()
                && least >= -Byte.MAX_VALUE
                && most + tilt <= Byte.MAX_VALUE
                && largestCost <= Byte.MAX_VALUE;
        boolean hasProfile = !onlyTables
                && !compares
                && scoring.smallest() >= -Byte.MAX_VALUE
                && scoring.largest() <= Byte.MAX_VALUE
                && largestCost <= Byte.MAX_VALUE;
        int[] rows = new int[NUCLEOTIDES.length()];
        for (int x = 0; x < rows.length; x++) {
            for (int y = 0; y < rows.length; y++) {
                rows[x] |= (scores[x][y] + tilt & 0xff) << Byte.SIZE * y;
            }
        }
        return new Scheme(
                compares ? 0 : codes(scoring, scratch),
                compares
                        ? 0
                        : DeviceArrays.writeInts(
                                        scratch,
                                        Arrays.stream(scoring.table())
                                                .flatMapToInt(Arrays::stream)
                                                .toArray())
                                .getAddress(),
                compares ? 0 : scoring.table().length,
                mode.ordinal(),
                scoring.match(),
                scoring.mismatch(),
                insert.open(),
                insert.extend(),
                delete.open(),
                delete.extend(),
                insert.open2(),
                insert.extend2(),
                delete.open2(),
                delete.extend2(),
                scoring.hasTwoPieces() ? 1 : 0,
                Math.max(0, scoring.largest()),
                (int) Math.max(1, scoring.magnitude()),
                packs ? 1 : 0,
                hasProfile ? 1 : 0,
                rows[0],
                rows[1],
                rows[2],
                rows[3]);
    }

    private static int[][] nucleotideScores(Scoring scoring) {
        int[][] scores = new int[NUCLEOTIDES.length()][NUCLEOTIDES.length()];
        for (int x = 0; x < scores.length; x++) {
            for (int y = 0; y < scores.length; y++) {
                scores[x][y] = scoring.hasNucleotides()
                        ? scoring.scoreOfCharacters(NUCLEOTIDES.charAt(x), NUCLEOTIDES.charAt(y))
                        : 0;
            }
        }
        return scores;
    }

    private static long codes(Scoring scoring, Scratch scratch) {
        byte[] codes = new byte[ASCII];
        for (int character = 0; character < ASCII; character++) {
            int column = scoring.columnOfCharacter(character);
            codes[character] = column < 0 ? NO_CODE : (byte) column;
        }
        int[] words = new int[ASCII / Integer.BYTES];
        ByteBuffer.wrap(codes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(words);
        return DeviceArrays.writeInts(scratch, words).getAddress();
    }

    /** Returns the part of kernel names that depends on the scheme. */
    String kernels() {
        return (isExtension() ? "extend" : mode == AlignmentMode.LOCAL.ordinal() ? "local" : "ends")
                + (codes == 0 ? "_compared" : "_looked_up")
                + (hasTwoPieces == 1 ? "_two_pieces" : "");
    }

    /** Returns the name of a kernel that walks along traceback directions. */
    String walk(Object suffix) {
        return "align_walk_" + (hasTwoPieces == 1 ? "two_pieces_" : "") + suffix;
    }

    /** Returns the number of pieces of gap costs. */
    int pieces() {
        return 1 + hasTwoPieces;
    }

    boolean isExtension() {
        return mode == AlignmentMode.EXTENSION.ordinal();
    }

    /**
     * Returns the number of bytes of shared memory for the scores, including a row for the padding after the end of a.
     */
    int sharedMemory() {
        return Integer.BYTES * letters * (letters + 1);
    }
}
