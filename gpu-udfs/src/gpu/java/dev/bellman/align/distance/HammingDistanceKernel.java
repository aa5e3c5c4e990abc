package dev.bellman.align.distance;

import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.DeviceColumn;
import dev.bellman.columns.Instances;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import dev.bellman.cuda.CudaModule;

/** Runs {@code hamming_distance(a, b)} on the GPU. See {@code align/distance/hamming_distance.cu}. */
record HammingDistanceKernel(SolverCall call) implements ColumnarKernel {
    private static final int BLOCK = 256;

    /** The approximate number of bytes per thread, unless a pair would need more than {@link #MAX_THREADS} threads. */
    private static final int BYTES_OF_A_THREAD = 16;

    private static final int MAX_THREADS = 4096;

    @Override
    public Result evaluate(Batch batch) {
        CudaModule module = CudaModule.load("align/distance/hamming_distance");
        DeviceColumn a = batch.strings(0);
        DeviceColumn b = batch.strings(1);
        Instances pairs = new Instances(
                batch, call, module.constant("CLASSES"), Instances.UNLIMITED, rows -> module.kernel("hamming_classify")
                        .threads((long) batch.rows() * module.constant("CLASSIFY_THREADS"), BLOCK)
                        .launch(
                                batch.rows(),
                                batch.validity(),
                                a.offsets(),
                                a.values(),
                                b.offsets(),
                                b.values(),
                                rows));
        DeviceMemoryBuffer distances = batch.scratch().zeroInts(batch.rows());
        for (Instances.Group group : pairs.groups()) {
            boolean isAscii = group.key() != module.constant("CHARACTERS");
            int threads = isAscii ? threads(group.largest()) : 1;
            module.kernel(isAscii ? "hamming_bytes" : "hamming_characters")
                    .threads((long) group.count() * threads, BLOCK)
                    .launch(
                            group.count(),
                            pairs.order().getAddress() + (long) Integer.BYTES * group.from(),
                            a.offsets(),
                            a.values(),
                            b.offsets(),
                            b.values(),
                            threads,
                            distances.getAddress());
        }
        return Result.ints(distances);
    }

    /** Returns the number of threads for a pair with the given number of bytes; always a power of two. */
    private static int threads(int length) {
        return Integer.highestOneBit(Math.max(1, Math.min(MAX_THREADS, length / BYTES_OF_A_THREAD)));
    }
}
