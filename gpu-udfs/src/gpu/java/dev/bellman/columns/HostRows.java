package dev.bellman.columns;

import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies of some of a batch's rows on the host. The rows are copied together, because copying them separately would
 * take longer than solving most of them.
 */
final class HostRows implements AutoCloseable {
    private final List<HostColumnVector> columns = new ArrayList<>();

    private HostRows() {}

    static HostRows of(Table table) {
        HostRows rows = new HostRows();
        try {
            for (int column = 0; column < table.getNumberOfColumns(); column++) {
                rows.columns.add(table.getColumn(column).copyToHost());
            }
        } catch (RuntimeException | Error e) {
            rows.close();
            throw e;
        }
        return rows;
    }

    /** Returns a row's values in Spark's internal form, as a function takes them on the CPU. */
    List<Object> get(int row) {
        List<Object> values = new ArrayList<>();
        for (HostColumnVector column : columns) {
            values.add(HostValues.read(column, row));
        }
        return values;
    }

    @Override
    public void close() {
        columns.forEach(HostColumnVector::close);
    }
}
