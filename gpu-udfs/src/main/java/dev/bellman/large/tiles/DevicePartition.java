package dev.bellman.large.tiles;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Large tiles of the table of a {@link TiledProblem} in the memory of a GPU, with {@link Pattern#CLOSURE} or
 * {@link Pattern#ELIMINATION}, while other GPUs have the others. The panels of a round, which tasks on other tiles
 * read, go from one to the others through memory of the host.
 *
 * <p>Tasks are put on streams, and run later. Those that others wait for overtake the rest: the tiles of the next
 * pivot's row and column before the other products of a round, and A, B and C of the next round. So the panels of a
 * round are on their way while the products of the last one run.
 *
 * <p>For one thread at a time.
 *
 * @param <T> a tile of the problem
 */
public final class DevicePartition<T> implements AutoCloseable {
    /** Rounds that have panels here: the products of one may still run while the next one begins. */
    private static final int ROUNDS = 2;

    /** Cells per side of the largest tiles: beyond, the first panels take longer, and no product runs meanwhile. */
    private static final int MAX_EDGE = 4_096;

    /** Rounds, below which the first and the last, where GPUs wait for others, would be much of the time. */
    private static final int MIN_ROUNDS = 16;

    /** Memory of the GPU for an array. */
    private final class DeviceSlot {
        private final long address;
        /** After what wrote it. */
        private final TileGpu.GpuEvent written = gpu.event();
        /** After its last copy to the host. */
        private final TileGpu.GpuEvent saved = gpu.event();
        /** After the last task of each stream that used it. */
        private final Map<Integer, TileGpu.GpuEvent> used = new HashMap<>();

        private DeviceSlot(long address) {
            this.address = address;
        }

        private void awaitIdle(int stream) {
            gpu.await(stream, written);
            gpu.await(stream, saved);
            used.values().forEach(event -> gpu.await(stream, event));
        }
    }

    /** Memory of the host for an array on its way. */
    private final class Buffer {
        private final ByteBuffer bytes;
        /** After its last copy to or from the GPU. */
        private final TileGpu.GpuEvent copied = gpu.event();

        private Buffer(ByteBuffer bytes) {
            this.bytes = bytes;
        }
    }

    private final TileArrays<T> arrays;
    private final TileGpu gpu;
    private final Map<Tile, DeviceSlot> tiles = new HashMap<>();
    private final Map<Panel, DeviceSlot> panels = new HashMap<>();
    /** The one that is free for longest first: nothing uses it any more. */
    private final Deque<DeviceSlot> free = new ArrayDeque<>();

    private final List<Buffer> buffers = new ArrayList<>();
    private int round;
    private int stream;
    private int urgentStream;

    /**
     * A share without tiles.
     *
     * @param problem one that {@link TiledProblem#runsOnGpu}
     * @param parts tiles per side of a large tile
     * @param mostTiles the large tiles that it may have
     * @param hostMemory bytes for arrays on their way
     */
    public DevicePartition(TiledProblem<T> problem, int parts, int mostTiles, long hostMemory) {
        arrays = new TileArrays<>(problem, parts);
        int size = arrays.bytes();
        int slots = slots(problem, parts, mostTiles);
        gpu = problem.openGpu((long) slots * size);
        for (int i = 0; i < slots; i++) {
            free.add(new DeviceSlot(gpu.memory() + (long) i * size));
        }
        int most = (int)
                Math.min(Math.max(1, hostMemory / size), Runtime.getRuntime().availableProcessors());
        try {
            IntStream.range(0, most)
                    .parallel()
                    .mapToObj(i -> {
                        gpu.use();
                        return gpu.hostMemory(size);
                    })
                    .toList()
                    .forEach(bytes -> buffers.add(new Buffer(bytes)));
        } catch (Throwable e) {
            gpu.close();
            throw e;
        }
    }

    private static int slots(TiledProblem<?> problem, int parts, int mostTiles) {
        // A has one more in both directions
        return mostTiles + ROUNDS * 2 * (Grid.tiles(problem.side(), parts) + 1);
    }

    /** Bytes of the GPU for a share. */
    public static long bytes(TiledProblem<?> problem, int parts, int mostTiles) {
        return (long) slots(problem, parts, mostTiles) * parts * parts * problem.bytes();
    }

    /**
     * Tiles per side of a large tile.
     *
     * @return a power of 2
     */
    public static int parts(TiledProblem<?> problem) {
        int parts = problem.fewestParts();
        while (2 * parts * problem.edge() <= MAX_EDGE && 2 * parts * MIN_ROUNDS <= problem.side()) {
            parts *= 2;
        }
        return parts;
    }

    /**
     * Puts large tiles into the share, which has none at these places.
     *
     * @param content makes one, on several threads
     */
    public void put(List<Tile> places, Function<Tile, Grid<T>> content) {
        send(places, tiles, (tile, to) -> arrays.write(content.apply(tile), to));
    }

    /**
     * Reads large tiles, after {@link #finish}.
     *
     * @param reader takes them, on several threads
     */
    public void get(List<Tile> places, BiConsumer<Tile, Grid<T>> reader) {
        receive(places, tiles::get, (tile, from) -> reader.accept(tile, arrays.read(tile, from)));
    }

    /**
     * Gets what tasks read of tiles that other shares have, before {@link #run}.
     *
     * @param reader fills memory with what {@link #publish} gave there, on several threads
     */
    public void fetch(List<Task> wave, BiConsumer<Panel, ByteBuffer> reader) {
        begin(wave);
        List<Panel> missing = wave.stream()
                .flatMap(task -> Panel.reads(task).stream())
                .distinct()
                .filter(panel -> slot(panel) == null)
                .toList();
        send(missing, panels, reader);
    }

    /**
     * Gives what tasks on other tiles read of these, as soon as they have run; returns when all were given.
     *
     * @param writer takes it, on several threads
     */
    public void publish(List<Task> wave, BiConsumer<Panel, ByteBuffer> writer) {
        receive(wave.stream().flatMap(task -> Panel.writes(task).stream()).toList(), this::slot, writer);
    }

    /** Null if it is not here. */
    private DeviceSlot slot(Panel panel) {
        DeviceSlot tile = gpu.keepsLines() ? null : tiles.get(panel.tile());
        return tile == null ? panels.get(panel) : tile;
    }

    /** Copies arrays to the GPU. */
    private <K> void send(List<K> keys, Map<K, DeviceSlot> slots, BiConsumer<K, ByteBuffer> content) {
        gpu.use();
        for (List<K> group : groups(keys)) {
            List<Buffer> used = buffers.subList(0, group.size());
            used.forEach(buffer -> buffer.copied.await());
            List<CompletableFuture<Void>> actions = new ArrayList<>();
            for (int i = 0; i < group.size(); i++) {
                actions.add(start(group.get(i), used.get(i), content));
            }
            await(actions);
            for (int i = 0; i < group.size(); i++) {
                DeviceSlot slot = free.remove();
                slots.put(group.get(i), slot);
                slot.awaitIdle(TileGpu.UP);
                gpu.upload(slot.address, used.get(i).bytes);
                gpu.record(slot.written, TileGpu.UP);
                gpu.record(used.get(i).copied, TileGpu.UP);
            }
        }
    }

    /** Copies arrays from the GPU. */
    private <K> void receive(List<K> keys, Function<K, DeviceSlot> slots, BiConsumer<K, ByteBuffer> reader) {
        gpu.use();
        for (List<K> group : groups(keys)) {
            List<Buffer> used = buffers.subList(0, group.size());
            for (int i = 0; i < group.size(); i++) {
                DeviceSlot slot = slots.apply(group.get(i));
                gpu.await(TileGpu.DOWN, slot.written);
                gpu.await(TileGpu.DOWN, used.get(i).copied);
                gpu.download(used.get(i).bytes, slot.address);
                gpu.record(slot.saved, TileGpu.DOWN);
                gpu.record(used.get(i).copied, TileGpu.DOWN);
            }
            List<CompletableFuture<Void>> actions = new ArrayList<>();
            try {
                for (int i = 0; i < group.size(); i++) {
                    used.get(i).copied.await();
                    actions.add(start(group.get(i), used.get(i), reader));
                }
            } finally {
                await(actions);
            }
        }
    }

    /** As many at a time as there are buffers. */
    private <K> List<List<K>> groups(List<K> keys) {
        List<List<K>> groups = new ArrayList<>();
        for (int first = 0; first < keys.size(); first += buffers.size()) {
            groups.add(keys.subList(first, Math.min(keys.size(), first + buffers.size())));
        }
        return groups;
    }

    private <K> CompletableFuture<Void> start(K key, Buffer buffer, BiConsumer<K, ByteBuffer> action) {
        return CompletableFuture.runAsync(() -> action.accept(key, buffer.bytes.clear()));
    }

    /** Waits for all, also if one fails: they use the buffers. */
    private static void await(List<CompletableFuture<Void>> actions) {
        try {
            CompletableFuture.allOf(actions.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException own ? own : e;
        }
    }

    /**
     * Puts tasks on streams, on large tiles of this share that do not depend on each other; they run after those
     * before.
     */
    public void run(List<Task> wave) {
        gpu.use();
        begin(wave);
        wave.stream().filter(DevicePartition::isUrgent).forEach(task -> run(task, nextUrgent()));
        wave.stream().filter(task -> !isUrgent(task)).forEach(task -> run(task, next()));
    }

    /** Whether the next round waits for it. */
    private static boolean isUrgent(Task task) {
        int next = round(task) + 1;
        return task.kernel() != TileKernel.D
                || task.target().row() == next
                || task.target().column() == next;
    }

    private int next() {
        stream = (stream + 1) % TileGpu.STREAMS;
        return stream;
    }

    private int nextUrgent() {
        urgentStream = (urgentStream + 1) % TileGpu.STREAMS;
        return TileGpu.URGENT + urgentStream;
    }

    private static int round(Task task) {
        return switch (task.kernel()) {
            case A, B -> task.target().row();
            case C -> task.target().column();
            case D -> task.sources().get(0).column();
        };
    }

    /** Frees the panels of rounds that are over. */
    private void begin(List<Task> wave) {
        int next = round(wave.get(0));
        if (next > round) {
            round = next;
            panels.entrySet().removeIf(panel -> {
                boolean over = panel.getKey().round() <= round - ROUNDS;
                if (over) {
                    free.add(panel.getValue());
                }
                return over;
            });
        }
    }

    private void run(Task task, int on) {
        Map<Panel.Lines, DeviceSlot> lines = new EnumMap<>(Panel.Lines.class);
        List<DeviceSlot> all = new ArrayList<>();
        for (Panel panel : Panel.reads(task)) {
            DeviceSlot slot = slot(panel);
            gpu.await(on, slot.written);
            lines.put(panel.lines(), slot);
            all.add(slot);
        }
        DeviceSlot target = tiles.get(task.target());
        List<DeviceSlot> written = new ArrayList<>(List.of(target));
        if (gpu.keepsLines()) {
            for (Panel panel : Panel.writes(task)) {
                DeviceSlot slot = free.remove();
                panels.put(panel, slot);
                lines.put(panel.lines(), slot);
                written.add(slot);
            }
        }
        written.forEach(slot -> slot.awaitIdle(on));
        all.addAll(written);
        gpu.run(
                on,
                arrays.task(
                        task,
                        target.address,
                        address(lines.get(Panel.Lines.ROWS)),
                        address(lines.get(Panel.Lines.COLUMNS))));
        written.forEach(slot -> gpu.record(slot.written, on));
        all.forEach(slot -> gpu.record(slot.used.computeIfAbsent(on, each -> gpu.event()), on));
    }

    private long address(DeviceSlot lines) {
        return lines == null ? 0 : lines.address;
    }

    /**
     * Waits for all tasks.
     *
     * @return false if a task found that the problem has no answer, and {@link #check} tells why, here or in another
     *     share
     * @throws RuntimeException if a task found that, as {@link TiledProblem#run}
     */
    public boolean finish() {
        gpu.use();
        return gpu.finish();
    }

    /**
     * Tells why the problem has no answer; for the tiles on the diagonal in ascending order, in all shares.
     *
     * @throws RuntimeException if this tile shows it, as {@link TiledProblem#run}
     */
    public void check(Tile diagonal) {
        get(List.of(diagonal), arrays::check);
    }

    @Override
    public void close() {
        gpu.use();
        gpu.close();
    }
}
