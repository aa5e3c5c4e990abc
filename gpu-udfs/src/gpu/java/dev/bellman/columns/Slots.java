package dev.bellman.columns;

import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/**
 * The memory of a launch whose blocks solve a group's rows one after another. Each block has one slot, which it uses
 * for all of its rows.
 *
 * @param count the number of slots, which is also the number of blocks
 * @param ticket the address of a counter, initially 0, from which a block obtains its next row
 * @param memory the address of the slots
 * @param bytes the size of a slot in bytes
 */
public record Slots(int count, long ticket, long memory, long bytes) {
    /**
     * Allocates one slot for each resident block, or fewer if there are fewer rows or not enough memory.
     *
     * @param unit the number of bytes that a slot needs per unit of a row's size
     */
    public static Slots of(
            Scratch scratch,
            GpuMemory memory,
            Kernel kernel,
            int block,
            int sharedMemory,
            Instances.Group group,
            int unit) {
        return of(
                scratch, memory, kernel, block, sharedMemory, group.count(), (long) unit * group.largest());
    }

    /** Allocates slots of {@code bytes} bytes each for {@code rows} rows, in the same way. */
    public static Slots of(
            Scratch scratch, GpuMemory memory, Kernel kernel, int block, int sharedMemory, int rows, long bytes) {
        int count = memory.together(Math.min(rows, kernel.residentBlocks(block, sharedMemory)), bytes);
        return new Slots(
                count,
                scratch.filled(Integer.BYTES, (byte) 0).getAddress(),
                scratch.allocate(bytes * count).getAddress(),
                bytes);
    }
}
