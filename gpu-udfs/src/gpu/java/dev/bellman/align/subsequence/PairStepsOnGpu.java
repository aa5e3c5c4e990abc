package dev.bellman.align.subsequence;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVector.DataType;
import dev.bellman.FunctionOptions;
import dev.bellman.align.Text;
import dev.bellman.columns.Batch;
import dev.bellman.columns.ColumnarKernel;
import dev.bellman.columns.SolverCall;
import dev.bellman.columns.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Performs the merge steps for pairs of strings on the GPU, in batches that are copied from host memory. */
final class PairStepsOnGpu implements PairSteps {
    /**
     * The number of bytes at which a batch receives no further pairs, chosen so that its columns do not overflow.
     */
    private static final int BYTES = 1 << 27;

    /** Returns the value of a host column in a row. */
    private interface Cell<T> {
        T read(HostColumnVector column, int row);
    }

    @Override
    public List<Integer> common(List<Pair> pairs) {
        SolverCall call = SubsequenceFunctions.lcsLength()
                .signatures()
                .get(0)
                .call(LongestCommonSubsequence.Strategy.AUTO, FunctionOptions.DEFAULT);
        return answers(pairs, new LcsLengthKernel(call), Types.INT, HostColumnVector::getInt);
    }

    @Override
    public List<Text> merged(List<Pair> pairs) {
        SolverCall call = SubsequenceFunctions.scs()
                .signatures()
                .get(0)
                .call(ShortestCommonSupersequence.Strategy.AUTO, FunctionOptions.DEFAULT);
        return answers(pairs, new ScsKernel(call), Types.STRING, (column, row) -> Text.of(column.getUTF8(row)));
    }

    private static <T> List<T> answers(List<Pair> pairs, ColumnarKernel kernel, DataType type, Cell<T> cell) {
        List<T> answers = new ArrayList<>(pairs.size());
        while (answers.size() < pairs.size()) {
            int first = answers.size();
            int end = first;
            long bytes = 0;
            do {
                Pair pair = pairs.get(end++);
                bytes += pair.a().bytes().length + (long) pair.b().bytes().length;
            } while (end < pairs.size() && bytes < BYTES);
            List<Pair> batch = pairs.subList(first, end);
            try (ColumnVector a = strings(batch, Pair::a);
                    ColumnVector b = strings(batch, Pair::b);
                    ColumnVector answered = Batch.evaluate(kernel, type, batch.size(), a, b);
                    HostColumnVector host = answered.copyToHost()) {
                for (int row = 0; row < batch.size(); row++) {
                    answers.add(cell.read(host, row));
                }
            }
        }
        return answers;
    }

    private static ColumnVector strings(List<Pair> pairs, Function<Pair, Text> side) {
        return ColumnVector.fromUTF8Strings(
                pairs.stream().map(side).map(Text::bytes).toArray(byte[][]::new));
    }
}
