package dev.bellman.columns;

import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/**
 * The memory of a launch whose blocks take the rows of a group one after the other, each in a separate slot.
 *
 * @param count the number of slots, which is also the number of blocks
 * @param ticket the address of a counter, starting at 0, from which a block takes its next row
 * @param memory the address of the slots
 * @param bytes the size of a slot
 */
public record Slots(int count, long ticket, long memory, long bytes) {
    /**
     * Returns as many slots as there are resident blocks, if the memory suffices.
     *
     * @param unit the number of bytes of a slot per unit of a row's size
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

    /** Allocates slots of {@code bytes} bytes for {@code rows} rows, as above. */
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
