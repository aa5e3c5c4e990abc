package dev.bellman.series;

import dev.bellman.columns.KernelOf;
import java.util.List;

/** Lists the kernels for the functions in {@link SeriesFunctions}. */
public final class SeriesKernels {
    private SeriesKernels() {}

    public static List<KernelOf> list() {
        return List.of(
                of("dtw", SeriesKernel.Kind.DTW),
                of("dtw_path", SeriesKernel.Kind.PATH),
                of("dtw_search", SeriesKernel.Kind.SEARCH),
                of("lcss", SeriesKernel.Kind.LCSS),
                of("edr", SeriesKernel.Kind.EDR),
                of("erp", SeriesKernel.Kind.ERP),
                of("frechet_distance", SeriesKernel.Kind.FRECHET),
                of("soft_dtw", SeriesKernel.Kind.SOFT),
                new KernelOf("z_normalized", ZNormalizedKernel::new));
    }

    private static KernelOf of(String function, SeriesKernel.Kind kind) {
        return new KernelOf(function, call -> new SeriesKernel(call, kind));
    }
}
