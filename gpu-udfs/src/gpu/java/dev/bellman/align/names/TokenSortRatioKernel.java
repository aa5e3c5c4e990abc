package dev.bellman.align.names;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.CellCounter;
import dev.bellman.align.PairFunction;
import dev.bellman.align.PairGroups;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceArrays;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.cuda.CudaModule;
import java.util.Arrays;
import java.util.List;

/**
 * {@code token_sort_ratio(a, b)} and {@code partial_token_sort_ratio(a, b)} on the GPU: a thread sorts the words of a
 * text, then as {@link RatioKernel} or {@link PartialRatioKernel}. The CPU solves texts of many words, long ones, and
 * those that are not UTF-8.
 */
record TokenSortRatioKernel(PairFunction<Ratios.Strategy> udf, boolean partial) implements ColumnarKernel {
    private static final int BLOCK = 256;

    @Override
    public DataType type() {
        return new BasicType(true, DType.FLOAT64);
    }

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("align/names/token_sort");
        int rows = batch.rows();
        Texts a = Texts.of(batch.strings(0));
        Texts b = Texts.of(batch.strings(1));
        DeviceMemoryBuffer aLengths = batch.allocate(Integer.BYTES * (rows + 1L));
        DeviceMemoryBuffer bLengths = batch.allocate(Integer.BYTES * (rows + 1L));
        DeviceMemoryBuffer left = batch.scratch().filled(Integer.BYTES * (rows + 1L), (byte) 0);
        DeviceMemoryBuffer cells = batch.scratch().filled(Long.BYTES, (byte) 0);
        module.kernel("token_lengths")
                .threads(rows, BLOCK)
                .launch(
                        rows,
                        batch.validity(),
                        a,
                        b,
                        aLengths.getAddress(),
                        bLengths.getAddress(),
                        left.getAddress(),
                        cells.getAddress());
        Offsets aOffsets = batch.offsets(aLengths);
        Offsets bOffsets = batch.offsets(bLengths);
        DeviceMemoryBuffer aJoined = batch.allocate(aOffsets.total());
        DeviceMemoryBuffer bJoined = batch.allocate(bOffsets.total());
        module.kernel("token_join")
                .threads(2L * rows, BLOCK)
                .launch(
                        rows,
                        a,
                        b,
                        aOffsets.buffer().getAddress(),
                        aJoined.getAddress(),
                        bOffsets.buffer().getAddress(),
                        bJoined.getAddress());
        // counts cells by the texts as given, also where the CPU solves them
        PairGroups pairs = PairGroups.scores(
                batch,
                udf.options().with(CellCounter.NONE),
                udf::onCpu,
                column(batch, aOffsets, aJoined),
                column(batch, bOffsets, bJoined));
        long counted = DeviceArrays.readLongs(cells, 0, 1)[0];
        batch.whenDone(() -> udf.options().cells().add(counted));
        DeviceMemoryBuffer ratios =
                partial ? PartialRatioKernel.ratios(batch, pairs) : RatioKernel.ratios(batch, pairs);
        int count = DeviceArrays.readInts(left, 0, 1)[0];
        if (count > 0) {
            pairs.leaveToCpu(Arrays.stream(DeviceArrays.readInts(left, 1, count))
                    .boxed()
                    .toList());
        }
        return Result.doubles(ratios);
    }

    private static DeviceColumn column(Batch batch, Offsets offsets, DeviceMemoryBuffer bytes) {
        return new DeviceColumn(
                DType.STRING,
                batch.rows(),
                0,
                offsets.buffer().getAddress(),
                bytes.getAddress(),
                offsets.total(),
                List.of());
    }
}
