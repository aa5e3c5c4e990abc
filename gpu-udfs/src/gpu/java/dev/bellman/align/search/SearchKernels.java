package dev.bellman.align.search;

import static dev.bellman.align.PairKernels.pair;

import dev.bellman.align.PairFunction;
import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link SearchFunctions}. */
public final class SearchKernels {
    private SearchKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                pair(
                        "edit_distance_infix",
                        (PairFunction<EditSearch.Strategy> udf) -> new EditSearchKernel(udf, true, false)),
                pair(
                        "edit_distance_infix_position",
                        (PairFunction<EditSearch.Strategy> udf) -> new EditSearchKernel(udf, true, true)),
                pair(
                        "edit_distance_prefix",
                        (PairFunction<EditSearch.Strategy> udf) -> new EditSearchKernel(udf, false, false)),
                pair(
                        "edit_distance_prefix_position",
                        (PairFunction<EditSearch.Strategy> udf) -> new EditSearchKernel(udf, false, true)));
    }
}
