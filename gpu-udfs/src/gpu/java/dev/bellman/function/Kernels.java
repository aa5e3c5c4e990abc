package dev.bellman.function;

import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.align.consensus.ConsensusKernels;
import dev.bellman.align.distance.DistanceKernels;
import dev.bellman.align.gap.GapKernels;
import dev.bellman.align.linkage.LinkageKernels;
import dev.bellman.align.names.NamesKernels;
import dev.bellman.align.score.ScoreKernels;
import dev.bellman.align.search.SearchKernels;
import dev.bellman.align.subsequence.SubsequenceKernels;
import dev.bellman.best.BestKernels;
import dev.bellman.chain.matrix.MatrixChainKernels;
import dev.bellman.chain.tree.TreeKernels;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.KernelFunction;
import dev.bellman.columns.KernelOf;
import dev.bellman.columns.SolverCall;
import dev.bellman.fold.FoldKernels;
import dev.bellman.fold.rna.RnaKernels;
import dev.bellman.grammar.GrammarKernels;
import dev.bellman.graph.GraphKernels;
import dev.bellman.knapsack.KnapsackKernels;
import dev.bellman.linear.LinearKernels;
import dev.bellman.markov.MarkovKernels;
import dev.bellman.markov.profile.ProfileKernels;
import dev.bellman.order.JoinKernels;
import dev.bellman.recurrence.RecurrenceKernels;
import dev.bellman.schedule.ScheduleKernels;
import dev.bellman.segment.SegmentKernels;
import dev.bellman.series.SeriesKernels;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Collects the kernels in the lists of all function families, by function name. */
public final class Kernels {
    private static final Map<String, KernelOf> KERNELS = Stream.of(
                    DistanceKernels.list(),
                    SubsequenceKernels.list(),
                    ConsensusKernels.list(),
                    GapKernels.list(),
                    LinkageKernels.list(),
                    NamesKernels.list(),
                    ScoreKernels.list(),
                    SearchKernels.list(),
                    MatrixChainKernels.list(),
                    TreeKernels.list(),
                    LinearKernels.list(),
                    FoldKernels.list(),
                    RnaKernels.list(),
                    RecurrenceKernels.list(),
                    GraphKernels.list(),
                    SeriesKernels.list(),
                    SegmentKernels.list(),
                    KnapsackKernels.list(),
                    JoinKernels.list(),
                    ScheduleKernels.list(),
                    MarkovKernels.list(),
                    ProfileKernels.list(),
                    GrammarKernels.list(),
                    BestKernels.list())
            .flatMap(List::stream)
            .collect(Collectors.toUnmodifiableMap(KernelOf::name, Function.identity()));

    private Kernels() {}

    static Set<String> names() {
        return KERNELS.keySet();
    }

    /** Returns a call in a form that RAPIDS can run on a GPU. */
    public static KernelFunction of(SolverCall call) {
        return new GpuCall(call);
    }

    /** Returns the GPU implementation of a call. */
    static ColumnarKernel kernel(SolverCall call) {
        KernelOf kernel = KERNELS.get(call.function());
        if (kernel == null || !call.hasKernel()) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_INTERNAL,
                    ("this build has no GPU kernel for %s. Set spark.rapids.sql.enabled to false to run the "
                                    + "function on the CPU")
                            .formatted(call));
        }
        return kernel.kernel().apply(call);
    }
}
