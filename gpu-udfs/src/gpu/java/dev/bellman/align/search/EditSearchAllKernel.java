package dev.bellman.align.search;

import dev.bellman.align.PairClass;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import java.util.List;

/**
 * Runs {@code edit_distance_infix_all} on the GPU. The CPU solves the rows that {@link EditSearchKernel} and
 * {@link PatternArrays} would leave to it, and rows with IUPAC codes if the pattern has more than 256 characters or if
 * some characters are not ASCII.
 */
record EditSearchAllKernel(SolverCall call) implements ColumnarKernel {
    private boolean hasArrays() {
        return call.column("patterns") >= 0;
    }

    @Override
    public Result evaluate(Batch batch) {
        long limits = PairGroups.limits(batch, call);
        int iupac = call.column("iupac");
        long codes = iupac < 0 ? 0 : batch.column(iupac, Types.BOOLEAN).values();
        return hasArrays() ? ofArrays(batch, limits, codes) : ofStrings(batch, limits, codes);
    }

    private Result ofStrings(Batch batch, long limits, long codes) {
        PairGroups pairs = PairGroups.searches(batch, call);
        List<PairClass> classes = pairs.shapes();
        Matches matches = new Matches(
                batch,
                new Searches(
                        batch.rows(), pairs.count(), classes, pairs.address(0), pairs.classified(), limits, codes, 0));
        matches.count();
        EditSearchKernel.leaveLong(pairs, classes);
        pairs.regroup();
        Matches.Found found = matches.list();
        return Result.lists(
                found.offsets(),
                Result.struct(Result.ints(found.distances()), Result.ints(found.begins()), Result.ints(found.ends())));
    }

    private Result ofArrays(Batch batch, long limits, long codes) {
        PatternArrays arrays = new PatternArrays(batch, call, limits, codes);
        Matches matches = new Matches(batch, arrays.searches());
        matches.count();
        arrays.settle(matches);
        Matches.Found found = matches.list();
        return Result.lists(
                arrays.offsets(found.offsets()),
                Result.struct(
                        Result.ints(found.patterns()),
                        Result.ints(found.distances()),
                        Result.ints(found.begins()),
                        Result.ints(found.ends())));
    }
}
