package dev.bellman.align.subsequence;

import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVectorCore;
import dev.bellman.align.Text;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.Result;
import dev.bellman.columns.SolverCall;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs {@code scs_all(texts)} with the help of the GPU, which performs the steps on two strings, batched over many
 * rows. Exact tables and majority merges run on the CPU cores, which are otherwise idle while their tasks wait for the
 * GPU.
 */
record ScsAllKernel(SolverCall call) implements ColumnarKernel {
    /**
     * The number of comparisons for which rows are merged together: enough to fill a GPU without straining the heap.
     */
    private static final int COMPARISONS = 1 << 18;

    @Override
    public Result evaluate(Batch batch) {
        byte[][] results = new byte[batch.rows()][];
        long cells = 0;
        try (HostColumnVector column = batch.toHost(0)) {
            List<Integer> rows = new ArrayList<>();
            List<List<Text>> lists = new ArrayList<>();
            long comparisons = 0;
            for (int row = 0; row < results.length; row++) {
                List<Text> strings = strings(column, row);
                if (strings != null) {
                    rows.add(row);
                    lists.add(strings);
                    cells += SupersequenceOfAll.pairCells(strings);
                    long compared = Math.min(strings.size(), SupersequenceOfAll.MAX_COMPARED);
                    comparisons += 1 + compared * compared / 2;
                }
                if (comparisons >= COMPARISONS || row + 1 == results.length) {
                    List<Text> found = SupersequenceOfAll.ofEach(
                            lists, (SupersequenceOfAll.Strategy) call.strategy(), new PairStepsOnGpu());
                    for (int i = 0; i < found.size(); i++) {
                        results[rows.get(i)] = found.get(i).bytes();
                    }
                    rows.clear();
                    lists.clear();
                    comparisons = 0;
                }
            }
        }
        long counted = cells;
        batch.whenDone(() -> call.options().cells().add(counted));
        return batch.strings(results);
    }

    /** Returns the strings of a row, or null if the row is null or rejected. */
    private List<Text> strings(HostColumnVector column, int row) {
        if (column.isNull(row)) {
            return null;
        }
        HostColumnVectorCore strings = column.getChildColumnView(0);
        int first = (int) column.getStartListOffset(row);
        int count = (int) column.getEndListOffset(row) - first;
        return call.options()
                .answer(() -> SupersequenceOfAll.checked(
                        count, i -> strings.isNull(first + i) ? null : Text.of(strings.getUTF8(first + i))));
    }
}
