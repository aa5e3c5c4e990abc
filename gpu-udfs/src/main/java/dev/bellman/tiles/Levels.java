package dev.bellman.tiles;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Arrays of equal size in the memory of a GPU, in memory of its host, and in files: what was not used for longest goes down a level when one is full. An
 * array is on one level, or on two with the same content.
 *
 * <p>Nothing here waits for the GPU, unless memory of the host is full: copies and tasks are put on streams, with marks between them, far ahead of their
 * time. So an array is on its way up while tasks before its own run, and one on its way down while those after it do.
 */
final class Levels {
    /** The fewest places on the GPU: a task has up to three arrays. */
    static final int FEWEST = 3;

    /** Places for arrays that come and go; lines of a round leave the GPU only for these. */
    private static final int MOVING = 8;

    /** An array. */
    final class Block {
        private final long number = blocks++;
        /** Whether this is lines of a round, which many tasks read. */
        private final boolean lines;

        private Place place;
        private Buffer buffer;
        private boolean inFile;
        private int checksum;

        private Block(boolean lines) {
            this.lines = lines;
        }

        /** On the GPU, for a task that is run now. */
        long address() {
            return place.address;
        }
    }

    /** Memory of the GPU for one array. */
    private final class Place {
        private final long address;
        /** After what wrote it. */
        private final TileGpu.Mark written = gpu.mark();
        /** After its copy to the host. */
        private final TileGpu.Mark saved = gpu.mark();
        /** After the last task of each stream that used it. */
        private final List<TileGpu.Mark> used =
                Stream.generate(gpu::mark).limit(TileGpu.STREAMS).toList();

        private Block block;
        private long last;

        private Place(long address) {
            this.address = address;
        }
    }

    /** Memory of the host for one array. */
    private final class Buffer {
        private final ByteBuffer bytes;
        /** After the copy from the GPU. */
        private final TileGpu.Mark filled = gpu.mark();
        /** After the copy to the GPU. */
        private final TileGpu.Mark read = gpu.mark();

        private Buffer(ByteBuffer bytes) {
            this.bytes = bytes;
        }
    }

    private final TileGpu gpu;
    private final int size;
    private final int hostBlocks;
    private final LevelFiles files;
    private final List<Place> places = new ArrayList<>();
    private final Deque<Buffer> free = new ArrayDeque<>();
    /** Blocks with memory of the host, least recently used first. */
    private final Set<Block> onHost = new LinkedHashSet<>();
    /** Blocks of the task at hand, which stay on the GPU. */
    private final Set<Block> ofTask = new HashSet<>();
    /** Blocks that stay in memory of the host. */
    private final Set<Block> held = new HashSet<>();

    private long blocks;
    private int buffers;
    private int stream;
    private long clock;
    private long up;
    private long down;

    /**
     * No arrays.
     *
     * @param size bytes of each
     * @param places on the GPU, at least {@link #FEWEST}
     * @param hostBlocks the most that memory of the host has, at least one
     * @param folder of files, which belongs to this
     */
    Levels(TileGpu gpu, int size, int places, int hostBlocks, Path folder) {
        this.gpu = gpu;
        this.size = size;
        this.hostBlocks = hostBlocks;
        files = new LevelFiles(folder);
        for (int i = 0; i < places; i++) {
            this.places.add(new Place(gpu.memory() + (long) i * size));
        }
    }

    /** An array with any content. */
    Block lines() {
        return new Block(true);
    }

    /** An array in memory of the host, for {@link #hold} to fill. */
    Block make() {
        Block block = new Block(false);
        give(block);
        return block;
    }

    /** Frees an array that nobody uses any more. */
    void release(Block block) {
        if (block.place != null) {
            block.place.block = null;
            block.place.last = 0;
            block.place = null;
        }
        dropBuffer(block);
        dropFile(block);
    }

    /**
     * Runs a task when the arrays are on the GPU.
     *
     * @param reads arrays that it reads only
     * @param updates arrays that it reads and writes
     * @param writes arrays that it writes whole, without reading them
     * @param launch puts the task on the stream with the given number
     */
    void run(List<Block> reads, List<Block> updates, List<Block> writes, Consumer<Integer> launch) {
        List<Block> written = Stream.concat(updates.stream(), writes.stream()).toList();
        List<Block> all = Stream.concat(reads.stream(), written.stream()).toList();
        ofTask.addAll(all);
        reads.forEach(block -> bring(block, true));
        updates.forEach(block -> bring(block, true));
        writes.forEach(block -> bring(block, false));
        ofTask.clear();
        int on = stream;
        stream = (stream + 1) % TileGpu.STREAMS;
        reads.forEach(block -> gpu.await(on, block.place.written));
        written.forEach(block -> awaitIdle(on, block.place));
        launch.accept(on);
        for (Block block : written) {
            gpu.record(block.place.written, on);
            dropBuffer(block);
            dropFile(block);
        }
        all.forEach(block -> gpu.record(block.place.used.get(on), on));
    }

