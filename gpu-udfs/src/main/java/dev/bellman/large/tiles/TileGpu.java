package dev.bellman.large.tiles;

import java.nio.ByteBuffer;

/**
 * A GPU with memory for large tiles, which runs the tasks of one problem on these tiles. Copies, tasks and events are
 * enqueued on a stream and run later: in order on one stream, and in parallel on different streams unless one waits for
 * an event of the other. The results of tasks must be bit-for-bit the same as those of {@link TiledProblem#run}.
 *
 * <p>Not thread-safe.
 */
public interface TileGpu extends AutoCloseable {
    /** The number of task streams. These streams are numbered from 0. */
    int STREAMS = 4;

    /** The stream for copies to the GPU. */
    int UP = STREAMS;

    /** The stream for copies from the GPU. */
    int DOWN = STREAMS + 1;

    /** The first of {@link #STREAMS} urgent streams, whose tasks begin before the tasks of the other streams. */
    int URGENT = STREAMS + 2;

    int ALL_STREAMS = URGENT + STREAMS;

    /** A point in a stream. Initially, the stream has already passed this point. */
    interface GpuEvent {
        /** Blocks until the stream has passed this point. */
        void await();
    }

    /** Makes this GPU the thread's current GPU. Must be called before all other methods. */
    void use();

    GpuEvent event();

    /** Records an event at the current end of a stream. */
    void record(GpuEvent event, int stream);

    /** Makes later work on the stream wait for the work before the event. */
    void await(int stream, GpuEvent event);

    /** Returns the address of the GPU memory. */
    long memory();

    /**
     * Allocates host memory for copies from and to the GPU, valid until the GPU is closed. Several threads may allocate
     * at the same time.
     */
    ByteBuffer hostMemory(int bytes);

    /** Copies data to the GPU, on the stream {@link #UP}. */
    void upload(long to, ByteBuffer from);

    /** Copies data from the GPU, on the stream {@link #DOWN}. */
    void download(ByteBuffer to, long from);

    /** Whether tasks read stored lines of the tiles of A, B and C instead of the tiles themselves. */
    boolean keepsLines();

    /** Runs a task on a stream. */
    void run(int stream, LargeTask task);

    /**
     * Waits for all streams.
     *
     * @return false if a task found that the problem has no solution, for a problem whose {@link TiledProblem#check}
     *     throws an exception with the reason
     * @throws RuntimeException if a task found that the problem has no solution, for any other problem; the exception
     *     is that of {@link TiledProblem#run}
     */
    boolean finish();

    /** Waits for all streams, and frees the memory. */
    @Override
    void close();
}
