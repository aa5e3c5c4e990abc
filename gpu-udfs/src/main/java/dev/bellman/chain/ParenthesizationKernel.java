package dev.bellman.chain;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.HostColumnVector.ListType;
import ai.rapids.cudf.HostColumnVector.StructType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.Scratch;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;

/**
 * Parenthesizations with given weights on the GPU: a block for each, see {@code chain/parenthesization.cu}, or by {@link TiledTable} where
 * they are few and large.
 */
final class ParenthesizationKernel implements ColumnarKernel {
    /** The kernels of BIGINT by the widths of {@code costs_classify}, and the bytes of their values. */
    private static final String[] KERNELS = {"int32", "float64", "saturating"};

    private static final int[] BYTES = {4, 8, 8};
    private static final int TILE = 4;
    /** The nodes of a tree that tiles leave are pairs of 16-bit numbers. */
    private static final int MOST_TILED_VERTICES = 1 << 16;

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
        if (vertices <= MOST_TILED_VERTICES
                && (udf.strategy == Parenthesization.Strategy.TILED
                        || TiledTable.pays(group.count(), vertices, Long.BYTES))) {
            TiledTable.solve(
                    udf.doubles ? TiledTable.Kind.RANGES_FLOAT64 : TiledTable.Kind.RANGES_INT64,
                    new TiledTable.Instances(
                            udf.function,
                            instances.order().getAddress(),
                            group.from(),
                            group.count(),
                            instances.first().offsets(),
                            vertices,
                            instances.first().values(),
                            instances.second().offsets(),
                            instances.second().values()),
                    new TiledTable.Answers(instances.costs().getAddress(), splitOffsets, splits, 0, 0));
        } else {
            solveAlone(instances, group, splitOffsets, splits);
        }
    }

    private void solveAlone(CostBatch instances, CostBatch.Group group, long splitOffsets, long splits) {
        Kernel kernel = CudaModule.load("chain/parenthesization")
                .kernel("parenthesization_" + (udf.doubles ? "double" : KERNELS[group.width()]));
        int capacity = (group.leaves() + TILE) / TILE * TILE;
        long bytes = ((long) capacity * capacity * BYTES[group.width()] + 12L * capacity + 255) / 256 * 256;
        int block = capacity <= 128 ? 32 : capacity <= 256 ? 64 : capacity <= 1024 ? 128 : 256;
        int slots = CostBatch.slots(group, bytes, kernel.residentBlocks(block, 0));
        instances.checkMemory(group, bytes);
        try (Scratch scratch = new Scratch()) {
            DeviceMemoryBuffer memory = scratch.allocate(bytes * slots);
            DeviceMemoryBuffer ticket = scratch.filled(Integer.BYTES, (byte) 0);
            kernel.grid(slots)
                    .block(block)
                    .launch(
                            instances.order().getAddress(),
                            group.from(),
                            group.to(),
                            ticket.getAddress(),
                            instances.first().offsets(),
                            instances.first().values(),
                            instances.second().offsets(),
                            instances.second().values(),
                            memory.getAddress(),
                            bytes,
                            capacity,
                            instances.costs().getAddress(),
                            splitOffsets,
                            splits);
        }
    }
}
