package dev.bellman.recurrence;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link RecurrenceFunctions}. */
public final class RecurrenceKernels {
    private RecurrenceKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("s_dp", call -> new SimplifiedDpKernel(call, false, false)),
                new KernelOf("s_dp_last", call -> new SimplifiedDpKernel(call, false, true)),
                new KernelOf("s_dp_weighted", call -> new SimplifiedDpKernel(call, true, false)));
    }
}
