package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.CellCounter;
import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkRuntimeException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

class CallFunctionsTest {
    private static final String STRATEGY = "spark.bellman.edit_distance.strategy";

    private static ScalaUDF call(String name, FunctionOptions options, Object... constants) {
        List<Expression> arguments = IntStream.range(0, constants.length)
                .<Expression>mapToObj(i -> Literal.create(
                        constants[i], constants[i] instanceof String ? DataTypes.StringType : DataTypes.IntegerType))
                .toList();
        return (ScalaUDF) FunctionBuilder.all(Catalogue.functions(), options).stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow()
                .apply(CollectionConverters.asScala(arguments).toSeq());
    }

    @Test
    void equalCalls() {
        ScalaUDF call = call("edit_distance", FunctionOptions.DEFAULT, "a", "b");
        ScalaUDF same = call("edit_distance", FunctionOptions.DEFAULT, "a", "b");

        assertThat(same).isEqualTo(call).hasSameHashCodeAs(call);
        assertThat(same.canonicalized()).isEqualTo(call.canonicalized());
        assertThat(same.semanticHash()).isEqualTo(call.semanticHash());
        assertThat(same.toString()).isEqualTo("edit_distance(a, b)");
        assertThat(call.deterministic()).isTrue();
    }

    @Test
    void otherCalls() {
        ScalaUDF call = call("edit_distance", FunctionOptions.DEFAULT, "a", "b");
        FunctionOptions counting = FunctionOptions.DEFAULT.with((CellCounter) cells -> {});
        SQLConf.get().setConfString(STRATEGY, "serial");
        ScalaUDF bySerial;
        try {
            bySerial = call("edit_distance", FunctionOptions.DEFAULT, "a", "b");
        } finally {
            SQLConf.get().unsetConf(STRATEGY);
        }
        assertThat(List.of(
                        call("edit_distance", FunctionOptions.DEFAULT, "a", "c"),
                        call("edit_distance", FunctionOptions.DEFAULT, "a", "b", 3),
                        call("edit_distance", FunctionOptions.DEFAULT.with(OnInvalid.NULL), "a", "b"),
                        call("edit_distance", counting, "a", "b"),
                        call("lcs_length", FunctionOptions.DEFAULT, "a", "b"),
                        bySerial))
                .allSatisfy(other -> {
                    assertThat(other).isNotEqualTo(call);
                    assertThat(other.semanticEquals(call)).isFalse();
                });
    }

    @Test
    void sharedByThreads() {
        FunctionOptions options = FunctionOptions.DEFAULT.with((CellCounter) cells -> {});
        assertThat(IntStream.range(0, 64)
                        .parallel()
                        .mapToObj(i -> call("edit_distance", options, "a", "b").function())
                        .distinct())
                .hasSize(1);
    }

    /** In a session without the extension, calls are also folded, and fail like built-in functions. */
    @Test
    void registered() {
        SparkSession spark = SparkSession.builder().master("local[1]").getOrCreate();
        try {
            BellmanFunctions.register(spark, FunctionOptions.DEFAULT);
            BellmanFunctions.register(spark, FunctionOptions.DEFAULT);
            assertThat(spark.range(3)
                            .selectExpr("edit_distance('kitten', 'sitting') AS x")
                            .queryExecution()
                            .optimizedPlan()
                            .toString())
                    .contains("[3 AS x");
            assertThat(((org.apache.spark.sql.classic.SparkSession) spark)
                            .experimental()
                            .extraOptimizations()
                            .size())
                    .isEqualTo(2);
            assertThatThrownBy(() -> spark.range(1)
                            .selectExpr("hamming_distance(string(id), 'xy')")
                            .collectAsList())
                    .isInstanceOf(SparkRuntimeException.class)
                    .hasMessageStartingWith("[BELLMAN_INPUT_VALUE] hamming_distance: a has 1 characters and b has 2;");
        } finally {
            spark.stop();
        }
    }

    /** After all calls with certain options are gone, these options and their counter are garbage collected. */
    @Test
    void unusedIsForgotten() throws InterruptedException {
        WeakReference<CellCounter> counter = counterOfACall();
        while (counter.get() != null) {
            System.gc();
            Thread.sleep(10);
            call("lcs_length", FunctionOptions.DEFAULT, "a", "b");
        }
    }

    private static WeakReference<CellCounter> counterOfACall() {
        StringBuilder captured = new StringBuilder();
        CellCounter counter = cells -> captured.append(cells);
        ScalaUDF call = call("edit_distance", FunctionOptions.DEFAULT.with(counter), "a", "b");
        assertThat(CallFunctions.isCall(call, "edit_distance")).isTrue();
        return new WeakReference<>(counter);
    }
}
