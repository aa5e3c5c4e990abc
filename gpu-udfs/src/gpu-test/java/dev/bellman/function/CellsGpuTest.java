package dev.bellman.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellman.FunctionOptions;
import dev.bellman.GpuTest;
import dev.bellman.OnInvalid;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** For rows that are solved, the GPU counts the same cells as the CPU. */
class CellsGpuTest extends GpuTest {
    private static final StructType SCHEMA = new StructType()
            .add("a", DataTypes.StringType)
            .add("b", DataTypes.StringType)
            .add("dims", DataTypes.createArrayType(DataTypes.LongType));

    private static Dataset<Row> instances() {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            String a = i % 50 == 3 ? null : "añ文".repeat(i % 7) + "x".repeat(i % 300);
            String b = "yx".repeat(i % 41);
            List<Long> dims = new ArrayList<>();
            for (int k = 0; k < i % 60; k++) {
                dims.add(1 + (k * 7L + i) % 50);
            }
            rows.add(RowFactory.create(a, b, dims.toArray(Long[]::new)));
        }
        return rows(SCHEMA, 2, rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "edit_distance(a, b)",
                "edit_distance(a, b, 9)",
                "edit_cigar(a, b)",
                "edit_distance_infix(b, a)",
                "edit_distance_infix_position(b, a)",
                "edit_distance_infix_all(b, a, 3)",
                "edit_distance_infix_all(array(b, 'x'), a, 3)",
                "jaro_similarity(a, b)",
                "ratio(a, b)",
                "partial_ratio(a, b)",
                "token_sort_ratio(a, concat(b, ' ', b))",
                "token_set_ratio(a, concat(b, ' ', b))",
                "weighted_ratio(a, concat(b, ' ', b))",
                "affine_gap_similarity(a, b)",
                "accordion_fold(repeat('HPPHH', length(a)))",
                "try_determinant(array(array(double(length(a)), 1D), array(2D, 3D)))",
                "try_linear_solve(array(array(double(length(a)), 1D), array(2D, 3D)), array(1D, 2D))",
                "gap_alignment(a, b, 1L, -1L, array_repeat(3L, 400))",
                "lcs_length(a, b)",
                "lcs(a, b)",
                "scs_length(a, b)",
                "scs(a, b)",
                "try_scs_all(array(a, b, concat(b, a)))",
                "try_matrix_chain_cost(dims)",
                "try_matrix_chain_order(dims)",
                "try_matrix_chain(dims)",
                "try_triangulation(dims)",
                "try_optimal_bst_cost(slice(dims, 2, 100), dims)",
                "try_optimal_bst(slice(dims, 2, 100), dims)",
                "try_parenthesization(slice(dims, 1, 3), slice(dims, 1, 3))",
                "try_s_dp(dims, array(2, 1), 40, 'first')",
                "try_s_dp_last(dims, array(3, 1), 120, 'sum')",
                "try_s_dp_weighted(dims, array(3, 1), array(5L, 2L), 90, 'min')",
                "try_dtw(dims, slice(dims, 2, 100), 3)",
                "try_dtw_search(slice(dims, 2, 9), dims)",
                "edr(dims, slice(dims, 2, 100), 1, 5)",
                "tree_edit_distance(concat('{', repeat('{a}', length(b)), '}'), concat('{', repeat('{a{b}}', 9), '}'))",
                "try_frechet_distance(transform(dims, x -> array(x, 1)), transform(dims, x -> array(1, x)))"
            })
    void sameAsOnCpu(String call) {
        long onGpu = cells(call);
        long onCpu = withConf("spark.rapids.sql.enabled", "false", () -> cells(call));

        assertThat(onGpu).as(call).isPositive().isEqualTo(onCpu);
    }

    /** A common part of several expressions is computed only once. */
    @Test
    void commonCall() {
        assertThat(cells("struct(edit_distance(a, b) + 1, edit_distance(a, b) * 2, edit_distance(a, b) > 3)"))
                .isPositive()
                .isEqualTo(cells("edit_distance(a, b)"));
    }

    private static long cells(String call) {
        LongAccumulator cells = spark().sparkContext().longAccumulator();
        SparkSession session = spark();
        try {
            BellmanFunctions.register(session, new FunctionOptions(OnInvalid.FAIL, cells::add));
            assertThat(instances().selectExpr(call).collectAsList()).hasSize(1_000);
            return cells.value();
        } finally {
            Bellman.register(session);
        }
    }
}
