package dev.bellman.chain.tree;

import dev.bellman.chain.BlockTable;
import dev.bellman.chain.TableKind;
import dev.bellman.chain.TiledTable;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.GpuMemory;

/**
 * Computes parenthesizations with given weights on the GPU, with a {@link BlockTable}, or with a {@link TiledTable} if
 * there are only a few large ones or the strategy requests this.
 */
final class ParenthesizationKernel implements ColumnarKernel, CostBatch.Solver {
    /** The kinds of tables for BIGINT weights, indexed by the width classes of {@code costs_classify}. */
    private static final TableKind[] KINDS = {
        TableKind.RANGES_INT32, TableKind.RANGES_FLOAT64, TableKind.RANGES_SATURATING
    };
    /** The maximum number of vertices, because each tree node is stored as a pair of 16-bit numbers. */
    private static final int MAX_VERTICES = 1 << 16;

    private final SolverCall call;
    private final boolean doubles;

    ParenthesizationKernel(SolverCall call) {
        this.call = call;
        doubles = CostBatch.hasDoubles(call, "leaf_costs");
    }

    @Override
    public Result evaluate(Batch batch) {
        CostBatch instances = new CostBatch(batch, call, doubles, true, this);
        CostBatch.Trees trees = instances.solveTrees();
        return Result.struct(instances.costColumn(), Result.lists(trees.offsets(), Result.ints(trees.parts())));
    }

    @Override
    public int maxLeaves(int width, GpuMemory memory) {
        return memory.largest(MAX_VERTICES, vertices -> TiledTable.bytes(kind(width), vertices)) - 1;
    }

    private TableKind kind(int width) {
        return doubles ? TableKind.RANGES_DOUBLE : KINDS[width];
    }

    @Override
    public void solve(CostBatch instances, int width, Instances.Group group, long splitOffsets, long splits) {
        TableKind kind = kind(width);
        int vertices = group.largest() + 1;
        TiledTable.Group given = new TiledTable.Group(
                instances.memory(),
                instances.instances().order().getAddress(),
                group.from(),
                group.count(),
                instances.first().offsets(),
                vertices,
                instances.first().elements().values(),
                instances.second().offsets(),
                instances.second().elements().values());
        TiledTable.Answers answers = new TiledTable.Answers(instances.costs().getAddress(), splitOffsets, splits, 0, 0);
        if (call.strategy() == Parenthesization.Strategy.R_WAY) {
            TiledTable.solveByRecursion(kind, given, answers);
        } else if (call.strategy() == Parenthesization.Strategy.TILED
                || TiledTable.pays(instances.memory(), group.count(), vertices, kind.bytes())) {
            TiledTable.solve(kind, given, answers);
        } else {
            BlockTable.solve(kind, given, answers);
        }
    }
}
