package dev.bellman.chain;

import dev.bellman.columns.Instances;
import dev.bellman.columns.Slots;
import dev.bellman.cuda.CudaModule;
import dev.bellman.cuda.Kernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Computes the tables of many parenthesizations in parallel on the GPU, with one block per table. See
 * {@code chain/table.cu}.
 */
public final class BlockTable {
    /** The amount of static shared memory in the kernels, rounded up, in bytes. */
    private static final int STATIC_SHARED_MEMORY = 1024;

    private static final int PADDING = 8;

    private BlockTable() {}

    /** Computes the costs and, if requested, the trees. */
    public static void solve(TableKind kind, TiledTable.Group instances, TiledTable.Answers answers) {
        Kernel kernel = CudaModule.load("chain/table").kernel(kind.kernel("batch"));
        int capacity = (instances.vertices() + PADDING - 1) / PADDING * PADDING;
        long table = (long) capacity * capacity * kind.bytes();
        // each vertex takes the memory of its weight and three integers
        long vectors = capacity * ((kind.isChain() ? kind.bytes() : 0) + 3L * Integer.BYTES);
        boolean shared = vectors + STATIC_SHARED_MEMORY <= kernel.device().sharedMemoryPerBlock();
        int sharedMemory = shared ? (int) vectors : 0;
        long slot = ((shared ? table : table + vectors) + 255) / 256 * 256;
        int block = block(kind, capacity);
        List<Object> arguments = new ArrayList<>(List.of(instances.offsets()));
        arguments.addAll(Arrays.asList(instances.given()));
        arguments.addAll(List.of(capacity, shared ? -1L : table, answers));
        new Slots(instances.memory(), instances.rows())
                .solve(
                        new Instances.Group(
                                0, instances.from(), instances.from() + instances.count(), instances.vertices()),
                        new Slots.Shape(kernel, block, sharedMemory),
                        slot,
                        arguments.toArray());
    }

    /** Returns the number of threads per block; chains need fewer threads, because they skip most splits. */
    private static int block(TableKind kind, int vertices) {
        int warp = kind.isChain() ? 512 : 128;
        return vertices <= warp ? 32 : vertices <= 2 * warp ? 64 : 128;
    }
}
