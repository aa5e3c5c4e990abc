package dev.bellman.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.function.Bellman;
import dev.bellman.job.LocalSpark;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class FunctionCaseTest {
    private static final List<FunctionCase> CASES = FunctionCase.ALL;

    @ParameterizedTest
    @FieldSource("CASES")
    void hasAKernelAndAnAnswer(FunctionCase its) {
        SparkSession spark = LocalSpark.session();
        Bellman.register(spark);
        Dataset<Row> data = its.data(spark, 1, 1);

        assertThat(data.columns()).startsWith("id").hasSize(its.names().size() + 1);
        assertThat(its.solver(data).hasKernel()).isTrue();
        assertThat(its.solver(data).given()).isEqualTo(its.names().size());
        assertThat(data.selectExpr(its.call()).first().isNullAt(0)).isFalse();
    }
}
