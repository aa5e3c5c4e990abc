package dev.bellman.large.levels;

import dev.bellman.large.levels.Block.Buffer;
import dev.bellman.large.tiles.TileGpu;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The arrays of a {@link TieredTileCache} that are in memory of the host, and in files. Threads read arrays from files
 * before their use, and write them before their memory is needed.
 */
final class HostLevel implements AutoCloseable {
    /** The most arrays that are read ahead, and the most that are written behind. */
    private static final int MAX_AHEAD = 6;

    /** The share of the host's memory for arrays that are read ahead, and for those that are written behind. */
    private static final int SHARE_AHEAD = 8;

    /** A buffer that is free when its content is in the file. */
    private record Leaving(Buffer buffer, LevelFiles.Stored file) {}

    private final TileGpu gpu;
    private final int size;
    private final int hostBlocks;
    private final int mostAhead;
    private final Path folder;
    private final Predicate<Block> toGpu;
    private final LevelFiles files;
    /** The one that is free for longest first: its copies are done. */
    private final Deque<Buffer> free = new ArrayDeque<>();

    private final Deque<Leaving> leaving = new ArrayDeque<>();
    /** Blocks with memory of the host, least recently used first. */
    private final Set<Block> onHost = new LinkedHashSet<>();
    /** Blocks that stay in memory of the host. */
    private final Set<Block> held = new HashSet<>();

    private int buffers;
    private int ahead;

    /**
     * No arrays.
     *
     * @param size bytes of each
     * @param hostBlocks the most that memory of the host has, at least one
     * @param folder of files, which belongs to this; null if no array is evicted from the GPU
     * @param toGpu takes an array to the GPU before this evicts it, if there is room
     */
    HostLevel(TileGpu gpu, int size, int hostBlocks, Path folder, Predicate<Block> toGpu) {
        this.gpu = gpu;
        this.size = size;
        this.hostBlocks = hostBlocks;
        mostAhead = mostAhead(hostBlocks);
        this.folder = folder;
        this.toGpu = toGpu;
        files = new LevelFiles(folder);
    }

    private static int mostAhead(int hostBlocks) {
        return Math.min(MAX_AHEAD, hostBlocks / SHARE_AHEAD);
    }

    /** How many arrays stay in memory of the host while others stream. */
    static int staying(int hostBlocks) {
        return hostBlocks - 2 * mostAhead(hostBlocks);
    }

    /** How many arrays {@link #pin} can hold at a time. */
    int most() {
        return hostBlocks;
    }

    LevelFiles files() {
        return files;
    }

    /** Begins to read an array for a later task, if it is only in a file; returns false if no memory is free for it. */
    boolean readAhead(Block block) {
        if (block.inFile && block.slot == null && block.buffer == null) {
            // the rest of the free memory is for what comes from the GPU
            if (ahead == mostAhead || free.size() <= mostAhead / 2) {
                return false;
            }
            startReading(block);
            block.ahead = true;
            ahead++;
        }
        return true;
    }

    /** Notes that the task of an array has come. */
    void endAhead(Block block) {
        if (block.ahead) {
            block.ahead = false;
            ahead--;
        }
    }

    void startReading(Block block) {
        acquire(block);
        block.file.read(block.buffer::await, block.buffer.bytes);
    }

    /** Writes arrays that stream, so that memory is free when it is needed. */
    void writeBehind() {
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
                long rank = block.slot != null ? 3L : next == Block.NEVER ? 2L : block.streams ? 1L : 0L;
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
        boolean elsewhere = block.slot != null || toGpu.test(block) || block.inFile;
        Buffer buffer = block.buffer;
        onHost.remove(block);
        block.buffer = null;
        if (elsewhere) {
            free.add(buffer);
            return;
        }
        if (block.file == null) {
            block.file = files.file();
        }
        block.file.write(buffer::await, buffer.bytes);
        block.inFile = true;
        leaving.add(new Leaving(buffer, block.file));
    }

    /** Frees buffers whose content is in files. */
    void release() {
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
        memory.forEach(bytes -> free.add(new Buffer(gpu, bytes)));
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
    void acquire(Block block) {
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
    void touch(Block block) {
        onHost.remove(block);
        onHost.add(block);
    }

    /** Drops the copy of an array in memory of the host. */
    void drop(Block block) {
        if (block.buffer != null) {
            onHost.remove(block);
            free.add(block.buffer);
            block.buffer = null;
        }
    }

    /** Lets an array stay in memory of the host until {@link #unpin}. */
    void pin(Block block) {
        held.add(block);
    }

    void unpin(Block block) {
        held.remove(block);
    }

    /** Waits until all files are written. */
    void finish() {
        leaving.forEach(next -> next.file.await());
        release();
    }

    /** Waits for reads and writes that are under way on other threads. */
    @Override
    public void close() {
        files.close();
    }
}
