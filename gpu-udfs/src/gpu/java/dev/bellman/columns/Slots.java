package dev.bellman.columns;

import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;
import java.util.stream.Stream;

/**
 * Launches kernels whose blocks solve the rows of a group in turn. Each block has one slot of memory, which it uses for
 * all of its rows. See {@code columns/slots.cuh}.
 *
 * @param order the address of the order of the rows
 */
public record Slots(GpuMemory memory, long order) {
    private static final int ALIGNMENT = 16;

    /**
     * The first argument of the kernels.
     *
     * @param ticket the address of a counter, initially 0, from which a block obtains its next row
     * @param memory the address of the slots
     * @param bytes the size of a slot in bytes
     */
    record Arguments(long order, int from, int to, long ticket, long memory, long bytes) {}

    /**
     * A kernel and the shape of its blocks.
     *
     * @param sharedMemory the size of a block's dynamic shared memory in bytes
     * @param rows the number of rows that a block solves at the same time
     */
    public record Shape(Kernel kernel, int block, int sharedMemory, int rows) {
        public Shape(Kernel kernel, int block, int sharedMemory) {
            this(kernel, block, sharedMemory, 1);
        }

        public Shape(Kernel kernel, int block) {
            this(kernel, block, 0);
        }

        /** Returns the number of resident blocks, or fewer if there are fewer rows. */
        public int blocks(Instances.Group group) {
            return Math.min((group.count() + rows - 1) / rows, kernel.residentBlocks(block, sharedMemory));
        }
    }

    /** Returns the launches for the groups of a batch, with the memory of this thread's session. */
    public static Slots of(Instances instances) {
        return new Slots(GpuMemory.ofSession(), instances.order().getAddress());
    }

    /**
     * Solves a group with as many resident blocks as there are rows and memory for.
     *
     * @param bytes the size of a slot in bytes
     * @param arguments the arguments of the kernel after {@link Arguments}
     */
    public void solve(Instances.Group group, Shape shape, long bytes, Object... arguments) {
        launch(group, shape, memory.together(shape.blocks(group), aligned(bytes)), bytes, arguments);
    }

    /** Solves a group with the given number of blocks. */
    public void launch(Instances.Group group, Shape shape, int blocks, long bytes, Object... arguments) {
        long aligned = aligned(bytes);
        try (Scratch scratch = new Scratch()) {
            Arguments first = new Arguments(
                    order,
                    group.from(),
                    group.to(),
                    scratch.zeroInts(1).getAddress(),
                    scratch.allocate(aligned * blocks).getAddress(),
                    aligned);
            shape.kernel()
                    .grid(blocks)
                    .block(shape.block())
                    .sharedMemory(shape.sharedMemory())
                    .launch(Stream.concat(Stream.of(first), Stream.of(arguments))
                            .toArray());
        }
    }

    /** Rounds the size of a slot up, so that every slot is aligned for the largest vector loads. */
    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
}
