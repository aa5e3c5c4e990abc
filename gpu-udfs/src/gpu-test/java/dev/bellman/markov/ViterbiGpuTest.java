package dev.bellman.markov;

import dev.bellman.GpuTest;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

class ViterbiGpuTest extends GpuTest {
    private static void compare(long seed, int count, int mostStates, int mostSteps) {
        compare(ModelRows.models(seed, count, mostStates, mostSteps), ModelRows.ARGUMENTS);
        compare(ModelRows.logarithms(seed, count, mostStates, mostSteps), ModelRows.ARGUMENTS_WITH_LOGARITHMS);
    }

    private static void compare(List<Row> models, List<String> calls) {
        Dataset<Row> input = rows(ModelRows.SCHEMA, 3, models);
        for (String arguments : calls) {
            assertSameAsOnCpu(input, "try_viterbi" + arguments);
        }
    }

    @Test
    void random() {
        compare(1, 3_000, 5, 30);
        compare(2, 600, 70, 100);
    }

    @Test
    void manyStates() {
        compare(3, 10, 400, 60);
    }

    /** The CPU solves models with too many states for a block, and rows whose tables do not fit in GPU memory. */
    @Test
    void onCpu() {
        compare(4, 3, 1_200, 3);
        withConf("spark.bellman.gpuMemory", "20k", () -> compare(5, 200, 20, 300));
    }

    /** Tests models with few states, about half of which contain logarithms, with enough rows to fill a GPU. */
    @Test
    void manyRowsOfLogarithms() {
        compare(ModelRows.logarithms(9, 70_000, 4, 40), ModelRows.ARGUMENTS_WITH_LOGARITHMS);
    }

    /** Tests models with few states, with enough rows to fill a GPU at one thread per four states. */
    @Test
    void manyRows() {
        for (int states : new int[] {3, 4, 7, 8}) {
            Dataset<Row> input =
                    rows(ModelRows.SCHEMA, 1, ModelRows.withSymbols(states, states <= 4 ? 70_000 : 30_000, states, 12));
            assertSameAsOnCpu(input, "try_viterbi" + ModelRows.ARGUMENTS.get(1));
        }
    }

    @Test
    void oneModel() {
        Dataset<Row> input = rows(ModelRows.SCHEMA, 2, ModelRows.models(6, 500, 2, 40));
        assertSameAsOnCpu(
                input,
                "viterbi(array(0.6, 0.4), array(array(0.7, 0.3), array(0.4, 0.6)), "
                        + "array(array(0.5, 0.4, 0.1, 0.1, 0.2), array(0.1, 0.3, 0.6, 0.1, 0.2)), symbols)");
    }

    @Test
    void rejectedRows() {
        Dataset<Row> input = rows(ModelRows.SCHEMA, 1, ModelRows.withRejected());
        for (String arguments : ModelRows.ARGUMENTS_OF_REJECTED) {
            String call = "viterbi" + arguments;
            assertSameAsOnCpu(input, "try_" + call);
            assertSameFailure(input, call);
        }
    }
}
