package dev.bellman.recurrence;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** The kernels of {@link RecurrenceFunctions}. */
public final class RecurrenceKernels {
    private RecurrenceKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                new KernelOf("s_dp", call -> new SimplifiedDpKernel(call, false, false)),
                new KernelOf("s_dp_last", call -> new SimplifiedDpKernel(call, false, true)),
                new KernelOf("s_dp_weighted", call -> new SimplifiedDpKernel(call, true, false)));
    }
}
