package dev.bellman.large.tiles;

import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.DeviceMemoryBuffer;
import dev.bellman.cuda.Device;
import dev.bellman.cuda.Event;
import dev.bellman.cuda.PinnedMemory;
import dev.bellman.cuda.Stream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Manages the memory and the streams of a {@link TileGpu}. The GPU memory for tiles is a single cudf allocation, and
 * host memory is pinned.
 */
public abstract class CudaTiles implements TileGpu {
    private final int device = Cuda.getDevice();
    private final DeviceMemoryBuffer memory;
    private final List<Stream> streams = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    /** The events with which urgent streams and other streams wait for each other. */
    private final List<Event> turns = new ArrayList<>();

    private final Map<ByteBuffer, PinnedMemory> pinned = Collections.synchronizedMap(new IdentityHashMap<>());

    private record CudaEvent(Event event) implements GpuEvent {
        @Override
        public void await() {
            event.await();
        }
    }

    /** Creates an instance for this thread's GPU. */
    protected CudaTiles(long bytes) {
        memory = DeviceMemoryBuffer.allocate(bytes);
        // wait, because the tasks' streams do not wait for this thread's stream, on which cudf allocates memory
        Cuda.DEFAULT_STREAM.sync();
        try {
            for (int i = 0; i < ALL_STREAMS; i++) {
                streams.add(new Stream(i >= URGENT));
            }
            for (int i = 0; i < 2 * STREAMS; i++) {
                turns.add(new Event());
            }
        } catch (Throwable e) {
            free();
            throw e;
        }
    }

    protected final Stream stream(int number) {
        return streams.get(number);
    }

    /**
     * Runs a task on an urgent stream, but in order with the work of a given other stream. On the other stream, the
     * task's small launches would wait until all blocks of a product have begun.
     */
    protected final void runFirst(int stream, Consumer<Stream> task) {
        Stream urgent = stream(URGENT + stream);
        Event begin = turns.get(stream);
        Event end = turns.get(STREAMS + stream);
        begin.record(stream(stream));
        urgent.await(begin);
        task.accept(urgent);
        end.record(urgent);
        stream(stream).await(end);
    }

    @Override
    public final void use() {
        Cuda.setDevice(device);
        Device.current();
    }

    @Override
    public final GpuEvent event() {
        Event event = new Event();
        events.add(event);
        return new CudaEvent(event);
    }

    @Override
    public final void record(GpuEvent event, int stream) {
        ((CudaEvent) event).event.record(stream(stream));
    }

    @Override
    public final void await(int stream, GpuEvent event) {
        stream(stream).await(((CudaEvent) event).event);
    }

    @Override
    public final long memory() {
        return memory.getAddress();
    }

    @Override
    public final ByteBuffer hostMemory(int bytes) {
        PinnedMemory allocated = new PinnedMemory(bytes);
        pinned.put(allocated.bytes(), allocated);
        return allocated.bytes();
    }

    @Override
    public final void upload(long to, ByteBuffer from) {
        stream(UP).upload(to, pinned.get(from), from.capacity());
    }

    @Override
    public final void download(ByteBuffer to, long from) {
        stream(DOWN).download(pinned.get(to), from, to.capacity());
    }

    @Override
    public final boolean finish() {
        streams.forEach(Stream::await);
        return check();
    }

    /**
     * Returns the result of {@link #finish} after all tasks are complete. Subclasses override this method if tasks may
     * discover that there is no result.
     */
    protected boolean check() {
        return true;
    }

    @Override
    public void close() {
        try {
            streams.forEach(Stream::await);
        } finally {
            free();
        }
    }

    private void free() {
        streams.forEach(Stream::close);
        events.forEach(Event::close);
        turns.forEach(Event::close);
        pinned.values().forEach(PinnedMemory::close);
        memory.close();
    }
}
