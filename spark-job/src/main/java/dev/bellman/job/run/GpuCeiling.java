package dev.bellman.job.run;

import dev.bellman.GpuSide;
import dev.bellman.columns.GpuOfTask;
import java.util.OptionalDouble;

/** The maximum throughput that a GPU's arithmetic units allow, assuming that all other work takes no time. */
public final class GpuCeiling {
    /** The suffix of names of functions that compute in FLOAT. */
    public static final String IN_FLOAT = " in FLOAT";

    private GpuCeiling() {}

    /**
     * Returns the minimum number of {@linkplain GpuOfTask#operationsPerSecond operations} per cell, if it is known.
     * Bit-parallel recurrences process 32 cells per word: an LCS word needs an AND, an addition and a three-input
     * operation; an edit-distance word needs nine such operations, including two shifts. Each word also needs one
     * operation for the match mask. A matrix-chain candidate needs a multiply-add and an add-compare, which run on two
     * pipes. A time-warping cell needs a difference, two comparisons and a multiply-add on DOUBLE values, and also four
     * selects. Comparisons issue at two thirds of the rate of other operations on data-centre GPUs, and a loop with
     * only these instructions takes as long as six operations on an H200. A path needs one more comparison. On FLOAT
     * values, a cell needs a difference, a minimum of three values and a multiply-add, which issue at twice the rate. A
     * {@code viterbi} transition needs an addition and a comparison on DOUBLE values, and also two selects. A
     * {@code forward} transition needs a multiplication and an addition, which must not be fused. A {@code posterior}
     * transition needs two multiplications and two additions. A {@code pair_hmm} cell with constant probabilities of
     * gaps needs an addition and six multiplications, three of them with an addition that is fused.
     */
    public static OptionalDouble operationsPerCell(String function) {
        return switch (function) {
            case "edit_distance", "edit_cigar", "edit_distance_infix" -> OptionalDouble.of(10 / 32.0);
            case "lcs_length", "lcs", "scs_length", "scs", "ratio" -> OptionalDouble.of(4 / 32.0);
            case "matrix_chain_cost", "matrix_chain_order", "matrix_chain" -> OptionalDouble.of(1.5);
            case "dtw" -> OptionalDouble.of(6);
            case "dtw" + IN_FLOAT -> OptionalDouble.of(1.5);
            case "dtw_path" -> OptionalDouble.of(7);
            case "viterbi", "forward" -> OptionalDouble.of(2);
            case "posterior" -> OptionalDouble.of(4);
            case "pair_hmm" -> OptionalDouble.of(7);
            default -> OptionalDouble.empty();
        };
    }

    /** Returns how many cells per second a function can compute at most on this thread's GPU; 0 if unknown. */
    public static double cells(String function) {
        OptionalDouble operations = operationsPerCell(function);
        return operations.isEmpty() ? 0 : GpuSide.get(GpuOfTask.class).operationsPerSecond() / operations.getAsDouble();
    }
}
