package dev.bellman.large.grid;

import dev.bellman.large.tiles.LargeTask;
import dev.bellman.large.tiles.TileGpu;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;

/**
 * Simulates a GPU in this process; its streams run in a random order as far as events allow, so an event that is
 * missing or misplaced leads to incorrect results. The tasks run the textbook's loops.
 */
final class SimulatedGpu implements TileGpu {
    /** The cell type, and the operations of the loops. */
    interface Cells extends Serializable {
        int bytes();

        default boolean keepsLines() {
            return false;
        }

        /** Runs the loops of a task. Returns false if the problem has no solution. */
        boolean run(Arrays arrays, LargeTask task);
    }

    /** The arrays of a task. A double represents 32-bit cells, and their sums, exactly. */
    static final class Arrays {
        private final ByteBuffer memory;
        private final int bytes;
        private final int pitch;

        private Arrays(ByteBuffer memory, int bytes, int pitch) {
            this.memory = memory;
            this.bytes = bytes;
            this.pitch = pitch;
        }

        private int at(long array, int line) {
            return (int) (array - BASE) + line * pitch * bytes;
        }

        double[][] get(long array, int lines, int places) {
            double[][] cells = new double[lines][places];
            for (int line = 0; line < lines; line++) {
                for (int place = 0; place < places; place++) {
                    int at = at(array, line) + place * bytes;
                    cells[line][place] = bytes == Integer.BYTES ? memory.getInt(at) : memory.getDouble(at);
                }
            }
            return cells;
        }

        void set(long array, double[]... cells) {
            for (int line = 0; line < cells.length; line++) {
                for (int place = 0; place < cells[line].length; place++) {
                    int at = at(array, line) + place * bytes;
                    if (bytes == Integer.BYTES) {
                        memory.putInt(at, (int) cells[line][place]);
                    } else {
                        memory.putDouble(at, cells[line][place]);
                    }
                }
            }
        }
    }

    private static final int PAGE = 4096;

    /** The start of the memory. */
    private static final long BASE = 1L << 40;

    private final class At implements GpuEvent {
        private int recorded;
        private int passed;

        @Override
        public void await() {
            runUntil(() -> passed >= recorded);
        }
    }

    /** An action in a stream, which can run as soon as the events before it have occurred. */
    private record Put(At event, int count, Runnable action) {}

    @FunctionalInterface
    private interface Condition {
        boolean holds();
    }

    private final Cells cells;
    private final ByteBuffer memory;
    private final SplittableRandom random = new SplittableRandom(1);
    private final List<Queue<Put>> streams = new ArrayList<>();
    private RuntimeException failure;
    private boolean answer = true;

    SimulatedGpu(Cells cells, long bytes) {
        this.cells = cells;
        memory = ByteBuffer.allocate(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
        for (int i = 0; i < ALL_STREAMS; i++) {
            streams.add(new ArrayDeque<>());
        }
    }

    private synchronized void runUntil(Condition condition) {
        while (!condition.holds()) {
            List<Queue<Put>> ready = streams.stream()
                    .filter(stream -> !stream.isEmpty() && stream.peek().event.passed >= stream.peek().count)
                    .toList();
            ready.get(random.nextInt(ready.size())).remove().action.run();
        }
    }

    private void put(int stream, Runnable action) {
        streams.get(stream).add(new Put(new At(), 0, action));
    }

    @Override
    public void use() {
        // any thread may use the simulated GPU
    }

    @Override
    public GpuEvent event() {
        return new At();
    }

    @Override
    public synchronized void record(GpuEvent event, int stream) {
        At at = (At) event;
        int count = ++at.recorded;
        put(stream, () -> at.passed = Math.max(at.passed, count));
    }

    @Override
    public synchronized void await(int stream, GpuEvent event) {
        At at = (At) event;
        streams.get(stream).add(new Put(at, at.recorded, () -> {}));
    }

    @Override
    public long memory() {
        return BASE;
    }

    @Override
    public ByteBuffer hostMemory(int bytes) {
        // the memory starts at a page boundary, like memory that CUDA pins
        ByteBuffer memory = ByteBuffer.allocateDirect(bytes + PAGE);
        return memory.slice(Math.floorMod(-memory.alignmentOffset(0, PAGE), PAGE), bytes)
                .order(ByteOrder.nativeOrder());
    }

    @Override
    public synchronized void upload(long to, ByteBuffer from) {
        put(UP, () -> memory.put((int) (to - BASE), from, 0, from.capacity()));
    }

    @Override
    public synchronized void download(ByteBuffer to, long from) {
        put(DOWN, () -> to.put(0, memory, (int) (from - BASE), to.capacity()));
    }

    @Override
    public boolean keepsLines() {
        return cells.keepsLines();
    }

    @Override
    public synchronized void run(int stream, LargeTask task) {
        put(stream, () -> {
            try {
                answer &= cells.run(new Arrays(memory, cells.bytes(), task.pitch()), task);
            } catch (RuntimeException e) {
                failure = failure == null ? e : failure;
            }
        });
    }

    @Override
    public synchronized boolean finish() {
        runUntil(() -> streams.stream().allMatch(Queue::isEmpty));
        if (failure != null) {
            throw failure;
        }
        return answer;
    }

    @Override
    public synchronized void close() {
        streams.forEach(Queue::clear);
    }
}
