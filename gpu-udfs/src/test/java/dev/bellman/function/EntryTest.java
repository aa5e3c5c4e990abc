package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.BellmanException;
import dev.bellman.FunctionOptions;
import dev.bellman.SparkTest;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.entry.Entry;
import dev.bellman.entry.Parameter;
import dev.bellman.entry.Problem;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests entries with and without kernels. */
class EntryTest extends SparkTest {
    private enum Strategy {
        AUTO,
        SERIAL
    }

    private static final Parameter N = new Parameter("n", DataTypes.IntegerType);

    private static Entry<Strategy> entry() {
        return Entry.of("sum_to", new Problem<>("sum_to", Strategy.class, Strategy.SERIAL))
                .signature(
                        List.of(
                                N,
                                Parameter.optional("step", DataTypes.IntegerType, 1),
                                new Parameter("start", DataTypes.LongType).orElse(0L, "from zero")),
                        DataTypes.LongType,
                        (strategy, options, arguments) -> {
                            if (arguments.integer(0) < 0) {
                                throw BellmanException.inRow(
                                        arguments.function(),
                                        "n is %d; it must be at least 0".formatted(arguments.integer(0)));
                            }
                            long sum = arguments.bigint(2);
                            for (int i = 0; i <= arguments.integer(0); i += arguments.integer(1)) {
                                sum += i;
                            }
                            return sum;
                        })
                .description("Returns the sum of the numbers from 0 to `n`.")
                .rejects("a negative `n`")
                .example("sum_to(4)", "10");
    }

    @BeforeAll
    static void register() {
        BellmanFunctions.register(spark, List.of(entry().function()), FunctionOptions.DEFAULT);
    }

    @Test
    void calls() {
        assertThat(value("sum_to(4)")).isEqualTo(10L);
        assertThat(value("sum_to(4, 2)")).isEqualTo(6L);
        assertThat(value("sum_to(4, start => 5)")).isEqualTo(15L);
        assertThat(value("sum_to(step => 3, n => 4)")).isEqualTo(3L);
        assertThat(value("sum_to(CAST(NULL AS INT))")).isNull();
        assertThat(value("sum_to(4, CAST(NULL AS INT))")).isNull();
        assertThat(value("try_sum_to(-1, start => 2)")).isNull();
        assertThatThrownBy(() -> value("sum_to(-1)"))
                .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] sum_to: n is -1; it must be at least 0");
        assertThat(spark.sql("DESCRIBE FUNCTION sum_to").collectAsList().toString())
                .contains("sum_to(n, step = 1, start = from zero) - Returns the sum");
    }

    /** Plans omit trailing arguments that equal their defaults. */
    @Test
    void plans() {
        assertThat(plan("sum_to(n, 1, 0)"))
                .contains("sum_to(n#")
                .doesNotContain(", 1")
                .doesNotContain(", 0");
        assertThat(plan("sum_to(n, 2)")).contains(", 2)");
        assertThat(plan("sum_to(n, start => n)"))
                .containsPattern("sum_to\\(n#\\d+, start => cast\\(n#\\d+ as bigint\\)\\)");
    }

    private static String plan(String call) {
        return spark.range(3)
                .selectExpr("CAST(id AS INT) AS n")
                .selectExpr(call)
                .queryExecution()
                .analyzed()
                .toString();
    }

    @Test
    void kernels() {
        BellmanFunction<Strategy> onCpu = entry().function();
        assertThat(onCpu.hasKernel()).isFalse();
        assertThat(onCpu.signatures()).hasSize(3).noneMatch(each -> each.hasKernel(Strategy.AUTO));

        BellmanFunction<Strategy> onGpu = Entry.of("half", onCpu.problem())
                .signature(
                        List.of(
                                N,
                                Parameter.optional("costs", DataTypes.IntegerType, 1)
                                        .withoutKernel()),
                        DataTypes.LongType,
                        (strategy, options, arguments) -> 0L)
                .kernels(Strategy.AUTO)
                .description("Returns nothing.")
                .example("half(1)", "0")
                .function();
        assertThat(onGpu.kernels()).containsExactly(Strategy.AUTO);
        assertThat(onGpu.signatures().get(0).hasKernel(Strategy.AUTO)).isTrue();
        assertThat(onGpu.signatures().get(1).hasKernel(Strategy.AUTO)).isFalse();
        assertThat(onGpu.signatures().get(0).hasKernel(Strategy.SERIAL)).isFalse();
    }

    @Test
    void wrongEntries() {
        Entry<Strategy> optionalFirst = Entry.of("f", entry().function().problem())
                .signature(
                        List.of(Parameter.optional("a", DataTypes.IntegerType, 1), N),
                        DataTypes.LongType,
                        (strategy, options, arguments) -> 0L)
                .description("Returns nothing.")
                .example("f(1, 1)", "0");
        assertThatThrownBy(optionalFirst::function).hasMessage("f: a required parameter follows an optional one");
        Entry<Strategy> constantFirst = Entry.of("g", entry().function().problem())
                .signature(
                        List.of(new Parameter("a", DataTypes.IntegerType).constantOnGpu(), N),
                        DataTypes.LongType,
                        (strategy, options, arguments) -> 0L)
                .description("Returns nothing.")
                .example("g(1, 1)", "0");
        assertThatThrownBy(constantFirst::function)
                .hasMessage("g: a parameter with a column follows one that must be constant on the GPU");
        assertThatThrownBy(() -> Parameter.optional("a", DataTypes.IntegerType, null))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> entry().description(null).function()).hasMessage("sum_to: description");
    }
}
