package dev.bellman.align.linkage;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Offsets;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import java.util.Arrays;

/**
 * Clusters the strings of each row on the GPU, with one warp per row. The CPU solves rows with more than 128 strings,
 * with a string of more than 64 characters, or with more than 128 different characters that are not ASCII. See {@code
 * align/linkage/text_clusters.cu}.
 */
record TextClustersKernel(SolverCall call) implements ColumnarKernel {
    record Strings(long offsets, long bytes) {
        private static Strings of(DeviceColumn column) {
            return new Strings(column.offsets(), column.values());
        }
    }

    record Calls(long offsets, Strings strings, long validity, long most, Strings linkages) {}

    record Answers(long counts, long clusters, long medoids, long diameters, long neighbours) {}

    private static final int BLOCK = 128;

    private static CudaModule module() {
        return CudaModule.load("align/linkage/text_clusters");
    }

    @Override
    public Result evaluate(Batch batch) {
        DeviceColumn lists = batch.column(0, Types.list(Types.STRING));
        Calls calls = new Calls(
                lists.offsets(),
                Strings.of(lists.elements()),
                lists.elements().validity(),
                batch.ints(1).values(),
                Strings.of(batch.strings(2)));
        DeviceMemoryBuffer counts = batch.scratch().zeroInts(batch.rows() + 1L);
        Instances instances = new Instances(
                batch, call, module().constant("CLUSTER_CLASSES"), Instances.UNLIMITED, classified -> module().kernel(
                                "text_clusters_classify")
                        .warps(batch.rows(), BLOCK)
                        .launch(batch.rows(), batch.validity(), calls, counts.getAddress(), classified));
        Result clusters;
        do {
            clusters = clusters(batch, calls, counts, instances);
            // if rows turned out to have too many different characters, the offsets of the results are wrong
        } while (instances.regroup());
        return clusters;
    }

    private static Result clusters(Batch batch, Calls calls, DeviceMemoryBuffer counts, Instances instances) {
        Offsets offsets = batch.offsets(counts);
        DeviceMemoryBuffer[] fields = new DeviceMemoryBuffer[4];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = batch.allocateInts(offsets.total());
        }
        Answers answers = new Answers(
                counts.getAddress(),
                fields[0].getAddress(),
                fields[1].getAddress(),
                fields[2].getAddress(),
                fields[3].getAddress());
        for (Instances.Group group : instances.groups()) {
            module().kernel("text_clusters")
                    .grid(group.count())
                    .block(Kernel.WARP)
                    .sharedMemory(sharedMemory(group.largest()))
                    .launch(
                            instances.order().getAddress(),
                            group.from(),
                            calls,
                            offsets.buffer().getAddress(),
                            answers,
                            instances.classified());
        }
        return Result.lists(
                offsets, Result.struct(Arrays.stream(fields).map(Result::ints).toArray(Result[]::new)));
    }

    /** Returns the number of bytes of shared memory for a row with the given number of strings. */
    private static int sharedMemory(int strings) {
        CudaModule module = module();
        int pairs = strings * (strings - 1) / 2;
        return module.constant("FIXED_BYTES")
                + module.constant("BYTES_OF_A_PAIR") * pairs
                + module.constant("BYTES_OF_A_STRING") * strings;
    }
}
