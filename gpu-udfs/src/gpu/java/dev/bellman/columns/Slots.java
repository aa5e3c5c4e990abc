package dev.bellman.columns;

import dev.bellman.cuda.GpuMemory;
import dev.bellman.cuda.Kernel;

/**
 * The memory of a launch whose blocks take the rows of a group one after the other, each in a slot of its own.
 *
 * @param count of slots, and so of blocks
 * @param ticket the address of a counter from 0, by which a block takes the next row
 * @param memory the address of the slots
 * @param bytes of a slot
 */
public record Slots(int count, long ticket, long memory, long bytes) {
    /**
     * As many as are resident at a time, if the memory suffices.
     *
     * @param unit the bytes of a slot for each unit of a row's size
     */
    public static Slots of(
            Scratch scratch,
            GpuMemory memory,
            Kernel kernel,
            int block,
            int sharedMemory,
            Instances.Group group,
            int unit) {
        long bytes = (long) unit * group.largest();
        int count = memory.together(Math.min(group.count(), kernel.residentBlocks(block, sharedMemory)), bytes);
        return new Slots(
                count,
                scratch.filled(Integer.BYTES, (byte) 0).getAddress(),
                scratch.allocate(bytes * count).getAddress(),
                bytes);
    }
}
