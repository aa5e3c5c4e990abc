package dev.bellman.job.run;

import dev.bellman.GpuSide;
import dev.bellman.columns.GpuOfTask;
import java.util.OptionalDouble;

/** The throughput limit of a GPU's arithmetic units, assuming that nothing else takes time. */
public final class GpuCeiling {
    /** The end of the name of a function that computes in FLOAT. */
    public static final String IN_FLOAT = " in FLOAT";

    private GpuCeiling() {}

    /**
     * Returns the minimum number of {@linkplain GpuOfTask#operationsPerSecond operations} per cell, where known.
     * Bit-parallel recurrences process 32 cells per word. A word of an LCS takes an AND, an addition and a three-input
     * operation; a word of an edit distance takes nine such operations, two of them shifts; both take one more for the
     * match mask. A candidate of the matrix chain takes a multiply-add and an add-compare, on two pipes. A cell of time
     * warping takes a difference, two comparisons and a multiply-add of DOUBLE, which data-centre GPUs issue at the
     * same rate, and as many selects; for a path, one more comparison; of FLOAT, a difference, a minimum of three and
     * a multiply-add, which issue at twice the rate. A transition of {@code viterbi} takes an addition and a comparison
     * of DOUBLE, and as many selects; of {@code forward} a multiplication and an addition, which may not be fused; of
     * {@code posterior} both twice.
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
