package dev.bellman.markov;

import dev.bellman.GpuTest;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code forward} and {@code posterior} on the GPU. */
class ForwardGpuTest extends GpuTest {
    private static void compare(String function, List<Row> models) {
        compare(function, models, ModelRows.ARGUMENTS);
    }

    private static void compare(String function, List<Row> models, List<String> calls) {
        Dataset<Row> input = rows(ModelRows.SCHEMA, 3, models);
        for (String arguments : calls) {
            assertSameAsOnCpu(input, "try_" + function + arguments);
        }
    }

    /** Some of the models have numbers whose magnitudes differ too much for the kernels. */
    @ParameterizedTest
    @ValueSource(strings = {"forward", "posterior"})
    void random(String function) {
        compare(function, ModelRows.models(1, 3_000, 5, 30));
        compare(function, ModelRows.models(2, 600, 70, 100));
        compare(function, ModelRows.models(3, 100, 64, 1_000));
    }

    @ParameterizedTest
    @ValueSource(strings = {"forward", "posterior"})
    void logarithms(String function) {
        compare(function, ModelRows.logarithms(8, 3_000, 5, 30), ModelRows.ARGUMENTS_WITH_LOGARITHMS);
        compare(function, ModelRows.logarithms(9, 600, 70, 100), ModelRows.ARGUMENTS_WITH_LOGARITHMS);
    }

    /** The kernel of {@code forward} for 64 states copies the emissions of up to 32 symbols to shared memory. */
    @ParameterizedTest
    @ValueSource(strings = {"forward", "posterior"})
    void manySymbols(String function) {
        compare(function, ModelRows.withSymbols(10, 600, 64, 64), ModelRows.ARGUMENTS.subList(1, 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"forward", "posterior"})
    void manyStates(String function) {
        compare(function, ModelRows.models(4, 10, 700, 12));
    }

    /** The CPU solves models with too many states for a block, and rows whose tables do not fit in GPU memory. */
    @ParameterizedTest
    @ValueSource(strings = {"forward", "posterior"})
    void onCpu(String function) {
        compare(function, ModelRows.models(5, 3, 1_200, 3));
        withConf("spark.bellman.gpuMemory", "20k", () -> compare(function, ModelRows.models(6, 200, 20, 300)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"forward", "posterior"})
    void oneModel(String function) {
        assertSameAsOnCpu(
                rows(ModelRows.SCHEMA, 2, ModelRows.models(7, 500, 2, 40)),
                function + "(array(0.6, 0.4), array(array(0.7, 0.3), array(0.4, 0.6)), "
                        + "array(array(0.5, 0.4, 0.1, 0.1, 0.2), array(0.1, 0.3, 0.6, 0.1, 0.2)), symbols)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"forward", "posterior"})
    void rejectedRows(String function) {
        Dataset<Row> input = rows(ModelRows.SCHEMA, 1, ModelRows.withRejected());
        for (String arguments : ModelRows.ARGUMENTS_OF_REJECTED) {
            String call = function + arguments;
            assertSameAsOnCpu(input, "try_" + call);
            assertSameFailure(input, call);
        }
    }
}
