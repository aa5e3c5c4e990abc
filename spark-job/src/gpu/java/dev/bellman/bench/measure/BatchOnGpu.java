package dev.bellman.bench.measure;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.Cuda;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.ParquetOptions;
import ai.rapids.cudf.Table;
import dev.bellman.columns.KernelFunction;
import dev.bellman.columns.SolverCall;
import dev.bellman.function.Kernels;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A batch that holds the first files of a dataset: at least one complete file, and more up to about a million rows in
 * total. Needs RAPIDS' memory manager, which a session with the RAPIDS plugin starts.
 */
public final class BatchOnGpu implements GpuBatch {
    private static final long ROWS = 1_000_000;

    private final Table table;
    private final int columns;

    private BatchOnGpu(Table table) {
        this.table = table;
        this.columns = table.getNumberOfColumns();
    }

    public static BatchOnGpu read(BenchmarkData data) {
        File[] files = new File(data.folder()).listFiles((folder, name) -> name.endsWith(".parquet"));
        Arrays.sort(files);
        ParquetOptions options = ParquetOptions.builder()
                .includeColumn(data.columns().toArray(String[]::new))
                .build();
        List<Table> tables = new ArrayList<>();
        try {
            long rows = 0;
            for (File file : files) {
                Table next = Table.readParquet(options, file);
                tables.add(next);
                rows += next.getRowCount();
                if (rows + next.getRowCount() > ROWS) {
                    break;
                }
            }
            if (tables.size() == 1) {
                return new BatchOnGpu(tables.remove(0));
            }
            return new BatchOnGpu(Table.concatenate(tables.toArray(Table[]::new)));
        } finally {
            tables.forEach(Table::close);
        }
    }

    @Override
    public int rows() {
        return Math.toIntExact(table.getRowCount());
    }

    @Override
    public double kernelSeconds(SolverCall call) {
        KernelFunction kernels = Kernels.of(call);
        return KernelBench.seconds(
                () -> kernels.evaluateColumnar(rows(), arguments()).close());
    }

    @Override
    public long[] longs(SolverCall call) {
        try (ColumnVector result = Kernels.of(call).evaluateColumnar(rows(), arguments());
                HostColumnVector host = result.copyToHost()) {
            return LongStream.range(0, rows()).map(host::getLong).toArray();
        }
    }

    @Override
    public double hostSeconds(SolverCall call) {
        KernelFunction kernels = Kernels.of(call);
        HostColumnVector[] host = new HostColumnVector[columns];
        ColumnVector[] device = new ColumnVector[columns];
        try {
            for (int i = 0; i < columns; i++) {
                host[i] = table.getColumn(i).copyToHost();
            }
            Cuda.deviceSynchronize();
            return Stopwatch.seconds(() -> {
                for (int i = 0; i < columns; i++) {
                    device[i] = host[i].copyToDevice();
                }
                try (ColumnVector result = kernels.evaluateColumnar(rows(), device)) {
                    result.copyToHost().close();
                }
            });
        } finally {
            for (int i = 0; i < columns; i++) {
                if (host[i] != null) {
                    host[i].close();
                }
                if (device[i] != null) {
                    device[i].close();
                }
            }
        }
    }

    private ColumnVector[] arguments() {
        ColumnVector[] arguments = new ColumnVector[columns];
        for (int i = 0; i < columns; i++) {
            arguments[i] = table.getColumn(i);
        }
        return arguments;
    }

    @Override
    public void close() {
        table.close();
    }
}
