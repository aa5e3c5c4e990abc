package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.GpuTest;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Casts of arguments run on the GPU and fail if a value does not fit, whether or not the session is ANSI. */
class ArgumentsGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType()
            .add("a", DataTypes.StringType)
            .add("b", DataTypes.StringType)
            .add("n", DataTypes.LongType)
            .add("longs", DataTypes.createArrayType(DataTypes.LongType))
            .add("ints", DataTypes.createArrayType(DataTypes.IntegerType));

    private static Dataset<Row> instances(long... numbers) {
        return rows(
                SCHEMA,
                1,
                java.util.Arrays.stream(numbers)
                        .mapToObj(n -> RowFactory.create(
                                "kitten", "sitting", n, new Long[] {n, 1L}, new Integer[] {40, 2, 30}))
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"true", "false"})
    void narrowing(String ansi) {
        withConf("spark.sql.ansi.enabled", ansi, () -> {
            Dataset<Row> fitting = instances(2, 3);
            assertSameAsOnCpu(fitting, "edit_distance(a, b, n)");
            assertSameAsOnCpu(fitting, "s_dp_last(array(1L, 1L, 1L), longs, 20L, 'sum')");
            assertSameAsOnCpu(fitting, "matrix_chain_cost(ints)");
            Dataset<Row> overflowing = instances(2, 3_000_000_000L);
            for (String call :
                    List.of("edit_distance(a, b, n)", "try_s_dp_last(array(1L, 1L, 1L), longs, 20L, 'sum')")) {
                assertThatThrownBy(() -> overflowing.selectExpr(call).collectAsList())
                        .as(call)
                        .hasStackTraceContaining("ArithmeticException");
            }
        });
    }
}
