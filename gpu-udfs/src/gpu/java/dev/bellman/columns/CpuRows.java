package dev.bellman.columns;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.ColumnView;
import ai.rapids.cudf.HostColumnVector.DataType;
import ai.rapids.cudf.Table;
import dev.bellman.CellCounter;
import dev.bellman.FunctionOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Solves some rows of a batch on the CPU and merges their results into the result column. */
final class CpuRows {
    private record Share(Supplier<int[]> rows, FunctionOptions options, CpuFunction cpu) {}

    /** Counts the cells and the strategies of the rows that the CPU solved, once the result is complete. */
    private record CountedLater(Batch batch, CellCounter counter) implements CellCounter {
        @Override
        public void add(long cells) {
            batch.whenDone(() -> counter.add(cells));
        }

        @Override
        public void chose(String strategy, long rows) {
            batch.whenDone(() -> counter.chose(strategy, rows));
        }
    }

    private record Call(int row, FunctionOptions options, CpuFunction cpu) {}

    private final List<Share> shares = new ArrayList<>();

    void add(Supplier<int[]> rows, FunctionOptions options, CpuFunction cpu) {
        shares.add(new Share(rows, options, cpu));
    }

    /**
     * Solves the rows and merges the results.
     *
     * @param solved the results of the other rows; this method takes ownership of them
     * @return the results of all rows
     */
    @SuppressWarnings("unchecked") // wraps a list as the only list in a column of lists
    ColumnVector solve(Batch batch, DataType type, ColumnVector solved) {
        try (solved) {
            List<Call> calls = new ArrayList<>();
            for (Share share : shares) {
                for (int row : share.rows().get()) {
                    calls.add(new Call(row, share.options(), share.cpu()));
                }
            }
            if (calls.isEmpty()) {
                return solved.incRefCount();
            }
            int rows = batch.rows();
            int[] source = new int[rows];
            for (int row = 0; row < rows; row++) {
                source[row] = row;
            }
            List<Object> results = new ArrayList<>();
            try (HostRows arguments =
                    batch.rowsOnHost(calls.stream().mapToInt(Call::row).toArray())) {
                for (Call call : calls) {
                    FunctionOptions countedLater = call.options()
                            .with(new CountedLater(batch, call.options().cells()));
                    source[call.row()] = rows + results.size();
                    results.add(HostValues.write(call.cpu().call(countedLater, arguments.get(results.size()))));
                }
            }
            // the column contains one list, whose elements are the results
            try (ColumnVector list = ColumnVector.fromLists(Types.list(type), results);
                    ColumnView elements = list.getChildColumnView(0);
                    ColumnVector all = ColumnVector.concatenate(solved, elements);
                    ColumnVector sources = ColumnVector.fromInts(source);
                    Table table = new Table(all);
                    Table merged = table.gather(sources)) {
                return merged.getColumn(0).incRefCount();
            }
        }
    }
}
