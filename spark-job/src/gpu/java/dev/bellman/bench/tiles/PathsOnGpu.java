package dev.bellman.bench.tiles;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.DeviceMemoryBuffer;
import ai.rapids.cudf.HostMemoryBuffer;
import dev.bellman.bench.measure.KernelBench;
import dev.bellman.graph.ShortestPaths;
import dev.bellman.graph.dense.Cell;
import dev.bellman.graph.dense.DistancesOnGpu;
import dev.bellman.large.tiles.Schedule;
import java.util.Arrays;

/** Measures {@link DistancesOnGpu}. */
public final class PathsOnGpu implements GpuPaths {
    @Override
    public boolean fits(int vertices) {
        // a recursive strategy keeps two more tables
        return 3 * DistancesOnGpu.bytes(Cell.INT32, vertices) <= ShortestPaths.gpuMemory();
    }

    @Override
    public double seconds(ShortestPathsTable.Edges edges, String strategy) {
        long[] weights = Arrays.stream(edges.weights()).asLongStream().toArray();
        try (ColumnVector sources = ColumnVector.fromInts(edges.sources());
                ColumnVector targets = ColumnVector.fromInts(edges.targets());
                ColumnVector lengths = ColumnVector.fromLongs(weights);
                DistancesOnGpu table = new DistancesOnGpu(Cell.INT32, 0, edges.n())) {
            table.add(
                    weights.length,
                    sources.getData().getAddress(),
                    targets.getData().getAddress(),
                    lengths.getData().getAddress());
            double seconds = KernelBench.seconds(() -> {
                switch (strategy) {
                    case "blocked" -> table.solve();
                    // divides the table directly into the smallest tiles, which fit in a multiprocessor's shared memory
                    case "r-way" -> table.solve(Schedule.rWay(table.side()));
                    default -> table.solve(Schedule.twoWay(table.side()));
                }
            });
            check(edges, strategy, table);
            return seconds;
        }
    }

    private static void check(ShortestPathsTable.Edges edges, String strategy, DistancesOnGpu table) {
        int[][] rows = new int[ShortestPathsTable.CHECKED][table.pitch()];
        int[] sources = new int[ShortestPathsTable.CHECKED];
        long bytes = (long) table.pitch() * Integer.BYTES;
        try (HostMemoryBuffer host = HostMemoryBuffer.allocate(bytes)) {
            for (int i = 0; i < ShortestPathsTable.CHECKED; i++) {
                sources[i] = edges.source(i);
                try (DeviceMemoryBuffer row = table.table().slice(sources[i] * bytes, bytes)) {
                    host.copyFromDeviceBuffer(row);
                }
                host.getInts(rows[i], 0, 0, table.pitch());
            }
        }
        edges.check(strategy, (source, to) -> rows[Arrays.binarySearch(sources, source)][to]);
    }
}
