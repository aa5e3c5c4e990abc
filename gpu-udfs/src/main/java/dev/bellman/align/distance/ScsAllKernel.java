package dev.bellman.align.distance;

import ai.rapids.cudf.DType;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVector.BasicType;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code scs_all(strings)} with the GPU: the steps on two strings run there, those of many rows together. Exact tables and majority
 * merges run on the cores of this machine, which idle while their tasks wait for the GPU.
 */
record ScsAllKernel(ScsAllUdf udf) implements ColumnarKernel {
    /** Rows with about so many comparisons are merged together: what fills a GPU and leaves the heap alone. */
    private static final int COMPARISONS = 1 << 18;

    @Override
    public DataType type() {
        return new BasicType(true, DType.STRING);
    }

    @Override
    public Result evaluate(Batch batch) {
        String[] results = new String[batch.rows()];
        long cells = 0;
        try (HostColumnVector column = batch.toHost(0)) {
            List<Integer> rows = new ArrayList<>();
            List<List<String>> lists = new ArrayList<>();
            long comparisons = 0;
            for (int row = 0; row < results.length; row++) {
                List<String> strings = strings(column, row);
                if (strings != null) {
                    rows.add(row);
                    lists.add(strings);
                    cells += ScsAllUdf.cells(strings);
                    long compared = Math.min(strings.size(), SupersequenceOfAll.MOST_COMPARED);
                    comparisons += 1 + compared * compared / 2;
                }
                if (comparisons >= COMPARISONS || row + 1 == results.length) {
                    List<String> found = SupersequenceOfAll.ofEach(lists, udf.strategy, new PairStepsOnGpu());
                    for (int i = 0; i < found.size(); i++) {
                        results[rows.get(i)] = found.get(i);
                    }
                    rows.clear();
                    lists.clear();
                    comparisons = 0;
                }
            }
        }
        Result result = batch.strings(results);
        udf.options.cells().add(cells);
        return result;
    }

    /** The strings of a row; null if the row is, or is rejected. */
    @SuppressWarnings("unchecked")
    private List<String> strings(HostColumnVector column, int row) {
        return column.isNull(row)
                ? null
                : udf.options.answer(() -> ScsAllUdf.checked((List<String>) column.getList(row)));
    }
}
