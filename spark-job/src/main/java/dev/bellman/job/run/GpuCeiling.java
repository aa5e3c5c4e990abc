package dev.bellman.job.run;

import dev.bellman.GpuSide;
import dev.bellman.columns.GpuOfTask;
import java.util.OptionalDouble;

/** The throughput limit of a GPU's arithmetic units, assuming that all other work takes no time. */
public final class GpuCeiling {
    /** The end of the name of a function that computes in FLOAT. */
    public static final String IN_FLOAT = " in FLOAT";

    private GpuCeiling() {}

    /**
     * Returns the minimum number of {@linkplain GpuOfTask#operationsPerSecond operations} per cell, where known.
     * Bit-parallel recurrences process 32 cells per word: an LCS word takes an AND, an addition and a three-input
     * operation, and an edit-distance word takes nine such operations, including two shifts. Both words take one more
     * operation for the match mask. A matrix-chain candidate takes a multiply-add and an add-compare on two pipes. A
     * time-warping cell takes a difference, two comparisons and a multiply-add on DOUBLE values, which data-centre GPUs
     * issue at the same rate, and the same number of selects. A path takes one more comparison. On FLOAT values, a cell
     * takes a difference, a minimum of three and a multiply-add, which issue at twice the rate. A {@code viterbi}
     * transition takes an addition and a comparison on DOUBLE values, and the same number of selects. A {@code forward}
     * transition takes a multiplication and an addition, which may not be fused. A {@code posterior} transition takes
     * two multiplications and two additions.
     */
    public static OptionalDouble operationsPerCell(String function) {
        return switch (function) {
            case "edit_distance", "edit_cigar", "edit_distance_infix" -> OptionalDouble.of(10 / 32.0);
            case "lcs_length", "lcs", "scs_length", "scs", "ratio" -> OptionalDouble.of(4 / 32.0);
            case "matrix_chain_cost", "matrix_chain_order", "matrix_chain" -> OptionalDouble.of(1.5);
            case "dtw" -> OptionalDouble.of(4);
            case "dtw" + IN_FLOAT -> OptionalDouble.of(1.5);
            case "dtw_path" -> OptionalDouble.of(5);
            case "viterbi", "forward" -> OptionalDouble.of(2);
            case "posterior" -> OptionalDouble.of(4);
            default -> OptionalDouble.empty();
        };
    }

    /** Returns a function's maximum number of cells per second on this thread's GPU; 0 if unknown. */
    public static double cells(String function) {
        OptionalDouble operations = operationsPerCell(function);
        return operations.isEmpty() ? 0 : GpuSide.get(GpuOfTask.class).operationsPerSecond() / operations.getAsDouble();
    }
}
