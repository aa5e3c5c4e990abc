package dev.bellman.large.levels;

import dev.bellman.large.levels.Block.DeviceSlot;
import dev.bellman.large.tiles.TileGpu;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * Manages arrays of equal size in GPU memory, in host memory and in files. An array is on one level or, with the same
 * content, on two levels.
 *
 * <p>A full level evicts the array whose next use, which is known, is farthest in the future (Belady, "A study of
 * replacement algorithms for a virtual-storage computer", 1966). If all arrays are used repeatedly in the same order,
 * this policy alone would cause bursts of transfers between memory and files, followed by long pauses. Therefore, the
 * caller determines which arrays {@linkplain #make stream}: these are evicted to files first, and others only if
 * necessary.
 *
 * <p>Copies and tasks are enqueued far ahead on GPU streams, ordered by events. Thus, arrays are copied to the GPU
 * while earlier tasks run, and from the GPU while later tasks run. The host waits only if an array has not been read
 * from its file yet or no host memory is free; in both cases, the disk is the bottleneck.
 */
final class TieredTileCache implements AutoCloseable {
    /**
     * The number of most recent tasks whose arrays are evicted from the GPU only if there are no others, because these
     * tasks and their copies may not have finished yet.
     */
    static final int MOVING = 8;

    /**
     * A task.
     *
     * @param reads the arrays that the task only reads
     * @param updates the arrays that the task reads and writes
     * @param writes the arrays that the task overwrites entirely, without reading them
     * @param urgent whether the task overtakes others
     * @param launch puts the task on the stream with the given number
     */
    record Use(List<Block> reads, List<Block> updates, List<Block> writes, boolean urgent, IntConsumer launch) {
        private Stream<Block> all() {
            return Stream.of(reads, updates, writes).flatMap(List::stream);
        }
    }

    private final TileGpu gpu;
    private final int size;
    private final HostLevel host;
    private final List<DeviceSlot> slots = new ArrayList<>();
    /** The blocks of the current task, which must stay on the GPU. */
    private final Set<Block> ofTask = new HashSet<>();

    private boolean streaming;
    /** Whether any task has been run. */
    private boolean begun;
    /**
     * Whether all slots have been occupied at the same time at least once. From then on, a slot that has just become
     * free stays unused for a while, because copies to this slot would have to wait.
     */
    private boolean crowded;

    private int stream;
    private int urgentStream;
    private Block updated;
    private long tasks;
    private long up;
    private long down;

    /**
     * Creates an empty cache.
     *
     * @param size the number of bytes in each array
     * @param slots the number of slots on the GPU, which must be at least the number of arrays that a task uses
     * @param hostBlocks the maximum number of arrays in host memory, at least one
     * @param folder the folder for files, which belongs to this cache; null if the GPU has slots for all arrays
     */
    TieredTileCache(TileGpu gpu, int size, int slots, int hostBlocks, Path folder) {
        this.gpu = gpu;
        this.size = size;
        host = new HostLevel(gpu, size, hostBlocks, folder, this::bringToEmpty);
        for (int i = 0; i < slots; i++) {
            this.slots.add(new DeviceSlot(gpu, gpu.memory() + (long) i * size));
        }
    }

    /**
     * Returns the number of arrays that stay in memory while others stream.
     *
     * @param slots the number of slots on the GPU, excluding the slots for arrays that all tasks read
     */
    static int staying(int slots, int hostBlocks) {
        return Math.max(0, slots - MOVING) + HostLevel.staying(hostBlocks);
    }

    /** Returns the level that manages host memory and files. */
    HostLevel host() {
        return host;
    }

    /**
     * Creates an array with undefined content.
     *
     * @param temporary whether the array is released after the last task of the next {@link #run} that uses it
     */
    static Block empty(boolean temporary) {
        return new Block(temporary, false);
    }

    /**
     * Creates an array in host memory, to be {@linkplain #pin pinned} and filled.
     *
     * @param streams whether the array is evicted to files before others
     */
    Block make(boolean streams) {
        Block block = new Block(false, streams);
        streaming |= streams;
        host.acquire(block);
        return block;
    }

    /** Frees the memory and the file of an array that is on the GPU. */
    void release(Block block) {
        block.slot.block = null;
        block.slot = null;
        host.drop(block);
        if (block.file != null) {
            block.file.delete();
        }
    }

    /** Runs tasks in the given order. Returns when all tasks have been enqueued. */
    void run(List<Use> uses) {
        begun = true;
        for (int i = 0; i < uses.size(); i++) {
            int number = i;
            uses.get(i).all().forEach(block -> block.uses.add(number));
        }
        int read = 0;
        for (int i = 0; i < uses.size(); i++) {
            host.release();
            if (streaming) {
                host.writeBehind();
            }
            read = readAhead(uses, Math.max(read, i));
            run(uses.get(i));
        }
    }

    /**
     * Reads ahead the arrays of later tasks, starting with task {@code first}, as long as memory is free. Returns the
     * first task that was not reached.
     */
    private int readAhead(List<Use> uses, int first) {
        for (int i = first; i < uses.size(); i++) {
            Use use = uses.get(i);
            if (!Stream.concat(use.reads.stream(), use.updates.stream()).allMatch(host::readAhead)) {
                return i;
            }
        }
        return uses.size();
    }

    private void run(Use use) {
        List<Block> written =
                Stream.concat(use.updates.stream(), use.writes.stream()).toList();
        List<Block> all = use.all().toList();
        ofTask.addAll(all);
        use.reads.forEach(block -> bring(block, true));
        use.updates.forEach(block -> bring(block, true));
        use.writes.forEach(block -> bring(block, false));
        ofTask.clear();
        int on = nextStream(use);
        use.reads.forEach(block -> gpu.await(on, block.slot.written));
        written.forEach(block -> block.slot.awaitIdle(on));
        use.launch.accept(on);
        for (Block block : written) {
            gpu.record(block.slot.written, on);
            host.drop(block);
            block.inFile = false;
        }
        tasks++;
        for (Block block : all) {
            block.slot.recordUse(on);
            block.slot.last = tasks;
            block.uses.remove();
            if (block.temporary && block.uses.isEmpty()) {
                release(block);
            }
        }
    }

    private int nextStream(Use use) {
        if (use.urgent) {
            urgentStream = (urgentStream + 1) % TileGpu.STREAMS;
            return TileGpu.URGENT + urgentStream;
        }
        // a task that must wait for the previous one anyway runs on the same stream, so that the wait does not delay
        // other tasks
        if (use.updates.get(0) != updated) {
            stream = (stream + 1) % TileGpu.STREAMS;
            updated = use.updates.get(0);
        }
        return stream;
    }

    /** Copies an array to the GPU. */
    void bring(Block block) {
        bring(block, true);
    }

    /** @param load whether the array's content is needed */
    private void bring(Block block, boolean load) {
        if (block.slot == null) {
            DeviceSlot slot = free();
            if (load) {
                if (block.buffer == null) {
                    host.startReading(block);
                }
                block.awaitFile();
                slot.awaitIdle(TileGpu.UP);
                gpu.await(TileGpu.UP, block.buffer.filled);
                gpu.upload(slot.address, block.buffer.bytes);
                gpu.record(slot.written, TileGpu.UP);
                gpu.record(block.buffer.read, TileGpu.UP);
                up += size;
                host.touch(block);
            }
            slot.block = block;
            block.slot = slot;
        }
        host.endAhead(block);
    }

    /**
     * Copies an array to an empty slot, but only while the table is being filled, so that arrays that fit on the GPU
     * are not written to files. Later, an empty slot may be reserved for a task.
     */
    private boolean bringToEmpty(Block block) {
        boolean can = !begun && slots.stream().anyMatch(slot -> slot.block == null);
        if (can) {
            bring(block, true);
        }
        return can;
    }

    /** Frees a slot for an array. */
    private DeviceSlot free() {
        DeviceSlot oldest = null;
        DeviceSlot farthest = null;
        DeviceSlot empty = null;
        for (DeviceSlot slot : slots) {
            if (slot.block == null && (empty == null || slot.last < empty.last)) {
                empty = slot;
            }
            if (slot.block == null || !ofTask.contains(slot.block)) {
                if (oldest == null || slot.last < oldest.last) {
                    oldest = slot;
                }
                if (slot.last + MOVING <= tasks && (farthest == null || isFarther(slot, farthest))) {
                    farthest = slot;
                }
            }
        }
        crowded |= empty == null;
        DeviceSlot found = empty != null && !crowded ? empty : farthest != null ? farthest : oldest;
        if (found.block != null) {
            evict(found.block);
        }
        return found;
    }

    private static boolean isFarther(DeviceSlot slot, DeviceSlot other) {
        int next = slot.next();
        int otherNext = other.next();
        return next > otherNext || next == otherNext && slot.last < other.last;
    }

    private void evict(Block block) {
        if (block.buffer == null && !block.inFile) {
            save(block);
        }
        block.slot.block = null;
        block.slot = null;
    }

    /** Copies an array from the GPU to host memory. */
    private void save(Block block) {
        host.acquire(block);
        gpu.await(TileGpu.DOWN, block.slot.written);
        gpu.await(TileGpu.DOWN, block.buffer.read);
        gpu.download(block.buffer.bytes, block.slot.address);
        gpu.record(block.buffer.filled, TileGpu.DOWN);
        gpu.record(block.slot.saved, TileGpu.DOWN);
        down += size;
    }

    /**
     * Starts copying an array to host memory. The array stays in host memory, and {@link Block#content} is available,
     * until {@link HostLevel#unpin}.
     */
    void pin(Block block) {
        host.pin(block);
        if (block.buffer == null) {
            if (block.slot == null) {
                host.startReading(block);
            } else {
                save(block);
            }
        }
    }

    /**
     * Waits until all tasks are complete and all files have been written.
     *
     * @return the result of {@link TileGpu#finish}
     */
    boolean finish() {
        boolean answer = gpu.finish();
        host.finish();
        return answer;
    }

    /** Returns the number of bytes copied to the GPU. */
    long up() {
        return up;
    }

    /** Returns the number of bytes copied from the GPU. */
    long down() {
        return down;
    }

    /** Waits for pending operations on other threads, before the memory is freed. */
    @Override
    public void close() {
        host.close();
    }
}
