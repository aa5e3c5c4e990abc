package dev.bellman.large.tiles;

import java.nio.ByteBuffer;

/**
 * A GPU, with memory for large tiles, that runs the tasks of one problem on them. Everything except {@link #hostMemory}
 * is put on a stream and done later:
 * what is on one stream in order, what is on several side by side, unless one waits for an event on another. The tasks
 * must do the same as {@link TiledProblem#run}, with the same results bit for bit.
 *
 * <p>For one thread at a time.
 */
public interface TileGpu extends AutoCloseable {
    /** Streams for tasks, which are numbered from 0. */
    int STREAMS = 4;

    /** The stream of copies to the GPU. */
    int UP = STREAMS;

    /** The stream of copies from the GPU. */
    int DOWN = STREAMS + 1;

    /** The first of {@link #STREAMS} streams for tasks that begin before the tasks of the others. */
    int URGENT = STREAMS + 2;

    int ALL_STREAMS = URGENT + STREAMS;

    /** A place in a stream; at first one that is passed already. */
    interface GpuEvent {
        /** Waits here until the stream has passed it. */
        void await();
    }

    /** Makes it the GPU of this thread, before other calls. */
    void use();

    GpuEvent event();

    /** Moves an event to the end of a stream. */
    void record(GpuEvent event, int stream);

    /** Makes later work on the stream wait for the work before the event. */
    void await(int stream, GpuEvent event);

    /** The address of its memory. */
    long memory();

    /** Memory of the host that it copies from and to; until it is closed. Several threads may allocate at a time. */
    ByteBuffer hostMemory(int bytes);

    /** Copies to the GPU, on {@link #UP}. */
    void upload(long to, ByteBuffer from);

    /** Copies from the GPU, on {@link #DOWN}. */
    void download(ByteBuffer to, long from);

    /** Whether tasks read lines that A, B and C keep, and not their tiles. */
    boolean keepsLines();

    /** Runs a task on a stream. */
    void run(int stream, LargeTask task);

    /**
     * Waits for all streams.
     *
     * @return false if a task found that the problem has no answer, and {@link TiledProblem#check} tells why
     * @throws RuntimeException if a task found that, as {@link TiledProblem#run}
     */
    boolean finish();

    /** Waits for all streams, and frees the memory. */
    @Override
    void close();
}