    /** Waits on a stream until nothing reads or writes a place any more. */
    private void awaitIdle(int on, Place place) {
        gpu.await(on, place.written);
        gpu.await(on, place.saved);
        place.used.forEach(mark -> gpu.await(on, mark));
    }

    /** @param load whether its content is needed */
    private void bring(Block block, boolean load) {
        if (block.place == null) {
            Place place = free();
            if (load) {
                if (block.buffer == null) {
                    read(block);
                }
                awaitIdle(TileGpu.UP, place);
                gpu.await(TileGpu.UP, block.buffer.filled);
                gpu.upload(place.address, block.buffer.bytes);
                gpu.record(place.written, TileGpu.UP);
                gpu.record(block.buffer.read, TileGpu.UP);
                up += size;
                touch(block);
            }
            place.block = block;
            block.place = place;
        }
        block.place.last = ++clock;
    }

    /** A place for another array. */
    private Place free() {
        Place oldest = null;
        Place oldestOfAll = null;
        int moving = 0;
        for (Place place : places) {
            if (place.block == null) {
                return place;
            }
            moving += place.block.lines ? 0 : 1;
            if (!ofTask.contains(place.block)) {
                if (oldestOfAll == null || place.last < oldestOfAll.last) {
                    oldestOfAll = place;
                }
                if (!place.block.lines && (oldest == null || place.last < oldest.last)) {
                    oldest = place;
                }
            }
        }
        Place found = oldest == null || moving < MOVING ? oldestOfAll : oldest;
        evict(found.block);
        return found;
    }

    /** Takes an array from the GPU. */
    private void evict(Block block) {
        if (block.buffer == null && !block.inFile) {
            save(block);
        }
        block.place.block = null;
        block.place = null;
    }

    /** Copies an array from the GPU to memory of the host. */
    private void save(Block block) {
        give(block);
        gpu.await(TileGpu.DOWN, block.place.written);
        gpu.await(TileGpu.DOWN, block.buffer.read);
        gpu.download(block.buffer.bytes, block.place.address);
        gpu.record(block.buffer.filled, TileGpu.DOWN);
        gpu.record(block.place.saved, TileGpu.DOWN);
        down += size;
    }

    /** Reads an array from its file. */
    private void read(Block block) {
        give(block);
        block.buffer.read.await();
        block.buffer.filled.await();
        files.read(block.number, block.buffer.bytes, block.checksum);
    }

    /** Allocates memory of the host for some arrays, as far as it may have more; on several threads, as that takes long. */
    void reserve(int arrays) {
        int count = Math.min(arrays - free.size(), hostBlocks - buffers);
        List<ByteBuffer> memory = IntStream.range(0, Math.max(0, count))
                .parallel()
                .mapToObj(i -> {
                    gpu.use();
                    return gpu.hostMemory(size);
                })
                .toList();
        memory.forEach(bytes -> free.push(new Buffer(bytes)));
        buffers += memory.size();
    }

    /** Gives an array memory of the host. */
    private void give(Block block) {
        if (free.isEmpty()) {
            reserve(1);
        }
        Iterator<Block> oldest = onHost.iterator();
        while (free.isEmpty()) {
            Block other = oldest.next();
            if (!held.contains(other)) {
                if (other.place == null && !other.inFile) {
                    other.buffer.filled.await();
                    other.checksum = files.write(other.number, other.buffer.bytes);
                    other.inFile = true;
                }
                oldest.remove();
                free.push(other.buffer);
                other.buffer = null;
            }
        }
        block.buffer = free.pop();
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
            free.push(block.buffer);
            block.buffer = null;
        }
    }

    private void dropFile(Block block) {
        if (block.inFile) {
            files.delete(block.number);
            block.inFile = false;
        }
    }

    /** How many arrays {@link #hold} can hold at a time. */
    int most() {
        return hostBlocks;
    }

    /** Brings an array to memory of the host, where it stays until {@link #letGo}; the caller may read it. */
    ByteBuffer hold(Block block) {
        held.add(block);
        if (block.buffer == null) {
            if (block.place == null) {
                read(block);
            } else {
                save(block);
            }
        }
        block.buffer.filled.await();
        block.buffer.read.await();
        return block.buffer.bytes;
    }

    void letGo(Block block) {
        held.remove(block);
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
}
