package dev.bellman.recurrence;

import static dev.bellman.columns.KernelOf.entry;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link RecurrenceFunctions}. */
public final class RecurrenceKernels {
    private RecurrenceKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                entry("s_dp", SimplifiedDpUdf.class, udf -> new SimplifiedDpKernel(udf, false, false)),
                entry("s_dp_last", SimplifiedDpLastUdf.class, udf -> new SimplifiedDpKernel(udf, false, true)),
                entry("s_dp_weighted", SimplifiedDpWeightedUdf.class, udf -> new SimplifiedDpKernel(udf, true, false)));
    }
}
