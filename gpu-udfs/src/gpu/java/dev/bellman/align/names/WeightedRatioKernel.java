package dev.bellman.align.names;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import java.util.Optional;

/**
 * Runs {@code weighted_ratio(a, b)} on the GPU, using the kernels that compare whole strings, substrings, sorted words,
 * and the words that the strings do not share.
 */
record WeightedRatioKernel(SolverCall call) implements ColumnarKernel {
    private static final int BLOCK = 256;

    @Override
    public Result evaluate(Batch batch) {
        PairGroups pairs = PairGroups.scores(batch, call);
        DeviceMemoryBuffer best = RatioKernel.ratios(batch, pairs);
        DeviceMemoryBuffer cutoffs = batch.allocateDoubles(batch.rows());
        launch(pairs, "parts", best.getAddress(), cutoffs.getAddress());
        DeviceMemoryBuffer parts = PartialRatioKernel.ratios(batch, pairs, Optional.of(cutoffs));

        Tokens others = Tokens.of(batch, Tokens.Chosen.OTHER);
        // later groups skip these rows
        pairs.leaveToCpu(others.left());
        long sets = others.sets().getAddress();
        DeviceMemoryBuffer wholes = batch.allocateDoubles(batch.rows());
        launch(pairs, "words", sets, parts.getAddress(), best.getAddress(), wholes.getAddress(), cutoffs.getAddress());

        PairGroups sortedPairs = Tokens.of(batch, Tokens.Chosen.SORTED).pairs(batch, call);
        DeviceMemoryBuffer sorted = RatioKernel.ratios(batch, sortedPairs, wholes.getAddress());
        DeviceMemoryBuffer all = PartialRatioKernel.ratios(batch, sortedPairs, Optional.of(cutoffs));
        launch(pairs, "others", sets, all.getAddress(), cutoffs.getAddress());

        PairGroups otherPairs = others.pairs(batch, call);
        DeviceMemoryBuffer ofSets = TokenSetRatioKernel.ratios(batch, otherPairs, others, wholes.getAddress());
        DeviceMemoryBuffer ofOthers = PartialRatioKernel.ratios(batch, otherPairs, Optional.of(cutoffs));
        launch(
                pairs,
                "largest",
                sets,
                sorted.getAddress(),
                ofSets.getAddress(),
                all.getAddress(),
                ofOthers.getAddress(),
                best.getAddress());
        return Result.doubles(best);
    }

    private static void launch(PairGroups pairs, String step, long... buffers) {
        Object[] arguments = new Object[buffers.length + 2];
        arguments[0] = pairs.address(0);
        arguments[1] = pairs.count();
        for (int i = 0; i < buffers.length; i++) {
            arguments[i + 2] = buffers[i];
        }
        CudaModule.load("align/names/weighted_ratio")
                .kernel("weighted_ratio_" + step)
                .threads(pairs.count(), BLOCK)
                .launch(arguments);
    }
}
