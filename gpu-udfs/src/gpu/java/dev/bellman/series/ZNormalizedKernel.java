package dev.bellman.series;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;

/** Scales series on the GPU. See {@code series/z_normalized.cu}. */
record ZNormalizedKernel(SolverCall call) implements ColumnarKernel {
    private static final int BLOCK = 128;

    private boolean hasPoints() {
        return call.type("series").equals(SeriesFunctions.POINTS);
    }

    private static CudaModule module() {
        return CudaModule.load("series/z_normalized");
    }

    @Override
    public Result evaluate(Batch batch) {
        SeriesKernel.Lists series =
                SeriesKernel.Lists.of(batch, 0, hasPoints() ? SeriesKernel.POINTS : SeriesKernel.NUMBERS);
        DeviceMemoryBuffer lengths = batch.scratch().zeroInts(batch.rows() + 1L);
        Instances instances = new Instances(
                batch, call, module().constant("SCALED_CLASSES"), Instances.UNLIMITED, classified -> module().kernel(
                                "z_normalized_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), series, lengths.getAddress(), classified));
        Result scaled;
        do {
            scaled = scaled(batch, series, lengths, instances);
            // if rows were rejected while others were scaled, the offsets of the results are wrong
        } while (instances.regroup());
        return scaled;
    }

    private Result scaled(Batch batch, SeriesKernel.Lists series, DeviceMemoryBuffer lengths, Instances instances) {
        Offsets lists = batch.offsets(lengths);
        Offsets points = hasPoints() ? points(batch, series, lists) : null;
        DeviceMemoryBuffer numbers = batch.allocateDoubles(points == null ? lists.total() : points.total());
        int count = instances.groups().stream().mapToInt(Instances.Group::count).sum();
        if (count > 0) {
            module().kernel("z_normalized")
                    .threads(count, Kernel.WARP)
                    .launch(
                            instances.order().getAddress(),
                            count,
                            series,
                            new SeriesKernel.Lists(
                                    lists.buffer().getAddress(),
                                    0,
                                    points == null ? 0 : points.buffer().getAddress(),
                                    0,
                                    0),
                            numbers.getAddress(),
                            lengths.getAddress(),
                            instances.classified());
        }
        Result values = Result.doubles(numbers);
        return Result.lists(lists, points == null ? values : Result.lists(points, values));
    }

    /** Returns the offsets of the results' points. */
    private static Offsets points(Batch batch, SeriesKernel.Lists series, Offsets lists) {
        DeviceMemoryBuffer dimensions = batch.scratch().zeroInts(lists.total() + 1L);
        module().kernel("z_normalized_points")
                .warps(batch.rows(), BLOCK)
                .launch(batch.rows(), series, lists.buffer().getAddress(), dimensions.getAddress());
        return batch.offsets(dimensions, lists.total());
    }
}
