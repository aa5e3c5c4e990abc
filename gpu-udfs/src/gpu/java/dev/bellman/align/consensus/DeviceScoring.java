package dev.bellman.align.consensus;

import dev.bellman.align.scoring.Scoring;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.Scratch;
import java.util.Arrays;
import java.util.List;

/** A scoring in the kernels' layout. {@code ConsensusScoring} in {@code graph_table.cuh} documents the members. */
record DeviceScoring(
        long codes,
        long table,
        int columns,
        int hasOther,
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
        int magnitude) {
    private static final int ASCII = 128;

    /** @param scratch the memory in which the scoring's tables are allocated */
    static DeviceScoring of(Scoring scoring, Scratch scratch) {
        boolean compares = scoring.compares();
        return new DeviceScoring(
                compares ? 0 : codes(scoring, scratch),
                compares ? 0 : table(scoring, scratch),
                compares ? 0 : scoring.table().length,
                // no letter of a matrix is a control character
                !compares && scoring.columnOfCharacter(0) >= 0 ? 1 : 0,
                scoring.match(),
                scoring.mismatch(),
                scoring.insert().open(),
                scoring.insert().extend(),
                scoring.delete().open(),
                scoring.delete().extend(),
                scoring.insert().open2(),
                scoring.insert().extend2(),
                scoring.delete().open2(),
                scoring.delete().extend2(),
                scoring.hasTwoPieces() ? 1 : 0,
                (int) scoring.magnitude());
    }

    private static long codes(Scoring scoring, Scratch scratch) {
        byte[] codes = new byte[ASCII];
        for (int character = 0; character < ASCII; character++) {
            // -1, for characters without a score, is NO_CODE
            codes[character] = (byte) scoring.columnOfCharacter(character);
        }
        return DeviceArrays.writeBytes(scratch, List.of(codes)).getAddress();
    }

    private static long table(Scoring scoring, Scratch scratch) {
        int[] table =
                Arrays.stream(scoring.table()).flatMapToInt(Arrays::stream).toArray();
        return DeviceArrays.writeInts(scratch, table).getAddress();
    }
}
