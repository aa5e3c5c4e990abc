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
 * Manages the arrays of a {@link TieredTileCache} that are in host memory and in files. Background threads read arrays
 * from files before they are used, and write arrays to files before their memory is needed.
 */
final class HostLevel implements AutoCloseable {
    /** The maximum number of arrays that are read ahead, and also of arrays that wait to be written. */
    private static final int MAX_AHEAD = 6;

    /**
     * The reciprocal of the fraction of host memory for arrays that are read ahead, and also for arrays that wait to be
     * written.
     */
    private static final int SHARE_AHEAD = 8;

    /** A buffer that becomes free as soon as its content is in the file. */
    private record Leaving(Buffer buffer, LevelFiles.Stored file) {}

    private final TileGpu gpu;
    private final int size;
    private final int hostBlocks;
    private final int mostAhead;
    private final Path folder;
    private final Predicate<Block> toGpu;
    private final LevelFiles files;
    /**
     * Free buffers. The buffer that has been unused longest comes first, because its copies are most likely complete.
     */
    private final Deque<Buffer> free = new ArrayDeque<>();

    private final Deque<Leaving> leaving = new ArrayDeque<>();
    /** Blocks with host memory, least recently used first. */
    private final Set<Block> onHost = new LinkedHashSet<>();
    /** Blocks that must stay in host memory. */
    private final Set<Block> held = new HashSet<>();

    private int buffers;
    private int ahead;

    /**
     * Creates an empty level.
     *
     * @param size the number of bytes in each array
     * @param hostBlocks the maximum number of arrays in host memory, at least one
     * @param folder the folder for files, which belongs to this level; null if no array is ever written to a file
     * @param toGpu copies an array to the GPU, if there is room, before this level evicts it
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

    /** Returns the number of arrays that stay in host memory while others stream. */
    static int staying(int hostBlocks) {
        return hostBlocks - 2 * mostAhead(hostBlocks);
    }

    /** Returns the maximum number of arrays that can be pinned at the same time. */
    int most() {
        return hostBlocks;
    }

    LevelFiles files() {
        return files;
    }

    /**
     * Starts reading an array for a later task if the array is only in a file. Returns false if there is no room for
     * another such array.
     */
    boolean readAhead(Block block) {
        if (block.inFile && block.slot == null && block.buffer == null) {
            // the rest of the free memory is reserved for arrays from the GPU
            if (ahead == mostAhead || free.size() <= mostAhead / 2) {
                return false;
            }
            startReading(block);
            block.ahead = true;
            ahead++;
        }
        return true;
    }

    /** Records that the task for which an array was read ahead has begun. */
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

    /**
     * Evicts arrays in advance, so that memory is free when it is needed. Keeps arrays that a later task uses,
     * unless they stream or are also on the GPU.
     */
    void writeBehind() {
        while (free.size() + leaving.size() < mostAhead) {
            Block block = victim(true);
            if (block == null) {
                return;
            }
            leave(block);
        }
    }

    /**
     * Returns the array to evict from host memory, or null if there is none. Of several arrays of the same kind,
     * returns the one whose next use is farthest in the future.
     */
    private Block victim(boolean onlyStreaming) {
        Block found = null;
        long most = -1;
        for (Block block : onHost) {
            if (!held.contains(block) && !block.ahead) {
                int next = block.next();
                // prefer arrays that are also on the GPU, then arrays that are no longer needed, then streaming arrays
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

    /** Evicts an array from host memory. */
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

    /** Frees the buffers whose content is in files. */
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
     * Allocates host memory until it is free for the given number of arrays, within the limit. Uses several threads,
     * because allocation is slow.
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
     * Measures the disk speed, while nothing else uses the disk.
     *
     * @param most the number of arrays that will be written in any case
     */
    LevelFiles.Speed probe(int most) {
        int arrays = Math.min(most, 2 * LevelFiles.THREADS);
        reserve(arrays);
        return LevelFiles.measure(
                folder.resolve("probe"),
                free.stream().limit(arrays).map(buffer -> buffer.bytes).toList());
    }

    /** Assigns host memory to an array. */
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

    /** Makes an array the most recently used in host memory. */
    void touch(Block block) {
        onHost.remove(block);
        onHost.add(block);
    }

    /** Drops the copy of an array in host memory. */
    void drop(Block block) {
        if (block.buffer != null) {
            onHost.remove(block);
            free.add(block.buffer);
            block.buffer = null;
        }
    }

    /** Ensures that an array stays in host memory until {@link #unpin}. */
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

    /** Waits for pending reads and writes on other threads. */
    @Override
    public void close() {
        files.close();
    }
}
