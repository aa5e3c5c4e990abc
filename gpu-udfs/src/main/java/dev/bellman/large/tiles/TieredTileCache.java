package dev.bellman.large.tiles;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Arrays of equal size in the memory of a GPU, in memory of its host, and in files. An array is on one level, or on two
 * with the same content.
 *
 * <p>When a level is full, it evicts the array whose next use is farthest in the future, which is known (L. A. Belady,
 * "A study of replacement algorithms for a virtual-storage computer", 1966). If all arrays are used again and again in
 * the same order, that alone would move many between memory and files at
 * a time, and then none for long. So the caller says which arrays {@linkplain #make stream}: those go to files, and
 * others only if that is not enough.
 *
 * <p>Copies and tasks are put on streams of the GPU, with events between them, far ahead of their time. So an array is
 * on its way up while tasks before its own run, and one on its way down while those after it do. Threads read arrays
 * from files before their use, and write them before their memory is
 * needed. Nothing waits unless an array is not read yet, or no memory of the host is free yet: then the disk is the
 * limit.
 */
final class TieredTileCache implements AutoCloseable {
    /**
     * Arrays used by this many last tasks are not evicted from the GPU if there are others: tasks and copies take time.
     */
    static final int MOVING = 8;

    /** The most arrays that are read ahead, and the most that are written behind. */
    private static final int MAX_AHEAD = 6;

    /** The share of the host's memory for arrays that are read ahead, and for those that are written behind. */
    private static final int SHARE_AHEAD = 8;

    /** After all tasks that are known. */
    private static final int LATER = Integer.MAX_VALUE - 1;

    private static final int NEVER = Integer.MAX_VALUE;

    /** An array. */
    final class Block {
        /** Used by no task after the known ones. */
        private final boolean temporary;
        /** Whether this goes to files first. */
        private final boolean streams;
        /** The tasks that use it, of those that are known and not run yet. */
        private final Deque<Integer> uses = new ArrayDeque<>();
        /** Null if it was never in one. */
        private LevelFiles.Stored file;

        private DeviceSlot slot;
        private Buffer buffer;
        private boolean inFile;
        /** Being read from its file, or read, for a task that has not run yet. */
        private boolean ahead;
        /** Whether tasks use it that are not known yet. */
        private boolean later = true;

        private Block(boolean temporary, boolean streams) {
            this.temporary = temporary;
            this.streams = streams;
        }

        /** On the GPU, for a task that is run now. */
        long address() {
            return slot.address;
        }

        /** Says whether tasks after the next {@link #run} use it. */
        void usedLater(boolean later) {
            this.later = later;
        }

        private int next() {
            return !uses.isEmpty() ? uses.peek() : later ? LATER : NEVER;
        }
    }

    /**
     * A task.
     *
     * @param reads arrays that it reads only
     * @param updates arrays that it reads and writes
     * @param writes arrays that it writes whole, without reading them
     * @param launch puts the task on the stream with the given number
     */
    record Use(List<Block> reads, List<Block> updates, List<Block> writes, IntConsumer launch) {
        private Stream<Block> all() {
            return Stream.of(reads, updates, writes).flatMap(List::stream);
        }
    }

    /** Memory of the GPU for one array. */
    private final class DeviceSlot {
        private final long address;
        /** After what wrote it. */
        private final TileGpu.GpuEvent written = gpu.event();
        /** After its copy to the host. */
        private final TileGpu.GpuEvent saved = gpu.event();
        /** After the last task of each stream that used it. */
        private final List<TileGpu.GpuEvent> used =
                Stream.generate(gpu::event).limit(TileGpu.STREAMS).toList();

        private Block block;
        /** The number of the last task that used it. */
        private long last = -MOVING;

        private DeviceSlot(long address) {
            this.address = address;
        }

        private int next() {
            return block == null ? NEVER : block.next();
        }
    }

    /** Memory of the host for one array. */
    private final class Buffer {
        private final ByteBuffer bytes;
        /** After the copy from the GPU. */
        private final TileGpu.GpuEvent filled = gpu.event();
        /** After the copy to the GPU. */
        private final TileGpu.GpuEvent read = gpu.event();

        private Buffer(ByteBuffer bytes) {
            this.bytes = bytes;
        }

        /** Waits for copies from and to the GPU; on any thread. */
        private void await() {
            gpu.use();
            filled.await();
            read.await();
        }
    }

    /** A buffer that is free when its content is in the file. */
    private record Leaving(Buffer buffer, LevelFiles.Stored file) {}

    private final TileGpu gpu;
    private final int size;
    private final int hostBlocks;
    private final int mostAhead;
    private final Path folder;
    private final LevelFiles files;
    private final List<DeviceSlot> slots = new ArrayList<>();
    /** The one that is free for longest first: its copies are done. */
    private final Deque<Buffer> free = new ArrayDeque<>();

    private final Deque<Leaving> leaving = new ArrayDeque<>();
    /** Blocks with memory of the host, least recently used first. */
    private final Set<Block> onHost = new LinkedHashSet<>();
    /** Blocks of the task at hand, which stay on the GPU. */
    private final Set<Block> ofTask = new HashSet<>();
    /** Blocks that stay in memory of the host. */
    private final Set<Block> held = new HashSet<>();

    private boolean streaming;
    /** Whether any tasks run, or ran. */
    private boolean begun;
    /**
     * Whether all slots were taken at a time. Then one that just became free is left for a while, as copies to it
     * would wait.
     */
    private boolean crowded;

    private int buffers;
    private int stream;
    private Block updated;
    private long tasks;
    private int ahead;
    private long up;
    private long down;

    /**
     * No arrays.
     *
     * @param size bytes of each
     * @param slots on the GPU, at least as many as a task has arrays
     * @param hostBlocks the most that memory of the host has, at least one
     * @param folder of files, which belongs to this
     */
    TieredTileCache(TileGpu gpu, int size, int slots, int hostBlocks, Path folder) {
        this.gpu = gpu;
        this.size = size;
        this.hostBlocks = hostBlocks;
        mostAhead = mostAhead(hostBlocks);
        this.folder = folder;
        files = new LevelFiles(folder);
        for (int i = 0; i < slots; i++) {
            this.slots.add(new DeviceSlot(gpu.memory() + (long) i * size));
        }
    }

    private static int mostAhead(int hostBlocks) {
        return Math.min(MAX_AHEAD, hostBlocks / SHARE_AHEAD);
    }

    /**
     * How many arrays stay in memory while others stream.
     *
     * @param slots on the GPU, without the slots of arrays that all tasks read
     */
    static int staying(int slots, int hostBlocks) {
        return Math.max(0, slots - MOVING) + hostBlocks - 2 * mostAhead(hostBlocks);
    }

    /** An array with any content, until the last task of the next {@link #run} that uses it. */
    Block temporary() {
        return new Block(true, false);
    }

    /**
     * An array in memory of the host, for {@link #pin} to fill.
     *
     * @param streams whether it goes to files before others
     */
    Block make(boolean streams) {
        Block block = new Block(false, streams);
        streaming |= streams;
        acquire(block);
        return block;
    }

    private void release(Block block) {
        block.slot.block = null;
        block.slot = null;
        dropBuffer(block);
        if (block.file != null) {
            block.file.delete();
        }
    }

    /** Runs tasks in this order; returns when all are on streams. */
    void run(List<Use> uses) {
        begun = true;
        for (int i = 0; i < uses.size(); i++) {
            int number = i;
            uses.get(i).all().forEach(block -> block.uses.add(number));
        }
        int read = 0;
        for (int i = 0; i < uses.size(); i++) {
            release();
            if (streaming) {
                writeBehind();
            }
            read = readAhead(uses, Math.max(read, i));
            run(uses.get(i));
        }
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
        // what waits for the task before anyway does not keep another stream waiting
        if (use.updates.get(0) != updated) {
            stream = (stream + 1) % TileGpu.STREAMS;
            updated = use.updates.get(0);
        }
        int on = stream;
        use.reads.forEach(block -> gpu.await(on, block.slot.written));
        written.forEach(block -> awaitIdle(on, block.slot));
        use.launch.accept(on);
        for (Block block : written) {
            gpu.record(block.slot.written, on);
            dropBuffer(block);
            block.inFile = false;
        }
        tasks++;
        for (Block block : all) {
            gpu.record(block.slot.used.get(on), on);
            block.slot.last = tasks;
            block.uses.remove();
            if (block.temporary && block.uses.isEmpty()) {
                release(block);
            }
        }
    }

    /** Waits on a stream until nothing reads or writes a slot any more. */
    private void awaitIdle(int on, DeviceSlot slot) {
        gpu.await(on, slot.written);
        gpu.await(on, slot.saved);
        slot.used.forEach(event -> gpu.await(on, event));
    }

    /** @param load whether its content is needed */
    private void bring(Block block, boolean load) {
        if (block.slot == null) {
            DeviceSlot slot = free();
            if (load) {
                if (block.buffer == null) {
                    startReading(block);
                }
                awaitFile(block);
                awaitIdle(TileGpu.UP, slot);
                gpu.await(TileGpu.UP, block.buffer.filled);
                gpu.upload(slot.address, block.buffer.bytes);
                gpu.record(slot.written, TileGpu.UP);
                gpu.record(block.buffer.read, TileGpu.UP);
                up += size;
                touch(block);
            }
            slot.block = block;
            block.slot = slot;
        }
        if (block.ahead) {
            block.ahead = false;
            ahead--;
        }
    }

    /** A slot for another array. */
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

    /** Takes an array from the GPU. */
    private void evict(Block block) {
        if (block.buffer == null && !block.inFile) {
            save(block);
        }
        block.slot.block = null;
        block.slot = null;
    }

    /** Copies an array from the GPU to memory of the host. */
    private void save(Block block) {
        acquire(block);
        gpu.await(TileGpu.DOWN, block.slot.written);
        gpu.await(TileGpu.DOWN, block.buffer.read);
        gpu.download(block.buffer.bytes, block.slot.address);
        gpu.record(block.buffer.filled, TileGpu.DOWN);
        gpu.record(block.slot.saved, TileGpu.DOWN);
        down += size;
    }

    /**
     * Reads arrays that later tasks use, from task {@code first} on, as far as memory is free; returns the first task
     * that it did not get to.
     */
    private int readAhead(List<Use> uses, int first) {
        for (int i = first; i < uses.size(); i++) {
            for (Block block : Stream.concat(uses.get(i).reads.stream(), uses.get(i).updates.stream())
                    .toList()) {
                if (block.inFile && block.slot == null && block.buffer == null) {
                    // the rest of the free memory is for what comes from the GPU
                    if (ahead == mostAhead || free.size() <= mostAhead / 2) {
                        return i;
                    }
                    startReading(block);
                    block.ahead = true;
                    ahead++;
                }
            }
        }
        return uses.size();
    }

    private void startReading(Block block) {
        acquire(block);
        block.file.read(block.buffer::await, block.buffer.bytes);
    }

    private static void awaitFile(Block block) {
        if (block.file != null) {
            block.file.await();
        }
    }

    /** Writes arrays that stream, so that memory is free when it is needed. */
    private void writeBehind() {
        while (free.size() + leaving.size() < mostAhead) {
            Block block = victim(true);
            if (block == null) {
                return;
            }
            leave(block);
        }
    }

    /** The array to take from memory of the host; null if there is none. */
    private Block victim(boolean onlyStreaming) {
        Block found = null;
        long most = -1;
        for (Block block : onHost) {
            if (!held.contains(block) && !block.ahead) {
                int next = block.next();
                // what is on the GPU, or not needed any more, before what streams, before the rest
                long rank = block.slot != null ? 3L : next == NEVER ? 2L : block.streams ? 1L : 0L;
                if (rank == 0 && onlyStreaming) {
                    continue;
                }
                rank = rank << Integer.SIZE | next;
                if (rank > most) {
                    most = rank;
                    found = block;
                }
            }
        }
        return found;
    }

    /** Takes an array from memory of the host. */
    private void leave(Block block) {
        if (!begun && block.slot == null && slots.stream().anyMatch(slot -> slot.block == null)) {
            // while the table is made, files only get what has no room on the GPU; later, an empty slot may be the one
            // that a task is about to get
            bring(block, true);
        }
        Buffer buffer = block.buffer;
        onHost.remove(block);
        block.buffer = null;
        if (block.slot == null && !block.inFile) {
            if (block.file == null) {
                block.file = files.file();
            }
            block.file.write(buffer::await, buffer.bytes);
            block.inFile = true;
            leaving.add(new Leaving(buffer, block.file));
        } else {
            free.add(buffer);
        }
    }

    /** Frees buffers whose content is in files. */
    private void release() {
        for (Iterator<Leaving> each = leaving.iterator(); each.hasNext(); ) {
            Leaving next = each.next();
            if (next.file.isDone()) {
                next.file.await();
                each.remove();
                free.add(next.buffer);
            }
        }
    }

    /**
     * Allocates memory of the host for some arrays, as far as it may have more; on several threads, as that takes long.
     */
    void reserve(int arrays) {
        int count = Math.min(arrays - free.size(), hostBlocks - buffers);
        List<ByteBuffer> memory = IntStream.range(0, Math.max(0, count))
                .parallel()
                .mapToObj(i -> {
                    gpu.use();
                    return gpu.hostMemory(size);
                })
                .toList();
        memory.forEach(bytes -> free.add(new Buffer(bytes)));
        buffers += memory.size();
    }

    /**
     * Measures the disk, while nothing else uses it.
     *
     * @param most arrays that are to go there anyway
     */
    LevelFiles.Speed probe(int most) {
        int arrays = Math.min(most, 2 * LevelFiles.THREADS);
        reserve(arrays);
        return LevelFiles.measure(
                folder.resolve("probe"),
                free.stream().limit(arrays).map(buffer -> buffer.bytes).toList());
    }

    /** Gives an array memory of the host. */
    private void acquire(Block block) {
        if (free.isEmpty()) {
            reserve(1);
        }
        while (free.isEmpty()) {
            if (leaving.size() <= mostAhead / 2) {
                leave(victim(false));
            } else {
                leaving.peek().file.await();
            }
            release();
        }
        block.buffer = free.remove();
        onHost.add(block);
    }

    /** Makes it the most recently used on the host. */
    private void touch(Block block) {
        onHost.remove(block);
        onHost.add(block);
    }

    private void dropBuffer(Block block) {
        if (block.buffer != null) {
            onHost.remove(block);
            free.add(block.buffer);
            block.buffer = null;
        }
    }

    /** How many arrays {@link #pin} can hold at a time. */
    int most() {
        return hostBlocks;
    }

    /** Brings arrays to memory of the host, where they stay until {@link #unpin}; the caller may read them. */
    List<ByteBuffer> pin(Collection<Block> blocks) {
        held.addAll(blocks);
        for (Block block : blocks) {
            if (block.buffer == null) {
                if (block.slot == null) {
                    startReading(block);
                } else {
                    save(block);
                }
            }
        }
        return blocks.stream()
                .map(block -> {
                    awaitFile(block);
                    block.buffer.await();
                    return block.buffer.bytes;
                })
                .toList();
    }

    void unpin(Block block) {
        held.remove(block);
    }

    /** Waits until all tasks are done, and all files are written. */
    boolean finish() {
        boolean answer = gpu.finish();
        leaving.forEach(next -> next.file.await());
        release();
        return answer;
    }

    /** Bytes copied to the GPU. */
    long up() {
        return up;
    }

    /** Bytes copied from the GPU. */
    long down() {
        return down;
    }

    LevelFiles files() {
        return files;
    }

    /** Waits for what is under way on other threads; before the memory is freed. */
    @Override
    public void close() {
        files.close();
    }
}
