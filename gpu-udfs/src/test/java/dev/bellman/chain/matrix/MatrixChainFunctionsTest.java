package dev.bellman.chain.matrix;

import static dev.bellman.Failing.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellman.ErrorCode;
import dev.bellman.FunctionOptions;
import dev.bellman.OnInvalid;
import dev.bellman.SparkTest;
import dev.bellman.TextbookAnswers;
import dev.bellman.entry.BellmanFunction;
import dev.bellman.proof.Values;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MatrixChainFunctionsTest extends SparkTest {
    @ParameterizedTest
    @ValueSource(strings = {"auto", "table", "tiled", "hu-shing"})
    void strategies(String strategy) {
        spark.conf().set("spark.bellman.matrix_chain.strategy", strategy);
        try {
            for (String type : new String[] {"SMALLINT", "INT", "BIGINT"}) {
                String dims = "CAST(array(30, 35, 15, 5, 10, 20, 25) AS ARRAY<" + type + ">)";
                assertThat(value("matrix_chain_cost(" + dims + ")")).isEqualTo(15125L);
                assertThat(value("matrix_chain_order(" + dims + ")")).isEqualTo("((A1(A2A3))((A4A5)A6))");
                Row solution = (Row) value("matrix_chain(" + dims + ")");
                assertThat(solution.getLong(0)).isEqualTo(15125L);
                assertThat(solution.getString(1)).isEqualTo("((A1(A2A3))((A4A5)A6))");
                assertThat(solution.<Integer>getList(2)).containsExactly(3, 1, 2, 5, 4);
            }
        } finally {
            spark.conf().unset("spark.bellman.matrix_chain.strategy");
        }
    }

    /** Tests columns in several partitions, with NULL rows, instead of constants. */
    @Test
    void columns() {
        spark.range(0, 1_000, 1, 4)
                .selectExpr("id", "IF(id % 10 = 0, NULL, array(id, 2, id, 3)) AS dims")
                .selectExpr("id", "matrix_chain_cost(dims)", "matrix_chain(dims).cost")
                .collectAsList()
                .forEach(row -> {
                    long id = row.getLong(0);
                    Long expected = id % 10 == 0 ? null : Long.valueOf(cost(id));
                    assertThat(row.get(1)).isEqualTo(expected);
                    assertThat(row.get(2)).isEqualTo(expected);
                });
    }

    /** Returns the smaller cost of the two orders of the chain id x 2 x id x 3. */
    private static long cost(long id) {
        return Math.min(id * 2 * id + id * id * 3, 2 * id * 3 + id * 2 * 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"matrix_chain_cost", "matrix_chain_order", "matrix_chain"})
    void nullAndInvalid(String function) {
        assertThat(value(function + "(CAST(NULL AS ARRAY<BIGINT>))")).isNull();
        assertThat(value("try_" + function + "(CAST(NULL AS ARRAY<INT>))")).isNull();
        assertThat(value("try_" + function + "(array(2, 3))")).isNotNull();
        for (String invalid : new String[] {
            "CAST(array() AS ARRAY<BIGINT>)", "array(4)", "array(4, 0)", "array(4, NULL, 5)", "array(4L, 5L, -6L)"
        }) {
            assertRejected(ErrorCode.BELLMAN_INPUT_VALUE, function, invalid);
        }
        assertRejected(ErrorCode.BELLMAN_OVERFLOW, function, "array(3000000, 3000000, 3000000)");
    }

    private static void assertRejected(ErrorCode code, String function, String dims) {
        String call = function + "(" + dims + ")";
        assertFails(code, () -> value(call)).hasMessageContaining(function + ": ");
        assertThat(value("try_" + call)).as(call).isNull();
    }

    @Test
    void nullEntryIsNamed() {
        assertThatThrownBy(() -> value("matrix_chain_cost(array(4, NULL, 5))"))
                .hasMessageContaining("entry 2 of dims (counted from 1) is NULL");
    }

    /** Cells are counted only for rows that are solved. */
    @Test
    void cells() {
        AtomicLong cells = new AtomicLong();
        FunctionOptions options = new FunctionOptions(OnInvalid.NULL, cells::addAndGet);
        BellmanFunction<?> cost = MatrixChainFunctions.list().get(0);
        assertThat(TextbookAnswers.call(cost, "auto", options, Values.array(30L, 35, 15, 5, 10, 20, 25)))
                .isEqualTo(15125L);
        assertThat(TextbookAnswers.call(cost, "auto", options, Values.array(30L, 35, 0)))
                .isNull();
        assertThat(cells).hasValue(35);
    }

    @Test
    void wrongType() {
        assertThatThrownBy(() -> value("matrix_chain_cost(5)"))
                .isInstanceOf(AnalysisException.class)
                .hasMessageContaining("the argument dims is of type INT; it must be ARRAY<BIGINT>;");
    }
}
