package dev.bellman.chain;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.HostColumnVector.ListType;
import ai.rapids.cudf.HostColumnVector.StructType;
import dev.bellman.BellmanException;
import dev.bellman.ErrorCode;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;

/** Parenthesizations with given weights on the GPU: by a {@link BlockTable}, or by a {@link TiledTable} where they are few and large. */
final class ParenthesizationKernel implements ColumnarKernel {
    /** Of BIGINT, by the widths of {@code costs_classify}. */
    private static final TableKind[] KINDS = {
        TableKind.RANGES_INT32, TableKind.RANGES_FLOAT64, TableKind.RANGES_SATURATING
    };
    /** The nodes of a tree are pairs of 16-bit numbers. */
    private static final int MOST_VERTICES = 1 << 16;

    private final ParenthesizationUdf udf;

    ParenthesizationKernel(ParenthesizationUdf udf) {
        this.udf = udf;
    }

    @Override
    public DataType type() {
        return new StructType(
                true,
                new BasicType(true, udf.doubles ? DType.FLOAT64 : DType.INT64),
                new ListType(true, new BasicType(true, DType.INT32)));
    }

    @Override
    public Result evaluate(Batch batch) {
        CostBatch instances = new CostBatch(batch, udf, true);
        CostBatch.Trees trees = instances.solveTrees(this::solve);
        return Result.struct(
                udf.doubles ? Result.doubles(instances.costs()) : Result.longs(instances.costs()),
                Result.lists(trees.offsets(), Result.ints(trees.parts())));
    }

    private void solve(CostBatch instances, CostBatch.Group group, long splitOffsets, long splits) {
        int vertices = group.leaves() + 1;
        if (vertices > MOST_VERTICES) {
            throw new BellmanException(
                    ErrorCode.BELLMAN_LIMIT,
                    "%s: an instance of %d leaves is too large for the GPU, where it is limited to %d; use the CPU"
                            .formatted(udf.function, group.leaves(), MOST_VERTICES - 1));
        }
        TableKind kind = udf.doubles ? TableKind.RANGES_DOUBLE : KINDS[group.width()];
        TiledTable.Instances given = new TiledTable.Instances(
                udf.function,
                instances.order().getAddress(),
                group.from(),
                group.count(),
                instances.first().offsets(),
                vertices,
                instances.first().values(),
                instances.second().offsets(),
                instances.second().values());
        TiledTable.Answers answers = new TiledTable.Answers(instances.costs().getAddress(), splitOffsets, splits, 0, 0);
        if (udf.strategy == Parenthesization.Strategy.TILED || TiledTable.pays(group.count(), vertices, kind.bytes())) {
            TiledTable.solve(kind, given, answers);
        } else {
            BlockTable.solve(kind, given, answers);
        }
    }
}
